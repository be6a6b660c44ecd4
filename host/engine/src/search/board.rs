//! The interface between the tree and its source of moves and scores.
//!
//! The tree walks over a [`SearchBoard`]. [`NativeBoard`] generates moves by the engine's own rules and updates the
//! evaluation move by move. [`LinkedBoard`] gets moves and scores from a co-processor. Both give the same sets of moves
//! and the same scores, and the tree depends on nothing else, so on one thread a search limited by nodes or depth is the
//! same on every back end.

use super::{
    accumulator::{Accumulator, Weights},
    game_path::GamePath,
    move_order::Ranked,
    move_source::MoveSource,
    patience::Patience,
};
use crate::network::{corrected, MoveChange, UnitSums, View};
use hayasashi_model::evaluate::network::Network;
use hayasashi_shogi::rules::{Color, Move, MoveList, Stage};
use std::sync::Arc;

/// A position with the operations that a search needs.
pub trait SearchBoard {
    /// Whether an operation takes so long that the clock should be read after each.
    const HIGH_LATENCY: bool;

    /// The position, with the moves that led to it.
    fn path(&self) -> &GamePath;

    /// Makes a legal move; `checks` says whether it gives check.
    fn make(&mut self, mv: Move, checks: bool);

    /// Makes a null move; the mover must not be in check.
    fn pass(&mut self);

    /// Takes back the last move or null move.
    fn unmake(&mut self);

    /// Appends the legal moves of a stage, in any order.
    fn moves(&mut self, stage: Stage, moves: &mut MoveList);

    /// Appends the legal moves that give check, in any order.
    fn checks(&mut self, moves: &mut MoveList);

    /// The static evaluation for the mover.
    fn evaluate(&mut self) -> i32;

    /// Prepares for the child number `index`; `rest` holds it and the later children, unsorted.
    fn look_ahead(&mut self, rest: &[Ranked], index: usize);
}

/// The engine's own rules, with the evaluation updated move by move.
pub struct NativeBoard {
    path: GamePath,
    weights: Arc<Weights>,
    sums: Vec<Accumulator>,
    /// The network that corrects the table's score, with the sums of its units.
    network: Option<(Arc<Network>, UnitSums)>,
}

impl NativeBoard {
    /// A board with this position. A network corrects the score by the weights.
    pub fn new(path: GamePath, weights: Arc<Weights>, network: Option<Arc<Network>>) -> NativeBoard {
        let sums = vec![Accumulator::new(&weights, path.position())];
        let network = network.map(|network| {
            let units = UnitSums::new(&network, path.position());
            (network, units)
        });
        NativeBoard { path, weights, sums, network }
    }

    #[inline(always)]
    fn sum(&self) -> Accumulator {
        *self.sums.last().expect("the first position has an accumulator")
    }
}

impl SearchBoard for NativeBoard {
    const HIGH_LATENCY: bool = false;

    #[inline(always)]
    fn path(&self) -> &GamePath {
        &self.path
    }

    #[inline(always)]
    fn make(&mut self, mv: Move, checks: bool) {
        let make = |path: &mut GamePath| path.do_move_with_check(mv, checks);
        let change = self.network.is_some().then(|| {
            let views = Color::ALL.map(|color| View::of(&self.path, color));
            (views, MoveChange::of(&self.path, views, mv))
        });
        let sum = self.sum().make(&self.weights, &mut self.path, mv, make);
        self.sums.push(sum);
        if let (Some((network, units)), Some((views, change))) = (&mut self.network, change) {
            units.make(network, views, &change, self.path.position());
        }
    }

    #[inline(always)]
    fn pass(&mut self) {
        self.sums.push(self.sum());
        if let Some((_, units)) = &mut self.network {
            units.pass();
        }
        self.path.pass();
    }

    #[inline(always)]
    fn unmake(&mut self) {
        self.sums.pop();
        if let Some((_, units)) = &mut self.network {
            units.unmake();
        }
        self.path.undo_move();
    }

    #[inline(always)]
    fn moves(&mut self, stage: Stage, moves: &mut MoveList) {
        self.path.stage_moves(stage, moves);
    }

    #[inline(always)]
    fn checks(&mut self, moves: &mut MoveList) {
        self.path.position().checks(moves);
    }

    #[inline(always)]
    fn evaluate(&mut self) -> i32 {
        let score = self.sum().score(&self.weights, self.path.side_to_move());
        #[cfg(debug_assertions)]
        {
            let image = hayasashi_accel::view::image(self.path.position());
            let model = self.weights.table().score(&hayasashi_model::position::Position::from(&image));
            assert_eq!(score, model as i32, "the score of {} and that of the model", self.path.to_sfen());
        }
        match &self.network {
            Some((network, units)) => units.corrected(network, score, self.path.side_to_move()),
            None => score,
        }
    }

    #[inline(always)]
    fn look_ahead(&mut self, _: &[Ranked], _: usize) {}
}

/// Moves and scores from a co-processor.
pub struct LinkedBoard<'a> {
    path: GamePath,
    source: &'a mut MoveSource,
    patience: Patience<'a>,
}

impl<'a> LinkedBoard<'a> {
    /// A board with this position. The source's network corrects its scores.
    pub fn new(path: GamePath, source: &'a mut MoveSource, patience: Patience<'a>) -> LinkedBoard<'a> {
        LinkedBoard { path, source, patience }
    }
}

impl SearchBoard for LinkedBoard<'_> {
    const HIGH_LATENCY: bool = true;

    fn path(&self) -> &GamePath {
        &self.path
    }

    fn make(&mut self, mv: Move, checks: bool) {
        self.path.do_move_with_check(mv, checks);
    }

    fn pass(&mut self) {
        self.path.pass();
    }

    fn unmake(&mut self) {
        self.path.undo_move();
    }

    fn moves(&mut self, stage: Stage, moves: &mut MoveList) {
        let pos = self.path.position();
        let in_stage = |mv: Move| match stage {
            Stage::All => true,
            Stage::Captures => pos.captured_kind(mv) != 0,
            Stage::Quiets => pos.captured_kind(mv) == 0,
            Stage::Forcing => pos.is_forcing(mv),
        };
        self.source.for_each_legal(pos, self.patience, &mut |mv| {
            if in_stage(mv) {
                moves.push(mv);
            }
        });
    }

    fn checks(&mut self, moves: &mut MoveList) {
        let pos = self.path.position();
        self.source.for_each_legal(pos, self.patience, &mut |mv| {
            if pos.gives_check(mv) {
                moves.push(mv);
            }
        });
    }

    fn evaluate(&mut self) -> i32 {
        let score = self.source.evaluate(self.path.position(), self.patience);
        corrected(self.source.evaluation(), score, self.path.position())
    }

    fn look_ahead(&mut self, rest: &[Ranked], index: usize) {
        self.source.look_ahead(&mut self.path, rest, index, self.patience);
    }
}
