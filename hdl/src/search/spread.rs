//! A move as squares and kinds, for `movegen::make_move`.
//!
//! ```text
//!              +--------+
//!   child 66  => Spread => to 81, from 81    squares; none for a null move, and no origin for a drop
//!              |        => kind 7            the kind dropped, one wire each
//!              |        -> promote
//!              |        => captured 4
//!              +--------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one move per clock. Cost: 174 flip-flops.
//! Model: `host/model/src/movegen/make_move.rs`. Absent: the position (`movegen::make_move`).

use super::node::Child;
use crate::network;
use crate::network::{Wire, Wires, Word};
use crate::position::Plane;
use hayasashi_spec::moves::DROP_FROM;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Spreads a move.
    Spread = spread(SpreadIn) -> SpreadOut {
        in child: Child;
        out to: Plane;
        out from: Plane;
        out kind: Wires<HAND_KINDS>;
        out promote: Wire;
        out captured: Wires<4>;
    }
}

fn spread<W: Word>(inputs: SpreadIn<W>) -> SpreadOut<W> {
    let SpreadIn { child } = inputs;
    let (some, last) = (child.has_last, child.last);
    let square = |number: W| W::join(&(0..SQUARES).map(|s| number.is(s as u128) & some).collect::<Vec<W>>());
    let dropped = |k: usize| last.from().is((DROP_FROM as usize + k) as u128) & some;
    SpreadOut {
        to: square(last.to()),
        from: square(last.from()),
        kind: W::join(&(0..HAND_KINDS).map(dropped).collect::<Vec<W>>()),
        promote: last.promotes() & some,
        captured: last.captured.when(some),
    }
}
