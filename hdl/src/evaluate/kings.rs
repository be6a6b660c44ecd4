//! Where the kings stand, which decides how each side sees the board.
//!
//! ```text
//!               +--------+
//!   board 447  =>  Spot  => image 512
//!               |        => kings 2 x 81
//!               +--------+
//!                +---------+
//!   image 512   =>         => image_out 512
//!   kings 2x81  =>  Kings  => own 19     see `KingView`
//!   write 12    =>         => their 19
//!                +---------+
//! ```
//!
//! Handshake: none. `write` (enable, code, row) gives the own view this row and this code everywhere; in this way an
//! address reaches the block RAMs while a table is loaded.
//! Latency: one clock each. Throughput: one position per clock.
//! Absent: a second king of a side, which no valid position has.
//! Cost: 674 and 550 flip-flops.
//! Method: a view is mirrored if its king stands on files 6 to 9.
//! Model: `host/model/src/evaluate/score.rs`.

use crate::network::{Wire, Wires, Word};
use crate::position::board::{index, turn_plane};
use crate::position::{Board, Image, Plane};
use crate::{bundle, network};
use hayasashi_spec::piece::*;
use hayasashi_spec::table::ROW_NO_KING;
use rust_hdl::prelude::*;

/// Wires of a king's row of the table.
pub const ROW_BITS: usize = 6;

bundle! {
    /// What is known of a king.
    pub struct KingView {
        /// The view is one code everywhere.
        fixed: Wire,
        /// For each bit of the codes: that bit if `fixed`, else whether the board is mirrored.
        code_or_mirrored: Wires<CODE_BITS>,
        /// There is no king.
        absent: Wire,
        /// The row if the board is not mirrored, zero for no king.
        row: Wires<ROW_BITS>,
        /// The row if the board is mirrored.
        mirrored_row: Wires<ROW_BITS>,
    }
}

bundle! {
    /// Makes the own view this row with this code everywhere.
    pub struct TableWrite {
        /// A weight is written in this clock.
        enable: Wire,
        /// The piece code of the weight.
        code: Wires<CODE_BITS>,
        /// The king's row of the weight.
        row: Wires<ROW_BITS>,
    }
}

bundle! {
    /// Both kings, as we see them.
    pub struct BothKings {
        /// The mover's king.
        own: Plane,
        /// The other side's king.
        their: Plane,
    }
}

network! {
    /// Finds the kings.
    Spot = spot(SpotIn) -> SpotOut {
        in board: Board;
        out image: Image;
        out kings: BothKings;
    }
}

network! {
    /// Decides how each side sees the board.
    Kings = kings(KingsIn) -> KingsOut {
        in image: Image;
        in kings: BothKings;
        in write: TableWrite;
        out image_out: Image;
        out own: KingView;
        out their: KingView;
    }
}

fn spot<W: Word>(inputs: SpotIn<W>) -> SpotOut<W> {
    let board = inputs.board;
    let (kings, theirs) = (board.kind(KING).named("both_kings"), board.code[4]);
    SpotOut { image: board.image(), kings: BothKings { own: kings & !theirs, their: kings & theirs } }
}

fn kings<W: Word>(inputs: KingsIn<W>) -> KingsOut<W> {
    let KingsIn { image, kings, write: TableWrite { enable, code, row } } = inputs;
    let written = KingView { fixed: enable, code_or_mirrored: code, absent: W::zero(1), row, mirrored_row: row };
    let own = KingView::choose(enable, &written, &KingView::of(kings.own));
    KingsOut { image_out: image, own, their: KingView::of(turn_plane(kings.their)) }
}

impl<W: Word> KingView<W> {
    /// How the side of this king sees the board.
    fn of(king: W) -> KingView<W> {
        let row = |plane: W| index(plane).slice(0, ROW_BITS);
        let far = is_far(king);
        KingView {
            fixed: W::zero(1),
            code_or_mirrored: W::join(&[far; CODE_BITS]),
            absent: !king.any(),
            row: row(king),
            mirrored_row: row(mirrored(king)),
        }
    }

    /// The row of the table.
    pub fn row(&self) -> W {
        let row = self.code_or_mirrored.bit(0).choose(self.mirrored_row, self.row);
        row | W::constant(ROW_NO_KING as u128, ROW_BITS).when(self.absent)
    }
}

/// The square from which on a king sees the board in a mirror.
pub const FIRST_FAR: usize = square(5, 0);

/// One wire: whether this king sees the board in a mirror.
pub fn is_far<W: Word>(king: W) -> W {
    king.slice(FIRST_FAR, SQUARES - FIRST_FAR).any()
}

/// A plane with its files exchanged.
pub fn mirrored<W: Word>(plane: W) -> W {
    let wires: Vec<u8> = (0..SQUARES).map(|s| mirror(s) as u8).collect();
    plane.wires(&wires)
}
