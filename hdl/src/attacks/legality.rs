//! Second stage of the attack network: what a check and the pins leave to each piece.
//!
//! ```text
//!                    +------------+
//!   tag 48          =>            => tag_out 48
//!   board 447       =>            => board_out 447
//!   crossings 4x81  =>  Legality  => checks 3         see `Checks`
//!   threats 5 x 81  =>            => movers 20 x 81   pieces by what they do, and which may move: see `Movers`
//!                    |            => reach 6 x 81     see `Reach`
//!                    +------------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Absent: where the pieces arrive (`movegen::arrivals`).
//! Cost: 2,604 flip-flops.
//! Model: `host/model/src/attacks/{legality,pins,danger}.rs`.

use super::{movers::Movers, rays::Threats};
use crate::network::{word::or_all, Wire, Word};
use crate::position::{Board, Plane, Tag};
use crate::{bundle, network};
use rust_hdl::prelude::*;

bundle! {
    /// Checks to the mover's king, and pins.
    pub struct Checks {
        /// By a piece at least.
        check: Wire,
        /// By more than one.
        double_check: Wire,
        /// An own piece is pinned.
        pinned: Wire,
    }
}

bundle! {
    /// Squares that tell where pieces may go.
    pub struct Reach {
        /// The mover's king.
        king: Plane,
        /// Empty squares.
        empty: Plane,
        /// Own pieces.
        own: Plane,
        /// The squares next to it.
        beside_king: Plane,
        /// Where the king may move.
        king_moves: Plane,
        /// Against one check: the checking piece, and the squares between.
        parries: Plane,
    }
}

network! {
    /// What a check and the pins leave.
    Legality = legality(LegalityIn) -> LegalityOut {
        in tag: Tag;
        in board: Board;
        in crossings: [Plane; 4];
        in threats: Threats;
        out tag_out: Tag;
        out board_out: Board;
        out checks: Checks;
        out movers: Movers;
        out reach: Reach;
    }
}

fn legality<W: Word>(inputs: LegalityIn<W>) -> LegalityOut<W> {
    let LegalityIn { tag, board, crossings, threats } = inputs;
    let Threats { king, beside_king, empty, attacked, checkers } = threats;
    let own = (!empty & !board.code[4]).named("own");

    // A piece is pinned along an axis if it stands where rays meet; it may move along this axis only.
    let movable = std::array::from_fn(|axis| {
        let pinned = or_all((0..4).filter(|&other| other != axis).map(|other| crossings[other]));
        (own & !pinned).named_at("movable", axis)
    });
    let crossed = or_all(crossings).named("crossed");
    let parries = checkers | (empty & crossed);
    let checks = Checks { check: checkers.any(), double_check: checkers.several(), pinned: (own & crossed).any() };

    LegalityOut {
        tag_out: tag,
        board_out: board,
        checks,
        movers: Movers::of(&board, movable),
        reach: Reach { king, beside_king, empty, own, king_moves: beside_king & !own & !attacked, parries },
    }
}
