//! The stages of [`super::enter`].
//!
//! ```text
//!                 +----------+
//!   head 72      =>          => node 196    with its bounds
//!   child 66     =>  Bounds  => early 18    a score that needs no window
//!   arrival 83   =>          => seen 34     the table's entry, its score seen from the root
//!                 |          -> root
//!                 +----------+
//!                 +-----------+
//!   node_in 196  =>           => node, early, seen, root
//!   early_in 18  =>  Compare  => flags 8      see `Flags`
//!   seen_in 34   =>           => razor 18     the evaluation and razoring's margin
//!   root_in      ->           => reverse 18   the evaluation less reverse futility's
//!                 +-----------+
//!                 +------------+
//!   head 72      =>            => entered 18
//!   of Compare   =>  Conclude  => node 196
//!                 +------------+
//! ```
//!
//! Handshake: none. Latency: one clock each. Throughput: one node per clock.
//! Cost: 249, 293 and 214 flip-flops.
//! Model: `host/model/src/search/enter.rs`.

use super::arrival::*;
use super::node::*;
use super::number::*;
use crate::network::{Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::moves::DROP_FROM;
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;
use rust_hdl::prelude::*;

bundle! {
    /// The table's entry, as the node sees it.
    pub struct Seen {
        /// What the score says.
        bound: Wires<2>,
        /// The best move.
        best: Move,
        /// The score; mates count from the root.
        score: Score,
        /// Its search was deep enough.
        deep: Wire,
    }
}

bundle! {
    /// Comparisons.
    pub struct Flags {
        /// The window is empty.
        closed: Wire,
        /// The entry's bound decides.
        settles: Wire,
        /// The evaluation is at least beta.
        at_beta: Wire,
        /// The evaluation is above alpha.
        above_alpha: Wire,
        /// An end of the window is a mate.
        decided: Wire,
        /// The depth is one of razoring's, of reverse futility's, of the null move's.
        depths: Wires<3>,
    }
}

network! {
    /// Bounds.
    Bounds = bounds(BoundsIn) -> BoundsOut {
        in head: Head;
        in child: Child;
        in arrival: Arrival;
        out node: Node;
        out early: Entered;
        out seen: Seen;
        out root: Wire;
    }
}

network! {
    /// Comparisons with the bounds.
    Compare = compare(CompareIn) -> CompareOut {
        in node_in: Node;
        in early_in: Entered;
        in seen_in: Seen;
        in root_in: Wire;
        out node: Node;
        out early: Entered;
        out seen: Seen;
        out root: Wire;
        out flags: Flags;
        out razor: Sum;
        out reverse: Sum;
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
        out entered: Entered;
        out node: Node;
    }
}

fn score<W: Word>(value: i32) -> W {
    constant(value, SCORE_BITS)
}

fn bounds<W: Word>(inputs: BoundsIn<W>) -> BoundsOut<W> {
    let BoundsIn { head, child, arrival: a } = inputs;
    let root = !a.ply.any();
    let ply = a.ply.extend(SCORE_BITS);
    let lost = score::<W>(-(MATE as i32)).plus(ply, SCORE_BITS).named("lost");
    let won = score::<W>(MATE as i32 - 1).minus(ply, SCORE_BITS).named("won");

    let draw = a.ply.bit(0).choose(negative(head.draw), head.draw).named("draw");
    let perpetual = a.loses.choose(score(-(PERPETUAL as i32)), score(PERPETUAL as i32));
    let repeated = (a.wins ^ a.loses).choose(perpetual, draw).named("repeated");
    let at_end = !a.ply.below(W::constant(MAX_PLY as u128, 6));
    let pawn = child.last.from().is(DROP_FROM as u128) & child.has_last;
    let pawn_drop_mate = (!root & !a.repeats & !a.has_move & pawn & a.in_check).named("pawn_drop_mate");
    let early = Entered {
        valid: !root & !pawn_drop_mate & (a.repeats | !a.has_move | at_end),
        pawn_drop_mate,
        score: a.repeats.choose(repeated, a.has_move.choose(a.eval, lost)),
    };

    // A stored mate counts from the node.
    let longest = LONGEST_MATE as i32;
    let [mates, mated] = [less(score(longest), a.entry.score), less(a.entry.score, score(-longest))];
    let shift = W::join(&(0..SCORE_BITS).map(|i| ply.bit(i) ^ mates).collect::<Vec<W>>());
    let shifted = a.entry.score.plus(shift.named("shift"), SCORE_BITS).plus(mates, SCORE_BITS).named("shifted");
    let seen = Seen {
        bound: a.entry.bound,
        best: a.entry.best,
        score: (mates | mated).choose(shifted, a.entry.score),
        deep: !a.entry.depth.below(child.depth),
    };

    let one_above = child.alpha.plus(W::constant(1, 1), SCORE_BITS).named("one_above");
    let node = Node {
        child: Child { beta: root.choose(child.beta, smaller_of(child.beta, won)), ..child },
        alpha: greater_of(child.alpha, lost),
        best: lost,
        eval: a.eval,
        best_move: W::zero(15),
        known: W::zero(15),
        quiescence: !child.depth.any(),
        razored: W::zero(1),
        open: less(one_above, child.beta),
        in_check: a.in_check,
        improving: !a.in_check & (!a.has_before | less(a.before, a.eval)),
        made: W::zero(MADE_BITS),
        evasions: W::zero(2),
        current: Candidate { mv: W::zero(15), moved: W::zero(4), captured: W::zero(4) },
        class: W::zero(4),
        waiting: W::constant(OPEN, 2),
        reduced: W::zero(6),
    };
    BoundsOut { node, early, seen, root }
}

fn compare<W: Word>(inputs: CompareIn<W>) -> CompareOut<W> {
    let CompareIn { node_in: node, early_in: early, seen_in: seen, root_in: root } = inputs;
    let (alpha, beta, depth) = (node.alpha, node.child.beta, node.child.depth);
    let lower = seen.bound.is(LOWER) & !less(seen.score, beta);
    let upper = seen.bound.is(UPPER) & at_most(seen.score, alpha);
    let at_most_deep = |most: i32| depth.below(W::constant(most as u128 + 1, 6));
    let flags = Flags {
        closed: !less(alpha, beta),
        settles: seen.bound.is(EXACT) | lower | upper,
        at_beta: !less(node.eval, beta),
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
    }
}

/// A margin by a few wires of the depth.
fn entry_of<W: Word>(depth: W, entries: usize, margin: impl Fn(i32) -> i32) -> W {
    entry(depth, &table(entries, margin), 12)
}

fn conclude<W: Word>(inputs: ConcludeIn<W>) -> ConcludeOut<W> {
    let ConcludeIn { head, node_in: n, early_in: early, seen_in, root_in: root, flags_in: f, razor_in, reverse_in } =
        inputs;
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
    let null = off & !razors & !reverses & on(Technique::NullMove) & f.depths.bit(2) & n.child.has_last & f.at_beta;

    let quiescence = (n.quiescence | razors).named("quiescence");
    let ends = !on(Technique::Quiescence) | !n.child.quiet_ply.below(W::constant(QUIESCENCE_PLIES as u128, 3));
    let stands = (quiescence & !n.in_check).named("stands");
    let quiet = (n.quiescence & ends) | (stands & f.at_beta);

    let closed = (f.closed & !root).named("closed");
    let evaluated = (quiet | reverses).named("evaluated");
    let by_window = closed.choose(n.alpha, settled.choose(seen_in.score, n.eval));
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
