//! Errors of a comparison.

use hayasashi_accel::{AccelError, PositionError};
use thiserror::Error;

/// Why a comparison fails.
#[allow(missing_docs, reason = "the fields are the values that the messages quote")]
#[derive(Debug, Error)]
pub enum CompareError {
    /// The given report cannot be read.
    #[error("cannot read the report `{file}`: {reason}; hint: `hayasashi build --board {board}` writes a report; without `--report` the board's target clock is used")]
    NoReport { file: String, board: String, reason: String },

    /// The file is not a report.
    #[error("`{file}` is not a build report: {reason}; hint: give a `report.json` that `hayasashi build --board {board}` has written")]
    BadReport { file: String, board: String, reason: String },

    /// The report belongs to another board.
    #[error("the report `{file}` is of the board `{found}`, not `{board}`; hint: give `--board {found}`, or another report with `--report`")]
    OtherBoard { file: String, found: String, board: String },

    /// A file without positions.
    #[error("`{file}` has no positions; hint: write one SFEN on each line")]
    NoPositions { file: String },

    /// The chip's answer differs from the software's, so that their speeds cannot be compared.
    #[error("`{target}` gives a wrong answer to `{work}`: {reason}; hint: `hayasashi verify --backend {target}` shows the difference")]
    WrongAnswer { target: String, work: String, reason: String },

    /// A back end failed.
    #[error(transparent)]
    Accel(#[from] AccelError),

    /// A position that the chip refuses.
    #[error(transparent)]
    Position(#[from] PositionError),

    /// The comparison was interrupted.
    #[error("the comparison was interrupted")]
    Stopped,
}
