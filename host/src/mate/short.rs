//! Mates in one and in three plies, without a table: for leaves of this solver and of the game search.

use crate::rules::{Move, MoveList, Position};

/// A check that mates at once.
pub fn mate_in_1(pos: &Position) -> Option<Move> {
    let mut pos = pos.clone();
    let checks = checks(&pos);
    first_mate(&mut pos, &checks).map(|at| checks[at])
}

/// A check after which every defence is met by mate in one, or that mates at once.
pub fn mate_in_3(pos: &Position) -> Option<Move> {
    let mut pos = pos.clone();
    let checks = checks(&pos);
    if let Some(at) = first_mate(&mut pos, &checks) {
        return Some(checks[at]);
    }
    checks.iter().copied().find(|&mv| {
        let undo = pos.do_move(mv);
        let mut defences = MoveList::new();
        pos.legal_moves(&mut defences);
        let mated = defences.iter().all(|&defence| {
            let undo = pos.do_move(defence);
            let next = self::checks(&pos);
            let mates = first_mate(&mut pos, &next).is_some();
            pos.undo_move(defence, undo);
            mates
        });
        pos.undo_move(mv, undo);
        mated
    })
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

fn checks(pos: &Position) -> MoveList {
    let mut checks = MoveList::new();
    pos.checks(&mut checks);
    checks
}
