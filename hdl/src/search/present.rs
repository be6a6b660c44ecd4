//! Where a walker is: the ply, where its node begins, the score of a child, and how far the node's moves are picked.
//!
//! ```text
//!                  +---------+
//!   orders 23     =>         => place 139   see `Place`; to be wired back to `place_in`
//!   issued 66     =>         |              the child that the node issues, from `child`
//!   following 41  =>         |              the next iteration, from `answer`
//!   entered 18    => Present |              what became of the node entered
//!   ending 41     =>         |              what becomes of the node that ends
//!   verdict 18    =>         |              what becomes of the candidate
//!   picked 28     =>         |              the place of the candidate in the order
//!   counter 15    =>         |              the node's counter move
//!   recalled 43   =>         |              the row's place in the order and counter move
//!   place_in 139  =>         |
//!                  +---------+
//! ```
//!
//! Handshake: see [`super::control_state::Orders`].
//! Latency: one clock. Throughput: one change a clock. Cost: 139 flip-flops.
//! Model: `host/model/src/search/walker.rs`. Absent: the node (`node_register`), the position (`spot`), keys (`known`).

use super::arrival::Entered;
use super::control_state::Orders;
use super::iteration::Iteration;
use super::judge_stages::Verdict;
use super::node::{Candidate, Child, Move, Plies, Score};
use super::number::negative;
use super::order;
use super::returned::Ending;
use crate::network::{Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::search_table::PICKS_A_STEP;
use rust_hdl::prelude::*;

/// Wires of the number of moves that a step has refused.
const REFUSED_BITS: usize = 2;
const _: () = assert!(PICKS_A_STEP == 1 << REFUSED_BITS);

bundle! {
    /// How far a node's moves are picked.
    pub struct Picking {
        /// The place in the order.
        place: order::Place,
        /// The node's counter move.
        counter: Move,
    }
}

bundle! {
    /// Where a walker is.
    pub struct Place {
        /// The ply.
        ply: Plies,
        /// Where the node at this ply begins, or the child that it has issued.
        child: Child,
        /// The score of a child for this mover.
        score: Score,
        /// How far its moves are picked.
        picking: Picking,
        /// Moves that this step has refused.
        refused: Wires<REFUSED_BITS>,
    }
}

network! {
    /// Keeps where a walker is.
    Present = present(PresentIn) -> PresentOut {
        in orders: Orders;
        in issued: Child;
        in following: Iteration;
        in entered: Entered;
        in ending: Ending;
        in verdict: Verdict;
        in picked: order::Place;
        in counter: Move;
        in recalled: Picking;
        in place_in: Place;
        out place: Place;
    }
}

fn present<W: Word>(inputs: PresentIn<W>) -> PresentOut<W> {
    let PresentIn { orders: o, issued, following, entered, ending, .. } = inputs;
    let PresentIn { verdict, picked, counter, recalled, place_in: p, .. } = inputs;
    let one = W::constant(1, 1);
    let down = p.ply.plus(one, 6).named("down");
    let up = p.ply.minus(one, 6).named("up");
    let ply = o.takes_child.choose(down, o.recalls.choose(up, p.ply)).when(!o.loads_image);
    let none = W::zero(1);
    let no_move = Candidate { mv: W::zero(15), moved: W::zero(4), captured: W::zero(4) };
    let Iteration { alpha, beta, iteration: depth, .. } = following;
    let root = Child { alpha, beta, depth, cut: none, quiet_ply: W::zero(3), has_last: none, last: no_move };
    let child = Child::choose(o.takes_issued, &issued, &Child::choose(o.iterates, &root, &p.child));
    let score = o.takes_score.choose(negative(entered.score), o.takes_end.choose(ending.score, p.score));

    let passed = order::Place::choose(verdict.refuse_quiets, &order::Place::before_losing(), &picked);
    let first = Picking { place: order::Place { class: W::zero(4), key: W::zero(order::KEY_BITS) }, counter };
    let picking = Picking { place: order::Place::choose(o.takes_verdict, &passed, &p.picking.place), ..p.picking };
    let picking = Picking::choose(o.begins_picking, &first, &picking);
    let refused = p.refused.plus(o.takes_verdict, REFUSED_BITS).when(!o.steps);
    PresentOut {
        place: Place {
            ply,
            child: child.when(!o.loads_image),
            score,
            picking: Picking::choose(o.recalls, &recalled, &picking),
            refused,
        },
    }
}
