//! `match`: plays a match between two engines.

use super::{
    args::Global,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use clap::Args;
use hayasashi_lab::matches::{
    csa, openings, play, Adjudication, EngineSpec, GameRecord, MatchPlan, MoveLimit, Opening, ResultsFile, Sprt,
    Verdict,
};
use hayasashi_lab::parts::Part;
use hayasashi_shogi::rules::DeclarationRule;
use indicatif::ProgressBar;
use serde_json::json;
use std::{path::PathBuf, sync::atomic::AtomicBool, sync::Arc, time::Duration};

/// Arguments of `match`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Games are played in pairs: each opening twice, with colours swapped. Each finished game is written to the results file at \
once; the same command resumes an interrupted match. With nodes or plies as limits a match is repeatable.\n\nExample: the \
value of null move, at 20,000 nodes per move:\n  hayasashi match --against-option NullMove=false --openings FILE --nodes \
20000 --games 200")]
pub struct MatchArguments {
    /// The first engine, whose score is reported: a USI program with its arguments [default: this program as `usi`].
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// The second engine [default: the same as the first].
    #[arg(long, value_name = "COMMAND")]
    pub against: Option<String>,
    /// An option of the first engine. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// An option of the second engine. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub against_option: Vec<String>,
    /// An option of both engines. May be repeated.
    #[arg(long, value_name = "NAME=VALUE")]
    pub each_option: Vec<String>,
    /// A file of openings, with `startpos moves …` or an SFEN on each line [default: the initial position].
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Seed of the order of the openings; 0 keeps their order.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Number of games, rounded up to pairs.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub games: u64,
    /// Do only this share of the pairs of games: the K-th of N parts. `merge` joins the files of results.
    #[arg(long, value_name = "K/N", default_value_t, conflicts_with_all = ["sprt", "tune"])]
    pub part: Part,
    /// Number of games played at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub concurrency: u64,
    /// Nodes per move.
    #[arg(long, value_name = "N", group = "limit")]
    pub nodes: Option<u64>,
    /// Search depth in plies.
    #[arg(long, value_name = "PLIES", group = "limit")]
    pub depth: Option<u32>,
    /// Time per move in milliseconds [default: 100].
    #[arg(long, value_name = "MS", group = "limit")]
    pub ms: Option<u64>,
    /// Main time in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 0, conflicts_with = "limit")]
    pub main_ms: u64,
    /// Increment per move in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 0, conflicts_with = "limit")]
    pub increment_ms: u64,
    /// Byoyomi: time per move in milliseconds after the main time has run out.
    #[arg(long, value_name = "MS", default_value_t = 0, conflicts_with = "limit")]
    pub byoyomi_ms: u64,
    /// With --ms: virtual time. Each engine gets the nodes, or an engine with `Search=chip` the steps, that its hardware makes in
    /// this time. The games are then the same in every run.
    #[arg(long = "virtual", requires = "ms")]
    pub virtual_time: bool,
    /// Virtual time of a node of an engine without `Search=chip`, in nanoseconds [default: measured at the start, or that of the
    /// results file].
    #[arg(long, value_name = "NS", requires = "virtual_time", value_parser = nanoseconds)]
    pub node_ns: Option<u64>,
    /// The same for the second engine [default: that of the first, if the programs are the same].
    #[arg(long, value_name = "NS", requires = "virtual_time", value_parser = nanoseconds)]
    pub against_node_ns: Option<u64>,
    /// The board whose clock and baud rate a chip has in virtual time: a name from `build --list`, or a path ending in `.toml`.
    #[arg(long, value_name = "BOARD", default_value = "acorn-cle215plus-search")]
    pub chip_board: String,
    /// Clock rate of the chip in MHz [default: that of the board].
    #[arg(long, value_name = "MHZ", requires = "virtual_time", value_parser = megahertz)]
    pub chip_mhz: Option<u64>,
    /// Clocks from a step of a walker to its next one [default: as simulated for the board's number of walkers].
    #[arg(long, value_name = "CLOCKS", requires = "virtual_time", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub chip_step_clocks: Option<u32>,
    /// Time of a request and its answer on the link, in microseconds [default: from the bytes and the board's baud rate].
    #[arg(long, value_name = "US", requires = "virtual_time", value_parser = clap::value_parser!(u64).range(0..=10_000_000))]
    pub chip_link_us: Option<u64>,
    /// Nodes per move of the second engine, instead of the first engine's limit.
    #[arg(long, value_name = "N", conflicts_with = "virtual_time")]
    pub against_nodes: Option<u64>,
    /// A move may exceed its time limit by this many milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 200)]
    pub grace_ms: u64,
    /// Maximum length of a game in plies; a longer game is a draw.
    #[arg(long, value_name = "PLIES", default_value_t = 400)]
    pub max_plies: usize,
    /// Adjudicate a game when both engines agree that one of them is this many centipawns behind; 0: never.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 3000)]
    pub resign_score: i32,
    /// Number of moves of each engine for which they must agree (--resign-score).
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub resign_moves: usize,
    /// Stop when a sequential probability ratio test is decided: H0 and H1 in Elo, such as `0,20`.
    #[arg(long, value_name = "ELO0,ELO1", value_delimiter = ',', num_args = 1, allow_hyphen_values = true)]
    pub sprt: Vec<f64>,
    /// Error probability of the sequential test, for both kinds of error.
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub sprt_error: f64,
    /// Tune constants of the search instead (SPSA): all of them, or those of a file with `name start least most step` on each
    /// line. The engine plays against itself, and both sides have other values. docs/techniques.md lists the constants.
    #[arg(long, value_name = "FILE", num_args = 0..=1,
        conflicts_with_all = ["engine", "against", "option", "against_option", "sprt", "csa", "virtual_time", "against_nodes"])]
    pub tune: Option<Option<PathBuf>>,
    /// With --tune: change of a value after the last pair, in steps for each game that one side is ahead.
    #[arg(long, value_name = "RATE", requires = "tune", default_value_t = 0.02, value_parser = rate)]
    pub tune_rate: f64,
    /// File of the results; a match resumes from it.
    #[arg(long, value_name = "FILE", default_value = "match.jsonl")]
    pub results: PathBuf,
    /// Write a CSA record of each game to this folder.
    #[arg(long, value_name = "DIR")]
    pub csa: Option<PathBuf>,
}

/// Nanoseconds in picoseconds.
fn nanoseconds(given: &str) -> Result<u64, String> {
    match given.parse() {
        Ok(ns @ 0.001..=1e9) => Ok((ns * 1000.0_f64).round() as u64),
        _ => Err("expected a number from 0.001 to 1000000000".into()),
    }
}

fn rate(given: &str) -> Result<f64, String> {
    match given.parse() {
        Ok(rate @ 0.0001..=1.0) => Ok(rate),
        _ => Err("expected a number from 0.0001 to 1".into()),
    }
}

/// Megahertz in hertz.
fn megahertz(given: &str) -> Result<u64, String> {
    match given.parse() {
        Ok(mhz @ 0.001..=1e5) => Ok((mhz * 1e6_f64).round() as u64),
        _ => Err("expected a number from 0.001 to 100000".into()),
    }
}

/// Plays the match, or its remaining games.
pub fn run(global: &Global, arguments: &MatchArguments) -> anyhow::Result<Exit> {
    let mut plan = plan(arguments)?;
    if let Some(file) = &arguments.tune {
        return super::match_tune::run(global, arguments, plan, file.as_deref());
    }
    if arguments.virtual_time && arguments.part != Part::WHOLE && arguments.node_ns.is_none() {
        bail!("`--part {}` with `--virtual` needs the time of a node, which each part would measure by itself; hint: give it with `--node-ns`", arguments.part);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let interrupt = Interrupt::install(move || stopped.store(true, std::sync::atomic::Ordering::Relaxed))?;
    if arguments.virtual_time {
        let limits = super::match_virtual::limits(arguments, &plan, &stop, global.quiet)?;
        let Some(limits) = limits else { return Ok(Exit::Interrupted) };
        plan.limits = limits;
    }
    if let Some(folder) = &arguments.csa {
        std::fs::create_dir_all(folder).with_context(|| {
            format!("cannot create the folder `{}`; hint: give a folder in a writable one", folder.display())
        })?;
    }
    let mut results = ResultsFile::open(&arguments.results, &plan.settings())?;
    let bar = progress(plan.numbers().count() as u64, "games", global.quiet);
    bar.set_position(results.games().len() as u64);
    let mut failure = None;
    let on_note = |engine: usize, text: &str| show_note(global, &bar, engine, text);
    let mut on_game = |results: &ResultsFile, record: &GameRecord| {
        let shown = bar.suspend(|| show_game(global, arguments, &plan, results, record));
        failure = failure.take().or(shown.err());
        bar.set_message(headline(&plan, results));
        bar.set_position(results.games().len() as u64);
    };
    play(&plan, &mut results, &stop, &on_note, &mut on_game)?;
    bar.finish_and_clear();
    if let Some(failure) = failure {
        return Err(failure);
    }
    summary(global, &plan, &results, interrupt.is_set())?;
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

fn plan(a: &MatchArguments) -> anyhow::Result<MatchPlan> {
    let this = std::env::current_exe()
        .context("cannot find the path of this program; hint: give the engine with `--engine`")?;
    let command = a.engine.clone().unwrap_or_else(|| format!("'{}' usi", this.display()));
    let against = a.against.as_ref().unwrap_or(&command);
    let options = |own: &[String]| [&a.each_option[..], own].concat();
    let ms = Duration::from_millis;
    let clock = [a.main_ms, a.increment_ms, a.byoyomi_ms];
    let pace = match (a.nodes, a.depth, a.ms) {
        (Some(nodes), _, _) => MoveLimit::Nodes(nodes),
        (_, Some(depth), _) => MoveLimit::Depth(depth),
        (_, _, Some(time)) => MoveLimit::Move(ms(time)),
        _ if clock == [0; 3] => MoveLimit::Move(ms(100)),
        _ => MoveLimit::Clock { main: ms(clock[0]), increment: ms(clock[1]), byoyomi: ms(clock[2]) },
    };
    let sprt = match a.sprt[..] {
        [] => None,
        [elo0, elo1] if elo0 < elo1 && a.sprt_error > 0.0 && a.sprt_error < 0.5 => {
            Some(Sprt { elo0, elo1, alpha: a.sprt_error, beta: a.sprt_error })
        }
        _ => {
            let values: Vec<String> = a.sprt.iter().map(ToString::to_string).collect();
            bail!(
                "`--sprt {}` with error {} is not a test; hint: give two values like `--sprt 0,20`, the smaller first, and an \
                 error between 0 and 0.5",
                values.join(","),
                a.sprt_error
            )
        }
    };
    Ok(MatchPlan {
        engines: [
            EngineSpec::parse(&command, &options(&a.option))?,
            EngineSpec::parse(against, &options(&a.against_option))?,
        ],
        limits: [pace, a.against_nodes.map_or(pace, MoveLimit::Nodes)],
        openings: match &a.openings {
            Some(file) => openings::read(file)?,
            None => vec![Opening::parse("startpos").expect("the initial position is one")],
        },
        seed: a.seed,
        games: a.games.next_multiple_of(2),
        part: a.part,
        concurrency: a.concurrency as usize,
        adjudication: Adjudication {
            max_plies: a.max_plies,
            resign_score: a.resign_score,
            resign_moves: a.resign_moves,
            rule: DeclarationRule::default(),
            grace: ms(a.grace_ms),
            reply_timeout: Duration::from_secs(120),
        },
        sprt,
    })
}

/// Prints what an engine has said at its start, in the names of `--engine` and `--against`.
pub(super) fn show_note(global: &Global, bar: &ProgressBar, engine: usize, text: &str) {
    if !global.quiet {
        bar.suspend(|| eprintln!("{}: {text}", ["engine", "against"][engine]));
    }
}

/// Writes the CSA record of a game, and prints its result.
fn show_game(
    global: &Global,
    arguments: &MatchArguments,
    plan: &MatchPlan,
    results: &ResultsFile,
    record: &GameRecord,
) -> anyhow::Result<()> {
    if let Some(folder) = &arguments.csa {
        let [engine, against] = EngineSpec::names(&plan.engines);
        let file = folder.join(format!("game-{:05}.csa", record.game));
        std::fs::write(&file, csa::record(record, &engine, &against)?).with_context(|| {
            format!("cannot write `{}`; hint: check the permissions and the free space", file.display())
        })?;
    }
    if global.json {
        return say(serde_json::to_string(record)?);
    }
    if !global.quiet {
        let first_is = if record.game.is_multiple_of(2) { "black" } else { "white" };
        let outcome = match record.half_points {
            0 => "lost",
            1 => "drawn",
            _ => "won",
        };
        say(format!(
            "game {} as {first_is}: {outcome} by {}; {}",
            record.game,
            record.ending,
            headline(plan, results)
        ))?;
    }
    Ok(())
}

fn headline(plan: &MatchPlan, results: &ResultsFile) -> String {
    let (tally, elo) = (results.tally(), results.pentanomial().elo());
    let sprt = plan.sprt.map_or(String::new(), |s| {
        let (low, high) = s.bounds();
        format!(", LLR {:.2} ({low:.2}, {high:.2})", s.log_ratio(&results.pentanomial()))
    });
    format!(
        "+{} -{} ={}, Elo {:+.1} [{:+.1}, {:+.1}]{sprt}",
        tally.wins, tally.losses, tally.draws, elo.value, elo.low, elo.high
    )
}

fn summary(global: &Global, plan: &MatchPlan, results: &ResultsFile, interrupted: bool) -> anyhow::Result<()> {
    let (tally, pairs) = (results.tally(), results.pentanomial());
    let elo = pairs.elo();
    let verdict = plan.sprt.map(|s| match s.verdict(&pairs) {
        Verdict::Open => "open",
        Verdict::H0 => "H0",
        Verdict::H1 => "H1",
    });
    if global.json {
        return say(json!({
            "games": tally.games(), "wins": tally.wins, "losses": tally.losses, "draws": tally.draws,
            "pentanomial": pairs.0, "score": tally.score(),
            "elo": elo.value, "elo_low": elo.low, "elo_high": elo.high,
            "superiority": pairs.superiority(),
            "log_ratio": plan.sprt.map(|s| s.log_ratio(&pairs)), "verdict": verdict,
            "limits": plan.limits.map(|limit| limit.to_string()), "interrupted": interrupted,
        }));
    }
    let [engine, against] = EngineSpec::names(&plan.engines);
    say(format!("Engine     {engine}, {}", plan.limits[0]))?;
    say(format!("Against    {against}, {}", plan.limits[1]))?;
    let share = 100.0 * tally.score();
    say(format!("Games      {}: +{} -{} ={} ({share:.1} %)", tally.games(), tally.wins, tally.losses, tally.draws))?;
    say(format!("Pairs      0, ½, 1, 1½, 2 points: {}", pairs.0.map(|n| n.to_string()).join(", ")))?;
    say(format!("Elo        {:+.1}, 95 % of [{:+.1}, {:+.1}]", elo.value, elo.low, elo.high))?;
    say(format!("Stronger   with probability {:.4}", pairs.superiority()))?;
    if let (Some(sprt), Some(verdict)) = (plan.sprt, verdict) {
        let (low, high) = sprt.bounds();
        let ratio = sprt.log_ratio(&pairs);
        say(format!(
            "SPRT       [{}, {}] Elo: LLR {ratio:.2} of ({low:.2}, {high:.2}), {verdict}",
            sprt.elo0, sprt.elo1
        ))?;
    }
    for (ending, count) in endings(results) {
        say(format!("Ended by   {ending}: {count}"))?;
    }
    Ok(())
}

/// The number of games with each ending, without the text that an engine sent.
fn endings(results: &ResultsFile) -> std::collections::BTreeMap<String, usize> {
    let mut endings = std::collections::BTreeMap::new();
    for record in results.games().values() {
        *endings.entry(record.ending.split(" `").next().unwrap_or("").to_string()).or_insert(0) += 1;
    }
    endings
}
