//! `area`: the area of each block of the gateware.

use super::{
    args::Global,
    build::{folder, BuildProgress, ToolArguments, BUILDS},
    session::{say, Exit},
};
use clap::Args;
use hayasashi_boards::{
    board::Board,
    flow::{area, BuildJob, FinalStage},
};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Arguments of `area`.
#[derive(Args, Debug, Clone)]
pub struct AreaArguments {
    /// A board whose chip is synthesised. May be repeated.
    #[arg(long, value_name = "BOARD", required = true)]
    pub board: Vec<String>,
    /// Write the table to this file, as in `constraints/AREA.md`.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Show blocks down to this depth.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub depth: usize,
    /// Show blocks with at least this many LUTs, or with a block RAM or a multiplier.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub least_luts: u64,
    /// The tools.
    #[command(flatten)]
    pub tools: ToolArguments,
}

/// Measures the blocks of one or more boards.
pub fn run(global: &Global, arguments: &AreaArguments) -> anyhow::Result<Exit> {
    let mut progress = BuildProgress::new(global.quiet)?;
    let mut areas = Vec::new();
    for name in &arguments.board {
        let board = Board::find(name)?;
        let job = BuildJob {
            seed: None,
            out: folder(&board, None).join("area"),
            final_stage: FinalStage::Synthesis,
            tool_source: arguments.tools.source(),
            venv: arguments.tools.venv.clone(),
            board,
        };
        match area::measure(&job, &mut progress) {
            Ok(area) => areas.push(area),
            failed => {
                progress.finish(failed)?;
                return Ok(Exit::Interrupted);
            }
        }
    }
    progress.bar.finish_and_clear();
    if global.json {
        for area in &areas {
            let blocks: serde_json::Map<_, _> =
                area.blocks.iter().map(|(path, count)| (path.clone(), json!(count))).collect();
            say(json!({ "board": area.board, "device": area.device, "yosys": area.yosys, "blocks": blocks }))?;
        }
        return Ok(Exit::Done);
    }
    let reports = area::reports(Path::new(BUILDS));
    let text =
        area::markdown(&areas, &reports, area::BlockFilter { depth: arguments.depth, luts: arguments.least_luts });
    match &arguments.out {
        Some(file) => std::fs::write(file, text).map_err(|e| {
            anyhow::anyhow!("cannot write `{}`: {e}; hint: give a file in a writable folder", file.display())
        })?,
        None => say(text.trim_end())?,
    }
    Ok(Exit::Done)
}
