//! The search for a brinkmate (*hisshi*): moves that threaten mate until no defence prevents it.
//!
//! It is a λ² search (T. Thomsen, *Lambda-search in game trees*, 2000). The attacker has checks and threats, which are
//! moves after which a pass would allow a mate by checks. The defender has all moves, and is not mated where he could win by
//! declaration. A mate by checks is searched by
//! df-pn; one table serves for all, so what was found after one defence helps after the next.
//!
//! Each iteration of the search allows one more move of the attacker before the mate, or more nodes for each mate.

use super::{
    dfpn::{Search, Stopped},
    solver::{MateLimits, MAX_PLIES},
    table::{Table, TableResult},
};
use crate::Control;
use hayasashi_shogi::rules::{
    attacks::piece_attacks, Bitboard, Color, Declaration, DeclarationRule, Move, MoveList, PieceKind, Position,
};
use std::collections::HashMap;

/// Nodes for each mate in the first iteration; each further one has twice as many.
const FIRST_NODES: u64 = 64;
/// A threat is searched with one part in so many of these nodes.
const THREAT_SHARE: u64 = 4;
/// Longest mate by checks at the end of a line, in plies.
const PLIES: u16 = MAX_PLIES as u16;
/// Refutations that are remembered: a defence against one threat is tried first against the next.
const REFUTATIONS: usize = 8;
/// Most positions that are remembered as failed.
const MOST_FAILED: usize = 1 << 20;

/// A forced mate that may begin with moves that are not checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brinkmate {
    /// Moves and the longest defences, up to the first check of a mate by checks.
    pub line: Vec<Move>,
    /// Plies within which every defence is mated.
    pub plies: u32,
}

/// The result of a search for a brinkmate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrinkmateAnswer {
    /// The brinkmate, if one was found. If not, there may be one all the same.
    pub found: Option<Brinkmate>,
    /// Moves made.
    pub nodes: u64,
}

/// A solver with its table.
pub struct BrinkmateSolver {
    table: Table,
}

impl BrinkmateSolver {
    /// A solver with a table of this size.
    pub fn new(hash_mebibytes: usize) -> BrinkmateSolver {
        BrinkmateSolver { table: Table::new(hash_mebibytes) }
    }

    /// Searches for a brinkmate by the side to move with at most `limits.plies` plies. Unless it is `thorough`, it gives up
    /// after some hundred nodes if it has found no threat that is not a check. Each search starts with an empty table, so under a
    /// node limit alone the result is the same in every run.
    pub fn solve(&mut self, pos: &Position, limits: &MateLimits, thorough: bool, control: &Control) -> BrinkmateAnswer {
        self.table.clear();
        let attacker = pos.side_to_move();
        let mates = Search::new(pos, &mut self.table, control, limits.time, limits.nodes);
        let mut search = LambdaSearch {
            mates,
            attacker,
            mate_nodes: 0,
            open: false,
            threatened: false,
            refutations: Vec::new(),
            failed: HashMap::new(),
        };
        let found = match pos.king_square(attacker.opponent()) {
            Some(_) => search.iterations(thorough).unwrap_or(None).filter(|b| b.plies <= limits.plies),
            None => None,
        };
        BrinkmateAnswer { found, nodes: search.mates.nodes }
    }
}

struct LambdaSearch<'a> {
    /// The searches for mates by checks; its position is that of this search too.
    mates: Search<'a>,
    attacker: Color,
    /// Most nodes for one mate.
    mate_nodes: u64,
    /// Whether more nodes or more moves could still change the result.
    open: bool,
    /// Whether a threat that is not a check was found.
    threatened: bool,
    /// The latest refutations, by the moves left to the attacker.
    refutations: Vec<Vec<Move>>,
    /// Positions of this iteration in which so many moves of the attacker do not lead to a mate.
    failed: HashMap<u64, (usize, u64)>,
}

impl LambdaSearch<'_> {
    /// `None`: more nodes or moves would find nothing either, or a search that is not `thorough` has met no threat.
    fn iterations(&mut self, thorough: bool) -> Result<Option<Brinkmate>, Stopped> {
        for iteration in 0.. {
            self.open = false;
            self.failed.clear();
            self.refutations.push(Vec::new());
            // Few moves with many nodes for each mate first, then more moves with fewer nodes.
            for moves in 1..=iteration + 1 {
                self.mate_nodes = FIRST_NODES << (2 * (iteration + 1 - moves)).min(40);
                if let Some(found) = self.attack(moves)? {
                    return Ok(Some(found));
                }
            }
            if !self.open || !thorough && !self.threatened {
                break;
            }
        }
        Ok(None)
    }

    fn make<T>(&mut self, mv: Move, search: impl FnOnce(&mut Self) -> Result<T, Stopped>) -> Result<T, Stopped> {
        self.mates.nodes += 1;
        let undo = self.mates.pos.do_move(mv);
        let result = search(self);
        self.mates.pos.undo_move(mv, undo);
        result
    }

    /// A mate by checks that `most` nodes find; the attacker is to move.
    fn mate(&mut self, most: u64) -> Result<Option<Brinkmate>, Stopped> {
        let (nodes, limit) = (self.mates.nodes, self.mates.node_limit);
        self.mates.node_limit = limit.min(nodes.saturating_add(most));
        let value = self.mates.solve(PLIES);
        self.mates.node_limit = limit;
        match value {
            Ok(value) if value.pn == 0 => {
                let best = match self.mates.known(PLIES) {
                    TableResult::Proof { best, .. } if best != Move::NONE => vec![best],
                    _ => Vec::new(),
                };
                Ok(Some(Brinkmate { line: best, plies: value.plies as u32 }))
            }
            Ok(_) => Ok(None),
            Err(Stopped) if self.mates.is_over() => Err(Stopped),
            Err(Stopped) => {
                self.open = true;
                Ok(None)
            }
        }
    }

    /// A mate with at most `moves` moves of the attacker before the checks of the mate.
    fn attack(&mut self, moves: usize) -> Result<Option<Brinkmate>, Stopped> {
        if let Some(mate) = self.mate(self.mate_nodes)? {
            return Ok(Some(mate));
        }
        if moves == 0 {
            self.open = true;
            return Ok(None);
        }
        let here = (moves, self.mate_nodes);
        if self.failed.get(&self.mates.pos.key()).is_some_and(|&f| f.0 >= here.0 && f.1 >= here.1) {
            return Ok(None);
        }
        for mv in self.attacks(moves > 1) {
            let found = self.make(mv, |s| if s.threatens()? { s.defend(mv, moves) } else { Ok(None) })?;
            if let Some(mut found) = found {
                found.line.insert(0, mv);
                found.plies += 1;
                return Ok(Some(found));
            }
        }
        if self.failed.len() >= MOST_FAILED {
            self.failed.clear();
        }
        self.failed.insert(self.mates.pos.key(), here);
        Ok(None)
    }

    /// Whether the defender is in check, or would be mated after a pass.
    fn threatens(&mut self) -> Result<bool, Stopped> {
        if self.mates.pos.in_check() {
            return Ok(true);
        }
        let undo = self.mates.pos.do_null_move();
        let mate = self.mate(self.mate_nodes / THREAT_SHARE);
        self.mates.pos.undo_null_move(undo);
        let threatens = mate?.is_some();
        self.threatened |= threatens;
        Ok(threatens)
    }

    /// Whether every defence after the attacker's move `threat` is mated; the longest defence if so.
    fn defend(&mut self, threat: Move, moves: usize) -> Result<Option<Brinkmate>, Stopped> {
        // Of the two rules, this one asks for fewer points.
        if self.mates.pos.declaration(DeclarationRule::Points24) != Declaration::NotAllowed {
            return Ok(None);
        }
        let mut longest = Brinkmate { line: Vec::new(), plies: 0 };
        for mv in self.defences(threat, moves) {
            match self.make(mv, |s| s.attack(moves - 1))? {
                Some(mut found) => {
                    if found.plies >= longest.plies {
                        found.line.insert(0, mv);
                        found.plies += 1;
                        longest = found;
                    }
                }
                None => {
                    let refutations = &mut self.refutations[moves - 1];
                    refutations.retain(|&r| r != mv);
                    refutations.insert(0, mv);
                    refutations.truncate(REFUTATIONS);
                    return Ok(None);
                }
            }
        }
        Ok(Some(longest))
    }

    /// The attacker's moves that attack a square around the king, capture, or promote a rook or bishop; those that attack
    /// most squares come first, after checks.
    fn attacks(&self, with_checks: bool) -> Vec<Move> {
        let pos = &self.mates.pos;
        let Some(king) = pos.king_square(self.attacker.opponent()) else { return Vec::new() };
        let around = piece_attacks(self.attacker, PieceKind::King, king, Bitboard::EMPTY);
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let mut ranked: Vec<(i32, Move)> = Vec::new();
        for &mv in &moves {
            if pos.gives_check(mv) {
                if with_checks {
                    ranked.push((-9, mv));
                }
                continue;
            }
            let near = attacks_after(pos, mv) & around;
            if near.is_empty() && !pos.is_forcing(mv) {
                continue;
            }
            ranked.push((-(near.count() as i32) - pos.is_forcing(mv) as i32, mv));
        }
        ranked.sort_by_key(|r| r.0);
        ranked.into_iter().map(|r| r.1).collect()
    }

    /// The defender's moves: refutations of other threats, captures of the threatening piece, other captures, the king,
    /// the rest.
    fn defences(&self, threat: Move, moves: usize) -> Vec<Move> {
        let pos = &self.mates.pos;
        let king = pos.king_square(self.attacker.opponent());
        let mut found = MoveList::new();
        pos.legal_moves(&mut found);
        let rank = |mv: Move| match self.refutations[moves - 1].iter().position(|&r| r == mv) {
            Some(at) => at,
            None if mv.to() == threat.to() => REFUTATIONS,
            None if pos.gives_check(mv) => REFUTATIONS + 1,
            None if pos.piece_on(mv.to()).is_some() => REFUTATIONS + 2,
            None if mv.from().is_some() && mv.from() == king => REFUTATIONS + 3,
            None => REFUTATIONS + 4,
        };
        let mut ranked: Vec<(usize, Move)> = found.iter().map(|&mv| (rank(mv), mv)).collect();
        ranked.sort_by_key(|r| r.0);
        ranked.into_iter().map(|r| r.1).collect()
    }
}

/// The squares that the moved piece attacks after a move.
fn attacks_after(pos: &Position, mv: Move) -> Bitboard {
    let occupied = pos.occupied().without(mv.from().map_or(Bitboard::EMPTY, Bitboard::single));
    let kind =
        PieceKind::from_code(pos.moved_kind(mv)).map(|k| if mv.is_promotion() { k.promote().unwrap_or(k) } else { k });
    kind.map_or(Bitboard::EMPTY, |kind| piece_attacks(pos.side_to_move(), kind, mv.to(), occupied))
}
