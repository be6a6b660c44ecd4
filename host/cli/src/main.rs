//! The command line.
//!
//! `docs/json.md` describes the output of `--json`.

mod analyze;
mod area;
mod args;
mod backend;
mod batch;
mod bench;
mod book;
mod build;
mod chip;
mod compare;
mod experiment;
mod flash;
mod info;
mod learn;
mod learn_moves;
mod matches;
mod mate;
mod perft;
mod positions;
mod probabilities;
mod release;
mod selftest;
mod session;
mod show;
mod table;
mod tree;
mod verify;

use args::{Arguments, Command};
use batch::Question;
use clap::Parser;
use session::{is_closed_pipe, Exit};
use std::process::ExitCode;

/// Exit code for bad arguments, input or back ends.
const FAILURE: u8 = 2;

/// Runs the command of the arguments, and returns its exit code.
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    log_to_stderr();
    match run(&arguments) {
        Ok(exit) => ExitCode::from(exit.code()),
        // The reader of the output has closed it.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(FAILURE)
        }
    }
}

fn log_to_stderr() {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_env("HAYASASHI_LOG").unwrap_or_else(|_| EnvFilter::new("error"));
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
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
        Some(Command::Mate(mate)) => mate::run(global, mate),
        Some(Command::Perft(perft)) => perft::run(global, perft),
        Some(Command::Verify(verify)) => verify::run(global, verify),
        Some(Command::Compare(arguments)) => compare::run(global, arguments),
        Some(Command::Info) => info::run(global),
        Some(Command::Selftest) => selftest::run(global),
        Some(Command::Table(table)) => table::run(global, table),
        Some(Command::Release(release)) => release::run(global, release),
        Some(Command::Chip(chip)) => chip::run(global, chip),
        Some(Command::Build(arguments)) => build::run(global, arguments),
        Some(Command::Flash(arguments)) => flash::run(global, arguments),
        Some(Command::Area(arguments)) => area::run(global, arguments),
        Some(Command::Bench(arguments)) => bench::run(global, arguments),
        Some(Command::Book(arguments)) => book::run(global, arguments),
        Some(Command::Tree(arguments)) => tree::run(global, arguments),
        Some(Command::Learn(learn)) => learn::run(global, learn),
        Some(Command::Match(arguments)) => matches::run(global, arguments),
        Some(Command::Experiment(arguments)) => experiment::run(global, arguments),
        Some(Command::Usi) => {
            let options = hayasashi_engine::usi::Options::new(&global.backend, global.table.as_deref())?;
            hayasashi_engine::usi::run(options, std::io::stdin().lock(), std::io::stdout())?;
            Ok(Exit::Done)
        }
    }
}
