//! All legal moves of a position at once, as planes of destination squares.
//!
//! ```text
//!                 +-----------+
//!   tag          =>           => tag_out
//!   board        =>           => board_out
//!   arrivals     =>  Targets  => moves 20 x 81   arrivals by direction: without promotion, then with
//!   promotable   =>           => drops 2 x 81    where a pawn, and any other piece, may be dropped
//!   forward      =>           => holds 7         hand kinds that may be dropped
//!   landing      =>           |
//!                 +-----------+
//! ```
//!
//! Latency one clock, one position per clock. A promotion needs the zone at either end: towards the enemy and sideways
//! that is the destination, away from the enemy it is the origin ([`super::arrivals`]). Pawn-drop mate is not looked at
//! here ([`super::total`]); drops of lance and knight exclude the last ranks where they are counted and enumerated.

use super::arrivals::{Landing, LANDING};
use super::slot::TAG;
use crate::attacks::{ray_directions, rays::RAY_PLANES};
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{rank_mask, shift, ZONE};
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::{Direction, DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of a bus with two planes for each direction.
pub const MOVE_PLANES: &[usize] = &[SQUARES; 2 * DIRECTIONS];
/// Layout of a bus with the squares for pawn drops and for other drops.
pub const DROP_PLANES: &[usize] = &[SQUARES; 2];

network! {
    /// Legal moves as planes.
    Targets = targets {
        in tag: TAG;
        in board: BOARD;
        in arrivals: RAY_PLANES;
        in promotable: RAY_PLANES;
        in forward: &[SIDE];
        in landing: LANDING;
        out tag_out: TAG;
        out board_out: BOARD;
        out moves: MOVE_PLANES;
        out drops: DROP_PLANES;
        out holds: &[HAND_KINDS];
    }
}

fn targets<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board_fields, arrivals, promotable, forward, landing] = *inputs else { panic!("six inputs") };
    let board = Board::from_fields(board_fields);
    let landing = Landing::from_fields(landing);
    let zone = W::constant(ZONE, SQUARES);

    let (mut plain, mut promoting) = (Vec::new(), Vec::new());
    for d in ray_directions() {
        let mut arrive = arrivals[d as usize];
        if d == Direction::North {
            arrive = arrive & !on_rank_a(forward[0]);
        }
        let step = shift(d, landing.king) & landing.free;
        plain.push((arrive & landing.board) | step);
        let inside = if d.step().1 > 0 { landing.board } else { landing.board & zone };
        promoting.push(promotable[d as usize] & inside);
    }
    for d in [Direction::KnightEast, Direction::KnightWest] {
        let jumps = shift(d, landing.knights) & landing.board;
        plain.push(jumps & !W::constant(rank_mask(0) | rank_mask(1), SQUARES));
        promoting.push(jumps & zone);
    }
    plain.extend(promoting);

    let (drops, holds) = drops(&board, landing.drop);
    vec![tag.to_vec(), board_fields.to_vec(), plain, drops, vec![holds]]
}

/// Nine wires on the squares of rank a.
fn on_rank_a<W: Word>(files: W) -> W {
    let parts: Vec<W> = (0..SIDE).flat_map(|file| [files.bit(file), W::zero(SIDE - 1)]).collect();
    W::join(&parts)
}

/// Squares for pawn drops and for other drops, and which kinds are in hand.
fn drops<W: Word>(board: &Board<W>, free: W) -> (Vec<W>, W) {
    let pawns = board.kind(PAWN) & board.own();
    let files: Vec<W> = (0..SIDE)
        .map(|file| {
            let taken = pawns.slice(SIDE * file, SIDE).any();
            (!taken).choose(W::constant((1 << SIDE) - 1, SIDE), W::zero(SIDE))
        })
        .collect();
    let holds: Vec<W> = (0..HAND_KINDS).map(|k| board.held(0, k).any()).collect();
    let pawn = (free & W::join(&files) & !W::constant(rank_mask(0), SQUARES)).when(holds[0]);
    (vec![pawn, free.when(or_all(holds[1..].iter().copied()))], W::join(&holds))
}

/// Squares that a plane of moves can ever have, by its place among [`MOVE_PLANES`].
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
