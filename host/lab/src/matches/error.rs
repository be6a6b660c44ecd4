//! Errors that end a match. An engine that fails during a game loses that game instead.

use std::path::PathBuf;
use thiserror::Error;

/// Why a match cannot be played.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are the values that the messages quote")]
pub enum MatchError {
    /// An engine's process does not start.
    #[error("cannot start the engine `{command}`: {reason}; hint: give its full path, and quote a path with spaces")]
    Start { command: String, reason: std::io::Error },
    /// The process started but does not speak USI.
    #[error("the engine `{command}` does not answer `{question}`: {problem}; hint: check that it is a USI engine: start it by hand and type `{question}`")]
    Handshake { command: String, question: &'static str, problem: String },
    /// An option of an engine names a file that is not there.
    #[error("cannot read `{value}`, the file of the engine's option `{name}`: {reason}; hint: check the path")]
    OptionFile { name: String, value: String, reason: std::io::Error },
    /// An empty command, or one with an open quotation mark.
    #[error("`{0}` is not a command; hint: close every quotation mark")]
    Command(String),
    /// An option that is not `Name=value`.
    #[error("`{0}` is not an option; hint: write `Name=value`")]
    Option(String),
    /// A line of the openings.
    #[error("{}:{line}: {reason}; hint: write `startpos moves …` or a SFEN on each line", file.display())]
    Opening { file: PathBuf, line: usize, reason: String },
    /// A file without openings.
    #[error("`{}` has no openings; hint: write `startpos moves …` or a SFEN on each line", .0.display())]
    NoOpenings(PathBuf),
    /// A line of the parameters to tune.
    #[error("{}:{line}: {reason}; hint: write `name start least most step`; docs/techniques.md lists the parameters", file.display())]
    Parameter { file: PathBuf, line: usize, reason: String },
    /// A file without parameters.
    #[error("`{}` has no parameters; hint: write `name start least most step` on each line; docs/techniques.md lists them", .0.display())]
    NoParameters(PathBuf),
    /// A file cannot be read or written.
    #[error("cannot {verb} `{}`: {reason}; hint: give an existing file, or a folder that you may write to", file.display())]
    File { verb: &'static str, file: PathBuf, reason: std::io::Error },
    /// The results file belongs to another match.
    #[error(
        "`{}` has results of other settings ({field}: `{in_file}` in the file, `{requested}` requested); hint: use another file or folder for these results",
        file.display()
    )]
    OtherMatch { file: PathBuf, field: &'static str, in_file: String, requested: String },
    /// Another process writes the results file.
    #[error("another process writes to `{}`; hint: wait until it ends, or use another file or folder for these results", .0.display())]
    Locked(PathBuf),
    /// The results file cannot be parsed.
    #[error("`{}`, line {line}: {reason}; hint: give a results file that was not edited", file.display())]
    Results { file: PathBuf, line: usize, reason: String },
    /// A game that cannot be written as a CSA record.
    #[error("cannot write game {game} as a CSA record: {reason}; hint: the results file has the game in USI notation")]
    Csa { game: u64, reason: String },
}
