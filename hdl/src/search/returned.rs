//! A score returns to a node; a node ends.
//!
//! ```text
//!                 +------------+
//!   node_in 196  =>            => node 196
//!   root         ->  Returned  => outcome 6   see `Outcome`
//!   score 16     =>            |
//!                 +------------+
//!                 +------------+
//!   node_in 196  =>  Finished  => node 196
//!   ply 6        =>            => ending 41   see `Ending`
//!                 +------------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock each. Throughput: one node per clock.
//! Cost: 201 and 237 flip-flops.
//! Model: `host/model/src/search/returned.rs`. Absent: the child of a search again (`child`), lines, killers and counter moves.

use super::arrival::{EXACT, LOWER, UPPER};
use super::node::*;
use super::number::*;
use crate::network::{Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::search::{LONGEST_MATE, MATE};
use rust_hdl::prelude::*;

bundle! {
    /// How a node goes on after a score; without any of the first three the next move is picked.
    pub struct Outcome {
        /// The node ends.
        finish: Wire,
        /// The current move is searched again with a null window.
        again: Wire,
        /// It is, with the window of the node.
        wide: Wire,
        /// It begins the line of this ply.
        raises_line: Wire,
        /// It becomes a killer and a counter move.
        learns: Wire,
        /// It is quiet and has failed low, outside quiescence.
        fails: Wire,
    }
}

bundle! {
    /// What becomes of a node whose moves are all searched.
    pub struct Ending {
        /// Razoring was wrong: it picks its moves anew.
        again: Wire,
        /// What its score says, for the table; 0 if it goes on.
        bound: Wires<2>,
        /// How deep its search is, for the table.
        depth: Plies,
        /// The score for the table: mates count from the node.
        stored: Score,
        /// The score for the parent's mover.
        score: Score,
    }
}

network! {
    /// A score returns to a node.
    Returned = returned(ReturnedIn) -> ReturnedOut {
        in node_in: Node;
        in root: Wire;
        in score: Score;
        out node: Node;
        out outcome: Outcome;
    }
}

network! {
    /// A node ends.
    Finished = finished(FinishedIn) -> FinishedOut {
        in node_in: Node;
        in ply: Plies;
        out node: Node;
        out ending: Ending;
    }
}

fn longest<W: Word>(sign: i32) -> W {
    constant(sign * LONGEST_MATE as i32, SCORE_BITS)
}

fn returned<W: Word>(inputs: ReturnedIn<W>) -> ReturnedOut<W> {
    let ReturnedIn { node_in: n, root, score } = inputs;
    let beta = n.child.beta;
    let above_best = less(n.best, score).named("above_best");
    let above_alpha = less(n.alpha, score).named("above_alpha");
    let at_beta = (!less(score, beta)).named("at_beta");
    let next_depth = n.child.depth.minus(W::constant(1, 1), 6).named("next_depth");
    let [null, reduced, narrow] = [NULL, REDUCED, NULL_WINDOW].map(|kind| n.waiting.is(kind));
    let null = null.named("null");

    let again = (reduced & above_alpha & n.reduced.below(next_depth)).named("again");
    let wide = ((reduced | narrow) & !again & n.open & above_alpha & !at_beta).named("wide");
    let ends = (!null & !again & !wide).named("ends");
    let counts = (ends & above_best).named("counts");
    let quiet = (!n.quiescence & n.current.is_quiet()).named("quiet");
    let raises = (counts & above_alpha).named("raises");
    let cuts = (raises & at_beta).named("cuts");
    let mates = !less(score, longest(1));
    let passed = mates.choose(beta, score);
    let outcome = Outcome {
        finish: cuts | (null & at_beta),
        again,
        wide,
        raises_line: raises & (n.open | root),
        learns: cuts & quiet,
        fails: ends & !above_alpha & quiet,
    };
    let waits = again.choose(W::constant(NULL_WINDOW, 2), n.waiting | W::constant(OPEN, 2).when(wide | null));
    let node = Node {
        alpha: (raises & !cuts).choose(score, n.alpha),
        best: (null & at_beta).choose(passed, counts.choose(score, n.best)),
        best_move: raises.choose(n.current.mv, n.best_move),
        waiting: waits,
        ..n
    };
    ReturnedOut { node, outcome }
}

fn finished<W: Word>(inputs: FinishedIn<W>) -> FinishedOut<W> {
    let FinishedIn { node_in: n, ply } = inputs;
    let first_alpha = n.child.alpha;
    let above = less(first_alpha, n.best).named("above");
    let at_beta = !less(n.best, n.child.beta);
    let again = (n.razored & above).named("again");
    let ply = ply.extend(SCORE_BITS);
    let lost = constant::<W>(-(MATE as i32), SCORE_BITS).plus(ply, SCORE_BITS).named("lost");

    let [mates, mated] = [less(longest(1), n.best), less(n.best, longest(-1))];
    let shift = W::join(&(0..SCORE_BITS).map(|i| ply.bit(i) ^ mated).collect::<Vec<W>>()).named("shift");
    let from_node = n.best.plus(shift, SCORE_BITS).plus(mated, SCORE_BITS).named("from_node");
    let bound = at_beta.choose(W::constant(LOWER, 2), above.choose(W::constant(EXACT, 2), W::constant(UPPER, 2)));
    let ending = Ending {
        again,
        bound: bound.when(!again),
        depth: table_depth(n.child.depth.when(!n.quiescence), n.quiescence, n.child.quiet_ply, n.in_check),
        stored: (mates | mated).choose(from_node, n.best),
        score: negative(n.best),
    };
    let node = Node {
        razored: W::zero(1),
        quiescence: n.quiescence & !again,
        alpha: again.choose(first_alpha, n.alpha),
        best: again.choose(lost, n.best),
        made: n.made.when(!again),
        best_move: n.best_move.when(!again),
        ..n
    };
    FinishedOut { node, ending }
}
