//! `experiment`: repeats published experiments.

use super::{
    args::Global,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::Context;
use clap::Args;
use hayasashi_lab::{
    experiments::{
        answers::{self, ProblemRun},
        matches::{PairingMatch, PairingOptions, PairingResult},
        openings::{OpeningSource, DEFAULT_CUT_PLY},
        problems::{self, Problem},
        report::Report,
        Experiment, ExperimentError, ExperimentKind, Pairing, Player, EXPERIMENTS,
    },
    matches::ResultsFile,
    parts::Part,
};
use serde_json::json;
use std::{
    path::PathBuf,
    sync::{
        atomic::{AtomicBool, Ordering},
        Arc,
    },
};

/// Arguments of `experiment`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Without NAME, the experiments are listed. Each finished game or answer is written to the folder of --out at once, and the \
same command resumes an interrupted run. The report is written there at the end.\n\nExample:\n  hayasashi experiment phase-categories \
--openings FILE --out results/")]
pub struct ExperimentArguments {
    /// Name of an experiment, `all`, or `report` to write only the report on finished work.
    pub name: Option<String>,
    /// Folder of the results and the report.
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    pub out: PathBuf,
    /// A file of openings, with `startpos moves …` or an SFEN on each line.
    #[arg(long, value_name = "FILE", conflicts_with = "records")]
    pub openings: Option<PathBuf>,
    /// Take the openings from these game records, or folders of them.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub records: Vec<PathBuf>,
    /// Length in plies of the openings from --records.
    #[arg(long, value_name = "PLIES", default_value_t = DEFAULT_CUT_PLY, requires = "records")]
    pub cut: usize,
    /// A file of next-move problems: category, difficulty, SFEN and solutions on each line, separated by tabs.
    #[arg(long, value_name = "FILE")]
    pub problems: Option<PathBuf>,
    /// Nodes per move or problem [default: as in the experiment].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Games per pairing, rounded up to pairs [default: as in the experiment]. A later run may add games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub games: Option<u64>,
    /// Do only this share of the games and problems: the K-th of N parts. `merge` joins the files of results.
    #[arg(long, value_name = "K/N", default_value_t)]
    pub part: Part,
    /// Number of games played at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    pub concurrency: u64,
}

/// Runs an experiment, or the rest of it, and writes the report.
pub fn run(global: &Global, arguments: &ExperimentArguments) -> anyhow::Result<Exit> {
    let chosen: Vec<&Experiment> = match arguments.name.as_deref() {
        None => return list(global),
        Some("report") => Vec::new(),
        Some("all") => EXPERIMENTS.iter().collect(),
        Some(name) => vec![Experiment::find(name)?],
    };
    let inputs = Inputs::read(arguments, &chosen)?;
    if !chosen.is_empty() {
        let folder = &arguments.out;
        std::fs::create_dir_all(folder).with_context(|| {
            format!("cannot create the folder `{}`; hint: give a folder in a writable one", folder.display())
        })?;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    Interrupt::install(move || stopped.store(true, Ordering::Relaxed))?;
    let run = ExperimentRun { global, arguments, inputs, stop: &stop };
    for experiment in chosen {
        match experiment.kind {
            ExperimentKind::Matches(pairings) => run.matches(experiment, pairings)?,
            ExperimentKind::Problems(nodes, players) => run.problems(experiment, nodes, players)?,
        }
        if run.stopped() {
            break;
        }
    }
    let interrupted = run.stopped();
    let page = match Report::of_folder(&arguments.out) {
        // Stopped before anything was finished.
        Err(ExperimentError::NoResults { .. }) if interrupted => return Ok(Exit::Interrupted),
        page => page?,
    };
    let file = page.write(&arguments.out)?;
    match global.json {
        true => say(json!({ "report": file, "interrupted": interrupted }))?,
        false => say(format!("Report     {}", file.display()))?,
    }
    Ok(if interrupted { Exit::Interrupted } else { Exit::Done })
}

fn list(global: &Global) -> anyhow::Result<Exit> {
    for Experiment { name, title, source, .. } in EXPERIMENTS {
        match global.json {
            true => say(json!({ "experiment": name, "title": title, "source": source }))?,
            false => say(format!("{name:22} {title}"))?,
        }
    }
    Ok(Exit::Done)
}

/// The inputs of the experiments.
struct Inputs {
    program: PathBuf,
    openings: Vec<hayasashi_lab::matches::Opening>,
    problems: Vec<Problem>,
}

impl Inputs {
    /// Reads the inputs that the experiments need, before the first of them begins.
    fn read(arguments: &ExperimentArguments, chosen: &[&Experiment]) -> anyhow::Result<Inputs> {
        let openings = match (&arguments.openings, &arguments.records[..]) {
            (Some(file), _) => Some(OpeningSource::File(file.clone())),
            (None, []) => None,
            (None, records) => Some(OpeningSource::Records(records.to_vec(), arguments.cut)),
        };
        let plays = chosen.iter().find(|e| matches!(e.kind, ExperimentKind::Matches(_)));
        let solves = chosen.iter().find(|e| matches!(e.kind, ExperimentKind::Problems(..)));
        Ok(Inputs {
            program: std::env::current_exe().context("cannot find the path of this program")?,
            openings: match (plays, openings) {
                (None, _) => Vec::new(),
                (Some(experiment), None) => return Err(ExperimentError::NoOpenings(experiment.name).into()),
                (Some(_), Some(openings)) => openings.read()?,
            },
            problems: match (solves, &arguments.problems) {
                (None, _) => Vec::new(),
                (Some(experiment), None) => return Err(ExperimentError::NoProblems(experiment.name).into()),
                (Some(_), Some(file)) => {
                    let reading = problems::read(file)?;
                    reading.faults.iter().for_each(|fault| eprintln!("left out: {fault}"));
                    reading.problems
                }
            },
        })
    }
}

/// The experiments of this run.
struct ExperimentRun<'a> {
    global: &'a Global,
    arguments: &'a ExperimentArguments,
    inputs: Inputs,
    stop: &'a AtomicBool,
}

impl ExperimentRun<'_> {
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn matches(&self, experiment: &Experiment, pairings: &[Pairing]) -> anyhow::Result<()> {
        let ExperimentRun { global, arguments, inputs, stop } = self;
        let terms = PairingOptions {
            program: &inputs.program,
            openings: &inputs.openings,
            nodes: arguments.nodes,
            games: arguments.games,
            part: arguments.part,
            concurrency: arguments.concurrency as usize,
        };
        for pairing in pairings {
            let prepared = PairingMatch::new(experiment, pairing, &terms, &arguments.out)?;
            let bar = progress(prepared.games(), "games", global.quiet);
            let mut on_game = |results: &ResultsFile| {
                bar.set_message(format!("{} {}: {}", experiment.name, pairing.name, headline(results)));
                bar.set_position(results.games().len() as u64);
            };
            prepared.play(stop, &mut on_game)?;
            bar.finish_and_clear();
            if let Some(found) = PairingResult::read(experiment, pairing, &arguments.out)? {
                self.say_found(experiment, pairing, &found)?;
            }
            if self.stopped() {
                break;
            }
        }
        Ok(())
    }

    fn say_found(&self, experiment: &Experiment, pairing: &Pairing, found: &PairingResult) -> anyhow::Result<()> {
        let PairingResult { tally, score, elo, .. } = found;
        if self.global.json {
            return say(json!({
                "experiment": experiment.name, "pairing": pairing.name,
                "engine": pairing.first.name, "against": pairing.second.name,
                "games": tally.games(), "wins": tally.wins, "losses": tally.losses, "draws": tally.draws,
                "score": score.value, "score_error": score.error,
                "elo": elo.value, "elo_low": elo.low, "elo_high": elo.high,
            }));
        }
        say(format!(
            "{} {}: +{} -{} ={}, {:.1} ± {:.1} %, Elo {:+.1} [{:+.1}, {:+.1}]",
            experiment.name,
            pairing.name,
            tally.wins,
            tally.losses,
            tally.draws,
            100.0 * score.value,
            100.0 * score.error,
            elo.value,
            elo.low,
            elo.high
        ))
    }

    fn problems(&self, experiment: &Experiment, nodes: u64, players: &[(Player, Option<u32>)]) -> anyhow::Result<()> {
        let ExperimentRun { global, arguments, inputs, .. } = self;
        let run = ProblemRun {
            nodes: arguments.nodes.unwrap_or(nodes),
            problems: &inputs.problems,
            part: arguments.part,
            folder: &arguments.out,
        };
        for (player, _) in players {
            let bar = progress(run.part.items(run.problems.len()).count() as u64, player.name, global.quiet);
            let mut on_answer = |done: usize| bar.set_position(done as u64);
            answers::solve(experiment, player, &run, &|| self.stopped(), &mut on_answer)?;
            bar.finish_and_clear();
            let (done, solved) = match answers::read(experiment, player, &arguments.out)? {
                None => (0, 0),
                Some((_, answers)) => (answers.len(), answers.iter().filter(|a| a.solved).count()),
            };
            match global.json {
                true => say(json!({
                    "experiment": experiment.name, "engine": player.name, "problems": done, "solved": solved,
                }))?,
                false => say(format!("{} {}: {solved} of {done} solved", experiment.name, player.name))?,
            }
            if self.stopped() {
                break;
            }
        }
        Ok(())
    }
}

fn headline(results: &ResultsFile) -> String {
    let (tally, elo) = (results.tally(), results.pentanomial().elo());
    format!(
        "+{} -{} ={}, Elo {:+.1} [{:+.1}, {:+.1}]",
        tally.wins, tally.losses, tally.draws, elo.value, elo.low, elo.high
    )
}
