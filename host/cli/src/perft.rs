//! `perft`: the leaves of a tree, counted by the host or by the chip itself, or two back ends compared on the tree.

use super::{
    args::Global,
    backend, positions,
    session::{progress, say, Exit, Interrupt},
    verify::show_difference,
};
use anyhow::Context;
use clap::Args;
use hayasashi_accel::{
    perft::{divide, first_difference, walk, PerftResult, Walked},
    CoProcessor,
};
use hayasashi_lab::{parts::Part, perft::Subtrees};
use hayasashi_shogi::rules::Position;
use hayasashi_spec::perft::{Sums, MAX_DEPTH};
use indicatif::ProgressBar;
use serde_json::{json, Map, Value};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Instant,
};

/// Arguments of `perft`.
#[derive(Args, Debug, Clone)]
pub struct PerftArguments {
    /// Depth in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    pub depth: u32,
    /// Print the number of leaves below each move.
    #[arg(long)]
    pub divide: bool,
    /// Compare with this back end and show the first position that differs.
    #[arg(long, value_name = "BACKEND")]
    pub against: Option<String>,
    /// Let the chip walk the tree (1 to 8 plies). Also prints expansions and clocks.
    #[arg(long, conflicts_with_all = ["divide", "against"])]
    pub on_chip: bool,
    /// Write the leaves below each position after the first two plies to this file. The same command resumes from it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["divide", "against", "on_chip"])]
    pub results: Option<PathBuf>,
    /// With --results: count only this share of the subtrees, the K-th of N parts. `merge` joins the files of results.
    #[arg(long, value_name = "K/N", requires = "results", default_value_t)]
    pub part: Part,
}

/// A count of one position, as the arguments ask for it.
struct Perft<'a> {
    global: &'a Global,
    chip: &'a dyn CoProcessor,
    pos: Position,
    depth: u32,
    interrupt: Interrupt,
    bar: ProgressBar,
}

/// Counts the leaves, or compares with another back end.
pub fn run(global: &Global, arguments: &PerftArguments) -> anyhow::Result<Exit> {
    let pos = positions::single(global)?.position().clone();
    // A comparison with the model in place of a chip would say nothing.
    let opened = match &arguments.against {
        Some(_) => backend::open_itself(&global.backend)?,
        None => backend::opened(global)?,
    };
    let chip = &*opened.chip;
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(0, "nodes", global.quiet);
    let perft = Perft { global, chip, pos, depth: arguments.depth, interrupt, bar };
    match &arguments.against {
        _ if arguments.on_chip => perft.on_chip(),
        Some(against) => perft.compare(&*backend::open_itself(against)?.chip),
        None => match &arguments.results {
            Some(file) => perft.subtrees(file, arguments.part),
            None => perft.divide(arguments.divide),
        },
    }
}

impl Perft<'_> {
    /// Updates the progress bar; returns whether to continue.
    fn watch(&self, nodes: u64) -> bool {
        self.bar.set_position(nodes);
        !self.interrupt.is_set()
    }

    /// The host walks the tree.
    fn divide(&self, show_moves: bool) -> anyhow::Result<Exit> {
        let start = Instant::now();
        let divided = divide(self.chip, &self.pos, self.depth, &mut |nodes| self.watch(nodes))?;
        self.bar.finish_and_clear();
        let mut moves: Vec<(String, u64)> = divided.moves.iter().map(|(m, nodes)| (m.to_usi(), *nodes)).collect();
        moves.sort();
        if self.global.json {
            let mut object = json!({
                "sfen": self.pos.to_sfen(), "backend": self.chip.name(), "depth": self.depth, "nodes": divided.nodes,
                "milliseconds": start.elapsed().as_millis() as u64, "interrupted": !divided.complete,
            });
            if show_moves {
                object["divide"] = Value::Object(moves.into_iter().map(|(m, n)| (m, n.into())).collect::<Map<_, _>>());
            }
            say(object)?;
        } else {
            if show_moves {
                moves.iter().try_for_each(|(mv, nodes)| say(format!("{mv}: {nodes}")))?;
            }
            self.say_if_incomplete(divided.complete)?;
            say(format!("nodes: {}", divided.nodes))?;
        }
        Ok(exit(divided.complete))
    }

    /// The host walks the subtrees of a part that the file of results lacks.
    fn subtrees(&self, file: &Path, part: Part) -> anyhow::Result<Exit> {
        let start = Instant::now();
        let subtrees = Subtrees { position: self.pos.clone(), depth: self.depth, part, journal: file.to_path_buf() };
        let counted = subtrees.count(self.chip, &mut |nodes| self.watch(nodes))?;
        self.bar.finish_and_clear();
        let is_complete = counted.is_complete();
        if self.global.json {
            say(json!({
                "sfen": self.pos.to_sfen(), "backend": self.chip.name(), "depth": self.depth, "part": part.to_string(),
                "nodes": counted.nodes, "subtrees": counted.counted, "of_subtrees": counted.subtrees,
                "milliseconds": start.elapsed().as_millis() as u64, "interrupted": !is_complete,
            }))?;
        } else {
            self.say_if_incomplete(is_complete)?;
            if part != Part::WHOLE {
                say(format!("part {part}: {} of {} subtrees", counted.counted, counted.all))?;
            }
            say(format!("nodes: {}", counted.nodes))?;
        }
        Ok(exit(is_complete))
    }

    /// Shows the first difference from another back end.
    fn compare(&self, other: &dyn CoProcessor) -> anyhow::Result<Exit> {
        let compared = first_difference([self.chip, other], &self.pos, self.depth, &mut |nodes| self.watch(nodes))?;
        self.bar.finish_and_clear();
        let (nodes, differences) = (compared.nodes, compared.difference.is_some() as u32);
        if let Some(difference) = &compared.difference {
            show_difference(difference, self.global.json)?;
        }
        match self.global.json {
            true => say(json!({ "nodes": nodes, "differences": differences, "interrupted": !compared.complete }))?,
            false => say(format!("nodes: {nodes}, differences: {differences}"))?,
        }
        Ok(if differences > 0 { Exit::Differs } else { exit(compared.complete) })
    }

    /// The chip walks the tree.
    fn on_chip(&self) -> anyhow::Result<Exit> {
        let depth = self.depth;
        let plies = u8::try_from(depth).ok().filter(|plies| (1..=MAX_DEPTH).contains(plies));
        let plies = plies.with_context(|| {
            format!("a chip walks 1 to {MAX_DEPTH} plies, not {depth}; hint: omit `--on-chip` to let the host walk the tree")
        })?;
        let start = Instant::now();
        let walked = walk(self.chip, &self.pos, plies, &mut |sums| self.watch(sums.nodes))?;
        self.bar.finish_and_clear();
        let Walked { result: PerftResult { sums: Sums { nodes, expansions, clocks }, complete }, leaves_by } = walked;
        if self.global.json {
            say(json!({
                "sfen": self.pos.to_sfen(), "backend": self.chip.name(), "depth": depth, "nodes": nodes,
                "expansions": expansions, "clocks": clocks, "milliseconds": start.elapsed().as_millis() as u64,
                "interrupted": !complete, "leaves_by": leaves_by.into_iter().collect::<BTreeMap<_, _>>(),
            }))?;
        } else {
            self.say_if_incomplete(complete)?;
            let rate = match (clocks, &leaves_by[..]) {
                (0, _) => String::new(),
                // The clocks are those of a part.
                (_, [_, _, ..]) => {
                    leaves_by.iter().try_for_each(|(backend, leaves)| say(format!("{backend}: {leaves} nodes")))?;
                    String::new()
                }
                (clocks, _) => {
                    format!(", clocks: {clocks}, expansions a clock: {:.3}", expansions as f64 / clocks as f64)
                }
            };
            say(format!("nodes: {nodes}, expansions: {expansions}{rate}"))?;
        }
        Ok(exit(complete))
    }

    fn say_if_incomplete(&self, complete: bool) -> anyhow::Result<()> {
        match complete {
            true => Ok(()),
            false => say("interrupted: the numbers are incomplete"),
        }
    }
}

fn exit(complete: bool) -> Exit {
    match complete {
        true => Exit::Done,
        false => Exit::Interrupted,
    }
}
