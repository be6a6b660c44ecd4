//! The score of a position, updated move by move; always the same as [`EvalTable::score`]. The gateware sums anew.

use super::views::{Made, View};
use super::EvalTable;
use crate::attacks::ray::squares;
use crate::position::Position;
use hayasashi_spec::moves::Move16;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{HAND_OFFSET, HAND_WIDTH};
use hayasashi_spec::table::*;

/// The terms of a score: the placement value of both views, the mover's first, and the mover's material less theirs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sums {
    views: [i32; 2],
    material: i32,
}

/// A side's view, and the row of the table for it.
struct Row<'a> {
    view: View,
    weights: &'a [[i16; CODES]; SLOTS],
    empty: i32,
}

impl<'a> Row<'a> {
    #[inline(always)]
    fn new(table: &'a EvalTable, position: &Position, side: usize) -> Row<'a> {
        let view = View::new(position, side);
        Row { view, weights: &table.rows[view.row], empty: table.empty[view.row] }
    }

    #[inline(always)]
    fn piece(&self, square: usize, code: u8) -> i32 {
        let (slot, code) = self.view.piece(square, code);
        self.weights[slot][code] as i32
    }

    #[inline(always)]
    fn hand(&self, kind: u8, count: u32) -> i32 {
        self.weights[hand_slot(kind)][count as usize & 31] as i32
    }

    /// The placement value from nothing.
    fn sum(&self, position: &Position, side: usize) -> i32 {
        let mut sum = self.empty;
        let codes = position.codes();
        for s in squares(position.occupied()) {
            sum += self.piece(s, codes[s]);
        }
        (PAWN..=ROOK).fold(sum, |sum, kind| sum + self.hand(kind, held(position, side, kind)))
    }
}

#[inline(always)]
fn held(position: &Position, side: usize, kind: u8) -> u32 {
    let k = kind as usize - 1;
    position.hands[side] >> HAND_OFFSET[k] & ((1 << HAND_WIDTH[k]) - 1)
}

impl Sums {
    /// The terms of a position.
    pub fn new(table: &EvalTable, position: &Position) -> Sums {
        let codes = position.codes();
        let mut material = 0;
        for s in squares(position.occupied()) {
            let value = board_value(table, codes[s] & !THEIRS);
            material += if codes[s] & THEIRS == 0 { value } else { -value };
        }
        for kind in PAWN..=ROOK {
            let count = |side| held(position, side, kind) as i32;
            material += hand_value(table, kind) * (count(0) - count(1));
        }
        Sums { views: [0, 1].map(|side| Row::new(table, position, side).sum(position, side)), material }
    }

    /// The terms after a legal move from `before` to `after`, which is turned.
    #[inline]
    pub fn make(&self, table: &EvalTable, before: &Position, mv: Move16, moved: u8, after: &Position) -> Sums {
        let Sums { mut views, mut material } = *self;
        let Made { to, placed, captured, drops, gained } = Made::new(before, mv, moved);
        for side in [0, 1] {
            if side == 0 && moved == KING {
                continue;
            }
            let row = Row::new(table, before, side);
            let mut change = row.piece(to, placed);
            if captured != 0 {
                change -= row.piece(to, captured | THEIRS);
            }
            if !drops {
                change -= row.piece(mv.from() as usize, moved);
            } else if side == 0 {
                let count = held(before, 0, moved);
                change += row.hand(moved, count - 1) - row.hand(moved, count);
            }
            if side == 0 && gained != 0 {
                let count = held(before, 0, gained);
                change += row.hand(gained, count + 1) - row.hand(gained, count);
            }
            views[side] += change;
        }
        if moved == KING {
            // After the turn the mover is the other side.
            views[0] = Row::new(table, after, 1).sum(after, 1);
        }
        if captured != 0 {
            material += board_value(table, captured) + if gained != 0 { hand_value(table, gained) } else { 0 };
        }
        material +=
            board_value(table, placed) - if drops { hand_value(table, moved) } else { board_value(table, moved) };
        Sums { views: [views[1], views[0]], material: -material }
    }

    /// The terms after a null move.
    pub fn pass(&self) -> Sums {
        Sums { views: [self.views[1], self.views[0]], material: -self.material }
    }

    /// The score for the mover.
    #[inline]
    pub fn score(&self, table: &EvalTable) -> i16 {
        let sum = self.material + self.views[0] - self.views[1] + table.header().tempo as i32;
        sum.clamp(-SCORE_LIMIT, SCORE_LIMIT) as i16
    }
}

#[inline(always)]
fn board_value(table: &EvalTable, kind: u8) -> i32 {
    match kind {
        KING | NO_KIND => 0,
        kind => table.header().board_value[kind as usize & 15] as i32,
    }
}

#[inline(always)]
fn hand_value(table: &EvalTable, kind: u8) -> i32 {
    table.header().hand_value[kind as usize - 1] as i32
}
