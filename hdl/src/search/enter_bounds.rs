//! The first stage of [`super::enter`]: the bounds of a node, and what the table's entry says of it.
//!
//! ```text
//!                 +----------+
//!   head 72      =>          => node 196    with its bounds; its evaluation, which the entry may correct
//!   child 66     =>  Bounds  => early 18    a score that needs no window
//!   arrival 83   =>          => seen 34     the table's entry, its score seen from the root
//!                 |          => passing 18  the static evaluation less the null move's margin
//!                 |          -> root
//!                 +----------+
//! ```
//!
//! Handshake: none. Latency: one clock. Throughput: one node per clock.
//! Cost: 267 flip-flops.
//! Model: `host/model/src/search/enter.rs`.

use super::arrival::*;
use super::node::*;
use super::number::*;
use crate::network::{Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::moves::DROP_FROM;
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::null_move_margin;
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
        out passing: Sum;
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
    let table_depth = table_depth(child.depth, !child.depth.any(), child.quiet_ply, a.in_check).named("table_depth");
    let seen = Seen {
        bound: a.entry.bound,
        best: a.entry.best,
        score: (mates | mated).choose(shifted, a.entry.score),
        deep: !a.entry.depth.below(table_depth),
    };

    // Nearer to the value than the static evaluation: exact, or on the side where the value is. No mate, so it is not shifted.
    let [below, above] = [less(a.entry.score, a.eval), less(a.eval, a.entry.score)];
    let nearer = a.entry.bound.is(EXACT) | (a.entry.bound.is(LOWER) & above) | (a.entry.bound.is(UPPER) & below);
    let corrects = has(head.techniques, Technique::Table) & nearer & !root & !a.in_check & !mates & !mated;
    let margins = table(64, |depth| -null_move_margin(depth) & 0x7ff);

    let one_above = child.alpha.plus(W::constant(1, 1), SCORE_BITS).named("one_above");
    let node = Node {
        child: Child { beta: root.choose(child.beta, smaller_of(child.beta, won)), ..child },
        alpha: greater_of(child.alpha, lost),
        best: lost,
        eval: corrects.named("corrects").choose(a.entry.score, a.eval),
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
    let passing = add(a.eval, entry(child.depth, &margins, 11), SUM_BITS);
    BoundsOut { node, early, seen, root, passing }
}
