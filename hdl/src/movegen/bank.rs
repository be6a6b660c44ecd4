//! The moves of the next position, as planes, and which groups of them are not empty.
//!
//! ```text
//!                      +--------+
//!   command 2         =>        => planes 2081     see `Planes`; to be wired back to `planes_in`
//!   moves 20 x 81     =>        => board_out 447   the position; back to `board_in`
//!   drops 2 x 81      =>  Bank  => empty 81        its empty squares; back to `empty_in`
//!   holds 7           =>        |
//!   theirs 2 x 81     =>        |
//!   board 447         =>        |
//!   planes_in 2081    =>        |
//!   board_in 447      =>        |
//!   empty_in 81       =>        |
//!                      +--------+
//! ```
//!
//! Handshake: `load` takes the planes; `uchifuzume` removes the pawn drop that would be mate. The groups are known
//! [`FOUND_CLOCKS`] clocks after the first and two clocks after the second. Then the serialiser may take the planes.
//! Latency: [`FOUND_CLOCKS`]. Throughput: one position in that time.
//! Absent: the order of the moves (`serialise`).
//! Cost: 2,609 flip-flops. They let the next position wait while the moves of the present one leave the serialiser.
//! Model: `host/model/src/movegen/serialise.rs`. Proof: `hdl/formal/bank`.

use super::serialise::CAPTURES;
use super::targets::{DropPlanes, MovePlanes, TheirPlanes};
use crate::network::{Wire, Wires, Word};
use crate::position::board::{rank_mask, ALL_SQUARES};
use crate::position::{Board, Plane};
use crate::{bundle, network};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Groups of the canonical order: four classes of board moves in ten directions, seven kinds of drop.
pub const GROUPS: usize = 4 * DIRECTIONS + HAND_KINDS;
/// Clocks from the taking of the planes until the groups are found.
pub const FOUND_CLOCKS: u64 = 3;

bundle! {
    /// What the bank is told.
    pub struct Command {
        /// Take the planes.
        load: Wire,
        /// Take out the pawn drop that would be mate.
        uchifuzume: Wire,
    }
}

bundle! {
    /// What the bank keeps of a position.
    pub struct Planes {
        /// Destinations of board moves.
        moves: MovePlanes,
        /// Destinations of drops.
        drops: DropPlanes,
        /// Squares of their pieces.
        theirs: Plane,
        /// Groups that have a move.
        found: Wires<GROUPS>,
        /// For the bank alone: the square in front of their king.
        before_king: Plane,
        /// For the bank alone: kinds in hand.
        holds: Wires<HAND_KINDS>,
        /// For the bank alone: the planes were taken one clock ago, two clocks ago.
        loaded: [Wire; 2],
        /// For the bank alone: the squares of the groups that are looked at in this clock.
        among: Plane,
    }
}

network! {
    /// Keeps the planes of the next position.
    Bank = bank(BankIn) -> BankOut {
        in command: Command;
        in moves: MovePlanes;
        in drops: DropPlanes;
        in holds: Wires<HAND_KINDS>;
        in theirs: TheirPlanes;
        in board: Board;
        in planes_in: Planes;
        in board_in: Board;
        in empty_in: Plane;
        out planes: Planes;
        out board_out: Board;
        out empty: Plane;
    }
}

fn bank<W: Word>(inputs: BankIn<W>) -> BankOut<W> {
    let BankIn { command, moves, drops, holds, theirs, board, planes_in: kept, board_in, empty_in } = inputs;
    let Command { load, uchifuzume } = command;

    // Which groups have a move: captures in the first clock after the planes were taken, the others in the second.
    let [first, second] = kept.loaded;
    let some = nonempty(&kept.moves, kept.among).named("some");
    let found = W::join(&[
        first.choose(some, kept.found.slice(0, CAPTURES)),
        second.choose(some, kept.found.slice(CAPTURES, CAPTURES)),
        drops_nonempty(&kept.drops, kept.holds),
    ]);

    let mut next_drops = DropPlanes::choose(load, &drops, &kept.drops);
    next_drops.pawn = next_drops.pawn & !kept.before_king.when(uchifuzume);
    let planes = Planes {
        moves: MovePlanes::choose(load, &moves, &kept.moves),
        drops: next_drops,
        theirs: load.choose(theirs.pieces, kept.theirs),
        found,
        before_king: load.choose(theirs.before_king, kept.before_king),
        holds: load.choose(holds, kept.holds),
        loaded: [load, first],
        among: load.choose(theirs.pieces, !kept.theirs),
    };
    BankOut {
        planes,
        board_out: Board::choose(load, &board, &board_in),
        empty: load.choose(!board.occupied(), empty_in),
    }
}

/// Which planes of moves, first the promotions, have a square among these.
fn nonempty<W: Word>(moves: &MovePlanes<W>, among: W) -> W {
    let groups: Vec<W> = moves.promoting.iter().chain(&moves.plain).map(|&plane| (plane & among).any()).collect();
    W::join(&groups)
}

/// Which kinds can be dropped somewhere.
fn drops_nonempty<W: Word>(drops: &DropPlanes<W>, holds: W) -> W {
    let others = (1..HAND_KINDS).map(|k| (drops.other & W::constant(drop_mask(k), SQUARES)).any() & holds.bit(k));
    let kinds: Vec<W> = std::iter::once(drops.pawn.any()).chain(others).collect();
    W::join(&kinds)
}

/// Squares of a drop of a hand kind (1 lance … 6 rook) among those for any drop.
fn drop_mask(kind: usize) -> u128 {
    let dead = (0..dead_ranks(kind as u8 + 1)).fold(0, |mask, rank| mask | rank_mask(rank));
    ALL_SQUARES & !dead
}
