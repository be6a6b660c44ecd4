//! `compare`: how fast the chip is beside software.

use super::{
    args::{CompareArguments, Global},
    backend, build,
    positions::Positions,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use hayasashi_accel::{open, open_chip, AccelError, BackendSpec, CoProcessor};
use hayasashi_boards::{board::Board, flow::REPORT};
use hayasashi_hdl::top::config::ChipConfig;
use hayasashi_lab::compare::{
    self, clock::Device, html, report::AttachedChip, report::Simulation, text::text, Chips, CompareJob, Monitor, Sample,
};
use hayasashi_model::evaluate::EvalTable;
use hayasashi_spec::registers::{BOARD_MODEL, BOARD_SIMULATION};
use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

/// How long a simulated chip may take for its first answer.
const GREETING: Duration = Duration::from_secs(60);

/// Compares, and shows what was found.
pub fn run(global: &Global, arguments: &CompareArguments) -> anyhow::Result<Exit> {
    if global.sfen.is_some() || !global.moves.is_empty() {
        bail!("a single position is no sample to measure with; hint: --positions FILE");
    }
    let board = Board::find(&arguments.board)?;
    let usual = build::folder(&board, None).join(REPORT);
    let device = Device::find(&board, arguments.report.as_deref(), &usual)?;
    let sample = sample(global, arguments.sample)?;
    let table = backend::table(global.table.as_deref())?;
    if let Some(file) = &arguments.html {
        writable(file)?;
    }
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(0, "starting", global.quiet);
    let chips = match chips(global, &board, &table) {
        // What compiles the simulation has been stopped too.
        Err(_) if interrupt.is_set() => return Ok(Exit::Interrupted),
        chips => chips?,
    };
    let job =
        CompareJob { device, sample, table, time: Duration::from_secs_f64(arguments.seconds), depth: arguments.depth };
    let begun = Instant::now();
    let tell = |what: &str| {
        bar.set_message(what.to_string());
        // A terminal has the bar.
        if bar.is_hidden() && !global.quiet {
            eprintln!("{:5.1} s  {what}", begun.elapsed().as_secs_f64());
        }
    };
    let monitor = Monitor { on_step: &tell, should_stop: &|| interrupt.is_set() };
    let report = compare::run(&job, &chips, &monitor);
    bar.finish_and_clear();
    let report = report?;
    match global.json {
        true => say(serde_json::to_string(&report)?)?,
        false => say(text(&report))?,
    }
    // A page of an earlier comparison is not replaced by half of one.
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

/// A file that cannot be written is told of before a minute of work, not after it. What is there stays.
fn writable(file: &Path) -> anyhow::Result<()> {
    let new = !file.exists();
    std::fs::OpenOptions::new().append(true).create(true).open(file).with_context(|| cannot_write(file))?;
    if new {
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

fn cannot_write(file: &Path) -> String {
    format!("cannot write `{}`; hint: name a file in a folder that you may write to", file.display())
}

/// The simulated chip of the board, and one that is attached. A simulation that is named as the back end is taken, and no
/// board is looked for then.
fn chips(global: &Global, board: &Board, table: &EvalTable) -> anyhow::Result<Chips> {
    let spec: BackendSpec = match global.backend.as_str() {
        "rules" => BackendSpec::Model,
        name => name.parse()?,
    };
    let (simulated, note) = match &spec {
        BackendSpec::Rtl | BackendSpec::Verilog { .. } => (simulated(&spec, board)?, None),
        _ => match simulated(&BackendSpec::Verilog { plain: false }, board) {
            Ok(chip) => (chip, None),
            Err(error @ AccelError::Simulation { .. }) => {
                (simulated(&BackendSpec::Rtl, board)?, Some(format!("not by `verilog`: {error}")))
            }
            Err(error) => return Err(error.into()),
        },
    };
    hayasashi_accel::load_table_if_supported(&*simulated, table)?;
    let attached = match spec {
        BackendSpec::Auto | BackendSpec::Serial { .. } | BackendSpec::Tcp { .. } => attached(&spec, table)?,
        _ => None,
    };
    Ok(Chips { simulation: Simulation { backend: simulated.name(), note }, simulated, attached })
}

/// The chip as the board has it, in simulation.
fn simulated(spec: &BackendSpec, board: &Board) -> Result<Arc<dyn CoProcessor>, AccelError> {
    let ChipConfig { capabilities, perft_units, .. } = board.chip();
    // Number and clock of the board change nothing that is counted: most boards share one compiled simulation.
    let chip = ChipConfig { capabilities, perft_units: perft_units.max(1), ..ChipConfig::default() };
    Ok(Arc::new(open_chip(spec, &chip, GREETING)?))
}

fn attached(spec: &BackendSpec, table: &EvalTable) -> anyhow::Result<Option<(Arc<dyn CoProcessor>, AttachedChip)>> {
    let opened = open(spec)?;
    let backend = opened.chip.name();
    if *spec == BackendSpec::Auto && opened.chip.direct().is_some() {
        return Ok(None);
    }
    hayasashi_accel::load_table_if_supported(&*opened.chip, table)?;
    let simulated = matches!(opened.chip.info()?.board, BOARD_MODEL | BOARD_SIMULATION);
    Ok(Some((opened.chip, AttachedChip { backend, note: opened.note, simulated })))
}
