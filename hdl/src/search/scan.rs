//! Scans the moves of a position, level by level, for the next one in the order.
//!
//! ```text
//!                        +--------+
//!   forget              ->        -> attacked_only   the arrivals are to be those of attacked pieces
//!   start               ->        => op 122          a move, see `movegen::operation`
//!   selection 16        =>        => tag 12          what it is for, see `aim::ScanTag`
//!   special 4 x 15      =>        => state 472       see `ScanState`; back to `state_in`
//!   after 28            =>        |
//!   parts 3             =>  Scan  |
//!   squares 6 x 81      =>        |
//!   arrivals 17 x 81    =>        |
//!   drops 2 x 81        =>        |
//!   holds 7             =>        |
//!   lines 4 x 81        =>        |
//!   pawns 81            =>        |
//!   state_in 472        =>        |
//!                        +--------+
//!
//!   level -> aim -> groups -> group -> its squares -> a move
//! ```
//!
//! Handshake: `start` begins behind `after`; moves follow until the end has been told or `forget`. The planes stay, but for the arrivals,
//! which follow `attacked_only` within two clocks.
//! Latency: from `start` to the first move six clocks, and two more for a level without moves before it. Throughput: one move a
//! clock within a level, but for empty groups.
//! Method: of the moves behind `after`, some levels give more than the next one: captures of the same part, and moves of attacked
//! pieces. They have to be compared; the last one of a level is marked. In the other levels the first move that is one is the next.
//! Model: `host/model/src/search/order.rs`. Absent: origins of moves (`movegen::trace`), and which of them are in the class (`rank`).

use super::aim::{Aim, ScanTag};
use super::levels::{Level, Order, PARTS};
use super::look::CheckLines;
use super::node::Move;
use super::order::*;
use super::scan_groups::{Moves, GROUPS};
use crate::movegen::arrivals::{ArrivalPlanes, Squares};
use crate::movegen::operation::{Group, Operation};
use crate::movegen::targets::DropPlanes;
use crate::network::{Wire, Wires, Word};
use crate::position::{Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

bundle! {
    /// What is kept from clock to clock.
    pub struct ScanState {
        /// The level that comes next.
        level: Level,
        /// There is one.
        going: Wire,
        /// Where moves are looked for.
        aim: Aim,
        /// Its groups are found in three clocks, in two, in this one.
        settling: Wires<3>,
        /// Its groups are known.
        scanning: Wire,
        /// The groups that are left.
        left: Wires<GROUPS>,
        /// The group whose squares come next.
        group: Wires<GROUPS>,
        /// There is one.
        chosen: Wire,
        /// It is the last one of its level.
        last_group: Wire,
        /// Squares that are left of the group before.
        rest: Group,
        /// What they are for; with the last square of the last group the level ends.
        rest_tag: ScanTag,
        /// Attacked pieces only are looked at; they were in the clock before.
        attacked_only: Wires<2>,
    }
}

network! {
    /// Scans moves.
    Scan = scan(ScanIn) -> ScanOut {
        in forget: Wire;
        in start: Wire;
        in selection: Selection;
        in special: [Move; SPECIAL];
        in after: Place;
        in parts: Wires<PARTS>;
        in squares: Squares;
        in arrivals: ArrivalPlanes;
        in drops: DropPlanes;
        in holds: Wires<HAND_KINDS>;
        in lines: CheckLines;
        in pawns: Plane;
        in state_in: ScanState;
        out attacked_only: Wire;
        out op: Operation;
        out tag: ScanTag;
        out state: ScanState;
    }
}

fn scan<W: Word>(inputs: ScanIn<W>) -> ScanOut<W> {
    let ScanIn { forget, start, selection, special, after, parts, squares, lines, state_in: s, .. } = inputs;
    let order = Order { selection, special, after, parts };
    let clear = (forget | start).named("clear");
    let moves = Moves::of(&s.aim, &squares, &inputs.arrivals, inputs.drops, inputs.holds);

    let aim = Aim::at(&s.level, &order, &squares, &lines, inputs.pawns);

    // A group is fetched when the one before has one square at most, and chosen when the one before is fetched.
    let several = s.rest.squares.several().named("several");
    let rest_free = (!s.rest_tag.valid | !several).named("rest_free");
    let group_free = (!s.chosen | rest_free).named("group_free");
    let chooses = (s.scanning & group_free).named("chooses");
    let some_left = s.left.any().named("some_left");
    let ends_level = (chooses & !some_left).named("ends_level");

    // The next level takes the place of one whose groups are fetched.
    let idle = (!s.scanning & !s.settling.any()).named("idle");
    let at_end = (s.going & s.level.class.bit(END)).named("at_end");
    let loads = (s.going & !at_end & (idle | ends_level)).named("loads");
    let ends = (at_end & idle & !s.chosen & !s.rest_tag.valid).named("ends");
    let attacked = s.level.class.bit(ATTACKED);
    // The planes of other pieces come two clocks later.
    let changes = ((s.attacked_only.bit(0) ^ attacked) | (s.attacked_only.bit(1) ^ attacked)).named("changes");
    let attacked_only = loads.choose(attacked, s.attacked_only.bit(0)) & !clear;

    let found = s.settling.bit(0);
    let lowest = s.left.lowest().named("lowest_group");
    let left = found.choose(moves.some(&s.aim), s.left & !lowest.when(chooses));
    let index = |from: usize, bit: usize, groups: usize| {
        let wires: Vec<u8> = (0..groups).filter(|i| i >> bit & 1 != 0).map(|i| (from + i) as u8).collect();
        s.group.wires(&wires).any()
    };
    let number = |bit: usize| {
        let drop = if bit < 3 { index(2 * DIRECTIONS, bit, HAND_KINDS) } else { W::zero(1) };
        index(0, bit, DIRECTIONS) | index(DIRECTIONS, bit, DIRECTIONS) | drop
    };

    let fetched = moves.squares(&s.aim, &lines, s.group).named("fetched");
    let begins = (s.group.slice(DIRECTIONS, GROUPS - DIRECTIONS) & s.aim.begins_with).any().named("begins");
    let behind = s.aim.behind | begins.choose(W::zero(SQUARES), !W::zero(SQUARES));
    let group = Group {
        squares: fetched & behind,
        direction: s.group.slice(0, DIRECTIONS) | s.group.slice(DIRECTIONS, DIRECTIONS),
        kind: s.group.slice(2 * DIRECTIONS, HAND_KINDS),
        promote: s.group.slice(0, DIRECTIONS).any(),
    };
    let square = s.rest.squares.lowest().named("square");
    let rest = Group { squares: s.rest.squares & !square, ..s.rest };
    let tag = ScanTag {
        valid: s.chosen,
        end: W::zero(1),
        last: s.last_group,
        sorted: s.aim.sorted,
        class: s.aim.class,
        index: W::join(&[0, 1, 2, 3].map(number)),
    };
    let state = ScanState {
        level: Level::choose(start, &order.first(), &Level::choose(loads, &order.behind(&s.level), &s.level)),
        going: start | (s.going & !ends & !forget),
        aim: Aim::choose(loads, &aim, &s.aim),
        settling: W::join(&[
            (s.settling.bit(1) | (loads & !changes)) & !clear,
            s.settling.bit(2) & !clear,
            loads & changes & !clear,
        ]),
        scanning: (s.settling.bit(0) | (s.scanning & !ends_level)) & !clear,
        left,
        group: group_free.choose(lowest, s.group),
        chosen: group_free.choose(s.scanning & some_left, s.chosen) & !clear,
        last_group: group_free.choose(!s.left.several(), s.last_group),
        rest: Group::choose(rest_free, &group, &rest),
        rest_tag: ScanTag {
            valid: rest_free.choose(s.chosen, s.rest_tag.valid) & !clear,
            ..ScanTag::choose(rest_free, &tag, &s.rest_tag)
        },
        attacked_only: W::join(&[attacked_only, s.attacked_only.bit(0)]),
    };
    let mv = Group { squares: square, ..s.rest };
    ScanOut {
        attacked_only,
        op: Operation { mv, inject: W::zero(1), tag: Tag::none() },
        tag: ScanTag {
            valid: s.rest_tag.valid & s.rest.squares.any() & !clear,
            end: ends & !clear,
            last: s.rest_tag.last & !several,
            ..s.rest_tag
        },
        state,
    }
}
