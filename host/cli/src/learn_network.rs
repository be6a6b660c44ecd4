//! `learn network`: a network that corrects the evaluation table.

use super::{
    args::Global,
    backend,
    learn::{available_threads, check_ranges},
    session::{progress, say, Exit, Interrupt},
};
use anyhow::{bail, Context};
use clap::Args;
use hayasashi_lab::compare::grouped;
use hayasashi_lab::learning::network::{
    run::{NetworkEvent, NetworkRow, NetworkSession, Start},
    samples::{Source, BLOCK},
};
use hayasashi_model::evaluate::network::{is_units, UNITS_STEP};
use hayasashi_spec::network::MOST_UNITS;
use serde_json::json;
use std::path::PathBuf;

/// Faults that are listed one by one.
const LISTED_FAULTS: u64 = 20;

/// Arguments of `learn network`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Positions are read one by one, so files may be larger than memory: scored positions (`.bin`, `.psv`, `.hcpe`, `.tsv`, `.txt`, see \
`convert`), or records of games with scores, such as `selfplay.usi` of `learn eval --method selfplay`. Positions in check, those \
whose move captures or promotes, and those with a score beyond ±3000 are left out.\n\nThe network corrects the score of the table \
of --table, and its file holds both. `right` is the share of held-out positions in which the later winner has the better chance; \
pass 0 is the table alone, or the network of --start. The same command resumes from its checkpoint, and more --passes continue a \
finished run.\n\nExample:
  hayasashi learn eval --method selfplay --openings FILE --self-play 20000 --nodes 1000 --passes 0 --checkpoint games --out unused
  hayasashi learn network --data games/selfplay.usi --out network.hyet
  hayasashi match --option EvalTable=network.hyet --openings FILE --nodes 10000 --games 400")]
pub struct NetworkArguments {
    /// Files of scored positions, or records of games with scores.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub data: Vec<PathBuf>,
    /// The file to write after each pass; the option `EvalTable` plays it.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Units for each view, a multiple of 8, at most 64 [default: 32, or those of --start].
    #[arg(long, value_name = "N")]
    pub units: Option<usize>,
    /// Start from the weights of this network instead of random ones.
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
    /// Version in the header of the file.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub network_version: u32,
    /// Folder of the checkpoint [default: --out with the suffix `.run`].
    #[arg(long, value_name = "DIR")]
    pub checkpoint: Option<PathBuf>,
    /// Passes over the positions.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub passes: u32,
    /// Threads [default: all processor cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=512))]
    pub threads: Option<u64>,
    /// Percentage of the positions that are held out.
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0)]
    pub held_out: f32,
    /// Step size of the first pass; a unit saturates at a sum of 1, the last layer is in pawns.
    #[arg(long, value_name = "SIZE", default_value_t = 0.001)]
    pub rate: f32,
    /// Factor of the step size after each pass.
    #[arg(long, value_name = "FACTOR", default_value_t = 0.8)]
    pub decay: f32,
    /// Positions per step.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub batch: u64,
    /// Score in centipawns that multiplies the odds of a win by e.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 600.0)]
    pub scale: f32,
    /// Weight of the result in the target, from 0 to 1; the rest is the scores'.
    #[arg(long, value_name = "PART", default_value_t = 0.0)]
    pub blend: f32,
    /// Weight of the later scores of a recorded game against the position's own, by which they count less from ply to ply, from 0 to 1.
    #[arg(long, value_name = "PART", default_value_t = 0.8)]
    pub lambda: f32,
    /// Seed of the first weights and of the order of the positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Runs `learn network`.
pub fn run(global: &Global, arguments: &NetworkArguments) -> anyhow::Result<Exit> {
    check(arguments)?;
    let start = start(arguments)?;
    let units = start.units();
    let mut beside_out = arguments.out.clone().into_os_string();
    beside_out.push(".run");
    let session = NetworkSession {
        start,
        table: backend::table(global.table.as_deref())?,
        source: Source {
            files: arguments.data.clone(),
            scale: arguments.scale,
            blend: arguments.blend,
            lambda: arguments.lambda,
            held_out: arguments.held_out,
            block: BLOCK,
        },
        rate: arguments.rate,
        decay: arguments.decay,
        batch: arguments.batch as usize,
        passes: arguments.passes,
        threads: arguments.threads.map_or_else(available_threads, |threads| threads as usize),
        seed: arguments.seed,
        out: arguments.out.clone(),
        version: arguments.network_version,
        checkpoint: arguments.checkpoint.clone().unwrap_or(beside_out.into()),
    };
    let folder = &session.checkpoint;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create the folder `{}`", folder.display()))?;
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(0, "positions", global.quiet);
    let (mut faults, mut has_heading, mut failure) = (0, global.json, None);
    let mut show = |event: NetworkEvent| match event {
        NetworkEvent::Fault(fault) => {
            faults += 1;
            if faults <= LISTED_FAULTS {
                bar.suspend(|| eprintln!("left out: {fault}"));
            }
        }
        NetworkEvent::Read(counts) => {
            bar.set_length(counts.read);
            if faults > LISTED_FAULTS {
                bar.suspend(|| eprintln!("left out: {} more", faults - LISTED_FAULTS));
            }
            if !global.json {
                let [read, held_out] = [counts.read, counts.used].map(grouped);
                let text = format!("positions    {read} read, {held_out} held out; {units} units");
                failure = failure.take().or(bar.suspend(|| say(text)).err());
            }
        }
        NetworkEvent::Block { pass, positions, loss } => {
            bar.set_position(positions);
            bar.set_message(format!("pass {pass}, loss {loss:.5},"));
        }
        NetworkEvent::Pass(row) => {
            let shown = bar.suspend(|| {
                if !std::mem::replace(&mut has_heading, true) {
                    say(format!("{:>4} {:>10} {:>10} {:>8}", "pass", "loss", "held out", "right"))?;
                }
                show_row(global, row)
            });
            failure = failure.take().or(shown.err());
        }
    };
    session.run(&|| interrupt.is_set(), &mut show)?;
    bar.finish_and_clear();
    match failure {
        Some(failure) => Err(failure),
        None => Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done }),
    }
}

/// The network of `--start`, or random weights of `--units`.
fn start(arguments: &NetworkArguments) -> anyhow::Result<Start> {
    let units = arguments.units.unwrap_or(32);
    if !is_units(units) {
        bail!("`--units {units}` is out of range; hint: give a multiple of {UNITS_STEP}, at most {MOST_UNITS}");
    }
    let Some(file) = &arguments.start else { return Ok(Start::Random { units }) };
    let Some(network) = backend::evaluation(Some(file))?.network else {
        bail!("`{}` is a table without a network; hint: leave out --start", file.display())
    };
    let has = network.units();
    if arguments.units.is_some_and(|asked| asked != has) {
        bail!("`--units {units}`, but the network of --start has {has}; hint: leave out --units");
    }
    Ok(Start::Network(network))
}

/// Refuses values out of range.
fn check(a: &NetworkArguments) -> anyhow::Result<()> {
    check_ranges(
        &[("--rate", a.rate), ("--decay", a.decay), ("--scale", a.scale), ("--held-out", a.held_out)],
        &[("--blend", a.blend, 1.0), ("--lambda", a.lambda, 1.0), ("--held-out", a.held_out, 90.0)],
    )
}

/// Prints the figures of a pass.
fn show_row(global: &Global, row: &NetworkRow) -> anyhow::Result<()> {
    let NetworkRow { pass, loss, held_out, right } = *row;
    let loss = (pass > 0).then_some(loss);
    if global.json {
        return say(json!({ "learner": "network", "pass": pass, "loss": loss, "held_out": held_out, "right": right }));
    }
    let loss = loss.map_or("-".into(), |loss| format!("{loss:.5}"));
    say(format!("{pass:>4} {loss:>10} {held_out:>10.5} {:>6.2} %", 100.0 * right))
}
