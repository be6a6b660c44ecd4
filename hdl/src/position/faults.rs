//! Why a position cannot occur, file by file.
//!
//! ```text
//!              +-------------+
//!   start     ->             => faults 4   (Encoding, TooMany, TwoPawns, Dead)
//!   image 512 =>  Faults     => state      to be wired back to `state_in`
//!   state_in  =>             |
//!              +-------------+
//! ```
//!
//! `faults` are final [`FAULTS_CLOCKS`] clocks after `start`, with `image` stable from `start` until then, and hold until
//! the next `start`. The fifth fault (the mover could take the king) is the check of the turned position, which the
//! attack pipeline finds. Model: `host/src/model/position`.

use super::board::*;
use crate::network;
use crate::network::{word::or_all, Word};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Clocks from `start` until the faults are known.
pub const FAULTS_CLOCKS: u64 = 11;
/// Wires of a count of pieces of a kind.
const COUNT_BITS: usize = 8;

/// Layout of the state: the file looked at (one wire each), pieces of each kind so far, kings so far.
pub const STATE: &[usize] =
    &[SIDE, COUNT_BITS, COUNT_BITS, COUNT_BITS, COUNT_BITS, COUNT_BITS, COUNT_BITS, COUNT_BITS, 2, 4];

network! {
    /// Checks a position image.
    Faults = faults {
        in start: &[1];
        in image: IMAGE;
        in state_in: STATE;
        out state: STATE;
        out faults: &[4];
    }
}

fn faults<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [start, image, state] = *inputs else { panic!("three inputs") };
    let (start, file, counts, kings, found) = (start[0], state[0], &state[1..8], state[8], state[9]);
    let board = Board::from_image(image);
    let line = line_of(&board, file);

    let (mut next_counts, mut too_many) = (Vec::new(), Vec::new());
    for k in 0..HAND_KINDS {
        let kind = k as u8 + 1;
        let mut pieces = line.kind(kind);
        if promotable(kind) {
            pieces = pieces | line.kind(kind | PROMOTED);
        }
        let held = board.held(0, k).plus(board.held(1, k), COUNT_BITS);
        next_counts.push(start.choose(held, counts[k].plus(pieces.popcount(), COUNT_BITS)));
        too_many.push(W::constant(FULL_SET[k] as u128, COUNT_BITS).below(counts[k]));
    }
    let own_and_theirs = [line.own(), line.theirs()];
    for (i, owner) in own_and_theirs.into_iter().enumerate() {
        let here = line.kind(KING) & owner;
        too_many.push(here.several() | (here.any() & kings.bit(i)));
    }
    let next_kings = own_and_theirs.map(|owner| (line.kind(KING) & owner).any());
    let two_pawns = or_all(own_and_theirs.map(|owner| (line.kind(PAWN) & owner).several()));

    let reserved = or_all([27, 29, 31, 32].map(|i| image[i].any()));
    let nobody = line.code[4] & !line.occupied();
    let encoding = reserved | (line.kind(NO_KIND) | nobody).any();
    let now = W::join(&[encoding, or_all(too_many), two_pawns, dead(&line)]);

    let file = W::join(&[start, file.slice(0, SIDE - 1).when(!start)]);
    let kings = (kings | W::join(&next_kings)).when(!start);
    let found = (found | now).when(!start);
    let mut state = vec![file];
    state.extend(next_counts);
    state.extend([kings, found]);
    vec![state, vec![found]]
}

/// The nine squares of the file given by one wire, as a board of that many; empty squares if no file is.
fn line_of<W: Word>(board: &Board<W>, file: W) -> Board<W> {
    let chosen = |plane: W| or_all((0..SIDE).map(|f| plane.slice(SIDE * f, SIDE).when(file.bit(f))));
    Board { code: board.code.map(chosen), hand: board.hand }
}

/// Whether a piece stands on a file where it could never move again.
fn dead<W: Word>(line: &Board<W>) -> W {
    let stuck = |owner: W, last: usize, before: usize| {
        let at = |plane: W, rank: usize| (plane & owner).bit(rank);
        let forward = line.kind(PAWN) | line.kind(LANCE);
        at(forward, last) | at(line.kind(KNIGHT), last) | at(line.kind(KNIGHT), before)
    };
    stuck(line.own(), 0, 1) | stuck(line.theirs(), SIDE - 1, SIDE - 2)
}
