//! `release`: the co-processor as Verilog for another design.

use super::{
    args::{Global, ReleaseArguments},
    session::{say, Exit},
};
use hayasashi_boards::ip::Release;
use serde_json::json;

/// Writes the files and lists them.
pub fn run(global: &Global, arguments: &ReleaseArguments) -> anyhow::Result<Exit> {
    let release =
        Release { clock_hz: arguments.clock_hz, board: arguments.board, evaluator: !arguments.without_evaluator };
    for path in release.write(&arguments.out)? {
        let bytes = path.metadata().map_or(0, |file| file.len());
        match global.json {
            true => say(json!({ "file": path.display().to_string(), "bytes": bytes }))?,
            false => say(format!("{bytes:>8} {}", path.display()))?,
        }
    }
    Ok(Exit::Done)
}
