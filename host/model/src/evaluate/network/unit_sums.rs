//! The sums of a network's units, updated move by move; always the same as all features added anew.

use super::Network;
use crate::{
    attacks::ray::squares,
    evaluate::views::{Made, View},
    position::Position,
};
use hayasashi_spec::{
    moves::Move16,
    network::MOST_UNITS,
    piece::{CODES, PAWN, ROOK, THEIRS},
    position::Owner,
    table::hand_slot,
};

/// The sums of both views, the mover's first. Those beyond the network's units are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitSums {
    views: [[i16; MOST_UNITS]; 2],
}

/// The feature of a piece.
#[inline(always)]
fn piece(view: View, square: usize, code: u8) -> usize {
    let (slot, code) = view.piece(square, code);
    slot * CODES + code
}

/// The feature of pieces in hand; none of no pieces.
#[inline(always)]
fn hand(kind: u8, count: u8) -> Option<usize> {
    (count > 0).then(|| hand_slot(kind) * CODES + count as usize)
}

impl UnitSums {
    /// Of no network.
    pub const NONE: UnitSums = UnitSums { views: [[0; MOST_UNITS]; 2] };

    /// The sums of a position.
    pub fn new(network: &Network, position: &Position) -> UnitSums {
        UnitSums { views: [0, 1].map(|side| anew(network, position, side)) }
    }

    /// The sums after a legal move of a piece of kind `moved` from `before` to `after`, which is turned.
    #[inline]
    pub fn make(&self, network: &Network, before: &Position, mv: Move16, moved: u8, after: &Position) -> UnitSums {
        let Made { to, placed, captured, drops, gained } = Made::new(before, mv, moved);
        let mut made = self.pass();
        for side in [0, 1] {
            let view = View::new(before, side);
            let sums = &mut made.views[1 - side];
            if View::new(after, 1 - side).mirrored != view.mirrored {
                *sums = anew(network, after, 1 - side);
                continue;
            }
            let sums = &mut sums[..network.units()];
            add(sums, network.first(piece(view, to, placed)));
            if captured != 0 {
                remove(sums, network.first(piece(view, to, captured | THEIRS)));
            }
            if !drops {
                remove(sums, network.first(piece(view, mv.from() as usize, moved)));
            }
            if side == 0 {
                let change = |sums: &mut [i16], kind: u8, count: u8, then: u8| {
                    hand(kind, count).into_iter().for_each(|feature| remove(sums, network.first(feature)));
                    hand(kind, then).into_iter().for_each(|feature| add(sums, network.first(feature)));
                };
                if drops {
                    let count = before.hand(Owner::Mover, moved);
                    change(sums, moved, count, count - 1);
                }
                if gained != 0 {
                    let count = before.hand(Owner::Mover, gained);
                    change(sums, gained, count, count + 1);
                }
            }
        }
        made
    }

    /// The sums after a null move.
    pub fn pass(&self) -> UnitSums {
        UnitSums { views: [self.views[1], self.views[0]] }
    }

    /// The correction in centipawns.
    #[inline]
    pub fn correction(&self, network: &Network) -> i32 {
        network.correction_of([0, 1].map(|view| &self.views[view][..network.units()]))
    }
}

/// The sums of a side's view.
fn anew(network: &Network, position: &Position, side: usize) -> [i16; MOST_UNITS] {
    let mut all = [0; MOST_UNITS];
    let sums = &mut all[..network.units()];
    sums.copy_from_slice(network.bias());
    let view = View::new(position, side);
    let codes = position.codes();
    for s in squares(position.occupied()) {
        add(sums, network.first(piece(view, s, codes[s])));
    }
    let owner = if side == 0 { Owner::Mover } else { Owner::Theirs };
    for kind in PAWN..=ROOK {
        if let Some(feature) = hand(kind, position.hand(owner, kind)) {
            add(sums, network.first(feature));
        }
    }
    all
}

/// Adds a feature's weights to the sums.
#[inline(always)]
pub fn add(sums: &mut [i16], weights: &[i16]) {
    sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
}

/// Takes a feature's weights from the sums.
#[inline(always)]
pub fn remove(sums: &mut [i16], weights: &[i16]) {
    sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum -= weight);
}
