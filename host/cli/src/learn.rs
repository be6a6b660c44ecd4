//! `learn`: `learn eval` trains the evaluation table on games. `learn network` is in [`super::learn_network`], `learn moves` in
//! [`super::learn_moves`].

use super::{
    analyze::Searches,
    args::Global,
    backend,
    session::{counted, progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use clap::{Args, Subcommand, ValueEnum};
use hayasashi_cluster::{Alone, Ranks};
use hayasashi_lab::{
    learning::{
        checkpoint::Row,
        objective::Objective,
        optimiser::Rates,
        selfplay::SelfPlay,
        session::{SessionEvent, TrainingSession},
        trainer::Trainer,
    },
    matches::openings,
    parts::Part,
};
use hayasashi_model::evaluate::EvalTable;
use hayasashi_shogi::records::{self, RecordedGame};
use serde_json::json;
use std::{
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc,
    },
};

/// Unreadable games that are listed one by one.
const LISTED_FAULTS: usize = 20;

/// The commands below `learn`.
#[derive(Subcommand, Debug, Clone)]
pub enum Learn {
    /// Train the weights of the static evaluation on game records or self-play.
    Eval(Box<EvalArguments>),
    /// Train a network that corrects the table, on scored positions.
    Network(super::learn_network::NetworkArguments),
    /// Count how often each category and sequence of moves is played in game records.
    Moves(super::learn_moves::MovesArguments),
}

/// The objective of the training.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The record's move should score higher than the other moves, each after a quiescence search (Bonanza's method).
    Bonanza,
    /// Predict the scores in the record, the result of the game, or both (`--blend`).
    Result,
    /// Be near the result and the scores in the record, by least squares.
    Squares,
    /// Predict the scores later in the game, and the result: temporal differences, TD(λ).
    Td,
    /// Play games first (--openings, --self-play), then like `result`.
    Selfplay,
}

/// Arguments of `learn eval`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Records are CSA, KIF, KI2, JKF, or lists in USI notation (`[black|white|draw TAB] startpos moves … [TAB scores]`), in \
UTF-8, Shift_JIS, EUC-JP or UTF-16. Games that cannot be read are reported and left out.\n\nTraining starts from the table of \
--table; the penalties pull the weights back to it. The same command resumes from its checkpoint, and more --passes continue a \
finished run.\n\nExample: train on self-play, then measure the result against the start:
  hayasashi learn eval --method selfplay --openings FILE --self-play 20000 --nodes 2000 --checkpoint run1 --out learned.hyet
  hayasashi match --option EvalTable=learned.hyet --openings FILE --nodes 5000 --games 400")]
pub struct EvalArguments {
    /// Records, or folders of records.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub games: Vec<PathBuf>,
    /// Objective of the training.
    #[arg(long, value_enum, default_value = "result")]
    pub method: Method,
    /// The table to write after each pass.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Version in the header of the table [default: the version of the start table plus one].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub table_version: Option<u32>,
    /// Folder of the checkpoint and of self-play games [default: --out with the suffix `.run`].
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Passes over the games.
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub passes: u32,
    /// Threads [default: all processor cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=512))]
    pub threads: Option<u64>,
    /// L1 penalty on the distance of each weight from its start.
    #[arg(long, value_name = "PENALTY", default_value_t = 0.0)]
    pub l1: f32,
    /// L2 penalty on half the square of that distance.
    #[arg(long, value_name = "PENALTY", default_value_t = 1e-7)]
    pub l2: f32,
    /// Percentage of games in the held-out set.
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0)]
    pub held_out: f32,
    /// Records whose moves are compared with the table's ranking [default: some held-out games].
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub compare: Vec<PathBuf>,
    /// Step size of the first pass in centipawns.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 1.0)]
    pub step: f32,
    /// Factor of the step size after each pass.
    #[arg(long, value_name = "FACTOR", default_value_t = 0.6)]
    pub decay: f32,
    /// Games per step.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..))]
    pub batch: u64,
    /// Score in centipawns that multiplies the odds of a win by e (`result`, `td`, `selfplay`), or that a win is worth (`squares`).
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 600.0)]
    pub scale: f32,
    /// Weight of the result in the target, from 0 to 1; the rest is that of the scores in the record (`result`, `squares`,
    /// `selfplay`).
    #[arg(long, value_name = "PART", default_value_t = 0.0)]
    pub blend: f32,
    /// Weight of a later position in the target, by which it counts less from ply to ply, from 0 to 1: by its score in the record, or
    /// for `td` by the one that the table gives it.
    #[arg(long, value_name = "PART", default_value_t = 0.8)]
    pub lambda: f32,
    /// Score difference in centipawns that multiplies the weight of a move by e (`bonanza`).
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 60.0)]
    pub temperature: f32,
    /// Openings of self-play, in the form of `match --openings`.
    #[arg(long, value_name = "FILE", required_if_eq("method", "selfplay"))]
    pub openings: Option<PathBuf>,
    /// Games of self-play.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub self_play: u64,
    /// Only play this share of the games of self-play, and do not learn: the K-th of N parts. `merge` joins the files
    /// `selfplay.usi` of the checkpoints; the same command without --part learns from the joined one.
    #[arg(long, value_name = "K/N")]
    pub part: Option<Part>,
    /// Nodes per move of self-play.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Who searches in self-play: this program's engine, or the software model as a chip does (`SEARCH`).
    #[arg(long, value_name = "WHO", value_enum, default_value = "host")]
    pub search: Searches,
    /// Seed of the order of the games, and of self-play.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Runs `learn eval`, `learn network` or `learn moves`.
pub fn run(global: &Global, learn: &Learn) -> anyhow::Result<Exit> {
    match learn {
        Learn::Eval(arguments) => eval(global, arguments, &Alone),
        Learn::Network(arguments) => super::learn_network::run(global, arguments),
        Learn::Moves(arguments) => super::learn_moves::run(global, arguments),
    }
}

/// Trains the table together with the other ranks, each of which reads the same games. Rank 0 alone writes and prints.
pub(super) fn eval(global: &Global, arguments: &EvalArguments, ranks: &dyn Ranks) -> anyhow::Result<Exit> {
    check(arguments)?;
    let is_first = ranks.rank() == 0;
    let quiet = global.quiet || !is_first;
    if let (Method::Selfplay, true) = (arguments.method, ranks.count() > 1) {
        bail!(
            "ranks learn from games that are there; hint: play with `learn eval --method selfplay --part K/N`, join the parts with \
             `merge`, and learn with `--method result --games selfplay.usi`"
        );
    }
    let file = global.table.as_deref();
    let evaluation = match arguments.method {
        Method::Selfplay => backend::evaluation(file)?,
        _ => backend::table(file)?.into(),
    };
    let session = session(arguments, evaluation.table.clone());
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let interrupt = Interrupt::install(move || stopped.store(true, Ordering::Relaxed))?;

    let read = |paths: &[PathBuf]| read(paths, quiet, is_first);
    let mut games = if arguments.games.is_empty() { Vec::new() } else { read(&arguments.games)? };
    let folder = &session.checkpoint;
    if is_first {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder `{}`", folder.display()))?;
    }
    if let (Method::Selfplay, Some(file)) = (arguments.method, &arguments.openings) {
        let self_play = SelfPlay {
            evaluation,
            openings: openings::read(file)?,
            nodes: arguments.nodes,
            by_chip: arguments.search == Searches::Chip,
            games: arguments.self_play,
            part: arguments.part.unwrap_or(Part::WHOLE),
            seed: arguments.seed,
            threads: session.threads,
        };
        let played = folder.join("selfplay.usi");
        let bar = progress(self_play.numbers().count() as u64, "games of self-play", global.quiet);
        self_play.play(&played, &stop, &|done| bar.set_position(done))?;
        bar.finish_and_clear();
        if interrupt.is_set() {
            return Ok(Exit::Interrupted);
        }
        if let Some(part) = arguments.part {
            let (games, file) = (self_play.numbers().count(), played.display().to_string());
            match global.json {
                true => say(json!({ "part": part.to_string(), "games": games, "file": file }))?,
                false => say(format!("part {part}: {} in `{file}`", counted(games, "game")))?,
            }
            return Ok(Exit::Done);
        }
        games.extend(read(&[played])?);
    }
    let compared = match arguments.compare.is_empty() {
        true => None,
        false => Some(read(&arguments.compare)?),
    };
    let trainer = session.trainer(games, compared)?;

    let bar = progress(trainer.steps() as u64, "steps", quiet);
    let mut has_heading = global.json;
    let mut failure = None;
    let mut show = |event: SessionEvent| match event {
        SessionEvent::Step { pass, steps, of, loss } => {
            bar.set_length(of as u64);
            bar.set_position(steps as u64);
            bar.set_message(format!("pass {pass}, loss {loss:.5},"));
        }
        SessionEvent::Pass(row) => {
            let shown = bar.suspend(|| {
                if !std::mem::replace(&mut has_heading, true) {
                    heading(&trainer)?;
                }
                show_row(global, row)
            });
            failure = failure.take().or(shown.err());
        }
    };
    session.run(ranks, &trainer, &|| interrupt.is_set(), &mut show)?;
    bar.finish_and_clear();
    match failure {
        Some(failure) => Err(failure),
        None => Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done }),
    }
}

/// The session that the arguments describe.
fn session(arguments: &EvalArguments, start: Arc<EvalTable>) -> TrainingSession {
    let mut beside_out = arguments.out.clone().into_os_string();
    beside_out.push(".run");
    let (scale, result, lambda) = (arguments.scale, arguments.blend, arguments.lambda);
    TrainingSession {
        start,
        objective: match arguments.method {
            Method::Bonanza => Objective::Bonanza { temperature: arguments.temperature },
            Method::Squares => Objective::Squares { scale, result, lambda },
            Method::Td => Objective::Temporal { scale, lambda },
            Method::Result | Method::Selfplay => Objective::Result { scale, result, lambda },
        },
        rates: Rates { step: arguments.step, decay: arguments.decay, l1: arguments.l1, l2: arguments.l2 },
        held_out_percent: arguments.held_out,
        passes: arguments.passes,
        batch: arguments.batch as usize,
        threads: arguments.threads.map_or_else(available_threads, |threads| threads as usize),
        seed: arguments.seed,
        out: arguments.out.clone(),
        table_version: arguments.table_version,
        checkpoint: arguments.checkpoint.clone().unwrap_or(beside_out.into()),
    }
}

pub(super) fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Refuses values out of range.
fn check(a: &EvalArguments) -> anyhow::Result<()> {
    let positive = [("--step", a.step), ("--decay", a.decay), ("--scale", a.scale), ("--temperature", a.temperature)];
    let bounded = [
        ("--l1", a.l1, f32::MAX),
        ("--l2", a.l2, f32::MAX),
        ("--blend", a.blend, 1.0),
        ("--lambda", a.lambda, 1.0),
        ("--held-out", a.held_out, 90.0),
    ];
    check_ranges(&positive, &bounded)?;
    if let (Some(part), true) = (a.part, a.method != Method::Selfplay) {
        bail!("`--part {part}` is for games of self-play; hint: add `--method selfplay`");
    }
    if a.games.is_empty() && a.method != Method::Selfplay {
        bail!(
            "no games to learn from; hint: name records or their folders with `--games PATH`, or play games with `--method \
             selfplay`"
        );
    }
    Ok(())
}

/// Refuses values that must be greater than 0, and values that must be from 0 to a limit.
pub(super) fn check_ranges(positive: &[(&str, f32)], bounded: &[(&str, f32, f32)]) -> anyhow::Result<()> {
    for (name, value) in positive {
        if !(*value > 0.0 && value.is_finite()) {
            bail!("`{name} {value}` is out of range; hint: the value must be greater than 0");
        }
    }
    for (name, value, most) in bounded {
        if !(0.0..=*most).contains(value) {
            let range = if *most == f32::MAX { "0 or greater".into() } else { format!("from 0 to {most}") };
            bail!("`{name} {value}` is out of range; hint: the value must be {range}");
        }
    }
    Ok(())
}

/// Reads records, and reports unreadable games on standard error if `reports`.
pub(super) fn read(paths: &[PathBuf], quiet: bool, reports: bool) -> anyhow::Result<Vec<RecordedGame>> {
    let bar = progress(0, "files", quiet);
    let reading = records::read(paths, &mut |_| bar.inc(1));
    bar.finish_and_clear();
    let reading = reading?;
    if !reports {
        return Ok(reading.games);
    }
    for fault in reading.faults.iter().take(LISTED_FAULTS) {
        eprintln!("left out: {fault}");
    }
    if reading.faults.len() > LISTED_FAULTS {
        eprintln!("left out: {} more", reading.faults.len() - LISTED_FAULTS);
    }
    Ok(reading.games)
}

/// Prints the sizes of both sets and the heading of the table of passes.
fn heading(trainer: &Trainer) -> anyhow::Result<()> {
    let size = |games: &[RecordedGame]| {
        let moves = games.iter().map(|game| game.moves.len()).sum::<usize>();
        format!("{} ({})", counted(games.len(), "game"), counted(moves, "move"))
    };
    say(format!("training set {}, {}", size(&trainer.games), trainer.objective))?;
    say(format!("held out     {}", size(&trainer.held_out)))?;
    say(format!("       {:>4} {:>10} {:>10} {:>8} {:>8}", "pass", "loss", "held out", "first", "first 3"))
}

/// Prints the figures of a pass.
fn show_row(global: &Global, row: &Row) -> anyhow::Result<()> {
    let loss = (row.pass > 0).then_some(row.loss);
    if global.json {
        return say(json!({
            "learner": "table", "pass": row.pass, "loss": loss, "held_out": row.held_out,
            "first": row.first, "first_three": row.first_three,
        }));
    }
    let loss = loss.map_or("-".into(), |loss| format!("{loss:.5}"));
    let [first, three] = [row.first, row.first_three].map(|part| format!("{:.2} %", 100.0 * part));
    say(format!("table  {:>4} {loss:>10} {:>10.5} {first:>8} {three:>8}", row.pass, row.held_out))
}
