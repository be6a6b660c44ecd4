//! `analyze`: shows a position, its evaluation and the best line.

use super::{
    args::Global,
    backend, positions,
    session::{progress, say, Exit, Interrupt},
    show::{board, side},
};
use anyhow::bail;
use clap::{Args, ValueEnum};
use hayasashi_engine::search::{
    Decision, MoveSource, Patience, Repeated, SearchLimits, SearchReport, Searcher, TimeControl, UsiScore,
};
use hayasashi_engine::{network::corrected, Control};
use hayasashi_lab::{compare::grouped, parts::Part};
use serde_json::json;
use std::{path::PathBuf, sync::Arc, time::Duration};

/// Who searches.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Searches {
    /// The engine of this program.
    #[default]
    Host,
    /// The chip by itself (`SEARCH`).
    Chip,
}

/// Limits of an analysis.
#[derive(Args, Debug, Clone, Default)]
pub struct LimitArguments {
    /// Search time in milliseconds [default: 1000 if no other limit is given].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time_ms: Option<u64>,
    /// Search depth in plies.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Nodes to search. The result is then the same on every back end.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=hayasashi_engine::search::settings::MAX_HASH_MIB))]
    pub hash_mib: u64,
    /// Who searches. `chip` also takes `--positions FILE`, and then has eight searches or more under way; its limits are --depth
    /// and --nodes [default depth: 8].
    #[arg(long, value_name = "WHO", value_enum, default_value = "host")]
    pub search: Searches,
    /// With `--search chip`: write each result to this file. The same command resumes from it.
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// With `--search chip`: search only this share of the positions, the K-th of N parts. `merge` joins the files of results.
    #[arg(long, value_name = "K/N", default_value_t)]
    pub part: Part,
}

/// Searches the position, and prints it with the result.
pub fn run(global: &Global, arguments: &LimitArguments) -> anyhow::Result<Exit> {
    match (arguments.search, &arguments.results) {
        (Searches::Chip, _) => return super::analyze_by_chip::run(global, arguments),
        (Searches::Host, Some(file)) => bail!(
            "`--results {}` is for the search by the chip; hint: add `--search chip`, or redirect the output",
            file.display()
        ),
        (Searches::Host, None) if arguments.part != Part::WHOLE => bail!(
            "`--part {}` is for the search by the chip; hint: add `--search chip`, and `--positions FILE`",
            arguments.part
        ),
        (Searches::Host, None) => {}
    }
    let path = positions::single(global)?;
    let evaluation = backend::evaluation(global.table.as_deref())?;
    let opened = backend::opened(global)?;
    let mut source = MoveSource::open(opened.chip, evaluation.clone())?;
    let mut moves = Vec::new();
    source.generate(path.position(), &mut moves, Patience::default());
    let eval = corrected(&evaluation, source.evaluate(path.position(), Patience::default()), path.position());
    if !global.json {
        say(board(path.position()))?;
        say(format!("SFEN       {}", path.to_sfen()))?;
        say(format!("Back end   {}", opened.note))?;
        let check = if path.in_check() { ", in check" } else { "" };
        say(format!("To move    {}, move {}{check}", side(path.side_to_move()), path.ply()))?;
        say(format!("Moves      {} legal", moves.len()))?;
        say(format!("Static     {eval:+} centipawns for the mover"))?;
        if let Some(end) = path.game_end() {
            let result = match end {
                Repeated::Draw => "drawn",
                Repeated::Win => "won by the side to move: the opponent gave perpetual check",
                Repeated::Loss => "lost by the side to move, which gave perpetual check",
            };
            say(format!("Repetition the game is {result}"))?;
        }
    }
    let legal = moves.len();
    let mut searcher = Searcher::new(source, arguments.hash_mib as usize);
    searcher.settings.network_delay = Duration::ZERO;
    let unlimited = arguments.depth.is_none() && arguments.nodes.is_none();
    let time = arguments.time_ms.or(unlimited.then_some(1000)).map(Duration::from_millis);
    let limits = SearchLimits {
        nodes: arguments.nodes,
        depth: arguments.depth,
        time: time.map(TimeControl::Exact),
        infinite: false,
    };
    let control = Arc::new(Control::default());
    let stopped = control.clone();
    let interrupt = Interrupt::install(move || stopped.stop())?;
    let bar = progress(0, "nodes", global.quiet);
    let mut on_depth = |report: &SearchReport| {
        bar.set_message(format!("depth {}, {}, nodes", report.depth, report.usi_score()));
        bar.set_position(report.nodes);
    };
    let outcome = searcher.search(&path, &limits, &[], &control, &mut on_depth);
    bar.finish_and_clear();
    let report = &outcome.report;
    let best = match &outcome.decision {
        Decision::Move(mv, _) => mv.to_usi(),
        Decision::Declare => "win".into(),
        Decision::Resign => "resign".into(),
    };
    let line: Vec<String> = report.pv.iter().map(|m| m.to_usi()).collect();
    if global.json {
        let (kind, value) = match report.usi_score() {
            UsiScore::Centipawns(cp) => ("centipawns", cp),
            UsiScore::Mate(plies) => ("mate_plies", plies),
        };
        say(json!({
            "sfen": path.to_sfen(),
            "backend": searcher.source().answering(),
            "note": opened.note,
            "legal_moves": legal,
            "in_check": path.in_check(),
            "static_centipawns": eval,
            "best": best,
            "pv": line,
            "score": { kind: value },
            "depth": report.depth,
            "nodes": report.nodes,
            "milliseconds": report.elapsed.as_millis() as u64,
            "interrupted": interrupt.is_set(),
        }))?;
    } else {
        say(format!("Best       {best}"))?;
        say(format!("Line       {}", if line.is_empty() { "-".into() } else { line.join(" ") }))?;
        say(format!("Score      {}", score_text(report.usi_score())))?;
        say(format!(
            "Search     depth {} (selective {}), {} nodes in {:.2} s, {} nodes/s",
            report.depth,
            report.selective_depth,
            grouped(report.nodes),
            report.elapsed.as_secs_f64(),
            grouped(report.nodes_per_second())
        ))?;
    }
    if let Some(failure) = outcome.failure {
        eprintln!("{failure}");
    }
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

/// The score in words.
fn score_text(score: UsiScore) -> String {
    match score {
        UsiScore::Centipawns(cp) => format!("{cp:+} centipawns for the mover"),
        UsiScore::Mate(plies) if plies > 0 => format!("the mover mates in {plies} {}", plural(plies)),
        UsiScore::Mate(0) => "the game is over".into(),
        UsiScore::Mate(plies) => format!("the mover is mated in {} {}", -plies, plural(-plies)),
    }
}

fn plural(plies: i32) -> &'static str {
    match plies {
        1 => "ply",
        _ => "plies",
    }
}
