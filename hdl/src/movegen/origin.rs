//! The origin of a move, and the kinds of the pieces that it moves and takes.
//!
//! ```text
//!              +----------+
//!   valid     =>          => valid_out
//!   to        =>          => to_out 81, from 81   one square each; no origin for a drop
//!   rays      =>  Origin  => kind_out 7           kind dropped, one wire each
//!   kind      =>          => promote_out 1
//!   promote   =>          => moved 4, captured 4  kinds before the move; zero for none
//!   board     =>          |
//!   own       =>          |
//!              +----------+
//! ```
//!
//! Latency one clock, one move per clock; stands still while `hold`.

use crate::network;
use crate::network::{word::or_all, Wire, Wires, Word};
use crate::position::{Board, Plane};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Where a move comes from, and what it moves and takes.
    Origin = origin(OriginIn) -> OriginOut, held {
        in valid: Wire;
        in to: Plane;
        in rays: [Plane; 4];
        in kind: Wires<HAND_KINDS>;
        in promote: Wire;
        in board: Board;
        in own: Plane;
        out valid_out: Wire;
        out to_out: Plane;
        out from: Plane;
        out kind_out: Wires<HAND_KINDS>;
        out promote_out: Wire;
        out moved: Wires<4>;
        out captured: Wires<4>;
    }
}

fn origin<W: Word>(inputs: OriginIn<W>) -> OriginOut<W> {
    let OriginIn { valid, to, rays, kind, promote, board, own } = inputs;
    let from = or_all(rays) & own;
    let kind_on = |square: W| W::join(&[0, 1, 2, 3].map(|i| (board.code[i] & square).any()));
    OriginOut {
        valid_out: valid,
        to_out: to,
        from,
        kind_out: kind,
        promote_out: promote,
        moved: kind_on(from),
        captured: kind_on(to),
    }
}
