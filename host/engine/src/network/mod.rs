//! A network that corrects the score of an evaluation table.
//!
//! ```text
//!   mover's view  --first--> units, clipped to 0..127, squared --.
//!   other's view  --first--> units, clipped to 0..127, squared ---+--last--> correction, in centipawns for the mover
//!                                                      constant --'
//! ```
//!
//! Views are those of [`hayasashi_spec::table`]: each side sees its own pieces move up the board, with files exchanged when its
//! king stands on files 6–9. A feature is a slot and a code: a piece on a square of the view, or the number of pieces of a kind in
//! the side's own hand. Empty squares and empty hands have none. Both views share the weights of the first layer. With `a` the sums
//! of a view's units,
//!
//! ```text
//! a[u]       = bias[u] + Σ over the features f of the view of first[f][u]
//! c[u]       = clamp(a[u], 0, 127)²
//! correction = (Σ c_mover[u] · last[0][u] + Σ c_other[u] · last[1][u] + constant · 2^14 + 2^13) >> 14
//! score      = clamp(table's score + correction, ±SCORE_LIMIT)
//! ```
//!
//! * [`Network`]: the weights, their file, and the score of a position from scratch
//! * [`UnitSums`]: the sums of the units, updated move by move

mod default;
mod file;
mod sums;

pub use default::{default_network, DEFAULT_NETWORK_CHECKSUM};
pub use file::{Evaluation, NetworkError, NETWORK_FORMAT};
pub use sums::{MoveChange, UnitSums};

use hayasashi_model::evaluate::EvalTable;
use hayasashi_shogi::rules::{Color, PieceKind, Position};
use hayasashi_spec::{
    piece::{turn, CODES, THEIRS},
    table::{hand_slot, king_row, SLOTS, VIEW_SQUARES},
};
use std::sync::Arc;

/// Features of a view: slot times [`CODES`] plus code.
pub const FEATURES: usize = SLOTS * CODES;
/// The most units. Then no sum of products exceeds 32 bits.
pub const MOST_UNITS: usize = 64;
/// The units are a multiple of this.
pub const UNITS_STEP: usize = 8;
/// Weights of the first layer lie within ± this.
pub const FIRST_LIMIT: i16 = 127;
/// A unit's sum at which it saturates.
pub const FULL: i16 = 127;
/// Weights of the last layer lie within ± this.
pub const LAST_LIMIT: i16 = 1000;
/// Biases lie within ± this. Then no sum exceeds 16 bits.
pub const BIAS_LIMIT: i16 = 8000;
/// The constant lies within ± this, in centipawns.
pub const CONSTANT_LIMIT: i16 = 2000;
/// The products are shifted right by this.
pub const SHIFT: u32 = 14;

// A view has at most 39 pieces on squares or hand kinds, and the opponent's king.
const _: () = assert!(BIAS_LIMIT as i32 + 40 * FIRST_LIMIT as i32 <= i16::MAX as i32);
const _: () = {
    let products = 2 * MOST_UNITS as i64 * (FULL as i64 * FULL as i64) * LAST_LIMIT as i64;
    assert!(products + ((CONSTANT_LIMIT as i64 + 1) << SHIFT) <= i32::MAX as i64);
};

/// Whether a network can have so many units.
pub const fn is_units(units: usize) -> bool {
    units != 0 && units <= MOST_UNITS && units.is_multiple_of(UNITS_STEP)
}

/// A checked network, with the table that it corrects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    table: Arc<EvalTable>,
    version: u32,
    /// Feature by feature, in each unit by unit.
    first: Vec<i16>,
    bias: Vec<i16>,
    /// Of the mover's view, then of the other one.
    last: [Vec<i16>; 2],
    constant: i16,
}

/// The weights of a network. Each list is as [`Network`] has it.
pub struct NetworkWeights {
    /// First layer: [`FEATURES`] times units, feature by feature.
    pub first: Vec<i16>,
    /// Biases of the units.
    pub bias: Vec<i16>,
    /// Last layer, by view: the mover's, the other one's.
    pub last: [Vec<i16>; 2],
    /// Added to the correction, in centipawns.
    pub constant: i16,
}

impl Network {
    /// A network that corrects `table`.
    ///
    /// # Errors
    /// A number of units or a weight out of range, a list of another length, or version 0.
    pub fn new(table: Arc<EvalTable>, version: u32, weights: NetworkWeights) -> Result<Network, NetworkError> {
        let NetworkWeights { first, bias, last, constant } = weights;
        let network = Network { table, version, first, bias, last, constant };
        network.check()?;
        Ok(network)
    }

    /// Number of units.
    pub fn units(&self) -> usize {
        self.bias.len()
    }

    /// The table that it corrects.
    pub fn table(&self) -> &Arc<EvalTable> {
        &self.table
    }

    /// Version given by whoever made it.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The score of a position from the table's score, both in centipawns for the mover.
    pub fn corrected(&self, table_score: i32, pos: &Position) -> i32 {
        UnitSums::new(self, pos).corrected(self, table_score, pos.side_to_move())
    }

    fn row(&self, feature: usize) -> &[i16] {
        &self.first[feature * self.units()..][..self.units()]
    }
}

/// How a side sees the board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct View {
    mirrored: bool,
    color: Color,
}

impl View {
    /// A side's view of a position.
    pub fn of(pos: &Position, color: Color) -> View {
        let own_side = |square: usize| if color == Color::Black { square } else { turn(square) };
        let (_, mirrored) = king_row(pos.king_square(color).map(|king| own_side(king.index())));
        View { mirrored, color }
    }

    /// The feature of a piece on a square.
    #[inline(always)]
    fn piece(self, square: usize, code: u8) -> usize {
        let slot = VIEW_SQUARES[self.color.index()][self.mirrored as usize][square] as usize;
        let flip = if self.color == Color::Black { 0 } else { THEIRS };
        slot * CODES + ((code ^ flip) & 31) as usize
    }

    /// The features of a view of `pos`.
    pub fn features(self, pos: &Position, mut each: impl FnMut(usize)) {
        for square in pos.occupied() {
            if let Some(piece) = pos.piece_on(square) {
                each(self.piece(square.index(), piece.code()));
            }
        }
        for kind in PieceKind::HAND {
            hand(kind.code(), pos.hand(self.color).count(kind), &mut each);
        }
    }
}

/// The feature of pieces in hand, if there are any.
#[inline(always)]
fn hand(kind: u8, count: u8, each: &mut impl FnMut(usize)) {
    if count > 0 {
        each(hand_slot(kind & 7) * CODES + (count & 31) as usize);
    }
}
