//! `flash`: loads a bitstream into a board.

use super::{
    args::Global,
    build::folder,
    session::{say, Exit},
};
use clap::Args;
use hayasashi_boards::{board::Board, flow::flash};
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `flash`.
#[derive(Args, Debug, Clone)]
pub struct FlashArguments {
    /// The board.
    #[arg(long, value_name = "BOARD")]
    pub board: String,
    /// Write the board's flash memory, so that the gateware survives a power cycle.
    #[arg(long)]
    pub permanent: bool,
    /// Folder of the build [default: target/build/BOARD].
    #[arg(long, value_name = "DIR", conflicts_with = "bitstream")]
    pub out: Option<PathBuf>,
    /// Load this file instead of the last build.
    #[arg(long, value_name = "FILE")]
    pub bitstream: Option<PathBuf>,
}

/// Loads the bitstream of the last build, or a given one.
pub fn run(global: &Global, arguments: &FlashArguments) -> anyhow::Result<Exit> {
    let board = Board::find(&arguments.board)?;
    let file = match &arguments.bitstream {
        Some(file) => file.clone(),
        None => flash::bitstream(&board, &folder(&board, arguments.out.as_deref()))?,
    };
    flash::load(&board, &file, arguments.permanent)?;
    let file = file.display();
    let shown = match arguments.permanent {
        true => format!("{}: {file} is written to the flash memory", board.name),
        false => format!("{}: {file} is loaded until power-off", board.name),
    };
    say(match global.json {
        true => {
            json!({ "board": board.stem, "bitstream": file.to_string(), "permanent": arguments.permanent }).to_string()
        }
        false => shown,
    })?;
    Ok(Exit::Done)
}
