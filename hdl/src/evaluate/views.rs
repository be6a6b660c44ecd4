//! What each side sees: the king's row and the codes to look up.
//!
//! ```text
//!               +---------+
//!   image 512  =>         => own_view 446     see `View`
//!   own 19     =>  Views  => their_view 446
//!   their 19   =>         |
//!               +---------+
//! ```
//!
//! Handshake: none. `own` and `their` come from [`super::kings`].
//! Latency: one clock. Throughput: one position per clock.
//! Absent: the weights, which `weights` reads.
//! Cost: 892 flip-flops. The gate that chooses between a square and its mirror image also chooses the code of a write,
//! so that there is no other gate in front of the block RAMs.
//! Model: `host/model/src/evaluate/score.rs`.

use super::kings::{mirrored, KingView, ROW_BITS};
use crate::network::{Wires, Word};
use crate::position::{Board, Image, Plane};
use crate::{bundle, network};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

bundle! {
    /// What a side looks up.
    pub struct View {
        /// The king's row of the table.
        row: Wires<ROW_BITS>,
        /// Planes of the code bits.
        code: [Plane; CODE_BITS],
        /// The viewing side's hand: for each kind the count, as a code.
        held: [Wires<CODE_BITS>; HAND_KINDS],
    }
}

network! {
    /// Both sides' views of a position.
    Views = views(ViewsIn) -> ViewsOut {
        in image: Image;
        in own: KingView;
        in their: KingView;
        out own_view: View;
        out their_view: View;
    }
}

fn views<W: Word>(inputs: ViewsIn<W>) -> ViewsOut<W> {
    let board = Board::from_image(&inputs.image);
    ViewsOut { own_view: view(&board, &inputs.own), their_view: view(&board.turned(), &inputs.their) }
}

fn view<W: Word>(board: &Board<W>, king: &KingView<W>) -> View<W> {
    let everywhere = |bit: W| bit.choose(!W::zero(SQUARES), W::zero(SQUARES));
    View {
        row: king.row(),
        code: std::array::from_fn(|i| {
            let which = king.code_or_mirrored.bit(i);
            king.fixed.choose(everywhere(which), which.choose(mirrored(board.code[i]), board.code[i]))
        }),
        held: std::array::from_fn(|k| king.fixed.choose(king.code_or_mirrored, board.held(0, k).extend(CODE_BITS))),
    }
}
