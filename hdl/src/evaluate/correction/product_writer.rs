//! What the last layer's memory holds: the products of each weight with the square of each clipped sum.
//!
//! ```text
//!                  +---------------+
//!   clock         ->               -> write
//!   enable        ->               => column 5
//!   place 7       => ProductWriter => address 9
//!   weight 11     =>               => product 25
//!   starts        ->               |
//!                  +---------------+
//! ```
//!
//! Handshake: `enable` with a weight and its place: its unit, with 64 added for the other side's view. `starts` comes behind the last of
//! them. Then all products are written, in [`WRITE_CLOCKS`] clocks. The first layer's weights, which follow, take longer on any link.
//! Throughput: one product a clock, half of the time.
//! Cost: half a block RAM of an XC7A200T, 60 flip-flops (computed).
//! Method: the squares of successive numbers differ by the odd numbers.
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::last_layer::{ADDRESS_BITS, COLUMN_BITS};
use super::products::{LAST_BITS, PRODUCT_BITS};
use super::sums::CLIPPED_BITS;
use crate::network;
use crate::network::{Wire, Wires, Word};
use hayasashi_spec::network::*;
use rust_hdl::prelude::*;

/// Wires of a place: a row, then a column.
pub const PLACE_BITS: usize = 7;
const _: () = assert!(2 * CHIP_UNITS == 1 << PLACE_BITS && ADDRESS_BITS == PLACE_BITS - COLUMN_BITS + CLIPPED_BITS);
/// Wires of a weight times an odd number.
const STEP_BITS: usize = 19;
const _: () = assert!((LAST_LIMIT as usize) * (2 * FULL as usize + 3) < 1 << (STEP_BITS - 1));
/// Wires of the count: a place, whether it is written, and a clipped sum.
const COUNT_BITS: usize = PLACE_BITS + 1 + CLIPPED_BITS;
/// Clocks from `starts` to the last product.
pub const WRITE_CLOCKS: usize = 1 << COUNT_BITS;
const _: () = assert!(WRITE_CLOCKS < FEATURES * CHIP_UNITS, "the first layer's weights take longer to arrive");

network! {
    /// The next product of a weight.
    NextProduct = next_product(NextProductIn) -> NextProductOut {
        in run: Wire;
        in weight: Wires<LAST_BITS>;
        in product_in: Wires<PRODUCT_BITS>;
        in step_in: Wires<STEP_BITS>;
        out product: Wires<PRODUCT_BITS>;
        out step: Wires<STEP_BITS>;
    }
}

fn next_product<W: Word>(inputs: NextProductIn<W>) -> NextProductOut<W> {
    let NextProductIn { run, weight, product_in, step_in } = inputs;
    let twice = W::join(&[W::zero(1), weight]).extend_signed(STEP_BITS);
    NextProductOut {
        product: product_in.plus(step_in.extend_signed(PRODUCT_BITS), PRODUCT_BITS).when(run),
        step: run.choose(step_in.plus(twice, STEP_BITS), weight.extend_signed(STEP_BITS)),
    }
}

/// Writes the products.
#[derive(LogicBlock, Default)]
pub struct ProductWriter {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A weight comes.
    pub enable: Signal<In, Bit>,
    /// Its place.
    pub place: Signal<In, Bits<PLACE_BITS>>,
    /// The weight.
    pub weight: Signal<In, Bits<LAST_BITS>>,
    /// All weights have come.
    pub starts: Signal<In, Bit>,
    /// A product is to be written.
    pub write: Signal<Out, Bit>,
    /// Its column.
    pub column: Signal<Out, Bits<COLUMN_BITS>>,
    /// Its row and its clipped sum.
    pub address: Signal<Out, Bits<ADDRESS_BITS>>,
    /// The product.
    pub product: Signal<Out, Bits<PRODUCT_BITS>>,
    apart_weights: RAM<Bits<LAST_BITS>, PLACE_BITS>,
    next_product: NextProduct,
    busy: DFF<Bit>,
    count: DFF<Bits<COUNT_BITS>>,
    writes: Signal<Local, Bit>,
    row: Signal<Local, Bits<2>>,
}

impl Logic for ProductWriter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, busy, count);
        clock!(self, clock, next_product);
        self.apart_weights.read_clock.next = self.clock.val();
        self.apart_weights.write_clock.next = self.clock.val();
        self.apart_weights.write_enable.next = self.enable.val();
        self.apart_weights.write_address.next = self.place.val();
        self.apart_weights.write_data.next = self.weight.val();
        self.apart_weights.read_address.next = self.count.q.val().get_bits::<PLACE_BITS>(8);

        // For each place 128 clocks in which the weight is read, then 128 in which products are written.
        self.writes.next = self.count.q.val().get_bit(7);
        self.next_product.run.next = self.writes.val().into();
        self.next_product.weight.next = self.apart_weights.read_data.val();
        self.next_product.product_in.next = self.next_product.product.val();
        self.next_product.step_in.next = self.next_product.step.val();
        self.write.next = self.busy.q.val() & self.writes.val();
        self.column.next = self.count.q.val().get_bits::<COLUMN_BITS>(8);
        self.row.next = self.count.q.val().get_bits::<2>(13);
        self.address.next = (bit_cast::<ADDRESS_BITS, 2>(self.row.val()) << 7)
            | bit_cast::<ADDRESS_BITS, 7>(self.count.q.val().get_bits::<7>(0));
        self.product.next = self.next_product.product.val();

        if self.busy.q.val() {
            self.count.d.next = self.count.q.val() + 1;
            self.busy.d.next = !self.count.q.val().all();
        }
        if self.starts.val() {
            self.busy.d.next = true;
            self.count.d.next = 0.into();
        }
    }
}
