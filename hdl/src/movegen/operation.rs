//! What goes from block to block on the way of a move: layouts, no block.
//!
//! A **node** is a position whose moves are kept: one for each context and ply. Its row in [`super::positions`] and its
//! groups in [`super::groups`] have the node's number. A **group** is the moves of one class and direction, or the drops of
//! one kind: squares of destination, all else in common.

use crate::bundle;
use crate::network::{Wire, Wires, Word};
use crate::position::{tag::ROW_BITS, Plane, Tag};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;

/// Trees that are walked side by side: while the moves of one node are made, the next node is on its way.
pub const CONTEXTS: usize = 1 << CONTEXT_BITS;
/// Bits of a context's number.
pub const CONTEXT_BITS: usize = 1;
/// Bits of a ply's number, counted from the root.
pub const PLY_BITS: usize = 3;
/// Bits of a node's number: its ply, then its context. Node 0 is the root of all contexts.
pub const NODE_BITS: usize = PLY_BITS + CONTEXT_BITS;
/// Bits of a group's number within a node.
pub const GROUP_BITS: usize = 6;
/// Rows of the positions that are no nodes: the last ones made, behind the nodes.
pub const RING_BITS: usize = ROW_BITS - 1;
const _: () = assert!(NODE_BITS <= RING_BITS && 1 << GROUP_BITS > super::group_planes::GROUPS);

bundle! {
    /// A group of moves, or one move.
    pub struct Group {
        /// Destinations.
        squares: Plane,
        /// Direction of travel, one wire each; none for a drop.
        direction: Wires<DIRECTIONS>,
        /// The kind dropped, one wire each; none for a board move.
        kind: Wires<HAND_KINDS>,
        /// They promote.
        promote: Wire,
    }
}

bundle! {
    /// A job: which groups of a node to make moves of.
    pub struct Job {
        /// The node.
        node: Wires<NODE_BITS>,
        /// The first group.
        first: Wires<GROUP_BITS>,
        /// The last group.
        last: Wires<GROUP_BITS>,
        /// What for; none if no job.
        aim: Aim,
    }
}

bundle! {
    /// The purpose of a job.
    pub struct Aim {
        /// All moves of the groups: the positions after them are leaves.
        leaf: Wire,
        /// With `leaf`: the host gets the moves.
        child: Wire,
        /// The first move of the group: the position after it becomes a node.
        one: Wire,
        /// With `one`: that node.
        to: Wires<NODE_BITS>,
        /// With `one`: the move is another unit's, and passed over.
        skip: Wire,
    }
}

bundle! {
    /// A group that is being read.
    pub struct Reading {
        /// The node.
        node: Wires<NODE_BITS>,
        /// The group.
        group: Wires<GROUP_BITS>,
        /// What for; none if nothing is read.
        aim: Aim,
    }
}

bundle! {
    /// An operation that is no move of a group.
    pub struct Order {
        /// There is one.
        valid: Wire,
        /// The position comes from outside, turned, and not from a row.
        inject: Wire,
        /// What becomes of the position after it. With `mate`, the operation is a pawn drop in front of the enemy king,
        /// else the null move.
        tag: Tag,
    }
}

bundle! {
    /// An operation on its way to the position after it.
    pub struct Operation {
        /// The move; all zero for the null move, and but for the kind for a pawn drop in front of the enemy king.
        mv: Group,
        /// The position comes from outside.
        inject: Wire,
        /// What becomes of the position after it.
        tag: Tag,
    }
}

impl<W: Word> Aim<W> {
    /// There is something to do.
    pub fn any(&self) -> W {
        self.leaf | self.one
    }
}

impl<W: Word> Reading<W> {
    /// Its address in [`super::groups`].
    pub fn address(&self) -> W {
        W::join(&[self.group, self.node])
    }
}
