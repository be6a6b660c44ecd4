//! The objectives: the loss of a game and its gradient.
//!
//! | method | loss of a position |
//! |---|---|
//! | Bonanza (Hoki 2006; Kaneko and Hoki 2011) | Σ over the moves not played of `ln(1 + exp((score − score of the move played) / T))`, each after a quiescence search |
//! | result (Buro 1995; Tesauro 1995 for self-play) | cross-entropy of `σ(score / K)` after a quiescence search and the target: the scores of deeper searches in the record, the game's result, or both blended |
//! | least squares (Legendre 1805; for evaluation Samuel 1967, Lee and Mahajan 1988) | `(1/2 + score / 2K − target)²` after a quiescence search; a win is worth K centipawns, and the target is linear in the deeper search's score too |
//! | TD(λ) (Sutton 1988; on quiet leaves Baxter, Tridgell and Weaver 2000) | cross-entropy of `σ(score / K)` after a quiescence search and the λ-return: the mean of the chances found later in the game and of its result, which count less by λ from ply to ply |

use super::{
    features::Features,
    quiescence::{leaf, QuiescenceSearch, LOST},
};
use hayasashi_engine::search::accumulator::Weights;
use hayasashi_shogi::{
    records::RecordedGame,
    rules::{Color, Move, MoveList, Position},
};
use std::fmt;

/// The loss that training minimises.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Objective {
    /// Moves: the record's move should score higher than all others.
    Bonanza {
        /// The temperature T in centipawns.
        temperature: f32,
    },
    /// Outcomes: the score should predict the result.
    Result {
        /// The scale K in centipawns.
        scale: f32,
        /// Weight of the game's result in the target; the rest is the weight of the scores of deeper searches.
        result: f32,
        /// Weight of the later scores of the game against the position's own ([`with_later`]).
        lambda: f32,
    },
    /// Outcomes by least squares: the score should be near what the game was worth.
    Squares {
        /// What a win is worth in centipawns, K.
        scale: f32,
        /// As for [`Objective::Result`].
        result: f32,
        /// As for [`Objective::Result`].
        lambda: f32,
    },
    /// Temporal differences: the score should predict the scores that follow, and the last one the result.
    Temporal {
        /// The scale K in centipawns.
        scale: f32,
        /// λ: 1 for the result alone, 0 for the next position's score alone.
        lambda: f32,
    },
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objective::Bonanza { temperature } => write!(f, "Bonanza, temperature {temperature}"),
            Objective::Result { scale, result, lambda } => {
                write!(f, "result, scale {scale}, blend {result}, lambda {lambda}")
            }
            Objective::Squares { scale, result, lambda } => {
                write!(f, "least squares, scale {scale}, blend {result}, lambda {lambda}")
            }
            Objective::Temporal { scale, lambda } => write!(f, "TD, scale {scale}, lambda {lambda}"),
        }
    }
}

/// Sums of losses and of move rankings over games.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct LossStats {
    /// Sum of the losses.
    pub loss: f64,
    /// Number of positions with a loss.
    pub positions: u64,
    /// Number of positions whose moves were ranked.
    pub ranked: u64,
    /// Positions where the record's move is ranked first.
    pub first: u64,
    /// Positions where it is among the first three.
    pub first_three: u64,
}

impl LossStats {
    /// Adds the sums of `other`.
    pub fn add(&mut self, other: &LossStats) {
        self.loss += other.loss;
        self.positions += other.positions;
        self.ranked += other.ranked;
        self.first += other.first;
        self.first_three += other.first_three;
    }

    /// Mean loss of a position.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.positions.max(1) as f64
    }

    /// Shares of the ranked positions where the record's move is first, and where it is among the first three.
    pub fn agreement(&self) -> [f64; 2] {
        [self.first, self.first_three].map(|n| n as f64 / self.ranked.max(1) as f64)
    }

    fn rank(&mut self, better: usize) {
        self.ranked += 1;
        self.first += (better == 0) as u64;
        self.first_three += (better < 3) as u64;
    }
}

/// Positions with larger absolute scores are decided and not used for training.
const MAX_ABS_SCORE: i16 = 2000;
/// Opening plies that are not used for training.
const OPENING_PLIES: usize = 8;
/// Moves that score this many temperatures below the record's move are ignored.
const MARGIN_TEMPERATURES: f32 = 8.0;
const INFINITE: i32 = 32_000;

/// The quiet leaf of a position, with the target of its score.
pub struct LabelledLeaf<'a> {
    /// Features of the leaf, for its side to move.
    pub features: &'a Features,
    /// Score by the weights, for the leaf's side to move.
    pub score: i32,
    /// Target chance of winning, for the leaf's side to move.
    pub target: f32,
}

/// Cross-entropy of a predicted chance and its target.
pub fn cross_entropy(chance: f32, goal: f32) -> f32 {
    -(goal * chance.max(1e-7).ln() + (1.0 - goal) * (1.0 - chance).max(1e-7).ln())
}

/// Computes losses and gradients of games with one set of weights.
pub struct LossEvaluator<'a> {
    quiescence: QuiescenceSearch<'a>,
    features: Features,
    siblings: Vec<(i32, Position)>,
}

impl<'a> LossEvaluator<'a> {
    /// An evaluator with these weights.
    pub fn new(weights: &'a Weights) -> LossEvaluator<'a> {
        LossEvaluator {
            quiescence: QuiescenceSearch::new(weights),
            features: Features::default(),
            siblings: Vec::new(),
        }
    }

    /// Adds a game's loss to `stats` and its gradient to `gradient`.
    pub fn game(&mut self, objective: &Objective, game: &RecordedGame, stats: &mut LossStats, gradient: &mut [f32]) {
        match *objective {
            Objective::Bonanza { temperature } => {
                let mut positions = game.positions();
                while let Some((pos, mv, ply)) = positions.next() {
                    if ply >= OPENING_PLIES {
                        self.moves(pos, mv, temperature, stats, gradient);
                    }
                }
            }
            Objective::Result { scale, result, lambda } => {
                let odds = |score: f32| sigmoid(score / scale);
                self.outcomes(&odds, [result, lambda], game, &mut |leaf| {
                    let chance = odds(leaf.score as f32);
                    stats.loss += cross_entropy(chance, leaf.target) as f64;
                    stats.positions += 1;
                    leaf.features.add((chance - leaf.target) / scale, gradient);
                });
            }
            Objective::Squares { scale, result, lambda } => {
                let points = |score: f32| 0.5 + score / (2.0 * scale);
                self.outcomes(&points, [result, lambda], game, &mut |leaf| {
                    let error = points(leaf.score as f32) - leaf.target;
                    stats.loss += (error * error) as f64;
                    stats.positions += 1;
                    leaf.features.add(error / scale, gradient);
                });
            }
            Objective::Temporal { scale, lambda } => self.temporal(scale, lambda, game, stats, gradient),
        }
    }

    /// Calls `each` with the quiet leaf of each position of a game that has a target. `points` of a score are what it says of the
    /// result: 1 for a win, 0 for a loss. `result` and `lambda` are those of [`Objective::Result`].
    pub fn outcomes(
        &mut self,
        points: &dyn Fn(f32) -> f32,
        [result, lambda]: [f32; 2],
        game: &RecordedGame,
        each: &mut dyn FnMut(LabelledLeaf),
    ) {
        let targets = with_later(&game.scores, points, lambda);
        let mut positions = game.positions();
        while let Some((pos, _, ply)) = positions.next() {
            let recorded = game.scores.get(ply).copied().flatten();
            let ended = game.result.map(|r| r.points(pos.side_to_move()));
            let searched = targets.get(ply).copied().flatten();
            let Some(target) = blended(ended, searched, result) else { continue };
            if ply < OPENING_PLIES || recorded.is_some_and(|s| s.abs() > MAX_ABS_SCORE) {
                continue;
            }
            if let Some((score, own)) = self.quiet(pos) {
                let (score, target) = if own { (score, target) } else { (-score, 1.0 - target) };
                each(LabelledLeaf { features: &self.features, score, target });
            }
        }
    }

    /// Reads the features of a position's quiet leaf, unless it is a mate. Returns the score for the side to move of the position,
    /// and whether it is the leaf's side to move.
    fn quiet(&mut self, pos: &Position) -> Option<(i32, bool)> {
        let (score, line) = self.quiescence.search(pos, -INFINITE, INFINITE);
        let own = line.len().is_multiple_of(2);
        (score.abs() <= -LOST - 100).then(|| {
            self.features.read(&leaf(pos, line));
            (score, own)
        })
    }

    fn temporal(&mut self, scale: f32, lambda: f32, game: &RecordedGame, stats: &mut LossStats, gradient: &mut [f32]) {
        let Some(result) = game.result else { return };
        // Chances of Black, and leaves with whether Black moves there.
        let (mut chances, mut leaves) = (Vec::new(), Vec::new());
        let mut positions = game.positions();
        while let Some((pos, _, ply)) = positions.next() {
            if ply < OPENING_PLIES {
                continue;
            }
            if let Some((score, own)) = self.quiet(pos) {
                let black = pos.side_to_move() == Color::Black;
                let chance = sigmoid(score as f32 / scale);
                chances.push(if black { chance } else { 1.0 - chance });
                leaves.push((self.features.clone(), own == black));
            }
        }
        let targets = returns(&chances, result.points(Color::Black), lambda);
        for ((features, black), (chance, target)) in leaves.iter().zip(chances.iter().zip(targets)) {
            stats.loss += cross_entropy(*chance, target) as f64;
            stats.positions += 1;
            let slope = (chance - target) / scale;
            features.add(if *black { slope } else { -slope }, gradient);
        }
    }

    fn moves(&mut self, pos: &Position, played: Move, temperature: f32, stats: &mut LossStats, gradient: &mut [f32]) {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        if moves.len() < 2 {
            return;
        }
        let mut child = pos.clone();
        let mut score = |quiescence: &mut QuiescenceSearch, mv: Move, least: i32| {
            let undo = child.do_move(mv);
            let (score, line) = quiescence.search(&child, -INFINITE, -least);
            let leaf = leaf(&child, line);
            child.undo_move(mv, undo);
            (-score, leaf)
        };
        let (played_score, played_leaf) = score(&mut self.quiescence, played, -INFINITE);
        if played_score.abs() > -LOST - 100 {
            return;
        }
        let least = played_score - (MARGIN_TEMPERATURES * temperature) as i32;
        self.siblings.clear();
        let mut better = 0;
        for &mv in moves.iter().filter(|&&mv| mv != played) {
            let (score, leaf) = score(&mut self.quiescence, mv, least);
            better += (score > played_score) as usize;
            if score > least && score < -LOST - 100 {
                self.siblings.push((score, leaf));
            }
        }
        stats.rank(better);
        stats.positions += 1;
        let mut sum = 0.0;
        for (score, leaf) in &self.siblings {
            let x = (score - played_score) as f32 / temperature;
            stats.loss += if x > 20.0 { x } else { x.exp().ln_1p() } as f64;
            let slope = sigmoid(x) / temperature;
            sum += slope;
            self.features.read(leaf);
            let own = leaf.side_to_move() == pos.side_to_move();
            self.features.add(if own { slope } else { -slope }, gradient);
        }
        self.features.read(&played_leaf);
        let own = played_leaf.side_to_move() == pos.side_to_move();
        self.features.add(if own { -sum } else { sum }, gradient);
    }

    /// Ranks the record's move in every `step`-th position, by the weights or, if given, by `value` of the quiet leaves.
    pub fn agreement(&mut self, game: &RecordedGame, step: usize, stats: &mut LossStats) {
        let mut positions = game.positions();
        while let Some((pos, played, ply)) = positions.next() {
            if ply < OPENING_PLIES || !ply.is_multiple_of(step) {
                continue;
            }
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            let mut child = pos.clone();
            let mut score = |mv: Move, least: i32| {
                let undo = child.do_move(mv);
                let (score, _) = self.quiescence.search(&child, -INFINITE, -least);
                child.undo_move(mv, undo);
                -score
            };
            let played_score = score(played, -INFINITE);
            let better = |&&mv: &&Move| mv != played && score(mv, played_score) > played_score;
            stats.rank(moves.iter().filter(better).count());
        }
    }
}

/// The λ-return of each of these chances: what should have been predicted, given the chances that follow and the result.
pub fn returns(chances: &[f32], result: f32, lambda: f32) -> Vec<f32> {
    let mut next = result;
    let back = |chance: &f32| {
        let target = next;
        next = lambda * next + (1.0 - lambda) * chance;
        target
    };
    let mut targets: Vec<f32> = chances.iter().rev().map(back).collect();
    targets.reverse();
    targets
}

/// The target from what the result says and what the scores say, where `result` is the result's weight; `None` without either.
pub fn blended(ended: Option<f32>, searched: Option<f32>, result: f32) -> Option<f32> {
    match (ended, searched) {
        (Some(ended), Some(searched)) => Some(result * ended + (1.0 - result) * searched),
        _ => ended.or(searched),
    }
}

/// What each score of a game says of the result for its mover, by `points`, together with the scores after it: each of them counts
/// less by λ than the one before it.
pub fn with_later(scores: &[Option<i16>], points: &dyn Fn(f32) -> f32, lambda: f32) -> Vec<Option<f32>> {
    let mut later = None;
    let back = |score: &Option<i16>| {
        later = later.map(|points: f32| 1.0 - points);
        let own = points((*score)? as f32);
        later = Some(later.map_or(own, |later| lambda * later + (1.0 - lambda) * own));
        later
    };
    let mut targets: Vec<_> = scores.iter().rev().map(back).collect();
    targets.reverse();
    targets
}

/// `1 / (1 + exp(−x))`.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
