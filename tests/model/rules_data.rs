//! The rules against data of other engines: perft values, exact legal move sets, sequences of moves.

use hayasashi_shogi::rules::{History, Leaves, Move, MoveList, Position, PositionCommand, Repetition, Stage};
use std::collections::BTreeSet;

const PERFT: &str = include_str!("../data/rules/perft.tsv");
const LEGAL_MOVES: &str = include_str!("../data/rules/legal_moves.tsv");
const UCHIFUZUME: &str = include_str!("../data/rules/uchifuzume.tsv");
const SEQUENCES: &str = include_str!("../data/rules/move_sequences.txt");
const POSITIONS: &str = include_str!("../data/rules/sfen_positions.txt");
const SAMPLED: &str = include_str!("../data/rules/sampled_positions.sfen");

/// Lines of a table that are neither empty nor comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.trim_end_matches('\r')).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// Sorted USI texts of the moves that `fill` appends.
fn texts(fill: impl FnOnce(&mut MoveList)) -> Vec<String> {
    let mut moves = MoveList::new();
    fill(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|mv| mv.to_usi()).collect();
    texts.sort();
    texts
}

fn check_moves(sfen: &str, expected: &str) {
    let p = position(sfen);
    let mut expected: Vec<&str> = if expected == "-" { Vec::new() } else { expected.split(' ').collect() };
    expected.sort();
    let all = texts(|moves| p.legal_moves(moves));
    if all != expected {
        let ours: BTreeSet<&str> = all.iter().map(String::as_str).collect();
        let theirs: BTreeSet<&str> = expected.iter().copied().collect();
        let (extra, missing) = (&ours - &theirs, &theirs - &ours);
        panic!("{sfen}\n  not legal but generated: {extra:?}\n  legal but missing: {missing:?}");
    }
    assert_eq!(p.count_legal_moves(), expected.len(), "{sfen}");
    assert_eq!(p.has_legal_move(), !expected.is_empty(), "{sfen}");
    let mut staged = texts(|moves| {
        p.stage_moves(Stage::Captures, moves);
        p.stage_moves(Stage::Quiets, moves);
    });
    staged.sort();
    assert_eq!(staged, expected, "captures and quiets in {sfen}");
    let evasions = texts(|moves| p.evasions(moves));
    assert_eq!(evasions.len(), if p.in_check() { expected.len() } else { 0 }, "{sfen}");
    let checks = texts(|moves| p.checks(moves));
    let filtered: Vec<&str> =
        expected.iter().copied().filter(|text| p.gives_check(Move::from_usi(text).unwrap())).collect();
    assert_eq!(checks, filtered, "checks in {sfen}");
}

fn check_perft(wanted: impl Fn(u64) -> bool, leaves: &[Leaves]) {
    for line in lines(PERFT) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (sfen, depth, nodes): (_, u32, u64) = (fields[0], fields[1].parse().unwrap(), fields[2].parse().unwrap());
        if wanted(nodes) {
            for &leaves in leaves {
                assert_eq!(position(sfen).perft_with(depth, leaves), nodes, "{sfen} depth {depth} {leaves:?}");
            }
        }
    }
}

#[test]
fn perft_in_three_conventions() {
    check_perft(|nodes| nodes <= 9_000_000, &[Leaves::Counted, Leaves::Built, Leaves::Made]);
}

#[test]
fn perft_up_to_sixty_million() {
    check_perft(|nodes| nodes > 9_000_000 && nodes <= 60_000_000, &[Leaves::Counted]);
}

#[test]
#[ignore = "deep: minutes"]
fn perft_up_to_six_hundred_million() {
    check_perft(|nodes| nodes > 60_000_000 && nodes <= 600_000_000, &[Leaves::Counted, Leaves::Built, Leaves::Made]);
}

#[test]
#[ignore = "deep: minutes"]
fn perft_startpos_depth_seven() {
    check_perft(|nodes| nodes > 600_000_000 && nodes <= 20_000_000_000, &[Leaves::Counted]);
}

#[test]
#[ignore = "deep: an hour"]
fn perft_startpos_depth_eight() {
    check_perft(|nodes| nodes > 20_000_000_000, &[Leaves::Counted]);
}

#[test]
fn legal_moves_of_five_thousand_positions() {
    let mut positions = 0;
    for line in lines(LEGAL_MOVES) {
        let fields: Vec<&str> = line.split('\t').collect();
        check_moves(fields[0], fields[2]);
        positions += 1;
    }
    assert_eq!(positions, 5000);
}

#[test]
fn pawn_drop_mates_are_excluded() {
    let mut positions = 0;
    for line in lines(UCHIFUZUME) {
        let fields: Vec<&str> = line.split('\t').collect();
        check_moves(fields[0], fields[2]);
        let mut p = position(fields[0]);
        let drop = Move::from_usi(fields[1]).unwrap();
        assert!(!p.is_legal(drop), "{line}");
        assert!(p.gives_check(drop), "{line}");
        let undo = p.do_move(drop);
        assert!(p.in_check() && !p.has_legal_move(), "{line}");
        p.undo_move(drop, undo);
        positions += 1;
    }
    assert_eq!(positions, 151);
}

/// [`Position::is_legal`] says yes to the generated moves and to no other of all 16-bit moves.
#[test]
fn is_legal_agrees_with_generation() {
    let sfens = lines(LEGAL_MOVES).step_by(40).chain(lines(UCHIFUZUME)).map(|line| line.split('\t').next().unwrap());
    for sfen in sfens {
        let p = position(sfen);
        let mut moves = MoveList::new();
        p.legal_moves(&mut moves);
        let mut expected: Vec<u16> = moves.iter().map(|mv| mv.bits()).collect();
        expected.sort();
        let legal: Vec<u16> =
            (0..=u16::MAX).filter(|&bits| Move::from_bits(bits).is_some_and(|mv| p.is_legal(mv))).collect();
        assert_eq!(legal, expected, "{sfen}");
    }
}

#[test]
fn named_positions_and_invalid_ones() {
    for line in lines(POSITIONS) {
        let (name, sfen) = line.split_once(" | ").unwrap();
        match Position::from_sfen(sfen) {
            Ok(p) => {
                assert!(!name.starts_with("invalid"), "{name} was accepted");
                assert_eq!(p.to_sfen(), sfen, "{name}");
            }
            Err(error) => {
                assert!(name.starts_with("invalid"), "{name}: {error}");
                assert!(error.to_string().contains("a set has"), "{name}: {error}");
            }
        }
    }
}

#[test]
fn sequences_of_moves() {
    let mut sequences = 0;
    for line in lines(SEQUENCES) {
        let (name, command) = line.split_once(" | ").unwrap();
        sequences += 1;
        if name.ends_with("_illegal") {
            let error = PositionCommand::parse(command).unwrap_err().to_string();
            let plies = command.split(' ').count() - 3;
            let last = command.split(' ').next_back().unwrap();
            assert!(error.starts_with(&format!("move {plies} `{last}` is illegal")), "{name}: {error}");
            // Without its last move the sequence is fine.
            PositionCommand::parse(command.strip_suffix(last).unwrap()).unwrap();
        } else {
            let command = PositionCommand::parse(command).unwrap_or_else(|error| panic!("{name}: {error}"));
            let mut p = command.start.clone();
            let mut history = History::starting_at(&p);
            for (i, &mv) in command.moves.iter().enumerate() {
                assert_eq!(history.game_verdict(), Repetition::None, "{name} before move {}", i + 1);
                p.do_move(mv);
                history.push(&p);
            }
            assert_eq!(p, command.position);
            assert_eq!((history.game_verdict(), history.occurrences()), (Repetition::Draw, 4), "{name}");
        }
    }
    assert_eq!(sequences, 3);
}

#[test]
fn sampled_positions_print_as_read() {
    let mut in_check = 0;
    for line in lines(SAMPLED) {
        let (sfen, notes) = line.split_once('\t').unwrap();
        let p = position(sfen);
        assert_eq!(p.to_sfen(), sfen);
        assert_eq!(p.in_check(), notes.ends_with("check=1"), "{line}");
        in_check += p.in_check() as u32;
    }
    assert!(in_check >= 8);
    for line in lines(LEGAL_MOVES) {
        let sfen = line.split('\t').next().unwrap();
        assert_eq!(position(sfen).to_sfen(), sfen);
    }
}
