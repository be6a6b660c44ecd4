//! `flash`: a bitstream into a board.

use super::{
    args::{FlashArguments, Global},
    build::folder,
    session::{say, Exit},
};
use hayasashi_boards::{board::Board, flow::flash};
use serde_json::json;

/// Loads what the last build made.
pub fn run(global: &Global, arguments: &FlashArguments) -> anyhow::Result<Exit> {
    let board = Board::find(&arguments.board)?;
    let file = match &arguments.bitstream {
        Some(file) => file.clone(),
        None => flash::bitstream(&board, &folder(&board, arguments.out.as_deref()))?,
    };
    flash::load(&board, &file, arguments.permanent)?;
    match global.json {
        true => say(json!({ "board": board.stem, "bitstream": file, "permanent": arguments.permanent }))?,
        false if arguments.permanent => say(format!("{}: {} is in its flash memory", board.name, file.display()))?,
        false => say(format!("{}: {} is loaded until the power goes", board.name, file.display()))?,
    }
    Ok(Exit::Done)
}
