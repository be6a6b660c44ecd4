//! SSS* and MTD(f) against minimax and alpha-beta: values, lines, and which leaves they visit in which order.

use crate::uniform::Uniform;
use hayasashi_lab::textbook::{
    search, Deterministic, Method, SearchResult, Shogi, SplitNim, TicTacToe, Tree, TreeLimits, Turn,
};
use hayasashi_model::evaluate::first_table;
use hayasashi_shogi::rules::Position;
use proptest::prelude::*;
use std::{collections::HashSet, sync::Arc};

/// A search, the paths of the positions it visits in the order of the visits, and which of them are leaves.
struct Visited<M> {
    found: SearchResult<M>,
    paths: Vec<String>,
    leaves: Vec<String>,
    tree: Tree,
}

fn visited<G: Deterministic>(game: &G, method: Method, limits: TreeLimits) -> Visited<G::Move> {
    let mut tree = Tree::new(usize::MAX);
    let found = search(game, method, limits, Some(&mut tree));
    let mut paths = vec![String::new(); tree.nodes.len()];
    for (at, node) in tree.nodes.iter().enumerate() {
        for &child in &node.children {
            paths[child] = format!("{} {}", paths[at], tree.nodes[child].label);
        }
    }
    let leaf = |at: &usize| tree.nodes[*at].children.is_empty() && tree.nodes[*at].skipped == 0;
    let leaves = (0..paths.len()).filter(leaf).map(|at| paths[at].clone()).collect();
    Visited { found, paths, leaves, tree }
}

/// Checks the values and the dominance; returns the leaves of alpha-beta, of SSS* and of MTD(f).
fn check<G: Deterministic>(game: &G, limits: TreeLimits) -> [usize; 3] {
    let minimax = search(game, Method::Minimax, limits, None);
    let alpha_beta = visited(game, Method::AlphaBeta, limits);
    let sss = visited(game, Method::SssStar, limits);
    let mt_sss = visited(game, Method::MtSssStar, limits);
    let mtd_f = visited(game, Method::MtdF, limits);
    let known: HashSet<&String> = alpha_beta.leaves.iter().collect();
    let beyond = sss.leaves.iter().find(|leaf| !known.contains(leaf));
    assert_eq!(beyond, None, "SSS* visits a leaf that alpha-beta does not");
    assert_eq!(sss.paths, mt_sss.paths, "MT-SSS* visits other positions, or in another order");
    for other in [&sss, &mt_sss, &mtd_f] {
        assert_eq!(other.found.value, minimax.value);
        assert_eq!(other.found.nodes, other.tree.nodes.len() as u64);
        assert_eq!(other.tree.nodes[0].value, minimax.value as f64);
        assert_eq!(other.paths.iter().collect::<HashSet<_>>().len(), other.paths.len(), "a position counts once");
        check_line(game, &other.found, limits);
        // The moves that lead nowhere are those counted as skipped.
        for (node, path) in other.tree.nodes.iter().zip(&other.paths).filter(|(node, _)| node.depth < limits.depth) {
            let position = path.split_whitespace().fold(game.clone(), |game, label| {
                let moves = game.moves();
                game.after(moves.iter().find(|mv| mv.to_string() == label).unwrap())
            });
            assert_eq!(node.children.len() + node.skipped, position.moves().len(), "{path}");
        }
    }
    [&alpha_beta, &sss, &mtd_f].map(|other| other.leaves.len())
}

/// Each position of a principal variation has its value.
fn check_line<G: Deterministic>(game: &G, found: &SearchResult<G::Move>, limits: TreeLimits) {
    let mut game = game.clone();
    let (mut depth, mut extension) = (limits.depth, limits.extension);
    for mv in &found.line {
        let moves = if depth > 0 { game.moves() } else { game.quiescence_moves().moves };
        assert!(moves.contains(mv));
        game = game.after(mv);
        (depth, extension) = if depth > 0 { (depth - 1, extension) } else { (0, extension - 1) };
        let below = search(&game, Method::Minimax, TreeLimits { depth, extension }, None);
        assert_eq!(below.value, found.value);
    }
    assert_eq!(game.value(), found.value);
}

proptest! {
    #[test]
    fn they_agree_with_minimax_on_random_trees(
        seed: u64, moves in 1..6u64, depth in 0..7u32, extension in 0..3u32, max: bool
    ) {
        let depth = if moves > 3 { depth.min(4) } else { depth };
        let turn = if max { Turn::Max } else { Turn::Min };
        let game = Uniform { seed: Some(seed), place: 0, depth: depth + extension, turn, moves, loud: true };
        check(&game, TreeLimits { depth, extension });
    }
}

#[test]
fn they_visit_fewer_leaves_than_alpha_beta() {
    let mut sums = [0; 3];
    for seed in 0..50 {
        let turn = if seed % 2 == 0 { Turn::Max } else { Turn::Min };
        let game = Uniform { seed: Some(seed), place: 0, depth: 6, turn, moves: 5, loud: false };
        let leaves = check(&game, TreeLimits { depth: 6, extension: 0 });
        sums = [0, 1, 2].map(|i| sums[i] + leaves[i]);
    }
    // Of 78,948 leaves of alpha-beta they visit 70,552 and 69,227.
    assert!(sums[1] * 10 < sums[0] * 9 && sums[2] * 10 < sums[0] * 9, "{sums:?}");
}

#[test]
fn they_agree_on_the_small_games() {
    let whole = TreeLimits { depth: 100, extension: 0 };
    for position in ["x.o/.x./o..", "xo./.x./o..", "xx./oo./...", "xox/.../.o."] {
        check(&position.parse::<TicTacToe>().unwrap(), whole);
    }
    for position in ["4", "5 2", "7", "3 2 1"] {
        check(&position.parse::<SplitNim>().unwrap(), whole);
    }
    let table = Arc::new(first_table());
    let position = "ln1gk2nl/1r1s1sgb1/p1pppp1pp/1p4p2/9/2P4P1/PP1PPPP1P/1B1S1S1R1/LN1GKG1NL b - 1";
    let game = Shogi::new(Position::from_sfen(position).unwrap(), table);
    let [alpha_beta, sss, _] = check(&game, TreeLimits { depth: 2, extension: 1 });
    assert!(sss < alpha_beta);
}
