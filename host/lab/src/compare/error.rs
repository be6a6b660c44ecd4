//! Why nothing can be compared.

use hayasashi_accel::{AccelError, PositionError};
use thiserror::Error;

/// Each names the value and the cure.
#[allow(missing_docs)] // the fields, of which the message tells
#[derive(Debug, Error)]
pub enum CompareError {
    /// The report that was named cannot be read.
    #[error("the report `{file}` cannot be read: {reason}; hint: `hayasashi build --board {board}` writes one; without `--report` the clock that the board asks for is taken")]
    NoReport { file: String, board: String, reason: String },

    /// It is no report.
    #[error("`{file}` is no report of a build: {reason}; hint: name a `report.json` that `hayasashi build --board {board}` has written")]
    BadReport { file: String, board: String, reason: String },

    /// It is another board's.
    #[error("the report `{file}` is of the board `{found}`, not `{board}`; hint: name it by `--board {found}`, or another report by `--report`")]
    OtherBoard { file: String, found: String, board: String },

    /// There is no position to measure with.
    #[error("`{file}` has no positions; hint: one SFEN on each line")]
    NoPositions { file: String },

    /// The chip and the software do not agree: then their speeds say nothing.
    #[error(
        "{target} answers {work} wrongly: {reason}; hint: `hayasashi verify --backend {target}` shows the difference"
    )]
    Wrong { target: String, work: String, reason: String },

    /// A back end failed.
    #[error(transparent)]
    Accel(#[from] AccelError),

    /// A position cannot be answered.
    #[error(transparent)]
    Position(#[from] PositionError),

    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}
