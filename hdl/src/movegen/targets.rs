//! All legal moves of a position at once, as planes of destination squares.
//!
//! ```text
//!             +-----------+
//!   tag      =>           => tag_out        `check` filled in
//!   board    =>           => board_out
//!   checks   =>  Targets  => moves 20 x 81  arrivals by direction: without promotion, then with
//!   reach    =>           => drops 2 x 81   where a pawn, and any other piece, may be dropped
//!   arrivals =>           => holds 7        hand kinds that may be dropped
//!             |           => theirs 2 x 81  squares of theirs; the square in front of their king
//!             +-----------+
//! ```
//!
//! Latency one clock, one position per clock. From one direction only one own piece can arrive on a square. A promotion
//! needs the zone at either end: towards the enemy and sideways that is the destination, away from the enemy a piece
//! promotes because it leaves the zone. Against one check another piece than the king may land on the checking piece or
//! between, against two checks nowhere. Pawn-drop mate is not looked at here ([`super::total`]); drops of lance and knight
//! exclude the last ranks where they are counted and enumerated.

use super::arrivals::ARRIVALS;
use super::slot::{Tag, TAG};
use crate::attacks::legality::{Reach, REACH};
use crate::attacks::ray_directions;
use crate::network;
use crate::network::{word::or_all, Word};
use crate::position::board::{rank_mask, shift, ALL_SQUARES, ZONE};
use crate::position::{Board, BOARD};
use hayasashi_spec::moves::{Direction, DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Layout of a bus with two planes for each direction.
pub const MOVE_PLANES: &[usize] = &[SQUARES; 2 * DIRECTIONS];
/// Layout of a bus with the squares for pawn drops and for other drops.
pub const DROP_PLANES: &[usize] = &[SQUARES; 2];
/// Layout of a bus with the squares of their pieces, and the square in front of their king.
pub const THEIR_PLANES: &[usize] = &[SQUARES; 2];

network! {
    /// Legal moves as planes.
    Targets = targets {
        in tag: TAG;
        in board: BOARD;
        in checks: &[1, 1];
        in reach: REACH;
        in arrivals: ARRIVALS;
        out tag_out: TAG;
        out board_out: BOARD;
        out moves: MOVE_PLANES;
        out drops: DROP_PLANES;
        out holds: &[HAND_KINDS];
        out theirs: THEIR_PLANES;
    }
}

fn targets<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board_fields, checks, reach, arrivals] = *inputs else { panic!("five inputs") };
    let [check, double_check] = *checks else { panic!("two wires") };
    let board = Board::from_fields(board_fields);
    let reach = Reach::from_fields(reach);
    let all = W::constant(ALL_SQUARES, SQUARES);
    let evasion = check.choose(reach.parries.when(!double_check), all);
    let landing = evasion & !reach.own;

    let (pieces, rest) = arrivals.split_at(RAYS);
    let (promoters, jumps) = rest.split_at(RAYS);
    let (mut plain, mut promoting) = (Vec::new(), Vec::new());
    for (i, d) in ray_directions().enumerate() {
        plain.push((pieces[i] & landing) | (shift(d, reach.king) & reach.free));
        promoting.push(promoters[i] & landing);
    }
    for jumps in jumps {
        let jumps = *jumps & landing;
        plain.push(jumps & !W::constant(rank_mask(0) | rank_mask(1), SQUARES));
        promoting.push(jumps & W::constant(ZONE, SQUARES));
    }
    plain.extend(promoting);

    let (drops, holds) = drops(&board, evasion & reach.empty);
    let mut tag = Tag::from_fields(tag);
    tag.check = tag.mate.choose(tag.check, check);
    let theirs = !reach.empty & !reach.own;
    let before_king = shift(Direction::South, board.kind(KING) & board.code[4]);
    vec![tag.fields(), board_fields.to_vec(), plain, drops, vec![holds], vec![theirs, before_king]]
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
