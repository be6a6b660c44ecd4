//! How well random games by the learned probabilities predict the winner, compared with the static evaluation and short searches.
//!
//! `cargo bench -p hayasashi-engine --bench playouts -- --games RECORDS… [--positions N]`. The records are those of `learn eval`, with results.
//! From each of so many games a position between the 30th ply and the last but ten is drawn. Each method gives it a value from 0 to 1 for Black:
//!
//! * `static`, `search`: the logistic function of the score, of the evaluation and of alpha-beta at so many nodes
//! * `to the end`: the mean result of so many playouts, a move drawn by the probability of its category shared among the moves
//!   in it; a game without end after 200 plies is a draw
//! * `20 plies`: the mean of the logistic function of the static score where playouts of so many plies end
//!
//! What is told: the area under the curve (how often, of a position that Black won and one that White won, the first has the
//! greater value: 0.5 is chance), the correlation with the result, and the time of a position.

use hayasashi_accel::{open, BackendSpec};
use hayasashi_engine::Control;
use hayasashi_engine::{
    search::{
        accumulator::{Accumulator, Weights},
        GamePath, MoveSource, SearchLimits, Searcher,
    },
    statistics::{MoveTable, PositionContext, Refinements},
};
use hayasashi_model::evaluate::default_table;
use hayasashi_shogi::{
    random::Random,
    records::{self, GameResult},
    rules::{Color, Move, MoveList, Position},
};
use std::{path::PathBuf, sync::Arc, time::Instant};

/// Centipawns by which odds grow e-fold, as in `learn eval`.
const SCALE: f64 = 600.0;
/// A playout to the end is a draw after so many plies.
const LONGEST: usize = 200;

fn logistic(score: i32) -> f64 {
    1.0 / (1.0 + (-score as f64 / SCALE).exp())
}

/// A value for Black of one for the mover.
fn for_black(pos: &Position, value: f64) -> f64 {
    if pos.side_to_move() == Color::Black {
        value
    } else {
        1.0 - value
    }
}

struct Player {
    table: Arc<MoveTable>,
    weights: Weights,
    random: Random,
}

impl Player {
    /// A move drawn by the probabilities; `None` if there is none.
    fn draw(&mut self, path: &GamePath) -> Option<Move> {
        let context = PositionContext::new(path.position(), path.past().take(8));
        let mut legal = MoveList::new();
        path.legal_moves(&mut legal);
        let known = |&mv: &Move| (self.table.look_up(context.category(mv), context.phase, Refinements::ALL), mv);
        let mut moves: Vec<_> = legal.iter().map(known).collect();
        moves.sort_by_key(|(known, mv)| (known.category.key(), mv.bits()));
        let each = |group: &[(hayasashi_engine::statistics::table::MoveProbability, Move)]| {
            let cell = group[0].0.cell;
            cell.played.max(1) as f64 / cell.possible.max(1) as f64 / group.len() as f64
        };
        let groups: Vec<_> = moves.chunk_by(|a, b| a.0.category == b.0.category).collect();
        let all: f64 = groups.iter().map(|group| each(group) * group.len() as f64).sum();
        let mut left = self.random.next() as f64 / u64::MAX as f64 * all;
        for group in &groups {
            for &(_, mv) in *group {
                left -= each(group);
                if left <= 0.0 {
                    return Some(mv);
                }
            }
        }
        moves.last().map(|&(_, mv)| mv)
    }

    fn score(&self, pos: &Position) -> f64 {
        let score = Accumulator::new(&self.weights, pos).score(&self.weights, pos.side_to_move());
        for_black(pos, logistic(score))
    }

    /// The value at the end of a playout of at most so many plies; scored by the evaluation there, or a draw.
    fn playout(&mut self, start: &Position, plies: usize, scored: bool) -> f64 {
        let mut path = GamePath::new(start.clone());
        for _ in 0..plies {
            match self.draw(&path) {
                Some(mv) => path.do_move(mv),
                None => return for_black(path.position(), 0.0),
            }
        }
        if scored {
            self.score(path.position())
        } else {
            0.5
        }
    }

    fn playouts(&mut self, start: &Position, count: usize, plies: usize, scored: bool) -> f64 {
        (0..count).map(|_| self.playout(start, plies, scored)).sum::<f64>() / count as f64
    }
}

/// Of pairs of a value and whether Black won: the area under the curve, and the correlation.
fn agreement(values: &[(f64, bool)]) -> (f64, f64) {
    let (mut right, mut pairs) = (0.0, 0.0);
    for &(won, _) in values.iter().filter(|v| v.1) {
        for &(lost, _) in values.iter().filter(|v| !v.1) {
            pairs += 1.0;
            right += if won > lost {
                1.0
            } else if won == lost {
                0.5
            } else {
                0.0
            };
        }
    }
    let n = values.len() as f64;
    let result = |won: bool| won as u8 as f64;
    let (a, b) = (values.iter().map(|v| v.0).sum::<f64>() / n, values.iter().map(|v| result(v.1)).sum::<f64>() / n);
    let sum = |f: &dyn Fn(f64, f64) -> f64| values.iter().map(|v| f(v.0 - a, result(v.1) - b)).sum::<f64>();
    (right / pairs, sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt())
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench").peekable();
    let (mut files, mut wanted) = (Vec::<PathBuf>::new(), 1000);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--games" => {
                while let Some(file) = arguments.next_if(|a| !a.starts_with("--")) {
                    files.push(file.into());
                }
            }
            "--positions" => wanted = arguments.next().and_then(|n| n.parse().ok()).expect("a number of positions"),
            other => panic!("`{other}` is no argument; hint: --games RECORDS… [--positions N]"),
        }
    }
    if files.is_empty() {
        return println!(
            "no records are named; hint: cargo bench -p hayasashi-engine --bench playouts -- --games RECORDS…"
        );
    }
    let games = records::read(&files, &mut |_| {}).expect("records").games;
    let mut random = Random::new(1, 1);
    let mut positions = Vec::new();
    let decided = games.iter().filter(|g| matches!(g.result, Some(GameResult::Black | GameResult::White)));
    let mut decided: Vec<_> = decided.filter(|g| g.moves.len() > 60).collect();
    random.shuffle(&mut decided);
    for game in decided.into_iter().take(wanted) {
        let mut pos = game.start.clone();
        let ply = 30 + random.below(game.moves.len() - 40);
        for &mv in &game.moves[..ply] {
            pos.do_move(mv);
        }
        positions.push((pos, game.result == Some(GameResult::Black)));
    }
    println!("{} positions of as many games\n", positions.len());
    println!("{:<28} {:>9} {:>12} {:>14}", "method", "area", "correlation", "us a position");
    let tell = |name: &str, value: &mut dyn FnMut(&Position) -> f64| {
        let begun = Instant::now();
        let values: Vec<_> = positions.iter().map(|(pos, won)| (value(pos), *won)).collect();
        let time = begun.elapsed().as_secs_f64() * 1e6 / positions.len() as f64;
        let (area, correlation) = agreement(&values);
        println!("{name:<28} {area:>9.3} {correlation:>12.3} {time:>14.1}");
    };
    let eval = Arc::new(default_table());
    let mut player = Player { table: MoveTable::built_in(), weights: Weights::new(eval.clone()), random };
    tell("static", &mut |pos| player.score(pos));
    let source = MoveSource::open(open(&BackendSpec::Model).expect("the model").chip, eval).expect("a source");
    let mut searcher = Searcher::new(source, 16);
    for nodes in [100, 1_000, 10_000] {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
        tell(&format!("search, {nodes} nodes"), &mut |pos| {
            let path = GamePath::new(pos.clone());
            let score = searcher.search(&path, &limits, &[], &Control::default(), &mut |_| {}).report.score;
            for_black(pos, logistic(score))
        });
    }
    for count in [1, 4, 16] {
        tell(&format!("{count} to the end"), &mut |pos| player.playouts(pos, count, LONGEST, false));
    }
    for count in [1, 4, 16] {
        tell(&format!("{count} of 20 plies"), &mut |pos| player.playouts(pos, count, 20, true));
    }
}
