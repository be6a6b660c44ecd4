//! `build`: builds the bitstream of a board.

use super::{
    args::Global,
    session::{say, Exit, Interrupt},
};
use anyhow::bail;
use clap::{Args, ValueEnum};
use hayasashi_boards::{
    board::Board,
    card::{BoardOrCard, Card},
    flow::{self, summary, BuildError, BuildJob, CardJob, FinalStage, Observer, ToolSource},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The source of the FPGA tools.
#[derive(Args, Debug, Clone)]
pub struct ToolArguments {
    /// Native yosys, nextpnr and packer, or those from PyPI, which are installed into a virtual environment at first use.
    #[arg(long, value_enum, default_value_t = ToolChoice::Auto)]
    pub tools: ToolChoice,
    /// Folder of that environment [default: in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub venv: Option<PathBuf>,
}

/// A source of tools.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    /// Native programs if all are on PATH and new enough, else PyPI.
    Auto,
    /// Native programs.
    Native,
    /// PyPI.
    Python,
}

/// Arguments of `build`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
The build folder holds the bitstream, top.v, the tools' logs and report.json. A stage runs again only if its inputs \
have changed. For Xilinx boards PRJXRAY_DB_DIR is the folder of Project X-Ray's database, if that is not where Debian has it.\n\nExit codes: 0 built; 1 the budget is exceeded or a clock misses its constraint (the message names \
the limit; without its clock, a build makes no bitstream), or Vivado is missing for a card; 2 a tool fails, or an argument or board is not valid; 130 stopped by Ctrl-C.")]
pub struct BuildArguments {
    /// The board: a name from `--list`, or a path ending in `.toml`.
    #[arg(long, value_name = "BOARD", required_unless_present = "list")]
    pub board: Option<String>,
    /// List the boards.
    #[arg(long, conflicts_with = "board")]
    pub list: bool,
    /// Seed of the placer instead of the board's own.
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,
    /// Folder of the build [default: target/build/BOARD].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Stop after this stage.
    #[arg(long, value_enum, value_name = "STAGE")]
    pub stop_after: Option<StopAfter>,
    /// The tools.
    #[command(flatten)]
    pub tools: ToolArguments,
}

/// A stage after which to stop.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopAfter {
    /// The gateware as Verilog, and the constraint file.
    Verilog,
    /// The synthesised netlist, and its area.
    Synthesis,
    /// The routed design, and its clock rates.
    Route,
}

impl From<StopAfter> for FinalStage {
    fn from(stop: StopAfter) -> Self {
        match stop {
            StopAfter::Verilog => Self::Verilog,
            StopAfter::Synthesis => Self::Synthesis,
            StopAfter::Route => Self::Route,
        }
    }
}

/// Folder of all builds, in the current folder.
pub const BUILDS: &str = "target/build";

/// The folder of a board's build.
pub fn folder(board: &Board, out: Option<&Path>) -> PathBuf {
    out.map_or_else(|| Path::new(BUILDS).join(&board.stem), Path::to_path_buf)
}

/// Builds, or lists the boards.
pub fn run(global: &Global, arguments: &BuildArguments) -> anyhow::Result<Exit> {
    if arguments.list {
        return list(global);
    }
    let board = match BoardOrCard::find(arguments.board.as_deref().unwrap_or_default())? {
        BoardOrCard::Board(board) => *board,
        BoardOrCard::Card(card) => return run_card(global, arguments, card),
    };
    let job = BuildJob {
        seed: arguments.seed,
        out: folder(&board, arguments.out.as_deref()),
        final_stage: arguments.stop_after.map_or(FinalStage::Pack, Into::into),
        tool_source: arguments.tools.source(),
        venv: arguments.tools.venv.clone(),
        board,
    };
    let mut progress = BuildProgress::new(global.quiet)?;
    let built = flow::build(&job, &mut progress);
    let Some(report) = progress.finish(built)? else { return Ok(Exit::Interrupted) };
    match global.json {
        true => say(serde_json::to_string(&report)?)?,
        false => say(summary::text(&report))?,
    }
    for line in summary::missed_limits(&report) {
        eprintln!("missed: {line}");
    }
    Ok(if report.passed { Exit::Done } else { Exit::Differs })
}

/// Builds the design of a card.
fn run_card(global: &Global, arguments: &BuildArguments, card: Card) -> anyhow::Result<Exit> {
    if arguments.seed.is_some() {
        bail!(
            "`--seed` is for boards on a serial line: Vivado places the design of `{}`; hint: leave it out",
            card.stem
        );
    }
    let job = CardJob {
        out: arguments.out.clone().unwrap_or_else(|| Path::new(BUILDS).join(&card.stem)),
        final_stage: arguments.stop_after.map_or(FinalStage::Pack, Into::into),
        venv: arguments.tools.venv.clone(),
        card,
    };
    let mut progress = BuildProgress::new(global.quiet)?;
    let built = flow::build_card(&job, &mut progress);
    let Some(report) = progress.finish(built)? else { return Ok(Exit::Interrupted) };
    match global.json {
        true => say(serde_json::to_string(&report)?)?,
        false => {
            say(format!("{} in {}", report.name, report.folder.display()))?;
            if let Some(driver) = &report.driver {
                say(format!("driver: {}", driver.display()))?;
            }
            if let Some(bitstream) = &report.bitstream {
                say(format!("bitstream: {}", bitstream.display()))?;
            }
        }
    }
    if let Some(failure) = &report.failure {
        eprintln!("missed: {failure}");
    }
    Ok(if report.failure.is_none() { Exit::Done } else { Exit::Differs })
}

fn list(global: &Global) -> anyhow::Result<Exit> {
    for board in Board::all()? {
        let (device, mhz) = (&board.device.part, board.clock.chip_hz as f64 / 1e6);
        match global.json {
            true => say(json!({
                "board": board.stem, "name": board.name, "number": board.number, "part": device,
                "clock_hz": board.clock.chip_hz, "baud_hz": board.uart.baud_hz,
            }))?,
            false => say(format!("{:25} {:32} {device:23} {mhz} MHz", board.stem, board.name))?,
        }
    }
    for card in Card::all()? {
        match global.json {
            true => say(json!({
                "board": card.stem, "name": card.name, "number": card.number, "part": card.part,
                "clock_hz": card.chip_hz, "bridge": card.bridge,
            }))?,
            false => {
                let mhz = card.chip_hz as f64 / 1e6;
                say(format!("{:25} {:32} {:23} {mhz} MHz", card.stem, card.name, card.part))?;
            }
        }
    }
    Ok(Exit::Done)
}

impl ToolArguments {
    /// The source of the tools as an option of the flow.
    pub fn source(&self) -> ToolSource {
        match self.tools {
            ToolChoice::Auto => ToolSource::Auto,
            ToolChoice::Native => ToolSource::Native,
            ToolChoice::Python => ToolSource::Python,
        }
    }
}

/// Progress on standard error. On a terminal it is a live line; otherwise each stage, and each long wait, gets a line.
pub struct BuildProgress {
    /// The progress bar.
    pub bar: ProgressBar,
    lines: bool,
    stage: String,
    last: Instant,
    begun: Instant,
    interrupt: Interrupt,
}

/// Interval of the lines about a long stage where there is no terminal.
const SILENCE: Duration = Duration::from_secs(60);

impl BuildProgress {
    /// Removes the live line. `None` if Ctrl-C has stopped the build, which is told.
    pub fn finish<T>(self, built: Result<T, BuildError>) -> anyhow::Result<Option<T>> {
        self.bar.finish_and_clear();
        match built {
            Err(BuildError::Stopped) => {
                eprintln!("{}", BuildError::Stopped);
                Ok(None)
            }
            built => Ok(Some(built?)),
        }
    }

    /// Shows nothing if `quiet`. Ctrl-C stops the build.
    pub fn new(quiet: bool) -> anyhow::Result<BuildProgress> {
        let bar = match quiet {
            true => ProgressBar::hidden(),
            false => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10)),
        };
        bar.set_style(ProgressStyle::with_template("{spinner} {msg} {elapsed}")?);
        bar.enable_steady_tick(Duration::from_millis(200));
        let interrupt = Interrupt::install(|| {})?;
        let now = Instant::now();
        Ok(BuildProgress { bar, lines: !quiet, stage: String::new(), last: now, begun: now, interrupt })
    }

    fn line(&mut self, text: &str) {
        if self.lines {
            self.bar.suspend(|| eprintln!("{text}"));
            self.last = Instant::now();
        }
    }
}

impl Observer for BuildProgress {
    fn begin(&mut self, stage: &str, note: &str) {
        self.stage = stage.to_string();
        self.begun = Instant::now();
        self.bar.reset_elapsed();
        self.bar.set_message(format!("{stage}: {note}"));
        if !std::io::stderr().is_terminal() {
            self.line(&format!("{stage}: {note}"));
        }
    }

    fn step(&mut self, text: &str) {
        let message = format!("{}: {text}", self.stage);
        if !std::io::stderr().is_terminal() && self.last.elapsed() >= SILENCE {
            self.line(&format!("{message}, {:.0} s so far", self.begun.elapsed().as_secs_f64()));
        }
        self.bar.set_message(message);
    }

    fn end(&mut self, stage: &str, elapsed: Duration, reused: bool) {
        match reused {
            true => self.line(&format!("{stage}: unchanged")),
            false => self.line(&format!("{stage}: done in {:.1} s", elapsed.as_secs_f64())),
        }
    }

    fn note(&mut self, text: &str) {
        self.line(text);
    }

    fn stopped(&self) -> bool {
        self.interrupt.is_set()
    }
}
