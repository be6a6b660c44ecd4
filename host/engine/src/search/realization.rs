//! Realization-probability search (Tsuruoka, Yokoyama, Maruyama and Chikayama, 2001). A line is searched as long as it
//! is probable that its moves are played, instead of for a number of plies. The budget of a node is a logarithm of
//! probability in parts of [`HALVING`]; each move subtracts its cost, and each iteration starts with one halving more.
//!
//! Move ordering, windows, table, repetition and limits are those of alpha-beta. The rules at the leaves are those of
//! TACOS (Taketoshi and others, 2002): moves that lose material are not made if the next node is a leaf; a leaf in
//! check is searched one ply further; the score of a leaf is the static evaluation plus the mover's best exchange.
//! Without the heuristic `ExchangeLeaves`, quiescence replaces the last two rules.

use super::{
    alpha_beta::{settles, TriedMoves},
    board::SearchBoard,
    parameters::ONE_PLY,
    picker::{MoveSelection, Picker},
    score::{from_table, to_table, INFINITE, LONGEST_MATE, MATE},
    transposition::{Bound, Entry},
    tree::{Tree, NO_EVAL},
};
use crate::statistics::{category::Gain, logarithm::HALVING, PositionContext, Refinements};
use crate::PIECE_VALUES;
use hayasashi_shogi::rules::{CheckSquares, Move, MoveList, Stage};

/// A search algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Alpha-beta; depth in plies.
    #[default]
    AlphaBeta,
    /// Realization-probability search; depth in halvings.
    Realization,
    /// Best-first search by realization probabilities from values ([`super::best_first`]).
    Softmax,
    /// Best-first search by upper confidence bounds.
    MonteCarlo,
    /// The co-processor's own search.
    Chip,
}

impl Algorithm {
    /// All algorithms with their names.
    pub const NAMES: [(&'static str, Algorithm); 5] = [
        ("alpha-beta", Algorithm::AlphaBeta),
        ("realization-probability", Algorithm::Realization),
        ("softmax", Algorithm::Softmax),
        ("monte-carlo", Algorithm::MonteCarlo),
        ("chip", Algorithm::Chip),
    ];

    /// Whether the algorithm keeps a tree in memory.
    pub fn is_best_first(self) -> bool {
        matches!(self, Algorithm::Softmax | Algorithm::MonteCarlo)
    }
}

/// Least cost of a move, a probability of 71 %, so that every line ends.
const MIN_COST: i32 = HALVING / 2;
/// Greatest cost of a move that came out better than its siblings: a probability of 25 %.
const PROVEN_COST: i32 = 2 * HALVING;
/// Halvings that count as one ply where depth is in plies.
const HALVINGS_PER_PLY: i32 = 3;

/// Cost of a move whose reduction in alpha-beta does not change: a probability of 3 %.
const USUAL_COST: i32 = 5 * HALVING;
/// Difference of cost that changes a reduction by one ply.
const COST_PER_PLY: i32 = 4 * HALVING;

/// Moves searched at a node of this ply with [`super::Techniques::width_limits`].
fn width(ply: usize) -> usize {
    match ply {
        0 | 1 => usize::MAX,
        2 | 3 => 50,
        _ => 10,
    }
}

/// The state of a node between its children.
pub(super) struct SiblingState {
    pub alpha: i32,
    beta: i32,
    budget: i32,
    /// The best move of an earlier search; it is searched first.
    proven: Move,
    first: bool,
}

impl SiblingState {
    /// The state before the first child.
    pub fn new(alpha: i32, beta: i32, budget: i32, proven: Move) -> SiblingState {
        SiblingState { alpha, beta, budget, proven, first: true }
    }
}

impl<B: SearchBoard> Tree<'_, B> {
    /// The context of the position for the categories of its moves.
    pub(super) fn context(&self) -> PositionContext {
        PositionContext::new(self.position(), self.board.path().past())
    }

    /// The refinements of categories that are switched on.
    pub(super) fn switches(&self) -> Refinements {
        let techniques = &self.techniques;
        Refinements {
            phases: techniques.phase_categories,
            possibility: techniques.possibility_analyser,
            history: techniques.history_analyser,
        }
    }

    /// The cost of a child, and whether its move loses material.
    pub(super) fn child_cost(&self, children: &SiblingState, context: &PositionContext, mv: Move) -> (i32, bool) {
        let (cost, loses) = self.cost(context, mv);
        (if mv == children.proven { cost.min(PROVEN_COST) } else { cost }, loses)
    }

    /// The cost of a move by its category, and whether it loses material.
    pub(super) fn cost(&self, context: &PositionContext, mv: Move) -> (i32, bool) {
        let category = context.category(mv);
        let loses = category.gain.is_some_and(|gain| (gain as u8) < Gain::Even as u8);
        if self.techniques.uniform_costs {
            return (HALVING, loses);
        }
        let known = self.shared.moves.look_up(category, context.phase, self.switches());
        (known.cost.max(MIN_COST), loses)
    }

    /// The change of the reduction of a move in alpha-beta, in parts of a ply; negative for a probable move.
    pub(super) fn cost_reduction(&self, context: &PositionContext, mv: Move) -> i32 {
        let (cost, _) = self.cost(context, mv);
        ((cost - USUAL_COST) * ONE_PLY / COST_PER_PLY).clamp(-ONE_PLY, ONE_PLY)
    }

    /// The score, for the mover, of a child at `ply` whose move of this cost has been made. An improbable move that
    /// comes out better than its siblings is searched again at [`PROVEN_COST`].
    pub(super) fn realize_child<const PV: bool>(&mut self, children: &mut SiblingState, cost: i32, ply: usize) -> i32 {
        let &mut SiblingState { alpha, beta, budget, .. } = children;
        let first = std::mem::replace(&mut children.first, false);
        if PV && first {
            return -self.realize::<true>(-beta, -alpha, budget - cost, ply);
        }
        let mut score = -self.realize::<false>(-alpha - 1, -alpha, budget - cost, ply);
        let again = budget - cost.min(PROVEN_COST);
        if score > alpha && cost > PROVEN_COST && !self.aborted {
            score = -self.realize::<false>(-alpha - 1, -alpha, again, ply);
        }
        if PV && score > alpha && score < beta && !self.aborted {
            score = -self.realize::<true>(-beta, -alpha, again, ply);
        }
        score
    }

    /// The score of the position for its mover within (`alpha`, `beta`) with this budget. `PV` means an open window.
    pub fn realize<const PV: bool>(&mut self, mut alpha: i32, mut beta: i32, budget: i32, ply: usize) -> i32 {
        let in_check = self.frame(ply).in_check;
        if budget < 0 && !(in_check && self.techniques.exchange_leaves) {
            return self.leaf::<PV>(alpha, beta, ply);
        }
        if let Some(score) = self.enter(ply).or_else(|| self.bound_by_rules(&mut alpha, &mut beta, ply)) {
            return score;
        }
        let key = self.position().key();
        let known = self.shared.table.get(key);
        // Quiescence has depth 0.
        let depth = (budget.max(-1) / HALVING + (budget >= 0) as i32) as i8;
        if let (Some(entry), false) = (known, PV || !self.techniques.table_cuts) {
            let score = from_table(entry.score, ply);
            if entry.depth >= depth && settles(entry.bound, score, alpha, beta) {
                return score;
            }
        }
        let eval = self.static_eval(known, in_check, key, ply);
        if self.aborted {
            return 0;
        }
        if let Some(score) = (!PV && !in_check).then(|| self.mate_in_one(known, ply)).flatten() {
            return score;
        }
        let begin = self.moves.len();
        let table = known.map_or(Move::NONE, |e| e.best);
        let (score, best) = self.realize_moves::<PV>(SiblingState::new(alpha, beta, budget, table), eval, ply);
        self.moves.truncate(begin);
        if self.aborted {
            return 0;
        }
        let bound = match score {
            s if s >= beta => Bound::Lower,
            s if PV && s > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        let stored = self.frame(ply).eval;
        let eval = (stored != NO_EVAL).then_some(stored as i16);
        self.shared.table.put(key, Entry { best, score: to_table(score, ply), eval, depth, bound, open: PV });
        score
    }

    /// Searches the moves of a node: the best score, and the move that raised alpha, if any.
    fn realize_moves<const PV: bool>(&mut self, mut children: SiblingState, eval: i32, ply: usize) -> (i32, Move) {
        let in_check = self.frame(ply).in_check;
        let killers = if self.techniques.killers { self.frame(ply).killers } else { [Move::NONE; 2] };
        self.frame(ply + 2).killers = [Move::NONE; 2];
        let squares = CheckSquares::new(self.position());
        let wanted = if in_check { MoveSelection::Evasions } else { MoveSelection::All };
        let mut picker = Picker::new(wanted, children.proven, killers, self.moves.len());
        let context = self.context();
        let mated = -MATE + ply as i32;
        let mut room = if self.techniques.width_limits { width(ply) } else { usize::MAX };
        let moved_to = self.frame(ply - 1).mv.to();
        let (mut best, mut best_move) = (mated, Move::NONE);
        let (mut quiets, mut captures) = (TriedMoves::new(), TriedMoves::new());
        while let Some(mv) = self.next(&mut picker, ply, &squares) {
            if room == 0 && best > -LONGEST_MATE && mv.to() != moved_to {
                continue;
            }
            room = room.saturating_sub(1);
            self.prefetch(mv);
            let checks = squares.gives_check(self.position(), mv);
            let forcing = self.position().is_forcing(mv);
            let (cost, loses) = self.child_cost(&children, &context, mv);
            let is_leaf = children.budget < cost;
            if is_leaf && best > -LONGEST_MATE && !in_check {
                if loses {
                    continue;
                }
                let most = eval.saturating_add(self.parameters.futility_margin(0));
                if self.techniques.futility && !forcing && !checks && most <= children.alpha {
                    best = best.max(most);
                    continue;
                }
            }
            self.make(ply, mv, checks);
            let score = self.realize_child::<PV>(&mut children, cost, ply + 1);
            self.board.unmake();
            if self.aborted {
                return (0, Move::NONE);
            }
            if score > best {
                best = score;
                if score > children.alpha {
                    best_move = mv;
                    if PV {
                        self.update_pv(ply, mv);
                    }
                    if score >= children.beta {
                        let depth = children.budget.max(0) / (HALVINGS_PER_PLY * HALVING) + 1;
                        self.learn(ply, depth, mv, quiets.as_slice(), captures.as_slice());
                        break;
                    }
                    children.alpha = score;
                }
            }
            if forcing {
                captures.push(mv);
            } else {
                quiets.push(mv);
            }
        }
        (best.max(mated).min(INFINITE), best_move)
    }

    /// The score of a leaf.
    fn leaf<const PV: bool>(&mut self, alpha: i32, beta: i32, ply: usize) -> i32 {
        if !self.techniques.exchange_leaves {
            return self.quiescence::<PV>(alpha, beta, 0, ply);
        }
        if let Some(score) = self.enter(ply) {
            return score;
        }
        let eval = self.evaluate();
        self.frame(ply).eval = eval;
        match eval >= beta || self.aborted {
            true => eval,
            false => eval + self.greatest_exchange(),
        }
    }

    /// The greatest gain of an exchange that the mover can start; 0 if there is none.
    fn greatest_exchange(&mut self) -> i32 {
        let mut moves = MoveList::new();
        self.board.moves(Stage::Forcing, &mut moves);
        let pos = self.position();
        let reaches = |mv, gain| pos.exchange_reaches(mv, gain, &PIECE_VALUES);
        moves.iter().fold(0, |best, &mv| {
            if !reaches(mv, best + 1) {
                return best;
            }
            // An exchange gains at most what its first move captures.
            let (mut least, mut most) = (best + 1, pos.gain(mv, &PIECE_VALUES));
            while least < most {
                let middle = (least + most + 1) / 2;
                match reaches(mv, middle) {
                    true => least = middle,
                    false => most = middle - 1,
                }
            }
            least
        })
    }
}
