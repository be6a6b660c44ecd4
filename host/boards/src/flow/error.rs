//! Errors of a build.

use super::version::Version;
use std::{io, path::PathBuf};
use thiserror::Error;

/// Why a build failed. Each message names the action and the value that failed, and how to fix it.
#[allow(missing_docs, reason = "the messages explain the fields")]
#[derive(Debug, Error)]
pub enum BuildError {
    /// Ctrl-C. No incomplete file is left.
    #[error("stopped; the results of finished stages are kept")]
    Stopped,

    /// A file or a folder.
    #[error("cannot {action} `{}`: {source}; hint: {hint}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error, hint: &'static str },

    /// A board whose gateware cannot be emitted.
    #[error("board `{board}`: {reason}")]
    Gateware { board: String, reason: String },

    /// A device that the flow does not support.
    #[error("board `{board}`: {reason}; hint: {hint}")]
    Unsupported { board: String, reason: String, hint: String },

    /// A tool that is not installed.
    #[error("`{tool}` is not on PATH; hint: {cure}")]
    NoTool { tool: String, cure: String },

    /// A tool that is too old, or that does not report its version.
    #[error("`{}`: the version `{found}` of {tool} is unknown or older than {minimum}; hint: {cure}", path.display())]
    OldTool { tool: String, path: PathBuf, found: String, minimum: Version, cure: String },

    /// A program that does not start.
    #[error("cannot start `{}`: {source}; hint: {hint}", path.display())]
    Start { path: PathBuf, source: io::Error, hint: &'static str },

    /// A tool that ended with an error.
    #[error("{tool} failed ({status}):\n{messages}\nhint: {hint}the complete log is `{}`", log.display())]
    Tool { tool: String, status: String, messages: String, hint: &'static str, log: PathBuf },

    /// The private virtual environment cannot be created.
    #[error("{what}:\n{messages}\nhint: {hint}")]
    Python { what: String, messages: String, hint: String },

    /// Output of a tool in an unexpected form.
    #[error("`{}`: {reason}; hint: build again, and if the error remains, install another version of the tool", path.display())]
    Output { path: PathBuf, reason: String },

    /// The loader is not installed.
    #[error("`openFPGALoader` is not on PATH; hint: on Debian and Ubuntu run `apt install openfpgaloader`")]
    NoLoader,

    /// The loader failed. Its message is on standard error.
    #[error("openFPGALoader failed ({status}); hint: check that the board is connected and powered, and that this user may open it (udev rules)")]
    Loader { status: String },

    /// No bitstream to load.
    #[error("board `{board}`: {reason}; hint: build it with `hayasashi build --board {board}`")]
    NoBitstream { board: String, reason: String },
}

impl BuildError {
    /// An error of a file, with a general hint.
    pub(super) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> BuildError {
        let path = path.into();
        move |source| BuildError::Io {
            action,
            path,
            source,
            hint: "check the path, its permissions and the free space",
        }
    }
}
