//! A candidate is judged: made, refused, or refused with all quiet moves that are left.
//!
//! ```text
//!                 +---------+
//!   clock        ->         => verdict 18   see `Verdict`
//!   head 72      =>  Judge  |
//!   question 232 =>         |              see `Question`
//!                 +---------+
//!
//!   weigh -> measure -> decide
//! ```
//!
//! Handshake: none. `head` stays while a candidate passes.
//! Latency: three clocks. Throughput: one candidate per clock.
//! Cost: 187 flip-flops.
//! Model: `host/model/src/search/judge.rs`. Absent: the exchange and the gain (`exchange`), the reduction (`reduction`).

use super::judge_stages::{Decide, Measure, Question, Verdict, Weigh};
use super::node::Head;
use crate::network::width;
use rust_hdl::prelude::*;

/// Clocks from a candidate to its verdict.
pub const JUDGE_CLOCKS: u64 = 3;

/// Judges candidates.
#[derive(LogicBlock, Default)]
pub struct Judge {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The request.
    pub head: Signal<In, Bits<{ width::<Head>() }>>,
    /// The candidate and its node.
    pub question: Signal<In, Bits<{ width::<Question>() }>>,
    /// What becomes of it.
    pub verdict: Signal<Out, Bits<{ width::<Verdict>() }>>,
    weigh: Weigh,
    measure: Measure,
    decide: Decide,
}

impl Logic for Judge {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, weigh, measure, decide);
        self.weigh.head.next = self.head.val();
        self.weigh.question.next = self.question.val();

        self.measure.weighed.next = self.weigh.weighed.val();
        self.measure.rules.next = self.weigh.rules.val();

        self.decide.measured.next = self.measure.measured.val();
        self.decide.rules.next = self.measure.rules_out.val();

        self.verdict.next = self.decide.verdict.val();
    }
}
