//! The software co-processor's moves against move sets from other engines.

use hayasashi_model::movegen::{count, generate, make_move};
use hayasashi_model::position::Position;
use hayasashi_spec::moves::*;
use hayasashi_spec::piece::SQUARES;
use hayasashi_tests::{data_lines, image_from_sfen, usi};

/// The legal moves of a position, after checks of everything that holds for any position.
fn moves_of(sfen: &str) -> Vec<String> {
    let (image, black) = image_from_sfen(sfen);
    let position = Position::from(&image);
    assert_eq!(position.faults(), 0, "{sfen}");
    let mut moves = Vec::new();
    let header = generate(&position, &mut moves);
    assert_eq!(header, count(&position), "{sfen}");
    assert_eq!(header.moves as usize, moves.len(), "{sfen}");
    let keys: Vec<_> = moves.iter().map(canonical_key).collect();
    assert!(keys.windows(2).all(|k| k[0] < k[1]), "not in canonical order: {sfen}\n{keys:?}");
    for record in &moves {
        check_record(sfen, &position, record);
    }
    let mut names: Vec<_> = moves.iter().map(|record| usi(record.mv, black)).collect();
    names.sort();
    names
}

/// Class, plane and destination of a move, found from the move alone.
fn canonical_key(record: &MoveRecord) -> (u8, u8, u8) {
    let mv = record.mv;
    let (capture, promote) = (record.flags & FLAG_CAPTURE != 0, record.flags & FLAG_PROMOTE != 0);
    if let Some(kind) = mv.dropped() {
        return (Class::Drop as u8, kind, mv.to());
    }
    let class = match (capture, promote) {
        (true, true) => Class::CapturePromote,
        (true, false) => Class::Capture,
        (false, true) => Class::Promote,
        (false, false) => Class::Quiet,
    };
    let files = (mv.to() / 9) as i8 - (mv.from() / 9) as i8;
    let ranks = (mv.to() % 9) as i8 - (mv.from() % 9) as i8;
    let step = if files.abs() == 1 && ranks == -2 { (files, ranks) } else { (files.signum(), ranks.signum()) };
    let plane = Direction::ALL.into_iter().find(|d| d.step() == step).expect("a move has a direction");
    (class as u8, plane as u8, mv.to())
}

/// Flags and kinds of a move against the board before and after it.
fn check_record(sfen: &str, position: &Position, record: &MoveRecord) {
    let (mv, shown) = (record.mv, format!("{record:?} of {sfen}"));
    assert_eq!(record.flags & FLAG_PROMOTE != 0, mv.promotes(), "{shown}");
    assert_eq!(record.flags & FLAG_DROP != 0, mv.dropped().is_some(), "{shown}");
    let moved = mv.dropped().unwrap_or_else(|| position.kind(mv.from() as usize));
    assert_eq!(record.moved(), moved, "{shown}");
    assert_eq!(record.captured(), position.kind(mv.to() as usize), "{shown}");
    assert_eq!(record.flags & FLAG_CAPTURE != 0, record.captured() != 0, "{shown}");
    let child = make_move(position, mv);
    assert_eq!(child.faults(), 0, "{shown}");
    assert_eq!(record.flags & FLAG_CHECK != 0, count(&child).in_check(), "{shown}");
    assert_eq!(child.occupied().count_ones(), child_pieces(position, record), "{shown}");
}

fn child_pieces(position: &Position, record: &MoveRecord) -> u32 {
    let captured = (record.captured() != 0) as u32;
    let dropped = record.mv.dropped().is_some() as u32;
    position.occupied().count_ones() - captured + dropped
}

#[test]
fn legal_moves_are_those_of_another_engine() {
    let lines = data_lines("rules/legal_moves.tsv");
    assert_eq!(lines.len(), 5000);
    for line in lines {
        let [sfen, _, expect] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let expect: Vec<_> = expect.split_whitespace().filter(|&m| m != "-").map(String::from).collect();
        assert_eq!(moves_of(sfen), expect, "{sfen}");
    }
}

#[test]
fn pawn_drop_mate_is_excluded() {
    for line in data_lines("rules/uchifuzume.tsv") {
        let [sfen, excluded, expect] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let moves = moves_of(sfen);
        assert!(!moves.iter().any(|m| m == excluded), "{excluded} in {sfen}");
        assert_eq!(moves, expect.split_whitespace().map(String::from).collect::<Vec<_>>(), "{sfen}");
        assert!(count(&Position::from(&image_from_sfen(sfen).0)).excludes_pawn_drop_mate(), "{sfen}");
    }
}

#[test]
fn uchifuzume_is_not_reported_without_cause() {
    for line in data_lines("rules/legal_moves.tsv") {
        let (sfen, expect) = (line.split('\t').next().unwrap(), line.split('\t').nth(2).unwrap());
        let (image, black) = image_from_sfen(sfen);
        let position = Position::from(&image);
        if !count(&position).excludes_pawn_drop_mate() {
            continue;
        }
        // The excluded drop is in front of the enemy king, missing from the legal moves, and would leave no reply.
        let king = position.their_king().trailing_zeros() as u8;
        let drop = Move16::drop(1, king + 1);
        assert!(!expect.split_whitespace().any(|m| m == usi(drop, black)), "{sfen}");
        let child = make_move(&position, drop);
        assert_eq!((child.faults(), count(&child).moves), (0, 0), "{sfen}");
        assert!(count(&child).in_check(), "{sfen}");
    }
}

fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return count(position).moves as u64;
    }
    let mut moves = Vec::new();
    generate(position, &mut moves);
    moves.iter().map(|record| perft(&make_move(position, record.mv), depth - 1)).sum()
}

#[test]
fn perft_values_are_the_published_ones() {
    let mut leaves = 0;
    for line in data_lines("rules/perft.tsv") {
        let [sfen, depth, nodes] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let nodes: u64 = nodes.parse().unwrap();
        if nodes <= 60_000_000 {
            let position = Position::from(&image_from_sfen(sfen).0);
            assert_eq!(perft(&position, depth.parse().unwrap()), nodes, "{line}");
            leaves += nodes;
        }
    }
    assert!(leaves > 50_000_000, "only {leaves} leaves");
}

#[test]
fn the_extremes_are_held() {
    let most = moves_of("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
    assert_eq!(most.len(), 593);
    assert_eq!(moves_of("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), Vec::<String>::new());
    // Nothing on the board and nothing in hand; everything in hand and no king at all.
    assert_eq!(moves_of("9/9/9/9/9/9/9/9/9 b - 1"), Vec::<String>::new());
    let all = moves_of("9/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1");
    assert_eq!(all.len(), 4 * SQUARES + 63 + 2 * 72);
}

#[test]
fn tsume_positions_have_their_mates() {
    for line in data_lines("mate/tsume_1.sfen") {
        let (sfen, solution) = line.strip_prefix("sfen ").unwrap().split_once(" moves ").unwrap();
        let moves = moves_of(sfen);
        assert!(moves.iter().any(|m| m == solution), "{solution} in {sfen}");
        let (image, black) = image_from_sfen(sfen);
        let position = Position::from(&image);
        let mut records = Vec::new();
        generate(&position, &mut records);
        let mate = records.iter().find(|record| usi(record.mv, black) == solution).unwrap();
        let reply = count(&make_move(&position, mate.mv));
        assert!(reply.in_check() && reply.moves == 0, "{solution} in {sfen}: {reply:?}");
    }
}
