//! Picks one move a clock from the groups that are read.
//!
//! ```text
//!                  +--------+
//!   order 24      =>        => op 122        the operation of this clock, see `Operation`
//!   reading 18    =>        -> makes         there is one
//!   group 99      =>        -> picked        the move of a job for one move is picked
//!   state_in 159  =>        -> left          with `picked`: its group has more moves, which are `rest`
//!   rest_in 99    =>  Pick  -> puts_back     `picked` and `left`
//!                  |        => state 159     to be wired back to `state_in`; see `PickState`
//!                  |        => rest 99       to be wired back to `rest_in`
//!                  |        -> more, next_valid, coming_valid     see `PickState`
//!                  |        => rest_node 4, next_node 4           nodes of the next move: of `rest` if `more`
//!                  |        => rest_at 10, coming_at 10           addresses of groups
//!                  +--------+
//! ```
//!
//! Handshake: `reading` is the group that is read in this clock, `group` the one that was read in the clock before
//! (`coming_at`). A reading is taken in each clock in which the unit does not repeat the read at `coming_at`, which it must
//! where `coming_valid` and not `next_free`. An order takes the place of a move.
//! Latency: from `reading` to its first move three clocks. Throughput: one operation a clock.
//! Cost: 385 flip-flops.
//! Method: groups pass through three registers: the one that is being read, the next one, and the one of the last move,
//! which is being emptied. So a group of one move costs no extra clock.
//! Model: `host/model/src/movegen/serialise.rs`. Absent: origins of moves (`trace`, `origin`).
//! Proof: `hdl/formal/pick`.

use super::groups::ADDRESS_BITS;
use super::operation::{Group, Operation, Order, Reading, NODE_BITS, RING_BITS};
use crate::network::{Wire, Wires, Word};
use crate::position::Tag;
use crate::{bundle, network};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

bundle! {
    /// What is kept from clock to clock.
    pub struct PickState {
        /// The group that is read in this clock; its moves come in the next one.
        coming: Reading,
        /// The next group, and whose it is.
        next: Group,
        /// Whose it is; no aim if there is none.
        next_of: Reading,
        /// Whose the rest of the last move's group is.
        rest_of: Reading,
        /// There is a rest whose moves come next.
        more: Wire,
        /// The row for the next leaf.
        ring: Wires<RING_BITS>,
    }
}

network! {
    /// Picks moves.
    Pick = pick(PickIn) -> PickOut {
        in order: Order;
        in reading: Reading;
        in group: Group;
        in state_in: PickState;
        in rest_in: Group;
        out op: Operation;
        out makes: Wire;
        out picked: Wire;
        out left: Wire;
        out puts_back: Wire;
        out state: PickState;
        out rest: Group;
        out more: Wire;
        out next_valid: Wire;
        out coming_valid: Wire;
        out rest_node: Wires<NODE_BITS>;
        out next_node: Wires<NODE_BITS>;
        out rest_at: Wires<ADDRESS_BITS>;
        out coming_at: Wires<ADDRESS_BITS>;
    }
}

fn pick<W: Word>(inputs: PickIn<W>) -> PickOut<W> {
    let PickIn { order, reading, group, state_in: s, rest_in } = inputs;
    let moves = !order.valid;
    let next_valid = s.next_of.aim.any().named("next_valid");
    let next_free = (!next_valid | (moves & !s.more)).named("next_free");
    let coming_free = (next_free | !s.coming.aim.any()).named("coming_free");

    // The last move's group if it has more, else the next: its lowest square is the move of this clock.
    let from = Group::choose(s.more, &rest_in, &s.next);
    let of = Reading::choose(s.more, &s.rest_of, &s.next_of);
    let square = from.squares.named("from_squares").lowest().named("square");
    let valid = (moves & (s.more | next_valid)).named("valid");
    let several = from.squares.several().named("several");
    let one = (valid & of.aim.one).named("one");

    let tag = Tag {
        leaf: valid & of.aim.leaf,
        child: valid & of.aim.child,
        node: one & !of.aim.skip,
        row: W::join(&[of.aim.leaf.choose(s.ring, of.aim.to.extend(RING_BITS)), of.aim.leaf]),
        ..Tag::none()
    };
    let pawn = W::join(&[order.tag.mate, W::zero(HAND_KINDS - 1)]);
    let mv = Group {
        squares: square.when(moves),
        direction: from.direction.when(moves),
        kind: order.valid.choose(pawn, from.kind),
        promote: from.promote & moves,
    };
    let rest = Group { squares: from.squares & !square, ..from };
    let state = PickState {
        coming: Reading::choose(coming_free, &reading, &s.coming),
        next: Group::choose(next_free, &group, &s.next),
        next_of: Reading::choose(next_free, &s.coming, &s.next_of),
        rest_of: Reading::choose(moves, &of, &s.rest_of),
        more: moves.choose(valid & several & !of.aim.one, s.more),
        ring: s.ring.plus(tag.leaf, RING_BITS),
    };
    PickOut {
        op: Operation { mv, inject: order.valid & order.inject, tag: Tag::choose(order.valid, &order.tag, &tag) },
        makes: valid | order.valid,
        picked: one,
        left: several,
        puts_back: one & several,
        rest: Group::choose(moves, &rest, &rest_in),
        more: state.more,
        next_valid: state.next_of.aim.any(),
        coming_valid: state.coming.aim.any(),
        rest_node: state.rest_of.node,
        next_node: state.next_of.node,
        rest_at: state.rest_of.address(),
        coming_at: state.coming.address(),
        state,
    }
}
