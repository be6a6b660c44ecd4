//! The mate solver against problems with published solutions, other searches, and the rules.

use hayasashi_engine::{
    mate::{mate_in_1, mate_in_3, Mate, MateAnswer, MateLimits, MateOutcome, ProofNumberTree, Solver},
    Control,
};
use hayasashi_shogi::rules::{MoveList, Position};
use hayasashi_tests::data_lines;
use std::time::Duration;

fn problems(file: &str) -> impl Iterator<Item = (Position, usize)> {
    data_lines(&format!("mate/{file}")).into_iter().map(|line| {
        let (sfen, moves) = line.strip_prefix("sfen ").unwrap().split_once(" moves ").unwrap();
        (Position::from_problem_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}")), moves.split(' ').count())
    })
}

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"))
}

/// Every `step`th position of a table of positions.
fn sampled(file: &str, step: usize) -> impl Iterator<Item = Position> {
    let lines = data_lines(&format!("rules/{file}"));
    lines.into_iter().step_by(step).map(|line| position(line.split('\t').next().unwrap()))
}

fn nodes(nodes: u64) -> MateLimits {
    MateLimits { nodes, ..MateLimits::default() }
}

fn plies(plies: u32) -> MateLimits {
    MateLimits { plies, ..MateLimits::default() }
}

fn solve(solver: &mut Solver, pos: &Position, limits: &MateLimits) -> MateAnswer {
    solver.solve(pos, limits, &Control::default())
}

/// `Some` whether there is a mate, `None` if that was not settled.
fn settled(answer: &MateAnswer) -> Option<bool> {
    match &answer.outcome {
        MateOutcome::Mate(_) => Some(true),
        MateOutcome::NoMate => Some(false),
        MateOutcome::Unknown => None,
        MateOutcome::InvalidStrategy(flaw) => panic!("{flaw}"),
    }
}

fn mate(answer: MateAnswer) -> Mate {
    match answer.outcome {
        MateOutcome::Mate(mate) => mate,
        other => panic!("no mate: {other:?}"),
    }
}

/// Is there a mate within so many plies? Tries every move, remembers nothing; `None` once `left` moves are made.
fn exhaustive(pos: &mut Position, plies: u32, left: &mut u64) -> Option<bool> {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    for &mv in &moves {
        *left = left.checked_sub(1)?;
        let undo = pos.do_move(mv);
        let mates = if pos.in_check() { defenceless(pos, plies - 1, left) } else { Some(false) };
        pos.undo_move(mv, undo);
        if mates != Some(false) {
            return mates;
        }
    }
    Some(false)
}

fn defenceless(pos: &mut Position, plies: u32, left: &mut u64) -> Option<bool> {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    if plies == 0 {
        return Some(moves.is_empty());
    }
    for &mv in &moves {
        let undo = pos.do_move(mv);
        let mates = exhaustive(pos, plies - 1, left);
        pos.undo_move(mv, undo);
        if mates != Some(true) {
            return mates;
        }
    }
    Some(true)
}

/// The line ends in mate, and every move of the attacker checks.
fn check_line(pos: &Position, mate: &Mate) {
    let mut pos = pos.clone();
    for (ply, &mv) in mate.line.iter().enumerate() {
        assert!(pos.is_legal(mv), "{mv} in {pos}");
        pos.do_move(mv);
        assert!(ply % 2 == 1 || pos.in_check(), "{mv} leads to {pos}");
    }
    assert!(mate.line.len() % 2 == 1 && pos.in_check() && !pos.has_legal_move(), "{pos}");
}

#[test]
fn problems_are_solved_by_shortest_mates() {
    let mut solver = Solver::new(16);
    for file in [
        "collection_1.sfen",
        "collection_3.sfen",
        "collection_5.sfen",
        "collection_7.sfen",
        "collection_9.sfen",
        "collection_games.sfen",
    ] {
        for (pos, given) in problems(file) {
            let mate = mate(solve(&mut solver, &pos, &nodes(1_000_000)));
            check_line(&pos, &mate);
            assert!(mate.shortest && mate.plies as usize <= given, "{pos}: {:?}, not {given} plies", mate.line);
            assert!(mate.counted as usize <= mate.line.len(), "{pos}");
        }
    }
}

#[test]
fn limits_of_plies_agree_with_exhaustive_search() {
    let mut solver = Solver::new(4);
    let mut found = [[0; 2]; 3];
    let positions = sampled("legal_moves.tsv", 4).chain(sampled("uchifuzume.tsv", 1));
    for mut pos in positions.chain(problems("collection_games.sfen").map(|p| p.0)) {
        for (at, limit) in [1, 3, 5].into_iter().enumerate() {
            let Some(expected) = exhaustive(&mut pos, limit, &mut 100_000) else { continue };
            let answer = solve(&mut solver, &pos, &plies(limit));
            assert_eq!(settled(&answer), Some(expected), "{pos} in {limit}");
            if expected && limit <= 3 {
                assert!(mate_in_3(&pos).is_some(), "{pos}");
            }
            if limit == 1 {
                assert_eq!(mate_in_1(&pos).is_some(), expected, "{pos}");
            } else if limit == 3 {
                assert_eq!(mate_in_3(&pos).is_some(), expected, "{pos}");
            }
            if expected {
                let mate = mate(answer);
                check_line(&pos, &mate);
                // What the shortest mate is, exhaustive search has told already.
                assert!(mate.shortest && mate.plies <= limit, "{pos}: {:?}", mate.line);
                found[at][1] += 1;
                break;
            }
            found[at][0] += 1;
        }
    }
    assert!(found.iter().flatten().all(|&n| n > 20), "{found:?}");
}

#[test]
fn mates_in_one_agree_with_another_crate() {
    use rsshogi::{board, mate::solve_mate_in_one};
    let mut mates = 0;
    for pos in sampled("legal_moves.tsv", 1).chain(problems("collection_games.sfen").map(|p| p.0)) {
        let theirs = solve_mate_in_one(&board::position_from_sfen(&pos.to_sfen()).unwrap());
        assert_eq!(mate_in_1(&pos).is_some(), theirs.is_some(), "{pos}");
        mates += theirs.is_some() as u32;
    }
    assert!(mates > 100, "{mates}");
}

#[test]
fn proof_number_search_comes_to_the_same_answer() {
    let (mut solver, mut oracle) = (Solver::new(4), ProofNumberTree::new(60_000));
    let mut settled_by_both = [0; 2];
    let random = sampled("legal_moves.tsv", 5).chain(sampled("uchifuzume.tsv", 1));
    let short =
        ["collection_1.sfen", "collection_3.sfen", "collection_5.sfen"].into_iter().flat_map(problems).step_by(3);
    for pos in random.chain(short.map(|p| p.0)) {
        let (Some(theirs), Some(ours)) = (oracle.solve(&pos), settled(&solve(&mut solver, &pos, &nodes(30_000))))
        else {
            continue;
        };
        assert_eq!(ours, theirs, "{pos}");
        settled_by_both[ours as usize] += 1;
    }
    assert!(settled_by_both.iter().all(|&n| n > 200), "{settled_by_both:?}");
}

#[test]
fn positions_said_to_have_no_mate_have_none() {
    let mut solver = Solver::new(4);
    let mut proved = 0;
    for mut pos in sampled("legal_moves.tsv", 7).chain(sampled("uchifuzume.tsv", 2)) {
        let answer = solve(&mut solver, &pos, &nodes(20_000));
        if settled(&answer) == Some(false) {
            for limit in [3, 5, 7] {
                if let Some(found) = exhaustive(&mut pos, limit, &mut 100_000) {
                    assert!(!found, "{pos} in {limit}");
                }
            }
            proved += 1;
        }
    }
    assert!(proved > 300, "{proved}");
}

#[test]
fn a_small_table_changes_no_answer() {
    let (mut small, mut large) = (Solver::new(1), Solver::new(64));
    let positions = problems("collection_games.sfen").map(|p| p.0).chain(sampled("legal_moves.tsv", 40));
    for pos in positions {
        let limits = nodes(200_000);
        let (one, other) = (solve(&mut small, &pos, &limits), solve(&mut large, &pos, &limits));
        let (one, other) = (settled(&one), settled(&other));
        assert!(one == other || one.is_none() || other.is_none(), "{pos}: {one:?}, {other:?}");
    }
}

#[test]
fn equal_limits_of_nodes_give_equal_searches() {
    for (pos, _) in problems("collection_games.sfen").step_by(10) {
        let mut one = Solver::new(8);
        let told = |answer: MateAnswer| (settled(&answer), answer.nodes, answer.hash_permille);
        let first = told(solve(&mut one, &pos, &nodes(5_000)));
        // What came before leaves no trace.
        solve(&mut one, &position("4k4/9/4P4/9/9/9/9/9/9 b 2G2S 1"), &nodes(5_000));
        assert_eq!(told(solve(&mut one, &pos, &nodes(5_000))), first, "{pos}");
        assert!(first.1 < 5_000 + 1_000, "{pos}: {} nodes", first.1);
    }
}

/// A pawn's drop that would be mate, and nothing else.
#[test]
fn a_pawn_drop_does_not_mate() {
    let trap = "7lk/9/7G1/9/9/9/9/9/9 b";
    let mut solver = Solver::new(1);
    assert_eq!(settled(&solve(&mut solver, &position(&format!("{trap} P 1")), &MateLimits::default())), Some(false));
    assert_eq!(mate(solve(&mut solver, &position(&format!("{trap} L 1")), &MateLimits::default())).line.len(), 1);
    // Where the pawn's drop would mate, nothing may claim that it does.
    for line in data_lines("rules/uchifuzume.tsv") {
        let mut fields = line.split('\t');
        let (pos, drop) = (position(fields.next().unwrap()), fields.next().unwrap());
        assert_ne!(mate_in_1(&pos).map(hayasashi_shogi::rules::Move::to_usi).as_deref(), Some(drop), "{pos}");
    }
}

/// The way round a pawn-drop mate: the rook that does not promote leaves the king a square.
#[test]
fn pieces_stay_unpromoted_where_that_mates() {
    let mut solver = Solver::new(4);
    let mut unpromoted = 0;
    for mut pos in sampled("uchifuzume.tsv", 1) {
        for limit in [1, 3] {
            let Some(expected) = exhaustive(&mut pos, limit, &mut 1_000_000) else { continue };
            assert_eq!(settled(&solve(&mut solver, &pos, &plies(limit))), Some(expected), "{pos}");
            unpromoted += expected as u32;
        }
    }
    assert!(unpromoted > 5, "{unpromoted}");
}

/// Checks that can go on for ever are no mate, and that is proved, not given up.
#[test]
fn perpetual_check_is_no_mate() {
    for sfen in [
        "4k4/9/9/9/9/9/9/9/R8 b - 1",
        "1k7/9/9/9/9/9/9/9/R7K b - 1",
        "k8/9/9/9/9/9/9/9/1R+B5K b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2R 1",
        "9/9/9/4k4/9/9/9/9/9 b RB 1",
    ] {
        let answer = solve(&mut Solver::new(16), &position(sfen), &nodes(20_000_000));
        assert!(settled(&answer).is_some(), "{sfen}: unsettled after {} nodes", answer.nodes);
        if let Some(expected) = ProofNumberTree::new(300_000).solve(&position(sfen)) {
            assert_eq!(settled(&answer), Some(expected), "{sfen}");
        }
    }
}

#[test]
fn unusual_roots_are_answered() {
    let mut solver = Solver::new(1);
    for (sfen, length) in [
        // No king to mate; nothing to check with; the mover is mated himself.
        ("9/9/9/9/9/9/9/9/4K4 b RB 1", None),
        ("4k4/9/9/9/9/9/9/9/4K4 b - 1", None),
        ("k8/1G7/1K7/9/9/9/9/9/9 w - 1", None),
        // The attacker has no king, and is White.
        ("9/9/9/9/9/9/p8/9/K8 w g 1", Some(1)),
        // The attacker is in check: taking the checker mates; he can take it, but not with check; nothing helps.
        ("6G1k/9/+R7r/9/9/9/9/9/8K b - 1", Some(1)),
        ("7gk/7r1/7G1/9/9/9/9/9/7K1 b - 1", None),
        ("8k/9/7SG/9/9/9/9/8r/8K b G 1", None),
    ] {
        let mut pos = position(sfen);
        let answer = solve(&mut solver, &pos, &MateLimits::default());
        let expected = [1, 3, 5].into_iter().find(|&l| exhaustive(&mut pos, l, &mut 1_000_000) == Some(true));
        match settled(&answer) {
            Some(true) => assert_eq!(Some(mate(answer).plies), expected, "{sfen}"),
            other => assert_eq!((other, expected), (Some(false), None), "{sfen}"),
        }
        assert!(length.is_none() || length == expected, "{sfen}: {expected:?}");
    }
}

#[test]
fn a_search_ends_when_it_is_told_to() {
    let pos = position("g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1");
    let mut solver = Solver::new(1);
    let control = Control::default();
    control.stop();
    let answer = solver.solve(&pos, &MateLimits::default(), &control);
    assert!(settled(&answer).is_none() && answer.nodes < 1_000, "{}", answer.nodes);
    let answer =
        solve(&mut solver, &pos, &MateLimits { time: Some(Duration::from_millis(20)), ..MateLimits::default() });
    assert_eq!(settled(&answer), None);
}
