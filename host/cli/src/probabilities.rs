//! `moves --probabilities`: how probable each move of a position is, with and without the categories' refinements.

use super::{
    args::Global,
    positions::{self, Positions},
    session::{say, Exit},
};
use hayasashi_engine::{
    search::GamePath,
    statistics::{logarithm::probability, Category, MoveTable, PositionContext, Refinements},
};
use hayasashi_shogi::rules::{Move, MoveList};
use serde_json::json;
use std::{path::Path as FilePath, sync::Arc};

/// The switches of the columns.
const COLUMNS: [(&str, Refinements); 4] = [
    ("probability", Refinements::ALL),
    ("no phases", Refinements { phases: false, ..Refinements::ALL }),
    ("no possibility", Refinements { possibility: false, ..Refinements::ALL }),
    ("no history", Refinements { history: false, ..Refinements::ALL }),
];

struct Line {
    mv: Move,
    category: Category,
    looked_up: Category,
    played: u32,
    possible: u32,
    probabilities: [f64; COLUMNS.len()],
}

/// Shows the moves of the position, or of each position of the file, the most probable first.
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
    let context = PositionContext::new(path.position(), path.past());
    let mut moves = MoveList::new();
    path.legal_moves(&mut moves);
    let line = |&mv: &Move| {
        let category = context.category(mv);
        let known = COLUMNS.map(|(_, switches)| table.look_up(category, context.phase, switches));
        let cell = known[0].cell;
        Line {
            mv,
            category,
            looked_up: known[0].category,
            played: cell.played,
            possible: cell.possible,
            probabilities: known.map(|known| probability(known.cost)),
        }
    };
    let mut lines: Vec<Line> = moves.iter().map(line).collect();
    lines.sort_by(|a, b| b.probabilities[0].total_cmp(&a.probabilities[0]).then(a.mv.to_usi().cmp(&b.mv.to_usi())));
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
        return say(json!({ "sfen": path.to_sfen(), "phase": context.phase.name(), "moves": moves }));
    }
    say(format!("SFEN  {}", path.to_sfen()))?;
    say(format!("Phase {}", context.phase.name()))?;
    let names: String = COLUMNS.iter().map(|(name, _)| format!("{name:>15}")).collect();
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
