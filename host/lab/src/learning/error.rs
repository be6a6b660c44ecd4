//! What can go wrong in learning.

use std::path::PathBuf;
use thiserror::Error;

/// Why nothing is learned. The table that was there stays as it was.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A file cannot be read or written.
    #[error("cannot {verb} `{}`: {reason}; hint: look at its folder's rights and the space left", file.display())]
    File {
        /// What was tried.
        verb: &'static str,
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// The file has games of other settings.
    #[error("`{}` was begun as `{found}`, and this is `{expected}`; hint: take the same options or another --checkpoint", file.display())]
    OtherSelfPlay {
        /// The file.
        file: PathBuf,
        /// Its first line.
        found: String,
        /// What it would have been.
        expected: String,
    },
    /// A table that cannot be learned from.
    #[error("the table has the weight {weight} for nothing at slot {slot}, row {row}; hint: begin with a table that was learned, or the built-in one")]
    EmptyWeight {
        /// Slot of the weight.
        slot: usize,
        /// Its row.
        row: usize,
        /// The weight.
        weight: i16,
    },
    /// A checkpoint that is not whole.
    #[error("the checkpoint `{}` is damaged; hint: remove it to begin anew", file.display())]
    Damaged {
        /// The file.
        file: PathBuf,
    },
    /// A checkpoint of another run.
    #[error("the checkpoint `{}` is of another run: `{found}`, and this is `{expected}`; hint: take the same options and games, or another --checkpoint", file.display())]
    OtherSetting {
        /// The file.
        file: PathBuf,
        /// Its setting.
        found: String,
        /// This run's.
        expected: String,
    },
    /// Too few games to hold some out.
    #[error("{games} games are too few to learn from and to hold {held_out} % out; hint: give more --games, or another --held-out")]
    TooFew {
        /// Games there are.
        games: usize,
        /// Percent to hold out.
        held_out: f32,
    },
}
