//! The walker: searches a position step by step.
//!
//! ```text
//!                  +------------+
//!   clock, reset  ->            =>             task: `ports::SearchTask`
//!   task          => SearchUnit => change 24   the move that leads to the position
//!   image 512     =>            -> evaluates   it is to be scored
//!   scored        ->            |
//!   eval 16       =>            |
//!   looker, picker =>           =>             looker: `ports::LookClient`, picker: `ports::PickClient`
//!                  +------------+
//!
//!   control -> all others
//!   spot (position, moves), known (keys, path, table), answer, present -> decisions (node) <-> rows
//! ```
//!
//! Handshake: that of the ports. `evaluates` for one clock with a position (the looker's); it stays until `scored`, for one clock with its
//! score.
//! Latency, throughput: one step at a time, as `control` says. Cost: see `constraints/AREA.md`.
//! Model: `host/model/src/search/walker.rs`. Absent: the evaluator; planes and picks (`look_share`, `pick_share`); the request (`controller`).

use super::{answer::Answer, control::Control, decisions::Decisions, gather::Gather, keys::Change, known::Known};
use super::{control_state::ControlState, node::SCORE_BITS, present::Present, rows::Rows, spot::Spot};
use crate::network::width;
use crate::ports::{LookClient, PickClient, SearchTask};
use rust_hdl::prelude::*;

/// Searches.
#[derive(LogicBlock, Default)]
pub struct SearchUnit {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// What is to be searched.
    pub task: SearchTask,
    /// The position of the request, up to the start.
    pub image: Signal<In, Bits<512>>,
    /// The move that leads to the position.
    pub change: Signal<Out, Bits<{ width::<Change>() }>>,
    /// For one clock: it is to be scored.
    pub evaluates: Signal<Out, Bit>,
    /// For one clock: it is scored.
    pub scored: Signal<In, Bit>,
    /// Its score.
    pub eval: Signal<In, Bits<SCORE_BITS>>,
    /// Who finds the planes of its position.
    pub looker: LookClient,
    /// Who picks its moves.
    pub picker: PickClient,
    control: Control,
    state: DFF<Bits<{ width::<ControlState>() }>>,
    gather: Gather,
    present: Present,
    decisions: Decisions,
    spot: Spot,
    known: Known,
    rows: Rows,
    answer: Answer,
}

impl SearchUnit {
    /// Gives it a table of so many entries at most, as a power of two.
    pub fn set_table(&mut self, table_bits: u8) {
        self.known = Known::new(table_bits);
    }
}

impl Logic for SearchUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, state);
        clock!(self, clock, present, decisions, spot, known, rows, answer);
        LookClient::link(&mut self.looker, &mut self.spot.looker);
        PickClient::link(&mut self.picker, &mut self.spot.picker);
        self.spot.reset.next = self.reset.val();
        self.known.reset.next = self.reset.val();
        self.rows.reset.next = self.reset.val();
        self.answer.reset.next = self.reset.val();

        self.task.busy.next = self.control.busy.val().any();
        self.task.paused.next = self.control.paused.val().any();
        self.task.path_ready.next = !self.control.busy.val().any() & self.known.path_ready.val();
        self.task.score.next = self.answer.score.val();
        self.task.depth.next = self.answer.depth.val();
        self.task.length.next = self.answer.length.val();
        self.task.nodes.next = self.answer.nodes.val();
        self.task.steps.next = self.answer.step_count.val();
        self.task.line_move.next = self.answer.line_move.val();

        // What is done next.
        self.control.start.next = self.task.start.val().into();
        self.control.stop.next = self.task.stop.val().into();
        self.control.pause.next = self.task.pause.val().into();
        self.control.reset.next = self.reset.val().into();
        self.control.state_in.next = self.state.q.val();
        self.state.d.next = self.control.state.val();
        self.control.prepared.next =
            (!self.rows.busy.val() & self.known.keys_ready.val() & self.known.table_ready.val()).into();
        self.control.no_steps.next = self.answer.no_steps.val().into();
        self.control.no_nodes.next = self.answer.no_nodes.val().into();
        self.control.at_root.next = self.gather.at_root.val();
        self.control.looked.next = self.spot.looked.val().into();
        self.control.scored.next = self.spot.scored.val().into();
        self.control.keys_ready.next = self.known.keys_ready.val().into();
        self.control.path_ready.next = self.known.path_ready.val().into();
        self.control.table_ready.next = self.known.table_ready.val().into();
        self.control.line_ready.next = self.answer.line_ready.val().into();
        self.control.last_iteration.next = self.gather.last_iteration.val();
        self.control.has_score.next = self.gather.has_score.val();
        self.control.no_move.next = self.gather.no_move.val();
        self.control.outcome.next = self.decisions.outcome.val();
        self.control.passes.next = self.gather.passes.val();
        self.control.picked.next = self.spot.picked.val().into();
        self.control.has_candidate.next = self.spot.valid.val().into();
        self.control.refused.next = self.gather.refused.val();
        self.control.last_pick.next = self.gather.last_pick.val();
        self.control.razored.next = self.gather.razored.val();

        // Where the walker is.
        self.present.orders.next = self.control.orders.val();
        self.present.issued.next = self.decisions.issued.val();
        self.present.following.next = self.answer.following.val();
        self.present.entered.next = self.decisions.entered.val();
        self.present.ending.next = self.decisions.ending.val();
        self.present.verdict.next = self.decisions.verdict.val();
        self.present.picked.next = self.spot.place.val();
        self.present.counter.next = self.rows.counter.val();
        self.present.recalled.next = self.rows.picking.val();
        self.present.place_in.next = self.present.place.val();

        // What the blocks ask each other.
        self.gather.request.next = self.task.head.val();
        self.gather.orders.next = self.control.orders.val();
        self.gather.place.next = self.present.place.val();
        self.gather.node.next = self.decisions.node.val();
        self.gather.returned.next = self.decisions.returned.val();
        self.gather.entered.next = self.decisions.entered.val();
        self.gather.verdict.next = self.decisions.verdict.val();
        self.gather.following.next = self.answer.following.val();
        self.gather.candidate.next = self.spot.candidate.val();
        self.gather.outcome.next = self.decisions.outcome.val();
        self.gather.ending.next = self.decisions.ending.val();
        self.gather.has_move.next = self.spot.has_move.val().into();
        self.gather.in_check.next = self.spot.in_check.val().into();
        self.gather.eval.next = self.spot.eval.val();
        self.gather.repeats.next = self.known.repeats.val();
        self.gather.entry.next = self.known.entry.val();
        self.gather.earlier.next = self.rows.earlier.val();
        self.gather.known.next = self.answer.known.val();
        self.gather.iteration.next = self.answer.iteration.val();

        // The node.
        self.decisions.head.next = self.gather.head.val();
        self.decisions.takes.next = self.gather.takes.val();
        self.decisions.child.next = self.gather.child.val();
        self.decisions.arrival.next = self.gather.arrival.val();
        self.decisions.at_root.next = self.gather.at_root.val().any();
        self.decisions.ply.next = self.gather.ply.val();
        self.decisions.score.next = self.gather.score.val();
        self.decisions.what.next = self.control.what.val();
        self.decisions.candidate.next = self.spot.candidate.val();
        self.decisions.move_class.next = self.spot.move_class.val();
        self.decisions.checks.next = self.spot.checks.val();
        self.decisions.gain.next = self.spot.gain.val();
        self.decisions.exchange.next = self.spot.exchange.val();
        self.decisions.recalled.next = self.rows.node.val();
        self.decisions.killers.next = self.rows.killers.val();
        self.decisions.counter.next = self.gather.counter.val();

        // The position and its moves.
        self.spot.image.next = self.image.val();
        // In every clock before the start: fewer gates in front of so many registers.
        self.spot.loads.next = !self.control.busy.val().any();
        self.spot.recalled.next = self.rows.board.val();
        self.spot.recalls.next = self.control.recalls.val().any();
        self.spot.child.next = self.gather.moving.val();
        self.spot.makes.next = self.control.takes_child.val().any();
        self.spot.looks.next = self.control.looks.val().any();
        self.spot.ply.next = self.gather.ply.val();
        self.spot.score_valid.next = self.scored.val();
        self.spot.score.next = self.eval.val();
        self.spot.selection.next = self.decisions.selection.val();
        self.spot.special.next = self.decisions.special.val();
        self.spot.after.next = self.gather.picked.val();
        self.spot.picks.next = self.control.picks.val().any();
        self.change.next = self.gather.change.val();
        self.evaluates.next = self.control.looks.val().any();

        // Its keys, its repetition, its entry.
        self.known.busy.next = self.control.busy.val().any();
        self.known.board.next = self.spot.board.val();
        self.known.change.next = self.gather.change.val();
        self.known.in_check.next = self.spot.in_check.val();
        self.known.recalled.next = self.rows.keys.val();
        self.known.word.next = self.task.path_word.val();
        self.known.mask.next = self.gather.mask.val();
        self.known.clears.next = self.task.clear.val();
        self.known.keeps.next = self.gather.keeps.val().any();
        self.known.pushes_word.next = self.task.path.val();
        self.known.begins.next = self.control.makes_root_keys.val().any();
        self.known.makes.next = self.control.makes_keys.val().any();
        self.known.takes.next = self.control.takes_keys.val().any();
        self.known.recalls.next = self.control.recalls.val().any();
        self.known.finds.next = self.control.finds.val().any();
        self.known.pushes.next = self.control.pushes.val().any();
        self.known.found.next = self.gather.result.val();
        self.known.puts.next = self.gather.stores.val().any();

        // The answer.
        self.answer.head.next = self.gather.head.val();
        self.answer.node_limit.next = self.gather.node_limit.val();
        self.answer.step_limit.next = self.gather.step_limit.val();
        self.answer.begins.next = self.control.loads_image.val().any();
        self.answer.steps.next = self.control.steps.val().any();
        self.answer.makes.next = self.control.takes_issued.val().any();
        self.answer.iterates.next = self.control.iterates.val().any();
        self.answer.root.next = self.gather.root.val();
        self.answer.clear_line.next = self.control.looks.val().any();
        self.answer.raises.next = self.gather.raises.val().any();
        self.answer.ply.next = self.gather.ply.val();
        self.answer.raised.next = self.gather.raised.val();
        self.answer.score_in.next = self.gather.score.val();
        self.answer.line_at.next = self.task.line_at.val();

        self.rows.ply.next = self.gather.ply.val();
        self.rows.reads_parent.next = self.control.reads_parent.val().any();
        self.rows.write_node.next = self.control.makes_child.val().any();
        self.rows.write_picking.next = self.gather.picking.val();
        self.rows.write_board.next = self.control.looks.val().any();
        self.rows.board_in.next = self.spot.board.val();
        self.rows.write_keys.next = self.control.finds.val().any();
        self.rows.keys_in.next = self.known.keys.val();
        self.rows.present.next = self.decisions.node.val();
        self.rows.learns.next = self.gather.learns.val().any();
        self.rows.fails.next = self.gather.fails.val().any();
        self.rows.forgets.next = self.gather.forgets.val().any();
        self.rows.iteration.next = self.answer.iteration.val();
        self.rows.counter_at.next = self.spot.counter_at.val();
        self.spot.counter.next = self.rows.place.val();
        self.rows.clear.next = self.task.clear.val();
    }
}

crate::inputs!(
    SearchUnit: clock, reset, task.head, task.clear, task.path, task.path_word if task.path, task.start, task.stop, task.pause, task.line_at,
    image, scored, eval if scored, looker.looked, looker.has_move, looker.in_check, picker.picked, picker.chosen,
    picker.counter_at
);
