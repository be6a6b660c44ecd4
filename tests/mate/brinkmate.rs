//! Brinkmates: what the solver claims holds against every defence, and it finds what exhaustive search finds.

use super::{
    random::{mates, small_position},
    verify::legal,
};
use hayasashi_engine::{
    mate::{Brinkmate, BrinkmateSolver, MateLimits, MateOutcome, Solver},
    Control,
};
use hayasashi_shogi::{
    random::Random,
    rules::{Move, Position},
};
use hayasashi_tests::data_lines;

fn solve(solver: &mut BrinkmateSolver, pos: &Position, nodes: u64) -> Option<Brinkmate> {
    solver.solve(pos, &MateLimits { nodes, ..MateLimits::default() }, true, &Control::default()).found
}

fn after(pos: &Position, mv: Move) -> Position {
    let mut pos = pos.clone();
    pos.do_move(mv);
    pos
}

/// Judges a claim: after every defence the solver of mates by checks finds a mate, which the rules then replay, or there is
/// another brinkmate, which is judged in turn.
fn holds(pos: &Position, claim: &Brinkmate, left: u32) -> bool {
    assert!(left > 0, "{pos}: the claims do not come to an end");
    let next = after(pos, claim.line[0]);
    legal(&next).iter().all(|&defence| {
        let pos = after(&next, defence);
        let limits = MateLimits { nodes: 1_000_000, ..MateLimits::default() };
        if let MateOutcome::Mate(_) = Solver::new(16).solve(&pos, &limits, &Control::default()).outcome {
            return true;
        }
        solve(&mut BrinkmateSolver::new(16), &pos, 1_000_000).is_some_and(|claim| holds(&pos, &claim, left - 1))
    })
}

/// In every tenth position of the data, half of them from games.
#[test]
fn claims_hold_in_positions_of_games() {
    let mut solver = BrinkmateSolver::new(16);
    let (mut claims, mut quiet) = (0, 0);
    for line in data_lines("rules/legal_moves.tsv").into_iter().step_by(10) {
        let pos = Position::from_sfen(line.split('\t').next().unwrap()).unwrap();
        let Some(claim) = solve(&mut solver, &pos, 20_000) else { continue };
        assert!(holds(&pos, &claim, 8), "{pos}: {:?}", claim.line);
        claims += 1;
        quiet += !pos.gives_check(claim.line[0]) as u32;
    }
    println!("{claims} claims, {quiet} of them begin with a move that is no check");
    assert!(claims >= 25 && quiet >= 2, "{claims} claims, {quiet} quiet");
}

/// On small random positions: of those in which every first move was tried, the solver finds nearly all mates in three plies that begin
/// with a move that is no check, and claims no others.
#[test]
fn small_positions_agree_with_exhaustive_search() {
    let mut random = Random::from_state(7);
    let (mut solver, mut by_checks) = (BrinkmateSolver::new(1), Solver::new(1));
    let (mut threats, mut missed, mut without) = (0, 0, 0);
    for _ in 0..4_000 {
        let Some(mut pos) = small_position(&mut random) else { continue };
        let limits = MateLimits { nodes: 20_000, ..MateLimits::default() };
        if !matches!(by_checks.solve(&pos, &limits, &Control::default()).outcome, MateOutcome::NoMate) {
            continue;
        }
        let Some(expected) = mates(&mut pos, 3, true, &mut 200_000) else { continue };
        let found = solve(&mut solver, &pos, 20_000);
        if found.as_ref().is_some_and(|f| f.plies <= 3) {
            assert!(expected, "{pos}: {found:?}");
        }
        without += !expected as u32;
        threats += expected as u32;
        missed += (expected && found.is_none()) as u32;
    }
    println!("{threats} brinkmates in three plies, {missed} of them missed; {without} positions without");
    assert!(threats >= 15 && missed <= threats / 8 && without >= 500, "{threats}, {missed}, {without}");
}
