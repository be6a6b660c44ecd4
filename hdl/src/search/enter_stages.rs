//! The stages of [`super::enter`] after [`super::enter_bounds`].
//!
//! ```text
//!                 +-----------+
//!   node_in 196  =>           => node, early, seen, root
//!   early_in 18  =>  Compare  => flags 9      see `Flags`
//!   seen_in 34   =>           => razor 18     the evaluation and razoring's margin
//!   passing_in 18 =>          => reverse 18   the evaluation less reverse futility's
//!   root_in      ->           => between 16   half-way between the evaluation and beta
//!                 +-----------+
//!                 +------------+
//!   head 72      =>            => entered 18
//!   of Compare   =>  Conclude  => node 196
//!                 +------------+
//! ```
//!
//! Handshake: none. Latency: one clock each. Throughput: one node per clock.
//! Cost: 310 and 214 flip-flops.
//! Model: `host/model/src/search/enter.rs`.

use super::arrival::*;
use super::enter_bounds::Seen;
use super::node::*;
use super::number::*;
use crate::network::{Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;
use rust_hdl::prelude::*;

bundle! {
    /// Comparisons.
    pub struct Flags {
        /// The window is empty.
        closed: Wire,
        /// The entry's bound decides.
        settles: Wire,
        /// The evaluation is at least beta.
        at_beta: Wire,
        /// The static evaluation less the null move's margin is.
        passing_at_beta: Wire,
        /// The evaluation is above alpha.
        above_alpha: Wire,
        /// An end of the window is a mate.
        decided: Wire,
        /// The depth is one of razoring's, of reverse futility's, of the null move's.
        depths: Wires<3>,
    }
}

network! {
    /// Comparisons with the bounds.
    Compare = compare(CompareIn) -> CompareOut {
        in node_in: Node;
        in early_in: Entered;
        in seen_in: Seen;
        in root_in: Wire;
        in passing_in: Sum;
        out node: Node;
        out early: Entered;
        out seen: Seen;
        out root: Wire;
        out flags: Flags;
        out razor: Sum;
        out reverse: Sum;
        out between: Score;
    }
}

network! {
    /// What applies first.
    Conclude = conclude(ConcludeIn) -> ConcludeOut {
        in head: Head;
        in node_in: Node;
        in early_in: Entered;
        in seen_in: Seen;
        in root_in: Wire;
        in flags_in: Flags;
        in razor_in: Sum;
        in reverse_in: Sum;
        in between_in: Score;
        out entered: Entered;
        out node: Node;
    }
}

fn compare<W: Word>(inputs: CompareIn<W>) -> CompareOut<W> {
    let CompareIn { node_in: node, early_in: early, seen_in: seen, root_in: root, passing_in: passing } = inputs;
    let (alpha, beta, depth) = (node.alpha, node.child.beta, node.child.depth);
    let lower = seen.bound.is(LOWER) & !less(seen.score, beta);
    let upper = seen.bound.is(UPPER) & at_most(seen.score, alpha);
    let at_most_deep = |most: i32| depth.below(W::constant(most as u128 + 1, 6));
    let flags = Flags {
        closed: !less(alpha, beta),
        settles: seen.bound.is(EXACT) | lower | upper,
        at_beta: !less(node.eval, beta),
        passing_at_beta: !less(passing, beta.extend_signed(SUM_BITS)),
        above_alpha: less(alpha, node.eval),
        decided: is_decided(alpha) | is_decided(beta),
        depths: W::join(&[
            at_most_deep(RAZORING_DEPTH),
            at_most_deep(REVERSE_FUTILITY_DEPTH),
            !at_most_deep(NULL_MOVE_DEPTH - 1),
        ]),
    };
    const { assert!(RAZORING_DEPTH < 4 && REVERSE_FUTILITY_DEPTH < 8) };
    let razoring = entry_of(depth.slice(0, 2), 4, razoring_margin);
    let plies = depth.slice(0, 3).minus(node.improving, 3).named("plies");
    let reverse = entry_of(plies, 8, |depth| reverse_futility_margin(depth, false));
    CompareOut {
        node,
        early,
        seen,
        root,
        flags,
        razor: add(node.eval, razoring, SUM_BITS),
        reverse: subtract(node.eval, reverse, SUM_BITS),
        between: add(node.eval, beta, SCORE_BITS + 1).slice(1, SCORE_BITS),
    }
}

/// A margin by a few wires of the depth.
fn entry_of<W: Word>(depth: W, entries: usize, margin: impl Fn(i32) -> i32) -> W {
    entry(depth, &table(entries, margin), 12)
}

fn conclude<W: Word>(inputs: ConcludeIn<W>) -> ConcludeOut<W> {
    let ConcludeIn { head, node_in: n, early_in: early, seen_in, root_in: root, flags_in: f, .. } = inputs;
    let ConcludeIn { razor_in, reverse_in, between_in: between, .. } = inputs;
    let on = |technique: Technique| has(head.techniques, technique);
    let wide = |score: W| score.extend_signed(SUM_BITS);

    let found = (on(Technique::Table) & seen_in.bound.any()).named("found");
    let settled = (found & !n.open & seen_in.deep & f.settles & !root).named("settled");

    let off = (!n.quiescence & !n.open & !n.in_check & !f.decided & !root).named("off");
    let low = at_most(razor_in, wide(n.alpha));
    let razors = off & on(Technique::Razoring) & on(Technique::Quiescence) & f.depths.bit(0) & low;
    let razors = razors.named("razors");
    let high = !less(reverse_in, wide(n.child.beta));
    let reverses = (off & !razors & on(Technique::ReverseFutility) & f.depths.bit(1) & high).named("reverses");
    let null = off
        & !razors
        & !reverses
        & on(Technique::NullMove)
        & f.depths.bit(2)
        & n.child.has_last
        & f.at_beta
        & f.passing_at_beta;

    let quiescence = (n.quiescence | razors).named("quiescence");
    let ends = !on(Technique::Quiescence) | !n.child.quiet_ply.below(W::constant(QUIESCENCE_PLIES as u128, 3));
    let stands = (quiescence & !n.in_check).named("stands");
    let quiet = (n.quiescence & ends) | (stands & f.at_beta);

    let closed = (f.closed & !root).named("closed");
    let evaluated = (quiet | reverses).named("evaluated");
    let evaluation = reverses.choose(between, n.eval);
    let by_window = closed.choose(n.alpha, settled.choose(seen_in.score, evaluation));
    let entered = Entered {
        valid: early.valid | (!early.pawn_drop_mate & (closed | settled | evaluated)),
        pawn_drop_mate: early.pawn_drop_mate,
        score: early.valid.choose(early.score, by_window.named("by_window")),
    };
    let node = Node {
        alpha: (stands & f.above_alpha).choose(n.eval, n.alpha),
        best: stands.choose(n.eval, n.best),
        known: seen_in.best.when(found | root),
        quiescence,
        razored: razors,
        waiting: null.choose(W::constant(NULL, 2), n.waiting),
        ..n
    };
    ConcludeOut { entered, node }
}
