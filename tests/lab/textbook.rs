//! The textbook searches: equal values, no more nodes with cut-offs, and published results.

use crate::uniform::Uniform;
use hayasashi_lab::textbook::{
    expectiminimax, search, svg, text, Backgammon, Deterministic, Game, Method, Shogi, SplitNim, TicTacToe, Tree,
    TreeLimits, Turn,
};
use hayasashi_model::evaluate::first_table;
use hayasashi_shogi::rules::Position;
use proptest::prelude::*;
use std::{collections::HashMap, sync::Arc};

const WHOLE: TreeLimits = TreeLimits { depth: 100, extension: 0 };

/// Checks that all searches return the same value, that each line leads to it, and that cut-offs do not add nodes. Returns the value
/// and the nodes in the order of [`Method::ALL`].
fn agree<G: Deterministic>(game: &G, limits: TreeLimits) -> (i32, [u64; 8]) {
    let found = Method::ALL.map(|method| search(game, method, limits, None));
    for (method, other) in Method::ALL.iter().zip(&found) {
        assert_eq!(other.value, found[0].value, "{method:?}");
        let end = other.line.iter().fold(game.clone(), |game, mv| {
            assert!(game.moves().contains(mv), "{method:?}");
            game.after(mv)
        });
        assert_eq!(end.value(), other.value, "{method:?}");
    }
    let (value, nodes) = (found[0].value, found.map(|f| f.nodes));
    assert_eq!((nodes[0], nodes[1]), (nodes[3], nodes[4]));
    assert!(nodes[1] <= nodes[0] && nodes[2] <= nodes[1], "{nodes:?}");
    // SSS* and its form with null windows visit the same positions, no more than alpha-beta; MTD(f) no more than the tree has.
    assert!(nodes[5] <= nodes[2] && nodes[6] == nodes[5] && nodes[7] <= nodes[0], "{nodes:?}");
    let mean = expectiminimax(game, limits, None);
    assert_eq!((mean.value, mean.nodes), (value as f64, nodes[0]));
    (value, nodes)
}

#[test]
fn tic_tac_toe_is_a_draw_and_has_as_many_nodes_as_published() {
    // All ways to play: 549,946 nodes (e.g. Schaefer 2002: 255,168 games).
    let (value, nodes) = agree(&TicTacToe::default(), WHOLE);
    assert_eq!((value, nodes[0]), (0, 549_946));
    assert!(nodes[1] < 25_000);
    assert_eq!(agree(&"xx./oo./...".parse::<TicTacToe>().unwrap(), WHOLE).0, 1);
    assert_eq!(agree(&"xx./oo./..x".parse::<TicTacToe>().unwrap(), WHOLE).0, -1);
}

#[test]
fn kayles_is_won_as_its_grundy_values_say() {
    // Sprague-Grundy values of rows of 0 to 12 (OEIS A002186).
    let grundy = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4];
    let mut lost = 0;
    for a in 0..8 {
        for b in 0..=a.min(5) {
            for c in 0..=b.min(2) {
                let game: SplitNim = format!("{a} {b} {c}").parse().unwrap();
                let wins = grundy[a] ^ grundy[b] ^ grundy[c] != 0;
                let value = search(&game, Method::NegaAlpha, WHOLE, None).value;
                assert_eq!(value, if wins { 1 } else { -1 }, "{a} {b} {c}");
                lost += !wins as u32;
                if a + b + c <= 7 {
                    agree(&game, WHOLE);
                }
            }
        }
    }
    assert!(lost >= 10);
    assert!(search(&"12".parse::<SplitNim>().unwrap(), Method::AlphaBeta, WHOLE, None).value == 1);
}

#[test]
fn the_best_order_visits_the_leaves_of_knuth_and_moore() {
    for moves in 1..6u64 {
        for depth in 0..6u32 {
            let game = Uniform { seed: None, place: 0, depth, turn: Turn::Max, moves, loud: false };
            for method in Method::ALL.into_iter().filter(|m| ![Method::Minimax, Method::Negamax].contains(m)) {
                let mut tree = Tree::new(100_000);
                search(&game, method, WHOLE, Some(&mut tree));
                let leaves = tree.nodes.iter().filter(|n| n.depth == depth).count() as u64;
                assert_eq!(leaves, moves.pow(depth.div_ceil(2)) + moves.pow(depth / 2) - 1, "{moves}^{depth}");
            }
        }
    }
}

proptest! {
    #[test]
    fn all_agree_on_random_trees(seed: u64, moves in 1..5u64, depth in 0..6u32, extension in 0..3u32, max: bool) {
        let turn = if max { Turn::Max } else { Turn::Min };
        let game = Uniform { seed: Some(seed), place: 0, depth: depth + extension, turn, moves, loud: true };
        agree(&game, TreeLimits { depth, extension });
    }
}

#[test]
fn all_agree_on_shogi_with_captures_and_escapes() {
    let table = Arc::new(first_table());
    let mut saved = 0;
    for line in
        include_str!("../data/rules/legal_moves.tsv").lines().filter(|l| !l.starts_with('#')).skip(1).step_by(500)
    {
        let sfen = line.split('\t').find(|field| field.contains('/')).unwrap();
        let game = Shogi::new(Position::from_sfen(sfen).unwrap(), table.clone());
        let few = game.moves().len() < 60;
        for limits in [TreeLimits { depth: 1, extension: 2 }, TreeLimits { depth: 1 + few as u32, extension: 0 }] {
            let (_, nodes) = agree(&game, limits);
            saved += nodes[0] - nodes[1];
        }
    }
    assert!(saved > 10_000, "{saved}");
}

#[test]
fn a_mate_is_found_with_its_line() {
    let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1").unwrap();
    let game = Shogi::new(position, Arc::new(first_table()));
    let found = search(&game, Method::AlphaBeta, TreeLimits { depth: 1, extension: 0 }, None);
    assert_eq!(found.value, Shogi::MAX_VALUE);
    assert_eq!(found.line.iter().map(ToString::to_string).collect::<Vec<_>>(), ["G*5b"]);
}

/// Compares with backward induction over all positions.
#[test]
fn dice_agree_with_backward_induction() {
    let begin = Backgammon::default();
    let mut known = vec![begin.clone()];
    let mut index: HashMap<Backgammon, usize> = HashMap::from([(begin, 0)]);
    let mut next = Vec::new();
    while next.len() < known.len() {
        let game = known[next.len()].clone();
        let after: Vec<usize> = game
            .moves()
            .iter()
            .map(|mv| {
                let game = game.after(mv);
                *index.entry(game.clone()).or_insert_with(|| {
                    known.push(game);
                    known.len() - 1
                })
            })
            .collect();
        next.push(after);
    }
    assert!(known.len() > 1_000);
    let mut values: Vec<f64> = known.iter().map(|g| g.value() as f64).collect();
    for depth in 0..6 {
        for i in (0..known.len()).step_by(known.len() / 150) {
            let found = expectiminimax(&known[i], TreeLimits { depth, extension: 0 }, None);
            assert!((found.value - values[i]).abs() < 1e-9, "{:?} {depth}", known[i]);
        }
        values = (0..known.len())
            .map(|i| {
                let below = next[i].iter().map(|&n| values[n]);
                match (next[i].is_empty(), known[i].turn()) {
                    (true, _) => known[i].value() as f64,
                    (_, Turn::Max) => below.fold(f64::MIN, f64::max),
                    (_, Turn::Min) => below.fold(f64::MAX, f64::min),
                    (_, Turn::Chance) => below.sum::<f64>() / next[i].len() as f64,
                }
            })
            .collect();
    }
}

#[test]
fn a_race_has_the_odds_computed_by_hand() {
    // Max needs a three at once: Min, two steps away from winning, would win by two of three throws; then Max by any.
    let game: Backgammon = "47/57 max".parse().unwrap();
    let found = expectiminimax(&game, TreeLimits { depth: 12, extension: 0 }, None);
    // Max throws 3 (wins), or moves to 5 or 6; Min throws 2 or 3 (wins), or moves to 6; then Max, at 5: by 2 or 3, else
    // Min surely; at 6 surely.
    let at_5 = 2.0 / 3.0 * -100.0 + 1.0 / 3.0 * (2.0 / 3.0 * 100.0 + 1.0 / 3.0 * -100.0);
    let at_6 = 2.0 / 3.0 * -100.0 + 1.0 / 3.0 * 100.0;
    assert!((found.value - (100.0 + at_5 + at_6) / 3.0).abs() < 1e-9, "{}", found.value);
}

#[test]
fn the_drawing_shows_the_visited_nodes() {
    let game = SplitNim::default();
    let mut tree = Tree::new(1000);
    let found = search(&game, Method::AlphaBeta, WHOLE, Some(&mut tree));
    assert_eq!((found.nodes, found.value), (tree.nodes.len() as u64, tree.nodes[0].value as i32));
    let text = text(&tree);
    assert_eq!(text.lines().count(), tree.nodes.len());
    assert!(text.contains("✂"));
    let picture = svg(&tree).unwrap();
    let circles = tree.nodes.iter().filter(|n| n.turn == Turn::Min).count();
    assert_eq!(picture.matches("<circle").count(), 2 * circles);
    // The limit of the recorded tree does not change the search.
    let mut few = Tree::new(3);
    assert_eq!(search(&game, Method::AlphaBeta, WHOLE, Some(&mut few)), found);
    assert_eq!(few.nodes.len(), 3);
}

#[test]
fn wrong_positions_are_refused() {
    for text in ["", "xo", "xxxx/./...", "xx./.../...", "xyz/.../..."] {
        assert!(text.parse::<TicTacToe>().is_err(), "{text}");
    }
    for text in ["", "a", "-1", "41", "4294967295 4294967295"] {
        assert!(text.parse::<SplitNim>().is_err(), "{text}");
    }
    for text in ["", "01/01", "01/01 nobody", "08/01 max", "77/77 max", "16/16 max", "0/101 max", "あ"] {
        assert!(text.parse::<Backgammon>().is_err(), "{text}");
    }
}
