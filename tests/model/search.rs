//! The search of the model against an alpha-beta without pruning, and what its switches, limits and repetitions do.

use hayasashi_accel::view;
use hayasashi_model::{evaluate::default_table, evaluate::EvalTable, position::Position as ModelPosition, search::Walker};
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
    let words: Vec<u64> = before.iter().map(|pos| path_word(&view::image(pos), pos.in_check())).collect();
    Walker::new(head, table().clone(), &ModelPosition::from(&view::image(last)), words.into_iter())
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
const ORDERS: [Technique; 6] = [
    Technique::CaptureOrder,
    Technique::Killers,
    Technique::CounterMove,
    Technique::CheckOrder,
    Technique::AttackedOrder,
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
            let techniques = if orders { with(&ORDERS) } else { 0 } | if quiescence { with(&[Technique::Quiescence]) } else { 0 };
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
