//! The features of both views, one after the other: where the first layer is read next.
//!
//! ```text
//!                +------------+
//!   clear, start ->           => left 880            codes that are still to be read
//!   own 446     =>  Features  => addresses 2 x 40    see `Addresses`
//!   their 446   =>            -> found               an address is that of a feature
//!   left_in 880 =>            |
//!                +------------+
//! ```
//!
//! Handshake: `start` with two views takes their codes. From the next clock on a feature of each group of each view is found a clock,
//! until there is none. `left` goes back to `left_in`. With `clear` nothing is left.
//! Latency: two clocks to the first addresses. Throughput: eight features a clock.
//! Absent: the weights (`first_layer`).
//! Cost: 2,350 look-up tables of an XC7A200T, 961 flip-flops.
//! Method: every fourth slot is in the same group. Since a file has nine squares, pieces of a file or of a rank spread evenly. Code 0, an
//! empty slot, is never found; where there is nothing left the address is 0, where all weights are zero.
//! Model: `host/model/src/evaluate/network/mod.rs`.

use crate::evaluate::views::View;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::piece::*;
use hayasashi_spec::table::SLOTS;
use rust_hdl::prelude::*;

/// Groups of slots. Each is read once a clock for each view.
pub const GROUPS: usize = 4;
/// Places for slots in a group.
pub const PLACES: usize = SLOTS / GROUPS;
/// Wires of an address within a group: a code, then a place.
pub const ADDRESS_BITS: usize = 10;
const _: () = assert!(PLACES * GROUPS == SLOTS && PLACES << CODE_BITS <= 1 << ADDRESS_BITS);

/// Layout of the codes of a view by group and place; 0 for nothing.
pub type Codes = [[Wires<CODE_BITS>; PLACES]; GROUPS];

bundle! {
    /// What is read in a clock: for each group an address.
    pub struct Addresses {
        /// The mover's view.
        own: [Wires<ADDRESS_BITS>; GROUPS],
        /// The other side's.
        their: [Wires<ADDRESS_BITS>; GROUPS],
    }
}

bundle! {
    /// What both views have left.
    pub struct Left {
        /// The mover's view.
        own: Codes,
        /// The other side's.
        their: Codes,
    }
}

network! {
    /// Finds the next features.
    Features = features(FeaturesIn) -> FeaturesOut {
        in start: Wire;
        in clear: Wire;
        in own: View;
        in their: View;
        in left_in: Left;
        out left: Left;
        out addresses: Addresses;
        out found: Wire;
    }
}

fn features<W: Word>(inputs: FeaturesIn<W>) -> FeaturesOut<W> {
    let FeaturesIn { start, clear, own, their, left_in } = inputs;
    let (own_left, own_addresses, own_found) = of_view("own", start, clear, &own, &left_in.own);
    let (their_left, their_addresses, their_found) = of_view("their", start, clear, &their, &left_in.their);
    FeaturesOut {
        left: Left { own: own_left, their: their_left },
        addresses: Addresses { own: own_addresses, their: their_addresses },
        found: own_found | their_found,
    }
}

/// What is left of a view, the addresses of a feature of each group, and whether there is one.
fn of_view<W: Word>(
    name: &str,
    start: W,
    clear: W,
    view: &View<W>,
    left: &[[W; PLACES]; GROUPS],
) -> ([[W; PLACES]; GROUPS], [W; GROUPS], W) {
    let fresh = |group: usize, place: usize| match GROUPS * place + group {
        slot if slot < SQUARES => W::join(&view.code.map(|plane| plane.bit(slot))),
        slot => view.held[slot - SQUARES],
    };
    let waiting: [W; GROUPS] =
        std::array::from_fn(|g| W::join(&left[g].map(W::any)).named_at(&format!("{name}_waiting"), g));
    let chosen: [W; GROUPS] = std::array::from_fn(|g| waiting[g].lowest().named_at(&format!("{name}_chosen"), g));
    let addresses = std::array::from_fn(|g| {
        let code = or_all((0..PLACES).map(|place| left[g][place].when(chosen[g].bit(place))));
        let place = (0..PLACES.ilog2() + 1).map(|bit| {
            let places = (0..PLACES).filter(|place| place >> bit & 1 != 0);
            chosen[g].wires(&places.map(|place| place as u8).collect::<Vec<u8>>()).any()
        });
        W::join(&[code, W::join(&place.collect::<Vec<W>>())])
    });
    let rest = std::array::from_fn(|g| {
        std::array::from_fn(|place| start.choose(fresh(g, place), left[g][place].when(!(chosen[g].bit(place) | clear))))
    });
    (rest, addresses, W::join(&waiting.map(W::any)).any())
}
