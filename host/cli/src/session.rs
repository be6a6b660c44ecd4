//! Exit codes, Ctrl-C, progress bars and output, for all commands.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    io::{self, Write},
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc,
    },
    time::Duration,
};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The command succeeded.
    Done,
    /// Two answers differ, a test failed, or a build misses a limit.
    Differs,
    /// Ctrl-C stopped the command.
    Interrupted,
}

impl Exit {
    /// The exit code of the process.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Differs => 1,
            Exit::Interrupted => 130,
        }
    }
}

/// Set by Ctrl-C. Commands poll it between parts of their work.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Handles Ctrl-C and SIGTERM: the first runs `then`, the second ends the process at once.
    pub fn install(then: impl Fn() + Send + 'static) -> anyhow::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let set = interrupt.0.clone();
        let handler = move || {
            if set.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            then();
        };
        ctrlc::set_handler(handler).context("cannot catch Ctrl-C")?;
        Ok(interrupt)
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A progress bar on stderr, drawn only on a terminal. `total` 0 shows a spinner.
pub fn progress(total: u64, what: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target((total > 0).then_some(total), ProgressDrawTarget::stderr_with_hz(10));
    let template = match total {
        0 => "{spinner} {msg} {human_pos} ({per_sec}) {elapsed}",
        _ => "{msg} {bar:30} {human_pos}/{human_len} ({per_sec}) {elapsed}, {eta} left",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(what.to_string());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A number with its noun: `1 game`, `2 games`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Whether the error is a closed standard output (as in `| head`).
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|e| e.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

/// Writes one line to standard output and flushes it.
pub fn say(line: impl std::fmt::Display) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()?;
    Ok(())
}
