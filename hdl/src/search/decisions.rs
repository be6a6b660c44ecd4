//! The node at the present ply, with all that decides about it.
//!
//! ```text
//!                   +-----------+
//!   clock          ->           => node 196          the node
//!   head 71        =>           => entered 18        what becomes of the node entered, see `arrival::Entered`
//!   takes 7        =>           => outcome 5         how the node goes on after the score, see `returned::Outcome`
//!   child 66       =>           => ending 35         what becomes of it at its end, see `returned::Ending`
//!   arrival 83     => Decisions => verdict 18        what becomes of the candidate, see `judge_stages::Verdict`
//!   ply 6, score 16=>           => issued 66         where the child begins that it searches
//!   what 2         =>           => selection, special    what it picks, see `selection`
//!   candidate 23, class 4, checks, gain 11, exchange 16    what `picker` gives
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
use super::node::{Candidate, Child, Head, Node, Techniques, MADE_BITS, SCORE_BITS};
use super::node_register::{NodeRegister, Takes};
use super::order::Selection;
use super::returned::{Ending, Finished, Outcome, Returned};
use super::{enter::Enter, judge::Judge, reduction::Reduction, selection::Select};
use crate::network::width;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        made: Bits<8> = Node::lowest_wire("made");
        improving: Bits<8> = Node::lowest_wire("improving");
        child_depth: Bits<8> = Node::lowest_wire("child") + Child::lowest_wire("depth");
        captured: Bits<8> = Candidate::lowest_wire("captured");
        promotes: Bits<8> = 14u64;
        verdict_best: Bits<8> = Verdict::lowest_wire("best");
        root: Bits<8> = Question::lowest_wire("root");
        quiet: Bits<8> = Question::lowest_wire("quiet");
        question_checks: Bits<8> = Question::lowest_wire("checks");
        gain: Bits<8> = Question::lowest_wire("gain");
        exchange: Bits<8> = Question::lowest_wire("exchange");
        question_plies: Bits<8> = Question::lowest_wire("plies");
        candidate: Bits<8> = Order::lowest_wire("candidate");
        class: Bits<8> = Order::lowest_wire("class");
        order_checks: Bits<8> = Order::lowest_wire("checks");
        order_plies: Bits<8> = Order::lowest_wire("plies");
    }
}

/// Wires of a question to the judge.
const QUESTION: usize = width::<Question>();
/// Wires of what is to be searched.
const ORDER: usize = width::<Order>();

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
    enter: Enter,
    reduction: Reduction,
    judge: Judge,
    issue: Issue,
    after_score: Returned,
    at_end: Finished,
    select: Select,
    at_root: Signal<Local, Bit>,
    is_quiet: Signal<Local, Bit>,
    at: Values,
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
        self.register.best.next = self.judge.verdict.val().get_bits::<SCORE_BITS>(self.at.verdict_best.val().index());
        self.at_root.next = self.ply.val() == 0;

        self.enter.head.next = self.head.val();
        self.enter.child.next = self.child.val();
        self.enter.arrival.next = self.arrival.val();
        self.entered.next = self.enter.entered.val();

        self.reduction.depth.next = self.register.node.val().get_bits::<6>(self.at.child_depth.val().index());
        self.reduction.number.next = self.register.node.val().get_bits::<MADE_BITS>(self.at.made.val().index()) + 1;
        self.reduction.improving.next = self.register.node.val().get_bits::<1>(self.at.improving.val().index());

        self.is_quiet.next = !self.candidate.val().get_bits::<4>(self.at.captured.val().index()).any()
            & !self.candidate.val().get_bits::<1>(self.at.promotes.val().index()).any();
        self.judge.head.next = self.head.val();
        self.judge.question.next = bit_cast::<QUESTION, { width::<Node>() }>(self.register.node.val())
            | (bit_cast::<QUESTION, 1>(self.at_root.val().into()) << self.at.root.val())
            | (bit_cast::<QUESTION, 1>(self.is_quiet.val().into()) << self.at.quiet.val())
            | (bit_cast::<QUESTION, 1>(self.checks.val().into()) << self.at.question_checks.val())
            | (bit_cast::<QUESTION, GAIN_BITS>(self.gain.val()) << self.at.gain.val())
            | (bit_cast::<QUESTION, SCORE_BITS>(self.exchange.val()) << self.at.exchange.val())
            | (bit_cast::<QUESTION, 4>(self.reduction.plies.val()) << self.at.question_plies.val());
        self.verdict.next = self.judge.verdict.val();

        self.issue.head.next = self.head.val();
        self.issue.node_in.next = self.register.node.val();
        self.issue.order.next = bit_cast::<ORDER, 2>(self.what.val())
            | (bit_cast::<ORDER, { width::<Candidate>() }>(self.candidate.val()) << self.at.candidate.val())
            | (bit_cast::<ORDER, 4>(self.move_class.val()) << self.at.class.val())
            | (bit_cast::<ORDER, 1>(self.checks.val().into()) << self.at.order_checks.val())
            | (bit_cast::<ORDER, 4>(self.reduction.plies.val()) << self.at.order_plies.val());
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
