//! Perft by the host: `GENERATE` for the inner nodes, `COUNT` for the last ply.

use crate::{
    verify::{compare, Difference},
    view, AccelError, Capability, CoProcessor, Direct, LegalMoves, ModelBackend, MoveCount, PendingBatch,
    PositionError,
};
use hayasashi_shogi::rules::{Move, Position};
use hayasashi_spec::{opcode::Opcode, position::PositionImage};
use std::{collections::VecDeque, slice};
use thiserror::Error;

/// Positions counted with one submission.
const BATCH: usize = 248;
/// Submissions in flight.
const IN_FLIGHT: usize = 8;

/// Why perft failed.
#[derive(Debug, Error)]
pub enum PerftError {
    /// The back end failed.
    #[error(transparent)]
    Accel(#[from] AccelError),
    /// The back end has no result for a position of the tree.
    #[error("a position of the tree was rejected: {0}")]
    Position(#[from] PositionError),
}

/// Called with the leaves counted so far; returns whether to continue.
pub type Watch<'a> = dyn FnMut(u64) -> bool + 'a;

/// The leaves below a position, by root move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divided {
    /// The legal moves with the leaves below each; empty at depth 0.
    pub moves: Vec<(Move, u64)>,
    /// All leaves; 1 at depth 0.
    pub nodes: u64,
    /// Whether everything is counted; if not, `watch` ended it.
    pub complete: bool,
}

/// Counts the leaves `depth` plies below each legal move. The model lists the moves where the chip only counts.
///
/// # Errors
/// The back end fails, or rejects a position of the tree.
pub fn divide(
    chip: &dyn CoProcessor,
    pos: &Position,
    depth: u32,
    watch: &mut Watch<'_>,
) -> Result<Divided, PerftError> {
    if depth == 0 {
        return Ok(Divided { moves: Vec::new(), nodes: 1, complete: true });
    }
    let model = ModelBackend::new();
    let lists_moves = chip.has(Capability::Movegen.bit())?;
    let generator: &dyn CoProcessor = if lists_moves { chip } else { &model };
    let mut walk = Walk::new(chip, generator, watch);
    let moves = walk.divide(&mut pos.clone(), depth)?;
    let nodes = walk.nodes.iter().sum();
    Ok(Divided { moves: moves.into_iter().zip(walk.nodes).collect(), nodes, complete: !walk.stopped })
}

/// Two back ends compared on a tree.
pub struct Comparison {
    /// The first position where they differ, in the order of the tree.
    pub difference: Option<Difference>,
    /// Leaves compared.
    pub nodes: u64,
    /// Whether the tree was searched up to the difference or to its end; if not, `watch` ended it.
    pub complete: bool,
}

/// Compares `GENERATE` for the inner nodes and `COUNT` for the last ply, in the order of the tree. Where two counts
/// differ, the difference is that of `GENERATE` for the same position.
///
/// # Errors
/// A back end fails, cannot list moves, or rejects a position of the tree.
pub fn first_difference(
    chips: [&dyn CoProcessor; 2],
    pos: &Position,
    depth: u32,
    watch: &mut Watch<'_>,
) -> Result<Comparison, PerftError> {
    for chip in chips {
        if !chip.has(Capability::Movegen.bit())? {
            let missing = AccelError::MissingCapability { target: chip.name(), capability: Capability::Movegen };
            return Err(missing.into());
        }
    }
    let mut walk = Walk::new(chips[0], chips[0], watch);
    let difference = walk.first_difference(chips[1], &mut pos.clone(), depth)?;
    Ok(Comparison { complete: difference.is_some() || !walk.stopped, difference, nodes: walk.total })
}

struct Walk<'a, 'w> {
    /// Counts the moves of the last ply.
    chip: &'a dyn CoProcessor,
    /// Lists the moves of the plies above.
    generator: &'a dyn CoProcessor,
    watch: &'a mut Watch<'w>,
    stopped: bool,
    /// Positions to count, each with the index of the root move above it.
    batch: Vec<(usize, PositionImage)>,
    /// Submitted batches, with the indices of the root moves.
    in_flight: VecDeque<(Vec<usize>, PendingBatch<MoveCount>)>,
    /// Leaves below each root move.
    nodes: Vec<u64>,
    total: u64,
}

impl<'a, 'w> Walk<'a, 'w> {
    fn new(chip: &'a dyn CoProcessor, generator: &'a dyn CoProcessor, watch: &'a mut Watch<'w>) -> Walk<'a, 'w> {
        let (batch, in_flight, nodes) = (Vec::new(), VecDeque::new(), Vec::new());
        Walk { chip, generator, watch, stopped: false, batch, in_flight, nodes, total: 0 }
    }

    /// Adds leaves, and asks whether to continue.
    fn add(&mut self, leaves: u64) {
        self.total += leaves;
        self.stopped |= !(self.watch)(self.total);
    }

    /// Counts the leaves below each legal move; returns the moves.
    fn divide(&mut self, pos: &mut Position, depth: u32) -> Result<Vec<Move>, PerftError> {
        let generated = self.generate(&[view::image(pos)])?.swap_remove(0);
        let moves = moves(self.generator, &generated, pos)?;
        self.nodes = vec![(depth == 1) as u64; moves.len()];
        if depth == 1 {
            return Ok(moves);
        }
        if self.chip.direct() == Some(Direct::Rules) {
            // The rules count without requests.
            for (index, &mv) in moves.iter().enumerate() {
                if self.stopped {
                    break;
                }
                let mut child = pos.clone();
                child.do_move(mv);
                self.nodes[index] = child.perft(depth - 1);
                self.add(self.nodes[index]);
            }
            return Ok(moves);
        }
        self.descend(pos, &moves, depth - 1, None)?;
        self.submit();
        while !self.in_flight.is_empty() {
            self.collect()?;
        }
        Ok(moves)
    }

    /// Counts `depth` plies below each child. `root` is the index of the root move above, or `None` at the root.
    fn descend(
        &mut self,
        pos: &mut Position,
        moves: &[Move],
        depth: u32,
        root: Option<usize>,
    ) -> Result<(), PerftError> {
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
            if self.stopped {
                return Ok(());
            }
            let undo = pos.do_move(mv);
            let result = self::moves(self.generator, generated, pos)
                .map_err(PerftError::from)
                .and_then(|replies| self.descend(pos, &replies, depth - 1, root.or(Some(index))));
            pos.undo_move(mv, undo);
            result?;
        }
        Ok(())
    }

    fn generate(&self, images: &[PositionImage]) -> Result<Vec<LegalMoves>, PerftError> {
        let results = self.generator.generate(images)?;
        Ok(results.into_iter().collect::<Result<_, _>>()?)
    }

    fn submit(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let (roots, images): (Vec<usize>, Vec<PositionImage>) = self.batch.drain(..).unzip();
        self.in_flight.push_back((roots, self.chip.submit_count(&images)));
    }

    fn collect(&mut self) -> Result<(), PerftError> {
        let Some((roots, pending)) = self.in_flight.pop_front() else { return Ok(()) };
        let mut leaves = 0;
        for (root, count) in roots.into_iter().zip(pending.wait()?) {
            let moves = count?.moves as u64;
            self.nodes[root] += moves;
            leaves += moves;
        }
        self.add(leaves);
        Ok(())
    }

    fn first_difference(
        &mut self,
        other: &dyn CoProcessor,
        pos: &mut Position,
        depth: u32,
    ) -> Result<Option<Difference>, PerftError> {
        if depth == 0 || self.stopped {
            return Ok(None);
        }
        let chips = [self.chip, other];
        if let Some(difference) = compare(&chips, Opcode::Generate, slice::from_ref(pos))?.pop() {
            return Ok(Some(difference));
        }
        let generated = self.generate(&[view::image(pos)])?.swap_remove(0);
        let moves = moves(self.generator, &generated, pos)?;
        match depth {
            1 => {
                self.add(moves.len() as u64);
                return Ok(None);
            }
            2 => return self.last_plies(other, pos, &moves),
            _ => {}
        }
        for mv in moves {
            let undo = pos.do_move(mv);
            let result = self.first_difference(other, pos, depth - 1);
            pos.undo_move(mv, undo);
            if let found @ Some(_) = result? {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// [`Walk::first_difference`] two plies above the leaves.
    fn last_plies(
        &mut self,
        other: &dyn CoProcessor,
        pos: &Position,
        moves: &[Move],
    ) -> Result<Option<Difference>, PerftError> {
        let chips = [self.chip, other];
        let after = |&mv: &Move| {
            let mut child = pos.clone();
            child.do_move(mv);
            child
        };
        let children: Vec<Position> = moves.iter().map(after).collect();
        if let Some(difference) = compare(&chips, Opcode::Count, &children)?.into_iter().next() {
            let by_moves = compare(&chips, Opcode::Generate, slice::from_ref(&difference.position))?.pop();
            return Ok(Some(by_moves.unwrap_or(difference)));
        }
        let images: Vec<PositionImage> = children.iter().map(view::image).collect();
        let mut leaves = 0;
        for count in self.chip.count(&images)? {
            leaves += count?.moves as u64;
        }
        self.add(leaves);
        Ok(None)
    }
}

/// The moves that `chip` has listed, on the board of `pos`.
fn moves(chip: &dyn CoProcessor, generated: &LegalMoves, pos: &Position) -> Result<Vec<Move>, AccelError> {
    let moves = view::to_moves(&chip.name(), &generated.moves, pos.side_to_move())?;
    match moves.iter().find(|&&mv| !pos.is_legal(mv)) {
        None => Ok(moves),
        Some(illegal) => {
            let reason = format!("{illegal} is not a legal move in {}", pos.to_sfen());
            Err(AccelError::malformed(chip.name(), Opcode::Generate, reason))
        }
    }
}

/// The images of the positions after the moves.
fn children(pos: &mut Position, moves: &[Move]) -> Vec<PositionImage> {
    let child = |&mv: &Move| {
        let undo = pos.do_move(mv);
        let image = view::image(pos);
        pos.undo_move(mv, undo);
        image
    };
    moves.iter().map(child).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RulesBackend;

    #[test]
    fn every_way_to_count_gives_the_published_numbers() {
        let startpos = Position::startpos();
        for chip in [&ModelBackend::new() as &dyn CoProcessor, &RulesBackend::default()] {
            for (depth, nodes) in [(0, 1), (1, 30), (2, 900), (3, 25_470)] {
                let divided = divide(chip, &startpos, depth, &mut |_| true).unwrap();
                assert_eq!((divided.nodes, divided.complete), (nodes, true), "{} depth {depth}", chip.name());
                let sum: u64 = divided.moves.iter().map(|(_, nodes)| nodes).sum();
                assert!(depth == 0 || sum == nodes);
            }
        }
        let (model, rules) = (ModelBackend::new(), RulesBackend::default());
        let compared = first_difference([&model, &rules], &startpos, 3, &mut |_| true).unwrap();
        assert!(compared.difference.is_none() && compared.complete);
        assert_eq!(compared.nodes, 25_470);
    }

    #[test]
    fn the_watcher_can_stop_it() {
        let divided = divide(&ModelBackend::new(), &Position::startpos(), 4, &mut |_| false).unwrap();
        assert!(!divided.complete && divided.nodes < 719_731);
    }
}
