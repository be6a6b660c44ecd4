//! Perft with its transpositions: each position of a ply is kept once, with the number of paths to it, at the rank that owns it.
//!
//! All ranks go down ply by ply. A rank makes the moves of the positions that it owns, and sends each child to its owner, which a hash
//! of the position names. Below the last kept ply, each position's leaves are counted by the rules and multiplied by its paths. Where
//! the children of a ply would not fit in the memory, the ply is divided by the hash, and its slices go down one after the other.

use super::{ClusterError, Ranks};
use hayasashi_shogi::rules::{MoveList, PackedPosition, Position};
use rustc_hash::FxHashMap;

/// Plies below the last kept positions.
const LEAF_PLIES: u32 = 2;
/// Positions that a rank expands before the children are sent.
const BLOCK: usize = 2048;
/// Words of a position in a message: the position, and the paths to it.
const MESSAGE_WORDS: usize = 9;
/// Bytes of a kept position: a slot of the table, which is between half and seven eighths full.
pub const POSITION_BYTES: usize = 120;

/// How a tree is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftSettings {
    /// Depth in plies.
    pub depth: u32,
    /// Positions that a rank may keep, those of all plies together.
    pub positions: usize,
}

/// What has been counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClusterPerft {
    /// Leaves.
    pub nodes: u64,
    /// Positions kept, all plies together; each is one for all paths that lead to it in its slice.
    pub positions: u64,
    /// Whether the tree is counted; if not, `watch` has ended it.
    pub complete: bool,
}

/// Counts the leaves below a position together with the other ranks, and returns the same numbers on every rank. Passes the leaves
/// that this rank has counted to `watch`, which returns whether to go on.
///
/// # Errors
/// A rank that has ended, or that sends what is no position.
pub fn perft(
    ranks: &dyn Ranks,
    root: &Position,
    settings: &PerftSettings,
    watch: &mut dyn FnMut(u64) -> bool,
) -> Result<ClusterPerft, ClusterError> {
    let mut walk = Walk { ranks, watch, nodes: 0, positions: 0, complete: true };
    let root = root.pack();
    let mut kept = Kept::default();
    if owner(&root, ranks.count()) == ranks.rank() {
        kept.insert(root, 1);
    }
    walk.descend(&kept, settings.depth, settings.positions)?;
    let Walk { nodes, positions, complete, .. } = walk;
    Ok(ClusterPerft {
        nodes: ranks.gather(nodes)?.iter().sum(),
        positions: ranks.gather(positions)?.iter().sum(),
        complete: ranks.all(complete)?,
    })
}

/// Positions of a ply with the paths to each. The table's hash is another than [`hash`], by which ranks and slices are chosen.
type Kept = FxHashMap<PackedPosition, u64>;

/// The rank that owns a position.
fn owner(position: &PackedPosition, ranks: usize) -> usize {
    (hash(position) >> 48) as usize % ranks
}

/// The same on every machine, and good in all of its bits: the words are mixed by multiplication.
fn hash(position: &PackedPosition) -> u64 {
    let mixed = position.0.iter().fold(0x9e37_79b9_7f4a_7c15_u64, |hash, word| {
        let product = u128::from(hash ^ word) * 0xa076_1d64_78bd_642f;
        (product >> 64) as u64 ^ product as u64
    });
    mixed ^ mixed >> 32
}

struct Walk<'a, 'w> {
    ranks: &'a dyn Ranks,
    watch: &'a mut (dyn FnMut(u64) -> bool + 'w),
    nodes: u64,
    positions: u64,
    complete: bool,
}

impl Walk<'_, '_> {
    /// Counts the leaves `plies` below the kept positions. There is room for so many positions, these included.
    fn descend(&mut self, kept: &Kept, plies: u32, room: usize) -> Result<(), ClusterError> {
        self.positions += kept.len() as u64;
        if plies <= LEAF_PLIES {
            return self.count(kept, plies);
        }
        // A ply gets its share of the room that is left.
        let room = room.saturating_sub(kept.len());
        let most_children = (room / (plies - LEAF_PLIES) as usize).max(1) as u64;
        // All moves of all positions, as if no two led to the same one.
        let children = kept.keys().map(|position| unpacked(position).map(|pos| pos.count_legal_moves()));
        let children = children.sum::<Result<usize, ClusterError>>()? as u64;
        let slices = self.ranks.max(children.div_ceil(most_children))?.max(1);
        for slice in 0..slices {
            if !self.goes_on()? {
                return Ok(());
            }
            let of_slice = |position: &&PackedPosition| (hash(position) & 0xffff_ffff) % slices == slice;
            let parents: Vec<&PackedPosition> = kept.keys().filter(of_slice).collect();
            let children = self.expand(&parents, kept)?;
            self.descend(&children, plies - 1, room)?;
        }
        Ok(())
    }

    /// Makes all moves of these positions; returns those children of all ranks that this rank owns.
    fn expand(&mut self, parents: &[&PackedPosition], kept: &Kept) -> Result<Kept, ClusterError> {
        let mut children = Kept::default();
        let most = self.ranks.max(parents.len().div_ceil(BLOCK) as u64)?;
        let mut blocks = parents.chunks(BLOCK);
        for _ in 0..most {
            let mut to = vec![Vec::new(); self.ranks.count()];
            for parent in blocks.next().unwrap_or(&[]) {
                let mut position = unpacked(parent)?;
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                for &mv in &moves {
                    let undo = position.do_move(mv);
                    let child = position.pack();
                    position.undo_move(mv, undo);
                    let words = &mut to[owner(&child, self.ranks.count())];
                    words.extend(child.0);
                    words.push(kept[*parent]);
                }
            }
            let words = self.ranks.exchange(&to)?;
            if words.len() % MESSAGE_WORDS != 0 {
                return Err(ClusterError::Message(words.len() * 8));
            }
            for message in words.chunks_exact(MESSAGE_WORDS) {
                let mut position = PackedPosition([0; 8]);
                position.0.copy_from_slice(&message[..8]);
                *children.entry(position).or_insert(0) += message[8];
            }
        }
        Ok(children)
    }

    /// Counts the leaves below each of the kept positions by the rules.
    fn count(&mut self, kept: &Kept, plies: u32) -> Result<(), ClusterError> {
        for (position, paths) in kept {
            if !self.complete {
                break;
            }
            self.nodes += paths * unpacked(position)?.perft(plies);
            self.complete = (self.watch)(self.nodes);
        }
        Ok(())
    }

    /// Whether no rank was told to stop.
    fn goes_on(&mut self) -> Result<bool, ClusterError> {
        self.complete = self.complete && (self.watch)(self.nodes);
        self.complete = self.ranks.all(self.complete)?;
        Ok(self.complete)
    }
}

fn unpacked(position: &PackedPosition) -> Result<Position, ClusterError> {
    position.unpack().ok_or(ClusterError::Message(MESSAGE_WORDS * 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// Positions of `tests/data` with their numbers: the initial one, and matsuri.
    const KNOWN: [(&str, [u64; 5]); 2] = [
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", [1, 30, 900, 25_470, 719_731]),
        (
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            [1, 207, 28_684, 4_809_015, 516_925_165],
        ),
    ];

    fn counted(sfen: &str, depth: u32, positions: usize, count: usize) -> ClusterPerft {
        let root = Position::from_sfen(sfen).unwrap();
        threads::run(count, &|ranks| perft(ranks, &root, &PerftSettings { depth, positions }, &mut |_| true)).unwrap()
    }

    #[test]
    fn any_ranks_and_any_memory_give_the_published_numbers() {
        for (sfen, numbers) in KNOWN {
            for (depth, nodes) in numbers.into_iter().enumerate().take(4) {
                for (positions, ranks) in [(1 << 20, 1), (1 << 20, 3), (1000, 2), (7, 3)] {
                    let found = counted(sfen, depth as u32, positions, ranks);
                    assert_eq!((found.nodes, found.complete), (nodes, true), "{sfen} {depth} {positions} {ranks}");
                }
            }
        }
        assert_eq!(counted(KNOWN[0].0, 4, 1 << 20, 2).nodes, KNOWN[0].1[4]);
    }

    #[test]
    fn a_position_is_kept_once() {
        // 719,731 paths of four plies lead to fewer positions; the two plies above the last two have 1 + 30 + 900 at most.
        let kept = counted(KNOWN[0].0, 4, 1 << 20, 2).positions;
        assert_eq!(kept, 1 + 30 + 900);
        let (all, divided) = (counted(KNOWN[0].0, 5, 1 << 20, 2).positions, counted(KNOWN[0].0, 5, 100, 2).positions);
        assert!(all < divided && divided <= 1 + 30 + 900 + 25_470, "{all} {divided}");
    }

    #[test]
    fn one_rank_stops_all() {
        let root = Position::startpos();
        let asked = AtomicU64::new(0);
        let settings = PerftSettings { depth: 6, positions: 1000 };
        let found = threads::run(3, &|ranks| {
            let mut watch = |_| ranks.rank() != 2 || asked.fetch_add(1, Relaxed) < 3;
            perft(ranks, &root, &settings, &mut watch)
        });
        assert!(!found.unwrap().complete);
    }
}
