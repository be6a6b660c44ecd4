//! The command line.
//!
//! `docs/json.md` describes the output of `--json`.

mod analyze;
mod analyze_by_chip;
mod area;
mod args;
mod backend;
mod batch;
mod bench;
mod book;
mod build;
mod chip;
mod cluster;
mod cluster_usi;
mod compare;
mod convert;
mod csa;
mod endgame;
mod engine;
mod experiment;
mod flash;
mod help;
mod info;
mod learn;
mod learn_moves;
mod learn_network;
mod match_tune;
mod match_virtual;
mod matches;
mod mate;
mod merge;
mod monitor;
mod perft;
mod positions;
mod probabilities;
mod processor;
mod release;
mod search;
mod selftest;
mod session;
mod show;
mod table;
mod tree;
mod verify;

use args::{Arguments, Command};
use batch::Question;
use clap::FromArgMatches;
use session::{is_closed_pipe, Exit};
use std::process::ExitCode;

/// Runs the command of the arguments, and returns its exit code.
fn main() -> ExitCode {
    if let Err(reason) = processor::check() {
        return engine::report(&anyhow::Error::msg(reason));
    }
    let arguments = match Arguments::from_arg_matches(&help::command().get_matches()) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
    engine::log_to_stderr();
    match run(&arguments) {
        Ok(exit) => ExitCode::from(exit.code()),
        // The reader of the output has closed it.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => engine::report(&error),
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let global = &arguments.global;
    match &arguments.command {
        None => analyze::run(global, &arguments.limits),
        Some(Command::Analyze(limits)) => analyze::run(global, limits),
        Some(Command::Moves(moves)) if moves.probabilities => probabilities::run(global, moves.move_table.as_deref()),
        Some(Command::Moves(_)) => batch::run(Question::Moves, global),
        Some(Command::Eval) => batch::run(Question::Eval, global),
        Some(Command::Count) => batch::run(Question::Count, global),
        Some(Command::Expand) => batch::run(Question::Expand, global),
        Some(Command::Mate(mate)) => mate::run(global, mate),
        Some(Command::Perft(perft)) => perft::run(global, perft),
        Some(Command::Search(arguments)) => search::run(global, arguments),
        Some(Command::Verify(verify)) => verify::run(global, verify),
        Some(Command::Compare(arguments)) => compare::run(global, arguments),
        Some(Command::Info) => info::run(global),
        Some(Command::Selftest) => selftest::run(global),
        Some(Command::Table(table)) => table::run(global, table),
        Some(Command::Release(release)) => release::run(global, release),
        Some(Command::Monitor(arguments)) => monitor::run(global, arguments),
        Some(Command::Chip(chip)) => chip::run(global, chip),
        Some(Command::Build(arguments)) => build::run(global, arguments),
        Some(Command::Flash(arguments)) => flash::run(global, arguments),
        Some(Command::Area(arguments)) => area::run(global, arguments),
        Some(Command::Bench(arguments)) => bench::run(global, arguments),
        Some(Command::Book(arguments)) => book::run(global, arguments),
        Some(Command::Convert(arguments)) => convert::run(global, arguments),
        Some(Command::Tree(arguments)) => tree::run(global, arguments),
        Some(Command::Endgame(arguments)) => endgame::run(global, arguments),
        Some(Command::Learn(learn)) => learn::run(global, learn),
        Some(Command::Match(arguments)) => matches::run(global, arguments),
        Some(Command::Cluster(command)) => cluster::run(global, command),
        Some(Command::Merge(arguments)) => merge::run(global, arguments),
        Some(Command::Experiment(arguments)) => experiment::run(global, arguments),
        Some(Command::Csa(arguments)) => csa::run(global, arguments),
        Some(Command::Usi) => {
            engine::run(&global.backend, global.table.as_deref())?;
            Ok(Exit::Done)
        }
    }
}
