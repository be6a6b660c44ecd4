//! The walker: searches a position step by step.
//!
//! ```text
//!                  +------------+
//!   clock, reset  ->            =>             task: `ports::SearchTask`
//!   task          => SearchUnit => made 447    a position, for the evaluator:
//!   image 512     =>            -> evaluates   it is to be scored
//!   scored        ->            |
//!   eval 16       =>            |
//!                  +------------+
//!
//!   control -> all others
//!   spot (position, moves), known (keys, path, table), answer -> decisions (node) <-> rows
//! ```
//!
//! Handshake: that of the ports. `evaluates` for one clock with a position, `scored` for one clock with its score; one at a time.
//! Latency, throughput: one step at a time, as `control` says. Cost: see `constraints/AREA.md`.
//! Model: `host/model/src/search/walker.rs`. Absent: the evaluator; ranges, progress and the answer (`controller`); a second walker.

use super::arrival::{Arrival, Entered, Entry};
use super::iteration::Root;
use super::node::{Child, Head, Node, SCORE_BITS};
use super::node_register::Takes;
use super::order::{Place, LOSING};
use super::returned::Ending;
use super::rows::PICKING_WIDTH;
use super::table::NewEntry;
use super::{answer::Answer, control::Control, decisions::Decisions, known::Known, rows::Rows, spot::Spot};
use crate::movegen::positions::BOARD_WIDTH;
use crate::network::width;
use crate::ports::SearchTask;
use hayasashi_spec::search::Technique;
use hayasashi_spec::search_table::PICKS_A_STEP;
use rust_hdl::prelude::*;

const HEAD: usize = width::<Head>();
const CHILD: usize = width::<Child>();
const ARRIVAL: usize = width::<Arrival>();
const ENTRY: usize = width::<Entry>();
const NEW_ENTRY: usize = width::<NewEntry>();
const PLACE: usize = width::<Place>();
const ROOT: usize = width::<Root>();
const TAKES: usize = width::<Takes>();

crate::constants! {
    /// Lowest wires: of the request's bytes, then of what the blocks give and take.
    Values {
        depth: Bits<8> = 8u64;
        table_bits: Bits<8> = 24u64;
        techniques: Bits<8> = 32u64;
        window: Bits<8> = 64u64;
        limits: Bits<8> = 128u64;
        head_window: Bits<8> = Head::lowest_wire("alpha");
        head_depth: Bits<8> = Head::lowest_wire("depth");
        table_on: Bits<8> = (Technique::Table as u32).trailing_zeros();
        waiting: Bits<8> = Node::lowest_wire("waiting");
        best: Bits<8> = Node::lowest_wire("best");
        best_move: Bits<8> = Node::lowest_wire("best_move");
        node_window: Bits<8> = Node::lowest_wire("child") + Child::lowest_wire("alpha");
        node_depth: Bits<8> = Node::lowest_wire("child") + Child::lowest_wire("depth");
        root_best: Bits<8> = Root::lowest_wire("best");
        repeats: Bits<8> = Arrival::lowest_wire("repeats");
        has_move: Bits<8> = Arrival::lowest_wire("has_move");
        in_check: Bits<8> = Arrival::lowest_wire("in_check");
        eval: Bits<8> = Arrival::lowest_wire("eval");
        has_before: Bits<8> = Arrival::lowest_wire("has_before");
        before: Bits<8> = Arrival::lowest_wire("before");
        entry: Bits<8> = Arrival::lowest_wire("entry");
        entry_best: Bits<8> = Entry::lowest_wire("best");
        entry_score: Bits<8> = Entry::lowest_wire("score");
        entry_depth: Bits<8> = Entry::lowest_wire("depth");
        new_iteration: Bits<8> = NewEntry::lowest_wire("iteration");
        entered_score: Bits<8> = Entered::lowest_wire("score");
        bound: Bits<8> = Ending::lowest_wire("bound");
        stored: Bits<8> = Ending::lowest_wire("stored");
        end_score: Bits<8> = Ending::lowest_wire("score");
        counter: Bits<8> = PLACE;
        /// The place before the captures that lose material.
        before_losing: Bits<PLACE> = LOSING;
        last_pick: Bits<3> = PICKS_A_STEP - 1;
    }
}

/// Searches.
#[derive(LogicBlock, Default)]
pub struct SearchUnit {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// What is to be searched.
    pub task: SearchTask,
    /// The position of the request; stays while a search is under way.
    pub image: Signal<In, Bits<512>>,
    /// A position, for the evaluator.
    pub made: Signal<Out, Bits<BOARD_WIDTH>>,
    /// For one clock: it is to be scored.
    pub evaluates: Signal<Out, Bit>,
    /// For one clock: it is scored.
    pub scored: Signal<In, Bit>,
    /// Its score.
    pub eval: Signal<In, Bits<SCORE_BITS>>,
    control: Control,
    decisions: Decisions,
    spot: Spot,
    known: Known,
    rows: Rows,
    answer: Answer,
    ply: DFF<Bits<6>>,
    /// Where the node at this ply begins.
    child: DFF<Bits<CHILD>>,
    /// The score of a child for this mover.
    score: DFF<Bits<SCORE_BITS>>,
    /// The place in the order, and above it the node's counter move.
    picking: DFF<Bits<PICKING_WIDTH>>,
    /// Moves that this step has refused.
    refused: DFF<Bits<3>>,
    at_root: Signal<Local, Bit>,
    has_before: Signal<Local, Bit>,
    entry: Signal<Local, Bits<ENTRY>>,
    entered_score: Signal<Local, Bits<SCORE_BITS>>,
    place: Signal<Local, Bits<PLACE>>,
    raises: Signal<Local, Bit>,
    at: Values,
}

impl Logic for SearchUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, ply, child, score, picking, refused);
        clock!(self, clock, control, decisions, spot, known, rows, answer);
        self.control.reset.next = self.reset.val();
        self.spot.reset.next = self.reset.val();
        self.known.reset.next = self.reset.val();
        self.rows.reset.next = self.reset.val();
        self.answer.reset.next = self.reset.val();
        self.at_root.next = self.ply.q.val() == 0;

        // The request and the answer.
        self.decisions.head.next =
            bit_cast::<HEAD, 17>(self.task.head.val().get_bits::<17>(self.at.techniques.val().index()))
                | (bit_cast::<HEAD, 48>(self.task.head.val().get_bits::<48>(self.at.window.val().index()))
                    << self.at.head_window.val())
                | (bit_cast::<HEAD, 6>(self.task.head.val().get_bits::<6>(self.at.depth.val().index()))
                    << self.at.head_depth.val());
        self.answer.head.next = self.decisions.head.val();
        self.answer.limits.next = self.task.head.val().get_bits::<128>(self.at.limits.val().index());
        self.control.start.next = self.task.start.val();
        self.control.stop.next = self.task.stop.val();
        self.control.pause.next = self.task.pause.val();
        self.task.busy.next = self.control.busy.val();
        self.task.paused.next = self.control.paused.val();
        self.task.path_ready.next = !self.control.busy.val() & self.known.path_ready.val();
        self.task.score.next = self.answer.score.val();
        self.task.depth.next = self.answer.depth.val();
        self.task.length.next = self.answer.length.val();
        self.task.nodes.next = self.answer.nodes.val();
        self.task.steps.next = self.answer.step_count.val();
        self.task.line_move.next = self.answer.line_move.val();
        self.answer.line_at.next = self.task.line_at.val();

        // What is looked at to decide what comes next.
        self.control.findings.prepared.next =
            !self.rows.busy.val() & self.known.keys_ready.val() & self.known.table_ready.val();
        self.control.findings.no_steps.next = self.answer.no_steps.val();
        self.control.findings.no_nodes.next = self.answer.no_nodes.val();
        self.control.findings.at_root.next = self.at_root.val();
        self.control.findings.looked.next = self.spot.looked.val();
        self.control.findings.scored.next = self.spot.scored.val();
        self.control.findings.keys_ready.next = self.known.keys_ready.val();
        self.control.findings.path_ready.next = self.known.path_ready.val();
        self.control.findings.table_ready.next = self.known.table_ready.val();
        self.control.findings.line_ready.next = self.answer.line_ready.val();
        self.control.findings.last_iteration.next = self.answer.last_iteration.val();
        self.control.findings.has_score.next = self.decisions.entered.val().get_bit(0);
        self.control.findings.no_move.next = self.decisions.entered.val().get_bit(1);
        self.control.findings.outcome.next = self.decisions.outcome.val();
        self.control.findings.null.next =
            !self.decisions.node.val().get_bits::<2>(self.at.waiting.val().index()).any();
        self.control.findings.picked.next = self.spot.picked.val();
        self.control.findings.has_candidate.next = self.spot.valid.val();
        self.control.findings.refused.next = self.decisions.verdict.val().get_bit(0);
        self.control.findings.last_pick.next = self.refused.q.val() == self.at.last_pick.val();
        self.control.findings.razored.next = self.decisions.ending.val().get_bit(0);

        // The ply, where its node begins, and the score of its child.
        if self.control.orders.takes_child.val() {
            self.ply.d.next = self.ply.q.val() + 1;
        }
        if self.control.orders.leaves.val() {
            self.ply.d.next = self.ply.q.val() - 1;
        }
        if self.control.orders.takes_issued.val() {
            self.child.d.next = self.decisions.issued.val();
        }
        if self.control.orders.iterates.val() {
            self.child.d.next = self.answer.child.val();
        }
        self.entered_score.next = self.decisions.entered.val().get_bits::<SCORE_BITS>(self.at.entered_score.val().index());
        if self.control.orders.takes_score.val() {
            self.score.d.next = !self.entered_score.val() + 1;
        }
        if self.control.orders.takes_end.val() {
            self.score.d.next =
                self.decisions.ending.val().get_bits::<SCORE_BITS>(self.at.end_score.val().index());
        }
        if self.control.orders.loads_image.val() {
            self.ply.d.next = 0.into();
            self.child.d.next = 0.into();
        }

        // The position and its moves.
        self.spot.image.next = self.image.val();
        self.spot.loads.next = self.control.orders.loads_image.val();
        self.spot.recalled.next = self.rows.board.val();
        self.spot.recalls.next = self.control.orders.recalls.val();
        self.spot.child.next = self.child.q.val();
        self.spot.makes.next = self.control.orders.takes_child.val();
        self.spot.looks.next = self.control.orders.looks.val();
        self.spot.evaluates.next = self.control.orders.evaluates.val();
        self.spot.score_valid.next = self.scored.val();
        self.spot.score.next = self.eval.val();
        self.spot.selection.next = self.decisions.selection.val();
        self.spot.special.next = self.decisions.special.val();
        self.spot.after.next = bit_cast::<PLACE, PICKING_WIDTH>(self.picking.q.val());
        self.spot.picks.next = self.control.orders.picks.val();
        self.made.next = self.spot.board.val();
        self.evaluates.next = self.control.orders.evaluates.val();
        self.place.next = self.spot.place.val();
        if self.decisions.verdict.val().get_bit(1) {
            self.place.next = self.at.before_losing.val();
        }
        if self.control.orders.takes_verdict.val() {
            self.picking.d.next = ((self.picking.q.val() >> self.at.counter.val()) << self.at.counter.val())
                | bit_cast::<PICKING_WIDTH, PLACE>(self.place.val());
            self.refused.d.next = self.refused.q.val() + 1;
        }
        if self.control.orders.begins_picking.val() {
            self.picking.d.next = bit_cast::<PICKING_WIDTH, 15>(self.rows.counter.val()) << self.at.counter.val();
        }
        if self.control.orders.recalls.val() {
            self.picking.d.next = self.rows.picking.val();
        }
        if self.control.orders.steps.val() {
            self.refused.d.next = 0.into();
        }

        // Keys, repetition, entry.
        self.known.busy.next = self.control.busy.val();
        self.known.board.next = self.spot.board.val();
        self.known.child.next = self.child.q.val();
        self.known.in_check.next = self.spot.in_check.val();
        self.known.recalled.next = self.rows.keys.val();
        self.known.word.next = self.task.path_word.val();
        self.known.table_bits.next = self.task.head.val().get_bits::<5>(self.at.table_bits.val().index());
        self.known.clears.next = self.task.clear.val();
        self.known.pushes_word.next = self.task.path.val();
        self.known.begins.next = self.control.orders.makes_root_keys.val();
        self.known.makes.next = self.control.orders.makes_child.val();
        self.known.takes.next = self.control.orders.takes_keys.val();
        self.known.recalls.next = self.control.orders.recalls.val();
        self.known.finds.next = self.control.orders.finds.val();
        self.known.leaves.next = self.control.orders.leaves.val();
        self.known.found.next =
            bit_cast::<NEW_ENTRY, 2>(self.decisions.ending.val().get_bits::<2>(self.at.bound.val().index()))
                | (bit_cast::<NEW_ENTRY, 15>(
                    self.decisions.node.val().get_bits::<15>(self.at.best_move.val().index()),
                ) << self.at.entry_best.val())
                | (bit_cast::<NEW_ENTRY, SCORE_BITS>(
                    self.decisions.ending.val().get_bits::<SCORE_BITS>(self.at.stored.val().index()),
                ) << self.at.entry_score.val())
                | (bit_cast::<NEW_ENTRY, 6>(
                    self.decisions.node.val().get_bits::<6>(self.at.node_depth.val().index()),
                ) << self.at.entry_depth.val())
                | (bit_cast::<NEW_ENTRY, 6>(self.answer.iteration.val()) << self.at.new_iteration.val());
        self.known.puts.next = self.control.orders.takes_end.val()
            & self.decisions.ending.val().get_bits::<2>(self.at.bound.val().index()).any()
            & self.decisions.head.val().get_bits::<1>(self.at.table_on.val().index()).any();

        // What is known of the position that is entered.
        self.entry.next = self.known.entry.val();
        if self.at_root.val() {
            self.entry.next = bit_cast::<ENTRY, 15>(self.answer.known.val()) << self.at.entry_best.val();
        }
        self.has_before.next =
            (self.ply.q.val() != 0) & (self.ply.q.val() != 1) & !self.rows.before.val().get_bit(16);
        self.decisions.arrival.next = bit_cast::<ARRIVAL, 6>(self.ply.q.val())
            | (bit_cast::<ARRIVAL, 3>(self.known.repeats.val()) << self.at.repeats.val())
            | (bit_cast::<ARRIVAL, 1>(self.spot.has_move.val().into()) << self.at.has_move.val())
            | (bit_cast::<ARRIVAL, 1>(self.spot.in_check.val().into()) << self.at.in_check.val())
            | (bit_cast::<ARRIVAL, SCORE_BITS>(self.spot.eval.val()) << self.at.eval.val())
            | (bit_cast::<ARRIVAL, 1>(self.has_before.val().into()) << self.at.has_before.val())
            | (bit_cast::<ARRIVAL, SCORE_BITS>(bit_cast::<SCORE_BITS, 17>(self.rows.before.val()))
                << self.at.before.val())
            | (bit_cast::<ARRIVAL, ENTRY>(self.entry.val()) << self.at.entry.val());

        // The node.
        self.decisions.takes.next = bit_cast::<TAKES, 1>(self.control.orders.takes_entered.val().into())
            | (bit_cast::<TAKES, 1>(self.control.orders.takes_returned.val().into()) << 1)
            | (bit_cast::<TAKES, 1>(self.control.orders.takes_issued.val().into()) << 2)
            | (bit_cast::<TAKES, 1>(self.control.orders.takes_again.val().into()) << 3)
            | (bit_cast::<TAKES, 1>(self.control.orders.recalls.val().into()) << 4)
            | (bit_cast::<TAKES, 1>(self.control.orders.unmakes.val().into()) << 5)
            | (bit_cast::<TAKES, 1>(self.control.orders.takes_verdict.val().into()) << 6);
        self.decisions.child.next = self.child.q.val();
        self.decisions.ply.next = self.ply.q.val();
        self.decisions.score.next = self.score.q.val();
        self.decisions.what.next = self.control.orders.what.val();
        self.decisions.candidate.next = self.spot.candidate.val();
        self.decisions.move_class.next = self.spot.move_class.val();
        self.decisions.checks.next = self.spot.checks.val();
        self.decisions.gain.next = self.spot.gain.val();
        self.decisions.exchange.next = self.spot.exchange.val();
        self.decisions.recalled.next = self.rows.node.val();
        self.decisions.killers.next = self.rows.killers.val();
        self.decisions.counter.next =
            bit_cast::<15, PICKING_WIDTH>(self.picking.q.val() >> self.at.counter.val());

        // The answer.
        self.raises.next = self.control.orders.takes_returned.val() & self.decisions.outcome.val().get_bit(3);
        self.answer.begins.next = self.control.orders.loads_image.val();
        self.answer.steps.next = self.control.orders.steps.val();
        self.answer.makes.next = self.control.orders.takes_issued.val();
        self.answer.iterates.next = self.control.orders.iterates.val();
        self.answer.root.next =
            bit_cast::<ROOT, 32>(self.decisions.node.val().get_bits::<32>(self.at.node_window.val().index()))
                | (bit_cast::<ROOT, SCORE_BITS>(
                    self.decisions.node.val().get_bits::<SCORE_BITS>(self.at.best.val().index()),
                ) << self.at.root_best.val());
        self.answer.clear_line.next = self.control.orders.evaluates.val();
        self.answer.raises.next = self.raises.val();
        self.answer.ply.next = self.ply.q.val();
        self.answer.raised.next = self.decisions.returned.val().get_bits::<15>(self.at.best_move.val().index());
        self.answer.score_in.next = self.score.q.val();

        // Rows by ply.
        self.rows.ply.next = self.ply.q.val();
        self.rows.write_node.next = self.control.orders.makes_child.val();
        self.rows.write_picking.next = self.picking.q.val();
        self.rows.write_board.next = self.control.orders.evaluates.val();
        self.rows.board_in.next = self.spot.board.val();
        self.rows.write_keys.next = self.control.orders.finds.val();
        self.rows.keys_in.next = self.known.keys.val();
        self.rows.present.next = self.decisions.node.val();
        self.rows.learns.next = self.control.orders.takes_returned.val() & self.decisions.outcome.val().get_bit(4);
        self.rows.clear.next = self.task.clear.val();
    }
}
