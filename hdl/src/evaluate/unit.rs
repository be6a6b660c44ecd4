//! The evaluation unit: one position per clock through the pipeline, and a table, or a network, loaded beside it.
//!
//! ```text
//!                  +----------------+
//!   board 447     =>                =>                  scores: `ports::ScoreSource`
//!   start, child  ->                |
//!   search        ->                -> search_takes, search_scored
//!   change 24     =>                => search_score 16
//!   row 8         =>                |
//!   reset         ->  EvaluateUnit  |
//!   load_start    ->                -> loaded, load_error
//!   load_valid    ->                => version 32, checksum 32, load_offset 32
//!   load_byte 8   =>                |
//!   clock         ->                |
//!                  +----------------+
//!
//!   spot -> kings -> views -> weights ---------> difference -> partial -> placement -> score -> clamp -> scores
//!               \--> pieces -> couple -----------/
//!               \--> hands -> hands_value ------/
//!   loading -> weights, pieces, correction          views, scores -> correction -> search_score
//! ```
//!
//! Handshake: `start`, `child` or `search` with a position; another may follow in the next clock. A pulse of the same kind comes with its
//! score. A score is undefined while a table is loaded: the dispatcher asks only while `loaded`.
//! If a network is loaded it corrects the scores of a search's positions. Then another `search` may follow behind `search_takes`, and no
//! `start` or `child` before it. `change` and `row` come with `search`: see [`super::correction`].
//! Loading works as in [`super::loading`]; all is final six clocks after the last byte.
//! Latency: [`LATENCY_CLOCKS`] to the score, with a network see [`super::correction`]. Throughput: one position per clock.
//! Cost: see `constraints/AREA.md`. Absent: the faults of a position, which `position::faults` finds.
//! Model: `host/model/src/evaluate`.

use super::{
    correction::{loader::NetworkSource, sum_rows::ROW_BITS, unit::Correction},
    kings::{Kings, Spot},
    loading::Loading,
    material::{Hands, HandsValue},
    pieces::Pieces,
    score::*,
    views::Views,
    weights::Weights,
};
use crate::lazy::Lazy;
use crate::movegen::positions::BOARD_WIDTH;
use crate::network::width;
use crate::optional::Optional;
use crate::ports::ScoreSource;
use crate::search::keys::Change;
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
    /// It is a position of a search.
    pub search: Signal<In, Bit>,
    /// The move that leads there; any at ply 0.
    pub change: Signal<In, Bits<{ width::<Change>() }>>,
    /// Its ply, and above it the walker: see `correction::accumulator`.
    pub row: Signal<In, Bits<ROW_BITS>>,
    /// Another position of a search may come in the next clock.
    pub search_takes: Signal<Out, Bit>,
    /// For one clock: the score of the oldest position of a search.
    pub search_scored: Signal<Out, Bit>,
    /// That score.
    pub search_score: Signal<Out, Bits<16>>,
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
    pieces: Pieces,
    couple: Couple,
    hands: Hands,
    hands_value: HandsValue,
    difference: Difference,
    partial: Partial,
    placement: Placement,
    score_stage: Score,
    clamp: Clamp,
    loading: Loading,
    correction: Optional<Lazy<Correction>>,
    /// The position that was started last: others do not disturb the pipeline, which is at rest in a walk.
    position: DFF<Bits<BOARD_WIDTH>>,
    started: DFF<Bits<PIPELINE_CLOCKS>>,
    children: DFF<Bits<PIPELINE_CLOCKS>>,
    root_scored: DFF<Bit>,
    child_scored: DFF<Bit>,
    scored: DFF<Bits<16>>,
    searches: DFF<Bits<PIPELINE_CLOCKS>>,
    search_done: DFF<Bit>,
    /// A network is loaded.
    corrects: DFF<Bit>,
}

impl EvaluateUnit {
    /// Of a chip that takes networks, as the default one, or tables only.
    pub fn new(networks: bool) -> Self {
        let correction = Optional::new(Default::default(), networks);
        EvaluateUnit { loading: Loading::new(networks), correction, ..Default::default() }
    }
}

impl Logic for EvaluateUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, position, started, children, root_scored, child_scored, scored, searches);
        dff_setup!(self, clock, search_done, corrects);
        clock!(self, clock, spot, kings, views, weights, pieces, couple, hands, hands_value);
        clock!(self, clock, difference, partial, placement, score_stage, clamp, loading, correction);
        NetworkSource::join(&mut self.loading.network, &mut self.correction.weights);

        if self.start.val() | self.child.val() | self.search.val() {
            self.position.d.next = self.board.val();
        }
        self.spot.board.next = self.position.q.val();
        self.kings.image.next = self.spot.image.val();
        self.kings.kings.next = self.spot.kings.val();
        self.kings.write.next = self.loading.address.val();
        self.views.image.next = self.kings.image_out.val();
        self.views.own.next = self.kings.own.val();
        self.views.their.next = self.kings.their.val();
        self.weights.own.next = self.views.own_view.val();
        self.weights.their.next = self.views.their_view.val();
        self.pieces.image.next = self.kings.image_out.val();
        self.couple.pairs.next = self.pieces.pairs.val();
        self.hands.image.next = self.kings.image_out.val();
        self.hands_value.surplus.next = self.hands.surplus.val();
        self.hands_value.values.next = self.loading.values.val();
        self.difference.own_weights.next = self.weights.own_weights.val();
        self.difference.their_weights.next = self.weights.their_weights.val();
        self.difference.couples.next = self.couple.couples.val();
        self.difference.products.next = self.hands_value.products.val();
        self.difference.values.next = self.loading.values.val();
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
        self.searches.d.next = self.searches.q.val() << 1;
        if self.search.val() {
            self.searches.d.next = (self.searches.q.val() << 1) | 1;
        }
        self.root_scored.d.next = self.started.q.val().get_bit(9);
        self.child_scored.d.next = self.children.q.val().get_bit(9);
        self.scored.d.next = self.clamp.score.val();
        self.scores.root.next = self.root_scored.q.val();
        self.scores.child.next = self.child_scored.q.val();
        self.scores.score.next = self.scored.q.val();

        // The score of a search's position: that of the table, or corrected.
        self.search_done.d.next = self.searches.q.val().get_bit(9);
        self.corrects.d.next = self.loading.loaded.val() & self.loading.is_network.val();
        self.correction.reset.next = self.reset.val();
        self.correction.start.next = self.search.val() & self.corrects.q.val();
        self.correction.change.next = self.change.val();
        self.correction.row.next = self.row.val();
        self.correction.image.next = self.spot.image.val();
        self.correction.kings.next = self.spot.kings.val();
        self.correction.own.next = self.views.own_view.val();
        self.correction.their.next = self.views.their_view.val();
        self.correction.table_scored.next = self.search_done.q.val() & self.corrects.q.val();
        self.correction.table_score.next = self.scored.q.val();
        self.search_takes.next = self.search.val();
        self.search_scored.next = self.search_done.q.val();
        self.search_score.next = self.scored.q.val();
        if self.corrects.q.val() {
            self.search_takes.next = self.correction.takes.val();
            self.search_scored.next = self.correction.scored.val();
            self.search_score.next = self.correction.score.val();
        }

        self.loading.start.next = self.load_start.val() | self.reset.val();
        self.loading.valid.next = self.load_valid.val();
        self.loading.data.next = self.load_byte.val();
        self.weights.write_enable.next = self.loading.weight_enable.val();
        self.weights.write_slot.next = self.loading.weight_slot.val();
        self.weights.write_data.next = self.loading.weight_data.val();
        self.pieces.write_enable.next = self.loading.pair_enable.val();
        self.pieces.write_address.next = self.loading.pair_address.val();
        self.pieces.write_data.next = self.loading.pair_data.val();
        self.loaded.next = self.loading.loaded.val();
        self.version.next = self.loading.version.val();
        self.checksum.next = self.loading.checksum.val();
        self.load_offset.next = self.loading.offset.val();
        self.load_error.next = self.loading.error.val();
        if self.reset.val() {
            self.started.d.next = 0.into();
            self.children.d.next = 0.into();
            self.searches.d.next = 0.into();
        }
    }
}

crate::inputs!(EvaluateUnit: clock, reset, board, start, child, search, change if search, row if search, load_start, load_valid, load_byte);
