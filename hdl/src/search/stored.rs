//! What is kept of the planes of a position, for its picks.
//!
//! A layout, and blocks that put it together and take it apart; they cost nothing.
//! Model: `host/model/src/search/spot.rs`.

use super::attacks::AttackPlanes;
use super::look::CheckLines;
use crate::attacks::legality::Checks;
use crate::movegen::arrivals::{ArrivalPlanes, Squares};
use crate::movegen::targets::DropPlanes;
use crate::network::{width, Wire, Wires, Word};
use crate::position::{Board, Plane};
use crate::{bundle, network};
use hayasashi_spec::piece::HAND_KINDS;
use rust_hdl::prelude::*;

bundle! {
    /// A position and its planes, but for the arrivals.
    pub struct Stored {
        /// The position.
        board: Board,
        /// Squares that tell which arrivals are legal.
        squares: Squares,
        /// Where pieces can be dropped.
        drops: DropPlanes,
        /// Hand kinds that the mover has.
        holds: Wires<HAND_KINDS>,
        /// Squares that each side attacks.
        attacks: AttackPlanes,
        /// Squares that check.
        lines: CheckLines,
        /// Their king.
        king: Plane,
        /// Pawns of both sides.
        pawns: Plane,
    }
}

/// Wires of a row.
pub const ROW_BITS: usize = width::<Stored>();
/// Wires of a row of arrivals.
pub const ARRIVAL_BITS: usize = width::<ArrivalPlanes>();

network! {
    /// Puts a row together.
    Store = store(StoreIn) -> StoreOut, unclocked {
        in board: Board;
        in checks: Checks;
        in squares: Squares;
        in drops: DropPlanes;
        in holds: Wires<HAND_KINDS>;
        in attacks: AttackPlanes;
        in lines: CheckLines;
        in king: Plane;
        in pawns: Plane;
        out row: Stored;
        out in_check: Wire;
    }
}

network! {
    /// Takes a row apart.
    Fetch = fetch(FetchIn) -> FetchOut, unclocked {
        in row: Stored;
        out board: Board;
        out squares: Squares;
        out drops: DropPlanes;
        out holds: Wires<HAND_KINDS>;
        out attacks: AttackPlanes;
        out lines: CheckLines;
        out king: Plane;
        out pawns: Plane;
        out empty: Plane;
    }
}

fn store<W: Word>(inputs: StoreIn<W>) -> StoreOut<W> {
    let StoreIn { board, checks, squares, drops, holds, attacks, lines, king, pawns } = inputs;
    StoreOut { row: Stored { board, squares, drops, holds, attacks, lines, king, pawns }, in_check: checks.check }
}

fn fetch<W: Word>(inputs: FetchIn<W>) -> FetchOut<W> {
    let Stored { board, squares, drops, holds, attacks, lines, king, pawns } = inputs.row;
    FetchOut { board, squares, drops, holds, attacks, lines, king, pawns, empty: squares.empty }
}
