//! `cluster usi`: one USI engine made of several.

use super::{args::Global, cluster::is_mpi_process, session::Exit};
use anyhow::{bail, Context};
use clap::{Args, ValueEnum};
use hayasashi_cluster::usi::{
    leader::{Leader, LeaderSettings},
    strategy::{Method, Sizes},
    team::{Event, Team},
};
use hayasashi_engine::usi::Options;
use hayasashi_lab::matches::EngineSpec;
use std::io::BufRead;

/// Arguments of `cluster usi`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Members are threads of this process, programs, or, in a program built with `--features mpi`, the processes of mpirun but the first:\n
  hayasashi cluster usi --members 2
  hayasashi cluster usi --by majority --engine 'hayasashi usi' --engine '/opt/other-engine'
  mpirun -n 9 hayasashi cluster usi --option 1:Backend=serial:/dev/ttyUSB0 --option Hash=1024")]
pub struct ClusterUsiArguments {
    /// How members share a search.
    #[arg(long, value_name = "METHOD", default_value = "shared")]
    pub by: By,
    /// Number of members in threads of this process [default: all processor cores, or none beside `--engine`].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1024))]
    pub members: Option<u64>,
    /// A USI program as a member, with its arguments; it may run elsewhere, by ssh. May be repeated.
    #[arg(long, value_name = "COMMAND")]
    pub engine: Vec<String>,
    /// An option of all members (`Hash=256`), or of one, by its number from 1 (`2:EvalTable=t.hyet`). May be repeated.
    #[arg(long, value_name = "[MEMBER:]NAME=VALUE")]
    pub option: Vec<String>,
    /// Softmax: nodes of the search of a leaf.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub leaf_nodes: u64,
    /// Softmax: moves of a leaf that become its children.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub leaf_moves: u64,
    /// Softmax: temperature in centipawns.
    #[arg(long, value_name = "CENTIPAWNS", default_value_t = 80, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub temperature: u32,
    /// Simulate members that search at the same time on cores of their own: with `go nodes N` each has the time of N nodes, and a
    /// message takes that of so many.
    #[arg(long, value_name = "NODES", num_args = 0..=1, default_missing_value = "50", value_parser = clap::value_parser!(u64))]
    pub simulate: Option<u64>,
}

/// How members share a search.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// Every member searches the position, and they tell each other the deep entries of their tables.
    Shared,
    /// The moves of the first plies of the best line are divided.
    AlphaBeta,
    /// The leader keeps a tree, and members search its most probable leaves.
    Softmax,
    /// Every member searches the position; the move with most votes is played.
    Majority,
    /// Every member searches the position; the move with the greatest score is played.
    Optimistic,
}

impl ClusterUsiArguments {
    fn settings(&self, members: usize) -> anyhow::Result<LeaderSettings> {
        let method = match self.by {
            By::Shared => Method::Shared,
            By::AlphaBeta => Method::AlphaBeta,
            By::Softmax => Method::Softmax,
            By::Majority => Method::Majority,
            By::Optimistic => Method::Optimistic,
        };
        let sizes = Sizes {
            leaf_nodes: self.leaf_nodes,
            lines: self.leaf_moves as usize,
            temperature: self.temperature,
            ..Sizes::default()
        };
        let option = |text: &String| member_option(text, members);
        let options = self.option.iter().map(option).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(LeaderSettings { method, sizes, options, simulated: self.simulate })
    }
}

/// Reads `Name=value` or `2:Name=value`.
fn member_option(text: &str, members: usize) -> anyhow::Result<(Option<usize>, String, String)> {
    let wrong = || {
        format!(
            "`--option {text}` has no name and value; hint: write `Hash=256`, or `2:Hash=256` for the second member"
        )
    };
    let (member, setting) = match text.split_once(':') {
        Some((number, setting)) if number.bytes().all(|byte| byte.is_ascii_digit()) && !number.is_empty() => {
            let member = number.parse::<usize>().ok().filter(|member| (1..=members).contains(member));
            let member = member.with_context(|| {
                format!("`--option {text}`: there is no member {number}; hint: they have the numbers 1 to {members}")
            })?;
            (Some(member - 1), setting)
        }
        _ => (None, text),
    };
    let (name, value) = setting.split_once('=').with_context(wrong)?;
    if name.trim().is_empty() {
        bail!(wrong());
    }
    Ok((member, name.trim().to_string(), value.trim().to_string()))
}

/// Speaks USI on the standard streams until `quit`.
pub fn run(global: &Global, arguments: &ClusterUsiArguments) -> anyhow::Result<Exit> {
    let options = Options::new(&global.backend, global.table.as_deref())?;
    if is_mpi_process() {
        return on_mpi(arguments, options);
    }
    let mut team = Team::default();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = match (arguments.members, arguments.engine.is_empty()) {
        (Some(members), _) => members as usize,
        (None, true) => cores,
        (None, false) => 0,
    };
    if threads + arguments.engine.len() == 0 {
        bail!("a cluster without members cannot search; hint: `--members 2`, or `--engine COMMAND`");
    }
    for _ in 0..threads {
        team.add_thread(options.clone()).context("cannot start a member; hint: ask for fewer with `--members`")?;
    }
    for command in &arguments.engine {
        let spec = EngineSpec::parse(command, &[])?;
        team.add_program(&spec.command)
            .with_context(|| format!("cannot start `{command}`; hint: the first word must be a program"))?;
    }
    let settings = arguments.settings(team.members.len())?;
    read_gui(&team);
    Leader::new(team, settings, options, std::io::stdout()).run();
    Ok(Exit::Done)
}

/// Sends the lines of the GUI to the leader.
fn read_gui(team: &Team) {
    let events = team.sender();
    // It ends with the process: a read of the standard input cannot be interrupted.
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned();
            if events.send(Event::Gui(Some(line))).is_err() {
                return;
            }
        }
        let _ = events.send(Event::Gui(None));
    });
}

/// Rank 0 leads, the others are members.
#[cfg(feature = "mpi")]
fn on_mpi(arguments: &ClusterUsiArguments, options: Options) -> anyhow::Result<Exit> {
    use hayasashi_cluster::{mpi::MpiRank, Ranks};
    if arguments.members.is_some() || !arguments.engine.is_empty() {
        bail!("under mpirun the members are its processes but the first; hint: leave out `--members` and `--engine`");
    }
    let rank = MpiRank::join()?;
    if rank.rank() > 0 {
        rank.follow(options);
        return Ok(Exit::Done);
    }
    if rank.count() < 2 {
        bail!("rank 0 leads, and there is no other to search; hint: `mpirun -n 3` has two members");
    }
    let settings = arguments.settings(rank.count() - 1)?;
    rank.lead(|team| {
        read_gui(&team);
        Leader::new(team, settings, options, std::io::stdout()).run()
    });
    Ok(Exit::Done)
}

#[cfg(not(feature = "mpi"))]
fn on_mpi(_: &ClusterUsiArguments, _: Options) -> anyhow::Result<Exit> {
    super::cluster::without_mpi()
}

#[cfg(test)]
mod tests {
    use super::member_option;

    #[test]
    fn options_of_members_are_read() {
        let read = |text| member_option(text, 2).ok();
        assert_eq!(read("Hash=64"), Some((None, "Hash".into(), "64".into())));
        assert_eq!(
            read("2:Backend=serial:/dev/ttyUSB0"),
            Some((Some(1), "Backend".into(), "serial:/dev/ttyUSB0".into()))
        );
        assert_eq!(read("Backend=tcp:host:1"), Some((None, "Backend".into(), "tcp:host:1".into())));
        for wrong in ["3:Hash=1", "0:Hash=1", "Hash", "=1", "1:=2", ""] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
