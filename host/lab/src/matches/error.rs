//! What can go wrong with a match as a whole. An engine that fails loses its game instead.

use std::path::PathBuf;
use thiserror::Error;

/// Why a match cannot be played.
#[derive(Debug, Error)]
#[allow(missing_docs)] // the fields are what the messages quote
pub enum DuelError {
    /// An engine's command cannot be started.
    #[error("the engine `{command}` does not start: {reason}; hint: give its full path, and quote a path with spaces")]
    Start { command: String, reason: std::io::Error },
    /// It started but does not speak USI.
    #[error("the engine `{command}` does not answer `{question}` as USI asks: {what}; hint: try it by hand")]
    Greeting { command: String, question: &'static str, what: String },
    /// A command without words, or with a quotation mark left open.
    #[error("`{0}` is no command; hint: quotation marks come in pairs")]
    Command(String),
    /// An option that is not `Name=value`.
    #[error("`{0}` is no option; hint: write `Name=value`")]
    Option(String),
    /// A line of the openings.
    #[error("{}:{line}: {reason}; hint: lines are `startpos moves …` or SFEN", file.display())]
    Opening { file: PathBuf, line: usize, reason: String },
    /// No opening at all.
    #[error("`{}` has no opening; hint: lines are `startpos moves …` or SFEN", .0.display())]
    NoOpening(PathBuf),
    /// A file cannot be read or written.
    #[error("cannot {verb} `{}`: {reason}; hint: name a file that is there, or a folder that you may write to", file.display())]
    File { verb: &'static str, file: PathBuf, reason: std::io::Error },
    /// The results are those of another match.
    #[error(
        "`{}` holds results of other settings ({field}: {there} there, {here} here); hint: name another file or folder for these results",
        file.display()
    )]
    OtherMatch { file: PathBuf, field: &'static str, there: String, here: String },
    /// Somebody else adds to the results.
    #[error("`{}` is being written by another process; hint: wait for it, or name another file or folder for these results", .0.display())]
    Busy(PathBuf),
    /// The results cannot be understood.
    #[error("`{}`, line {line}: {reason}; hint: it is no results file, or it was edited", file.display())]
    Results { file: PathBuf, line: usize, reason: String },
}
