//! What [`super::schedule`] keeps: the contexts, and what is left of their nodes' moves.
//!
//! Layouts and functions, no block. Model: `host/model/src/perft/walker.rs`, where it is recursion.

use crate::bundle;
use crate::movegen::operation::*;
use crate::network::{Wire, Wires, Word};

/// Plies below the root that have nodes.
pub(super) const PLIES: usize = 6;
/// Bits of a unit's number.
pub const UNIT_BITS: usize = 2;

bundle! {
    /// One of the trees that are walked side by side.
    pub struct Context {
        /// A child of its node is to become a node.
        inner: Wire,
        /// The children of its node are leaves.
        leaves: Wire,
        /// The ply of its node.
        ply: Wires<PLY_BITS>,
    }
}

bundle! {
    /// What is left of a node's moves.
    pub struct Node {
        /// The group of the next move.
        next: Wires<GROUP_BITS>,
        /// The last group.
        last: Wires<GROUP_BITS>,
        /// No move is left.
        spent: Wire,
        /// The unit that the next child belongs to.
        turn: Wires<UNIT_BITS>,
    }
}

bundle! {
    /// A node that is under way.
    pub struct Flight {
        /// There is one.
        valid: Wire,
        /// It is the root.
        root: Wire,
        /// The contexts whose it is, one wire each.
        context: Wires<CONTEXTS>,
        /// The ply of its parent.
        ply: Wires<PLY_BITS>,
        /// The move is another unit's: no node comes.
        skip: Wire,
        /// The unit that it belongs to.
        turn: Wires<UNIT_BITS>,
    }
}

bundle! {
    /// What is kept from clock to clock.
    pub struct ScheduleState {
        /// The contexts.
        contexts: [Context; CONTEXTS],
        /// The root's moves.
        root: Node,
        /// The moves of the nodes below, by context and ply.
        nodes: [[Node; PLIES]; CONTEXTS],
        /// The node whose move is being made.
        flight: Flight,
        /// Its parent, as it was before.
        parent: Node,
        /// The context that was served last, one wire each.
        served: Wires<CONTEXTS>,
        /// A context was chosen one clock ago, two clocks ago.
        steps: [Wire; 2],
        /// The context chosen, one wire each.
        chosen: Wires<CONTEXTS>,
        /// A child of its node is to become a node.
        chosen_inner: Wire,
        /// The ply of its node.
        chosen_ply: Wires<PLY_BITS>,
    }
}

/// The first wire that is set behind the one of `last`, else the first of all.
pub(super) fn in_turn<W: Word>(wires: W, last: W) -> W {
    let behind: Vec<W> =
        (0..CONTEXTS).map(|c| if c == 0 { W::zero(1) } else { wires.bit(c) & last.slice(0, c).any() }).collect();
    let behind = W::join(&behind).named("behind");
    behind.any().choose(behind.lowest(), wires.lowest())
}

/// The number of the one wire that is set.
pub(super) fn number<W: Word>(one: W) -> W {
    let bit = |b: usize| {
        let wires: Vec<u8> = (0..CONTEXTS).filter(|c| c >> b & 1 != 0).map(|c| c as u8).collect();
        one.wires(&wires).any()
    };
    W::join(&(0..CONTEXT_BITS).map(bit).collect::<Vec<W>>())
}

/// A node after its next move was picked; `left`: the move's group has more.
pub(super) fn after_pick<W: Word>(node: &Node<W>, left: W, last_unit: W) -> Node<W> {
    let last_turn = node.turn.equals(last_unit);
    Node {
        next: node.next.plus(!left, GROUP_BITS).named("next_group"),
        last: node.last,
        spent: !left & node.next.equals(node.last),
        turn: node.turn.plus(W::constant(1, 1), UNIT_BITS).when(!last_turn).named("next_turn"),
    }
}

/// The node of the context that is chosen.
pub(super) fn chosen_node<W: Word>(s: &ScheduleState<W>, at_root: W) -> Node<W> {
    let below = (0..CONTEXTS).flat_map(|c| (1..=PLIES).map(move |ply| (c, ply)));
    let below = below.map(|(c, ply)| s.nodes[c][ply - 1].when(s.chosen.bit(c) & s.chosen_ply.is(ply as u128)));
    below.fold(s.root.when(at_root), |all, one| all.zip(&one, |a, b| a | b))
}
