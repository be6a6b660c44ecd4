//! The mate solver on collections of problems, beside proof-number search as first published, and mate in one beside
//! the crate `rsshogi`.
//!
//! `cargo bench -p hayasashi-engine --bench mate`. One thread. Proof-number search (no table, the whole tree in memory) gets
//! a million positions for each problem; the ratio counts the problems that both solve, and times each search from its
//! start to its answer. The solver's time holds the search for the shortest mate and the replay of the whole solution.

use hayasashi_engine::mate::{mate_in_1, MateLimits, MateOutcome, ProofNumberTree, Solver};
use hayasashi_engine::Control;
use hayasashi_shogi::rules::Position;
use rsshogi::{board, mate::solve_mate_in_one};
use std::hint::black_box;
use std::time::Instant;

/// Positions that proof-number search may keep.
const TREE: usize = 1_000_000;

fn lines(file: &str) -> Vec<String> {
    let path = format!("{}/../../tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    text.lines().filter(|line| !line.starts_with('#')).map(String::from).collect()
}

fn problems(file: &str) -> Vec<Position> {
    let sfen = |line: &String| line.trim_start_matches("sfen ").split(" moves ").next().unwrap_or_default().to_string();
    lines(&format!("mate/{file}"))
        .iter()
        .map(|line| Position::from_problem_sfen(&sfen(line)).expect("the data hold problems"))
        .collect()
}

fn solve_collections(step: usize) {
    println!(
        "{:<22} {:>8} {:>8} {:>10} {:>10} {:>9} {:>9} {:>10} {:>9}",
        "collection", "problems", "solved", "nodes", "M nodes/s", "s in all", "s at most", "PN solved", "PN/ours"
    );
    for name in ["1", "3", "5", "7", "9", "games"] {
        let file = format!("collection_{name}.sfen");
        let (mut solver, mut tree) = (Solver::new(64), ProofNumberTree::new(TREE));
        let (mut problems_seen, mut solved, mut nodes, mut by_tree) = (0, 0, 0, 0);
        let (mut total, mut longest, mut ours_of_both, mut tree_of_both) = (0.0f64, 0.0f64, 0.0, 0.0);
        for pos in problems(&file).iter().step_by(step) {
            problems_seen += 1;
            let start = Instant::now();
            let answer = solver.solve(pos, &MateLimits::default(), &Control::default());
            let ours = start.elapsed().as_secs_f64();
            let is_mate = matches!(answer.outcome, MateOutcome::Mate(_));
            solved += is_mate as u32;
            nodes += answer.nodes;
            total += ours;
            longest = longest.max(ours);
            let start = Instant::now();
            if tree.solve(pos) == Some(true) && is_mate {
                by_tree += 1;
                tree_of_both += start.elapsed().as_secs_f64();
                ours_of_both += ours;
            }
        }
        println!(
            "{file:<22} {problems_seen:>8} {solved:>8} {nodes:>10} {:>10.2} {total:>9.3} {longest:>9.4} {by_tree:>10} {:>9.1}",
            nodes as f64 / total / 1e6,
            tree_of_both / ours_of_both
        );
    }
}

fn compare_mates_in_one(rounds: usize) {
    let sfens: Vec<String> =
        lines("rules/legal_moves.tsv").iter().filter_map(|l| l.split('\t').next().map(String::from)).collect();
    let ours: Vec<Position> = sfens.iter().map(|s| Position::from_sfen(s).expect("valid")).collect();
    let theirs: Vec<board::Position> = sfens.iter().map(|s| board::position_from_sfen(s).expect("valid")).collect();
    let mut times = [const { Vec::new() }; 2];
    let mut found = [0; 2];
    for _ in 0..rounds {
        let start = Instant::now();
        found[0] = ours.iter().filter(|p| black_box(mate_in_1(p)).is_some()).count();
        times[0].push(start.elapsed().as_secs_f64());
        let start = Instant::now();
        found[1] = theirs.iter().filter(|p| black_box(solve_mate_in_one(p)).is_some()).count();
        times[1].push(start.elapsed().as_secs_f64());
    }
    assert_eq!(found[0], found[1], "mates in one");
    let [a, b] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        ours.len() as f64 / times[times.len() / 2] / 1e6
    });
    println!(
        "\nmate in one, {} positions, {} mates: {a:.2} M positions/s, rsshogi {b:.2}: {:.2}",
        ours.len(),
        found[0],
        a / b
    );
}

fn main() {
    let quick = std::env::args().any(|arg| arg == "--quick");
    solve_collections(if quick { 20 } else { 1 });
    compare_mates_in_one(if quick { 3 } else { 9 });
}
