//! `perft`: the host walks the tree, the back end answers `GENERATE` inside (the model, where the chip only counts) and `COUNT`
//! at the last ply; or the chip walks by itself.

use super::{
    args::{Global, PerftArguments},
    backend, positions,
    session::{progress, say, Exit, Interrupt},
};
use anyhow::Context;
use hayasashi_accel::view;
use hayasashi_accel::{
    differences, AccelError, CoProcessor, Counted, Direct, Generated, ModelBackend, Pending, PositionError,
};
use hayasashi_shogi::rules::{Move, Position};
use hayasashi_spec::{
    perft::{Sums, MAX_DEPTH},
    position::PositionImage,
    registers::CAP_MOVEGEN,
};
use indicatif::ProgressBar;
use serde_json::{json, Map, Value};
use std::{collections::VecDeque, time::Instant};

/// Positions counted with one submission.
const BATCH: usize = 248;
/// Submissions in flight.
const IN_FLIGHT: usize = 8;

/// Counts, or compares with another back end.
pub fn run(global: &Global, arguments: &PerftArguments) -> anyhow::Result<Exit> {
    let mut pos = positions::single(global)?.position().clone();
    let chip = backend::opened(global)?.chip;
    let interrupt = Interrupt::install(|| {})?;
    let bar = progress(0, "nodes", global.quiet);
    let begun = Instant::now();
    if arguments.on_chip {
        return on_chip(global, &*chip, &pos, arguments.depth, &interrupt, &bar);
    }
    let model = ModelBackend::new();
    let mut walk = Walk {
        chip: &*chip,
        above: if chip.has(CAP_MOVEGEN)? { &*chip } else { &model },
        interrupt: &interrupt,
        bar: &bar,
        batch: Vec::new(),
        in_flight: VecDeque::new(),
        nodes: Vec::new(),
        total: 0,
    };
    if let Some(against) = &arguments.against {
        let other = backend::open_named(against)?.chip;
        for chip in [&chip, &other] {
            if !chip.has(CAP_MOVEGEN)? {
                return Err(AccelError::NoMovegen { target: chip.name() }.into());
            }
        }
        let difference = first_difference(&mut walk, &*other, &mut pos, arguments.depth)?;
        bar.finish_and_clear();
        let nodes = walk.total;
        let found = difference.is_some();
        if let Some(difference) = difference {
            say(difference.show(global.json))?;
        }
        match global.json {
            true => say(json!({ "nodes": nodes, "differences": found as u32, "interrupted": interrupt.is_set() }))?,
            false => say(format!("nodes: {nodes}, differences: {}", found as u32))?,
        }
        return Ok(match (found, interrupt.is_set()) {
            (true, _) => Exit::Differs,
            (false, true) => Exit::Interrupted,
            (false, false) => Exit::Done,
        });
    }
    let moves = walk.root(&mut pos, arguments.depth)?;
    bar.finish_and_clear();
    let nodes = if arguments.depth == 0 { 1 } else { walk.nodes.iter().sum::<u64>() };
    let mut divided: Vec<(String, u64)> = moves.iter().map(|m| m.to_usi()).zip(walk.nodes).collect();
    divided.sort();
    if global.json {
        let mut object = json!({
            "sfen": pos.to_sfen(), "backend": chip.name(), "depth": arguments.depth, "nodes": nodes,
            "milliseconds": begun.elapsed().as_millis() as u64, "interrupted": interrupt.is_set(),
        });
        if arguments.divide {
            object["divide"] = Value::Object(divided.into_iter().map(|(m, n)| (m, n.into())).collect::<Map<_, _>>());
        }
        say(object)?;
    } else {
        if arguments.divide {
            for (mv, nodes) in divided {
                say(format!("{mv}: {nodes}"))?;
            }
        }
        if interrupt.is_set() {
            say("interrupted: the numbers are incomplete")?;
        }
        say(format!("nodes: {nodes}"))?;
    }
    Ok(if interrupt.is_set() { Exit::Interrupted } else { Exit::Done })
}

/// The chip walks.
fn on_chip(
    global: &Global,
    chip: &dyn CoProcessor,
    pos: &Position,
    depth: u32,
    interrupt: &Interrupt,
    bar: &ProgressBar,
) -> anyhow::Result<Exit> {
    let plies = u8::try_from(depth).ok().filter(|plies| (1..=MAX_DEPTH).contains(plies));
    let plies = plies.with_context(|| {
        format!("a chip walks 1 to {MAX_DEPTH} plies, not {depth}; hint: without `--on-chip` the host walks")
    })?;
    let begun = Instant::now();
    let walked = chip.perft(&view::image(pos), plies, &mut |sums| {
        bar.set_position(sums.nodes);
        !interrupt.is_set()
    })??;
    bar.finish_and_clear();
    let Sums { nodes, expansions, clocks } = walked.sums;
    if global.json {
        say(json!({
            "sfen": pos.to_sfen(), "backend": chip.name(), "depth": depth, "nodes": nodes, "expansions": expansions,
            "clocks": clocks, "milliseconds": begun.elapsed().as_millis() as u64, "interrupted": !walked.complete,
        }))?;
    } else {
        if !walked.complete {
            say("interrupted: the numbers are incomplete")?;
        }
        let rate = match clocks {
            0 => String::new(),
            clocks => format!(", clocks: {clocks}, expansions a clock: {:.3}", expansions as f64 / clocks as f64),
        };
        say(format!("nodes: {nodes}, expansions: {expansions}{rate}"))?;
    }
    Ok(if walked.complete { Exit::Done } else { Exit::Interrupted })
}

struct Walk<'a> {
    /// Counts the moves of the last ply.
    chip: &'a dyn CoProcessor,
    /// Gives the moves above: the chip, or the model where the chip only counts.
    above: &'a dyn CoProcessor,
    interrupt: &'a Interrupt,
    bar: &'a ProgressBar,
    /// Positions to count, with the root move that they are under.
    batch: Vec<(usize, PositionImage)>,
    in_flight: VecDeque<(Vec<usize>, Pending<Counted>)>,
    /// Leaves under each root move.
    nodes: Vec<u64>,
    total: u64,
}

impl Walk<'_> {
    /// Counts the leaves under each legal move; gives the moves.
    fn root(&mut self, pos: &mut Position, depth: u32) -> anyhow::Result<Vec<Move>> {
        if depth == 0 {
            return Ok(Vec::new());
        }
        let generated = self.generate(&[view::image(pos)])?.swap_remove(0);
        let moves: Vec<Move> = moves(&generated, pos);
        self.nodes = vec![(depth == 1) as u64; moves.len()];
        if depth > 1 && self.chip.direct() == Some(Direct::Rules) {
            // The rules need no requests to walk.
            for (index, &mv) in moves.iter().enumerate().take_while(|_| !self.interrupt.is_set()) {
                let mut child = pos.clone();
                child.do_move(mv);
                self.nodes[index] = child.perft(depth - 1);
                self.total += self.nodes[index];
                self.bar.set_position(self.total);
            }
        } else if depth > 1 {
            self.below(pos, &moves, depth - 1, None)?;
            self.submit();
            while !self.in_flight.is_empty() {
                self.collect()?;
            }
        }
        Ok(moves)
    }

    /// Counts `depth` plies below each child. `root` is the root move above, or `None` at the root itself.
    fn below(&mut self, pos: &mut Position, moves: &[Move], depth: u32, root: Option<usize>) -> anyhow::Result<()> {
        let images = children(pos, moves);
        if depth == 1 {
            for (index, image) in images.into_iter().enumerate() {
                self.batch.push((root.unwrap_or(index), image));
                if self.batch.len() == BATCH {
                    self.submit();
                }
            }
            while self.in_flight.len() > IN_FLIGHT {
                self.collect()?;
            }
            return Ok(());
        }
        let generated = self.generate(&images)?;
        for (index, (&mv, generated)) in moves.iter().zip(&generated).enumerate() {
            if self.interrupt.is_set() {
                return Ok(());
            }
            let undo = pos.do_move(mv);
            let replies = self::moves(generated, pos);
            let result = self.below(pos, &replies, depth - 1, root.or(Some(index)));
            pos.undo_move(mv, undo);
            result?;
        }
        Ok(())
    }

    fn generate(&self, images: &[PositionImage]) -> anyhow::Result<Vec<Generated>> {
        let results = self.above.generate(images)?;
        Ok(results.into_iter().collect::<Result<_, PositionError>>()?)
    }

    fn submit(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let (roots, images): (Vec<usize>, Vec<PositionImage>) = self.batch.drain(..).unzip();
        self.in_flight.push_back((roots, self.chip.submit_count(&images)));
    }

    fn collect(&mut self) -> anyhow::Result<()> {
        let Some((roots, pending)) = self.in_flight.pop_front() else { return Ok(()) };
        for (root, counted) in roots.into_iter().zip(pending.wait()?) {
            let moves = counted?.moves as u64;
            self.nodes[root] += moves;
            self.total += moves;
        }
        self.bar.set_position(self.total);
        Ok(())
    }
}

fn moves(generated: &Generated, pos: &Position) -> Vec<Move> {
    generated.moves.iter().map(|r| view::to_move(r.mv, pos.side_to_move())).collect()
}

fn children(pos: &mut Position, moves: &[Move]) -> Vec<PositionImage> {
    let child = |&mv: &Move| {
        let undo = pos.do_move(mv);
        let image = view::image(pos);
        pos.undo_move(mv, undo);
        image
    };
    moves.iter().map(child).collect()
}

/// Walks the tree in order and compares `GENERATE` inside, `COUNT` at the last ply. A count that differs is looked
/// into by `GENERATE`.
fn first_difference(
    walk: &mut Walk,
    other: &dyn CoProcessor,
    pos: &mut Position,
    depth: u32,
) -> anyhow::Result<Option<differences::Difference>> {
    use hayasashi_spec::opcode::Opcode;
    if depth == 0 || walk.interrupt.is_set() {
        return Ok(None);
    }
    if let Some(d) = differences::positions(&[walk.chip, other], Opcode::Generate, std::slice::from_ref(pos))?.pop() {
        return Ok(Some(d));
    }
    let generated = walk.generate(&[view::image(pos)])?.swap_remove(0);
    let moves = moves(&generated, pos);
    if depth == 1 {
        walk.total += moves.len() as u64;
        return Ok(None);
    }
    if depth == 2 {
        let after = |&mv: &Move| {
            let mut child = pos.clone();
            child.do_move(mv);
            child
        };
        let children: Vec<Position> = moves.iter().map(after).collect();
        let differences = differences::positions(&[walk.chip, other], Opcode::Count, &children)?;
        if let Some(d) = differences.into_iter().next() {
            let inside =
                differences::positions(&[walk.chip, other], Opcode::Generate, std::slice::from_ref(&d.position))?.pop();
            return Ok(Some(inside.unwrap_or(d)));
        }
        let images: Vec<PositionImage> = children.iter().map(view::image).collect();
        for counted in walk.chip.count(&images)? {
            walk.total += counted.context("a position of the tree")?.moves as u64;
        }
        walk.bar.set_position(walk.total);
        return Ok(None);
    }
    for mv in moves {
        let undo = pos.do_move(mv);
        let result = first_difference(walk, other, pos, depth - 1);
        pos.undo_move(mv, undo);
        if let found @ Some(_) = result? {
            return Ok(found);
        }
    }
    Ok(None)
}
