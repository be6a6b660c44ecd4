//! `cluster`: work that several ranks share by messages: threads, or processes that `mpirun` has started.

use super::{
    args::Global,
    learn::{self, EvalArguments},
    positions,
    session::{self, progress, say, Exit, Interrupt},
};
use anyhow::ensure;
use clap::{Args, Subcommand};
use hayasashi_cluster::{
    perft::{perft, ClusterPerft, PerftSettings, POSITION_BYTES},
    threads, Ranks,
};
use hayasashi_lab::compare::grouped;
use hayasashi_shogi::rules::Position;
use serde_json::json;
use std::time::Instant;

/// The commands below `cluster`.
#[derive(Subcommand, Debug, Clone)]
pub enum Cluster {
    /// Count the leaves of the tree of legal moves, with each position of a ply counted once for all paths to it.
    Perft(ClusterPerftArguments),
    /// Speak USI as one engine made of several: members search for a leader.
    Usi(super::cluster_usi::ClusterUsiArguments),
    /// Train the weights of the static evaluation as `learn eval` does, on all processes of mpirun: the same bytes with any number.
    Learn(Box<EvalArguments>),
}

/// Arguments of `cluster perft`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Ranks are threads of this process, or, in a program built with `--features mpi`, the processes of mpirun:\n
  hayasashi cluster perft 7 --ranks 4
  mpirun -n 4 hayasashi cluster perft 7")]
pub struct ClusterPerftArguments {
    /// Depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=10))]
    pub depth: u32,
    /// Number of ranks [default: all processor cores, or as mpirun says].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub ranks: Option<u64>,
    /// Memory of each rank for positions, in MiB. With less the same position is counted more often.
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub memory_mib: u64,
}

/// What a rank has found.
struct Counted {
    perft: ClusterPerft,
    rank: usize,
    ranks: usize,
}

/// Runs one of the commands.
pub fn run(global: &Global, command: &Cluster) -> anyhow::Result<Exit> {
    match command {
        Cluster::Perft(arguments) => count(global, arguments),
        Cluster::Usi(arguments) => super::cluster_usi::run(global, arguments),
        Cluster::Learn(arguments) => learn(global, arguments),
    }
}

/// Counts on all ranks; rank 0 prints the result.
fn count(global: &Global, arguments: &ClusterPerftArguments) -> anyhow::Result<Exit> {
    let position = positions::single(global)?.position().clone();
    let settings =
        PerftSettings { depth: arguments.depth, positions: arguments.memory_mib as usize * (1 << 20) / POSITION_BYTES };
    let interrupt = Interrupt::install(|| {})?;
    let begun = Instant::now();
    let work = |ranks: &dyn Ranks| {
        let bar = progress(0, "nodes of rank 0", global.quiet || ranks.rank() != 0);
        let perft = perft(ranks, &position, &settings, &mut |nodes| {
            bar.set_position(nodes);
            !interrupt.is_set()
        });
        bar.finish_and_clear();
        Ok(Counted { perft: perft?, rank: ranks.rank(), ranks: ranks.count() })
    };
    let counted = if is_mpi_process() {
        ensure!(arguments.ranks.is_none(), "`--ranks` is for threads; hint: give the number to mpirun: `mpirun -n N`");
        as_process(|ranks| Ok(work(ranks)?))?
    } else {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        threads::run(arguments.ranks.map_or(cores, |ranks| ranks as usize), &work)?
    };
    if counted.rank == 0 {
        show(global, &position, settings.depth, &counted, begun)?;
    }
    Ok(if counted.perft.complete { Exit::Done } else { Exit::Interrupted })
}

/// Whether a launcher of MPI has started this process.
pub fn is_mpi_process() -> bool {
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"].iter().any(|name| std::env::var_os(name).is_some())
}

/// Learns together with the other processes of mpirun.
fn learn(global: &Global, arguments: &EvalArguments) -> anyhow::Result<Exit> {
    ensure!(
        is_mpi_process(),
        "`cluster learn` is for the processes of mpirun; hint: `mpirun -n N hayasashi cluster learn …`, or on one machine `learn \
         eval`, which uses all cores"
    );
    as_process(|ranks| learn::eval(global, arguments, ranks))
}

/// Does the work of one of the processes of mpirun. If it fails, all end.
#[cfg(feature = "mpi")]
fn as_process<T>(work: impl FnOnce(&dyn Ranks) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let rank = hayasashi_cluster::mpi::MpiRank::join()?;
    let done = work(&rank);
    if let Err(error) = &done {
        super::engine::report(error);
        rank.abort();
    }
    done
}

#[cfg(not(feature = "mpi"))]
fn as_process<T>(_: impl FnOnce(&dyn Ranks) -> anyhow::Result<T>) -> anyhow::Result<T> {
    without_mpi()
}

/// Refuses to be one of the processes of mpirun.
#[cfg(not(feature = "mpi"))]
pub fn without_mpi<T>() -> anyhow::Result<T> {
    anyhow::bail!(
        "this program was built without MPI; hint: build it with `cargo build --release --features mpi`, or start it without mpirun"
    )
}

fn show(global: &Global, position: &Position, depth: u32, counted: &Counted, begun: Instant) -> anyhow::Result<()> {
    let Counted { perft: ClusterPerft { nodes, positions, complete }, ranks, .. } = *counted;
    if global.json {
        return say(json!({
            "sfen": position.to_sfen(), "ranks": ranks, "depth": depth, "nodes": nodes, "positions": positions,
            "milliseconds": begun.elapsed().as_millis() as u64, "interrupted": !complete,
        }));
    }
    if !complete {
        say("interrupted: the numbers are incomplete")?;
    }
    let (ranks, seconds) = (session::counted(ranks, "rank"), begun.elapsed().as_secs_f64());
    say(format!("{ranks}, {} positions kept, {seconds:.2} s", grouped(positions)))?;
    say(format!("nodes: {nodes}"))
}
