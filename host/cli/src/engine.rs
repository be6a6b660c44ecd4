//! The USI engine on standard input and output, and the messages of both programs.

use hayasashi_engine::usi::{self, Options};
use hayasashi_shogi::text::one_line;
use std::{io, path::Path, process::ExitCode};

/// Exit code for bad arguments, input or back ends.
const FAILURE: u8 = 2;

/// Runs the engine until `quit` or the end of the input.
pub fn run(backend: &str, table: Option<&Path>) -> anyhow::Result<()> {
    let options = Options::new(backend, table)?;
    Ok(usi::run(options, io::stdin().lock(), io::stdout())?)
}

/// Sends the log to standard error, at the level of `HAYASASHI_LOG`.
pub fn log_to_stderr() {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_env("HAYASASHI_LOG").unwrap_or_else(|_| EnvFilter::new("error"));
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).try_init();
}

/// Prints an error, and returns the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let lines: Vec<String> = format!("{error:#}").lines().map(one_line).collect();
    eprintln!("error: {}", lines.join("\n"));
    ExitCode::from(FAILURE)
}
