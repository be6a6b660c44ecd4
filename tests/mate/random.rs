//! The mate solver on thousands of small random positions, against exhaustive search: few pieces, distant sliders, the same board
//! with several hands. Such positions show errors in domination of hands, loops, interpositions and promotions.

use hayasashi_engine::{
    mate::{MateLimits, MateOutcome, ProofNumberTree, Solver},
    Control,
};
use hayasashi_shogi::{
    random::Random,
    rules::{MoveList, Position},
};

fn one<'a>(random: &mut Random, of: &[&'a str]) -> &'a str {
    of[random.below(of.len())]
}

/// A king near a corner, a few pieces around it and far away, and small hands; not always a legal position.
pub(super) fn small_position(random: &mut Random) -> Option<Position> {
    let mut board = [[""; 9]; 9];
    let king = (random.below(4), 8 - random.below(4));
    board[king.0][king.1] = "k";
    let mut place = |random: &mut Random, pieces: &[&'static str], count: usize, ranks: usize, files: usize| {
        for _ in 0..count {
            let square = &mut board[random.below(ranks)][8 - random.below(files)];
            if square.is_empty() {
                *square = one(random, pieces);
            }
        }
    };
    let near = 1 + random.below(3);
    place(random, &["G", "S", "+P", "+P", "P", "N", "L", "R", "B"], near, 5, 5);
    let far = 1 + random.below(2);
    place(random, &["R", "B", "+R", "+B", "L", "L"], far, 9, 9);
    let theirs = random.below(4);
    place(random, &["p", "l", "n", "s", "g", "b", "r"], theirs, 5, 5);
    let mut hands = String::new();
    for (pieces, most) in [(["P", "P", "L", "N", "S", "G"], 3), (["p", "p", "l", "n", "s", "g"], 3)] {
        for _ in 0..random.below(most) {
            hands += one(random, &pieces);
        }
    }
    let rank = |row: &[&str; 9]| {
        let mut text = String::new();
        let mut empty = 0;
        for piece in row.iter().chain([&"/"]) {
            if piece.is_empty() {
                empty += 1;
            } else {
                if empty > 0 {
                    text += &empty.to_string();
                }
                empty = 0;
                text += piece;
            }
        }
        text
    };
    let board: String = board.iter().map(rank).collect();
    let hands = if hands.is_empty() { "-" } else { &hands };
    Position::from_sfen(&format!("{} b {hands} 1", board.trim_end_matches('/'))).ok()
}

/// The plies of the shortest mate up to `most` plies, if there is one; `None` once `left` moves are made.
fn shortest(pos: &mut Position, most: u32, left: &mut u64) -> Option<Option<u32>> {
    for plies in (1..=most).step_by(2) {
        if mates(pos, plies, false, left)? {
            return Some(Some(plies));
        }
    }
    Some(None)
}

/// Whether the mover mates within `plies` plies, by checks or, if `quiet`, by any moves; with an even number, whether he is mated.
pub(super) fn mates(pos: &mut Position, plies: u32, quiet: bool, left: &mut u64) -> Option<bool> {
    let attacks = plies % 2 == 1;
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    if plies == 0 {
        return Some(moves.is_empty());
    }
    for &mv in &moves {
        *left = left.checked_sub(1)?;
        let undo = pos.do_move(mv);
        let mated = if attacks && !quiet && !pos.in_check() { Some(false) } else { mates(pos, plies - 1, quiet, left) };
        pos.undo_move(mv, undo);
        if mated? == attacks {
            return Some(attacks);
        }
    }
    Some(!attacks)
}

#[test]
fn small_positions_are_solved_as_by_exhaustive_search() {
    let mut random = Random::from_state(1);
    let (mut solver, mut tree) = (Solver::new(1), ProofNumberTree::new(20_000));
    // By plies of the mate; at 0 those without.
    let mut seen = [0; 8];
    let mut no_mate = 0;
    for _ in 0..4_000 {
        let Some(mut pos) = small_position(&mut random) else { continue };
        let Some(expected) = shortest(&mut pos, 7, &mut 60_000) else { continue };
        seen[expected.unwrap_or(0) as usize] += 1;
        for plies in [3, 5, 7] {
            let limits = MateLimits { plies, ..MateLimits::default() };
            let found = match solver.solve(&pos, &limits, &Control::default()).outcome {
                MateOutcome::Mate(mate) => Some(mate.plies),
                MateOutcome::NoMate => None,
                other => panic!("{pos} in {plies}: {other:?}"),
            };
            assert_eq!(found, expected.filter(|&e| e <= plies), "{pos} in {plies}");
        }
        let limits = MateLimits { nodes: 200_000, ..MateLimits::default() };
        match (solver.solve(&pos, &limits, &Control::default()).outcome, expected) {
            (MateOutcome::Mate(mate), Some(plies)) => {
                assert!(mate.shortest && mate.plies == plies, "{pos}: {:?}, not {plies}", mate.line);
            }
            (MateOutcome::Mate(mate), None) => assert!(mate.plies > 7, "{pos}: {:?}", mate.line),
            (MateOutcome::NoMate, None) => {
                assert_ne!(tree.solve(&pos), Some(true), "{pos}");
                no_mate += 1;
            }
            (MateOutcome::Unknown, None) => {}
            (other, _) => panic!("{pos}: {other:?}, but {expected:?}"),
        }
    }
    assert!([0, 1, 3, 5, 7].iter().all(|&n| seen[n] > 15) && no_mate > 150, "{seen:?}, {no_mate}");
}
