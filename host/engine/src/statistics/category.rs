//! The groups of features that categorise a move. A category has one feature of each group.

use hayasashi_shogi::rules::PieceKind;

macro_rules! features {
    ($(#[$doc:meta])* $name:ident { $($(#[$feature_doc:meta])* $feature:ident $token:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$feature_doc])* $feature,)*
        }

        impl $name {
            /// All, in order.
            pub const ALL: &'static [$name] = &[$($name::$feature,)*];

            /// The name in files and reports.
            pub const fn token(self) -> &'static str {
                match self {
                    $($name::$feature => $token,)*
                }
            }
        }
    };
}

features! {
    /// The purpose of a move: the first that applies.
    Meaning {
        /// Captures the piece that moved last.
        Recapture "recapture",
        /// Any other capture.
        Capture "capture",
        /// Attacks and defends at once.
        AttackDefence "attack+defence",
        /// Moves a piece out of danger that the last move attacked.
        EscapeAttacked "escape-last",
        /// Moves any other piece out of danger.
        Escape "escape",
        /// Protects a piece in danger, or blocks the line of its attacker.
        Defence "defence",
        /// Attacks two or more pieces (the king counts), one of which moved last.
        ForkLast "fork-last",
        /// Any other attack on two or more pieces.
        Fork "fork",
        /// Attacks the piece that moved last.
        AttackLast "attack-last",
        /// Attacks a piece that can then be won.
        Attack "attack",
        /// None of these.
        Other "other",
    }
}

features! {
    /// The relation of a move to the kings: the first that applies.
    Kings {
        /// Discovered check.
        Discovered "discovered",
        /// The moved piece gives check.
        Check "check",
        /// Evades a check.
        Evasion "evasion",
        /// Goes to a square at most two files and two ranks from the enemy king.
        NearEnemy "near-enemy",
        /// Goes equally near to the own king.
        NearOwn "near-own",
        /// None of these.
        Apart "apart",
    }
}

features! {
    /// The kind of move.
    Kind {
        /// A piece moves, and does not promote.
        Step "move",
        /// A piece moves and promotes.
        Promotion "promotion",
        /// A piece is dropped.
        Drop "drop",
    }
}

features! {
    /// The gain or loss of a move by static exchange; if that is even, what a defence saves or an attack threatens to
    /// win. A captured piece counts twice, because it changes sides.
    Gain {
        /// Loses 1,400 centipawns or more, such as a bishop or rook.
        MinusHigh "-4",
        /// Loses 900 or more, such as a silver or gold.
        MinusMiddle "-3",
        /// Loses 400 or more, such as a lance or knight.
        MinusLow "-2",
        /// Loses less, such as a pawn.
        MinusTiny "-1",
        /// Neither gains nor loses.
        Even "0",
        /// Gains less than 400, such as a pawn.
        PlusTiny "+1",
        /// Gains from 400.
        PlusLow "+2",
        /// Gains from 900.
        PlusMiddle "+3",
        /// Gains from 1,400.
        PlusHigh "+4",
    }
}

features! {
    /// The result of the possibility analyser.
    Possibility {
        /// Nothing.
        Nothing "-",
        /// A sacrifice whose capture leaves another piece unprotected (okuri).
        Lure "lure",
        /// Opens the line of an own slider to a piece that can then be won.
        Line "line",
    }
}

features! {
    /// The result of the history analyser.
    History {
        /// Nothing.
        Nothing "-",
        /// A pawn drop in front of the piece that has just captured a dropped pawn.
        DropAgain "drop-again",
        /// A pawn drop to promote next (tarefu), on a file where a pawn was advanced and captured.
        Dangle "dangle",
    }
}

/// Names of pieces by code, as in SFEN.
pub(super) const PIECES: [&str; 16] =
    ["*", "P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", "?", "+B", "+R"];
/// Names of the feature "another own piece protects the destination".
const SUPPORT: [&str; 3] = ["*", "alone", "supported"];
/// The name of an ignored group.
pub const ANY: &str = "*";

/// A category. `None` is a group that is ignored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Category {
    /// The kind of piece moved, before promotion. Ignored for a discovered check, which is rare.
    pub piece: Option<PieceKind>,
    /// The purpose of the move.
    pub meaning: Option<Meaning>,
    /// Whether another own piece protects the destination. Ignored for a king's move.
    pub supported: Option<bool>,
    /// The relation to the kings.
    pub kings: Option<Kings>,
    /// The kind of move.
    pub kind: Option<Kind>,
    /// Gain or loss.
    pub gain: Option<Gain>,
    /// The result of the possibility analyser.
    pub possibility: Option<Possibility>,
    /// The result of the history analyser.
    pub history: Option<History>,
}

/// Number of groups.
pub const GROUPS: usize = 8;
/// Names of the groups, as in the header of a table.
pub const GROUP_NAMES: [&str; GROUPS] =
    ["piece", "meaning", "support", "kings", "kind", "gain", "possibility", "history"];
/// Number of features of each group, plus one for an ignored group.
const SIZES: [usize; GROUPS] = [16, 12, 3, 7, 4, 10, 4, 4];
/// Number of keys.
pub const KEYS: usize = {
    let (mut keys, mut group) = (1, 0);
    while group < GROUPS {
        keys *= SIZES[group];
        group += 1;
    }
    keys
};

/// Levels of detail at which a category is looked up.
pub const LEVELS: usize = 5;

impl Category {
    /// All moves.
    pub const ALL: Category = Category {
        piece: None,
        meaning: None,
        supported: None,
        kings: None,
        kind: None,
        gain: None,
        possibility: None,
        history: None,
    };

    /// The category without the results of the analysers.
    pub fn plain(self) -> Category {
        Category { possibility: None, history: None, ..self }
    }

    /// The category at a level of detail: 0 is itself; 1 ignores the piece; 2 also its support; 3 also the kings; 4
    /// keeps only gain or loss.
    pub fn level(self, level: usize) -> Category {
        let mut coarse = self;
        if level >= 1 {
            coarse.piece = None;
        }
        if level >= 2 {
            coarse.supported = None;
        }
        if level >= 3 {
            coarse.kings = None;
        }
        if level >= 4 {
            (coarse.meaning, coarse.kind) = (None, None);
        }
        coarse
    }

    /// By group: 0 if it is ignored, otherwise the index of the feature plus 1 (for a piece, its code).
    fn digits(self) -> [usize; GROUPS] {
        let place = |place: Option<u8>| place.map_or(0, |place| place as usize + 1);
        [
            self.piece.map_or(0, |kind| kind.code() as usize),
            place(self.meaning.map(|m| m as u8)),
            place(self.supported.map(u8::from)),
            place(self.kings.map(|k| k as u8)),
            place(self.kind.map(|k| k as u8)),
            place(self.gain.map(|g| g as u8)),
            place(self.possibility.map(|p| p as u8)),
            place(self.history.map(|h| h as u8)),
        ]
    }

    /// A unique number below [`KEYS`].
    pub fn key(self) -> u32 {
        self.digits().into_iter().zip(SIZES).fold(0, |key, (digit, size)| key * size as u32 + digit as u32)
    }

    /// The category of a key.
    pub fn of_key(mut key: u32) -> Option<Category> {
        let mut digits = [0; GROUPS];
        for group in (0..GROUPS).rev() {
            digits[group] = key as usize % SIZES[group];
            key /= SIZES[group] as u32;
        }
        if key != 0 {
            return None;
        }
        Category::of_digits(digits)
    }

    fn of_digits(digits: [usize; GROUPS]) -> Option<Category> {
        fn of<T: Copy>(all: &[T], digit: usize) -> Option<Option<T>> {
            match digit {
                0 => Some(None),
                _ => all.get(digit - 1).map(|&feature| Some(feature)),
            }
        }
        let piece = match digits[0] {
            0 => None,
            code => Some(PieceKind::from_code(code as u8)?),
        };
        Some(Category {
            piece,
            meaning: of(Meaning::ALL, digits[1])?,
            supported: of(&[false, true], digits[2])?,
            kings: of(Kings::ALL, digits[3])?,
            kind: of(Kind::ALL, digits[4])?,
            gain: of(Gain::ALL, digits[5])?,
            possibility: of(Possibility::ALL, digits[6])?,
            history: of(History::ALL, digits[7])?,
        })
    }

    /// Names by group; [`ANY`] for an ignored group.
    pub fn tokens(self) -> [&'static str; GROUPS] {
        [
            PIECES[self.digits()[0]],
            self.meaning.map_or(ANY, Meaning::token),
            SUPPORT[self.digits()[2]],
            self.kings.map_or(ANY, Kings::token),
            self.kind.map_or(ANY, Kind::token),
            self.gain.map_or(ANY, Gain::token),
            self.possibility.map_or(ANY, Possibility::token),
            self.history.map_or(ANY, History::token),
        ]
    }

    /// The category of tokens; an error is the first that is none.
    pub fn of_tokens<'a>(tokens: &[&'a str; GROUPS]) -> Result<Category, &'a str> {
        let groups: [Vec<&str>; GROUPS] = [
            PIECES.to_vec(),
            names(Meaning::ALL.iter().map(|m| m.token())),
            SUPPORT.to_vec(),
            names(Kings::ALL.iter().map(|k| k.token())),
            names(Kind::ALL.iter().map(|k| k.token())),
            names(Gain::ALL.iter().map(|g| g.token())),
            names(Possibility::ALL.iter().map(|p| p.token())),
            names(History::ALL.iter().map(|h| h.token())),
        ];
        let mut digits = [0; GROUPS];
        for group in 0..GROUPS {
            let token = tokens[group];
            digits[group] = groups[group].iter().position(|name| *name == token).ok_or(token)?;
        }
        Category::of_digits(digits).ok_or(tokens[0])
    }
}

fn names(features: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    std::iter::once(ANY).chain(features).collect()
}

impl std::fmt::Display for Category {
    /// The tokens, `*` where a group is not looked at.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.tokens().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_tokens_are_those_of_one_category() {
        assert_eq!(KEYS, 2_580_480);
        let mut categories = 0;
        for key in (0..KEYS as u32).step_by(7) {
            let Some(category) = Category::of_key(key) else { continue };
            assert_eq!(category.key(), key);
            if key % 11 == 0 {
                assert_eq!(Category::of_tokens(&category.tokens()), Ok(category));
            }
            categories += 1;
        }
        assert!(categories > 300_000, "{categories}");
        assert_eq!(Category::of_key(KEYS as u32), None);
        let tokens = ["P", "recapture", "alone", "apart", "move", "+9", "-", "-"];
        assert_eq!(Category::of_tokens(&tokens), Err("+9"));
        assert_eq!(Category::ALL.to_string(), "* * * * * * * *");
    }
}
