//! Why a position cannot occur, found file by file.
//!
//! ```text
//!               +----------+
//!   start      ->          => faults 4    encoding, too many of a kind, two pawns on a file, a piece that cannot move
//!   image 512  =>  Faults  => state 122   to be wired back to `state_in`
//!   state_in   =>          |
//!               +----------+
//! ```
//!
//! Handshake: `start` for one clock, with `image` stable from then on for [`FAULTS_PERIOD`] clocks, after which the next one may
//! come. `faults` is final [`FAULTS_CLOCKS`] after `start`, and holds until two clocks after the next one.
//! Latency: [`FAULTS_CLOCKS`]. Throughput: one position in [`FAULTS_PERIOD`].
//! Cost: 182 flip-flops.
//! Method: a file is selected in one clock and examined in the next. Between positions the first file is selected, and
//! the hands are counted; so `start` has nothing to load.
//! Absent: the fifth fault, that the mover could take the king. It is the check of the turned position, which the
//! pipeline finds.
//! Model: `host/model/src/position/faults.rs`.

use super::board::{Board, Image};
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Clocks from `start` until the faults are known.
pub const FAULTS_CLOCKS: u64 = 11;
/// Clocks from one `start` to the next: one for each file.
pub const FAULTS_PERIOD: u64 = SIDE as u64;
/// Wires of a count of pieces of a kind.
const COUNT_BITS: usize = 8;

bundle! {
    /// Faults of a position.
    pub struct FaultBits {
        /// A code or a reserved bit that no position has.
        encoding: Wire,
        /// Too many pieces of a kind.
        too_many: Wire,
        /// Two pawns of a side on a file.
        two_pawns: Wire,
        /// A piece that could never move again.
        dead: Wire,
    }
}

bundle! {
    /// What is kept from clock to clock.
    pub struct State {
        /// Which file the line is, one wire each, and one more when all are counted.
        file: Wires<{ SIDE + 1 }>,
        /// A file follows.
        follows: Wire,
        /// The line: planes of a file.
        line: [Wires<SIDE>; CODE_BITS],
        /// Pieces of each kind in hand.
        hands: [Wires<COUNT_BITS>; HAND_KINDS],
        /// Pieces of each kind so far.
        counts: [Wires<COUNT_BITS>; HAND_KINDS],
        /// Own king and theirs so far.
        kings: Wires<2>,
        /// Faults of the file before.
        line_faults: FaultBits,
        /// Faults of the files before that one.
        faults: FaultBits,
    }
}

network! {
    /// Checks a position image.
    Faults = faults(FaultsIn) -> FaultsOut {
        in start: Wire;
        in image: Image;
        in state_in: State;
        out state: State;
        out faults: FaultBits;
    }
}

fn faults<W: Word>(inputs: FaultsIn<W>) -> FaultsOut<W> {
    let FaultsIn { start, image, state_in } = inputs;
    let State { file, follows, hands, counts, kings, .. } = state_in;
    let board = Board::from_image(&image);
    // A board of one file: its planes have nine squares.
    let line = Board { code: state_in.line, hand: board.hand };
    let first = file.bit(0);
    let counting = (follows | file.bit(SIDE - 1)).named("counting");
    let counted = file.bit(SIDE);

    let next_counts = std::array::from_fn(|k| {
        let kind = k as u8 + 1;
        let mut pieces = line.kind(kind);
        if promotable(kind) {
            pieces = pieces | line.kind(kind | PROMOTED);
        }
        let here = pieces.named_at("line_pieces", k).popcount().extend(COUNT_BITS);
        first.choose(hands[k], counts[k]).plus(here.when(counting), COUNT_BITS)
    });
    let held = |k: usize| {
        let [own, theirs] = [0, 1].map(|owner| board.held(owner, k).extend(COUNT_BITS));
        own.plus(theirs, COUNT_BITS)
    };
    let too_many =
        or_all((0..HAND_KINDS).map(|k| W::constant(FULL_SET[k] as u128, COUNT_BITS).below(counts[k]))) & counted;
    let own_and_theirs = [line.own(), line.theirs()];
    let kings = kings.when(!first).named("kings_before");
    let kings_here = own_and_theirs.map(|owner| line.kind(KING) & owner);
    let line_kings = W::join(&kings_here.map(Word::any)).named("line_kings");
    let two_kings = or_all(kings_here.map(Word::several)) | (line_kings & kings).any();
    let two_pawns = or_all(own_and_theirs.map(|owner| (line.kind(PAWN) & owner).several()));

    let reserved = or_all([image.reserved_low, image.reserved_middle, image.reserved_high].map(Word::any));
    let nobody = line.code[4] & !line.occupied();
    let encoding = reserved | (line.kind(NO_KIND) | nobody).any();
    let line_faults = FaultBits { encoding, too_many: two_kings, two_pawns, dead: dead(&line) }.when(counting);
    // In the clock of the next position's first file, these are still those of the present one.
    let mut faults = state_in.faults.zip(&state_in.line_faults, |a, b| a | b);
    faults.too_many = faults.too_many | too_many;

    let chosen = W::join(&[!follows, file.slice(0, SIDE - 1)]).named("next_line");
    let state = State {
        file: W::join(&[start, file.slice(0, SIDE)]),
        follows: start | file.slice(0, SIDE - 2).any(),
        line: line_of(&board, chosen),
        hands: std::array::from_fn(held),
        counts: next_counts,
        kings: kings | line_kings,
        line_faults,
        faults: faults.when(!first),
    };
    FaultsOut { state, faults }
}

/// The planes of the nine squares of the file given by one wire.
fn line_of<W: Word>(board: &Board<W>, file: W) -> [W; CODE_BITS] {
    board.code.map(|plane| or_all((0..SIDE).map(|f| plane.slice(SIDE * f, SIDE).when(file.bit(f)))))
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
