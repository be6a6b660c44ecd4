//! The search of the model against an alpha-beta without pruning, and what its switches, limits and repetitions do.

use hayasashi_accel::view;
use hayasashi_model::{
    evaluate::default_table, evaluate::EvalTable, position::Position as ModelPosition, search::Walker,
};
use hayasashi_shogi::rules::{Move, Position, PositionCommand};
use hayasashi_spec::search::*;
use hayasashi_tests::{data_lines, search_oracle::Oracle};
use std::sync::{Arc, OnceLock};

fn table() -> &'static Arc<EvalTable> {
    static TABLE: OnceLock<Arc<EvalTable>> = OnceLock::new();
    TABLE.get_or_init(|| Arc::new(default_table()))
}

/// The game of a `position` command, its last position included.
fn game(text: &str) -> Vec<Position> {
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let mut games = vec![PositionCommand::parse(start).unwrap().position];
    for mv in moves.split_whitespace() {
        let mut after = games.last().unwrap().clone();
        after.do_move(Move::from_usi(mv).unwrap());
        games.push(after);
    }
    games
}

fn walker(head: SearchHead, game: &[Position]) -> Walker {
    let (last, before) = game.split_last().unwrap();
    let words = before.iter().map(|pos| path_word(&view::image(pos), pos.in_check()));
    Walker::new(head, table().clone(), &ModelPosition::from(&view::image(last)), words)
}

fn search(head: SearchHead, game: &[Position]) -> Found {
    let mut walker = walker(head, game);
    while walker.step() {}
    assert!(walker.has_ended());
    check_line(&walker.found(), game);
    walker.found()
}

/// The line is legal, move by move.
fn check_line(found: &Found, game: &[Position]) {
    let mut pos = game.last().unwrap().clone();
    for bits in &found.line[..found.length as usize] {
        let mv = view::to_move(hayasashi_spec::moves::Move16(*bits), pos.side_to_move());
        let mv = mv.filter(|&mv| pos.is_legal(mv)).unwrap_or_else(|| panic!("{bits:04x} in {}", pos.to_sfen()));
        pos.do_move(mv);
    }
    assert!(found.line[found.length as usize..].iter().all(|&bits| bits == 0));
}

fn with(techniques: &[Technique]) -> u32 {
    techniques.iter().fold(0, |bits, technique| bits | *technique as u32)
}

/// Techniques that change the order of moves, and never a value.
const ORDERS: [Technique; 7] = [
    Technique::CaptureOrder,
    Technique::Killers,
    Technique::CounterMove,
    Technique::CheckOrder,
    Technique::AttackedOrder,
    Technique::History,
    Technique::Aspiration,
];

fn positions() -> Vec<String> {
    let mut all: Vec<String> = data_lines("rules/sampled_positions.sfen").iter().map(|line| sfen(line)).collect();
    all.extend(data_lines("rules/perft.tsv").iter().map(|line| line.split('\t').next().unwrap().to_string()));
    all.extend(data_lines("mate/game_mates.sfen").iter().take(10).map(|line| sfen(line)));
    all.sort();
    all.dedup();
    all
}

fn sfen(line: &str) -> String {
    let line = line.split('\t').next().unwrap().trim_start_matches("sfen ");
    line.split(" moves ").next().unwrap().to_string()
}

/// Values against the oracle: `most` positions that the oracle may visit for each.
fn check_values(quiescence: bool, orders: bool, depths: std::ops::RangeInclusive<u8>, every: usize) -> usize {
    let mut compared = 0;
    for text in positions().iter().step_by(every) {
        let game = game(text);
        for depth in depths.clone() {
            let mut oracle = Oracle::new(table(), quiescence, &[]);
            let expected = oracle.value(game.last().unwrap(), depth as u32);
            let techniques =
                if orders { with(&ORDERS) } else { 0 } | if quiescence { with(&[Technique::Quiescence]) } else { 0 };
            let found = search(SearchHead { depth, techniques, ..SearchHead::default() }, &game);
            assert_eq!(found.score as i32, expected, "{text}, {depth} plies, techniques {techniques:#x}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn without_techniques_the_value_is_that_of_plain_alpha_beta() {
    assert!(check_values(false, false, 1..=2, 1) > 100);
    assert!(check_values(false, false, 3..=3, 6) >= 8);
}

#[test]
fn with_quiescence_and_any_order_the_value_is_that_of_plain_alpha_beta() {
    assert!(check_values(true, false, 1..=1, 1) > 50);
    assert!(check_values(true, true, 1..=2, 3) > 20);
    assert!(check_values(true, true, 3..=3, 12) >= 4);
}

/// Techniques that neither prune nor reduce, and quiescence.
fn plain(depth: u8) -> SearchHead {
    SearchHead { depth, techniques: with(&ORDERS) | with(&[Technique::Quiescence]), ..SearchHead::default() }
}

#[test]
fn a_window_bounds_the_value() {
    for text in positions().iter().step_by(9) {
        let game = game(text);
        let value = search(plain(2), &game).score;
        if value.abs() > 20_000 {
            continue;
        }
        for (alpha, beta) in
            [(value - 1, value), (value, value + 1), (value - 50, value - 20), (value + 20, value + 50)]
        {
            let found = search(SearchHead { alpha, beta, ..plain(2) }, &game);
            let side = (found.score >= beta, found.score <= alpha);
            assert_eq!(side, (value >= beta, value <= alpha), "{text}: {found:?}, value {value}");
            assert!(found.length == 0 || found.score > alpha);
        }
    }
}

/// Repetitions with the game before the root and within the line, by both sides, with and without checks. The second root also found
/// captures that were left out where a killer had the same bits.
#[test]
fn repetitions_count_as_the_rules_say() {
    let kings = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    let checks = "1k7/9/9/9/9/9/9/9/R7K b - 1";
    let mut draws = 0;
    for (start, cycle) in [
        (kings, ["5i5h", "5a5b", "5h5i", "5b5a"]),
        (checks, ["9i8i", "8a9a", "8i9i", "9a8a"]),
        ("8k/9/9/9/9/9/9/K8/7r1 w - 1", ["2i2h", "9h9i", "2h2i", "9i9h"]),
    ] {
        for plies in 0..12 {
            let moves: Vec<&str> = cycle.iter().copied().cycle().take(plies).collect();
            let game = game(&format!("{start} moves {}", moves.join(" ")));
            let (last, before) = game.split_last().unwrap();
            for (depth, draw) in [(1, 0), (2, 77), (3, -300), (4, 0)] {
                let mut oracle = Oracle::new(table(), true, before);
                oracle.draw = draw;
                let expected = oracle.value(last, depth);
                let found = search(SearchHead { draw: draw as i16, ..plain(depth as u8) }, &game);
                assert_eq!(found.score as i32, expected, "{start} {moves:?}, {depth} plies, a draw is {draw}");
                draws += (expected == draw || expected == -draw || expected.abs() == PERPETUAL as i32) as u32;
            }
        }
    }
    assert!(draws > 5, "{draws}");
}

#[test]
fn every_technique_changes_the_tree() {
    let games: Vec<_> = positions().iter().step_by(8).map(|text| game(text)).collect();
    let nodes = |techniques| -> Vec<u64> {
        let head = SearchHead { depth: 7, techniques, ..SearchHead::default() };
        games.iter().map(|game| search(head, game).nodes).collect()
    };
    let all = nodes(ALL_TECHNIQUES);
    for technique in Technique::ALL {
        assert_ne!(nodes(ALL_TECHNIQUES & !(*technique as u32)), all, "{}", technique.name());
    }
}

fn mates(file: &str) -> Vec<(Vec<Position>, u8)> {
    let problem = |line: String| {
        let (text, moves) = line.split_once(" moves ").unwrap();
        let position = PositionCommand::parse_problem(text).unwrap().position;
        (vec![position], moves.split(' ').count() as u8)
    };
    data_lines(&format!("mate/{file}")).into_iter().map(problem).collect()
}

/// Without pruning a mate is found at its depth; with it, within a few plies more.
#[test]
fn short_mates_are_found() {
    for (file, most) in [("game_mates.sfen", 41), ("collection_1.sfen", 60), ("collection_3.sfen", 40)] {
        for (game, plies) in mates(file).into_iter().take(most) {
            let sfen = game[0].to_sfen();
            if plies == 1 {
                let found = search(plain(plies), &game);
                assert_eq!(found.score, MATE - 1, "{sfen}");
            }
            let found = search(SearchHead { depth: plies + 8, ..SearchHead::default() }, &game);
            assert!(found.score >= MATE - plies as i16 - 4, "{sfen}: mate in {plies}, {found:?}");
        }
    }
}

#[test]
fn limits_are_exact_and_searches_repeatable() {
    for text in positions().iter().step_by(11) {
        let game = game(text);
        let (mut nodes, mut last) = (1, Found::default());
        while nodes < 40_000 {
            let found = search(SearchHead { nodes, ..SearchHead::default() }, &game);
            let mated = found.score.abs() > LONGEST_MATE;
            assert!(found.nodes == nodes || mated && found.nodes < nodes, "{text}: {found:?}");
            assert!(found.depth >= last.depth && found.steps >= last.steps, "{text}");
            assert_eq!(search(SearchHead { nodes, ..SearchHead::default() }, &game), found);
            // The same search, ended by its steps.
            let steps = search(SearchHead { steps: found.steps, ..SearchHead::default() }, &game);
            assert!(
                steps.steps == found.steps && steps.nodes.abs_diff(found.nodes) <= 1,
                "{text}: {steps:?} {found:?}"
            );
            (nodes, last) = (3 * nodes + 1, found);
        }
    }
}

/// A step makes one move or none, and the answer is good after every one.
#[test]
fn every_step_has_an_answer() {
    for text in positions().iter().step_by(15) {
        let game = game(text);
        let mut walker = walker(SearchHead::default(), &game);
        let mut before = Found::default();
        for steps in 1..5_000 {
            let goes_on = walker.step();
            let found = walker.found();
            if !goes_on {
                break;
            }
            assert_eq!(found.steps, steps);
            assert!(found.nodes - before.nodes <= 1 && found.depth >= before.depth);
            if found.line != before.line {
                check_line(&found, &game);
            }
            before = found;
        }
    }
}

/// It was the square as the side that moved sees it.
#[test]
fn recaptures_are_on_the_square_of_the_last_move() {
    use hayasashi_spec::{piece::turn, search_table::FREE_CAPTURE_PLIES};
    let mut recaptures = 0;
    for line in positions().iter().take(40) {
        let head = SearchHead { nodes: 3000, ..SearchHead::default() };
        let mut walker = walker(head, &game(&format!("sfen {}", sfen(line))));
        let mut arrived = vec![None; MAX_PLY + 2];
        while walker.step() {
            let (ply, node, spot) = walker.present();
            arrived[ply] = node.last.map(|last| (last, spot.in_check()));
            let Some((before, false)) = ply.checked_sub(1).and_then(|before| arrived[before]) else { continue };
            if node.quiet_ply == FREE_CAPTURE_PLIES + 1 {
                let last = node.last.expect("no null move in quiescence");
                assert_eq!(last.mv.to() as usize, turn(before.mv.to() as usize), "{line}");
                recaptures += 1;
            }
        }
    }
    assert!(recaptures > 100, "{recaptures} recaptures");
}
