//! The sums of the first layer, kept by walker and ply: each position's are those of the position before with what the move changes.
//!
//! ```text
//!                   +-------------+
//!   clock, reset   ->             -> takes         all features are found: another position may start in the next clock
//!   start          ->             -> complete      the sums are those of the position
//!   change 24      => Accumulator -> odd           which is one of an odd ply
//!   row 8          =>             => sums 1920     of both sides, see `sums`
//!   image 512      =>             |
//!   kings 162      =>             |
//!   own, their 446 =>             |
//!   weights        =>             |               `loader::NetworkSink`
//!                   +-------------+
//!
//!   features -> first_layer -> accumulate <-> even_rows, odd_rows
//!   weights -> bias_rows -> first_layer
//! ```
//!
//! Handshake: `start` with the move that leads to a position, and its row: the ply, and above it the walker. Two clocks later its image and
//! kings come, again two later its views; they stay until the next position's. At ply 0 the sums begin anew. The row before is that of the
//! position before the move, whose sums were complete before `start`. The other outputs are for one clock.
//! Latency: from `start` to `takes` three clocks and one for each feature (see `features`), at least four; two from there to `complete`.
//! Throughput: a position in six clocks, if it comes of a quiet move.
//! Cost: that of its blocks, and 97 flip-flops. Absent: what becomes of the sums (`unit`).
//! Model: `host/model/src/evaluate/network/unit_sums.rs`.

use super::{
    bias_rows::{BiasRows, HIGHS},
    features::{Features, ADDRESS_BITS},
    first_layer::{FeatureWeights, FirstLayer, COLUMN_BITS},
    loader::NetworkSink,
    sum_rows::{SumRows, ROW_BITS},
    sums::{Accumulate, SideSums, Sums, Weights},
};
use crate::evaluate::kings::BothKings;
use crate::evaluate::views::View;
use crate::network::width;
use crate::search::keys::Change;
use rust_hdl::prelude::*;

const ADDRESSES_WIDTH: usize = 2 * ADDRESS_BITS;
const SIDE_WEIGHTS: usize = width::<FeatureWeights>();
const WEIGHTS: usize = width::<Weights>();
const SIDE_SUMS: usize = width::<SideSums>();
const SUMS: usize = width::<Sums>();
const _: () = assert!(SUMS == 2 * SIDE_SUMS && SIDE_SUMS == 960 && WEIGHTS == 2 * SIDE_WEIGHTS && SIDE_WEIGHTS == 512);

crate::constants! {
    Values {
        /// No walker comes to the last two plies. One is never written.
        zeros: Bits<ROW_BITS> = (1 << ROW_BITS) - 2;
        biases: Bits<ROW_BITS> = (1 << ROW_BITS) - 1;
        /// Rows of the halves of biases; what both sides read of them.
        high: Bits<ADDRESS_BITS> = HIGHS;
        low: Bits<ADDRESS_BITS> = HIGHS + 1;
        highs: Bits<ADDRESSES_WIDTH> = HIGHS | HIGHS << ADDRESS_BITS;
        lows: Bits<ADDRESSES_WIDTH> = (HIGHS + 1) | (HIGHS + 1) << ADDRESS_BITS;
    }
}

/// Keeps the sums.
#[derive(LogicBlock, Default)]
pub struct Accumulator {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// For one clock: a position comes.
    pub start: Signal<In, Bit>,
    /// The move that leads there.
    pub change: Signal<In, Bits<{ width::<Change>() }>>,
    /// Its ply and its walker.
    pub row: Signal<In, Bits<ROW_BITS>>,
    /// The position, two clocks later.
    pub image: Signal<In, Bits<512>>,
    /// Its kings, in the same clock.
    pub kings: Signal<In, Bits<{ width::<BothKings>() }>>,
    /// How its mover sees it, two clocks later again.
    pub own: Signal<In, Bits<{ width::<View>() }>>,
    /// How the other side sees it.
    pub their: Signal<In, Bits<{ width::<View>() }>>,
    /// Weights from the loader.
    pub weights: NetworkSink,
    /// For one clock: another position may start in the next one.
    pub takes: Signal<Out, Bit>,
    /// For one clock: the sums are complete.
    pub complete: Signal<Out, Bit>,
    /// They are of an odd ply.
    pub odd: Signal<Out, Bit>,
    /// The sums.
    pub sums: Signal<Out, Bits<SUMS>>,
    features: Features,
    first_layer: FirstLayer,
    accumulate: Accumulate,
    even_rows: SumRows,
    odd_rows: SumRows,
    bias_rows: BiasRows,
    /// `start`, one clock later and two.
    started: DFF<Bit>,
    image_comes: DFF<Bit>,
    change_now: DFF<Bits<{ width::<Change>() }>>,
    row_now: DFF<Bits<ROW_BITS>>,
    // What goes with the weights, behind `features`.
    begins: DFF<Bit>,
    complements: DFF<Bits<2>>,
    /// The last feature, behind `features`.
    last: DFF<Bits<2>>,
    row_kept: DFF<Bits<ROW_BITS>>,
    // Weights of the first layer, on their way to block RAMs all over the device.
    first_enable: DFF<Bit>,
    first_column: DFF<Bits<4>>,
    first_address: DFF<Bits<ADDRESS_BITS>>,
    first_data: DFF<Bits<COLUMN_BITS>>,
    value: Values,
}

impl Logic for Accumulator {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, features, first_layer, accumulate, even_rows, odd_rows, bias_rows);
        dff_setup!(self, clock, started, image_comes, change_now, row_now, begins, complements, last, row_kept);
        dff_setup!(self, clock, first_enable, first_column, first_address, first_data);

        // The features.
        self.started.d.next = self.start.val();
        self.image_comes.d.next = self.started.q.val();
        if self.start.val() {
            self.change_now.d.next = self.change.val();
            self.row_now.d.next = self.row.val();
        }
        self.features.start.next = self.image_comes.q.val().into();
        self.features.clear.next = self.reset.val().into();
        self.features.fresh.next = (!self.row_now.q.val().get_bits::<6>(0).any()).into();
        self.features.odd.next = self.row_now.q.val().get_bit(0).into();
        self.features.change.next = self.change_now.q.val();
        self.features.image.next = self.image.val();
        self.features.kings.next = self.kings.val();
        self.features.own.next = self.own.val();
        self.features.their.next = self.their.val();
        self.features.left_in.next = self.features.left.val();
        self.takes.next = self.features.last.val().any();

        // Their weights.
        self.first_layer.addresses.next = self.features.addresses.val();
        if self.bias_rows.reads_high.val() {
            self.first_layer.addresses.next = self.value.highs.val();
        }
        if self.bias_rows.reads_low.val() {
            self.first_layer.addresses.next = self.value.lows.val();
        }

        // The sums.
        self.begins.d.next = self.features.begins.val().any();
        self.complements.d.next = self.features.complements.val();
        self.even_rows.read_address.next = self.row_now.q.val() - 1;
        self.odd_rows.read_address.next = self.row_now.q.val() - 1;
        if self.features.scans.val().get_bit(0) {
            self.even_rows.read_address.next = self.value.biases.val();
        }
        if self.features.scans.val().get_bit(1) {
            self.odd_rows.read_address.next = self.value.biases.val();
        }
        if self.bias_rows.busy.val() {
            self.even_rows.read_address.next = self.value.zeros.val();
            self.odd_rows.read_address.next = self.value.zeros.val();
        }
        self.accumulate.load.next = (self.begins.q.val() | self.bias_rows.loads.val()).into();
        self.accumulate.complements.next = self.complements.q.val();
        self.accumulate.kept.next = bit_cast::<SUMS, SIDE_SUMS>(self.even_rows.read_data.val())
            | (bit_cast::<SUMS, SIDE_SUMS>(self.odd_rows.read_data.val()) << 960);
        self.accumulate.weights.next = bit_cast::<WEIGHTS, SIDE_WEIGHTS>(self.first_layer.even_weights.val())
            | (bit_cast::<WEIGHTS, SIDE_WEIGHTS>(self.first_layer.odd_weights.val()) << 512);
        self.accumulate.sums_in.next = self.accumulate.sums.val();
        self.sums.next = self.accumulate.sums.val();

        // They are complete.
        self.last.d.next = (self.last.q.val() << 1) | bit_cast::<2, 1>(self.features.last.val());
        if self.features.last.val().any() {
            self.row_kept.d.next = self.row_now.q.val();
        }
        self.complete.next = self.last.q.val().get_bit(1);
        self.odd.next = self.row_kept.q.val().get_bit(0);
        self.even_rows.write.next = self.last.q.val().get_bit(1) | self.bias_rows.keeps.val();
        self.odd_rows.write.next = self.last.q.val().get_bit(1) | self.bias_rows.keeps.val();
        self.even_rows.write_address.next = self.row_kept.q.val();
        self.odd_rows.write_address.next = self.row_kept.q.val();
        if self.bias_rows.keeps.val() {
            self.even_rows.write_address.next = self.value.biases.val();
            self.odd_rows.write_address.next = self.value.biases.val();
        }
        self.even_rows.write_data.next = self.accumulate.sums.val().get_bits::<SIDE_SUMS>(0);
        self.odd_rows.write_data.next = self.accumulate.sums.val().get_bits::<SIDE_SUMS>(960);

        // The weights.
        self.bias_rows.number_enable.next = self.weights.number_enable.val();
        self.bias_rows.number_place.next = self.weights.number_place.val();
        self.bias_rows.number.next = self.weights.number.val();
        self.first_enable.d.next = self.weights.first_enable.val();
        self.first_column.d.next = self.weights.first_column.val();
        self.first_address.d.next = self.weights.first_address.val();
        self.first_data.d.next = self.weights.first_data.val();
        if self.bias_rows.write.val() {
            self.first_enable.d.next = true;
            self.first_column.d.next = self.bias_rows.column.val();
            self.first_address.d.next = self.value.high.val();
            self.first_data.d.next = self.bias_rows.data.val();
        }
        if self.bias_rows.low.val() {
            self.first_address.d.next = self.value.low.val();
        }
        self.first_layer.write_enable.next = self.first_enable.q.val();
        self.first_layer.write_column.next = self.first_column.q.val();
        self.first_layer.write_address.next = self.first_address.q.val();
        self.first_layer.write_data.next = self.first_data.q.val();

        if self.reset.val() {
            self.started.d.next = false;
            self.image_comes.d.next = false;
            self.last.d.next = 0.into();
        }
    }
}
