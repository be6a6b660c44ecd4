//! From a proof in the table to the attacker's whole strategy.

use super::{
    dfpn::{Search, Stopped},
    table::{TableKey, TableResult},
};
use hayasashi_shogi::rules::{Color, Move, MoveList, Position};
use std::collections::HashMap;

/// The attacker's move in every position that the defence can bring about: a solution tree, equal positions joined.
#[derive(Clone, Debug, Default)]
pub struct Strategy {
    answers: HashMap<TableKey, (Move, u16)>,
}

impl Strategy {
    /// The attacker's move.
    pub fn answer(&self, pos: &Position) -> Option<Move> {
        self.answers.get(&place(pos, pos.side_to_move())).map(|a| a.0)
    }

    /// Positions with an answer.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether it has no answer at all.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Takes over the answers of another strategy; where both have one, that of the shorter mate stays.
    pub fn extend(&mut self, other: Strategy) {
        for (place, answer) in other.answers {
            let own = self.answers.entry(place).or_insert(answer);
            if answer.1 < own.1 {
                *own = answer;
            }
        }
    }

    /// Sets the move of a position, which [`super::verify`] is to judge.
    pub fn set(&mut self, pos: &Position, mv: Move) {
        self.answers.insert(place(pos, pos.side_to_move()), (mv, 0));
    }
}

/// A position by the hand of `attacker`.
pub(super) fn place(pos: &Position, attacker: Color) -> TableKey {
    TableKey { board: pos.board_key(), hand: pos.hand(attacker) }
}

/// Gathers the strategy of a position that `search` has just proved to be a mate within `plies`. What the table has
/// lost is searched again.
pub(super) fn gather(search: &mut Search, plies: u16) -> Result<Strategy, Stopped> {
    let mut strategy = Strategy::default();
    let mut left = vec![(search.pos.clone(), plies)];
    let mut moves = MoveList::new();
    while let Some((mut pos, plies)) = left.pop() {
        let here = place(&pos, pos.side_to_move());
        // Each answer leads to positions of shorter mates, also where one takes the place of another.
        if strategy.answers.get(&here).is_some_and(|a| a.1 <= plies) {
            continue;
        }
        let (mv, length) = match shortest(search, &mut pos, plies) {
            Some(found) => found,
            None => {
                search.pos = pos.clone();
                let value = search.solve(plies)?;
                match (value.pn, search.known(plies)) {
                    (0, TableResult::Proof { best, .. }) => (best, value.plies),
                    _ => return Err(Stopped),
                }
            }
        };
        strategy.answers.insert(here, (mv, length));
        pos.do_move(mv);
        moves.clear();
        pos.legal_moves(&mut moves);
        for &reply in &moves {
            let mut next = pos.clone();
            next.do_move(reply);
            left.push((next, length - 2));
        }
    }
    Ok(strategy)
}

/// The check of the shortest mate within `plies` that the table knows, with its length.
fn shortest(search: &Search, pos: &mut Position, plies: u16) -> Option<(Move, u16)> {
    let attacker = pos.side_to_move();
    let mut checks = MoveList::new();
    pos.checks(&mut checks);
    let mut best: Option<(Move, u16)> = None;
    for &mv in &checks {
        let most = best.map_or(plies, |b| b.1 - 2);
        let undo = pos.do_move(mv);
        let length = match pos.has_legal_move() {
            false => Some(1),
            true if most > 1 => match search.table().get(place(pos, attacker), most - 1) {
                TableResult::Proof { plies, .. } => Some(plies + 1),
                _ => None,
            },
            true => None,
        };
        pos.undo_move(mv, undo);
        if let Some(length) = length {
            best = Some((mv, length));
            if length == 1 {
                break;
            }
        }
    }
    best
}
