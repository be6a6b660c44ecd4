//! Puts together what the blocks of a walker ask each other.
//!
//! ```text
//!                  +--------+
//!   request 256   =>        => head 72       what the request says
//!   orders 23     =>        => mask 15       its table's rows less one
//!                 |        => keeps 1       the table is kept
//!   place 139     =>        => change 24     the move that is made
//!   node 196      =>        => arrival 83    what is known of the position that is entered
//!   outcome 6     => Gather => result 45     for the table
//!   ending 41     =>        => root 48       how an iteration has left the root
//!   has_move, in_check, eval 16  => takes 7       how the node changes
//!   repeats 3     =>        -> at_root       the ply is the root's
//!   entry 39      =>        -> passes        the node waits to make a null move
//!   earlier 17    =>        -> last_pick     the step may refuse one more move
//!   known 15      =>        -> stores, raises, learns, fails, forgets    the table, the line, killers and counters change
//!   iteration 6   =>        => ply 6, child 66, score 16, picked 28, picking 43, counter 15   parts of `place`
//!   returned 196  =>        => raised 15, node_limit 64, step_limit 64    parts of `returned` and `request`
//!   entered 18, verdict 18  -> last_iteration, has_score, no_move, refused, razored    parts of the answers
//!   following 41  =>        => moving 66     the child whose move is made
//!   candidate 23  =>        |
//!                  +--------+
//! ```
//!
//! Handshake: none.
//! Latency: none. Cost: some gates. Model: `host/model/src/search/walker.rs`. Absent: registers (`present`).
//! Throughput: all in each clock.

use super::arrival::{Arrival, Entered, Entry};
use super::child::MAKE;
use super::control_state::Orders;
use super::iteration::{Iteration, Root};
use super::judge_stages::Verdict;
use super::keys::Change;
use super::node::{has, Candidate, Child, Head, Move, Node, Plies, Score, NULL};
use super::node_register::Takes;
use super::order;
use super::path::Repeats;
use super::present::{Picking, Place};
use super::request::Request;
use super::returned::{Ending, Outcome};
use super::table::NewEntry;
use super::table_rows::ADDRESS_BITS;
use crate::network::{Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::search::Technique;
use rust_hdl::prelude::*;

bundle! {
    /// The node two plies before.
    pub struct Before {
        /// Its evaluation.
        eval: Score,
        /// Its mover was in check.
        in_check: Wire,
    }
}

network! {
    /// Puts questions together.
    Gather = gather(GatherIn) -> GatherOut, unclocked {
        in request: Request;
        in orders: Orders;
        in place: Place;
        in node: Node;
        in outcome: Outcome;
        in ending: Ending;
        in has_move: Wire;
        in in_check: Wire;
        in eval: Score;
        in repeats: Repeats;
        in entry: Entry;
        in earlier: Before;
        in known: Move;
        in returned: Node;
        in entered: Entered;
        in verdict: Verdict;
        in candidate: Candidate;
        in following: Iteration;
        in iteration: Plies;
        out head: Head;
        out mask: Wires<ADDRESS_BITS>;
        out keeps: Wire;
        out change: Change;
        out arrival: Arrival;
        out result: NewEntry;
        out root: Root;
        out takes: Takes;
        out at_root: Wire;
        out passes: Wire;
        out last_pick: Wire;
        out stores: Wire;
        out raises: Wire;
        out learns: Wire;
        out fails: Wire;
        out forgets: Wire;
        out ply: Plies;
        out child: Child;
        out moving: Child;
        out score: Score;
        out picked: order::Place;
        out picking: Picking;
        out counter: Move;
        out raised: Move;
        out node_limit: Wires<64>;
        out step_limit: Wires<64>;
        out last_iteration: Wire;
        out has_score: Wire;
        out no_move: Wire;
        out refused: Wire;
        out razored: Wire;
    }
}

fn gather<W: Word>(inputs: GatherIn<W>) -> GatherOut<W> {
    let GatherIn { request: r, orders: o, place, node, outcome, ending, .. } = inputs;
    let GatherIn { has_move, in_check, eval, repeats, entry, earlier, known, .. } = inputs;
    let GatherIn { returned, entered, verdict, candidate, following, iteration, .. } = inputs;
    let head = Head {
        techniques: r.techniques.slice(0, Technique::ALL.len()),
        alpha: r.alpha,
        beta: r.beta,
        draw: r.draw,
        depth: r.depth.slice(0, 6),
    };
    let mask = (0..ADDRESS_BITS).map(|bit| !r.table_bits.below(W::constant(bit as u128 + 2, 8)));
    let at_root = (!place.ply.any()).named("root_ply");
    let arrival = Arrival {
        ply: place.ply,
        repeats: repeats.valid,
        wins: repeats.wins,
        loses: repeats.loses,
        has_move,
        in_check,
        eval,
        has_before: place.ply.slice(1, 5).any() & !earlier.in_check,
        before: earlier.eval,
        entry: Entry { best: at_root.choose(known, entry.best), ..entry },
    };
    let result = NewEntry {
        entry: Entry { bound: ending.bound, best: node.best_move, score: ending.stored, depth: ending.depth },
        iteration,
    };
    let takes = Takes {
        entered: o.takes_entered,
        returned: o.takes_returned,
        issued: o.takes_issued,
        ended: o.takes_again,
        recalled: o.recalls,
        unmakes: o.unmakes,
        judged: o.takes_verdict,
    };
    // A candidate's move is made while it is judged.
    let made = o.what.is(MAKE).named("made");
    let (last, has_last) = (Candidate::choose(made, &candidate, &place.child.last), made | place.child.has_last);
    GatherOut {
        head,
        mask: W::join(&mask.collect::<Vec<W>>()),
        keeps: r.keeps,
        change: Change { candidate: last, pass: !has_last },
        arrival,
        result,
        root: Root { alpha: node.child.alpha, beta: node.child.beta, best: node.best },
        takes,
        at_root,
        passes: node.waiting.is(NULL),
        last_pick: !(!place.refused).any(),
        stores: o.takes_end & has(head.techniques, Technique::Table),
        raises: o.takes_returned & outcome.raises_line,
        learns: o.takes_returned & outcome.learns,
        fails: o.takes_returned & outcome.fails,
        forgets: o.begins_picking & !node.quiescence,
        ply: place.ply,
        child: place.child,
        moving: Child { last, has_last, ..place.child },
        score: place.score,
        picked: place.picking.place,
        picking: place.picking,
        counter: place.picking.counter,
        raised: returned.best_move,
        node_limit: r.nodes,
        step_limit: r.steps,
        last_iteration: following.ends,
        has_score: entered.valid,
        no_move: entered.pawn_drop_mate,
        refused: verdict.refuse,
        razored: ending.again,
    }
}
