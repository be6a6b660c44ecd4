//! Mates in one and in three plies, without a table: for leaves of this solver and of the game search.

use hayasashi_shogi::rules::{Move, MoveList, Position};

/// A check that mates at once.
pub fn mate_in_1(pos: &Position) -> Option<Move> {
    let candidates = candidates(pos);
    if candidates.is_empty() {
        return None;
    }
    first_mate(&mut pos.clone(), &candidates).map(|at| candidates[at])
}

/// A check after which every defence is met by mate in one, or that mates at once.
pub fn mate_in_3(pos: &Position) -> Option<Move> {
    if let Some(mv) = mate_in_1(pos) {
        return Some(mv);
    }
    let mut pos = pos.clone();
    let mut checks = MoveList::new();
    pos.checks(&mut checks);
    checks.iter().copied().find(|&mv| {
        let undo = pos.do_move(mv);
        let mut defences = MoveList::new();
        pos.legal_moves(&mut defences);
        let mated = defences.iter().all(|&defence| {
            let undo = pos.do_move(defence);
            let next = candidates(&pos);
            let mates = first_mate(&mut pos, &next).is_some();
            pos.undo_move(defence, undo);
            mates
        });
        pos.undo_move(mv, undo);
        mated
    })
}

/// Checks, among them one that mates if any does.
pub(super) fn candidates(pos: &Position) -> MoveList {
    let mut candidates = MoveList::new();
    pos.mating_checks(&mut candidates);
    candidates
}

/// Index of the first of these checks that mates.
pub(super) fn first_mate(pos: &mut Position, checks: &[Move]) -> Option<usize> {
    checks.iter().position(|&mv| {
        let undo = pos.do_move(mv);
        let mated = !pos.has_legal_move();
        pos.undo_move(mv, undo);
        mated
    })
}
