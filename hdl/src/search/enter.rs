//! A node is entered: its score, if it has one without a search of its moves, and how it begins if not.
//!
//! ```text
//!                 +---------+
//!   clock        ->         => entered 18   see `Entered`
//!   head 72      =>  Enter  => node 196     the node, where its moves are searched
//!   child 66     =>         |
//!   arrival 83   =>         |
//!                 +---------+
//!
//!   bounds -> compare -> conclude
//! ```
//!
//! Handshake: none. `head` stays while a node passes.
//! Latency: three clocks. Throughput: one node per clock.
//! Cost: 791 flip-flops.
//! Method: first the bounds that a mate sets, and the table's score; then all comparisons with them, side by side; then what
//! applies first.
//! Model: `host/model/src/search/enter.rs`. Absent: the repetition (`path`), the entry (`table`), the evaluation.

use super::arrival::{Arrival, Entered};
use super::enter_bounds::Bounds;
use super::enter_stages::{Compare, Conclude};
use super::node::{Child, Head, Node};
use crate::network::width;
use rust_hdl::prelude::*;

/// Clocks from a position to what becomes of its node.
pub const ENTER_CLOCKS: u64 = 3;

/// Enters nodes.
#[derive(LogicBlock, Default)]
pub struct Enter {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The request.
    pub head: Signal<In, Bits<{ width::<Head>() }>>,
    /// Where the node begins.
    pub child: Signal<In, Bits<{ width::<Child>() }>>,
    /// What is known of its position.
    pub arrival: Signal<In, Bits<{ width::<Arrival>() }>>,
    /// What becomes of it.
    pub entered: Signal<Out, Bits<{ width::<Entered>() }>>,
    /// The node.
    pub node: Signal<Out, Bits<{ width::<Node>() }>>,
    bounds: Bounds,
    compare: Compare,
    conclude: Conclude,
}

impl Logic for Enter {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, bounds, compare, conclude);
        self.bounds.head.next = self.head.val();
        self.bounds.child.next = self.child.val();
        self.bounds.arrival.next = self.arrival.val();

        self.compare.node_in.next = self.bounds.node.val();
        self.compare.early_in.next = self.bounds.early.val();
        self.compare.seen_in.next = self.bounds.seen.val();
        self.compare.root_in.next = self.bounds.root.val();
        self.compare.passing_in.next = self.bounds.passing.val();

        self.conclude.head.next = self.head.val();
        self.conclude.node_in.next = self.compare.node.val();
        self.conclude.early_in.next = self.compare.early.val();
        self.conclude.seen_in.next = self.compare.seen.val();
        self.conclude.root_in.next = self.compare.root.val();
        self.conclude.flags_in.next = self.compare.flags.val();
        self.conclude.razor_in.next = self.compare.razor.val();
        self.conclude.reverse_in.next = self.compare.reverse.val();
        self.conclude.between_in.next = self.compare.between.val();

        self.entered.next = self.conclude.entered.val();
        self.node.next = self.conclude.node.val();
    }
}
