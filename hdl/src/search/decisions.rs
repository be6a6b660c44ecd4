//! The node at the present ply, with all that decides about it.
//!
//! ```text
//!                   +-----------+
//!   clock          ->           => node 196          the node
//!   head 72        =>           => entered 18        what becomes of the node entered, see `arrival::Entered`
//!   takes 7        =>           => outcome 6         how the node goes on after the score, see `returned::Outcome`
//!   child 66       =>           => ending 35         what becomes of it at its end, see `returned::Ending`
//!   arrival 83     => Decisions => verdict 18        what becomes of the candidate, see `judge_stages::Verdict`
//!   at_root, ply 6, score 16    => issued 66         where the child begins that it searches
//!   what 2         =>           => selection, special    what it picks, see `selection`
//!   candidate 23, class 4, checks, gain 12, exchange 16    what `picker` gives
//!   recalled 196   =>           |
//!   killers 30, counter 15      |
//!                   +-----------+
//! ```
//!
//! Handshake: none. What is asked stays until the answer is used.
//! Latency: those of the blocks inside. Throughput: one question at a time. Cost: see the blocks.
//! Model: `host/model/src/search/walker.rs`. Absent: what is asked when (`control`).

use super::arrival::{Arrival, Entered};
use super::child::{Issue, Order};
use super::judge_stages::{Question, Verdict, GAIN_BITS};
use super::node::*;
use super::node_register::{NodeRegister, Takes};
use super::order::{Selection, ATTACKED};
use super::returned::{Ending, Finished, Outcome, Returned};
use super::{enter::Enter, judge::Judge, reduction::*, selection::Select};
use crate::network;
use crate::network::{width, Wire, Wires, Word};
use rust_hdl::prelude::*;

network! {
    /// Puts together what is asked about a candidate.
    Ask = ask(AskIn) -> AskOut, unclocked {
        in node: Node;
        in at_root: Wire;
        in what: Wires<2>;
        in candidate: Candidate;
        in move_class: Class;
        in checks: Wire;
        in gain: Wires<GAIN_BITS>;
        in exchange: Score;
        in plies: Wires<REDUCTION_BITS>;
        out depth: Plies;
        out number: Wires<MADE_BITS>;
        out improving: Wire;
        out question: Question;
        out order: Order;
    }
}

fn ask<W: Word>(inputs: AskIn<W>) -> AskOut<W> {
    let AskIn { node, at_root, what, candidate, move_class, checks, gain, exchange, plies } = inputs;
    AskOut {
        depth: node.child.depth,
        number: node.made.plus(W::constant(1, 1), MADE_BITS),
        improving: node.improving,
        question: Question {
            node,
            root: at_root,
            quiet: candidate.is_quiet(),
            early: move_class.below(W::constant(ATTACKED as u128, 4)),
            checks,
            gain,
            exchange,
            plies,
        },
        order: Order { what, candidate, class: move_class, checks, plies },
    }
}

/// Decides about the node.
#[derive(LogicBlock, Default)]
pub struct Decisions {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The request.
    pub head: Signal<In, Bits<{ width::<Head>() }>>,
    /// How the node changes.
    pub takes: Signal<In, Bits<{ width::<Takes>() }>>,
    /// Where the node that is entered begins.
    pub child: Signal<In, Bits<{ width::<Child>() }>>,
    /// What is known of its position.
    pub arrival: Signal<In, Bits<{ width::<Arrival>() }>>,
    /// The ply of the node.
    pub ply: Signal<In, Bits<6>>,
    /// A score for its mover.
    pub score: Signal<In, Bits<SCORE_BITS>>,
    /// It is the root.
    pub at_root: Signal<In, Bit>,
    /// What is to be searched.
    pub what: Signal<In, Bits<2>>,
    /// A candidate.
    pub candidate: Signal<In, Bits<{ width::<Candidate>() }>>,
    /// Its class.
    pub move_class: Signal<In, Bits<4>>,
    /// It gives check.
    pub checks: Signal<In, Bit>,
    /// What it gains at once.
    pub gain: Signal<In, Bits<GAIN_BITS>>,
    /// Its exchange.
    pub exchange: Signal<In, Bits<SCORE_BITS>>,
    /// The node of the row.
    pub recalled: Signal<In, Bits<{ width::<Node>() }>>,
    /// Killers of the ply.
    pub killers: Signal<In, Bits<30>>,
    /// The node's counter move.
    pub counter: Signal<In, Bits<15>>,
    /// The node.
    pub node: Signal<Out, Bits<{ width::<Node>() }>>,
    /// What becomes of the node that is entered.
    pub entered: Signal<Out, Bits<{ width::<Entered>() }>>,
    /// How the node goes on after the score.
    pub outcome: Signal<Out, Bits<{ width::<Outcome>() }>>,
    /// The node after the score.
    pub returned: Signal<Out, Bits<{ width::<Node>() }>>,
    /// What becomes of it at its end.
    pub ending: Signal<Out, Bits<{ width::<Ending>() }>>,
    /// What becomes of the candidate.
    pub verdict: Signal<Out, Bits<{ width::<Verdict>() }>>,
    /// Where its child begins.
    pub issued: Signal<Out, Bits<{ width::<Child>() }>>,
    /// Which moves it picks.
    pub selection: Signal<Out, Bits<{ width::<Selection>() }>>,
    /// Which of them first.
    pub special: Signal<Out, Bits<60>>,
    register: NodeRegister,
    ask: Ask,
    enter: Enter,
    reduction: Reduction,
    judge: Judge,
    issue: Issue,
    after_score: Returned,
    at_end: Finished,
    select: Select,
}

impl Logic for Decisions {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, register, enter, reduction, judge, issue, after_score, at_end, select);
        self.node.next = self.register.node.val();
        self.register.node_in.next = self.register.node.val();
        self.register.takes.next = self.takes.val();
        self.register.entered.next = self.enter.node.val();
        self.register.returned.next = self.after_score.node.val();
        self.register.issued.next = self.issue.node.val();
        self.register.ended.next = self.at_end.node.val();
        self.register.recalled.next = self.recalled.val();
        self.register.verdict.next = self.judge.verdict.val();

        self.enter.head.next = self.head.val();
        self.enter.child.next = self.child.val();
        self.enter.arrival.next = self.arrival.val();
        self.entered.next = self.enter.entered.val();

        self.ask.node.next = self.register.node.val();
        self.ask.at_root.next = self.at_root.val().into();
        self.ask.what.next = self.what.val();
        self.ask.candidate.next = self.candidate.val();
        self.ask.move_class.next = self.move_class.val();
        self.ask.checks.next = self.checks.val().into();
        self.ask.gain.next = self.gain.val();
        self.ask.exchange.next = self.exchange.val();
        self.ask.plies.next = self.reduction.plies.val();
        self.reduction.depth.next = self.ask.depth.val();
        self.reduction.number.next = self.ask.number.val();
        self.reduction.improving.next = self.ask.improving.val();
        self.judge.head.next = self.head.val();
        self.judge.question.next = self.ask.question.val();
        self.verdict.next = self.judge.verdict.val();

        self.issue.head.next = self.head.val();
        self.issue.node_in.next = self.register.node.val();
        self.issue.order.next = self.ask.order.val();
        self.issued.next = self.issue.child.val();

        self.after_score.node_in.next = self.register.node.val();
        self.after_score.root.next = self.at_root.val().into();
        self.after_score.score.next = self.score.val();
        self.outcome.next = self.after_score.outcome.val();
        self.returned.next = self.after_score.node.val();
        self.at_end.node_in.next = self.register.node.val();
        self.at_end.ply.next = self.ply.val();
        self.ending.next = self.at_end.ending.val();

        self.select.techniques.next = bit_cast::<{ width::<Techniques>() }, { width::<Head>() }>(self.head.val());
        self.select.node.next = self.register.node.val();
        self.select.killers.next = self.killers.val();
        self.select.counter.next = self.counter.val();
        self.selection.next = self.select.selection.val();
        self.special.next = self.select.special.val();
    }
}
