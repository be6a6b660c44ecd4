//! Where the tree's moves and scores come from.
//!
//! The tree is one; it walks over a [`SearchBoard`]. [`NativeBoard`] generates by the engine's own rules and keeps the evaluation up to
//! date move by move; [`LinkedBoard`] has moves and scores from a co-processor. Both give the same sets of moves and the
//! same scores, and the tree depends on nothing else, so that a search of one thread under limits of nodes or depth is the
//! same search on every back end.

use super::{
    accumulator::{Accumulator, Weights},
    game_path::GamePath,
    move_order::Ranked,
    move_source::MoveSource,
};
use hayasashi_accel::AccelError;
use hayasashi_shogi::rules::{Move, MoveList, Stage};
use std::sync::Arc;

/// A position that moves are made on, and what is asked of it.
pub trait SearchBoard {
    /// Whether each question takes so long that the clock should be looked at after it.
    const HIGH_LATENCY: bool;

    /// The position with the moves that led to it.
    fn path(&self) -> &GamePath;

    /// Makes a legal move of which it is known whether it checks.
    fn make(&mut self, mv: Move, checks: bool);

    /// Passes; not in check.
    fn pass(&mut self);

    /// Takes back the last move or pass.
    fn unmake(&mut self);

    /// Appends the legal moves of a stage, in any order.
    fn moves(&mut self, stage: Stage, moves: &mut MoveList) -> Result<(), AccelError>;

    /// Appends the legal moves that check, in any order.
    fn checks(&mut self, moves: &mut MoveList) -> Result<(), AccelError>;

    /// The static evaluation for the mover.
    fn evaluate(&mut self) -> Result<i32, AccelError>;

    /// The search is about to take the child `index` of a list of which `rest`, not sorted, is left.
    fn look_ahead(&mut self, rest: &[Ranked], index: usize) -> Result<(), AccelError>;
}

/// The engine's own rules, with the evaluation kept up to date.
pub struct NativeBoard {
    path: GamePath,
    weights: Arc<Weights>,
    sums: Vec<Accumulator>,
}

impl NativeBoard {
    /// A board with this position.
    pub fn new(path: GamePath, weights: Arc<Weights>) -> NativeBoard {
        let sums = vec![Accumulator::new(&weights, path.position())];
        NativeBoard { path, weights, sums }
    }

    #[inline(always)]
    fn sum(&self) -> Accumulator {
        *self.sums.last().expect("there is one for the first position")
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
        let sum = self.sum().make(&self.weights, &mut self.path, mv, make);
        self.sums.push(sum);
    }

    #[inline(always)]
    fn pass(&mut self) {
        self.sums.push(self.sum());
        self.path.pass();
    }

    #[inline(always)]
    fn unmake(&mut self) {
        self.sums.pop();
        self.path.undo_move();
    }

    #[inline(always)]
    fn moves(&mut self, stage: Stage, moves: &mut MoveList) -> Result<(), AccelError> {
        self.path.stage_moves(stage, moves);
        Ok(())
    }

    #[inline(always)]
    fn checks(&mut self, moves: &mut MoveList) -> Result<(), AccelError> {
        self.path.position().checks(moves);
        Ok(())
    }

    #[inline(always)]
    fn evaluate(&mut self) -> Result<i32, AccelError> {
        let score = self.sum().score(&self.weights, self.path.side_to_move());
        #[cfg(debug_assertions)]
        {
            let image = hayasashi_accel::view::image(self.path.position());
            let model = self.weights.table().score(&hayasashi_model::position::Position::from(&image));
            assert_eq!(score, model as i32, "the score of {} and that of the model", self.path.to_sfen());
        }
        Ok(score)
    }

    #[inline(always)]
    fn look_ahead(&mut self, _: &[Ranked], _: usize) -> Result<(), AccelError> {
        Ok(())
    }
}

/// Moves and scores from a co-processor.
pub struct LinkedBoard<'a> {
    path: GamePath,
    source: &'a mut MoveSource,
}

impl LinkedBoard<'_> {
    /// A board with this position.
    pub fn new(path: GamePath, source: &mut MoveSource) -> LinkedBoard<'_> {
        LinkedBoard { path, source }
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

    fn moves(&mut self, stage: Stage, moves: &mut MoveList) -> Result<(), AccelError> {
        let pos = self.path.position();
        let wanted = |mv: Move| match stage {
            Stage::All => true,
            Stage::Captures => pos.captured_kind(mv) != 0,
            Stage::Quiets => pos.captured_kind(mv) == 0,
            Stage::Forcing => pos.is_forcing(mv),
        };
        self.source.for_each_legal(pos, &mut |mv| {
            if wanted(mv) {
                moves.push(mv);
            }
        })
    }

    fn checks(&mut self, moves: &mut MoveList) -> Result<(), AccelError> {
        let pos = self.path.position();
        self.source.for_each_legal(pos, &mut |mv| {
            if pos.gives_check(mv) {
                moves.push(mv);
            }
        })
    }

    fn evaluate(&mut self) -> Result<i32, AccelError> {
        self.source.evaluate(self.path.position())
    }

    fn look_ahead(&mut self, rest: &[Ranked], index: usize) -> Result<(), AccelError> {
        self.source.look_ahead(&mut self.path, rest, index)
    }
}
