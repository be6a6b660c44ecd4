//! `learn moves`: counts how often each category and each sequence of three moves is played.

use super::{
    args::Global,
    learn::read,
    session::{progress, say, Exit, Interrupt},
};
use clap::Args;
use hayasashi_engine::statistics::report::{heading, sequences};
use hayasashi_lab::learning::move_statistics::MoveStatistics;
use serde_json::json;
use std::path::PathBuf;

/// Sequences that are shown.
const SHOWN: usize = 20;

/// Arguments of `learn moves`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
The formats of records are those of `learn eval`. `hayasashi moves --probabilities --move-table FILE` shows the \
probabilities of a position's moves. The engine's option `MoveTable` uses the table in realization-probability search.")]
pub struct MovesArguments {
    /// Records, or folders of records.
    #[arg(long, value_name = "PATH", num_args = 1.., required = true)]
    pub games: Vec<PathBuf>,
    /// The table to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Write every category with its counts and probabilities to this file, and every frequent sequence of three moves.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// Counts the moves of all games and writes the table.
pub fn run(global: &Global, arguments: &MovesArguments) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::install(|| {})?;
    let games = read(&arguments.games, global.quiet, true)?;
    let bar = progress(games.len() as u64, "games", global.quiet);
    let on_game = |done: usize| {
        bar.set_position(done as u64);
        !interrupt.is_set()
    };
    let names = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let sources: Vec<String> = arguments.games.iter().map(names).collect();
    let command = format!("hayasashi learn moves --games {}", sources.join(" "));
    let counted = MoveStatistics::count(&games, command, &on_game);
    let finished = bar.position();
    bar.finish_and_clear();
    let Some(counted) = counted else {
        eprintln!("interrupted after {finished} games; `{}` is not written", arguments.out.display());
        return Ok(Exit::Interrupted);
    };
    counted.write_table(&arguments.out)?;
    if let Some(file) = &arguments.report {
        counted.write_report(file)?;
    }
    show(global, &counted)?;
    Ok(Exit::Done)
}

fn show(global: &Global, counted: &MoveStatistics) -> anyhow::Result<()> {
    let MoveStatistics { categories: counts, sequences: counted_sequences, table } = counted;
    let (categories, frequent) = (table.categories().len(), table.sequences().len());
    if global.json {
        return say(json!({
            "games": counts.games,
            "positions": counts.positions.iter().sum::<u64>(),
            "positions_by_phase": counts.positions,
            "legal_moves": counts.moves,
            "categories_counted": counts.categories().count(),
            "categories": categories,
            "sequences_counted": counted_sequences.different(),
            "sequences": frequent,
        }));
    }
    say(heading(counts).trim_end())?;
    let all = counts.categories().count();
    say(format!("{all} categories were possible; {categories} are frequent enough for the table"))?;
    let all = counted_sequences.different();
    say(format!("{all} sequences of three moves were played; {frequent} are frequent enough for the table:"))?;
    say(sequences(counted_sequences, SHOWN).trim_end())
}
