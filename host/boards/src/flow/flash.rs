//! Loads a bitstream into a board with openFPGALoader.

use super::{build::REPORT, tools::on_path, BuildError};
use crate::board::Board;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The bitstream of the last build in this folder.
///
/// # Errors
/// If the folder has no bitstream of this board.
pub fn bitstream(board: &Board, folder: &Path) -> Result<PathBuf, BuildError> {
    let none = |reason: String| BuildError::NoBitstream { board: board.stem.clone(), reason };
    let file = folder.join(REPORT);
    let text =
        fs::read(&file).map_err(|_| none(format!("it was not built yet: `{}` does not exist", file.display())))?;
    let report: Value = serde_json::from_slice(&text).map_err(|e| BuildError::Output {
        path: file.clone(),
        reason: format!("it is not a report of a build: {e}"),
    })?;
    if report["board"] != board.stem.as_str() {
        return Err(none(format!("`{}` is of the board {}", file.display(), report["board"])));
    }
    let made = report["bitstream"].as_str().ok_or_else(|| {
        let why = report["failure"].as_str().unwrap_or("it was stopped before packing");
        none(format!("the last build made no bitstream: {why}; see `{}`", file.display()))
    })?;
    match Path::new(made).is_file() {
        true => Ok(made.into()),
        false => Err(none(format!("the bitstream `{made}` no longer exists"))),
    }
}

/// Loads a bitstream into the device, where it is lost at power-off, or into the board's flash memory. The loader's
/// messages and progress go to standard error.
///
/// # Errors
/// If the loader is missing or fails.
pub fn load(board: &Board, bitstream: &Path, permanent: bool) -> Result<(), BuildError> {
    let program = on_path("openFPGALoader").ok_or(BuildError::NoLoader)?;
    let mut command = Command::new(&program);
    command.args(["-b", &board.flash.board]);
    if permanent {
        command.arg("-f");
    }
    command.arg(bitstream).stdin(Stdio::null()).stdout(std::io::stderr());
    let status = command.status().map_err(|source| BuildError::Start {
        path: program,
        source,
        hint: "check that openFPGALoader is installed completely",
    })?;
    match status.success() {
        true => Ok(()),
        false => Err(BuildError::Loader { status: status.to_string() }),
    }
}
