//! What is minimised: the loss of a game, and its slope in each parameter.
//!
//! | method | loss of a position |
//! |---|---|
//! | Bonanza (Hoki 2006; Kaneko and Hoki 2011) | Σ over the moves not played of `ln(1 + exp((score − score of the move played) / T))`, each after a quiescence search |
//! | result (Buro 1995; Tesauro 1995 for self-play) | cross-entropy of `σ(score / K)` after a quiescence search and what the game told: its result, blended with the score of a deeper search where the record has one |

use super::{
    features::Features,
    neural::loss,
    quiet::{leaf, Quiet, LOST},
};
use hayasashi_engine::search::accumulator::Weights;
use hayasashi_shogi::{
    records::RecordedGame,
    rules::{Move, MoveList, Position},
};

/// How scores are judged.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Objective {
    /// Moves: the record's move ought to be better than the others.
    Bonanza {
        /// Centipawns of difference that count e-fold, T.
        temperature: f32,
    },
    /// Outcomes: the score ought to tell how the game goes on.
    Result {
        /// Centipawns of `σ(1)`, K.
        scale: f32,
        /// Part of the game's result in what is aimed at; the rest is the deeper search's score.
        result: f32,
    },
}

/// Loss and agreement over games.
#[derive(Clone, Copy, Default, Debug, PartialEq)]
pub struct Tally {
    /// Sum of the losses.
    pub loss: f64,
    /// Positions that had a loss.
    pub positions: u64,
    /// Positions whose moves were ranked.
    pub ranked: u64,
    /// Where the record's move is ranked first.
    pub first: u64,
    /// Where it is among the first three.
    pub first_three: u64,
}

impl Tally {
    /// Adds another's.
    pub fn add(&mut self, other: &Tally) {
        self.loss += other.loss;
        self.positions += other.positions;
        self.ranked += other.ranked;
        self.first += other.first;
        self.first_three += other.first_three;
    }

    /// Loss of a position.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.positions.max(1) as f64
    }

    /// Parts of the ranked positions where the record's move is first, and among the first three.
    pub fn agreement(&self) -> [f64; 2] {
        [self.first, self.first_three].map(|n| n as f64 / self.ranked.max(1) as f64)
    }

    fn rank(&mut self, better: usize) {
        self.ranked += 1;
        self.first += (better == 0) as u64;
        self.first_three += (better < 3) as u64;
    }
}

/// Scores beyond this are won and lost games: there is nothing to learn for a static evaluation.
const DECIDED: i16 = 2000;
/// Opening moves of a record that are theory more than judgement.
const OPENING_PLIES: usize = 8;
/// Siblings so many temperatures below the move played do not matter.
const FAR: f32 = 8.0;
const INFINITE: i32 = 32_000;

/// What a quiet position is worth by another evaluation, for its mover.
pub type Value<'a> = &'a mut dyn FnMut(&Features) -> f32;

/// The quiet leaf of a position that tells an outcome.
pub struct Leaf<'a> {
    /// Of the leaf, for its mover.
    pub features: &'a Features,
    /// By the weights, for the leaf's mover.
    pub score: i32,
    /// Chance of winning that is aimed at, for the leaf's mover.
    pub goal: f32,
}

/// Goes through games with one set of weights.
pub struct Judge<'a> {
    quiet: Quiet<'a>,
    features: Features,
    siblings: Vec<(i32, Position)>,
}

impl<'a> Judge<'a> {
    /// With these weights.
    pub fn new(weights: &'a Weights) -> Judge<'a> {
        Judge { quiet: Quiet::new(weights), features: Features::default(), siblings: Vec::new() }
    }

    /// Adds a game's loss, and its slopes to `gradient`.
    pub fn game(&mut self, objective: &Objective, game: &RecordedGame, tally: &mut Tally, gradient: &mut [f32]) {
        match *objective {
            Objective::Bonanza { temperature } => {
                let mut positions = game.positions();
                while let Some((pos, mv, ply)) = positions.next() {
                    if ply >= OPENING_PLIES {
                        self.moves(pos, mv, temperature, tally, gradient);
                    }
                }
            }
            Objective::Result { scale, result } => self.outcomes(scale, result, game, &mut |leaf| {
                let chance = sigmoid(leaf.score as f32 / scale);
                tally.loss += loss(chance, leaf.goal) as f64;
                tally.positions += 1;
                leaf.features.add((chance - leaf.goal) / scale, gradient);
            }),
        }
    }

    /// Calls `each` with the quiet leaf of each position of a game that tells an outcome.
    pub fn outcomes(&mut self, scale: f32, result: f32, game: &RecordedGame, each: &mut dyn FnMut(Leaf)) {
        let mut positions = game.positions();
        while let Some((pos, _, ply)) = positions.next() {
            let told = game.scores.get(ply).copied().flatten();
            let points = game.result.map(|r| r.points(pos.side_to_move()));
            let searched = told.map(|s| sigmoid(s as f32 / scale));
            let goal = match (points, searched) {
                (Some(points), Some(searched)) => result * points + (1.0 - result) * searched,
                (Some(points), None) => points,
                (None, Some(searched)) => searched,
                (None, None) => continue,
            };
            if ply < OPENING_PLIES || told.is_some_and(|s| s.abs() > DECIDED) {
                continue;
            }
            let (score, line) = self.quiet.search(pos, -INFINITE, INFINITE);
            if score.abs() <= -LOST - 100 {
                let own = line.len().is_multiple_of(2);
                self.features.read(&leaf(pos, line));
                let (score, goal) = if own { (score, goal) } else { (-score, 1.0 - goal) };
                each(Leaf { features: &self.features, score, goal });
            }
        }
    }

    fn moves(&mut self, pos: &Position, played: Move, temperature: f32, tally: &mut Tally, gradient: &mut [f32]) {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        if moves.len() < 2 {
            return;
        }
        let mut child = pos.clone();
        let mut score = |quiet: &mut Quiet, mv: Move, least: i32| {
            let undo = child.do_move(mv);
            let (score, line) = quiet.search(&child, -INFINITE, -least);
            let leaf = leaf(&child, line);
            child.undo_move(mv, undo);
            (-score, leaf)
        };
        let (target, target_leaf) = score(&mut self.quiet, played, -INFINITE);
        if target.abs() > -LOST - 100 {
            return;
        }
        let least = target - (FAR * temperature) as i32;
        self.siblings.clear();
        let mut better = 0;
        for &mv in moves.iter().filter(|&&mv| mv != played) {
            let (score, leaf) = score(&mut self.quiet, mv, least);
            better += (score > target) as usize;
            if score > least && score < -LOST - 100 {
                self.siblings.push((score, leaf));
            }
        }
        tally.rank(better);
        tally.positions += 1;
        let mut sum = 0.0;
        for (score, leaf) in &self.siblings {
            let x = (score - target) as f32 / temperature;
            tally.loss += if x > 20.0 { x } else { x.exp().ln_1p() } as f64;
            let slope = sigmoid(x) / temperature;
            sum += slope;
            self.features.read(leaf);
            let own = leaf.side_to_move() == pos.side_to_move();
            self.features.add(if own { slope } else { -slope }, gradient);
        }
        self.features.read(&target_leaf);
        let own = target_leaf.side_to_move() == pos.side_to_move();
        self.features.add(if own { -sum } else { sum }, gradient);
    }

    /// Ranks the record's moves in every `step`-th position, by the weights or else by what `value` says of the leaves,
    /// for their movers.
    pub fn agreement(&mut self, game: &RecordedGame, step: usize, tally: &mut Tally, mut value: Option<Value>) {
        let mut positions = game.positions();
        while let Some((pos, played, ply)) = positions.next() {
            if ply < OPENING_PLIES || !ply.is_multiple_of(step) {
                continue;
            }
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            let mut child = pos.clone();
            let mut score = |mv: Move, least: f32| {
                let undo = child.do_move(mv);
                let beta = if value.is_none() { -least as i32 } else { INFINITE };
                let (score, line) = self.quiet.search(&child, -INFINITE, beta);
                let mut score = -score as f32;
                if let (Some(value), true) = (&mut value, score.abs() < -LOST as f32 - 100.0) {
                    self.features.read(&leaf(&child, line));
                    let leaf = value(&self.features);
                    score = if line.len().is_multiple_of(2) { -leaf } else { leaf };
                }
                child.undo_move(mv, undo);
                score
            };
            let target = score(played, -INFINITE as f32);
            let better = |&&mv: &&Move| mv != played && score(mv, target) > target;
            tally.rank(moves.iter().filter(better).count());
        }
    }
}

/// `1 / (1 + exp(−x))`.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}
