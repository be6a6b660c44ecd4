//! Why a position cannot occur, in one clock.
//!
//! ```text
//!              +-------------+
//!   image 512 =>  Faults     => faults 4   (Encoding, TooMany, TwoPawns, Dead)
//!              +-------------+
//! ```
//!
//! Latency one clock, one position per clock. The fifth fault (the mover could take the king) is the check of the
//! turned position, which the attack pipeline finds. Model: `host/src/model/position`.

use super::board::*;
use crate::network;
use crate::network::{word::or_all, Word};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Checks a position image.
    Faults = faults {
        in image: IMAGE;
        out faults: &[4];
    }
}

fn faults<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let image = inputs[0];
    let board = Board::from_image(image);
    vec![vec![W::join(&[encoding(image, &board), too_many(&board), two_pawns(&board), dead(&board)])]]
}

fn encoding<W: Word>(image: &[W], board: &Board<W>) -> W {
    let reserved = or_all([27, 29, 31, 32].map(|i| image[i].any()));
    let nobody = board.code[4] & !board.occupied();
    reserved | (board.kind(NO_KIND) | nobody).any()
}

fn too_many<W: Word>(board: &Board<W>) -> W {
    let sets = (0..HAND_KINDS).map(|k| {
        let kind = k as u8 + 1;
        let mut plane = board.kind(kind);
        if promotable(kind) {
            plane = plane | board.kind(kind | PROMOTED);
        }
        let held = board.held(0, k).plus(board.held(1, k), 6);
        W::constant(FULL_SET[k] as u128, 8).below(plane.popcount().plus(held, 8))
    });
    let kings = board.kind(KING);
    let two = |plane: W| W::constant(1, 7).below(plane.popcount());
    or_all(sets) | two(kings & board.own()) | two(kings & board.theirs())
}

fn two_pawns<W: Word>(board: &Board<W>) -> W {
    let pawns = board.kind(PAWN);
    let owners = [board.own(), board.theirs()];
    or_all((0..SIDE).flat_map(|file| {
        owners.map(|owner| {
            let count = (pawns & owner).slice(SIDE * file, SIDE).popcount();
            W::constant(1, 4).below(count)
        })
    }))
}

fn dead<W: Word>(board: &Board<W>) -> W {
    let last = [rank_mask(0), rank_mask(0) | rank_mask(1)];
    let stuck = |owner: W, ranks: [u128; 2]| {
        let [one, two] = ranks.map(|r| owner & W::constant(r, SQUARES));
        ((board.kind(PAWN) | board.kind(LANCE)) & one) | (board.kind(KNIGHT) & two)
    };
    let first = [rank_mask(8), rank_mask(8) | rank_mask(7)];
    (stuck(board.own(), last) | stuck(board.theirs(), first)).any()
}
