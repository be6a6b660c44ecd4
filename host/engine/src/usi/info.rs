//! The lines to the GUI that report a search.

use crate::{
    mate::{MateLimits, MateOutcome, Solver},
    search::{Decision, GamePath, SearchLimits, SearchReport, Searcher},
    Control,
};
use hayasashi_shogi::{book::BookMove, rules::Move, text::one_line};
use std::{
    fmt::Display,
    io::Write,
    sync::{Arc, Mutex, PoisonError},
};

/// Where protocol lines go; each is flushed at once.
#[derive(Clone)]
pub(super) struct Output(pub Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// Writes a line. Errors are ignored: a GUI that has ended also ends the input.
    pub fn line(&self, line: impl Display) {
        // A writer that panicked has written part of a line at most.
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }

    /// Writes an `info string` line.
    pub fn info(&self, message: impl Display) {
        self.line(format_args!("info string {message}"));
    }

    /// Reports a problem to the GUI, to stderr and to the log.
    pub fn warn(&self, message: impl Display) {
        let message = one_line(&message.to_string());
        tracing::warn!("{message}");
        eprintln!("{message}");
        self.info(message);
    }
}

/// The `bestmove` line of a move, with the reply to ponder.
fn best_move(best: Move, reply: Option<Move>) -> String {
    match reply {
        Some(reply) => format!("bestmove {best} ponder {reply}"),
        None => format!("bestmove {best}"),
    }
}

/// Reports a move of the book and returns the `bestmove` line.
pub(super) fn play_from_book(chosen: &BookMove, reply: Option<Move>, output: &Output) -> String {
    let BookMove { mv, score, depth, count, .. } = chosen;
    let times = if *count == 1 { "once".into() } else { format!("{count} times") };
    output.info(format_args!("book move {mv}, played {times}"));
    let line: String = std::iter::once(*mv).chain(reply).map(|m| format!(" {m}")).collect();
    output.line(format_args!("info depth {depth} multipv 1 score cp {score} nodes 0 time 0 pv{line}"));
    best_move(*mv, reply)
}

/// Searches, reports each iteration and returns the `bestmove` line. A score of minus `resign` or less resigns, except
/// in an analysis (`go infinite`).
pub(super) fn search(
    searcher: &mut Searcher,
    game: &GamePath,
    limits: &SearchLimits,
    root_moves: &[Move],
    resign: i32,
    control: &Control,
    output: &Output,
) -> String {
    let mut last_reported = None;
    let mut on_report = |report: &SearchReport| {
        last_reported = Some((report.nodes, report.line));
        output.line(info_line(report));
    };
    let outcome = searcher.search(game, limits, root_moves, control, &mut on_report);
    if outcome.decision != Decision::Declare && last_reported != Some((outcome.report.nodes, 1)) {
        output.line(info_line(&outcome.report));
    }
    if let Some(failure) = outcome.failure {
        output.warn(failure);
    }
    match outcome.decision {
        Decision::Move(..) if !limits.infinite && outcome.report.depth > 0 && outcome.report.score <= -resign => {
            output.info(format_args!("the engine resigns at score {}", outcome.report.usi_score()));
            "bestmove resign".into()
        }
        Decision::Move(best, reply) => best_move(best, reply),
        Decision::Declare => "bestmove win".into(),
        Decision::Resign => "bestmove resign".into(),
    }
}

fn info_line(report: &SearchReport) -> String {
    let pv: String = report.pv.iter().map(|m| format!(" {m}")).collect();
    format!(
        "info depth {} seldepth {} multipv {} score {} nodes {} nps {} time {} hashfull {}{}{pv}",
        report.depth,
        report.selective_depth,
        report.line,
        report.usi_score(),
        report.nodes,
        report.nodes_per_second(),
        report.elapsed.as_millis(),
        report.hash_permille,
        if pv.is_empty() { "" } else { " pv" },
    )
}

/// Searches for a mate and returns the `checkmate` line.
pub(super) fn find_mate(
    game: &GamePath,
    limits: &MateLimits,
    hash_mib: usize,
    control: &Control,
    output: &Output,
) -> String {
    let answer = Solver::new(hash_mib).solve(game.position(), limits, control);
    output.line(format_args!(
        "info nodes {} nps {} time {} hashfull {}",
        answer.nodes,
        (answer.nodes as f64 / control.elapsed().as_secs_f64().max(1e-6)) as u64,
        control.elapsed().as_millis(),
        answer.hash_permille
    ));
    match answer.outcome {
        MateOutcome::Mate(mate) => {
            let moves: String = mate.line.iter().map(|m| format!(" {m}")).collect();
            format!("checkmate{moves}")
        }
        MateOutcome::NoMate => "checkmate nomate".into(),
        MateOutcome::Unknown => "checkmate timeout".into(),
        MateOutcome::InvalidStrategy(error) => {
            output.warn(error);
            "checkmate timeout".into()
        }
    }
}
