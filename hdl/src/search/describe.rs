//! What is known of a move whose origin is found: its squares and kinds, what it attacks and what attacks it.
//!
//! ```text
//!                       +------------+
//!   to 81, from 81     =>            => described 38   see `Described`
//!   kind 7, promote    =>            => hits 6         planes of attacks in which its destination is
//!   board 447          =>  Describe  -> drop
//!   captured 4         =>            => gain 12        what it gains at once
//!   attacks 6 x 81     =>            => value 14       of the piece after it
//!   lines 4 x 81       =>            |
//!   king 81            =>            |
//!                       +------------+
//! ```
//!
//! Handshake: none. Latency: one clock. Throughput: one move per clock. Cost: 70 flip-flops.
//! Model: `host/model/src/search/{exchange,spot}.rs`. Absent: whether it checks, of which only the places are told (`rank`).

use super::attacks::AttackPlanes;
use super::exchange::{hits, worth, PLANES, VALUE_BITS};
use super::judge_stages::GAIN_BITS;
use super::look::CheckLines;
use super::node::Candidate;
use crate::attacks::ray_directions;
use crate::network::word::or_all;
use crate::network::{Wire, Wires, Word};
use crate::position::board::index;
use crate::position::{Board, Plane};
use crate::{bundle, network};
use hayasashi_spec::moves::{DROP_FROM, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

bundle! {
    /// Where the destination lies from their king.
    pub struct Relation {
        /// One step against the direction of travel: a piece that goes this way attacks the king.
        steps: Wires<RAYS>,
        /// On a rook's line.
        straight: Wire,
        /// On a rook's line, south of the king.
        south: Wire,
        /// On a bishop's line.
        diagonal: Wire,
        /// A knight's jump away.
        knight: Wire,
    }
}

bundle! {
    /// A move.
    pub struct Described {
        /// The move, and its kinds.
        candidate: Candidate,
        /// Where it goes.
        relation: Relation,
        /// They attack its origin.
        attacked: Wire,
        /// The destination is on the rank before the last one.
        before_last: Wire,
        /// It is a move on the board from or to the promotion zone.
        in_zone: Wire,
    }
}

network! {
    /// Describes moves.
    Describe = describe(DescribeIn) -> DescribeOut {
        in to: Plane;
        in from: Plane;
        in kind: Wires<HAND_KINDS>;
        in promote: Wire;
        in board: Board;
        in captured: Wires<4>;
        in attacks: AttackPlanes;
        in lines: CheckLines;
        in king: Plane;
        out described: Described;
        out hits: Wires<PLANES>;
        out drop: Wire;
        out gain: Wires<GAIN_BITS>;
        out value: Wires<VALUE_BITS>;
    }
}

/// The files of the squares of a plane.
fn files<W: Word>(plane: W) -> W {
    W::join(&(0..SIDE).map(|file| plane.slice(SIDE * file, SIDE).any()).collect::<Vec<W>>())
}

/// The ranks of the squares of a plane.
fn ranks<W: Word>(plane: W) -> W {
    let wires = |rank: usize| (0..SIDE).map(|file| square(file, rank) as u8).collect::<Vec<u8>>();
    W::join(&(0..SIDE).map(|rank| plane.wires(&wires(rank)).any()).collect::<Vec<W>>())
}

/// One wire: whether one line is so many behind another; both are given by one wire.
fn apart<W: Word>(line: W, other: W, by: i8) -> W {
    let pairs = (0..SIDE as i8).filter(|i| (0..SIDE as i8).contains(&(i + by)));
    or_all(pairs.map(|i| line.bit((i + by) as usize) & other.bit(i as usize)))
}

fn describe<W: Word>(inputs: DescribeIn<W>) -> DescribeOut<W> {
    let DescribeIn { to, from, kind, promote, board, captured, attacks, lines, king } = inputs;
    let drop = kind.any().named("drop");
    // The number of a kind in hand, and of the place behind the last square.
    let number = |first: u128, width: usize| {
        or_all((0..HAND_KINDS).map(|k| W::constant(first + k as u128, width).when(kind.bit(k))))
    };
    let mv = [index(to), index(from) | number(DROP_FROM as u128, 7), promote];
    let candidate = Candidate { mv: W::join(&mv), moved: board.kind_on(from) | number(PAWN as u128, 4), captured };

    let king_files = files(king).named("king_files");
    let king_ranks = ranks(king).named("king_ranks");
    let [to_files, to_ranks] = [files(to).named("to_files"), ranks(to).named("to_ranks")];
    let of_file = [-1, 0, 1].map(|by| apart(to_files, king_files, by).named_at("files_apart", (by + 1) as usize));
    let of_rank = [-1, 0, 1].map(|by| apart(to_ranks, king_ranks, by).named_at("ranks_apart", (by + 1) as usize));
    let steps = ray_directions().map(|d| {
        let (file, rank) = d.step();
        of_file[(1 - file) as usize] & of_rank[(1 - rank) as usize]
    });
    let on = |plane: W| (plane & to).any();
    let straight = on(lines.straight).named("straight");
    let further = (1..SIDE).map(|rank| to_ranks.bit(rank) & king_ranks.slice(0, rank).any());
    let relation = Relation {
        steps: W::join(&steps.collect::<Vec<W>>()),
        straight,
        south: straight & of_file[1] & or_all(further),
        diagonal: on(lines.diagonal),
        knight: on(lines.knight),
    };
    let from_ranks = ranks(from).named("from_ranks");
    let in_zone = to_ranks.slice(0, ZONE_RANKS).any() | from_ranks.slice(0, ZONE_RANKS).any();
    let described = Described {
        candidate,
        relation,
        attacked: (from & or_all(attacks.their)).any(),
        before_last: to_ranks.bit(1),
        in_zone: in_zone & !drop,
    };
    let [gain, value] = worth(&candidate);
    DescribeOut { described, hits: hits(to, &attacks), drop, gain, value }
}
