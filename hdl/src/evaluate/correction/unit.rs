//! Corrects the scores of a search's positions.
//!
//! ```text
//!                    +--------------+
//!   clock, reset    ->              -> takes        another position may start in the next clock
//!   start           ->              -> scored
//!   change 24       =>  Correction  => score 16
//!   row 8           =>              |
//!   image 512       =>              |
//!   kings 162       =>              |
//!   own, their 446  =>              |
//!   table_scored    ->              |
//!   table_score 16  =>              |
//!   weights         =>              |               `loader::NetworkSink`
//!                    +--------------+
//!
//!   accumulator -> clip -> last_layer -> part_sum -> row_sum -> total -> correct
//! ```
//!
//! Handshake: that of [`super::accumulator`]; `table_scored` with the position's score by its table, [`LATENCY_CLOCKS`](crate::evaluate::unit::LATENCY_CLOCKS)
//! clocks behind `start`; it is used three clocks later at the earliest. `scored` comes in the order of the positions.
//! Latency: from `start` to the complete sums five clocks and one for each feature, at least six; nine from there to `scored`. That is
//! 16 clocks for a quiet move. Throughput: that of the accumulator.
//! Cost: see `constraints/AREA.md`. Absent: the table's score; the views (`views`).
//! Model: `host/model/src/evaluate/network/mod.rs`.

use super::{
    accumulator::Accumulator,
    last_layer::LastLayer,
    loader::{NetworkSink, NUMBER_PLACE_BITS},
    product_writer::{ProductWriter, PLACE_BITS},
    products::{Correct, PartSum, RowSum, RowTotal, CONSTANT_BITS, LAST_BITS, ROW, ROW_BITS},
    sum_rows,
    sums::{Clip, Clipped, CLIPPED_BITS},
};
use crate::evaluate::{kings::BothKings, views::View};
use crate::network::width;
use crate::search::keys::Change;
use hayasashi_spec::network::CHIP_UNITS;
use rust_hdl::prelude::*;

/// Clocks from the complete sums to the score.
const PRODUCT_CLOCKS: usize = 9;
/// Wires of the clipped sums, and of those of a row.
const CLIPPED_WIDTH: usize = width::<Clipped>();
const CLIPPED_ROW_WIDTH: usize = ROW * CLIPPED_BITS;

crate::constants! {
    Values {
        biases_end: Bits<NUMBER_PLACE_BITS> = CHIP_UNITS;
        constant_place: Bits<NUMBER_PLACE_BITS> = 3 * CHIP_UNITS;
        /// The clipped sums of the other side are so many rows away.
        half: Bits<ROW_BITS> = CHIP_UNITS / ROW;
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
    /// The move that leads there.
    pub change: Signal<In, Bits<{ width::<Change>() }>>,
    /// Its ply and its walker.
    pub row: Signal<In, Bits<{ sum_rows::ROW_BITS }>>,
    /// The position, two clocks later.
    pub image: Signal<In, Bits<512>>,
    /// Its kings, in the same clock.
    pub kings: Signal<In, Bits<{ width::<BothKings>() }>>,
    /// How its mover sees it, two clocks later again.
    pub own: Signal<In, Bits<{ width::<View>() }>>,
    /// How the other side sees it.
    pub their: Signal<In, Bits<{ width::<View>() }>>,
    /// For one clock: its table's score.
    pub table_scored: Signal<In, Bit>,
    /// That score.
    pub table_score: Signal<In, Bits<16>>,
    /// Weights from the loader.
    pub weights: NetworkSink,
    /// For one clock: another position may start in the next one.
    pub takes: Signal<Out, Bit>,
    /// For one clock: the score of the oldest position.
    pub scored: Signal<Out, Bit>,
    /// That score.
    pub score: Signal<Out, Bits<16>>,
    accumulator: Accumulator,
    clip: Clip,
    product_writer: ProductWriter,
    last_layer: LastLayer,
    part_sum: PartSum,
    row_sum: RowSum,
    total: RowTotal,
    correct: Correct,
    kept_score: DFF<Bits<16>>,
    /// The stage of the first row, then of the score.
    stages: DFF<Bits<PRODUCT_CLOCKS>>,
    row_now: DFF<Bits<ROW_BITS>>,
    odd: DFF<Bit>,
    constant: DFF<Bits<CONSTANT_BITS>>,
    constant_comes: Signal<Local, Bit>,
    last_place: Signal<Local, Bits<NUMBER_PLACE_BITS>>,
    value: Values,
}

impl Logic for Correction {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, accumulator, clip, product_writer, last_layer, part_sum, row_sum, total, correct);
        dff_setup!(self, clock, kept_score, stages, row_now, odd, constant);
        NetworkSink::link(&mut self.weights, &mut self.accumulator.weights);

        // The sums.
        self.accumulator.reset.next = self.reset.val();
        self.accumulator.start.next = self.start.val();
        self.accumulator.change.next = self.change.val();
        self.accumulator.row.next = self.row.val();
        self.accumulator.image.next = self.image.val();
        self.accumulator.kings.next = self.kings.val();
        self.accumulator.own.next = self.own.val();
        self.accumulator.their.next = self.their.val();
        self.takes.next = self.accumulator.takes.val();

        // The score.
        self.clip.take.next = self.accumulator.complete.val().into();
        self.clip.sums.next = self.accumulator.sums.val();
        self.clip.clipped_in.next = self.clip.clipped.val();
        // The weights of the mover's view are in the first rows.
        self.last_layer.row.next = self.row_now.q.val();
        if self.odd.q.val() {
            self.last_layer.row.next = self.row_now.q.val() ^ self.value.half.val();
        }
        self.last_layer.clipped.next = bit_cast::<CLIPPED_ROW_WIDTH, CLIPPED_WIDTH>(self.clip.clipped.val());
        self.part_sum.products.next = self.last_layer.products.val();
        self.row_sum.parts.next = self.part_sum.parts.val();
        self.total.first.next = self.stages.q.val().get_bit(3).into();
        if self.table_scored.val() {
            self.kept_score.d.next = self.table_score.val();
        }
        self.total.constant.next = self.constant.q.val();
        self.total.row_sum.next = self.row_sum.row_sum.val();
        self.total.total_in.next = self.total.total.val();
        self.correct.total.next = self.total.total.val();
        self.correct.table_score.next = self.kept_score.q.val();
        self.stages.d.next = self.stages.q.val() << 1;
        if self.accumulator.complete.val() {
            self.stages.d.next = (self.stages.q.val() << 1) | 1;
            self.row_now.d.next = 0.into();
            self.odd.d.next = self.accumulator.odd.val();
        } else if !self.row_now.q.val().all() {
            self.row_now.d.next = self.row_now.q.val() + 1;
        }
        self.scored.next = self.stages.q.val().get_bit(8);
        self.score.next = self.correct.score.val();

        // The weights of the last layer.
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
        if self.constant_comes.val() {
            self.constant.d.next = bit_cast::<CONSTANT_BITS, 16>(self.weights.number.val());
        }
        if self.reset.val() {
            self.stages.d.next = 0.into();
        }
    }
}

crate::inputs!(
    Correction: clock, reset, start, change, row, image, kings, own, their, table_scored,
    table_score if table_scored, weights.number_enable, weights.number_place if weights.number_enable,
    weights.number if weights.number_enable, weights.first_enable,
    weights.first_column if weights.first_enable, weights.first_address if weights.first_enable,
    weights.first_data if weights.first_enable
);
