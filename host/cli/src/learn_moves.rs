//! `learn moves`: counts which categories of moves are played, and which sequences of three.

use super::{
    args::Global,
    learn::read,
    session::{progress, say, Exit, Interrupt},
};
use clap::Args;
use hayasashi_engine::statistics::{
    move_counts::MoveCounts,
    report::{heading, report, sequences},
    sequence_counts, MoveTable,
};
use hayasashi_lab::learning::checkpoint::replace;
use serde_json::json;
use std::path::PathBuf;

/// Sequences that are shown.
const SHOWN: usize = 20;

/// Arguments of `learn moves`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Records are those of `learn eval`. `hayasashi moves --probabilities --move-table FILE` shows what the table says of a \
position's moves; the engine's option `MoveTable` takes it for realization-probability search.")]
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

/// Counts, and writes the table once all is counted.
pub fn run(global: &Global, arguments: &MovesArguments) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::install(|| {})?;
    let games = read(global, &arguments.games)?;
    let bar = progress(games.len() as u64, "games", global.quiet);
    let mut statistics = MoveCounts::default();
    for game in &games {
        statistics.take(game);
        bar.inc(1);
        if interrupt.is_set() {
            bar.finish_and_clear();
            eprintln!("stopped after {} games; no table is written", statistics.games);
            return Ok(Exit::Interrupted);
        }
    }
    bar.finish_and_clear();
    let counted_sequences = sequence_counts::count_sequences(&games);
    let names = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let games: Vec<String> = arguments.games.iter().map(names).collect();
    let counted: Vec<String> = heading(&statistics).lines().map(String::from).collect();
    let remarks = vec![format!("hayasashi learn moves --games {}", games.join(" ")), counted.join("; ")];
    let table = MoveTable::of(&statistics, &counted_sequences, remarks);
    replace(&arguments.out, table.to_text().as_bytes())?;
    if let Some(file) = &arguments.report {
        let text = format!("{}\n{}", report(&statistics), sequences(&counted_sequences, usize::MAX));
        replace(file, text.as_bytes())?;
    }
    let (categories, frequent) = (table.categories().len(), table.sequences().len());
    if global.json {
        say(json!({
            "games": statistics.games,
            "positions": statistics.positions.iter().sum::<u64>(),
            "positions_by_phase": statistics.positions,
            "legal_moves": statistics.moves,
            "categories_counted": statistics.categories().count(),
            "categories": categories,
            "sequences_counted": counted_sequences.different(),
            "sequences": frequent,
        }))?;
    } else {
        counted.iter().try_for_each(say)?;
        let all = statistics.categories().count();
        say(format!("{all} categories were possible, {categories} often enough for the table"))?;
        let all = counted_sequences.different();
        say(format!("{all} sequences of three moves were played, {frequent} so often that they are in the table:"))?;
        say(sequences(&counted_sequences, SHOWN).trim_end())?;
    }
    Ok(Exit::Done)
}
