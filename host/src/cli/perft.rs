//! `perft`: leaves of the tree of legal moves, on any back end.

use super::{
    args::{Global, PerftArguments},
    backend,
    session::{progress, say, Exit, Interrupt},
    show::grouped,
};
use crate::accel::{Answer, CoProcessor, Request};
use crate::model::evaluate::first_table;
use crate::rules::{Move, MoveList, Position};
use crate::search::view;
use anyhow::{anyhow, bail};
use hayasashi_spec::opcode::Opcode;
use hayasashi_spec::position::PositionImage;
use indicatif::ProgressBar;
use serde_json::json;
use std::time::Instant;

/// Positions expanded together: enough to fill a link, few enough for memory.
const TOGETHER: usize = 1024;

/// Runs the command on a position.
pub fn run(
    global: &Global,
    arguments: &PerftArguments,
    position: &Position,
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let (chip, note) = backend::open(&global.backend, &first_table())?;
    eprintln!("{note}");
    if let Some(other) = &arguments.against {
        let (second, note) = backend::open(other, &first_table())?;
        eprintln!("{note}");
        return against(global, arguments.depth, position, [&*chip, &*second], interrupt);
    }
    let bar = progress(0, "leaves", global.quiet || global.json);
    let walk = Walk { chip: &*chip, interrupt, bar: &bar };
    let started = Instant::now();
    let mut nodes = 0;
    let mut divided = Vec::new();
    let whole = if arguments.depth == 0 {
        nodes = 1;
        Some(())
    } else if arguments.divide {
        walk.divide(position, arguments.depth, |mv, leaves| {
            nodes += leaves;
            divided.push((mv, leaves));
            if !global.json {
                bar.suspend(|| say(format!("{}: {leaves}", mv.to_usi())))?;
            }
            Ok(())
        })?
    } else {
        walk.leaves(std::slice::from_ref(position), arguments.depth)?.map(|n| nodes = n)
    };
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    if whole.is_none() {
        eprintln!("stopped: {} leaves of the finished moves", grouped(nodes));
        return Ok(Exit::Interrupted);
    }
    eprintln!("{:.3} s, {:.2} M leaves a second", seconds, nodes as f64 / seconds.max(1e-9) / 1e6);
    if global.json {
        let moves: Vec<_> = divided.iter().map(|(mv, n)| json!({"move": mv.to_usi(), "nodes": n})).collect();
        let mut answer = json!({"sfen": position.to_sfen(), "depth": arguments.depth, "backend": chip.name(), "nodes": nodes, "seconds": seconds});
        if arguments.divide {
            answer["moves"] = json!(moves);
        }
        say(answer)?;
    } else {
        say(format!("nodes: {nodes}"))?;
    }
    Ok(Exit::Done)
}

/// A walk over a tree: `GENERATE` at its inner nodes, `COUNT` at the last ply.
struct Walk<'a> {
    chip: &'a dyn CoProcessor,
    interrupt: &'a Interrupt,
    bar: &'a ProgressBar,
}

impl Walk<'_> {
    /// Leaves `depth >= 1` plies below some positions; `None` after Ctrl-C.
    fn leaves(&self, positions: &[Position], depth: u32) -> anyhow::Result<Option<u64>> {
        if self.interrupt.is_set() {
            return Ok(None);
        }
        if self.chip.name() == backend::RULES && depth <= 3 {
            let total = positions.iter().map(|p| p.clone().perft(depth)).sum();
            self.bar.inc(total);
            return Ok(Some(total));
        }
        let images: Vec<PositionImage> = positions.iter().map(view::image).collect();
        if depth == 1 {
            let mut total = 0;
            for (i, counted) in self.chip.count(&images)?.into_iter().enumerate() {
                total += counted.map_err(|e| anyhow!("{}: {e}", positions[i].to_sfen()))?.moves as u64;
            }
            self.bar.inc(total);
            return Ok(Some(total));
        }
        let mut total = 0;
        let mut children = Vec::new();
        for (position, generated) in positions.iter().zip(self.chip.generate(&images)?) {
            let generated = generated.map_err(|e| anyhow!("{}: {e}", position.to_sfen()))?;
            for record in generated.moves {
                let mv = view::to_move(record.mv, position.side_to_move());
                if !position.is_legal(mv) {
                    bail!(
                        "{} plays the illegal move {} in {}; compare it with `perft --against rules`",
                        self.chip.name(),
                        mv.to_usi(),
                        position.to_sfen()
                    );
                }
                let mut child = position.clone();
                child.do_move(mv);
                children.push(child);
            }
            if children.len() >= TOGETHER {
                match self.leaves(&std::mem::take(&mut children), depth - 1)? {
                    Some(leaves) => total += leaves,
                    None => return Ok(None),
                }
            }
        }
        if !children.is_empty() {
            match self.leaves(&children, depth - 1)? {
                Some(leaves) => total += leaves,
                None => return Ok(None),
            }
        }
        Ok(Some(total))
    }

    /// Leaves under each move, in USI order of the moves.
    fn divide(
        &self,
        position: &Position,
        depth: u32,
        mut each: impl FnMut(Move, u64) -> anyhow::Result<()>,
    ) -> anyhow::Result<Option<()>> {
        for mv in self.moves(position)? {
            let mut child = position.clone();
            child.do_move(mv);
            let leaves = if depth == 1 { Some(1) } else { self.leaves(&[child], depth - 1)? };
            match leaves {
                Some(leaves) => each(mv, leaves)?,
                None => return Ok(None),
            }
        }
        Ok(Some(()))
    }

    /// The legal moves that the back end gives, sorted as USI text.
    fn moves(&self, position: &Position) -> anyhow::Result<Vec<Move>> {
        let generated = self.chip.generate(&[view::image(position)])?.swap_remove(0);
        let generated = generated.map_err(|e| anyhow!("{}: {e}", position.to_sfen()))?;
        let mut moves: Vec<Move> =
            generated.moves.iter().map(|r| view::to_move(r.mv, position.side_to_move())).collect();
        moves.sort_by_key(|mv| mv.to_usi());
        Ok(moves)
    }
}

/// Finds the first position and move on which two back ends differ.
fn against(
    global: &Global,
    depth: u32,
    position: &Position,
    chips: [&dyn CoProcessor; 2],
    interrupt: &Interrupt,
) -> anyhow::Result<Exit> {
    let bar = progress(0, "leaves", global.quiet || global.json);
    let walks = chips.map(|chip| Walk { chip, interrupt, bar: &bar });
    let search = Search { walks, names: chips.map(|c| c.name()) };
    let outcome = search.first(position, depth)?;
    bar.finish_and_clear();
    match outcome {
        Found::Stopped => {
            eprintln!("stopped");
            Ok(Exit::Interrupted)
        }
        Found::Same(nodes) => {
            if global.json {
                say(json!({"depth": depth, "nodes": nodes, "differences": 0}))?;
            } else {
                say(format!("nodes: {nodes}"))?;
            }
            Ok(Exit::Done)
        }
        Found::Different { sfen, text } => {
            if global.json {
                say(json!({"depth": depth, "differences": 1, "sfen": sfen, "text": text}))?;
            } else {
                say(format!("first difference in {sfen}\n{text}"))?;
            }
            Ok(Exit::Differs)
        }
    }
}

enum Found {
    Same(u64),
    Different { sfen: String, text: String },
    Stopped,
}

struct Search<'a> {
    walks: [Walk<'a>; 2],
    names: [String; 2],
}

impl Search<'_> {
    /// Compares the trees below a position, leaves first as a whole, and goes down only where they differ.
    fn first(&self, position: &Position, depth: u32) -> anyhow::Result<Found> {
        if let Some(text) = self.here(position)? {
            return Ok(Found::Different { sfen: position.to_sfen(), text });
        }
        if depth <= 1 {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            return Ok(Found::Same(if depth == 0 { 1 } else { moves.len() as u64 }));
        }
        let mut nodes = 0;
        for mv in self.walks[0].moves(position)? {
            let mut child = position.clone();
            child.do_move(mv);
            // A walk stops at an illegal move by an error: then the difference is below this child.
            let counts = self.walks.each_ref().map(|w| w.leaves(std::slice::from_ref(&child), depth - 1));
            match counts {
                [Ok(None), _] | [_, Ok(None)] => return Ok(Found::Stopped),
                [Ok(Some(a)), Ok(Some(b))] if a == b => nodes += a,
                _ => match self.first(&child, depth - 1)? {
                    Found::Same(_) => bail!("the counts below {} differ, but no position does", child.to_sfen()),
                    found => return Ok(found),
                },
            }
        }
        Ok(Found::Same(nodes))
    }

    /// What differs in this position itself.
    fn here(&self, position: &Position) -> anyhow::Result<Option<String>> {
        let image = view::image(position);
        for opcode in [Opcode::Generate, Opcode::Count] {
            let request = Request::batch(opcode, &[image]);
            let answers: Vec<Vec<Answer>> =
                self.walks.iter().map(|w| w.chip.request(request.clone())).collect::<Result<_, _>>()?;
            if answers[0] != answers[1] {
                let mover = position.side_to_move();
                let words = |i: usize| super::verify::describe(answers[i].first(), opcode, mover);
                return Ok(Some(format!("{}: {}\n{}: {}", self.names[0], words(0), self.names[1], words(1))));
            }
        }
        Ok(None)
    }
}
