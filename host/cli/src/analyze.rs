//! `analyze`: what a person wants to know of a position.

use super::{
    args::{Global, LimitArguments},
    backend, positions,
    session::{progress, say, Exit, Interrupt},
    show::{board, side},
};
use hayasashi_engine::search::{Decision, MoveSource, SearchLimits, SearchReport, Searcher, TimeControl, UsiScore};
use hayasashi_engine::Control;
use hayasashi_lab::compare::grouped;
use serde_json::json;
use std::{sync::Arc, time::Duration};

/// Searches the position and shows it with what was found.
pub fn run(global: &Global, arguments: &LimitArguments) -> anyhow::Result<Exit> {
    let path = positions::single(global)?;
    let table = backend::table(global.table.as_deref())?;
    let opened = backend::opened(global)?;
    let mut source = MoveSource::open(opened.chip, &table)?;
    let mut moves = Vec::new();
    source.generate(path.position(), &mut moves)?;
    let eval = source.evaluate(path.position())?;
    if !global.json {
        say(board(path.position()))?;
        say(format!("SFEN       {}", path.to_sfen()))?;
        say(format!("Back end   {}", opened.note))?;
        let check = if path.in_check() { ", in check" } else { "" };
        say(format!("To move    {}, move {}{check}", side(path.side_to_move()), path.ply()))?;
        say(format!("Moves      {} legal", moves.len()))?;
        say(format!("Static     {eval:+} centipawns for the mover"))?;
        if let Some(end) = path.game_end() {
            say(format!("Repetition the game has ended: {end:?} for the side to move"))?;
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
    let mut tell = |report: &SearchReport| {
        bar.set_message(format!("depth {}, {}, nodes", report.depth, report.usi_score()));
        bar.set_position(report.nodes);
    };
    let outcome = searcher.search(&path, &limits, &[], &control, &mut tell);
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
            "backend": searcher.source().chip().name(),
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
        say(format!("Score      {}", words(report.usi_score())))?;
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
        return Err(failure.into());
    }
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

fn words(told: UsiScore) -> String {
    match told {
        UsiScore::Centipawns(cp) => format!("{cp:+} centipawns for the mover"),
        UsiScore::Mate(plies) if plies > 0 => format!("the mover mates in {plies} plies"),
        UsiScore::Mate(0) => "the game is over".into(),
        UsiScore::Mate(plies) => format!("the mover is mated in {} plies", -plies),
    }
}
