//! Positions per second of the software co-processor on one core: `cargo bench -p hayasashi-model --bench model`.

use hayasashi_model::evaluate::first_table;
use hayasashi_model::movegen::{count, generate, make_move};
use hayasashi_model::position::Position;
use hayasashi_model::Model;
use hayasashi_spec::position::PositionImage;
use proptest::prelude::RngExt;
use proptest::test_runner::{RngAlgorithm, TestRng};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of positions; all are reached from the initial position by random moves.
const POSITIONS: usize = 4096;
/// Duration of each measurement.
const TIME: Duration = Duration::from_millis(700);

/// The initial position in the mover's view.
fn start() -> Position {
    let mut p = Position::default();
    for file in 0..9 {
        let back = [2, 3, 4, 5, 8, 5, 4, 3, 2][file];
        for (rank, kind) in [(8, back), (6, 1)] {
            p.set_piece(9 * file + rank, kind);
            p.set_piece(80 - (9 * file + rank), kind | 16);
        }
    }
    for (square, code) in [(9 + 7, 7), (63 + 7, 6)] {
        p.set_piece(square, code);
        p.set_piece(80 - square, code | 16);
    }
    p
}

/// Positions of random games, of every length up to 160 plies.
fn sample() -> Vec<Position> {
    let mut random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut random = |n: usize| random.random_range(0..n);
    let (mut out, mut moves) = (Vec::new(), Vec::new());
    while out.len() < POSITIONS {
        let mut p = start();
        for _ in 0..160 {
            moves.clear();
            generate(&p, &mut moves);
            if moves.is_empty() {
                break;
            }
            p = make_move(&p, moves[random(moves.len())].mv);
            if random(8) == 0 {
                out.push(p);
            }
        }
    }
    out.truncate(POSITIONS);
    out
}

fn measure(name: &str, positions: usize, mut pass: impl FnMut()) {
    pass();
    let (start, mut passes) = (Instant::now(), 0);
    while start.elapsed() < TIME {
        pass();
        passes += 1;
    }
    let rate = (passes * positions) as f64 / start.elapsed().as_secs_f64();
    println!("{name:34} {:8.3} M/s  {:7.1} ns", rate / 1e6, 1e9 / rate);
}

fn perft(p: &Position, depth: u32) -> usize {
    if depth == 1 {
        return count(p).moves as usize;
    }
    let mut moves = Vec::with_capacity(128);
    generate(p, &mut moves);
    moves.iter().map(|record| perft(&make_move(p, record.mv), depth - 1)).sum()
}

fn main() {
    let positions = sample();
    let images: Vec<PositionImage> = positions.iter().map(PositionImage::from).collect();
    let table = Arc::new(first_table());
    let model = Model::with_evaluation(table.clone());
    let n = positions.len();

    let per_position = positions.iter().map(|p| count(p).moves as usize).sum::<usize>() as f64 / n as f64;
    println!("{n} positions of random games, {per_position:.1} legal moves each");
    measure("read image", n, || {
        for i in &images {
            black_box(Position::from(black_box(i)));
        }
    });
    measure("faults", n, || {
        for p in &positions {
            black_box(black_box(p).faults());
        }
    });
    measure("count", n, || {
        for p in &positions {
            black_box(count(black_box(p)));
        }
    });
    let mut moves = Vec::with_capacity(1024);
    measure("generate", n, || {
        for p in &positions {
            moves.clear();
            black_box(generate(black_box(p), &mut moves));
        }
    });
    measure("evaluate", n, || {
        for p in &positions {
            black_box(table.score(black_box(p)));
        }
    });
    measure("request COUNT (image and faults too)", n, || {
        for i in &images {
            let _ = black_box(model.count(black_box(i)));
        }
    });
    measure("request EVALUATE", n, || {
        for i in &images {
            black_box(model.evaluate(black_box(i)));
        }
    });
    let root = start();
    let leaves = perft(&root, 4);
    measure("perft 4 from the start, leaves", leaves, || assert_eq!(perft(&root, 4), leaves));
    let expansions = 1 + 30 + 900 + 25_470;
    measure("perft 4 from the start, expansions", expansions, || assert_eq!(perft(&root, 4), leaves));
}
