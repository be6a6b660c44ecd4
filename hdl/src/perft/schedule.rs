//! Schedules the moves of a walk over a tree.
//!
//! ```text
//!                   +----------+
//!   active         ->          => job 24      see `Job`
//!   stopping       ->          -> idle        no node is left, and none is under way
//!   last_ply 3     =>          => state 240   to be wired back to `state_in`; see `ScheduleState`
//!   shares         ->          |
//!   shared_ply 3   =>          |
//!   unit 2         => Schedule |
//!   last_unit 2    =>          |
//!   begins         ->          |
//!   room           ->          |
//!   picked         ->          |
//!   left           ->          |
//!   stored         ->          |
//!   groups 6       =>          |
//!   state_in 240   =>          |
//!                   +----------+
//! ```
//!
//! Handshake: during a walk (`active`), the children of the nodes of `last_ply` are leaves; where a unit `shares` the tree with
//! others, each takes its part of the children of the nodes of `shared_ply`. `begins` forgets what is under way and expects the
//! root, which becomes node 0. `stored`: the node that is under way is being written, in so many `groups`, and may be read; another
//! node may set out. Then, during a walk, the contexts share the root's children; each goes down its own tree. `stopping` forgets
//! all nodes. `picked`, with `left`: see `pick`. A job only while `room`; jobs are three clocks
//! apart.
//! Method: the bank has room for one node. While its moves are found and written, the moves of another context's node are
//! made, all of which are leaves.
//! Throughput: a job in three clocks. Latency: three clocks from `stored` to the job.
//! Cost: 265 flip-flops. Model: none; the order of the leaves does not matter to their number.
//! Absent: the moves themselves.
//! Proof: `hdl/formal/schedule`.

use super::nodes::*;
use crate::movegen::operation::*;
use crate::network;
use crate::network::{word::or_all, Wire, Wires, Word};
use rust_hdl::prelude::*;

network! {
    /// Schedules moves.
    Schedule = schedule(ScheduleIn) -> ScheduleOut {
        in active: Wire;
        in stopping: Wire;
        in last_ply: Wires<PLY_BITS>;
        in shares: Wire;
        in shared_ply: Wires<PLY_BITS>;
        in unit: Wires<UNIT_BITS>;
        in last_unit: Wires<UNIT_BITS>;
        in begins: Wire;
        in room: Wire;
        in picked: Wire;
        in left: Wire;
        in stored: Wire;
        in groups: Wires<GROUP_BITS>;
        in state_in: ScheduleState;
        out job: Job;
        out idle: Wire;
        out state: ScheduleState;
    }
}

fn schedule<W: Word>(inputs: ScheduleIn<W>) -> ScheduleOut<W> {
    let ScheduleIn { active, stopping, last_ply, shares, shared_ply, unit, last_unit, .. } = inputs;
    let ScheduleIn { begins, room, picked, left, stored, groups, state_in: s, .. } = inputs;
    let flight = s.flight;
    let at_root = (s.chosen_ply.is(0)).named("at_root");

    // First a context is chosen; then there is a job of its node, or the context goes up.
    let inner = W::join(&s.contexts.map(|context| context.inner)).when(!flight.valid).named("inner");
    let leaves = W::join(&s.contexts.map(|context| context.leaves)).named("leaves");
    let idle_steps = !W::join(&s.steps).any();
    let chooses = (idle_steps & room & active & !stopping & (inner | leaves).any()).named("chooses");
    let chosen_inner = inner.any();
    let chosen = chosen_inner.choose(in_turn(inner, s.served), leaves.lowest()).named("chosen");
    let ply_of = |chosen: W| or_all((0..CONTEXTS).map(|c| s.contexts[c].ply.when(chosen.bit(c))));
    let [acts, _] = s.steps;
    let node = chosen_node(&s, at_root);
    let spent = (s.chosen_inner & node.spent).named("spent");
    let one = (acts & s.chosen_inner & !spent & !stopping).named("one");
    let all = (acts & !s.chosen_inner & !stopping).named("all");
    let goes_up = ((acts & spent) | all).named("goes_up");

    // When the move is picked, the parent has one move less; when the node is stored, its context goes down to it.
    let parent_after = after_pick(&s.parent, left, last_unit);
    let lands = (stored & flight.valid).named("lands");
    let some = groups.any().named("some");
    let skipped = (picked & flight.skip).named("skipped");
    let new = Node {
        next: W::zero(GROUP_BITS),
        last: groups.minus(W::constant(1, 1), GROUP_BITS),
        spent: W::zero(1),
        turn: flight.turn.when(!flight.root),
    };
    let down = flight.ply.plus(W::constant(1, 1), PLY_BITS).named("down");

    let context = |c: usize| {
        let now = &s.contexts[c];
        let lands_here = (lands & flight.context.bit(c) & !flight.root).named_at("lands_here", c);
        let stays = ((lands_here & !some) | (skipped & flight.context.bit(c))).named_at("stays", c);
        let descends = (lands_here & some).named_at("descends", c);
        let here = s.chosen.bit(c);
        let (up, takes) = (here & goes_up, here & (one | all));
        // The root is stored: all contexts take its children, or the first one its leaves.
        let root_leaves = last_ply.is(0);
        let starts = (lands & flight.root & some & active).named("starts");
        let first = W::constant((c == 0) as u128, 1);
        let at_last = down.equals(last_ply).named("at_last");
        let keeps = !(begins | stopping);
        let rises = (up & !at_root).named_at("rises", c);
        Context {
            inner: ((now.inner & !takes & !(up & at_root))
                | rises
                | stays
                | (descends & !at_last)
                | (starts & !root_leaves))
                & keeps,
            leaves: ((now.leaves & !takes) | (descends & at_last) | (starts & root_leaves & first)) & keeps,
            ply: rises
                .choose(now.ply.minus(W::constant(1, 1), PLY_BITS), descends.choose(down, now.ply))
                .when(!(lands & flight.root)),
        }
    };
    let node_after = |c: usize, ply: usize| {
        let from = (picked & flight.context.bit(c) & flight.ply.is(ply as u128)).named_at("from", PLIES * c + ply);
        let to = (lands & flight.context.bit(c) & !flight.root & down.is(ply as u128)).named_at("to", PLIES * c + ply);
        Node::choose(to, &new, &Node::choose(from, &parent_after, &s.nodes[c][ply - 1]))
    };
    let root = Node::choose(picked & flight.ply.is(0), &parent_after, &s.root);

    let mine = node.turn.equals(unit);
    let skip = (shares & s.chosen_ply.equals(shared_ply) & !mine).named("skip");
    let takes_off = Flight {
        valid: W::constant(1, 1),
        root: W::zero(1),
        context: s.chosen,
        ply: s.chosen_ply,
        skip,
        turn: node.turn,
    };
    let expects_root = Flight { root: W::constant(1, 1), skip: W::zero(1), ..takes_off };
    let flies_on = Flight { valid: flight.valid & !lands & !skipped & !stopping, ..flight };

    let context_number = number(s.chosen);
    let first_place = W::join(&[s.chosen_ply, context_number.when(!at_root)]).named("place");
    let next_ply = s.chosen_ply.plus(W::constant(1, 1), PLY_BITS).named("next_ply");
    let job = Job {
        node: first_place,
        first: node.next,
        last: s.chosen_inner.choose(node.next, node.last),
        aim: Aim { leaf: all, child: W::zero(1), one, to: W::join(&[next_ply, context_number]), skip },
    };
    ScheduleOut {
        job,
        idle: !(inner.any() | leaves.any() | flight.valid | !idle_steps),
        state: ScheduleState {
            contexts: std::array::from_fn(context),
            root: Node::choose(lands & flight.root, &new, &root),
            nodes: std::array::from_fn(|c| std::array::from_fn(|i| node_after(c, i + 1))),
            flight: Flight::choose(begins, &expects_root, &Flight::choose(one, &takes_off, &flies_on)),
            parent: Node::choose(one, &node, &s.parent),
            served: one.choose(s.chosen, s.served).when(!stopping),
            steps: [chooses & !begins, acts & !begins],
            chosen: chooses.choose(chosen, s.chosen),
            chosen_inner: chooses.choose(chosen_inner, s.chosen_inner),
            chosen_ply: chooses.choose(ply_of(chosen), s.chosen_ply),
        },
    }
}
