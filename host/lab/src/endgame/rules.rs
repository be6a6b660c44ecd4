//! The rules of animal shogi, as masks of 12 squares in the mover's view.
//!
//! ```text
//! far rank   0  1  2     The mover's lion starts on 10. Forward is up. A lion that stays on the far rank has won (a "try"),
//!            3  4  5     unless it is captured at once. A chick that moves to the far rank becomes a hen; captured, it is a chick
//!            6  7  8     again. Captured pieces are dropped on any empty square.
//! home rank  9 10 11
//! ```

/// Number of squares.
pub(super) const SQUARES: usize = 12;
const ALL: u16 = (1 << SQUARES) - 1;
const FAR_RANK: u16 = 0b111;
const HOME_RANK: u16 = FAR_RANK << 9;
const LEFT_FILE: u16 = 0b001_001_001_001;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// ライオン: one step in each direction; its capture wins.
    Lion,
    /// きりん: one step along files and ranks.
    Giraffe,
    /// ぞう: one step along diagonals.
    Elephant,
    /// ひよこ: one step forward.
    Chick,
    /// にわとり, a promoted chick: one step, not diagonally backward.
    Hen,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Lion, Kind::Giraffe, Kind::Elephant, Kind::Chick, Kind::Hen];
    /// The kinds that can be in hand, in the order of [`AnimalPosition`]'s hands.
    pub const IN_HAND: [Kind; 3] = [Kind::Giraffe, Kind::Elephant, Kind::Chick];

    /// The kind in hand that it becomes when captured, by its place in [`Kind::IN_HAND`]; `None` for the lion.
    fn captured(self) -> Option<usize> {
        match self {
            Kind::Lion => None,
            Kind::Giraffe => Some(0),
            Kind::Elephant => Some(1),
            Kind::Chick | Kind::Hen => Some(2),
        }
    }

    /// Steps as (files to the right, ranks backward).
    const fn steps(self) -> &'static [(i32, i32)] {
        match self {
            Kind::Lion => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
            Kind::Giraffe => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
            Kind::Elephant => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
            Kind::Chick => &[(0, -1)],
            Kind::Hen => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)],
        }
    }
}

/// For each kind and square the squares that the mover's piece steps to (`forth` 1) or comes from (`forth` −1).
const fn steps(forth: i32) -> [[u16; SQUARES]; 5] {
    let mut table = [[0; SQUARES]; 5];
    let mut kind = 0;
    while kind < 5 {
        let steps = Kind::ALL[kind].steps();
        let mut i = 0;
        while i < steps.len() * SQUARES {
            let (at, (right, back)) = (i % SQUARES, steps[i / SQUARES]);
            let (file, rank) = (at as i32 % 3 + forth * right, at as i32 / 3 + forth * back);
            if file >= 0 && file < 3 && rank >= 0 && rank < 4 {
                table[kind][at] |= 1 << (rank * 3 + file);
            }
            i += 1;
        }
        kind += 1;
    }
    table
}

static TARGETS: [[u16; SQUARES]; 5] = steps(1);
static ORIGINS: [[u16; SQUARES]; 5] = steps(-1);

/// A move in the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimalMove {
    /// A piece goes from one square to another.
    Step(Kind, u8, u8),
    /// A piece in hand, by its place in [`Kind::IN_HAND`], is dropped on a square.
    Drop(u8, u8),
}

/// A position in the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnimalPosition {
    /// Squares by side (0 the mover) and kind.
    pub(crate) pieces: [[u16; 5]; 2],
    /// Pieces in hand by side and by place in [`Kind::IN_HAND`].
    pub(crate) hands: [[u8; 3]; 2],
}

/// The squares of a mask in ascending order.
pub(super) fn squares(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        at
    })
}

impl AnimalPosition {
    fn occupied(&self, side: usize) -> u16 {
        self.pieces[side].iter().fold(0, |all, mask| all | mask)
    }

    /// The same position in the view of the other side, as if that side were to move.
    pub fn turned(&self) -> AnimalPosition {
        let turn = |side: [u16; 5]| side.map(|mask| mask.reverse_bits() >> 4);
        AnimalPosition { pieces: [turn(self.pieces[1]), turn(self.pieces[0])], hands: [self.hands[1], self.hands[0]] }
    }

    /// The mirror image, left for right.
    pub fn mirrored(&self) -> AnimalPosition {
        let mirror = |m: u16| (m & LEFT_FILE) << 2 | m & LEFT_FILE << 1 | (m >> 2) & LEFT_FILE;
        AnimalPosition { pieces: self.pieces.map(|side| side.map(mirror)), hands: self.hands }
    }

    /// Whether the mover can capture the lion.
    pub fn can_catch(&self) -> bool {
        let lion = self.pieces[1][Kind::Lion as usize];
        lion != 0 && (0..5).any(|kind| self.pieces[0][kind] & ORIGINS[kind][lion.trailing_zeros() as usize] != 0)
    }

    /// Whether the game is over and the mover has lost: the lion is captured, or the enemy's lion has come to the mover's home rank and
    /// cannot be captured.
    pub fn is_lost(&self) -> bool {
        let lion = Kind::Lion as usize;
        self.pieces[0][lion] == 0 || (self.pieces[1][lion] & HOME_RANK != 0 && !self.can_catch())
    }

    /// Appends the moves; none where the game is over. Moving into an attack is allowed.
    pub fn moves(&self, moves: &mut Vec<AnimalMove>) {
        if self.is_lost() {
            return;
        }
        let own = self.occupied(0);
        for kind in Kind::ALL {
            for from in squares(self.pieces[0][kind as usize]) {
                let targets = TARGETS[kind as usize][from] & !own;
                moves.extend(squares(targets).map(|to| AnimalMove::Step(kind, from as u8, to as u8)));
            }
        }
        let empty = ALL & !own & !self.occupied(1);
        for kind in (0..3u8).filter(|&kind| self.hands[0][kind as usize] > 0) {
            moves.extend(squares(empty).map(|to| AnimalMove::Drop(kind, to as u8)));
        }
    }

    /// The position after a move, in the view of the other side.
    pub fn after(&self, mv: AnimalMove) -> AnimalPosition {
        let mut next = *self;
        match mv {
            AnimalMove::Step(kind, from, to) => {
                let to_mask = 1 << to;
                for taken in Kind::ALL {
                    if next.pieces[1][taken as usize] & to_mask != 0 {
                        next.pieces[1][taken as usize] ^= to_mask;
                        if let Some(kind) = taken.captured() {
                            next.hands[0][kind] += 1;
                        }
                    }
                }
                let promotes = kind == Kind::Chick && to_mask & FAR_RANK != 0;
                next.pieces[0][kind as usize] ^= 1 << from;
                next.pieces[0][if promotes { Kind::Hen } else { kind } as usize] |= to_mask;
            }
            AnimalMove::Drop(kind, to) => {
                next.hands[0][kind as usize] -= 1;
                next.pieces[0][Kind::IN_HAND[kind as usize] as usize] |= 1 << to;
            }
        }
        next.turned()
    }

    /// Appends the positions from which one move leads here, among them some that cannot be reached or where the game was over.
    pub fn before(&self, positions: &mut Vec<AnimalPosition>) {
        let now = self.turned();
        let empty = ALL & !now.occupied(0) & !now.occupied(1);
        for kind in Kind::ALL {
            for to in squares(now.pieces[0][kind as usize]) {
                let mut without = now;
                without.pieces[0][kind as usize] ^= 1 << to;
                if let (Some(in_hand), true) = (kind.captured(), kind != Kind::Hen) {
                    let mut dropped = without;
                    dropped.hands[0][in_hand] += 1;
                    positions.push(dropped);
                }
                let far = 1 << to & FAR_RANK != 0;
                if !(kind == Kind::Chick && far) {
                    without.before_step(kind, to, empty, positions);
                }
                if kind == Kind::Hen && far {
                    without.before_step(Kind::Chick, to, empty, positions);
                }
            }
        }
    }

    /// Appends the positions with the moved piece, which has been taken up from `to`, on each square that it may have come from,
    /// without a capture and with each.
    fn before_step(&self, kind: Kind, to: usize, empty: u16, positions: &mut Vec<AnimalPosition>) {
        for from in squares(ORIGINS[kind as usize][to] & empty) {
            let mut before = *self;
            before.pieces[0][kind as usize] |= 1 << from;
            positions.push(before);
            for taken in Kind::ALL {
                let Some(in_hand) = taken.captured().filter(|&in_hand| self.hands[0][in_hand] > 0) else { continue };
                let mut before = before;
                before.hands[0][in_hand] -= 1;
                before.pieces[1][taken as usize] |= 1 << to;
                positions.push(before);
            }
        }
    }
}
