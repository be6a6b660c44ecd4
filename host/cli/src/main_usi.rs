//! `hayasashi-usi`: the USI engine alone. GUIs start an engine by its path, without arguments.

mod engine;
mod processor;

use clap::Parser;
use std::{path::PathBuf, process::ExitCode};

/// The shogi engine Hayasashi for USI programs such as ShogiHome; the same as `hayasashi usi`.
///
/// It needs no arguments: the GUI sets its options.
#[derive(Parser, Debug)]
#[command(version, about, long_about)]
struct Arguments {
    /// Where the chip is, as `hayasashi --help` describes it.
    #[arg(long, default_value = "auto", value_name = "BACKEND")]
    backend: String,
    /// Use this evaluation table instead of the built-in one.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

fn main() -> ExitCode {
    if let Err(reason) = processor::check() {
        return engine::report(&anyhow::Error::msg(reason));
    }
    let arguments = Arguments::parse();
    engine::log_to_stderr();
    match engine::run(&arguments.backend, arguments.table.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => engine::report(&error),
    }
}
