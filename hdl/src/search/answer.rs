//! The iterations of a search, what it has found, and what is left of its limits.
//!
//! ```text
//!                   +--------+
//!   clock, reset   ->        => score 16, depth 6, length 5, nodes 64, steps 64   the answer so far
//!   head 72        =>        => line_move 16     its move at `line_at`, a clock later
//!   node_limit 64  =>        => known 15         its first move, zero if there is none
//!   step_limit 64  =>        => iteration 6      the iteration
//!   begins, steps, makes     => following 41     see `iteration::Iteration`
//!   iterates       -> Answer |
//!   root 48        =>        -> no_nodes, no_steps     a limit is reached
//!   clear_line, raises, ply 6, raised 15, score_in 16   -> line_ready
//!   line_at 4      =>        |
//!                   +--------+
//!
//!   iterate, line
//! ```
//!
//! Handshake: `begins` empties the answer. `iterates` in the third clock or later after the root has ended or the search has begun.
//! `raises`: the move begins the line of the ply; at the root it is the answer's, with `score_in`. `clear_line` empties the line of the ply.
//! `steps` and `makes` count.
//! Latency: one clock, but for `line` and `iterate`. Throughput: one command a clock. Cost: 170 flip-flops beside the blocks.
//! Model: `host/model/src/search/walker.rs`. Absent: the clocks (`controller`).

use super::iteration::{Iterate, Iteration, Root};
use super::line::Line;
use super::node::{Head, SCORE_BITS};
use crate::network::width;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        iteration: Bits<8> = Iteration::lowest_wire("iteration");
        best: Bits<8> = Root::lowest_wire("best");
    }
}

/// Keeps the answer.
#[derive(LogicBlock, Default)]
pub struct Answer {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// The request.
    pub head: Signal<In, Bits<{ width::<Head>() }>>,
    /// Most nodes; 0 for no limit.
    pub node_limit: Signal<In, Bits<64>>,
    /// Most steps; 0 for no limit.
    pub step_limit: Signal<In, Bits<64>>,
    /// The search begins.
    pub begins: Signal<In, Bit>,
    /// A step.
    pub steps: Signal<In, Bit>,
    /// A move.
    pub makes: Signal<In, Bit>,
    /// The iteration ends, and the next one begins.
    pub iterates: Signal<In, Bit>,
    /// How it has left the root.
    pub root: Signal<In, Bits<{ width::<Root>() }>>,
    /// The line of the ply becomes empty.
    pub clear_line: Signal<In, Bit>,
    /// A move begins it.
    pub raises: Signal<In, Bit>,
    /// The ply.
    pub ply: Signal<In, Bits<6>>,
    /// That move.
    pub raised: Signal<In, Bits<15>>,
    /// Its score.
    pub score_in: Signal<In, Bits<SCORE_BITS>>,
    /// Which move of the answer's line is read.
    pub line_at: Signal<In, Bits<4>>,
    /// The score.
    pub score: Signal<Out, Bits<SCORE_BITS>>,
    /// Plies of the last completed iteration.
    pub depth: Signal<Out, Bits<6>>,
    /// Moves of the line.
    pub length: Signal<Out, Bits<5>>,
    /// Nodes.
    pub nodes: Signal<Out, Bits<64>>,
    /// Steps.
    pub step_count: Signal<Out, Bits<64>>,
    /// The move of the line that was read.
    pub line_move: Signal<Out, Bits<16>>,
    /// Its first move.
    pub known: Signal<Out, Bits<15>>,
    /// The iteration.
    pub iteration: Signal<Out, Bits<6>>,
    /// What comes behind it.
    pub following: Signal<Out, Bits<{ width::<Iteration>() }>>,
    /// No node is left.
    pub no_nodes: Signal<Out, Bit>,
    /// No step is left.
    pub no_steps: Signal<Out, Bit>,
    /// The line is complete.
    pub line_ready: Signal<Out, Bit>,
    iterate: Iterate,
    line: Line,
    present: DFF<Bits<6>>,
    found_score: DFF<Bits<SCORE_BITS>>,
    found_depth: DFF<Bits<6>>,
    node_sum: DFF<Bits<64>>,
    step_sum: DFF<Bits<64>>,
    completed: Signal<Local, Bit>,
    at: Values,
}

impl Logic for Answer {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, iterate, line);
        dff_setup!(self, clock, present, found_score, found_depth, node_sum, step_sum);
        self.iterate.head.next = self.head.val();
        self.iterate.iteration.next = self.present.q.val();
        self.iterate.score.next = self.found_score.q.val();
        self.iterate.root.next = self.root.val();
        self.completed.next = self.iterates.val() & self.iterate.following.val().get_bit(0);
        self.following.next = self.iterate.following.val();
        if self.completed.val() {
            self.found_depth.d.next = self.present.q.val();
            self.found_score.d.next = self.root.val().get_bits::<SCORE_BITS>(self.at.best.val().index());
        }
        if self.iterates.val() {
            self.present.d.next = self.iterate.following.val().get_bits::<6>(self.at.iteration.val().index());
        }

        self.line.reset.next = self.reset.val();
        self.line.clear.next = self.clear_line.val();
        self.line.raise.next = self.raises.val();
        self.line.ply.next = self.ply.val();
        self.line.raised.next = self.raised.val();
        self.line.forget.next = self.begins.val() | (self.completed.val() & self.iterate.following.val().get_bit(1));
        self.line.at.next = self.line_at.val();
        if self.raises.val() & (self.ply.val() == 0) {
            self.found_score.d.next = self.score_in.val();
        }

        self.no_nodes.next = self.node_limit.val().any() & (self.node_limit.val() == self.node_sum.q.val());
        self.no_steps.next = self.step_limit.val().any() & (self.step_limit.val() == self.step_sum.q.val());
        if self.makes.val() {
            self.node_sum.d.next = self.node_sum.q.val() + 1;
        }
        if self.steps.val() {
            self.step_sum.d.next = self.step_sum.q.val() + 1;
        }
        if self.begins.val() {
            self.present.d.next = 0.into();
            self.found_score.d.next = 0.into();
            self.found_depth.d.next = 0.into();
            self.node_sum.d.next = 0.into();
            self.step_sum.d.next = 0.into();
        }
        self.score.next = self.found_score.q.val();
        self.depth.next = self.found_depth.q.val();
        self.nodes.next = self.node_sum.q.val();
        self.step_count.next = self.step_sum.q.val();
        self.length.next = self.line.length.val();
        self.line_move.next = self.line.mv.val();
        self.known.next = self.line.first.val();
        self.line_ready.next = self.line.ready.val();
        self.iteration.next = self.present.q.val();
    }
}
