//! Alpha-beta without any pruning or ordering, over the rules and the model's evaluation: what `SEARCH` must find where every
//! technique that prunes is switched off.

use hayasashi_accel::view;
use hayasashi_model::{evaluate::EvalTable, position::Position as ModelPosition};
use hayasashi_shogi::rules::{Move, MoveList, Position};
use hayasashi_spec::search::{MATE, PERPETUAL};

/// Plies of quiescence.
const QUIESCENCE: u32 = 4;

/// The oracle: a table, and whether leaves have quiescence.
pub struct Oracle<'a> {
    /// The evaluation.
    pub table: &'a EvalTable,
    /// Captures, promotions and evasions after the last ply.
    pub quiescence: bool,
    /// Value of a draw for the mover at the root.
    pub draw: i32,
    /// Positions visited.
    pub visited: u64,
    /// Keys of the game and the line, and whether the mover was in check.
    path: Vec<(u64, bool)>,
}

impl<'a> Oracle<'a> {
    /// An oracle of a game that has gone through these positions.
    pub fn new(table: &'a EvalTable, quiescence: bool, game: &[Position]) -> Oracle<'a> {
        let path = game.iter().map(|pos| (pos.key(), pos.in_check())).collect();
        Oracle { table, quiescence, draw: 0, visited: 0, path }
    }

    /// The value of a position for its mover.
    pub fn value(&mut self, pos: &Position, depth: u32) -> i32 {
        self.path.push((pos.key(), pos.in_check()));
        let value = self.moves(pos, depth, -40_000, 40_000, 0, None);
        self.path.pop();
        value
    }

    fn eval(&self, pos: &Position) -> i32 {
        self.table.score(&ModelPosition::from(&view::image(pos))) as i32
    }

    fn node(&mut self, pos: &Position, depth: u32, alpha: i32, beta: i32, ply: i32, quiet: u32) -> i32 {
        self.visited += 1;
        self.path.push((pos.key(), pos.in_check()));
        let value = match self.repeated() {
            Some(0) => [self.draw, -self.draw][ply as usize % 2],
            Some(sign) => sign * PERPETUAL as i32,
            None => self.entered(pos, depth, alpha, beta, ply, quiet),
        };
        self.path.pop();
        value
    }

    /// 1 for a win of the side to move by repetition, -1 for a loss, 0 for a draw.
    fn repeated(&self) -> Option<i32> {
        let last = self.path.len() - 1;
        let first = (0..last)
            .rev()
            .find(|&at| at + 4 <= last && (last - at).is_multiple_of(2) && self.path[at].0 == self.path[last].0)?;
        // A position's check was given by the other side's last move.
        let all = |from: usize| (from..=last).rev().step_by(2).all(|at| self.path[at].1);
        let (opponent, mover) = (all(first + 2), (first + 1..last).step_by(2).all(|at| self.path[at].1));
        Some(match (mover, opponent) {
            (true, false) => -1,
            (false, true) => 1,
            _ => 0,
        })
    }

    fn entered(&mut self, pos: &Position, depth: u32, alpha: i32, beta: i32, ply: i32, quiet: u32) -> i32 {
        if !pos.has_legal_move() {
            return -(MATE as i32) + ply;
        }
        if depth > 0 {
            return self.moves(pos, depth, alpha, beta, ply, None);
        }
        let eval = self.eval(pos);
        if !self.quiescence || quiet >= QUIESCENCE {
            return eval;
        }
        if pos.in_check() {
            return self.moves(pos, 0, alpha, beta, ply, Some(quiet));
        }
        if eval >= beta {
            return eval;
        }
        eval.max(self.moves(pos, 0, alpha.max(eval), beta, ply, Some(quiet)))
    }

    /// The best value over the moves; `quiet` is the ply of quiescence.
    fn moves(&mut self, pos: &Position, depth: u32, mut alpha: i32, beta: i32, ply: i32, quiet: Option<u32>) -> i32 {
        let mut list = MoveList::new();
        pos.legal_moves(&mut list);
        let forcing = |mv: &Move| pos.captured_kind(*mv) != 0 || mv.is_promotion();
        let only_forcing = quiet.is_some() && !pos.in_check();
        let mut best = if only_forcing { -40_000 } else { -(MATE as i32) + ply };
        let mut moves: Vec<Move> = list.iter().copied().filter(|mv| !only_forcing || forcing(mv)).collect();
        moves.sort_by_key(|mv| !forcing(mv));
        for mv in moves {
            let mut after = pos.clone();
            after.do_move(mv);
            let next = quiet.map_or(0, |quiet| quiet + 1);
            let value = -self.node(&after, depth.saturating_sub(1), -beta, -alpha, ply + 1, next);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
