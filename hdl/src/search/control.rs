//! The order in which a walker does things: what it does next, by what its blocks have found.
//!
//! ```text
//!                   +---------+
//!   start, stop    ->         => orders 23     what is done in this clock, see `Orders`; some also as wires of their own
//!   pause, reset   -> Control -> busy, paused  to the controller
//!   findings       =>         => state 35      the register behind `state_in`
//!   state_in 35    =>         |
//!                   +---------+
//! ```
//!
//! ```text
//!   idle -> load -> set up -> push root -> begin
//!   begin -> iterate -> look -> meet -> enter               an iteration begins at the root
//!   begin -> arrive -> find -> meet -> enter                the position after a move
//!            enter -> start -> pick                         its moves are searched
//!            enter -> leave -> return                       it has a score
//!            enter -> leave -> pick                         its last move was none
//!   begin -> return -> raise -> pick, issue or finish       a score returns
//!   begin -> pick -> picking -> judge -> pick, begin or issue
//!            pick, picking -> issue, finish                 a null move; no move is left
//!            issue -> make -> look -> begin                 a move is made
//!            finish -> store -> begin, or leave -> begin    a node ends
//!            finish -> start -> begin                       razoring was wrong
//! ```
//!
//! Handshake: `start` for one clock while not `busy`. Of the findings, those that are ready or done are waited for; the others are looked at
//! when the block behind them has had its clocks.
//! Latency: none: `orders` follow the findings at once. Throughput: one step at a time. Cost: 35 flip-flops around it.
//! Model: `host/model/src/search/walker.rs`. Absent: all data (`present`, `decisions`).

use super::child::{AGAIN, ISSUE_CLOCKS, MAKE, PASS, WIDE};
use super::control_state::*;
use super::returned::Outcome;
use super::{enter::ENTER_CLOCKS, iteration::ITERATE_CLOCKS, judge::JUDGE_CLOCKS};
use crate::network;
use crate::network::{word::or_all, Wire, Wires, Word};
use rust_hdl::prelude::*;

network! {
    /// Says what a walker does.
    Control = control(ControlIn) -> ControlOut, unclocked {
        in start: Wire;
        in stop: Wire;
        in pause: Wire;
        in reset: Wire;
        in prepared: Wire;
        in no_steps: Wire;
        in no_nodes: Wire;
        in at_root: Wire;
        in looked: Wire;
        in scored: Wire;
        in keys_ready: Wire;
        in path_ready: Wire;
        in table_ready: Wire;
        in line_ready: Wire;
        in last_iteration: Wire;
        in has_score: Wire;
        in no_move: Wire;
        in outcome: Outcome;
        in passes: Wire;
        in picked: Wire;
        in has_candidate: Wire;
        in refused: Wire;
        in last_pick: Wire;
        in razored: Wire;
        in state_in: ControlState;
        out orders: Orders;
        out loads_image: Wire;
        out makes_root_keys: Wire;
        out looks: Wire;
        out takes_keys: Wire;
        out finds: Wire;
        out steps: Wire;
        out iterates: Wire;
        out recalls: Wire;
        out reads_parent: Wire;
        out pushes: Wire;
        out picks: Wire;
        out takes_issued: Wire;
        out makes_keys: Wire;
        out makes_child: Wire;
        out takes_child: Wire;
        out what: Wires<2>;
        out busy: Wire;
        out paused: Wire;
        out state: ControlState;
    }
}

/// From a child to its position, unless it was made while its candidate was judged.
const MAKE_CLOCKS: u64 = 2;
/// From a node to its counter move.
const START_CLOCKS: u64 = 2;
/// From a node to what its score or its end does to it, and to how its moves are picked.
const NODE_CLOCKS: u64 = 1;
/// From a change of the ply to how its moves are picked.
const UNMAKE_CLOCKS: u64 = 3;

fn control<W: Word>(inputs: ControlIn<W>) -> ControlOut<W> {
    let ControlIn { start, stop, pause, reset, state_in: s, .. } = inputs;
    let f = inputs;
    let idle = !s.at.any();
    let waited = (!s.wait.any()).named("waited");
    let at = |state: usize| s.at.bit(state);
    let now = |state: usize| s.at.bit(state) & waited;
    let event = |event: usize| s.event.bit(event);
    let begins = (at(BEGIN) & !stop & !pause & !f.no_steps).named("begins");
    let goes_on = (!f.has_score & !f.no_move).named("goes_on");
    let found = (f.looked & f.scored & f.path_ready & f.table_ready).named("found");
    let pushes = (now(FIND) & f.looked).named("pushes_it");
    let made = s.what.is(MAKE).named("made");
    let picks = (now(PICK) & !f.passes & f.looked).named("picks");
    let recalls = (at(LEAVE) & f.path_ready).named("recalls");
    let stored = (now(STORE) & f.table_ready).named("stored");
    let raised = (at(RAISE) & f.line_ready).named("raised");
    let refused = (now(JUDGE) & f.refused).named("refused");
    let looks = (at(LOAD) | at(LOOK)).named("looks_at_it");
    // From, if, to, and the clocks to wait there.
    let moves = [
        (IDLE, idle & start, LOAD, 0),
        (LOAD, at(LOAD), SET_UP, 0),
        (SET_UP, at(SET_UP) & f.prepared & f.looked, PUSH_ROOT, NODE_CLOCKS),
        (PUSH_ROOT, now(PUSH_ROOT) & found, BEGIN, 0),
        // A score that is on its way would come to the next search.
        (BEGIN, at(BEGIN) & (stop | (!pause & f.no_steps)) & f.scored, IDLE, 0),
        (BEGIN, begins & event(ITERATION), ITERATE, ITERATE_CLOCKS),
        (BEGIN, begins & event(ARRIVED), ARRIVE, 0),
        (BEGIN, begins & event(RETURNED), RETURN, 0),
        (BEGIN, begins & event(REFUSED), PICK, 0),
        (ITERATE, now(ITERATE) & f.last_iteration, IDLE, 0),
        (ITERATE, now(ITERATE) & !f.last_iteration, LOOK, 0),
        // The root is in the path already, and its step has begun.
        (LOOK, at(LOOK) & f.at_root, MEET, 0),
        (LOOK, at(LOOK) & !f.at_root, BEGIN, 0),
        (ARRIVE, at(ARRIVE) & f.keys_ready, FIND, NODE_CLOCKS),
        (FIND, pushes, MEET, 0),
        (MEET, at(MEET) & found, ENTER, ENTER_CLOCKS - 1),
        (ENTER, now(ENTER) & goes_on, START, START_CLOCKS),
        (ENTER, now(ENTER) & !goes_on, LEAVE, 0),
        (START, now(START) & !s.anew, PICK, NODE_CLOCKS),
        (START, now(START) & s.anew, BEGIN, 0),
        (LEAVE, recalls & s.left.bit(SCORED), RETURN, NODE_CLOCKS),
        (LEAVE, recalls & s.left.bit(NO_MOVE), PICK, UNMAKE_CLOCKS),
        (LEAVE, recalls & s.left.bit(ENDED), BEGIN, 0),
        (RETURN, now(RETURN), RAISE, 0),
        (RAISE, raised & s.finishes, FINISH, 0),
        (RAISE, raised & s.again, ISSUE, ISSUE_CLOCKS),
        (RAISE, raised & !s.finishes & !s.again, PICK, 0),
        (PICK, now(PICK) & f.passes, ISSUE, ISSUE_CLOCKS),
        (PICK, picks, PICKING, 0),
        (PICKING, at(PICKING) & f.picked & f.has_candidate, JUDGE, JUDGE_CLOCKS - 1),
        (PICKING, at(PICKING) & f.picked & !f.has_candidate, FINISH, 0),
        (JUDGE, refused & !f.last_pick, PICK, 0),
        (JUDGE, refused & f.last_pick, BEGIN, 0),
        (JUDGE, now(JUDGE) & !f.refused, ISSUE, 0),
        (ISSUE, now(ISSUE) & f.no_nodes, IDLE, 0),
        (ISSUE, now(ISSUE) & !f.no_nodes & made, MAKE_MOVE, 0),
        (ISSUE, now(ISSUE) & !f.no_nodes & !made, MAKE_MOVE, MAKE_CLOCKS),
        (MAKE_MOVE, now(MAKE_MOVE), LOOK, 0),
        (FINISH, now(FINISH) & f.razored, START, START_CLOCKS),
        (FINISH, now(FINISH) & !f.razored, STORE, 0),
        (STORE, stored & f.at_root, BEGIN, 0),
        (STORE, stored & !f.at_root, LEAVE, 0),
    ];
    let next = (0..STATES).map(|state| {
        let enters = moves.iter().filter(|(_, _, to, _)| *to == state).map(|&(_, condition, ..)| condition);
        let leaves = moves.iter().filter(|(from, ..)| *from == state).map(|&(_, condition, ..)| condition);
        or_all(enters) | (at(state) & !or_all(leaves))
    });
    let clocks = moves.iter().filter(|(.., clocks)| *clocks > 0);
    let clocks = clocks.map(|&(_, condition, _, clocks)| W::constant(clocks as u128, WAIT_BITS).when(condition));
    let fewer = s.wait.minus(W::constant(1, 1), WAIT_BITS).when(!waited).named("fewer");

    let makes_alone = (at(MAKE_MOVE) & s.wait.is(MAKE_CLOCKS as u128) & !made).named("makes_alone");

    let orders = Orders {
        loads_image: idle & start,
        makes_root_keys: at(LOAD),
        looks,
        takes_keys: (at(SET_UP) & f.prepared) | (at(ARRIVE) & f.keys_ready),
        finds: (at(PUSH_ROOT) | at(FIND)) & !waited,
        steps: begins,
        iterates: now(ITERATE),
        takes_score: now(ENTER),
        takes_entered: now(ENTER) & goes_on,
        begins_picking: now(START),
        recalls,
        unmakes: recalls & s.left.bit(NO_MOVE),
        takes_returned: now(RETURN),
        picks,
        takes_verdict: now(JUDGE),
        takes_issued: now(ISSUE) & !f.no_nodes,
        makes_child: makes_alone | (at(MAKE_MOVE) & made),
        takes_child: now(MAKE_MOVE),
        takes_again: now(FINISH) & f.razored,
        takes_end: now(FINISH) & !f.razored,
        what: s.what,
    };
    // What a step begins with is known some clocks before.
    let events = W::join(&[
        at(PUSH_ROOT) | (at(STORE) & f.at_root),
        at(LOOK) & !f.at_root,
        at(LEAVE) & s.left.bit(ENDED),
        at(JUDGE) | (at(START) & s.anew),
    ])
    .named("events");
    let lefts = W::join(&[at(ENTER) & f.has_score, at(ENTER) & f.no_move, at(STORE)]).named("lefts");
    let kinds = [
        (MAKE, at(PICKING)),
        (AGAIN, at(RETURN) & f.outcome.again),
        (WIDE, at(RETURN) & f.outcome.wide),
        // No move leads to the root.
        (PASS, at(PICK) | (idle & start)),
    ];
    let what = or_all(kinds.map(|(kind, condition)| W::constant(kind, 2).when(condition)));
    let kinds = or_all(kinds.map(|(_, condition)| condition)).named("kinds");
    let state = ControlState {
        at: W::join(&next.collect::<Vec<W>>()).when(!reset),
        wait: or_all(clocks) | fewer,
        event: events.any().choose(events, s.event),
        left: lefts.any().choose(lefts, s.left),
        what: kinds.choose(what, s.what),
        finishes: at(RETURN).choose(f.outcome.finish, s.finishes),
        again: at(RETURN).choose(f.outcome.again | f.outcome.wide, s.again),
        anew: (at(FINISH) & f.razored) | (s.anew & !at(ENTER)),
    };
    ControlOut {
        orders,
        loads_image: orders.loads_image,
        makes_root_keys: orders.makes_root_keys,
        looks: orders.looks,
        takes_keys: orders.takes_keys,
        finds: orders.finds,
        steps: orders.steps,
        iterates: orders.iterates,
        recalls: orders.recalls,
        reads_parent: at(ENTER) | at(FINISH) | at(STORE) | at(LEAVE),
        pushes: pushes | (at(PUSH_ROOT) & !waited),
        picks: orders.picks,
        takes_issued: orders.takes_issued,
        makes_keys: makes_alone | (at(JUDGE) & s.wait.is(JUDGE_CLOCKS as u128 - 1)),
        makes_child: orders.makes_child,
        takes_child: orders.takes_child,
        what: s.what,
        busy: !idle,
        paused: idle | (at(BEGIN) & pause),
        state,
    }
}
