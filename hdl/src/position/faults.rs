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
    let line = Line::of(&board, file);

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
    let now = W::join(&[encoding, or_all(too_many), two_pawns, line.dead()]);

    let file = W::join(&[start, file.slice(0, SIDE - 1).when(!start)]);
    let kings = (kings | W::join(&next_kings)).when(!start);
    let found = (found | now).when(!start);
    let mut state = vec![file];
    state.extend(next_counts);
    state.extend([kings, found]);
    vec![state, vec![found]]
}

/// The nine squares of a file: bits of their codes.
struct Line<W> {
    code: [W; CODE_BITS],
}

impl<W: Word> Line<W> {
    /// The file given by one wire; empty squares if none is.
    fn of(board: &Board<W>, file: W) -> Line<W> {
        let chosen = |plane: W| or_all((0..SIDE).map(|f| plane.slice(SIDE * f, SIDE).when(file.bit(f))));
        Line { code: board.code.map(chosen) }
    }

    fn occupied(&self) -> W {
        self.code[0] | self.code[1] | self.code[2] | self.code[3]
    }

    fn own(&self) -> W {
        self.occupied() & !self.code[4]
    }

    fn theirs(&self) -> W {
        self.occupied() & self.code[4]
    }

    fn kind(&self, kind: u8) -> W {
        let literal = |i: usize| if kind >> i & 1 != 0 { self.code[i] } else { !self.code[i] };
        (literal(0) & literal(1)) & (literal(2) & literal(3))
    }

    /// Whether a piece stands where it could never move again.
    fn dead(&self) -> W {
        let stuck = |owner: W, last: usize, before: usize| {
            let at = |plane: W, rank: usize| (plane & owner).bit(rank);
            let forward = self.kind(PAWN) | self.kind(LANCE);
            at(forward, last) | at(self.kind(KNIGHT), last) | at(self.kind(KNIGHT), before)
        };
        stuck(self.own(), 0, 1) | stuck(self.theirs(), SIDE - 1, SIDE - 2)
    }
}
