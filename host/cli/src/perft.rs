//! `perft`: the leaves of a tree, counted by the host or by the chip itself, or two back ends compared on the tree.

use super::{
    args::{Global, PerftArguments},
    backend, positions,
    session::{progress, say, Exit, Interrupt},
    verify::show_difference,
};
use anyhow::Context;
use hayasashi_accel::{
    perft::{divide, first_difference},
    view, CoProcessor,
};
use hayasashi_shogi::rules::Position;
use hayasashi_spec::perft::{Sums, MAX_DEPTH};
use indicatif::ProgressBar;
use serde_json::{json, Map, Value};
use std::time::Instant;

/// A count of one position, as the arguments ask for it.
struct Perft<'a> {
    global: &'a Global,
    chip: &'a dyn CoProcessor,
    pos: Position,
    depth: u32,
    interrupt: Interrupt,
    bar: ProgressBar,
}

/// Counts, or compares with another back end.
pub fn run(global: &Global, arguments: &PerftArguments) -> anyhow::Result<Exit> {
    let pos = positions::single(global)?.position().clone();
    let chip = &*backend::opened(global)?.chip;
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(0, "nodes", global.quiet);
    let perft = Perft { global, chip, pos, depth: arguments.depth, interrupt, bar };
    match &arguments.against {
        _ if arguments.on_chip => perft.on_chip(),
        Some(against) => perft.compare(&*backend::open_named(against)?.chip),
        None => perft.divide(arguments.divide),
    }
}

impl Perft<'_> {
    /// Shows the progress; returns whether to continue.
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
        let result = self.chip.perft(&view::image(&self.pos), plies, &mut |sums| self.watch(sums.nodes))??;
        self.bar.finish_and_clear();
        let Sums { nodes, expansions, clocks } = result.sums;
        if self.global.json {
            say(json!({
                "sfen": self.pos.to_sfen(), "backend": self.chip.name(), "depth": depth, "nodes": nodes,
                "expansions": expansions, "clocks": clocks, "milliseconds": start.elapsed().as_millis() as u64,
                "interrupted": !result.complete,
            }))?;
        } else {
            self.say_if_incomplete(result.complete)?;
            let rate = match clocks {
                0 => String::new(),
                clocks => format!(", clocks: {clocks}, expansions a clock: {:.3}", expansions as f64 / clocks as f64),
            };
            say(format!("nodes: {nodes}, expansions: {expansions}{rate}"))?;
        }
        Ok(exit(result.complete))
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
