//! Move ordering: the table's move, captures by value (MVV-LVA), killers, history.

use super::tree::MAX_PLY;
use hayasashi_spec::{
    moves::{Move16, MoveRecord, FLAG_CAPTURE, FLAG_CHECK, FLAG_PROMOTE},
    piece::*,
};

/// Centipawns of a piece by kind, for ordering and pruning only.
pub const VALUE: [i32; 16] = [0, 90, 315, 405, 495, 540, 855, 990, 15_000, 540, 540, 540, 540, 0, 945, 1395];

/// What a capture or promotion wins at once, by [`VALUE`]: the captured piece goes to the hand.
pub fn gain(record: MoveRecord) -> i32 {
    let captured = record.captured();
    let taken = VALUE[captured as usize] + VALUE[(captured & !PROMOTED) as usize] * (captured != KING) as i32;
    taken + promotion_gain(record)
}

fn promotion_gain(record: MoveRecord) -> i32 {
    if record.flags & FLAG_PROMOTE == 0 {
        return 0;
    }
    let moved = record.moved() as usize;
    VALUE[moved | PROMOTED as usize] - VALUE[moved]
}

/// A move with its rank in the order.
#[derive(Clone, Copy)]
pub struct Scored {
    /// Greater is searched earlier; equal ones in canonical order.
    pub rank: i32,
    /// The move.
    pub record: MoveRecord,
}

const TABLE_RANK: i32 = 1 << 28;
const WINNING_RANK: i32 = 1 << 24;
const KILLER_RANK: i32 = 1 << 20;
const LOSING_RANK: i32 = -(1 << 20);
const HISTORY_LIMIT: i32 = 1 << 14;
const FROM_CODES: usize = 88;

/// What earlier cut-offs say about quiet moves.
pub struct Order {
    killers: Vec<[Move16; 2]>,
    /// By side, origin (or drop) and destination, in the mover's view.
    history: Vec<i16>,
}

impl Default for Order {
    fn default() -> Self {
        Order { killers: vec![[Move16(0); 2]; MAX_PLY + 1], history: vec![0; 2 * FROM_CODES * SQUARES] }
    }
}

fn history_index(side: usize, mv: Move16) -> usize {
    (side * FROM_CODES + mv.from() as usize) * SQUARES + mv.to() as usize
}

impl Order {
    /// Before a new search: killers go, history fades.
    pub fn age(&mut self) {
        self.killers.fill([Move16(0); 2]);
        self.history.iter_mut().for_each(|h| *h /= 4);
    }

    /// Rank of a move at a node; `side` is the index of the side to move.
    pub fn rank(&self, record: MoveRecord, table: Option<Move16>, ply: usize, side: usize) -> i32 {
        if Some(record.mv) == table {
            return TABLE_RANK;
        }
        if record.flags & FLAG_CAPTURE != 0 {
            // Most valuable victim, least valuable attacker; taking with a much dearer piece comes late.
            let gain = gain(record);
            let attacker = VALUE[record.moved() as usize].min(2000);
            let base = if gain >= attacker / 2 { WINNING_RANK } else { KILLER_RANK / 2 };
            return base + 16 * gain - attacker;
        }
        if record.flags & FLAG_PROMOTE != 0 && matches!(record.moved(), PAWN | BISHOP | ROOK) {
            return WINNING_RANK + promotion_gain(record);
        }
        let killers = &self.killers[ply];
        if record.mv == killers[0] {
            return KILLER_RANK + 1;
        }
        if record.mv == killers[1] {
            return KILLER_RANK;
        }
        let history = self.history[history_index(side, record.mv)] as i32;
        history + if record.flags & FLAG_CHECK != 0 { 4000 } else { 0 }
    }

    /// Rank of a move in quiescence: what it wins, then the cheaper attacker.
    pub fn quiescence_rank(&self, record: MoveRecord, table: Option<Move16>) -> i32 {
        if Some(record.mv) == table {
            return TABLE_RANK;
        }
        if record.flags & (FLAG_CAPTURE | FLAG_PROMOTE) == 0 {
            return LOSING_RANK;
        }
        16 * gain(record) - VALUE[record.moved() as usize].min(2000)
    }

    /// A quiet move caused a cut-off after the quiet moves in `before` did not.
    pub fn reward(&mut self, mv: Move16, before: &[Move16], depth: i32, ply: usize, side: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        let bonus = (depth * depth * 16).min(2000);
        self.learn(history_index(side, mv), bonus);
        for &other in before {
            self.learn(history_index(side, other), -bonus);
        }
    }

    fn learn(&mut self, index: usize, bonus: i32) {
        let h = self.history[index] as i32;
        self.history[index] = (h + bonus - h * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}

/// Brings the best ranked move of the rest to the front of it; the earlier of two equals.
pub fn pick(rest: &mut [Scored]) {
    let mut best = 0;
    for i in 1..rest.len() {
        if rest[i].rank > rest[best].rank {
            best = i;
        }
    }
    // Keep the canonical order among the others, so that equals stay in that order.
    rest[..=best].rotate_right(1);
}
