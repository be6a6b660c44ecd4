//! The stages of [`super::judge`].
//!
//! ```text
//!                 +---------+
//!   head 72      =>  Weigh  => weighed 89    numbers, see `Weighed`
//!   question 232 =>         => rules 6       which rules may refuse the move, see `Rules`
//!                 +---------+
//!                 +-----------+
//!   weighed 89   =>  Measure  => measured 68   see `Measured`
//!   rules 6      =>           => rules_out 6
//!                 +-----------+
//!                 +----------+
//!   measured 68  =>  Decide  => verdict 18   see `Verdict`
//!   rules 6      =>          |
//!                 +----------+
//! ```
//!
//! Handshake: none. Latency: one clock each. Throughput: one candidate per clock.
//! Cost: 95, 74 and 18 flip-flops.
//! Model: `host/model/src/search/judge.rs`.

use super::node::*;
use super::number::*;
use super::reduction::REDUCTION_BITS;
use crate::network::{Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;
use rust_hdl::prelude::*;

/// Wires of the gain of a capture or promotion, not below zero.
pub const GAIN_BITS: usize = 12;

bundle! {
    /// A candidate and its node.
    pub struct Question {
        /// The node.
        node: Node,
        /// It is the root.
        root: Wire,
        /// The candidate is quiet.
        quiet: Wire,
        /// It is the table's move, a killer or the counter move: quiet checks may come behind it.
        early: Wire,
        /// It gives check.
        checks: Wire,
        /// What it gains at once.
        gain: Wires<GAIN_BITS>,
        /// Its exchange.
        exchange: Score,
        /// Its reduction.
        plies: Wires<REDUCTION_BITS>,
    }
}

bundle! {
    /// Numbers of the first stage.
    pub struct Weighed {
        /// Alpha of the node.
        alpha: Score,
        /// Its best score.
        best: Score,
        /// Its evaluation.
        eval: Score,
        /// Its depth.
        depth: Wires<4>,
        /// What the move gains at once.
        gain: Wires<GAIN_BITS>,
        /// The exchange.
        exchange: Score,
        /// The reduced depth.
        reduced: Plies,
        /// Moves made are more than late-move pruning allows.
        late: Wire,
        /// The move is quiet.
        quiet: Wire,
        /// It gives check.
        checks: Wire,
    }
}

bundle! {
    /// Which rules may refuse the move.
    pub struct Rules {
        /// Quiet evasions after the first ones; it is one of them.
        evasions: Wire,
        /// Futility of quiescence.
        gains: Wire,
        /// Late-move pruning.
        late: Wire,
        /// Futility.
        futility: Wire,
        /// The exchange test.
        exchange: Wire,
        /// No rule refuses the quiet moves behind it.
        alone: Wire,
    }
}

bundle! {
    /// Numbers of the second stage.
    pub struct Measured {
        /// Alpha of the node.
        alpha: Score,
        /// Its best score.
        best: Score,
        /// What the move could reach.
        reached: Sum,
        /// The exchange and what the move may lose.
        balance: Sum,
    }
}

bundle! {
    /// What becomes of a candidate.
    pub struct Verdict {
        /// It is not made.
        refuse: Wire,
        /// Neither are the quiet moves behind it.
        refuse_quiets: Wire,
        /// The node's best score.
        best: Score,
    }
}

network! {
    /// The reduced depth, and which rules apply.
    Weigh = weigh(WeighIn) -> WeighOut {
        in head: Head;
        in question: Question;
        out weighed: Weighed;
        out rules: Rules;
    }
}

network! {
    /// What the move may lose, and what it could reach.
    Measure = measure(MeasureIn) -> MeasureOut {
        in weighed: Weighed;
        in rules: Rules;
        out measured: Measured;
        out rules_out: Rules;
    }
}

network! {
    /// The verdict.
    Decide = decide(DecideIn) -> DecideOut {
        in measured: Measured;
        in rules: Rules;
        out verdict: Verdict;
    }
}

fn weigh<W: Word>(inputs: WeighIn<W>) -> WeighOut<W> {
    let WeighIn { head, question: q } = inputs;
    let n = q.node;
    let on = |technique: Technique| has(head.techniques, technique);
    let depth = n.child.depth;

    let next_depth = depth.minus(W::constant(1, 1), 6).named("next_depth");
    let plies = q.plies.when(on(Technique::LateMoveReductions)).named("plies");
    let reduced = next_depth.minus(plies, 6).named("difference").when(!next_depth.below(plies));

    // Half of the moves unless the mover is improving. No position has as many moves as depth 25 allows.
    let most = entry(depth.slice(0, 5), &table(25, |depth| late_move_count(depth, false)), MADE_BITS);
    let most = n.improving.choose(W::join(&[W::zero(1), most]), most.extend(MADE_BITS + 1)).named("most");
    let deep = !depth.below(W::constant(25, 6));
    // The number of the move is one more than the moves made.
    let late = (!deep & !n.made.below(most)).named("late");

    let judged = (!q.root & less(constant(-(LONGEST_MATE as i32), SCORE_BITS), n.best)).named("judged");
    let enough = !n.evasions.below(W::constant(QUIESCENCE_EVASIONS as u128, 2));
    let usual = (judged & !n.quiescence & !n.in_check).named("usual");
    let rules = Rules {
        evasions: judged & n.quiescence & n.in_check & on(Technique::LateMovePruning) & enough & q.quiet,
        gains: judged & n.quiescence & !n.in_check & on(Technique::Futility) & !q.checks,
        late: usual & q.quiet & !q.checks & on(Technique::LateMovePruning),
        futility: usual & q.quiet & !q.checks & on(Technique::Futility) & !is_decided(n.alpha),
        exchange: usual & on(Technique::Exchange) & depth.below(W::constant(EXCHANGE_DEPTH as u128 + 1, 6)),
        alone: q.early,
    };
    let weighed = Weighed {
        alpha: n.alpha,
        best: n.best,
        eval: n.eval,
        depth: depth.slice(0, 4),
        gain: q.gain,
        exchange: q.exchange,
        reduced,
        late,
        quiet: q.quiet,
        checks: q.checks,
    };
    WeighOut { weighed, rules }
}

fn measure<W: Word>(inputs: MeasureIn<W>) -> MeasureOut<W> {
    let MeasureIn { weighed: w, rules } = inputs;
    const { assert!(FUTILITY_DEPTH < 8 && EXCHANGE_DEPTH < 9) };
    let reduced = w.reduced.slice(0, 3);
    let shallow = w.reduced.below(W::constant(FUTILITY_DEPTH as u128 + 1, 6)).named("shallow");

    let quiet_margin = entry(reduced, &table(8, futility_margin), 12);
    let gains_margin = w.gain.plus(W::constant(QUIESCENCE_FUTILITY as u128, 12), 12);
    let margin = rules.gains.choose(gains_margin, quiet_margin).named("margin");

    let of_depth = |each: i32| entry(w.depth, &table(EXCHANGE_DEPTH as usize + 1, |depth| each * depth), 12);
    let of_quiet = entry(reduced, &table(8, |reduced| EXCHANGE_QUIET * reduced * reduced), 12);
    let others = w.quiet.choose(of_quiet, of_depth(EXCHANGE_CAPTURE));
    let most = w.checks.choose(of_depth(EXCHANGE_CHECK), others).named("most");

    MeasureOut {
        measured: Measured {
            alpha: w.alpha,
            best: w.best,
            reached: add(w.eval, margin.extend(SUM_BITS), SUM_BITS),
            balance: add(w.exchange, most.extend(SUM_BITS), SUM_BITS),
        },
        rules_out: Rules { late: rules.late & w.late, futility: rules.futility & shallow, ..rules },
    }
}

fn decide<W: Word>(inputs: DecideIn<W>) -> DecideOut<W> {
    let DecideIn { measured: m, rules } = inputs;
    let low = at_most(m.reached, m.alpha.extend_signed(SUM_BITS)).named("low");
    let futile = (rules.futility & !rules.late & low).named("futile");
    let gains_little = (rules.gains & low).named("gains_little");
    let useless = (rules.late | futile).named("useless");
    let loses = rules.exchange & m.balance.bit(SUM_BITS - 1);
    let reached = m.reached.slice(0, SCORE_BITS);
    let verdict = Verdict {
        refuse: useless | rules.evasions | gains_little | loses,
        refuse_quiets: useless & !rules.alone,
        best: (futile | gains_little).choose(greater_of(m.best, reached), m.best),
    };
    DecideOut { verdict }
}
