//! `moves --probabilities`: the probability of each move of a position, with and without each refinement of the categories.

use super::{
    args::Global,
    positions::{self, Positions},
    session::{say, Exit},
};
use hayasashi_engine::{
    search::GamePath,
    statistics::{
        ranking::{rank_moves, COMPARED_REFINEMENTS},
        MoveTable,
    },
};
use serde_json::json;
use std::{path::Path as FilePath, sync::Arc};

/// Headings of the columns, one for each of [`COMPARED_REFINEMENTS`].
const COLUMNS: [&str; COMPARED_REFINEMENTS.len()] = ["probability", "no phases", "no possibility", "no history"];

/// Prints the moves of the position, or of each position in the file, the most probable first.
pub fn run(global: &Global, table: Option<&FilePath>) -> anyhow::Result<Exit> {
    let table = table.map(MoveTable::read).transpose()?.map_or_else(MoveTable::built_in, Arc::new);
    let Some(file) = &global.positions else {
        show(global, &table, &positions::single(global)?)?;
        return Ok(Exit::Done);
    };
    let mut positions = Positions::open(file)?;
    loop {
        let chunk = positions.chunk(1)?;
        let Some(pos) = chunk.into_iter().next() else { return Ok(Exit::Done) };
        show(global, &table, &GamePath::new(pos))?;
    }
}

fn show(global: &Global, table: &MoveTable, path: &GamePath) -> anyhow::Result<()> {
    let (phase, lines) = rank_moves(table, path);
    if global.json {
        let moves: Vec<_> = lines
            .iter()
            .map(|l| {
                json!({
                    "move": l.mv.to_usi(),
                    "probability": l.probabilities[0],
                    "without_phases": l.probabilities[1],
                    "without_possibility": l.probabilities[2],
                    "without_history": l.probabilities[3],
                    "category": l.category.to_string(),
                    "looked_up": l.looked_up.to_string(),
                    "played": l.played,
                    "possible": l.possible,
                })
            })
            .collect();
        return say(json!({ "sfen": path.to_sfen(), "phase": phase.name(), "moves": moves }));
    }
    say(format!("SFEN  {}", path.to_sfen()))?;
    say(format!("Phase {}", phase.name()))?;
    let names: String = COLUMNS.iter().map(|name| format!("{name:>15}")).collect();
    say(format!("{:<6}{names} {:>15}  category", "move", "played/possible"))?;
    for l in &lines {
        let percents: String = l.probabilities.iter().map(|p| format!("{:>13.3} %", 100.0 * p)).collect();
        let counts = format!("{}/{}", l.played, l.possible);
        let coarse = if l.looked_up.plain().level(0) == l.category.plain() {
            String::new()
        } else {
            format!(" as {}", l.looked_up)
        };
        say(format!("{:<6}{percents} {counts:>15}  {}{coarse}", l.mv.to_usi(), l.category))?;
    }
    Ok(())
}
