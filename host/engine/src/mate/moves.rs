//! The moves of both sides in search order, and which moves wait for others.

use hayasashi_shogi::rules::{Move, MoveList, PieceKind, Position};

/// A move, and the index of an earlier move in the list that must fail before this one is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub mv: Move,
    pub waits_for: Option<u16>,
}

/// The checks of the attacker. A pawn, lance, bishop or rook that could promote and does not waits: not promoting helps
/// only to avoid a pawn-drop mate.
pub(super) fn attacks(pos: &Position, found: &mut Vec<Candidate>) {
    let mut moves = MoveList::new();
    pos.checks(&mut moves);
    plain_promotions_first(pos, &mut moves, found);
}

/// The evasions of the defender: moves on the board, then drops. Drops on one square wait for each other, the cheapest
/// piece first.
pub(super) fn defences(pos: &Position, found: &mut Vec<Candidate>) {
    let mut moves = MoveList::new();
    pos.evasions(&mut moves);
    let begin = found.len();
    let mut board = MoveList::new();
    moves.iter().filter(|m| !m.is_drop()).for_each(|&m| board.push(m));
    plain_promotions_first(pos, &mut board, found);
    let mut last_on = [None; 81];
    for kind in PieceKind::HAND {
        for &mv in moves.iter().filter(|m| m.dropped() == Some(kind)) {
            let last: &mut Option<u16> = &mut last_on[mv.to().index()];
            let at = (found.len() - begin) as u16;
            found.push(Candidate { mv, waits_for: last.replace(at) });
        }
    }
}

/// Appends the moves. If promoting loses nothing, the move without promotion waits for the one with it.
fn plain_promotions_first(pos: &Position, moves: &mut MoveList, found: &mut Vec<Candidate>) {
    use PieceKind::{Bishop, Lance, Pawn, Rook};
    let begin = found.len();
    for &mv in moves.iter().filter(|m| m.is_promotion()) {
        found.push(Candidate { mv, waits_for: None });
    }
    let promoted = found.len();
    for &mv in moves.iter().filter(|m| !m.is_promotion()) {
        let kind = mv.from().and_then(|from| pos.piece_on(from)).map(|p| p.kind());
        let worse = matches!(kind, Some(Pawn | Lance | Bishop | Rook));
        let twin = |c: &Candidate| c.mv.from() == mv.from() && c.mv.to() == mv.to();
        let waits_for = if worse { found[begin..promoted].iter().position(twin).map(|at| at as u16) } else { None };
        found.push(Candidate { mv, waits_for });
    }
}
