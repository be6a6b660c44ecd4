//! The replay by the rules, which every reported mate has passed, refuses wrong solutions.

use hayasashi_engine::{
    mate::{verify, Mate, MateLimits, MateOutcome, Solver, Strategy, StrategyError},
    Control,
};
use hayasashi_shogi::rules::{Color, Move, MoveList, Position};
use hayasashi_tests::data_lines;

fn solved(pos: &Position) -> Mate {
    match Solver::new(4).solve(pos, &MateLimits::default(), &Control::default()).outcome {
        MateOutcome::Mate(mate) => mate,
        other => panic!("{pos}: {other:?}"),
    }
}

fn position(sfen: &str) -> Position {
    Position::from_problem_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"))
}

pub(super) fn legal(pos: &Position) -> MoveList {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    moves
}

/// Positions of a solution with the attacker to move.
fn attacker_to_move(root: &Position, strategy: &Strategy) -> Vec<Position> {
    let (mut found, mut left) = (Vec::new(), vec![root.clone()]);
    while let Some(mut pos) = left.pop() {
        let mv = strategy.answer(&pos).expect("the solution is whole");
        found.push(pos.clone());
        pos.do_move(mv);
        for &defence in &legal(&pos) {
            let mut next = pos.clone();
            next.do_move(defence);
            if !found.contains(&next) {
                left.push(next);
            }
        }
    }
    found
}

/// A three-ply problem with its solution.
fn example() -> (Position, Strategy) {
    let pos = position("9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1");
    let strategy = solved(&pos).strategy;
    (pos, strategy)
}

#[test]
fn a_missing_answer_is_found() {
    let (pos, strategy) = example();
    assert!(verify(&pos, &strategy).is_ok());
    let mut part = Strategy::default();
    part.set(&pos, strategy.answer(&pos).unwrap());
    assert!(matches!(verify(&pos, &part), Err(StrategyError::Unanswered(_))));
    assert!(matches!(verify(&pos, &Strategy::default()), Err(StrategyError::Unanswered(_))));
}

#[test]
fn illegal_answers_and_quiet_moves_are_found() {
    let (pos, strategy) = example();
    for at in attacker_to_move(&pos, &strategy) {
        let mut wrong = strategy.clone();
        wrong.set(&at, Move::from_usi("9a9b").unwrap());
        assert!(matches!(verify(&pos, &wrong), Err(StrategyError::Illegal(..))), "{at}");
        let quiet = *legal(&at).iter().find(|&&m| !at.gives_check(m)).unwrap();
        wrong.set(&at, quiet);
        assert!(matches!(verify(&pos, &wrong), Err(StrategyError::NoCheck(..))), "{at}");
    }
}

#[test]
fn a_pawn_drop_mate_is_illegal() {
    let pos = position("7lk/9/7G1/9/9/9/9/9/9 b P 1");
    let mut wrong = Strategy::default();
    wrong.set(&pos, Move::from_usi("P*1b").unwrap());
    assert!(matches!(verify(&pos, &wrong), Err(StrategyError::Illegal(..))));
}

#[test]
fn answers_that_go_in_a_circle_are_found() {
    // The rook checks from afar wherever the king goes; sooner or later a position returns.
    let pos = position("4k4/9/9/9/9/9/9/9/R8 b - 1");
    let far = |pos: &Position, mv: Move| {
        let king = pos.king_square(Color::White).unwrap();
        king.file().abs_diff(mv.to().file()).max(king.rank().abs_diff(mv.to().rank())) > 1
    };
    let (mut wrong, mut left) = (Strategy::default(), vec![pos.clone()]);
    while let Some(mut pos) = left.pop() {
        if wrong.answer(&pos).is_some() {
            continue;
        }
        let Some(&check) = legal(&pos).iter().find(|&&m| pos.gives_check(m) && far(&pos, m)) else { continue };
        wrong.set(&pos, check);
        pos.do_move(check);
        for &defence in &legal(&pos) {
            let mut next = pos.clone();
            next.do_move(defence);
            left.push(next);
        }
    }
    assert!(matches!(verify(&pos, &wrong), Err(StrategyError::Circle(_))), "{:?}", verify(&pos, &wrong));
}

/// Each answer of many solutions is replaced by each other check: what is still accepted must be a mate, by the
/// solver's own word on the position after it.
#[test]
fn changed_solutions_are_refused_unless_they_mate() {
    let (mut refused, mut accepted) = (0, 0);
    for line in data_lines("mate/collection_3.sfen").iter().step_by(4) {
        let pos = position(line.strip_prefix("sfen ").unwrap().split(" moves ").next().unwrap());
        let strategy = solved(&pos).strategy;
        for at in attacker_to_move(&pos, &strategy) {
            for &check in legal(&at).iter().filter(|&&m| at.gives_check(m) && Some(m) != strategy.answer(&at)) {
                let mut changed = strategy.clone();
                changed.set(&at, check);
                match verify(&pos, &changed) {
                    Err(_) => refused += 1,
                    Ok(_) => {
                        let mut after = at.clone();
                        after.do_move(check);
                        for &defence in &legal(&after) {
                            let mut next = after.clone();
                            next.do_move(defence);
                            solved(&next);
                        }
                        accepted += 1;
                    }
                }
            }
        }
    }
    assert!(refused > 100 && accepted > 0, "{refused} refused, {accepted} accepted");
}
