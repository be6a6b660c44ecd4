//! What can go wrong on the way to a bitstream.

use super::version::Version;
use std::{io, path::PathBuf};
use thiserror::Error;

/// Why a build ended without its result. Each names what was done, the value it failed on, and the cure.
#[allow(missing_docs)] // the fields, of which each message tells
#[derive(Debug, Error)]
pub enum BuildError {
    /// Ctrl-C. Nothing half-written is left.
    #[error("stopped; stages that were finished are kept")]
    Stopped,

    /// A file or a folder.
    #[error("cannot {action} {}: {source}; hint: {hint}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error, hint: &'static str },

    /// A board whose gateware cannot be emitted.
    #[error("board `{board}`: {reason}")]
    Gateware { board: String, reason: String },

    /// A device that the flow does not know.
    #[error("board `{board}`: {reason}; hint: {hint}")]
    Unsupported { board: String, reason: String, hint: String },

    /// A tool that is not installed.
    #[error("{tool} is not on PATH; hint: install it ({hint}), or let `--tools python` fetch it from PyPI")]
    NoTool { tool: String, hint: &'static str },

    /// A tool that is too old, or does not tell its age.
    #[error("{}: {tool} {found} is too old or unknown, at least {minimum} is needed; hint: update it, or let `--tools python` fetch it from PyPI", path.display())]
    OldTool { tool: String, path: PathBuf, found: String, minimum: Version },

    /// A program that does not start.
    #[error("cannot start {}: {source}; hint: {hint}", path.display())]
    Start { path: PathBuf, source: io::Error, hint: &'static str },

    /// A tool that ended with an error.
    #[error("{tool} failed ({status}):\n{complaint}\nits whole log is {}", log.display())]
    Tool { tool: String, status: String, complaint: String, log: PathBuf },

    /// The private virtual environment cannot be set up.
    #[error("{what}:\n{complaint}\nhint: {hint}")]
    Python { what: String, complaint: String, hint: String },

    /// A tool's output that is not what it should be.
    #[error("{}: {reason}; hint: build again; if it stays, the tool's version is at fault", path.display())]
    Output { path: PathBuf, reason: String },

    /// The loader is not installed.
    #[error("openFPGALoader is not on PATH; hint: `apt install openfpgaloader`, or see its project's page")]
    NoLoader,

    /// The loader failed; it has told why on standard error.
    #[error("openFPGALoader failed ({status}); hint: is the board plugged in and powered, and may this user open it (udev rules)?")]
    Loader { status: String },

    /// Nothing to load yet.
    #[error("board `{board}`: {reason}; hint: `hayasashi build --board {board}`")]
    NoBitstream { board: String, reason: String },
}

impl BuildError {
    /// An error of a file, with the usual hint.
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
