//! `build` and `area`: from the clone to a bitstream, and what its blocks take.

use super::{
    args::{AreaArguments, BuildArguments, Global, ToolArguments, ToolChoice},
    session::{say, Exit, Interrupt},
};
use hayasashi_boards::{
    board::Board,
    flow::{self, area, summary, BuildError, BuildJob, FinalStage, Observer, ToolSource},
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::{
    io::IsTerminal,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Folder of all builds, below the current one.
const BUILDS: &str = "target/build";

/// The folder of a board's build.
pub fn folder(board: &Board, out: Option<&Path>) -> PathBuf {
    out.map_or_else(|| Path::new(BUILDS).join(&board.stem), Path::to_path_buf)
}

/// Builds, or lists the boards.
pub fn run(global: &Global, arguments: &BuildArguments) -> anyhow::Result<Exit> {
    if arguments.list {
        return list(global);
    }
    let board = Board::find(arguments.board.as_deref().unwrap_or_default())?;
    let job = BuildJob {
        seed: arguments.seed,
        out: folder(&board, arguments.out.as_deref()),
        final_stage: arguments.stop_after.map_or(FinalStage::Pack, Into::into),
        tool_source: arguments.tools.source(),
        venv: arguments.tools.venv.clone(),
        board,
    };
    let mut shown = Shown::new(global.quiet)?;
    let report = match flow::build(&job, &mut shown) {
        Ok(report) => report,
        Err(BuildError::Stopped) => return stopped(shown),
        Err(error) => {
            shown.bar.finish_and_clear();
            return Err(error.into());
        }
    };
    shown.bar.finish_and_clear();
    match global.json {
        true => say(serde_json::to_string(&report)?)?,
        false => say(summary::text(&report))?,
    }
    for line in summary::missed_limits(&report) {
        eprintln!("missed: {line}");
    }
    Ok(if report.passed { Exit::Done } else { Exit::Differs })
}

fn stopped(shown: Shown) -> anyhow::Result<Exit> {
    shown.bar.finish_and_clear();
    eprintln!("{}", BuildError::Stopped);
    Ok(Exit::Interrupted)
}

fn list(global: &Global) -> anyhow::Result<Exit> {
    for board in Board::all()? {
        let (device, mhz) = (&board.device.part, board.clock.chip_hz as f64 / 1e6);
        match global.json {
            true => say(json!({
                "board": board.stem, "name": board.name, "number": board.number, "part": device,
                "clock_hz": board.clock.chip_hz, "baud_hz": board.uart.baud_hz,
            }))?,
            false => say(format!("{:16} {:28} {device:20} {mhz} MHz", board.stem, board.name))?,
        }
    }
    Ok(Exit::Done)
}

/// Measures the blocks of boards.
pub fn area(global: &Global, arguments: &AreaArguments) -> anyhow::Result<Exit> {
    let mut shown = Shown::new(global.quiet)?;
    let mut areas = Vec::new();
    for name in &arguments.board {
        let board = Board::find(name)?;
        let job = BuildJob {
            seed: None,
            out: folder(&board, None).join("area"),
            final_stage: FinalStage::Synthesis,
            tool_source: arguments.tools.source(),
            venv: arguments.tools.venv.clone(),
            board,
        };
        match area::measure(&job, &mut shown) {
            Ok(area) => areas.push(area),
            Err(BuildError::Stopped) => return stopped(shown),
            Err(error) => {
                shown.bar.finish_and_clear();
                return Err(error.into());
            }
        }
    }
    shown.bar.finish_and_clear();
    if global.json {
        for found in &areas {
            let blocks: serde_json::Map<_, _> =
                found.blocks.iter().map(|(path, count)| (path.clone(), json!(count.area()))).collect();
            say(json!({ "board": found.board, "device": found.device, "yosys": found.yosys, "blocks": blocks }))?;
        }
        return Ok(Exit::Done);
    }
    let reports = area::reports(Path::new(BUILDS));
    let text = area::markdown(&areas, &reports, area::BlockFilter { depth: arguments.depth, luts: arguments.least_luts });
    match &arguments.out {
        Some(file) => {
            std::fs::write(file, text).map_err(|e| anyhow::anyhow!("cannot write `{}`: {e}", file.display()))?
        }
        None => say(text.trim_end())?,
    }
    Ok(Exit::Done)
}

impl ToolArguments {
    fn source(&self) -> ToolSource {
        match self.tools {
            ToolChoice::Auto => ToolSource::Auto,
            ToolChoice::Native => ToolSource::Native,
            ToolChoice::Python => ToolSource::Python,
        }
    }
}

/// Progress on standard error: a live line on a terminal; else a line for each stage, and one now and then.
struct Shown {
    bar: ProgressBar,
    lines: bool,
    stage: String,
    last: Instant,
    begun: Instant,
    interrupt: Interrupt,
}

/// How often a long stage is told of where there is no terminal.
const SILENCE: Duration = Duration::from_secs(60);

impl Shown {
    fn new(quiet: bool) -> anyhow::Result<Shown> {
        let bar = match quiet {
            true => ProgressBar::hidden(),
            false => ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10)),
        };
        bar.set_style(ProgressStyle::with_template("{spinner} {msg} {elapsed}")?);
        bar.enable_steady_tick(Duration::from_millis(200));
        let interrupt = Interrupt::install(|| {})?;
        let now = Instant::now();
        Ok(Shown { bar, lines: !quiet, stage: String::new(), last: now, begun: now, interrupt })
    }

    fn line(&mut self, text: &str) {
        if self.lines {
            self.bar.suspend(|| eprintln!("{text}"));
            self.last = Instant::now();
        }
    }
}

impl Observer for Shown {
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
            true => self.line(&format!("{stage}: nothing has changed")),
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
