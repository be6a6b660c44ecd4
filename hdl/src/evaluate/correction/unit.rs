//! Corrects the scores of a search's positions.
//!
//! ```text
//!                    +--------------+
//!   clock           ->              -> takes        all features are found: see START_CLOCKS
//!   reset           ->              -> scored
//!   start           ->  Correction  => score 16
//!   own, their 446  =>              |
//!   table_scored    ->              |
//!   table_score 16  =>              |
//!   weights         =>              |               `loader::NetworkSink`
//!                    +--------------+
//!
//!   features -> first_layer -> partial -> accumulate -> clip -> last_layer -> part_sum -> row_sum -> total -> correct
//! ```
//!
//! Handshake: `start` with the views of a position, which are not looked at later; `table_scored` with its table's score, once, one to
//! [`SCORE_CLOCKS`] clocks later. A second position may start [`START_CLOCKS`] clocks behind `takes`, or later. `scored` comes in the
//! order of the positions.
//! Latency: from `start` to the complete sums 4 clocks and one for each feature of the fullest group of a view, but not before the
//! table's score; 9 from there to `scored`. `takes` comes two clocks before the sums are complete. Throughput: about 18 clocks a
//! position in the opening.
//! Cost: see `constraints/AREA.md`. Absent: the table's score; the views (`views`).
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::{
    features::{Features, ADDRESS_BITS},
    first_layer::{FirstLayer, COLUMN_BITS},
    last_layer::LastLayer,
    loader::{NetworkSink, NUMBER_PLACE_BITS},
    product_writer::{ProductWriter, PLACE_BITS},
    products::{Correct, PartSum, RowSum, RowTotal, CONSTANT_BITS, LAST_BITS, ROW, ROW_BITS},
    sums::{Accumulate, Biases, Clip, Clipped, FeatureSum, BIAS_BITS, CLIPPED_BITS},
};
use crate::evaluate::views::View;
use crate::network::width;
use hayasashi_spec::network::CHIP_UNITS;
use rust_hdl::prelude::*;

/// Wires of all biases.
const BIASES_WIDTH: usize = width::<Biases>();
/// The most clocks from a position's start to its table's score.
pub const SCORE_CLOCKS: usize = 7;
/// The fewest clocks from `takes` to the next position's start. Features are found for three clocks at least before `takes`, so the
/// table's score has come by then, and the sums are complete.
pub const START_CLOCKS: usize = SCORE_CLOCKS - 2;
/// Clocks from the complete sums to the score.
const PRODUCT_CLOCKS: usize = 9;
/// Wires of the clipped sums, and of those of a row.
const CLIPPED_WIDTH: usize = width::<Clipped>();
const CLIPPED_ROW_WIDTH: usize = ROW * CLIPPED_BITS;
/// Wires of a number of the loader.
const NUMBER_BITS: usize = super::loader::NUMBER_BITS;
const _: () = assert!(NUMBER_BITS == 16 && BIAS_BITS == 14 && BIASES_WIDTH - BIAS_BITS == 882);

crate::constants! {
    Values {
        biases_end: Bits<NUMBER_PLACE_BITS> = CHIP_UNITS;
        constant_place: Bits<NUMBER_PLACE_BITS> = 3 * CHIP_UNITS;
    }
}

/// Corrects scores.
#[derive(LogicBlock, Default)]
pub struct Correction {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// For one clock: a position is to be scored.
    pub start: Signal<In, Bit>,
    /// How its mover sees it.
    pub own: Signal<In, Bits<{ width::<View>() }>>,
    /// How the other side sees it.
    pub their: Signal<In, Bits<{ width::<View>() }>>,
    /// For one clock: its table's score.
    pub table_scored: Signal<In, Bit>,
    /// That score.
    pub table_score: Signal<In, Bits<16>>,
    /// Weights from the loader.
    pub weights: NetworkSink,
    /// For one clock: another position may start [`START_CLOCKS`] clocks later.
    pub takes: Signal<Out, Bit>,
    /// For one clock: the score of the oldest position.
    pub scored: Signal<Out, Bit>,
    /// That score.
    pub score: Signal<Out, Bits<16>>,
    features: Features,
    first_layer: FirstLayer,
    partial: FeatureSum,
    accumulate: Accumulate,
    clip: Clip,
    product_writer: ProductWriter,
    last_layer: LastLayer,
    part_sum: PartSum,
    row_sum: RowSum,
    total: RowTotal,
    correct: Correct,
    // A start, until the first addresses are there.
    started: DFF<Bit>,
    finding: DFF<Bit>,
    // All features are found, and on their way to the sums.
    all_found: DFF<Bit>,
    all_added: DFF<Bit>,
    has_score: DFF<Bit>,
    kept_score: DFF<Bits<16>>,
    taken_score: DFF<Bits<16>>,
    /// The stage of the first row, then of the score.
    stages: DFF<Bits<PRODUCT_CLOCKS>>,
    row: DFF<Bits<ROW_BITS>>,
    biases: DFF<Bits<BIASES_WIDTH>>,
    constant: DFF<Bits<CONSTANT_BITS>>,
    // Weights of the first layer, on their way to block RAMs all over the device.
    first_enable: DFF<Bit>,
    first_group: DFF<Bits<2>>,
    first_column: DFF<Bits<4>>,
    first_address: DFF<Bits<ADDRESS_BITS>>,
    first_data: DFF<Bits<COLUMN_BITS>>,
    /// The sums are complete, and so is the table's score.
    complete: Signal<Local, Bit>,
    constant_comes: Signal<Local, Bit>,
    last_place: Signal<Local, Bits<NUMBER_PLACE_BITS>>,
    bias: Signal<Local, Bits<BIAS_BITS>>,
    value: Values,
}

impl Logic for Correction {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, features, first_layer, partial, accumulate, clip, product_writer, last_layer);
        clock!(self, clock, part_sum, row_sum, total, correct);
        dff_setup!(
            self,
            clock,
            started,
            finding,
            all_found,
            all_added,
            has_score,
            kept_score,
            taken_score,
            stages,
            row
        );
        dff_setup!(self, clock, biases, constant);
        dff_setup!(self, clock, first_enable, first_group, first_column, first_address, first_data);

        // The sums.
        self.features.start.next = self.start.val().into();
        self.features.clear.next = self.reset.val().into();
        self.features.own.next = self.own.val();
        self.features.their.next = self.their.val();
        self.features.left_in.next = self.features.left.val();
        self.first_layer.addresses.next = self.features.addresses.val();
        self.partial.own_weights.next = self.first_layer.own_weights.val();
        self.partial.their_weights.next = self.first_layer.their_weights.val();
        self.accumulate.load.next = self.start.val().into();
        self.accumulate.biases.next = self.biases.q.val();
        self.accumulate.partials.next = self.partial.partials.val();
        self.accumulate.sums_in.next = self.accumulate.sums.val();

        // Where no address is found any more, the last weights are read in this clock.
        self.started.d.next = self.start.val();
        self.takes.next = self.finding.q.val() & !self.features.found.val().any();
        self.finding.d.next = self.started.q.val() | (self.finding.q.val() & self.features.found.val().any());
        self.all_found.d.next = self.takes.val();
        self.complete.next = self.all_added.q.val() & self.has_score.q.val();
        self.all_added.d.next = self.all_found.q.val() | (self.all_added.q.val() & !self.complete.val());
        self.has_score.d.next = self.table_scored.val() | (self.has_score.q.val() & !self.complete.val());
        if self.table_scored.val() {
            self.kept_score.d.next = self.table_score.val();
        }

        // The score.
        self.clip.take.next = self.complete.val().into();
        self.clip.sums.next = self.accumulate.sums.val();
        self.clip.clipped_in.next = self.clip.clipped.val();
        self.last_layer.row.next = self.row.q.val();
        self.last_layer.clipped.next = bit_cast::<CLIPPED_ROW_WIDTH, CLIPPED_WIDTH>(self.clip.clipped.val());
        self.part_sum.products.next = self.last_layer.products.val();
        self.row_sum.parts.next = self.part_sum.parts.val();
        self.total.first.next = self.stages.q.val().get_bit(3).into();
        self.total.table_score.next = self.taken_score.q.val();
        self.total.constant.next = self.constant.q.val();
        self.total.row_sum.next = self.row_sum.row_sum.val();
        self.total.total_in.next = self.total.total.val();
        self.correct.total.next = self.total.total.val();
        self.stages.d.next = self.stages.q.val() << 1;
        if self.complete.val() {
            self.stages.d.next = (self.stages.q.val() << 1) | 1;
            self.taken_score.d.next = self.kept_score.q.val();
            self.row.d.next = 0.into();
        } else if !self.row.q.val().all() {
            self.row.d.next = self.row.q.val() + 1;
        }
        self.scored.next = self.stages.q.val().get_bit(8);
        self.score.next = self.correct.score.val();

        // The weights.
        self.bias.next = bit_cast::<BIAS_BITS, 16>(self.weights.number.val());
        self.last_place.next = self.weights.number_place.val() - self.value.biases_end.val();
        self.product_writer.place.next = bit_cast::<PLACE_BITS, NUMBER_PLACE_BITS>(self.last_place.val());
        self.product_writer.weight.next = bit_cast::<LAST_BITS, 16>(self.weights.number.val());
        self.product_writer.enable.next = self.weights.number_enable.val()
            & (self.weights.number_place.val() >= self.value.biases_end.val())
            & (self.weights.number_place.val() < self.value.constant_place.val());
        self.constant_comes.next =
            self.weights.number_enable.val() & (self.weights.number_place.val() == self.value.constant_place.val());
        self.product_writer.starts.next = self.constant_comes.val();
        self.last_layer.write.next = self.product_writer.write.val();
        self.last_layer.write_column.next = self.product_writer.column.val();
        self.last_layer.write_address.next = self.product_writer.address.val();
        self.last_layer.write_data.next = self.product_writer.product.val();
        if self.weights.number_enable.val() & (self.weights.number_place.val() < self.value.biases_end.val()) {
            // They come in order: each goes in at the top and moves down.
            self.biases.d.next =
                (self.biases.q.val() >> 14) | (bit_cast::<BIASES_WIDTH, BIAS_BITS>(self.bias.val()) << 882);
        }
        if self.constant_comes.val() {
            self.constant.d.next = bit_cast::<CONSTANT_BITS, 16>(self.weights.number.val());
        }
        self.first_enable.d.next = self.weights.first_enable.val();
        self.first_group.d.next = self.weights.first_group.val();
        self.first_column.d.next = self.weights.first_column.val();
        self.first_address.d.next = self.weights.first_address.val();
        self.first_data.d.next = self.weights.first_data.val();
        self.first_layer.write_enable.next = self.first_enable.q.val();
        self.first_layer.write_group.next = self.first_group.q.val();
        self.first_layer.write_column.next = self.first_column.q.val();
        self.first_layer.write_address.next = self.first_address.q.val();
        self.first_layer.write_data.next = self.first_data.q.val();

        if self.reset.val() {
            self.started.d.next = false;
            self.finding.d.next = false;
            self.all_found.d.next = false;
            self.all_added.d.next = false;
            self.has_score.d.next = false;
            self.stages.d.next = 0.into();
        }
    }
}

crate::inputs!(
    Correction: clock, reset, start, own if start, their if start, table_scored, table_score if table_scored,
    weights.number_enable, weights.number_place if weights.number_enable, weights.number if weights.number_enable,
    weights.first_enable, weights.first_group if weights.first_enable, weights.first_column if weights.first_enable,
    weights.first_address if weights.first_enable, weights.first_data if weights.first_enable
);
