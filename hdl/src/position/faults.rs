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
//! the next `start`, which may come no earlier. A file is taken out of the image in one clock and looked at in the next.
//! Between positions it is always the first file that is taken, and the counts are those of the hands, so that `start`
//! has nothing to load. The fifth fault (the mover could take the king) is the check of the turned position, which the
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

/// Layout of the state: which file the line is (one wire each; one more when all are counted), whether a file follows,
/// the line's planes, pieces of each kind so far, kings so far, faults of the file before, faults so far.
pub const STATE: &[usize] = &{
    let mut layout = [COUNT_BITS; 13];
    layout[0] = SIDE + 1;
    layout[1] = 1;
    layout[2] = CODE_BITS * SIDE;
    layout[10] = 2;
    layout[11] = 4;
    layout[12] = 4;
    layout
};

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
    let (start, file, follows, counts, kings) = (start[0], state[0], state[1], &state[3..10], state[10]);
    let (before, found) = (state[11], state[12]);
    let board = Board::from_image(image);
    let line = Board { code: std::array::from_fn(|i| state[2].slice(SIDE * i, SIDE)), hand: board.hand };
    let (first, counting, counted) = (file.bit(0), follows | file.bit(SIDE - 1), file.bit(SIDE));

    let (mut next_counts, mut too_many) = (Vec::new(), Vec::new());
    for k in 0..HAND_KINDS {
        let kind = k as u8 + 1;
        let mut pieces = line.kind(kind);
        if promotable(kind) {
            pieces = pieces | line.kind(kind | PROMOTED);
        }
        let [own, theirs] = [0, 1].map(|owner| board.held(owner, k).extend(COUNT_BITS));
        let here = pieces.popcount().extend(COUNT_BITS);
        next_counts.push(counting.choose(counts[k], own).plus(counting.choose(here, theirs), COUNT_BITS));
        too_many.push(W::constant(FULL_SET[k] as u128, COUNT_BITS).below(counts[k]));
    }
    let too_many = W::join(&[W::zero(1), or_all(too_many) & counted, W::zero(2)]);
    let own_and_theirs = [line.own(), line.theirs()];
    let kings = kings.when(!first);
    let kings_here = own_and_theirs.map(|owner| line.kind(KING) & owner);
    let next_kings = W::join(&kings_here.map(|here| here.any()));
    let two_kings = or_all(kings_here.map(|here| here.several())) | (next_kings & kings).any();
    let two_pawns = or_all(own_and_theirs.map(|owner| (line.kind(PAWN) & owner).several()));

    let reserved = or_all([27, 29, 31, 32].map(|i| image[i].any()));
    let nobody = line.code[4] & !line.occupied();
    let encoding = reserved | (line.kind(NO_KIND) | nobody).any();
    let here = W::join(&[encoding, two_kings, two_pawns, dead(&line)]).when(counting);
    let found = found.when(!first) | before | too_many;

    let next_file = W::join(&[start, file.slice(0, SIDE)]);
    let next_follows = start | file.slice(0, SIDE - 2).any();
    let chosen = W::join(&[!follows, file.slice(0, SIDE - 1)]);
    let mut state = vec![next_file, next_follows, line_of(&board, chosen)];
    state.extend(next_counts);
    state.extend([kings | next_kings, here, found]);
    vec![state, vec![found]]
}

/// The planes of the nine squares of the file given by one wire.
fn line_of<W: Word>(board: &Board<W>, file: W) -> W {
    let chosen = |plane: W| or_all((0..SIDE).map(|f| plane.slice(SIDE * f, SIDE).when(file.bit(f))));
    W::join(&board.code.map(chosen))
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
