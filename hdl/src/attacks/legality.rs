//! Second stage of the attack network: what a check and the pins leave to each piece.
//!
//! ```text
//!                    +------------+
//!   tag 22          =>            => tag_out 22
//!   board 447       =>            => drops 97         what a drop depends on: see `DropRules`
//!   kinds 8 x 81    =>  Legality  => checks 3         see `Checks`
//!   crossings 4x81  =>            => movers 19 x 81   pieces by what they do, and which may move: see `Movers`
//!   threats 7 x 81  =>            => near 17 x 81     the first parts of their rays
//!                    |            => reach 6 x 81     see `Reach`
//!                    +------------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one position per clock.
//! Absent: where the pieces arrive (`movegen::arrivals`).
//! Cost: 2,759 flip-flops and the first parts of 17 rays.
//! Model: `host/model/src/attacks/{legality,pins,danger}.rs`.

use super::kinds::Kinds;
use super::movers::{Movers, NearRays};
use super::rays::Threats;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::board::shift;
use crate::position::{Board, Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
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

bundle! {
    /// What a drop depends on besides the empty squares.
    pub struct DropRules {
        /// Files without a pawn of the mover's.
        open_files: Wires<SIDE>,
        /// Hand kinds that the mover has.
        holds: Wires<HAND_KINDS>,
        /// The square in front of the enemy king.
        before_king: Plane,
    }
}

impl<W: Word> DropRules<W> {
    /// Of a position.
    fn of(board: &Board<W>) -> DropRules<W> {
        let pawns = (board.kind(PAWN) & board.own()).named("own_pawns");
        let open_files: Vec<W> = (0..SIDE).map(|file| !pawns.slice(SIDE * file, SIDE).any()).collect();
        let holds: Vec<W> = (0..HAND_KINDS).map(|k| board.held(0, k).any().named_at("holds_kind", k)).collect();
        let their_king = (board.kind(KING) & board.code[4]).named("their_king");
        DropRules {
            open_files: W::join(&open_files),
            holds: W::join(&holds),
            before_king: shift(Direction::South, their_king),
        }
    }
}

network! {
    /// What a check and the pins leave.
    Legality = legality(LegalityIn) -> LegalityOut {
        in tag: Tag;
        in board: Board;
        in kinds: Kinds;
        in crossings: [Plane; 4];
        in threats: Threats;
        out tag_out: Tag;
        out drops: DropRules;
        out checks: Checks;
        out movers: Movers;
        out near: NearRays;
        out reach: Reach;
    }
}

fn legality<W: Word>(inputs: LegalityIn<W>) -> LegalityOut<W> {
    let LegalityIn { tag, board, kinds, crossings, threats } = inputs;
    let Threats { king, beside_king, empty, attacked, checkers } = threats;
    let own = (!empty & !board.code[4]).named("own");
    let others = (own & !king).named("others");

    // A piece is pinned along an axis if it stands where rays meet; it may move along this axis only.
    let movable = std::array::from_fn(|axis| {
        let pinned = or_all((0..4).filter(|&other| other != axis).map(|other| crossings[other]));
        (others & !pinned).named_at("movable", axis)
    });
    let crossed = or_all(crossings).named("crossed");
    let parries = checkers | (empty & crossed);
    let checks = Checks { check: checkers.any(), double_check: checkers.several(), pinned: (own & crossed).any() };

    let movers = Movers::of(&board, &kinds, movable);
    LegalityOut {
        tag_out: tag,
        drops: DropRules::of(&board),
        checks,
        near: movers.near(empty),
        movers,
        reach: Reach { king, beside_king, empty, own, king_moves: beside_king & !own & !or_all(attacked), parries },
    }
}
