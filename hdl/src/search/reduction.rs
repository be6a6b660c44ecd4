//! Late-move reductions: whole plies by the depth of a node and the number of a move.
//!
//! ```text
//!                 +-----------+
//!   clock        ->           => plies 4
//!   depth 6      =>           |
//!   number 10    => Reduction |
//!   improving    ->           |
//!                 +-----------+
//!
//!   logarithms -> product
//! ```
//!
//! Handshake: none.
//! Latency: two clocks. Throughput: one move per clock.
//! Cost: 19 flip-flops and a multiplier of 8 by 8.
//! Method: five times the product of two logarithms in sixteenths; a table of 64 entries gives each.
//! Model: `host/model/src/search/reduction.rs`. Absent: what node and class add (`child`). They add whole plies, so that the
//! fraction is not needed.

use super::node::{Plies, MADE_BITS};
use super::number::entry;
use crate::network;
use crate::network::{Wire, Wires, Word};
use hayasashi_spec::search_table::*;
use rust_hdl::prelude::*;

/// Clocks from a move to its reduction.
pub const REDUCTION_CLOCKS: u64 = 2;
/// Wires of a reduction in whole plies.
pub const REDUCTION_BITS: usize = 4;
/// Wires of a logarithm.
const LOGARITHM_BITS: usize = 7;
/// Wires of a reduction in parts of a ply.
const PART_BITS: usize = 17;

network! {
    /// The logarithms of depth and number.
    Logarithms = logarithms(LogarithmsIn) -> LogarithmsOut {
        in depth: Plies;
        in number: Wires<MADE_BITS>;
        in improving: Wire;
        out of_depth: Wires<LOGARITHM_BITS>;
        out of_number: Wires<LOGARITHM_BITS>;
        out slow: Wire;
    }
}

network! {
    /// The product of the logarithms.
    Product = product(ProductIn) -> ProductOut {
        in of_depth: Wires<LOGARITHM_BITS>;
        in of_number: Wires<LOGARITHM_BITS>;
        in slow: Wire;
        out plies: Wires<REDUCTION_BITS>;
    }
}

fn logarithms<W: Word>(inputs: LogarithmsIn<W>) -> LogarithmsOut<W> {
    let LogarithmsIn { depth, number, improving } = inputs;
    let table = LOGARITHMS.map(u128::from);
    let many = number.slice(6, MADE_BITS - 6).any();
    let few = (number.slice(0, 6) | W::constant(63, 6).when(many)).named("few");
    LogarithmsOut {
        of_depth: entry(depth, &table, LOGARITHM_BITS),
        of_number: entry(few, &table, LOGARITHM_BITS),
        slow: !improving,
    }
}

fn product<W: Word>(inputs: ProductIn<W>) -> ProductOut<W> {
    let ProductIn { of_depth, of_number, slow } = inputs;
    let [a, b] = [of_depth, of_number].map(|logarithm| logarithm.extend(LOGARITHM_BITS + 1));
    let once = a.times_signed(b, PART_BITS).named("once");
    let four_times = W::join(&[W::zero(2), once.slice(0, PART_BITS - 2)]);
    const { assert!(ONE_PLY == 1 << 12 && NOT_IMPROVING == 1 << 11) };
    let half = W::join(&[W::zero(11), slow]);
    let parts = four_times.plus(once, PART_BITS).plus(half, PART_BITS).named("parts");
    ProductOut { plies: parts.slice(12, REDUCTION_BITS) }
}

/// Finds reductions.
#[derive(LogicBlock, Default)]
pub struct Reduction {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Depth of the node.
    pub depth: Signal<In, Bits<6>>,
    /// Number of the move at its node.
    pub number: Signal<In, Bits<MADE_BITS>>,
    /// The mover is improving.
    pub improving: Signal<In, Bits<1>>,
    /// The reduction, rounded down.
    pub plies: Signal<Out, Bits<REDUCTION_BITS>>,
    logarithms: Logarithms,
    product: Product,
}

impl Logic for Reduction {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, logarithms, product);
        self.logarithms.depth.next = self.depth.val();
        self.logarithms.number.next = self.number.val();
        self.logarithms.improving.next = self.improving.val();
        self.product.of_depth.next = self.logarithms.of_depth.val();
        self.product.of_number.next = self.logarithms.of_number.val();
        self.product.slow.next = self.logarithms.slow.val();
        self.plies.next = self.product.plies.val();
    }
}
