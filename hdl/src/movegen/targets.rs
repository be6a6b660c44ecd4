//! All legal moves of a position at once, as planes of destination squares.
//!
//! ```text
//!                +-----------+
//!   tag         =>           => tag_out
//!   board       =>           => board_out
//!   movable     =>  Targets  => moves 20 x 81   arrivals by direction: without promotion, then with
//!   evasion     =>           => drops 2 x 81    where a pawn, and any other piece, may be dropped
//!   king_steps  =>           => holds 7         hand kinds that may be dropped
//!                +-----------+
//! ```
//!
//! Latency one clock, one position per clock. From one direction only one own piece can arrive on a square, so a
//! plane for each direction holds every move. A promotion needs the zone at either end: towards the enemy and
//! sideways that is the destination, away from the enemy it is the origin. Pawn-drop mate is not looked at here
//! ([`super::total`]); drops of lance and knight exclude the last ranks where they are counted and enumerated.

use super::slot::TAG;
use crate::attacks::legality::AXIS_PLANES;
use crate::attacks::{axis, ray::ray, ray_directions};
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
        in movable: AXIS_PLANES;
        in evasion: &[SQUARES];
        in king_steps: &[RAYS];
        out tag_out: TAG;
        out board_out: BOARD;
        out moves: MOVE_PLANES;
        out drops: DROP_PLANES;
        out holds: &[HAND_KINDS];
    }
}

fn targets<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board_fields, movable, evasion, king_steps] = *inputs else { panic!("five inputs") };
    let board = Board::from_fields(board_fields);
    let landing = evasion[0] & !board.own();
    let king = board.kind(KING) & board.own();

    let (mut plain, mut promoting) = (Vec::new(), Vec::new());
    for d in ray_directions() {
        let (some, promotions) = arrivals(&board, movable[axis(d)], d);
        let step = shift(d, king).when(king_steps[0].bit(d as usize));
        plain.push((some & landing) | step);
        promoting.push(promotions & landing);
    }
    // A pinned knight never moves: it must be free along every axis.
    let knights = board.kind(KNIGHT) & movable[0] & movable[1];
    for d in [Direction::KnightEast, Direction::KnightWest] {
        let jumps = shift(d, knights) & landing;
        plain.push(jumps & !W::constant(rank_mask(0) | rank_mask(1), SQUARES));
        promoting.push(jumps & W::constant(ZONE, SQUARES));
    }
    plain.extend(promoting);

    let (drops, holds) = drops(&board, evasion[0]);
    vec![tag.to_vec(), board_fields.to_vec(), plain, drops, vec![holds]]
}

/// Squares on which own pieces arrive from a direction: without promotion, and with. Their own pieces' squares are
/// still in.
fn arrivals<W: Word>(board: &Board<W>, movers: W, d: Direction) -> (W, W) {
    let empty = !board.occupied();
    let rank_a = W::constant(rank_mask(0), SQUARES);
    let zone = W::constant(ZONE, SQUARES);
    let from = |wanted: &dyn Fn(u8) -> bool, among: W| {
        let sliders = board.kinds(|k| d.slides(k) && wanted(k)) & among;
        let steppers = board.kinds(|k| d.steps(k) && !d.slides(k) && k != KING && wanted(k)) & among;
        ray(d, sliders, empty) | shift(d, steppers)
    };
    let never = from(&|k| !promotable(k), movers);
    if d.step().1 > 0 {
        let inside = from(&promotable, movers & zone);
        let outside = from(&promotable, movers & !zone);
        (never | inside | outside, inside)
    } else {
        let forward_only = |k| dead_ranks(k) == 1;
        let limited = from(&|k| forward_only(k), movers);
        let others = from(&|k| promotable(k) && !forward_only(k), movers);
        (never | others | (limited & !rank_a), (limited | others) & zone)
    }
}

/// Squares for pawn drops and for other drops, and which kinds are in hand.
fn drops<W: Word>(board: &Board<W>, evasion: W) -> (Vec<W>, W) {
    let free = !board.occupied() & evasion;
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
