//! Writes the moves of a node group by group.
//!
//! ```text
//!                      +--------+
//!   command 6         =>        -> valid           a group is to be written in this clock
//!   node 4            =>        => group 99        that group; back to `group_in`
//!   kept 1719         =>        => at 10           its address
//!   drops 2 x 81      =>        -> stored          the groups of the node are written:
//!   holds 7           =>        => groups 6        so many
//!   before_king 81    =>  Bank  => state 644      see `BankState`; back to `state_in`
//!   valid_in          ->        |
//!   group_in 99       =>        |
//!   state_in 644      =>        |
//!                      +--------+
//! ```
//!
//! Handshake: `load` takes what is known of the position in the target stage; `kept` stays until the next node is there, but for
//! the squares that are looked at. Two clocks
//! later `may_mate` tells that a pawn drop is being tested: then the groups wait for `tested`, and `uchifuzume` with it takes the
//! drop out. A written group stays while `stall`, and is written in the first clock without it. `stored` is high for one clock when
//! fewer than [`FEW`] are left. `drop` forgets what is under way.
//! Latency: from `load` to the first group five clocks. Throughput: one group a clock.
//! Cost: 670 flip-flops.
//! Absent: the order of the moves within a group (`pick`).
//! Model: `host/model/src/movegen/serialise.rs`. Proof: `hdl/formal/bank`.

use super::group_planes::*;
use super::groups::ADDRESS_BITS;
use super::keep::KeptMoves;
use super::move_maker::MOVE_CLOCKS;
use super::operation::{Group, GROUP_BITS, NODE_BITS};
use super::pipeline::TARGETS_CLOCKS;
use super::targets::DropPlanes;
use crate::network::{pile::Pile, Wire, Wires, Word};
use crate::position::Plane;
use crate::{bundle, network};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// When fewer groups than this are left, the node may be read and another one may set out.
///
/// Seen in the clock 0, this is known to the schedule in clock 1; its job comes in clock 4, the first group of it is read in clock 6,
/// the move picked in clock 8, and the planes of the position after it come in clock [`NEXT_NODE`]. A group that is left is
/// fetched in each clock from 1 on, but for one clock in which the rest of the other node's group is written back, and is written one
/// clock later. The node's own groups are read from clock 6 on, each later than it is written.
pub const FEW: u64 = 15;
/// Clocks from few groups left to the planes of the next node.
const NEXT_NODE: u64 = 8 + MOVE_CLOCKS + TARGETS_CLOCKS;
const _: () = assert!(FEW + 2 <= NEXT_NODE);

bundle! {
    /// What the bank is told.
    pub struct Command {
        /// Take the planes.
        load: Wire,
        /// A pawn drop of this position is being tested.
        may_mate: Wire,
        /// It has been tested.
        tested: Wire,
        /// It would be mate.
        uchifuzume: Wire,
        /// The group is not written in this clock.
        stall: Wire,
        /// Forget what is under way.
        drop: Wire,
    }
}

crate::constants! {
    /// Commands to the bank, as they lie on its port.
    pub Commands {
        /// Take the planes.
        load: Bits<6> = 1 << Command::lowest_wire("load");
        /// A pawn drop is being tested.
        may_mate: Bits<6> = 1 << Command::lowest_wire("may_mate");
        /// It has been tested.
        tested: Bits<6> = 1 << Command::lowest_wire("tested");
        /// It would be mate.
        uchifuzume: Bits<6> = 1 << Command::lowest_wire("uchifuzume");
        /// The group is not written.
        stall: Bits<6> = 1 << Command::lowest_wire("stall");
        /// Forget what is under way.
        drop: Bits<6> = 1 << Command::lowest_wire("drop");
    }
}

bundle! {
    /// Where the work is.
    pub struct Steps {
        /// The planes came one clock ago, two clocks ago.
        loaded: [Wire; 2],
        /// A pawn drop is being tested.
        waiting: Wire,
        /// It was tested one clock ago, two clocks ago, three.
        tested: [Wire; 3],
        /// It was tested a clock ago, and would be mate.
        uchifuzume: Wire,
        /// Groups are being written.
        writing: Wire,
        /// They have been since the clock before.
        begun: Wire,
        /// Few are left.
        few: Wire,
    }
}

bundle! {
    /// What is kept from clock to clock.
    pub struct BankState {
        /// The node.
        node: Wires<NODE_BITS>,
        /// Where the work is.
        steps: Steps,
        /// Destinations of drops.
        drops: DropPlanes,
        /// The square in front of their king.
        before_king: Plane,
        /// Kinds in hand.
        holds: Wires<HAND_KINDS>,
        /// Whether there are moves to the squares that were looked at in the clock before.
        move_parts: MoveParts,
        /// Whether there were squares for drops in the clock before.
        drop_parts: DropParts,
        /// Groups that have a move and have not been chosen.
        left: Wires<GROUPS>,
        /// The group chosen.
        chosen: Wires<GROUPS>,
        /// The plane that it has.
        select: Wires<SELECT>,
        /// Its moves take nothing.
        quiet: Wire,
        /// The number of the group that is written next.
        number: Wires<GROUP_BITS>,
        /// Groups of the node.
        groups: Wires<GROUP_BITS>,
    }
}

network! {
    /// Writes the moves of a node.
    Bank = bank(BankIn) -> BankOut {
        in command: Command;
        in node: Wires<NODE_BITS>;
        in kept: KeptMoves;
        in drops: DropPlanes;
        in holds: Wires<HAND_KINDS>;
        in before_king: Plane;
        in valid_in: Wire;
        in group_in: Group;
        in state_in: BankState;
        out valid: Wire;
        out group: Group;
        out at: Wires<ADDRESS_BITS>;
        out stored: Wire;
        out groups: Wires<GROUP_BITS>;
        out state: BankState;
    }
}

fn bank<W: Word>(inputs: BankIn<W>) -> BankOut<W> {
    let BankIn { command, node, kept: moves, drops, holds, before_king, valid_in, group_in, state_in: s } = inputs;
    let Command { load, may_mate, tested, uchifuzume, stall, drop } = command;
    let forget = (load | drop).named("forget");
    let [first, second] = s.steps.loaded;
    let [tested_1, tested_2, tested_3] = s.steps.tested;

    // Groups that have a move: captures in the first clock after the planes came, the others in the second; drops until
    // writing begins, since one may be taken out. The parts of a plane were looked at in the clock before.
    let some = s.move_parts.some().named("some");
    let lowest = s.left.lowest().named("lowest");
    let writes = (valid_in & !stall).named("writes");
    let goes_on = (s.steps.writing & (!valid_in | !stall)).named("goes_on");
    let kept = (s.left & !lowest.when(goes_on)).named("kept");
    let left = W::join(&[
        first.choose(some, kept.slice(0, CAPTURES)),
        second.choose(some, kept.slice(CAPTURES, CAPTURES)),
        s.steps.writing.choose(kept.slice(PAWN_DROPS, HAND_KINDS), s.drop_parts.some(s.holds)),
    ]);

    let some_chosen = s.chosen.any().named("some_chosen");
    let ends = (goes_on & !s.left.any() & !some_chosen & !valid_in).named("ends");
    // One carry chain, and a comparison with all ones: a sum and a comparison of two numbers would be too slow.
    let count = Pile::of(&[&[s.left]]).total(GROUP_BITS).named("count");
    const { assert!(FEW == 15) };
    let few = !(count.slice(4, GROUP_BITS - 4).any() | count.slice(0, 4).is(15)).named("many");
    let steps = Steps {
        loaded: [load, first & !forget],
        waiting: ((second & may_mate) | (s.steps.waiting & !tested)) & !forget,
        tested: [s.steps.waiting & tested & !forget, tested_1 & !forget, tested_2 & !forget],
        uchifuzume: s.steps.waiting & tested & uchifuzume & !forget,
        writing: ((second & !may_mate) | tested_3 | (s.steps.writing & !ends)) & !forget,
        begun: s.steps.writing & !ends & !forget,
        few: s.steps.writing & few & !forget,
    };

    let legal_drops = DropPlanes { pawn: s.drops.pawn & !s.before_king.when(s.steps.uchifuzume), ..s.drops };
    let among = landing(&moves, s.quiet.choose(!moves.theirs, moves.theirs).named("taken_or_not"));
    let squares = fetch(&moves, &s.drops, among, s.select);
    let of_direction = |d: usize| s.chosen.wires(&[0, 1, 2, 3].map(|class| (DIRECTIONS * class + d) as u8)).any();
    let group = Group {
        squares: squares.named("squares"),
        direction: W::join(&(0..DIRECTIONS).map(of_direction).collect::<Vec<W>>()),
        kind: s.chosen.slice(PAWN_DROPS, HAND_KINDS),
        promote: (s.chosen.slice(0, DIRECTIONS) | s.chosen.slice(2 * DIRECTIONS, DIRECTIONS)).any(),
    };
    let state = BankState {
        node: load.choose(node, s.node),
        steps,
        drops: DropPlanes::choose(load, &drops, &legal_drops),
        before_king: load.choose(before_king, s.before_king),
        holds: load.choose(holds, s.holds),
        move_parts: MoveParts::of(&moves),
        drop_parts: DropParts::of(&s.drops),
        left: left.when(!forget),
        chosen: goes_on.choose(lowest, s.chosen).when(s.steps.writing),
        select: goes_on.choose(select(lowest), s.select),
        quiet: goes_on.choose(!s.left.slice(0, CAPTURES).any(), s.quiet),
        number: s.number.plus(writes, GROUP_BITS).when(!load),
        groups: s.steps.begun.choose(s.groups, count),
    };
    BankOut {
        valid: goes_on.choose(some_chosen, valid_in) & !forget,
        group: Group::choose(goes_on, &group, &group_in),
        at: W::join(&[state.number, state.node]),
        stored: steps.few & !s.steps.few,
        groups: state.groups,
        state,
    }
}
