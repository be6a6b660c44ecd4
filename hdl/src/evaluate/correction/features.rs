//! The features of both views that a move changes, one after the other: where the first layer is read next.
//!
//! ```text
//!                +------------+
//!   clear, start ->           => left 142            features that are still to be read
//!   fresh, odd   ->           => addresses 2 x 12    see `Addresses`
//!   change 24   =>  Features  -> begins              of the position in the clock after `start`
//!   image 512   =>            => complements 2       see below
//!   kings 162   =>            => scans 2             the side's sums begin anew
//!   own 446     =>            -> last                the last address of a position
//!   their 446   =>            |
//!   left_in 142 =>            |
//!                +------------+
//! ```
//!
//! Handshake: `start` with the position after a move, and the move. From the next clock on a feature of each view is read a clock, those
//! first that the move takes away. The views may come two clocks behind `start`; they and `odd` stay until `last`. `left` goes back to
//! `left_in`. With `clear` nothing is left. The two sides are told apart by the plies at which they move: `odd` says which one the mover is.
//! A side's sums are complemented with the first feature that is taken away, and again behind the last one, since `!(!a + b)` is `a - b`.
//! A view is scanned, slot by slot, if the position is `fresh` (there is none before), or if its king has crossed to files that are seen in
//! a mirror.
//! Latency: two clocks to the first address. Throughput: a feature of each view a clock: two clocks for a quiet move, up to
//! five for a capture, one for a null move, and 89 where a view is scanned.
//! Cost: 172 flip-flops. Absent: the weights (`first_layer`).
//! Model: `host/model/src/evaluate/network/unit_sums.rs`.

use super::changes::{changes, Feature, ViewLeft, SLOT_BITS};
use crate::evaluate::kings::BothKings;
use crate::evaluate::views::View;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::{Board, Image};
use crate::search::keys::Change;
use crate::{bundle, network};
use hayasashi_spec::piece::*;
use hayasashi_spec::table::SLOTS;
use rust_hdl::prelude::*;

/// Wires of an address: a code, then a slot.
pub const ADDRESS_BITS: usize = CODE_BITS + SLOT_BITS;
const _: () = assert!(SLOTS < 1 << SLOT_BITS);

bundle! {
    /// What is read in a clock; zero for nothing. A row of code 0 is zero.
    pub struct Addresses {
        /// For the side that moves at even plies.
        even: Wires<ADDRESS_BITS>,
        /// For the other one.
        odd: Wires<ADDRESS_BITS>,
    }
}

bundle! {
    /// What both views have left.
    pub struct Left {
        /// The mover's view.
        own: ViewLeft,
        /// The other side's.
        their: ViewLeft,
        /// Nothing has been read yet.
        begins: Wire,
        /// The slot that is scanned.
        slot: Wires<SLOT_BITS>,
    }
}

network! {
    /// Finds the next features.
    Features = features(FeaturesIn) -> FeaturesOut {
        in start: Wire;
        in clear: Wire;
        in fresh: Wire;
        in odd: Wire;
        in change: Change;
        in image: Image;
        in kings: BothKings;
        in own: View;
        in their: View;
        in left_in: Left;
        out left: Left;
        out addresses: Addresses;
        out begins: Wire;
        out complements: [Wire; 2];
        out scans: [Wire; 2];
        out last: Wire;
    }
}

fn features<W: Word>(inputs: FeaturesIn<W>) -> FeaturesOut<W> {
    let FeaturesIn { start, clear, fresh, odd, change, image, kings, own, their, left_in: left } = inputs;
    let start = start & !clear;
    let [own_new, their_new] = changes(fresh, &change, &Board::from_image(&image), &kings);
    let end = left.slot.is(SLOTS as u128 - 1).named("end");
    let step = |name: &str, new: &ViewLeft<W>, view: &View<W>, left_now: &ViewLeft<W>| {
        let scans = (left_now.scans & !left.begins).named(&format!("{name}_scans"));
        let step = Step::of(name, left_now, scans.choose(code_at(view, left.slot), W::zero(CODE_BITS)), left.slot);
        let rest = step.rest(left_now, scans & end);
        (step, ViewLeft::choose(start, new, &rest.when(!clear)))
    };
    let (own_step, own_left) = step("own", &own_new, &own, &left.own);
    let (their_step, their_left) = step("their", &their_new, &their, &left.their);

    let reads = (left.begins | left.own.waits() | left.their.waits()).named("reads");
    let sides = |own: W, their: W| [odd.choose(their, own), odd.choose(own, their)];
    let [even_address, odd_address] = sides(own_step.address, their_step.address);
    FeaturesOut {
        left: Left {
            own: own_left,
            their: their_left,
            begins: start,
            slot: left.slot.plus(!left.begins, SLOT_BITS).when(!start),
        },
        addresses: Addresses { even: even_address, odd: odd_address },
        begins: left.begins,
        complements: sides(own_step.complements, their_step.complements),
        scans: sides(left.own.scans, left.their.scans),
        last: reads & !(own_step.more | their_step.more | ((left.own.scans | left.their.scans) & !end)) & !clear,
    }
}

/// The code in a slot of a view.
fn code_at<W: Word>(view: &View<W>, slot: W) -> W {
    fn half<W: Word>(slot: W, bits: usize, codes: &[W]) -> W {
        let (low, high) = codes.split_at(codes.len().min(1 << (bits.max(1) - 1)));
        match high {
            [] if bits <= 1 => low[0],
            [] => half(slot, bits - 1, low),
            _ => slot.bit(bits - 1).choose(half(slot, bits - 1, high), half(slot, bits - 1, low)),
        }
    }
    let codes = (0..SLOTS).map(|slot| match slot < SQUARES {
        true => W::join(&view.code.map(|plane| plane.bit(slot))),
        false => view.held[slot - SQUARES],
    });
    half(slot, SLOT_BITS, &codes.collect::<Vec<W>>())
}

/// What is read of a view in a clock.
struct Step<W: Word> {
    address: W,
    /// The features that are still there, one wire each: those removed, then those added.
    rest: W,
    removes: W,
    complements: W,
    reads: W,
    more: W,
}

impl<W: Word> Step<W> {
    /// `scanned` is the code at `slot`, if the view is scanned.
    fn of(name: &str, left: &ViewLeft<W>, scanned: W, slot: W) -> Step<W> {
        let all: Vec<Feature<W>> = left.removed.into_iter().chain(left.added).collect();
        let there = W::join(&all.iter().map(|feature| feature.there).collect::<Vec<W>>());
        let chosen = there.lowest().named(&format!("{name}_chosen"));
        let code = or_all(all.iter().enumerate().map(|(i, feature)| feature.code.when(chosen.bit(i))));
        let at = or_all(all.iter().enumerate().map(|(i, feature)| feature.slot.when(chosen.bit(i))));
        let at = left.scans.choose(slot, at).named(&format!("{name}_slot"));
        let reads = there.any();
        let removes = chosen.slice(0, left.removed.len()).any();
        let rest = (there & !chosen).named(&format!("{name}_rest"));
        Step {
            address: W::join(&[code | scanned, at]),
            rest,
            removes,
            complements: reads & (removes ^ left.complemented),
            reads,
            more: rest.any(),
        }
    }

    /// What a view has left behind it.
    fn rest(&self, left: &ViewLeft<W>, scanned_all: W) -> ViewLeft<W> {
        let still = |i: usize, feature: &Feature<W>| Feature { there: self.rest.bit(i), ..*feature };
        let removed = left.removed.len();
        ViewLeft {
            removed: std::array::from_fn(|i| still(i, &left.removed[i])),
            added: std::array::from_fn(|i| still(removed + i, &left.added[i])),
            scans: left.scans & !scanned_all,
            complemented: self.reads.choose(self.removes, left.complemented),
        }
    }
}
