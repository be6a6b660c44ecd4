//! The moves of a ply that are picked and not asked for yet.
//!
//! A layout, and blocks that put it together and take it apart; they cost some gates.
//! Model: `host/model/src/search/order.rs`.

use super::choose::{Chosen, OTHERS};
use super::order::Place;
use crate::network::{width, Wire, Wires, Word};
use crate::{bundle, network};
use rust_hdl::prelude::*;

/// Wires of a row.
pub const KEPT_BITS: usize = width::<Kept>();

bundle! {
    /// What is kept of a ply.
    pub struct Kept {
        /// Moves that follow each other, as far as they are known.
        moves: [Chosen; OTHERS],
        /// The place of the one before them.
        before: Place,
    }
}

network! {
    /// What is kept behind a pick.
    Keep = keep(KeepIn) -> KeepOut, unclocked {
        in chosen: Chosen;
        in others: [Chosen; OTHERS];
        in ahead: Wire;
        in behind: Place;
        out row: Kept;
        out is_kept: Wire;
    }
}

network! {
    /// Which of the kept moves is asked for, one wire each.
    Find = find(FindIn) -> FindOut, unclocked {
        in row: Kept;
        in after: Place;
        out found: Wires<OTHERS>;
    }
}

network! {
    /// One of the kept moves; whether the one behind it is kept, too.
    Give = give(GiveIn) -> GiveOut, unclocked {
        in row: Kept;
        in which: Wires<OTHERS>;
        out chosen: Chosen;
        out follows: Wire;
    }
}

fn keep<W: Word>(inputs: KeepIn<W>) -> KeepOut<W> {
    let KeepIn { chosen, others, ahead, behind } = inputs;
    // What was asked for is the move before the others; what was picked ahead is the first of them.
    let [first, second, third] = others;
    let moves = [(chosen, first), (first, second), (second, third)].map(|(a, b)| Chosen::choose(ahead, &a, &b));
    let before = Place::choose(ahead, &behind, &chosen.place);
    KeepOut { row: Kept { moves, before }, is_kept: ahead | first.valid }
}

fn find<W: Word>(inputs: FindIn<W>) -> FindOut<W> {
    let FindIn { row, after } = inputs;
    let is = |place: Place<W>| place.class.equals(after.class) & place.key.equals(after.key);
    let [first, second, third] = row.moves;
    // The first one may also say that none is left.
    FindOut { found: W::join(&[is(row.before), is(first.place) & second.valid, is(second.place) & third.valid]) }
}

fn give<W: Word>(inputs: GiveIn<W>) -> GiveOut<W> {
    let GiveIn { row, which } = inputs;
    let [first, second, third] = row.moves;
    let rest = Chosen::choose(which.bit(1), &second, &third);
    let follows = (which.bit(0) & second.valid) | (which.bit(1) & third.valid);
    GiveOut { chosen: Chosen::choose(which.bit(0), &first, &rest), follows }
}
