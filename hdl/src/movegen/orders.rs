//! What enters the pipeline beside the moves of groups: the root, the root turned, and pawn drops that may be mate.
//!
//! ```text
//!               +--------+
//!   root       ->        => order 24   see `Order`
//!   turn       -> Orders -> valid      there is one
//!   counted 22 =>        => from 6     the row of the position that it is for
//!   may_mate   ->        -> tests_node a pawn drop of a node is tested
//!               +--------+
//! ```
//!
//! Handshake: `counted` is the tag of a position in the counting stage, and `may_mate` tells that a pawn drop of it may be mate.
//! `root`, `turn` and a pawn drop never come in the same clock: a walk has no `turn`, and its `root` comes before any drop; in a
//! request `turn` follows `root` sooner than the test of a drop does.
//! Latency: one clock. Throughput: one order a clock. Cost: 31 flip-flops.
//! Model: none. Absent: a queue; an order takes the place of a move at once.

use super::operation::Order;
use crate::network;
use crate::network::{Wire, Wires, Word};
use crate::position::{tag::ROW_BITS, Tag};
use rust_hdl::prelude::*;

network! {
    /// Gives orders.
    Orders = orders(OrdersIn) -> OrdersOut {
        in root: Wire;
        in turn: Wire;
        in counted: Tag;
        in may_mate: Wire;
        out order: Order;
        out valid: Wire;
        out from: Wires<ROW_BITS>;
        out tests_node: Wire;
    }
}

fn orders<W: Word>(inputs: OrdersIn<W>) -> OrdersOut<W> {
    let OrdersIn { root, turn, counted, may_mate } = inputs;
    let mate = (may_mate & counted.tested()).named("mate");
    let row = counted.row.when(mate);
    let tag =
        Tag { leaf: counted.leaf & mate, node: root | (counted.node & mate), turned: turn, mate, row, ..Tag::none() };
    let order = Order { valid: root | turn | mate, inject: root, tag };
    OrdersOut { order, valid: order.valid, from: row, tests_node: tag.node & mate }
}
