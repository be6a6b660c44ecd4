//! `learn`: `learn eval` learns an evaluation table from games, [`super::learn_moves`] categories of moves.

use super::{
    args::Global,
    backend,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use clap::{Args, Subcommand, ValueEnum};
use hayasashi_lab::{
    learning::{
        checkpoint::{replace, Progress, Row},
        neural::Network,
        objective::Objective,
        optimiser::Rates,
        passes::{self, TrainingEvent},
        selfplay::SelfPlay,
        trainer::Trainer,
        LearnError,
    },
    matches::openings,
};
use hayasashi_shogi::{
    random::Random,
    records::{self, RecordedGame},
};
use serde_json::json;
use std::{
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc,
    },
};

/// Faulty games that are told one by one.
const FAULTS_TOLD: usize = 20;
/// Games whose moves are compared where no others are named: they cost as much as a pass.
const COMPARED: usize = 100;

/// What is learned.
#[derive(Subcommand, Debug, Clone)]
pub enum Learn {
    /// Learn the weights of the static evaluation from games.
    Eval(Box<EvalArguments>),
    /// Learn how often each category of moves is played from games.
    Moves(super::learn_moves::MovesArguments),
}

/// What the weights are learned by.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The record's move against the others, each after a quiescence search.
    Bonanza,
    /// The game's result, blended with searched scores where the record has them.
    Result,
    /// Play games first (--openings, --self-play), then as `result`.
    Selfplay,
}

/// Arguments of `learn eval`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Records are CSA, KIF, KI2, JKF, or lists in USI's notation (`[black|white|draw TAB] startpos moves … [TAB scores]`), in \
UTF-8, Shift_JIS, EUC-JP or UTF-16. Games that cannot be read are told and left out.\n\nThe table that --table names is \
where learning begins, and what the penalties pull back to. The same command goes on from its checkpoint; with more --passes, \
beyond its end.\n\nExample: from self-play, then measured against where it began:
  hayasashi learn eval --method selfplay --openings FILE --self-play 20000 --nodes 2000 --checkpoint run1 --out learned.hyet
  hayasashi match --option EvalTable=learned.hyet --openings FILE --nodes 5000 --games 400")]
pub struct EvalArguments {
    /// Records, or folders of records.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub games: Vec<PathBuf>,
    /// What to learn by.
    #[arg(long, value_enum, default_value = "result")]
    pub method: Method,
    /// The table to write, after each pass.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Version in the table's header [default: one more than that of the table it begins with].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub table_version: Option<u32>,
    /// Folder of the checkpoint and of self-played games [default: --out with `.run` behind it].
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Passes over the games.
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub passes: u32,
    /// Threads [default: as many as the machine runs at once].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=512))]
    pub threads: Option<u64>,
    /// Penalty on a weight's distance from where it began.
    #[arg(long, value_name = "PENALTY", default_value_t = 0.0)]
    pub l1: f32,
    /// Penalty on half the square of that distance.
    #[arg(long, value_name = "PENALTY", default_value_t = 1e-7)]
    pub l2: f32,
    /// Percent of the games to hold out.
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0)]
    pub held_out: f32,
    /// Records whose moves are compared with those of the table [default: some of those held out].
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub compare: Vec<PathBuf>,
    /// Centipawns of a step in the first pass.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 1.0)]
    pub step: f32,
    /// What the step is multiplied by after each pass.
    #[arg(long, value_name = "FACTOR", default_value_t = 0.6)]
    pub decay: f32,
    /// Games of a step.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: u64,
    /// Centipawns by which odds grow e-fold (`result`, `selfplay`).
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 600.0)]
    pub scale: f32,
    /// Part of the result in what is aimed at, where there are scores too (`result`, `selfplay`).
    #[arg(long, value_name = "PART", default_value_t = 0.3)]
    pub blend: f32,
    /// Centipawns of difference that count e-fold (`bonanza`).
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 60.0)]
    pub temperature: f32,
    /// Openings of self-play: as for `match`.
    #[arg(long, value_name = "FILE", required_if_eq("method", "selfplay"))]
    pub openings: Option<PathBuf>,
    /// Games of self-play.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub self_play: u64,
    /// Nodes for each move of self-play.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// As an experiment, train a network with one hidden layer of so many units beside the table (not with `bonanza`; it
    /// is neither kept nor written).
    #[arg(long, value_name = "UNITS")]
    pub neural: Option<usize>,
    /// Seed of the order of games, and of self-play.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Learns.
pub fn run(global: &Global, learn: &Learn) -> anyhow::Result<Exit> {
    match learn {
        Learn::Eval(arguments) => eval(global, arguments),
        Learn::Moves(arguments) => super::learn_moves::run(global, arguments),
    }
}

fn eval(global: &Global, arguments: &EvalArguments) -> anyhow::Result<Exit> {
    check(arguments)?;
    let start = backend::table(global.table.as_deref())?;
    let threads = arguments.threads.map_or_else(available, |n| n as usize);
    let mut folder = arguments.out.clone().into_os_string();
    folder.push(".run");
    let folder = arguments.checkpoint.clone().unwrap_or(folder.into());
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let interrupt = Interrupt::install(move || stopped.store(true, Ordering::Relaxed))?;

    let mut games = if arguments.games.is_empty() { Vec::new() } else { read(global, &arguments.games)? };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    if let (Method::Selfplay, Some(file)) = (arguments.method, &arguments.openings) {
        let self_play = SelfPlay {
            table: start.clone(),
            openings: openings::read(file)?,
            nodes: arguments.nodes,
            games: arguments.self_play,
            seed: arguments.seed,
            threads,
        };
        let played = folder.join("selfplay.usi");
        let bar = progress(arguments.self_play, "games of self-play", global.quiet);
        self_play.play(&played, &stop, &|done| bar.set_position(done))?;
        bar.finish_and_clear();
        if interrupt.is_set() {
            return Ok(Exit::Interrupted);
        }
        games.extend(read(global, &[played])?);
    }

    let objective = match arguments.method {
        Method::Bonanza => Objective::Bonanza { temperature: arguments.temperature },
        _ => Objective::Result { scale: arguments.scale, result: arguments.blend },
    };
    let rates = Rates { step: arguments.step, decay: arguments.decay, l1: arguments.l1, l2: arguments.l2 };
    let mut trainer = Trainer::new(&start, objective, rates)?;
    // A game that was played before another is not held out because of that.
    Random::new(arguments.seed, 0).shuffle(&mut games);
    let count = (games.len() as f32 * arguments.held_out / 100.0).ceil() as usize;
    if count >= games.len() || count == 0 {
        return Err(LearnError::TooFew { games: games.len(), held_out: arguments.held_out }.into());
    }
    trainer.held_out = games.split_off(games.len() - count);
    trainer.compared = match arguments.compare.is_empty() {
        true => trainer.held_out.iter().take(COMPARED).cloned().collect(),
        false => read(global, &arguments.compare)?,
    };
    trainer.games = games;
    (trainer.batch, trainer.threads, trainer.seed) = (arguments.batch as usize, threads, arguments.seed);
    let version = arguments.table_version.unwrap_or(start.header().version + 1);

    let bar = progress(trainer.steps() as u64, "steps", global.quiet);
    let mut told = 0;
    let mut failure = None;
    let mut tell = |news: TrainingEvent| match news {
        TrainingEvent::Step { pass, steps, of, loss } => {
            bar.set_length(of as u64);
            bar.set_position(steps as u64);
            bar.set_message(format!("pass {pass}, loss {loss:.5},"));
            Ok(())
        }
        TrainingEvent::Pass(progress) => {
            let shown = bar.suspend(|| show(global, &trainer, progress, &mut told));
            failure = failure.take().or(shown.err());
            match progress.rows.len() {
                0 | 1 => Ok(()),
                _ => replace(&arguments.out, &trainer.table(&progress.state, version).to_bytes()),
            }
        }
    };
    let progress = passes::run(&trainer, arguments.passes, Some(&folder), &|| interrupt.is_set(), &mut tell)?;
    bar.finish_and_clear();
    if let Some(failure) = failure {
        return Err(failure);
    }
    if let Some(units) = arguments.neural {
        let mut network = Network::new(units, arguments.seed);
        for pass in 1..=arguments.passes {
            let row = trainer.network_pass(&mut network, &progress.state, pass);
            match row {
                Some(row) if !interrupt.is_set() => line(global, "neural", &row)?,
                _ => break,
            }
        }
    }
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

fn available() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses numbers that nothing can be learned by.
fn check(a: &EvalArguments) -> anyhow::Result<()> {
    let positive = [("--step", a.step), ("--decay", a.decay), ("--scale", a.scale), ("--temperature", a.temperature)];
    for (name, value) in positive {
        if !(value > 0.0 && value.is_finite()) {
            bail!("{name} {value}; hint: it must be greater than 0");
        }
    }
    for (name, value, most) in [
        ("--l1", a.l1, f32::MAX),
        ("--l2", a.l2, f32::MAX),
        ("--blend", a.blend, 1.0),
        ("--held-out", a.held_out, 90.0),
    ] {
        if !(0.0..=most).contains(&value) {
            bail!("{name} {value}; hint: it must be from 0 to {most}");
        }
    }
    if a.games.is_empty() && a.method != Method::Selfplay {
        bail!(
            "no games to learn from; hint: --games PATH names records or folders of them, --method selfplay plays them"
        );
    }
    Ok(())
}

/// Reads records, and tells what was left out.
pub(super) fn read(global: &Global, paths: &[PathBuf]) -> anyhow::Result<Vec<RecordedGame>> {
    let bar = progress(0, "files", global.quiet);
    let reading = records::read(paths, &mut |_| bar.inc(1));
    bar.finish_and_clear();
    let reading = reading?;
    for fault in reading.faults.iter().take(FAULTS_TOLD) {
        eprintln!("left out: {fault}");
    }
    if reading.faults.len() > FAULTS_TOLD {
        eprintln!("left out: {} more", reading.faults.len() - FAULTS_TOLD);
    }
    Ok(reading.games)
}

/// Tells the lines of the table of passes that have not been told.
fn show(global: &Global, trainer: &Trainer, progress: &Progress, told: &mut usize) -> anyhow::Result<()> {
    if *told == 0 && !global.json {
        let count = |games: &[RecordedGame]| games.iter().map(|g| g.moves.len()).sum::<usize>();
        let [learned, held_out] = [&trainer.games, &trainer.held_out];
        say(format!("learned from {} games ({} moves), {}", learned.len(), count(learned), trainer.objective))?;
        say(format!("held out     {} games ({} moves)", held_out.len(), count(held_out)))?;
        say(format!("       {:>4} {:>10} {:>10} {:>8} {:>8}", "pass", "loss", "held out", "first", "first 3"))?;
    }
    for row in &progress.rows[(*told).min(progress.rows.len())..] {
        line(global, "table", row)?;
    }
    *told = progress.rows.len();
    Ok(())
}

/// Tells a line of the table.
fn line(global: &Global, what: &str, row: &Row) -> anyhow::Result<()> {
    let loss = (row.pass > 0).then_some(row.loss);
    if global.json {
        return say(json!({
            "learner": what, "pass": row.pass, "loss": loss, "held_out": row.held_out,
            "first": row.first, "first_three": row.first_three,
        }));
    }
    let loss = loss.map_or("-".into(), |loss| format!("{loss:.5}"));
    let [first, three] = [row.first, row.first_three].map(|part| format!("{:.2} %", 100.0 * part));
    say(format!("{what:<6} {:>4} {loss:>10} {:>10.5} {first:>8} {three:>8}", row.pass, row.held_out))
}
