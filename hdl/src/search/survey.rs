//! Whether a position has moves of some kind: any, captures of pieces, promotions that capture nothing, captures of pawns.
//!
//! ```text
//!                     +--------+
//!   which 4          =>        -> some
//!   squares 6 x 81   =>        |
//!   arrivals 17 x 81 => Survey |
//!   drops 2 x 81     =>        |
//!   holds 7          =>        |
//!   pawns 81         =>        |
//!                     +--------+
//! ```
//!
//! Handshake: none. `which` is given by one wire: any move, then the parts of captures. Latency: one clock. Throughput: one answer a clock.
//! Cost: one flip-flop. Model: `host/model/src/search/order.rs`. Absent: which moves these are (`scan`).

use super::aim::{Aim, QUIET_GROUPS};
use super::levels::PARTS;
use super::scan_groups::Moves;
use crate::movegen::arrivals::{ArrivalPlanes, Squares};
use crate::movegen::targets::DropPlanes;
use crate::network;
use crate::network::{Wire, Wires, Word};
use crate::position::{board::ALL_SQUARES, Plane};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

network! {
    /// Whether there are moves.
    Survey = survey(SurveyIn) -> SurveyOut {
        in which: Wires<{ PARTS + 1 }>;
        in squares: Squares;
        in arrivals: ArrivalPlanes;
        in drops: DropPlanes;
        in holds: Wires<HAND_KINDS>;
        in pawns: Plane;
        out some: Wire;
    }
}

fn survey<W: Word>(inputs: SurveyIn<W>) -> SurveyOut<W> {
    let SurveyIn { which, squares, arrivals, drops, holds, pawns } = inputs;
    let [any, pieces, promotions, pawns_only] = [0, 1, 2, 3].map(|i| which.bit(i));
    let all = |on: W| on.choose(W::constant(ALL_SQUARES, SQUARES), W::zero(SQUARES));
    let taken = squares.theirs & ((pawns & all(pawns_only)) | (!pawns & all(pieces)));
    let mask = taken | (squares.empty & all(promotions)) | all(any);
    let plain = any | pieces | pawns_only;
    let groups = (0..QUIET_GROUPS).map(|i| if i < DIRECTIONS { plain } else { any });
    let aim = Aim {
        others: squares.landing & mask,
        king: squares.king_moves & mask,
        groups: W::join(&groups.collect::<Vec<W>>()),
        ..Aim::all(&squares)
    };
    SurveyOut { some: Moves::of(&aim, &squares, &arrivals, drops, holds).some(&aim).any() }
}
