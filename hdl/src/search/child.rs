//! A move is made: the depth and the window of its search.
//!
//! ```text
//!                 +---------+
//!   clock        ->         => child 66    where the child begins
//!   head 72      =>         => node 196    the node, with its current move
//!   node_in 196  =>  Issue  |
//!   order 34     =>         |              see `Order`
//!                 +---------+
//!
//!   weigh -> aim -> bear
//! ```
//!
//! Handshake: none. `head` and `node_in` stay while a move passes.
//! Latency: three clocks. Throughput: one move per clock.
//! Cost: 505 flip-flops.
//! Method: the first clock finds what the move adds to the reduction, since the move comes late from block RAM. All windows and depths come of
//! the node by wires and short sums; the third clock chooses.
//! Model: `host/model/src/search/child.rs`. Absent: the position after the move (`movegen::move_maker`), the reduction
//! (`reduction`).

use super::node::*;
use super::number::*;
use super::reduction::REDUCTION_BITS;
use crate::network::{width, Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::search::Technique;
use hayasashi_spec::search_table::*;
use rust_hdl::prelude::*;

/// Clocks from a move to its child.
pub const ISSUE_CLOCKS: u64 = 3;

/// Make the candidate the current move.
pub const MAKE: u128 = 0;
/// Search the current move again with a null window.
pub const AGAIN: u128 = 1;
/// Search it with the window of the node.
pub const WIDE: u128 = 2;
/// Make a null move.
pub const PASS: u128 = 3;

/// First class whose moves are promising: the first killer.
const FIRST_PROMISING: u128 = 2;
/// The last: quiet checks.
const LAST_PROMISING: u128 = 5;
/// Class of the captures and promotions that lose material.
const LOSING: u128 = 9;
/// Steps of the null move's reduction.
const NULL_STEPS: usize = 3;

bundle! {
    /// What is to be searched.
    pub struct Order {
        /// [`MAKE`] and so on.
        what: Wires<2>,
        /// The candidate.
        candidate: Candidate,
        /// Its class.
        class: Class,
        /// It gives check.
        checks: Wire,
        /// Its reduction.
        plies: Wires<REDUCTION_BITS>,
    }
}

network! {
    /// What counts for the reduction.
    Weigh = weigh(WeighIn) -> WeighOut {
        in head: Head;
        in node: Node;
        in order_in: Order;
        out order: Order;
        out late: Wire;
        out promising: Wire;
        out plies: Wires<5>;
    }
}

network! {
    /// The current move, and how deep its search is.
    Aim = aim(AimIn) -> AimOut {
        in node_in: Node;
        in order: Order;
        in late: Wire;
        in promising: Wire;
        in plies: Wires<5>;
        out node: Node;
        out null_depth: Plies;
        out null_steps: Wires<NULL_STEPS>;
        out pass: Wire;
    }
}

network! {
    /// The child.
    Bear = bear(BearIn) -> BearOut {
        in node_in: Node;
        in null_depth: Plies;
        in null_steps: Wires<NULL_STEPS>;
        in pass: Wire;
        out node: Node;
        out child: Child;
    }
}

fn weigh<W: Word>(inputs: WeighIn<W>) -> WeighOut<W> {
    let WeighIn { head, node: n, order_in: o } = inputs;
    let more = (n.made.slice(1, MADE_BITS - 1).any() | (n.made.bit(0) & !n.open)).named("more");
    let late = has(head.techniques, Technique::LateMoveReductions)
        & n.child.depth.slice(1, 5).any()
        & more
        & (o.candidate.is_quiet() | o.class.is(LOSING));
    const { assert!(REDUCTION_DEPTH == 2) };
    let by_class = !o.class.below(W::constant(FIRST_PROMISING, 4)) & o.class.below(W::constant(LAST_PROMISING + 1, 4));
    // Two more than the reduction with what the node adds.
    let plies = o.plies.plus(W::constant(2, 2), 5).plus(n.child.cut, 5).minus(n.open, 5);
    WeighOut { order: o, late, promising: by_class | n.in_check | o.checks, plies }
}

fn aim<W: Word>(inputs: AimIn<W>) -> AimOut<W> {
    let AimIn { node_in: n, order: o, late, promising, plies } = inputs;
    let makes = o.what.is(MAKE).named("makes");
    let quiet = o.candidate.is_quiet().named("quiet");
    let depth = n.child.depth;
    let next_depth = depth.minus(W::constant(1, 1), 6).named("next_depth");
    let first = !n.made.any();
    let plies = plies.minus(promising, 5).named("plies");
    let none = plies.below(W::constant(2, 5));
    let plies = plies.minus(W::constant(2, 2), 5).when(!none).named("reduction");
    let reduced = plies.below(next_depth).choose(next_depth.minus(plies, 6), W::constant(1, 6)).named("reduced");

    let kind = late.choose(W::constant(REDUCED, 2), first.choose(W::constant(OPEN, 2), W::constant(NULL_WINDOW, 2)));
    let of_move = n.quiescence.choose(W::constant(OPEN, 2), kind);
    let again = o.what.bit(0).choose(W::constant(NULL_WINDOW, 2), W::constant(OPEN, 2));
    let pass = o.what.is(PASS);
    let evasions = n.evasions.plus(!(n.evasions.bit(0) & n.evasions.bit(1)), 2);
    let node = Node {
        made: n.made.plus(makes, MADE_BITS),
        evasions: (makes & n.quiescence & quiet).choose(evasions, n.evasions),
        current: Candidate::choose(makes, &o.candidate, &n.current),
        class: makes.choose(o.class, n.class),
        waiting: makes.choose(of_move, pass.choose(n.waiting, again)),
        reduced: (makes & late & !n.quiescence).choose(reduced, n.reduced),
        ..n
    };

    let above = subtract(n.eval, n.child.beta, SCORE_BITS + 1).named("above");
    let step = |i: i32| !less(above, constant(200 * (i + 1), SCORE_BITS + 1));
    let unreduced = table(33, |depth| (depth - null_move_reduction(depth, 0)).max(0));
    AimOut {
        node,
        null_depth: entry(depth, &unreduced, 6),
        null_steps: W::join(&(0..NULL_STEPS as i32).map(step).collect::<Vec<W>>()),
        pass,
    }
}

fn bear<W: Word>(inputs: BearIn<W>) -> BearOut<W> {
    let BearIn { node_in: n, null_depth, null_steps, pass } = inputs;
    let next_depth = n.child.depth.minus(W::constant(1, 1), 6).named("next_depth");
    let steps = null_steps.popcount().named("steps");
    let null_depth = null_depth.minus(steps, 6).named("less").when(!null_depth.below(steps));

    let wide = (n.waiting.is(OPEN) & !pass).named("wide");
    let reduced = (n.waiting.is(REDUCED) & !pass).named("reduced");
    let ends = (wide | pass).named("ends");
    let not_alpha = negative(n.alpha).named("not_alpha");
    let not_beta = negative(n.child.beta).named("not_beta");
    let below_alpha = (!n.alpha).named("below_alpha");
    let above_beta = not_beta.plus(W::constant(1, 1), SCORE_BITS).named("above_beta");
    let quiet = (n.quiescence & wide).named("quiet");
    let depth = pass.choose(null_depth, reduced.choose(n.reduced, next_depth));
    let child = Child {
        alpha: ends.choose(not_beta, below_alpha),
        beta: pass.choose(above_beta, not_alpha),
        depth: depth.when(!quiet),
        cut: reduced | (!n.child.cut & !(wide & n.open)),
        quiet_ply: n.child.quiet_ply.plus(W::constant(1, 1), 3).named("quiet_ply").when(quiet),
        has_last: !pass,
        last: n.current.when(!pass),
    };
    BearOut { node: n, child }
}

/// Issues children.
#[derive(LogicBlock, Default)]
pub struct Issue {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The request.
    pub head: Signal<In, Bits<{ width::<Head>() }>>,
    /// The node before the move.
    pub node_in: Signal<In, Bits<{ width::<Node>() }>>,
    /// What is to be searched.
    pub order: Signal<In, Bits<{ width::<Order>() }>>,
    /// The node with its current move.
    pub node: Signal<Out, Bits<{ width::<Node>() }>>,
    /// Where the child begins.
    pub child: Signal<Out, Bits<{ width::<Child>() }>>,
    weigh: Weigh,
    aim: Aim,
    bear: Bear,
}

impl Logic for Issue {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, weigh, aim, bear);
        self.weigh.head.next = self.head.val();
        self.weigh.node.next = self.node_in.val();
        self.weigh.order_in.next = self.order.val();
        self.aim.node_in.next = self.node_in.val();
        self.aim.order.next = self.weigh.order.val();
        self.aim.late.next = self.weigh.late.val();
        self.aim.promising.next = self.weigh.promising.val();
        self.aim.plies.next = self.weigh.plies.val();
        self.bear.node_in.next = self.aim.node.val();
        self.bear.null_depth.next = self.aim.null_depth.val();
        self.bear.null_steps.next = self.aim.null_steps.val();
        self.bear.pass.next = self.aim.pass.val();
        self.node.next = self.bear.node.val();
        self.child.next = self.bear.child.val();
    }
}
