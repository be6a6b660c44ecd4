//! Perft with transpositions beside the plain one of the rules on one core: `cargo bench -p hayasashi-cluster --bench perft`, two
//! minutes.

use hayasashi_cluster::{
    perft::{perft, PerftSettings},
    threads,
};
use hayasashi_shogi::rules::{Position, STARTPOS_SFEN};
use std::time::{Duration, Instant};

/// The initial position, and one with many drops (matsuri).
const ROOTS: [(&str, &str, u32); 3] = [
    ("initial position", STARTPOS_SFEN, 6),
    ("initial position", STARTPOS_SFEN, 7),
    ("matsuri", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 4),
];
/// Positions that a rank keeps: a gigabyte.
const POSITIONS: usize = 9_000_000;

fn timed(work: impl FnOnce() -> u64) -> (u64, Duration) {
    let begun = Instant::now();
    (work(), begun.elapsed())
}

fn main() {
    for (name, sfen, depth) in ROOTS {
        let root = Position::from_sfen(sfen).expect("it is a position");
        let (nodes, plain) = timed(|| root.clone().perft(depth));
        println!("{name}, depth {depth}: rules, one core: {nodes} in {:.2} s", plain.as_secs_f64());
        for ranks in [1, 2] {
            let settings = PerftSettings { depth, positions: POSITIONS };
            let counted = || threads::run(ranks, &|ranks| perft(ranks, &root, &settings, &mut |_| true));
            let mut positions = 0;
            let (shared, time) = timed(|| {
                let found = counted().expect("no rank fails");
                positions = found.positions;
                found.nodes
            });
            assert_eq!(shared, nodes, "{name}");
            let ratio = plain.as_secs_f64() / time.as_secs_f64();
            println!("  {ranks} rank(s): {:.2} s, {ratio:.2} times as fast, {positions} positions", time.as_secs_f64());
        }
    }
}
