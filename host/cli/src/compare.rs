//! `compare`: the speed of the chip and of software.

use super::{
    args::Global,
    backend, build,
    positions::Positions,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use clap::Args;
use hayasashi_accel::{open, open_chip, AccelError, BackendSpec, CoProcessor};
use hayasashi_boards::{board::Board, flow::REPORT};
use hayasashi_lab::compare::{
    self, clock::Device, html, report::AttachedChip, report::Simulation, text::text, Chips, CompareJob, Monitor, Sample,
};
use hayasashi_model::evaluate::Evaluation;
use hayasashi_spec::registers::{BOARD_MODEL, BOARD_SIMULATION};
use std::path::PathBuf;
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

/// Arguments of `compare`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
The chip's clocks are counted in simulation, behind its byte port and behind its word port: by `verilog`, or by `rtl` if \
Verilator is missing or `--backend rtl` is given. `--backend serial:PATH` also times that board; `auto` looks for one.\n\nRatios are to this project's fastest \
software on one core; `cargo bench -p hayasashi-shogi --bench rules` compares it with other crates, and \
`cargo bench -p hayasashi-model --bench model` measures the software co-processor.")]
pub struct CompareArguments {
    /// The board whose chip is compared: a name from `build --list`, or a path ending in `.toml`.
    #[arg(long, value_name = "BOARD", default_value = "ulx3s-85f-whole")]
    pub board: String,
    /// The build report with the chip's clock [default: target/build/BOARD/report.json if it exists, else the clock in
    /// the board file].
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Measuring time per figure, for software and an attached board.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f64,
    /// Maximum number of positions to measure with.
    #[arg(long, value_name = "N", default_value_t = 320, value_parser = at_least_one)]
    pub sample: usize,
    /// Plies of the deepest walk from the initial position.
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=6))]
    pub depth: u8,
    /// Write an HTML page with plots to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

fn seconds(given: &str) -> Result<f64, String> {
    match given.parse() {
        Ok(seconds @ 0.001..=3600.0) => Ok(seconds),
        _ => Err("expected a number from 0.001 to 3600".into()),
    }
}

fn at_least_one(given: &str) -> Result<usize, String> {
    match given.parse() {
        Ok(0) | Err(_) => Err("expected a whole number of at least 1".into()),
        Ok(number) => Ok(number),
    }
}

/// Maximum time for the first answer of a simulated chip.
const GREETING: Duration = Duration::from_secs(60);

/// Measures, then prints the comparison.
pub fn run(global: &Global, arguments: &CompareArguments) -> anyhow::Result<Exit> {
    if global.sfen.is_some() || !global.moves.is_empty() {
        bail!("`compare` measures with many positions, not one; hint: use `--positions FILE`");
    }
    let board = Board::find(&arguments.board)?;
    let usual = build::folder(&board, None).join(REPORT);
    let device = Device::find(&board, arguments.report.as_deref(), &usual)?;
    let sample = sample(global, arguments.sample)?;
    let evaluation = backend::evaluation(global.table.as_deref())?;
    if let Some(file) = &arguments.html {
        writable(file)?;
    }
    let interrupt = Interrupt::install(|| {})?;
    let (bar, begun) = (progress(0, "starting", global.quiet), Instant::now());
    let tell = |what: &str| {
        bar.set_message(what.to_string());
        // A terminal has the bar.
        if bar.is_hidden() && !global.quiet {
            eprintln!("{:5.1} s  {what}", begun.elapsed().as_secs_f64());
        }
    };
    let chips = match chips(global, &board, &evaluation, &tell) {
        // Ctrl-C also stops the compiler of the simulation.
        Err(_) if interrupt.is_set() => return Ok(Exit::Interrupted),
        chips => chips?,
    };
    let time = Duration::from_secs_f64(arguments.seconds);
    let job = CompareJob { device, sample, evaluation, time, depth: arguments.depth };
    let monitor = Monitor { on_step: &tell, should_stop: &|| interrupt.is_set() };
    let report = compare::run(&job, &chips, &monitor);
    bar.finish_and_clear();
    let report = report?;
    match global.json {
        true => say(serde_json::to_string(&report)?)?,
        false => say(text(&report))?,
    }
    // An interrupted comparison does not replace an earlier page.
    if let (Some(file), false) = (&arguments.html, report.interrupted) {
        std::fs::write(file, html::page(&report)).with_context(|| cannot_write(file))?;
    }
    Ok(if report.interrupted { Exit::Interrupted } else { Exit::Done })
}

fn sample(global: &Global, most: usize) -> anyhow::Result<Sample> {
    match &global.positions {
        None => Ok(Sample::built_in(most)),
        Some(file) => Ok(Sample::given(file, Positions::open(file)?.chunk(most)?, most)?),
    }
}

/// Checks that a file can be written before a minute of work instead of after it. An existing file keeps its contents.
fn writable(file: &Path) -> anyhow::Result<()> {
    let new = !file.exists();
    std::fs::OpenOptions::new().append(true).create(true).open(file).with_context(|| cannot_write(file))?;
    if new {
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

fn cannot_write(file: &Path) -> String {
    format!("cannot write `{}`; hint: give a file in a writable folder", file.display())
}

/// The simulated chip of the board, and an attached board if there is one. If the back end names a simulation, that one is
/// used and no board is searched for.
fn chips(global: &Global, board: &Board, evaluation: &Evaluation, tell: &dyn Fn(&str)) -> anyhow::Result<Chips> {
    let spec: BackendSpec = match global.backend.as_str() {
        "rules" => BackendSpec::Model,
        name => backend::one(name)?,
    };
    // A board that does not answer is reported before the long work.
    let attached = match spec {
        BackendSpec::Auto | BackendSpec::Serial { .. } | BackendSpec::Pcie { .. } | BackendSpec::Tcp { .. } => {
            attached(&spec, evaluation)?
        }
        _ => None,
    };
    let make = |spec: &BackendSpec| {
        tell(&format!("making the chip for `{spec}`"));
        simulated(spec, board)
    };
    let (bytes, words, note) = match &spec {
        BackendSpec::Rtl | BackendSpec::RtlWords => (make(&BackendSpec::Rtl)?, BackendSpec::RtlWords, None),
        BackendSpec::Verilog | BackendSpec::VerilogWords => {
            (make(&BackendSpec::Verilog)?, BackendSpec::VerilogWords, None)
        }
        _ => match verilated(board, tell) {
            Ok(chip) => (chip, BackendSpec::VerilogWords, None),
            Err(error @ AccelError::Simulation { .. }) => {
                let note = format!("`rtl` instead of {error}");
                tell(&format!("{note}; this takes minutes"));
                (simulated(&BackendSpec::Rtl, board)?, BackendSpec::RtlWords, Some(note))
            }
            Err(error) => return Err(error.into()),
        },
    };
    let words = make(&words)?;
    for chip in [&bytes, &words] {
        tell(&format!("loading the evaluation table into `{}`", chip.name()));
        hayasashi_accel::load_evaluation_if_supported(&**chip, evaluation)?;
    }
    let simulation = |chip: &Arc<dyn CoProcessor>| Simulation { backend: chip.name(), note: note.clone() };
    Ok(Chips {
        simulation: simulation(&bytes),
        word_port: Some((words.clone(), simulation(&words))),
        simulated: bytes,
        attached,
    })
}

fn verilated(board: &Board, tell: &dyn Fn(&str)) -> Result<Arc<dyn CoProcessor>, AccelError> {
    tell("making the chip for `verilog`; the first time takes about two minutes");
    simulated(&BackendSpec::Verilog, board)
}

/// The simulated chip with the units of the board.
fn simulated(spec: &BackendSpec, board: &Board) -> Result<Arc<dyn CoProcessor>, AccelError> {
    Ok(Arc::new(open_chip(spec, &board.simulated_chip(), GREETING)?))
}

fn attached(
    spec: &BackendSpec,
    evaluation: &Evaluation,
) -> anyhow::Result<Option<(Arc<dyn CoProcessor>, AttachedChip)>> {
    let opened = open(spec)?;
    let backend = opened.chip.name();
    if *spec == BackendSpec::Auto && opened.chip.direct().is_some() {
        return Ok(None);
    }
    hayasashi_accel::load_evaluation_if_supported(&*opened.chip, evaluation)?;
    let simulated = matches!(opened.chip.info()?.board, BOARD_MODEL | BOARD_SIMULATION);
    Ok(Some((opened.chip, AttachedChip { backend, note: opened.note, simulated })))
}
