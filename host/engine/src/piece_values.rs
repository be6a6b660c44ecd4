//! Piece values for move ordering, pruning and static exchanges. The evaluation table has its own.

use hayasashi_shogi::rules::ExchangeValues;

/// Centipawns by piece kind.
pub const PIECE_VALUES: ExchangeValues =
    ExchangeValues::new([0, 90, 315, 405, 495, 540, 855, 990, 15_000, 540, 540, 540, 540, 0, 945, 1395]);
