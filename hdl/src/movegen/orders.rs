//! What enters the pipeline beside the moves of groups: the root, the root turned, and pawn drops that may be mate.
//!
//! ```text
//!               +--------+
//!   root_node  ->        => order 24   see `Order`
//!   root_leaf  ->        -> valid      there is one
//!   turn       -> Orders => from 6     the row of the position that it is for
//!   slot 2     =>        -> tests_node a pawn drop of a node is tested
//!   counted 22 =>        |
//!   may_mate   ->        |
//!               +--------+
//! ```
//!
//! Handshake: `counted` is the tag of a position in the counting stage, and `may_mate` tells that a pawn drop of it may be mate.
//! A root that is a leaf is only counted. `slot` is the row of a root, or of the position whose null move is the `turn`.
//! Root, `turn` and a pawn drop never come in the same clock: the root of a walk comes before any drop, and `request_entry` waits.
//! Latency: one clock. Throughput: one order a clock. Cost: 32 flip-flops.
//! Model: none. Absent: a queue; an order takes the place of a move at once.

use super::operation::Order;
use super::request_slots::SLOT_BITS;
use crate::network;
use crate::network::{Wire, Wires, Word};
use crate::position::{tag::ROW_BITS, Tag};
use rust_hdl::prelude::*;

network! {
    /// Gives orders.
    Orders = orders(OrdersIn) -> OrdersOut {
        in root_node: Wire;
        in root_leaf: Wire;
        in turn: Wire;
        in slot: Wires<SLOT_BITS>;
        in counted: Tag;
        in may_mate: Wire;
        out order: Order;
        out valid: Wire;
        out from: Wires<ROW_BITS>;
        out tests_node: Wire;
    }
}

fn orders<W: Word>(inputs: OrdersIn<W>) -> OrdersOut<W> {
    let OrdersIn { root_node, root_leaf, turn, slot, counted, may_mate } = inputs;
    let mate = (may_mate & counted.tested()).named("mate");
    let root = (root_node | root_leaf).named("root");
    let row = counted.row.when(mate) | slot.extend(ROW_BITS).when(root | turn);
    let leaf = root_leaf | (counted.leaf & mate);
    let tag = Tag { leaf, node: root_node | (counted.node & mate), turned: turn, mate, row, ..Tag::none() };
    let order = Order { valid: root | turn | mate, inject: root, tag };
    OrdersOut { order, valid: order.valid, from: row, tests_node: tag.node & mate }
}
