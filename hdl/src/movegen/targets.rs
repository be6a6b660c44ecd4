//! All legal moves of a position at once, as planes of destination squares.
//!
//! ```text
//!                       +-----------+
//!   tag 22             =>           => tag_out 22      with `check`
//!   board 447          =>  Targets  => moves 20 x 81   by direction of travel: without promotion, then with
//!   reach 5 x 81       =>           => drops 2 x 81    for a pawn, and for any other piece
//!   arrivals 18 x 81   =>           => holds 7         hand kinds that the mover has
//!                       |           => theirs 2 x 81   squares of their pieces; the square in front of their king
//!                       +-----------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Cost: 2,446 flip-flops.
//! Method: from one direction only one own piece can arrive on a square, so a plane for each direction holds all moves.
//! A promotion needs the zone at either end: going towards the enemy or sideways, the destination is in the zone; going
//! back, the piece leaves the zone. Against one check a piece other than the king may land on the checking piece or
//! between it and the king; against two checks nowhere.
//! Absent: pawn-drop mate ([`super::total`]), and the ranks on which lances and knights may not be dropped; those are
//! left out where drops are counted and enumerated.
//! Model: `host/model/src/movegen/{targets,drops}.rs`.

use super::arrivals::ArrivalPlanes;
use crate::attacks::legality::{Checks, Reach};
use crate::network::{word::or_all, Wires, Word};
use crate::position::board::{rank_mask, shift, ALL_SQUARES, ZONE};
use crate::position::{Board, Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::{Direction, DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

bundle! {
    /// Destinations of board moves by direction of travel.
    pub struct MovePlanes {
        /// Without promotion.
        plain: [Plane; DIRECTIONS],
        /// With promotion.
        promoting: [Plane; DIRECTIONS],
    }
}

bundle! {
    /// Destinations of drops.
    pub struct DropPlanes {
        /// Of a pawn.
        pawn: Plane,
        /// Of any other piece.
        other: Plane,
    }
}

bundle! {
    /// What is known of the enemy.
    pub struct TheirPlanes {
        /// Squares of their pieces.
        pieces: Plane,
        /// The square in front of their king.
        before_king: Plane,
    }
}

network! {
    /// Legal moves as planes.
    Targets = targets(TargetsIn) -> TargetsOut {
        in tag: Tag;
        in board: Board;
        in checks: Checks;
        in reach: Reach;
        in arrivals: ArrivalPlanes;
        out tag_out: Tag;
        out moves: MovePlanes;
        out drops: DropPlanes;
        out holds: Wires<HAND_KINDS>;
        out theirs: TheirPlanes;
    }
}

fn targets<W: Word>(inputs: TargetsIn<W>) -> TargetsOut<W> {
    let TargetsIn { tag, board, checks: Checks { check, double_check }, reach, arrivals } = inputs;
    let mask = |squares: u128| W::constant(squares, SQUARES);
    let evasion = check.choose(reach.parries.when(!double_check), mask(ALL_SQUARES)).named("evasion");
    let landing = (evasion & !reach.own).named("landing");

    let jump = |d: usize| (arrivals.jumps[d - RAYS] & landing).named_at("jump", d - RAYS);
    let moves =
        MovePlanes {
            plain: std::array::from_fn(|d| match Direction::ALL[d] {
                Direction::KnightEast | Direction::KnightWest => jump(d) & !mask(rank_mask(0) | rank_mask(1)),
                direction => (arrivals.plain[d] & landing) | (shift(direction, reach.king) & reach.free),
            }),
            promoting: std::array::from_fn(|d| {
                if d < RAYS {
                    arrivals.promoting[d] & landing
                } else {
                    jump(d) & mask(ZONE)
                }
            }),
        };

    let (drops, holds) = drops(&board, (evasion & reach.empty).named("drop_squares"));
    let pieces = !reach.empty & !reach.own;
    let before_king = shift(Direction::South, (board.kind(KING) & board.code[4]).named("their_king"));
    TargetsOut { tag_out: Tag { check, ..tag }, moves, drops, holds, theirs: TheirPlanes { pieces, before_king } }
}

/// Squares for pawn drops and for other drops, and which kinds are in hand.
fn drops<W: Word>(board: &Board<W>, free: W) -> (DropPlanes<W>, W) {
    let pawns = (board.kind(PAWN) & board.own()).named("own_pawns");
    let files: Vec<W> = (0..SIDE)
        .map(|file| {
            let taken = pawns.slice(SIDE * file, SIDE).any();
            (!taken).choose(W::constant((1 << SIDE) - 1, SIDE), W::zero(SIDE))
        })
        .collect();
    let without_pawn = W::join(&files).named("files_without_pawn");
    let holds: Vec<W> = (0..HAND_KINDS).map(|k| board.held(0, k).any().named_at("holds_kind", k)).collect();
    let pawn = (free & without_pawn & !W::constant(rank_mask(0), SQUARES)).when(holds[0]);
    let other = free.when(or_all(holds[1..].iter().copied()));
    (DropPlanes { pawn, other }, W::join(&holds))
}

/// Squares that a plane of moves can ever have, by its place in [`MovePlanes`].
pub const fn reachable(plane: usize) -> u128 {
    let d = Direction::ALL[plane % DIRECTIONS];
    let (files, ranks) = d.step();
    let knight = d as usize >= RAYS;
    let (mut mask, mut s) = (0, 0);
    while s < SQUARES {
        let (file, rank) = ((s / SIDE) as i8, (s % SIDE) as i8);
        let (from_file, from_rank) = (file - files, rank - ranks);
        let origin = from_file >= 0 && from_file < SIDE as i8 && from_rank >= 0 && from_rank < SIDE as i8;
        // What promotes backwards comes from the zone, at any distance; else the zone is where it arrives.
        let allowed = if plane < DIRECTIONS { !knight || rank >= 2 } else { ranks > 0 || rank < 3 };
        if origin && allowed {
            mask |= 1 << s;
        }
        s += 1;
    }
    mask
}
