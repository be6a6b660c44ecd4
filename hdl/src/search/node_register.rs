//! The node at the present ply, and how it changes.
//!
//! ```text
//!                   +--------------+
//!   takes 7        =>              => node 196   to be wired back to `node_in`
//!   entered 196    =>              |             see `Takes` for what each is
//!   returned 196   => NodeRegister |
//!   issued 196     =>              |
//!   ended 196      =>              |
//!   recalled 196   =>              |
//!   verdict 18     =>              |
//!   node_in 196    =>              |
//!                   +--------------+
//! ```
//!
//! Handshake: at most one of `takes` but for `unmakes`, which comes with `recalled`.
//! Latency: one clock. Throughput: one change a clock. Cost: 196 flip-flops.
//! Model: `host/model/src/search/walker.rs`. Absent: the changes themselves (`enter`, `returned`, `child`).

use super::judge_stages::Verdict;
use super::node::{Node, MADE_BITS};
use crate::network::{Wire, Word};
use crate::{bundle, network};
use rust_hdl::prelude::*;

bundle! {
    /// Which node is the present one from the next clock on; none of these if it stays.
    pub struct Takes {
        /// That which was entered.
        entered: Wire,
        /// That to which a score returned.
        returned: Wire,
        /// That which has issued a child.
        issued: Wire,
        /// That which begins anew.
        ended: Wire,
        /// That of the row.
        recalled: Wire,
        /// With it: its last move was none.
        unmakes: Wire,
        /// It stays, with another best score.
        judged: Wire,
    }
}

network! {
    /// Keeps the node.
    NodeRegister = keep_node(KeepNodeIn) -> KeepNodeOut {
        in takes: Takes;
        in entered: Node;
        in returned: Node;
        in issued: Node;
        in ended: Node;
        in recalled: Node;
        in verdict: Verdict;
        in node_in: Node;
        out node: Node;
    }
}

fn keep_node<W: Word>(inputs: KeepNodeIn<W>) -> KeepNodeOut<W> {
    let KeepNodeIn { takes, entered, returned, issued, ended, recalled, verdict, node_in } = inputs;
    // A pawn drop that mates was counted as a move; in quiescence it was a quiet one.
    let one = takes.unmakes;
    let recalled = Node {
        made: recalled.made.minus(one, MADE_BITS),
        evasions: recalled.evasions.minus(one & recalled.quiescence, 2),
        ..recalled
    };
    let stays = Node { best: takes.judged.choose(verdict.best, node_in.best), ..node_in };
    let mut node = stays;
    for (taken, other) in [
        (takes.entered, &entered),
        (takes.returned, &returned),
        (takes.issued, &issued),
        (takes.ended, &ended),
        (takes.recalled, &recalled),
    ] {
        node = Node::choose(taken, other, &node);
    }
    KeepNodeOut { node }
}
