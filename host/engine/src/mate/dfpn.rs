//! Depth-first proof-number search (A. Nagai, 1999 and 2002).
//!
//! The proof number of a position is the least number of leaves that must be mates to prove a mate; the disproof number
//! is its counterpart (L. V. Allis, 1994). The search descends to a most-proving node and stays below a position while
//! its numbers are below thresholds. Results go to the [`Table`].
//!
//! | trouble | remedy |
//! |---|---|
//! | jumping to and fro between two children | thresholds a quarter above the second child's (1 + ε; J. Pawlewicz, Ł. Lew, 2007) |
//! | endless loops on cyclic graphs | thresholds are raised where a child was seen nearer to the root, until a new leaf is met (TCA; A. Kishimoto, 2010) |
//! | a disproof that holds along one path alone | it is kept with the path, unless it refers to nothing above its own position (after A. Kishimoto, M. Müller, 2004) |
//! | leaves counted twice | the defender's moves count as the hardest of them and one for each other (weak PN search; T. Ueda, T. Hashimoto, J. Hashimoto, H. Iida, 2008); interpositions on one square are looked at one after the other |
//!
//! The stack is explicit, because mates may be thousands of plies deep.

mod numbers;

use super::{
    moves::{attacks, defences, Candidate},
    table::{Table, TableKey, TableResult, INFINITE, NEVER},
};
use crate::Control;
use hayasashi_shogi::rules::{Color, Hand, Move, Position, Undo};
use std::time::Duration;

/// The numbers of a position; if one of them is 0, what is proved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub pn: u32,
    pub dn: u32,
    /// Proof: plies to the mate. Disproof: there is no mate within so many plies.
    pub plies: u16,
    /// Disproof: distance from the root of the ancestor nearest to the root that the disproof relies on, or [`NEVER`].
    ancestor: u16,
    /// The least hand of a proof, or the greatest of a disproof.
    hand: Hand,
}

impl Value {
    fn open(pn: u32, dn: u32) -> Value {
        Value { pn, dn, plies: 0, ancestor: NEVER, hand: Hand::EMPTY }
    }

    fn proof(plies: u16, hand: Hand) -> Value {
        Value { pn: 0, dn: INFINITE, plies, ancestor: NEVER, hand }
    }

    fn disproof(plies: u16, hand: Hand, ancestor: u16) -> Value {
        Value { pn: INFINITE, dn: 0, plies, ancestor, hand }
    }
}

/// A move of a position on the path.
#[derive(Clone, Copy)]
struct Child {
    mv: Move,
    waits_for: Option<u16>,
    /// Not searched yet.
    fresh: bool,
    value: Value,
}

/// A position on the path.
struct Frame {
    place: TableKey,
    /// Key of the moves from the root.
    path: u64,
    /// The index of its first child, and of the child being searched.
    begin: usize,
    chosen: usize,
    /// The move that led here.
    made: Option<(Move, Undo)>,
    most_pn: u32,
    most_dn: u32,
    /// New leaves that the raised thresholds still had to reach when the position was entered.
    raised: u32,
    nodes: u64,
    /// Plies left for the mate.
    plies: u16,
    /// Its numbers before the latest search of a child.
    before: (u32, u32),
}

/// The numbers of a position, from those of its children.
struct ChildNumbers {
    /// The least number of the children, the second least, and the child with the least.
    least: u32,
    second: u32,
    best: usize,
    /// The other number: the sum over the children if the attacker moves; otherwise the greatest, and one for each
    /// other open child.
    sum: u32,
    /// `sum` less the number of the best child.
    others: u32,
}

/// The search reached a limit.
pub(super) struct Stopped;

/// A search below one position.
pub(super) struct Search<'a> {
    pub pos: Position,
    attacker: Color,
    table: &'a mut Table,
    control: &'a Control,
    time: Option<Duration>,
    /// Most moves, and moves made.
    pub node_limit: u64,
    pub nodes: u64,
    frames: Vec<Frame>,
    children: Vec<Child>,
    found: Vec<Candidate>,
    /// Number of positions on the path by the low bits of the board key.
    on_path: Vec<u8>,
    raised: u32,
    /// All proofs and disproofs that do not depend on the path.
    #[cfg(test)]
    shown: Vec<(Position, Value)>,
}

const PATH_BITS: u64 = 0xfff;

impl<'a> Search<'a> {
    /// A search for mates by the side to move of `pos`.
    pub fn new(
        pos: &Position,
        table: &'a mut Table,
        control: &'a Control,
        time: Option<Duration>,
        node_limit: u64,
    ) -> Search<'a> {
        Search {
            pos: pos.clone(),
            attacker: pos.side_to_move(),
            table,
            control,
            time,
            node_limit,
            nodes: 0,
            frames: Vec::new(),
            children: Vec::new(),
            found: Vec::new(),
            on_path: vec![0; PATH_BITS as usize + 1],
            raised: 0,
            #[cfg(test)]
            shown: Vec::new(),
        }
    }

    /// The key of the position in the table.
    pub fn place(&self) -> TableKey {
        TableKey { board: self.pos.board_key(), hand: self.pos.hand(self.attacker) }
    }

    /// Share of the table in use, in thousandths.
    pub fn permille(&self) -> usize {
        self.table.permille()
    }

    /// The table.
    pub fn table(&self) -> &Table {
        self.table
    }

    /// The table's result for the position.
    pub fn known(&self, plies: u16) -> TableResult {
        self.table.get(self.place(), plies)
    }

    /// Searches for a mate within `plies` (odd, the attacker to move) from the position. Searches of several positions may
    /// share a table if the attacker is the same.
    pub fn solve(&mut self, plies: u16) -> Result<Value, Stopped> {
        debug_assert!(self.pos.side_to_move() == self.attacker && plies % 2 == 1);
        self.raised = 0;
        // Searches of other positions or for mates of other lengths have other path keys.
        self.enter(None, self.pos.key() ^ plies as u64, plies, INFINITE, INFINITE);
        loop {
            if self.is_over() {
                while !self.frames.is_empty() {
                    self.leave();
                }
                return Err(Stopped);
            }
            let frame = self.frames.last().expect("the root is left below");
            let attacks = self.frames.len() % 2 == 1;
            let child_numbers = self.child_numbers(frame, attacks);
            let (most_least, most_sum) =
                if attacks { (frame.most_pn, frame.most_dn) } else { (frame.most_dn, frame.most_pn) };
            let exceeded = self.raised == 0 && (child_numbers.least >= most_least || child_numbers.sum >= most_sum);
            if child_numbers.least == 0 || child_numbers.sum == 0 || exceeded {
                let value = self.conclude(&child_numbers, attacks);
                #[cfg(test)]
                if (value.pn == 0 || value.dn == 0) && value.ancestor == NEVER {
                    self.shown.push((self.pos.clone(), value));
                }
                self.leave();
                match self.frames.last() {
                    None => return Ok(value),
                    Some(parent) => {
                        let child = &mut self.children[parent.chosen];
                        child.value = value;
                        child.fresh = false;
                    }
                }
                continue;
            }
            let (most_least, most_sum) = match self.raised {
                0 => (most_least, most_sum),
                _ => (most_least.max(child_numbers.least + 1), most_sum.max(child_numbers.sum + 1)),
            };
            let child = self.children[child_numbers.best];
            if child.fresh {
                self.raised = self.raised.saturating_sub(1);
            }
            let least = most_least.min(child_numbers.second.saturating_add(child_numbers.second / 4 + 1)).min(INFINITE);
            let sum = most_sum - child_numbers.others;
            let (pn, dn) = if attacks { (least, sum) } else { (sum, least) };
            let (path, plies) = (next_path(frame.path, child.mv), frame.plies - 1);
            let frame = self.frames.last_mut().expect("as above");
            frame.chosen = child_numbers.best;
            frame.before = if attacks {
                (child_numbers.least, child_numbers.sum)
            } else {
                (child_numbers.sum, child_numbers.least)
            };
            self.enter(Some(child.mv), path, plies, pn, dn);
        }
    }

    /// Whether a limit is reached.
    pub fn is_over(&self) -> bool {
        if self.nodes >= self.node_limit || self.control.is_stopped() {
            return true;
        }
        let late = || self.time.is_some_and(|t| self.control.clock().is_some_and(|c| c >= t));
        self.frames.len() < 2 && late() || self.nodes & 15 == 0 && late()
    }

    fn make(&mut self, mv: Move) -> Undo {
        self.nodes += 1;
        self.pos.do_move(mv)
    }

    /// Makes a move and lists the replies.
    fn enter(&mut self, mv: Option<Move>, path: u64, plies: u16, most_pn: u32, most_dn: u32) {
        let nodes = self.nodes;
        let made = mv.map(|mv| (mv, self.make(mv)));
        let place = self.place();
        self.on_path[(place.board & PATH_BITS) as usize] += 1;
        let begin = self.children.len();
        let (raised, before) = (self.raised, (1, 1));
        self.frames.push(Frame {
            place,
            path,
            begin,
            chosen: begin,
            made,
            most_pn,
            most_dn,
            raised,
            nodes,
            plies,
            before,
        });
        self.expand();
    }

    /// Takes back the last move.
    fn leave(&mut self) {
        let frame = self.frames.pop().expect("what is left was entered");
        self.on_path[(frame.place.board & PATH_BITS) as usize] -= 1;
        self.children.truncate(frame.begin);
        self.raised = self.raised.min(frame.raised);
        if let Some((mv, undo)) = frame.made {
            self.pos.undo_move(mv, undo);
        }
    }

    fn expand(&mut self) {
        let frame = self.frames.last().expect("a position is expanded on the path");
        let (path, plies) = (frame.path, frame.plies);
        let depth = self.frames.len() as u16;
        let attacking = depth % 2 == 1;
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        if attacking {
            attacks(&self.pos, &mut found);
        } else {
            defences(&self.pos, &mut found);
        }
        let mut old = false;
        for &Candidate { mv, waits_for } in &found {
            let undo = self.make(mv);
            let (value, fresh, seen_above) = self.first_value(next_path(path, mv), plies - 1);
            old |= seen_above;
            self.pos.undo_move(mv, undo);
            self.children.push(Child { mv, waits_for, fresh, value });
            // One proof (or disproof) is enough.
            if if attacking { value.pn == 0 } else { value.dn == 0 && value.ancestor == NEVER } {
                let last = self.children.len() - 1;
                self.children[last].waits_for = None;
                break;
            }
        }
        self.found = found;
        if old {
            self.raised += 1;
        }
    }
}

/// The key of a path with one more move.
fn next_path(path: u64, mv: Move) -> u64 {
    (path ^ mv.bits() as u64 ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

#[cfg(test)]
mod tests;
