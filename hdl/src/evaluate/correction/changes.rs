//! What a move changes in both views.
//!
//! Layouts and functions, no block. A view has features: a code in a slot, which is a square or a kind in hand. A move takes up to three
//! away and adds up to two. Where a king crosses to files that are seen in a mirror, all features of its side's view change.
//! Model: `host/model/src/evaluate/network/unit_sums.rs`.

use crate::bundle;
use crate::evaluate::kings::{is_far, BothKings, FIRST_FAR};
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::board::{turn_plane, turn_square};
use crate::position::Board;
use crate::search::keys::Change;
use crate::search::number::entry;
use hayasashi_spec::moves::DROP_FROM;
use hayasashi_spec::piece::*;
use hayasashi_spec::table::hand_slot;

/// Wires of a slot.
pub const SLOT_BITS: usize = 7;

bundle! {
    /// A feature.
    pub struct Feature {
        /// There is one.
        there: Wire,
        /// Its code.
        code: Wires<CODE_BITS>,
        /// Its slot.
        slot: Wires<SLOT_BITS>,
    }
}

bundle! {
    /// What a view has left.
    pub struct ViewLeft {
        /// Features that it has no more.
        removed: [Feature; 3],
        /// Those that are new.
        added: [Feature; 2],
        /// All features are read, instead.
        scans: Wire,
        /// Its sums are complemented.
        complemented: Wire,
    }
}

/// What a move does to the view of the side that moves next, and to that of the side that has made it.
pub fn changes<W: Word>(fresh: W, change: &Change<W>, board: &Board<W>, kings: &BothKings<W>) -> [ViewLeft<W>; 2] {
    let c = &change.candidate;
    let some = (!change.pass & !fresh).named("some");
    let drop = (!c.from().below(W::constant(DROP_FROM as u128, 7))).named("drop");
    let captures = c.captured.any().named("captures");

    // As both sides see the squares, in a mirror or not.
    let table = |of: fn(usize) -> usize| (0..SQUARES).map(|s| of(s) as u128).collect::<Vec<u128>>();
    let (mirrored, both) = (table(mirror), table(|s| mirror(turn(s))));
    let far_own = is_far(kings.own).named("far_own");
    let far_their = is_far(turn_plane(kings.their)).named("far_their");
    let by_own = |s: W| far_own.choose(entry(s, &both, SLOT_BITS), turn_square(s));
    let by_their = |s: W| far_their.choose(entry(s, &mirrored, SLOT_BITS), s);
    let far = |s: W| !s.below(W::constant(FIRST_FAR as u128, SLOT_BITS));
    let crosses = c.moved.is(KING as u128) & some & (far(c.from()) ^ far(c.to()));

    let held = drop.choose(c.moved.slice(0, 3), c.captured.slice(0, 3)).named("held");
    let counts = (0..HAND_KINDS).map(|kind| board.held(1, kind).extend(CODE_BITS).when(held.is(kind as u128 + 1)));
    let count = or_all(counts).named("count");
    let one = W::constant(1, 1);
    let before = drop.choose(count.plus(one, CODE_BITS), count.minus(one, CODE_BITS)).named("count_before");
    let holds = (drop | (captures & held.any())).named("holds");
    let hand = held.extend(SLOT_BITS).plus(W::constant(hand_slot(PAWN) as u128 - 1, SLOT_BITS), SLOT_BITS);

    let code = |kind: W, theirs: bool| W::join(&[kind, W::constant(theirs as u128, 1)]);
    let feature = |there: W, code: W, slot: W| Feature { there: there & some, code, slot };
    let nothing = Feature { there: W::zero(1), code: W::zero(CODE_BITS), slot: W::zero(SLOT_BITS) };
    let (from, to) = (by_own(c.from()), by_own(c.to()));
    let always = W::constant(1, 1);
    let own = ViewLeft {
        removed: [feature(!drop, code(c.moved, true), from), feature(captures, code(c.captured, false), to), nothing],
        added: [feature(always, code(c.becomes(), true), to), nothing],
        scans: fresh,
        complemented: W::zero(1),
    };
    let (from, to) = (by_their(c.from()), by_their(c.to()));
    let stays = !crosses;
    let their = ViewLeft {
        removed: [
            feature(!drop & stays, code(c.moved, false), from),
            feature(captures & stays, code(c.captured, true), to),
            feature(holds & before.any() & stays, before, hand),
        ],
        added: [feature(stays, code(c.becomes(), false), to), feature(holds & count.any() & stays, count, hand)],
        scans: fresh | crosses,
        complemented: W::zero(1),
    };
    [own, their]
}

impl<W: Word> ViewLeft<W> {
    /// One wire: there is something left.
    pub fn waits(&self) -> W {
        let features = self.removed.iter().chain(&self.added).map(|feature| feature.there);
        or_all(features.chain([self.scans]))
    }
}
