//! How often categories are possible and how often they are played.
//!
//! A category is possible in a position if a legal move has it, however many have; it is played if the move of the record
//! has it. Each move counts for its category, for the coarser ones ([`Category::level`]), and for each without what either
//! analyser found.

use super::{
    category::{Category, KEYS, LEVELS},
    phase::Phase,
    position_context::{PastMove, PositionContext, PAST},
};
use hayasashi_shogi::{
    records::RecordedGame,
    rules::{Move, MoveList},
};

/// How often a category was played and possible.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Cell {
    /// Positions where it was played.
    pub played: u32,
    /// Positions where it was possible.
    pub possible: u32,
}

/// Cells by phase.
pub type Cells = [Cell; Phase::ALL.len()];

/// What was counted of games.
pub struct MoveCounts {
    /// Games.
    pub games: u64,
    /// Positions, each with a move that was played, by phase.
    pub positions: [u64; Phase::ALL.len()],
    /// Legal moves of all positions.
    pub moves: u64,
    cells: Vec<Cells>,
    /// By category: the position that counted it last.
    counted: Vec<u32>,
}

impl Default for MoveCounts {
    fn default() -> MoveCounts {
        MoveCounts {
            games: 0,
            positions: Default::default(),
            moves: 0,
            cells: vec![Cells::default(); KEYS],
            counted: vec![0; KEYS],
        }
    }
}

/// Calls `f` with the key of each category that a move counts for.
fn for_each_key(category: Category, mut f: impl FnMut(usize)) {
    for level in 0..LEVELS {
        let coarse = category.level(level);
        for possibility in [coarse.possibility, None] {
            for history in [coarse.history, None] {
                f(Category { possibility, history, ..coarse }.key() as usize);
            }
        }
    }
}

impl MoveCounts {
    /// Counts a game.
    pub fn take(&mut self, game: &RecordedGame) {
        self.games += 1;
        let mut pos = game.start.clone();
        // The last move first.
        let mut past: Vec<PastMove> = Vec::new();
        for &mv in &game.moves {
            self.count(&PositionContext::new(&pos, past.iter().copied()), mv);
            let captured = pos.do_move(mv).captured().map(|p| p.kind());
            past.insert(0, PastMove { mv, captured });
            past.truncate(PAST);
        }
    }

    fn count(&mut self, context: &PositionContext, played: Move) {
        let phase = context.phase as usize;
        self.positions[phase] += 1;
        let number = self.positions.iter().sum::<u64>() as u32;
        let mut moves = MoveList::new();
        context.position().legal_moves(&mut moves);
        self.moves += moves.len() as u64;
        for &mv in &moves {
            for_each_key(context.category(mv), |key| {
                if self.counted[key] != number {
                    self.counted[key] = number;
                    self.cells[key][phase].possible += 1;
                }
            });
        }
        // Once for each category, though some of a move's are the same.
        let mut seen: Vec<usize> = Vec::with_capacity(4 * LEVELS);
        for_each_key(context.category(played), |key| {
            if !seen.contains(&key) {
                seen.push(key);
                self.cells[key][phase].played += 1;
            }
        });
    }

    /// The cells of a category.
    pub fn cells(&self, category: Category) -> Cells {
        self.cells[category.key() as usize]
    }

    /// All categories that were possible, in the order of their keys.
    pub fn categories(&self) -> impl Iterator<Item = (Category, Cells)> + '_ {
        let possible = |cells: &Cells| cells.iter().any(|cell| cell.possible > 0);
        let found = self.cells.iter().enumerate().filter(move |(_, cells)| possible(cells));
        found.filter_map(|(key, &cells)| Some((Category::of_key(key as u32)?, cells)))
    }
}
