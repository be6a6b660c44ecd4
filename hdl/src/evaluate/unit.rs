//! The evaluation unit: one position per clock through the pipeline, and a table loaded beside it.
//!
//! ```text
//!                  +----------------+
//!   board 447     =>                =>                  scores: `ports::ScoreSource`
//!   start         ->                |
//!   child         ->                |
//!   reset         ->  EvaluateUnit  -> loaded
//!   load_start    ->                -> load_error
//!   load_valid    ->                => version 32, checksum 32, load_offset 32
//!   load_byte 8   =>                |
//!   clock         ->                |
//!                  +----------------+
//!
//!   spot -> kings -> views -> weights ---------> difference -> partial -> placement -> score -> clamp -> scores
//!               \--> pieces -> couple -----------/
//!               \--> hands -> hands_value ------/
//! ```
//!
//! Handshake: `start` or `child` with a position; another may follow in the next clock. A pulse of the same kind comes with its
//! score. A score is undefined while a table is loaded: the dispatcher asks only while `loaded`.
//! Loading works as in [`super::loader`], one clock later (`load_offset` two); all is final six clocks after the last
//! byte.
//! Latency: [`LATENCY_CLOCKS`] to the score. Throughput: one position per clock.
//! Cost: see `constraints/AREA.md`. Absent: the faults of a position, which `position::faults` finds.
//! Model: `host/model/src/evaluate`.

use super::{
    kings::{Kings, Spot},
    loader::Loader,
    material::*,
    pieces::Pieces,
    score::*,
    views::Views,
    weights::Weights,
};
use crate::lazy::Lazy;
use crate::movegen::positions::BOARD_WIDTH;
use crate::ports::ScoreSource;
use rust_hdl::prelude::*;

/// Clocks from a position to its score.
pub const LATENCY_CLOCKS: usize = 11;
/// Clocks from a position to `clamp.score`.
const PIPELINE_CLOCKS: usize = LATENCY_CLOCKS - 1;

/// Evaluates positions.
#[derive(LogicBlock, Default)]
pub struct EvaluateUnit {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets the table, and the part of one that has come.
    pub reset: Signal<In, Bit>,
    /// A position.
    pub board: Signal<In, Bits<BOARD_WIDTH>>,
    /// It is a requested position.
    pub start: Signal<In, Bit>,
    /// It is the position after a move.
    pub child: Signal<In, Bit>,
    /// Their scores.
    pub scores: ScoreSource,
    /// For one clock: a table begins.
    pub load_start: Signal<In, Bit>,
    /// A byte of the table.
    pub load_valid: Signal<In, Bit>,
    /// Its value.
    pub load_byte: Signal<In, Bits<8>>,
    /// A table is loaded.
    pub loaded: Signal<Out, Bit>,
    /// Its version; zero without a table.
    pub version: Signal<Out, Bits<32>>,
    /// Its checksum; zero without a table.
    pub checksum: Signal<Out, Bits<32>>,
    /// Byte of the table file that is expected next.
    pub load_offset: Signal<Out, Bits<32>>,
    /// The table was refused.
    pub load_error: Signal<Out, Bit>,
    spot: Spot,
    kings: Kings,
    views: Views,
    weights: Weights,
    worth: Worth,
    value: Value,
    pieces: Pieces,
    couple: Couple,
    hands: Hands,
    hands_value: HandsValue,
    difference: Difference,
    partial: Partial,
    placement: Placement,
    score_stage: Score,
    clamp: Clamp,
    loader: Lazy<Loader>,
    /// The position that was started last: others do not disturb the pipeline, which is at rest in a walk.
    position: DFF<Bits<BOARD_WIDTH>>,
    started: DFF<Bits<PIPELINE_CLOCKS>>,
    children: DFF<Bits<PIPELINE_CLOCKS>>,
    root_scored: DFF<Bit>,
    child_scored: DFF<Bit>,
    scored: DFF<Bits<16>>,
    // A byte on its way to the loader.
    loading_start: DFF<Bit>,
    loading: DFF<Bit>,
    loading_byte: DFF<Bits<8>>,
    // A write on its way from the loader to block RAMs all over the device: its address through kings and views.
    write: DFF<Bits<12>>,
    write_enable: DFF<Bit>,
    write_slot: DFF<Bits<7>>,
    write_data: DFF<Bits<9>>,
    writing: DFF<Bit>,
    writing_slot: DFF<Bits<7>>,
    writing_data: DFF<Bits<9>>,
    written: DFF<Bit>,
    written_slot: DFF<Bits<7>>,
    written_data: DFF<Bits<9>>,
    // The offset expected, a clock late, since it is compared with at the other end.
    offset: DFF<Bits<32>>,
}

impl Logic for EvaluateUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            position,
            started,
            children,
            root_scored,
            child_scored,
            scored,
            loading_start,
            loading,
            loading_byte
        );
        dff_setup!(self, clock, write, write_enable, write_slot, write_data, writing, writing_slot, writing_data);
        dff_setup!(self, clock, written, written_slot, written_data, offset);
        clock!(self, clock, spot, kings, views, weights, worth, value, pieces, couple, hands, hands_value);
        clock!(self, clock, difference, partial, placement, score_stage, clamp, loader);

        if self.start.val() | self.child.val() {
            self.position.d.next = self.board.val();
        }
        self.spot.board.next = self.position.q.val();
        self.kings.image.next = self.spot.image.val();
        self.kings.kings.next = self.spot.kings.val();
        self.kings.write.next = self.write.q.val();
        self.views.image.next = self.kings.image_out.val();
        self.views.own.next = self.kings.own.val();
        self.views.their.next = self.kings.their.val();
        self.weights.own.next = self.views.own_view.val();
        self.weights.their.next = self.views.their_view.val();
        self.pieces.image.next = self.kings.image_out.val();
        self.couple.pairs.next = self.pieces.pairs.val();
        self.hands.image.next = self.kings.image_out.val();
        self.hands_value.surplus.next = self.hands.surplus.val();
        self.hands_value.values.next = self.loader.values.val();
        self.difference.own_weights.next = self.weights.own_weights.val();
        self.difference.their_weights.next = self.weights.their_weights.val();
        self.difference.couples.next = self.couple.couples.val();
        self.difference.products.next = self.hands_value.products.val();
        self.difference.values.next = self.loader.values.val();
        self.partial.differences.next = self.difference.differences.val();
        self.partial.pieces.next = self.difference.pieces.val();
        self.partial.hands.next = self.difference.hands.val();
        self.placement.groups.next = self.partial.placement.val();
        self.placement.material.next = self.partial.material.val();
        self.score_stage.placement.next = self.placement.sums.val();
        self.score_stage.material.next = self.placement.material_out.val();
        self.clamp.sum.next = self.score_stage.sum.val();

        self.started.d.next = self.started.q.val() << 1;
        if self.start.val() {
            self.started.d.next = (self.started.q.val() << 1) | 1;
        }
        self.children.d.next = self.children.q.val() << 1;
        if self.child.val() {
            self.children.d.next = (self.children.q.val() << 1) | 1;
        }
        self.root_scored.d.next = self.started.q.val().get_bit(9);
        self.child_scored.d.next = self.children.q.val().get_bit(9);
        self.scored.d.next = self.clamp.score.val();
        self.scores.root.next = self.root_scored.q.val();
        self.scores.child.next = self.child_scored.q.val();
        self.scores.score.next = self.scored.q.val();

        self.loading_start.d.next = self.load_start.val();
        self.loading.d.next = self.load_valid.val();
        self.loading_byte.d.next = self.load_byte.val();
        self.loader.start.next = self.loading_start.q.val() | self.reset.val();
        self.loader.valid.next = self.loading.q.val();
        self.loader.data.next = self.loading_byte.q.val();
        self.write.d.next = bit_cast::<12, 11>(self.loader.write_address.val()) << 1;
        if self.loader.write_enable.val() {
            self.write.d.next = (bit_cast::<12, 11>(self.loader.write_address.val()) << 1) | 1;
        }
        self.write_enable.d.next = self.loader.write_enable.val();
        self.write_slot.d.next = self.loader.write_slot.val();
        self.write_data.d.next = self.loader.write_data.val();
        self.writing.d.next = self.write_enable.q.val();
        self.writing_slot.d.next = self.write_slot.q.val();
        self.writing_data.d.next = self.write_data.q.val();
        self.written.d.next = self.writing.q.val();
        self.written_slot.d.next = self.writing_slot.q.val();
        self.written_data.d.next = self.writing_data.q.val();
        self.weights.write_enable.next = self.written.q.val();
        self.weights.write_slot.next = self.written_slot.q.val();
        self.weights.write_data.next = self.written_data.q.val();
        self.worth.enable.next = self.loader.pair_enable.val();
        self.worth.pair.next = self.loader.pair.val();
        self.worth.values.next = self.loader.values.val();
        self.value.enable.next = self.worth.enable_out.val();
        self.value.pair.next = self.worth.pair_out.val();
        self.value.worth.next = self.worth.worth.val();
        self.pieces.write_enable.next = self.value.write_enable.val();
        self.pieces.write_address.next = self.value.write_address.val();
        self.pieces.write_data.next = self.value.write_data.val();
        self.loaded.next = self.loader.loaded.val();
        self.version.next = self.loader.version.val();
        self.checksum.next = self.loader.checksum.val();
        self.offset.d.next = self.loader.offset.val();
        self.load_offset.next = self.offset.q.val();
        self.load_error.next = self.loader.error.val();
    }
}

crate::inputs!(EvaluateUnit: clock, reset, board, start, child, load_start, load_valid, load_byte);
