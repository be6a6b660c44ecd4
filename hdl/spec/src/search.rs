//! The request `SEARCH`: the best move of a position by alpha-beta, with its line. `PROTOCOL.md` says what a search does, step by
//! step; its numbers are in [`crate::search_table`], its keys in [`crate::search_keys`].
//!
//! | bytes of the request | contents |
//! |---|---|
//! | 0 | bits 0–6: [`Mode`]; bit 7, [`KEEP_TABLE`]: the table of the search before is kept |
//! | 1 | plies of the last iteration, 1 to [`MAX_DEPTH`] |
//! | 2 | clocks between two answers `PROGRESS`, as for `PERFT` ([`crate::perft`]); 0 for none |
//! | 3 | entries of the table: 2 to the power of this, [`MIN_TABLE_BITS`] to [`MAX_TABLE_BITS`] |
//! | 4–7 | techniques: a bit for each ([`Technique`]) |
//! | 8–9 | alpha: signed, at least -[`MATE`] |
//! | 10–11 | beta: signed, above alpha, at most [`MATE`] |
//! | 12–13 | value of a draw for the mover in centipawns: signed, within ±[`crate::table::SCORE_LIMIT`] |
//! | 14–15 | zero |
//! | 16–23 | most nodes; 0 for no limit |
//! | 24–31 | most steps; 0 for no limit |
//! | 32–95 | the position |
//! | 96… | the path: the positions of the game before this one, oldest first, each one word of 64 bits ([`path_word`]); at most [`MAX_PATH`] |
//!
//! | bytes of an answer `OK`, `PROGRESS` or `CANCELLED` | contents |
//! |---|---|
//! | 0–1 | score for the mover, signed; without a line it says nothing, unless the status is `OK` |
//! | 2 | plies of the last completed iteration |
//! | 3 | moves of the line, at most [`MAX_LINE`]; 0 where no move has been searched, or there is none |
//! | 4–7 | zero |
//! | 8–15 | nodes: moves and null moves made |
//! | 16–23 | steps |
//! | 24–31 | clocks since the search began; 0 from a chip without a clock |
//! | 32–63 | the line, [`crate::moves::Move16`] each; zero beyond its end. Each move is in the view of the side that makes it |
//!
//! All numbers are little-endian. Score, depth, line, nodes and steps of an `OK` answer are the same from every chip, with a kept
//! table after the same requests; a limit of nodes or steps that ends a search is an `OK` too. Those of a `PROGRESS` or `CANCELLED`
//! answer depend on the time.
//! What is out of range is answered `RANGE`, before the position is looked at.

use crate::{
    position::{PositionImage, IMAGE_BYTES},
    search_keys::key,
};
use bytemuck::{Pod, Zeroable};

/// Score of a mate at the root; one less for each ply to it.
pub const MATE: i16 = 32_000;
/// Greatest score that is not a mate.
pub const LONGEST_MATE: i16 = MATE - 500;
/// Score of a win by the opponent's perpetual check.
pub const PERPETUAL: i16 = 31_000;

/// Most plies of an iteration.
pub const MAX_DEPTH: u8 = 32;
/// The deepest ply, quiescence included. Positions there have their static evaluation as score.
pub const MAX_PLY: usize = 40;
/// Most positions of the path.
pub const MAX_PATH: usize = 240;
/// Most moves of the line.
pub const MAX_LINE: usize = 16;
/// Least entries of the table, as a power of two.
pub const MIN_TABLE_BITS: u8 = 8;
/// Most entries of the table. A chip with less answers `RANGE` to requests for more.
pub const MAX_TABLE_BITS: u8 = 22;
/// Entries of the table that a host asks for unless it is told otherwise: what block RAM holds for one walker.
pub const USUAL_TABLE_BITS: u8 = 14;

/// Bytes of [`SearchHead`].
pub const SEARCH_HEAD_BYTES: usize = 32;
/// Bytes of a request without a path.
pub const SEARCH_BYTES: usize = SEARCH_HEAD_BYTES + IMAGE_BYTES;
/// Bytes of a word of the path.
pub const PATH_WORD_BYTES: usize = 8;
/// Bytes of the answer.
pub const FOUND_BYTES: usize = 64;

/// Bit of the first byte of a request: the search begins with the table that the last search left.
pub const KEEP_TABLE: u8 = 1 << 7;

/// How walkers share a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Mode {
    /// One walker, with a table of its own.
    #[default]
    Independent = 0,
    /// All walkers on one root, with one table. Reserved: no chip has it yet, and answers `RANGE`.
    Shared = 1,
}

macro_rules! techniques {
    ($($(#[doc = $text:literal])+ $variant:ident = $bit:literal, $name:literal;)+) => {
        /// A technique of the search: its bit in the request.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u32)]
        pub enum Technique { $($(#[doc = $text])+ $variant = 1 << $bit,)+ }

        impl Technique {
            /// Every technique, in the order of its bit.
            pub const ALL: &'static [Technique] = &[$(Technique::$variant),+];

            /// The name used in options and documents.
            pub const fn name(self) -> &'static str { match self { $(Technique::$variant => $name,)+ } }

            /// One sentence for the documents.
            pub const fn text(self) -> &'static str { match self { $(Technique::$variant => concat!($($text),+),)+ } }
        }
    };
}

techniques! {
    /// The table gives a move, and scores of nodes off the principal variation.
    Table = 0, "table";
    /// A node far below alpha becomes quiescence first.
    Razoring = 1, "razoring";
    /// A node far above beta is not searched.
    ReverseFutility = 2, "reverse-futility";
    /// A node above beta is searched after a pass first.
    NullMove = 3, "null-move";
    /// Quiet moves far below alpha are not made; in quiescence captures.
    Futility = 4, "futility";
    /// Late quiet moves are not made.
    LateMovePruning = 5, "late-move-pruning";
    /// Late moves are searched less deeply first.
    LateMoveReductions = 6, "late-move-reductions";
    /// Moves that lose material are not made near the leaves, and captures among them come last.
    Exchange = 7, "exchange";
    /// Captures and promotions in the order of victim and mover; else in canonical order.
    CaptureOrder = 8, "capture-order";
    /// Quiet moves that cut off at this ply come after captures.
    Killers = 9, "killers";
    /// The quiet move that refuted the last move comes after killers.
    CounterMove = 10, "counter-move";
    /// Captures and evasions after the last ply; else the static evaluation.
    Quiescence = 11, "quiescence";
    /// From the fourth ply of quiescence on only captures on the square of the last move.
    Recaptures = 12, "recaptures";
    /// Quiet checks come before other quiet moves.
    CheckOrder = 13, "check-order";
    /// Moves of attacked pieces come before other quiet moves.
    AttackedOrder = 14, "attacked-order";
    /// Pawns, bishops and rooks always promote where they can.
    Promotions = 15, "promotions";
    /// Iterations begin with a narrow window about the last score.
    Aspiration = 16, "aspiration";
    /// The other quiet moves come in the order of their success in earlier iterations.
    History = 17, "history";
}

/// Every technique.
pub const ALL_TECHNIQUES: u32 = (1 << Technique::ALL.len()) - 1;

/// The bytes of a request in front of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct SearchHead {
    /// [`Mode`], and [`KEEP_TABLE`].
    pub mode: u8,
    /// Plies of the last iteration.
    pub depth: u8,
    /// Power of two of the clocks between two answers `PROGRESS`; 0 for none.
    pub interval: u8,
    /// Power of two of the table's entries.
    pub table_bits: u8,
    /// [`Technique`] bits.
    pub techniques: u32,
    /// Lower end of the window.
    pub alpha: i16,
    /// Upper end of the window.
    pub beta: i16,
    /// Value of a draw for the mover, in centipawns.
    pub draw: i16,
    /// Zero.
    pub reserved: u16,
    /// Most nodes; 0 for no limit.
    pub nodes: u64,
    /// Most steps; 0 for no limit.
    pub steps: u64,
}

impl Default for SearchHead {
    /// All techniques, the full window, the greatest depth, no limits, no reports.
    fn default() -> SearchHead {
        SearchHead {
            mode: Mode::Independent as u8,
            depth: MAX_DEPTH,
            interval: 0,
            table_bits: USUAL_TABLE_BITS,
            techniques: ALL_TECHNIQUES,
            alpha: -MATE,
            beta: MATE,
            draw: 0,
            reserved: 0,
            nodes: 0,
            steps: 0,
        }
    }
}

impl SearchHead {
    /// Whether every number is in range; if not, the chip answers `RANGE`.
    pub fn is_in_range(&self) -> bool {
        use crate::{
            perft::{MAX_INTERVAL, MIN_INTERVAL},
            table::SCORE_LIMIT,
        };
        self.mode & !KEEP_TABLE == Mode::Independent as u8
            && (1..=MAX_DEPTH).contains(&self.depth)
            && (self.interval == 0 || (MIN_INTERVAL..=MAX_INTERVAL).contains(&self.interval))
            && (MIN_TABLE_BITS..=MAX_TABLE_BITS).contains(&self.table_bits)
            && self.techniques & !ALL_TECHNIQUES == 0
            && -MATE <= self.alpha
            && self.alpha < self.beta
            && self.beta <= MATE
            && (self.draw as i32).abs() <= SCORE_LIMIT
            && self.reserved == 0
    }

    /// The same, keeping the table of the search before or not.
    pub const fn keeping_table(self, keeps: bool) -> SearchHead {
        let mode = self.mode & !KEEP_TABLE | if keeps { KEEP_TABLE } else { 0 };
        SearchHead { mode, ..self }
    }

    /// Whether the table of the search before is kept.
    pub const fn keeps_table(&self) -> bool {
        self.mode & KEEP_TABLE != 0
    }

    /// Whether a technique is switched on.
    pub const fn has(&self, technique: Technique) -> bool {
        self.techniques & technique as u32 != 0
    }
}

/// The answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Found {
    /// Score for the mover.
    pub score: i16,
    /// Plies of the last completed iteration.
    pub depth: u8,
    /// Moves of the line.
    pub length: u8,
    /// Zero.
    pub reserved: u32,
    /// Moves and null moves made.
    pub nodes: u64,
    /// Steps.
    pub steps: u64,
    /// Clocks since the search began.
    pub clocks: u64,
    /// The line, [`crate::moves::Move16`] each, in the view of the side that makes it.
    pub line: [u16; MAX_LINE],
}

const _: () = assert!(size_of::<SearchHead>() == SEARCH_HEAD_BYTES && size_of::<Found>() == FOUND_BYTES);
const _: () = assert!(SEARCH_BYTES + PATH_WORD_BYTES * MAX_PATH <= crate::frame::MAX_REQUEST_PAYLOAD);

/// The bit of a word of the path that says whether the mover is in check; the others are the low bits of the key.
pub const PATH_CHECK: u64 = 1 << 63;

/// The word of the path for a position.
pub fn path_word(image: &PositionImage, in_check: bool) -> u64 {
    key(image) & !PATH_CHECK | if in_check { PATH_CHECK } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn techniques_are_the_low_bits() {
        for (bit, technique) in Technique::ALL.iter().enumerate() {
            assert_eq!(*technique as u32, 1 << bit);
        }
    }

    #[test]
    fn ranges_are_checked() {
        let good = SearchHead::default();
        assert!(good.is_in_range() && SearchHead { mode: KEEP_TABLE, ..good }.is_in_range());
        for bad in [
            SearchHead { mode: 1, ..good },
            SearchHead { mode: KEEP_TABLE | 1, ..good },
            SearchHead { depth: 0, ..good },
            SearchHead { depth: MAX_DEPTH + 1, ..good },
            SearchHead { interval: 9, ..good },
            SearchHead { interval: 41, ..good },
            SearchHead { table_bits: MIN_TABLE_BITS - 1, ..good },
            SearchHead { table_bits: MAX_TABLE_BITS + 1, ..good },
            SearchHead { techniques: ALL_TECHNIQUES + 1, ..good },
            SearchHead { alpha: 5, beta: 5, ..good },
            SearchHead { alpha: -MATE - 1, ..good },
            SearchHead { beta: MATE + 1, ..good },
            SearchHead { draw: 30_001, ..good },
            SearchHead { reserved: 1, ..good },
        ] {
            assert!(!bad.is_in_range(), "{bad:?}");
        }
    }
}
