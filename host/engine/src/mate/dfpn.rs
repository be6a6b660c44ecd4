//! Depth-first proof-number search (A. Nagai, 1999 and 2002).
//!
//! Every position has a proof number, the least number of leaves that must turn out mates to prove a mate, and a
//! disproof number likewise (L. V. Allis, 1994). The search goes down to a most-proving leaf and stays below a
//! position while its numbers are below thresholds; what it learned goes to the [`Table`].
//!
//! | trouble | remedy |
//! |---|---|
//! | jumping to and fro between two children | thresholds a quarter above the second child's (1 + ε; J. Pawlewicz, Ł. Lew, 2007) |
//! | endless loops on cyclic graphs | thresholds are raised where a child was seen nearer to the root, until a new leaf is met (TCA; A. Kishimoto, 2010) |
//! | a disproof that holds along one path alone | it is kept with the path, unless it refers to nothing above its own position (after A. Kishimoto, M. Müller, 2004) |
//! | leaves counted twice | the defender's moves count as the hardest of them and one for each other (weak PN search; T. Ueda, T. Hashimoto, J. Hashimoto, H. Iida, 2008); interpositions on one square are looked at one after the other |
//!
//! The stack is explicit: mates may be thousands of plies deep.

use super::{
    hands,
    moves::{attacks, defences, Candidate},
    short_mates,
    table::{Table, TableKey, TableResult, INFINITE, NEVER},
};
use crate::Control;
use hayasashi_shogi::rules::{Color, Hand, Move, MoveList, Position, Undo};
use std::time::Duration;

/// Numbers of a position, and if one of them is 0, what was shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub pn: u32,
    pub dn: u32,
    /// Proved: plies to the mate. Disproved: there is no mate within so many.
    pub plies: u16,
    /// Disproved: distance from the root of the nearest-to-root ancestor that the disproof relies on, or [`NEVER`].
    ancestor: u16,
    /// The least hand of a proof, the greatest of a disproof.
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
    /// Key of the moves that led here.
    path: u64,
    /// Where its children begin, and the one being searched.
    begin: usize,
    chosen: usize,
    /// The move that led here.
    made: Option<(Move, Undo)>,
    most_pn: u32,
    most_dn: u32,
    /// Leaves that were still to be met by raised thresholds when it was entered.
    raised: u32,
    nodes: u64,
    /// Plies left for the mate.
    plies: u16,
    /// Its numbers before the last search of a child.
    before: (u32, u32),
}

/// The numbers of a position by those of its children.
struct ChildNumbers {
    /// The least number of the children, the second least, and the child of the least.
    least: u32,
    second: u32,
    best: usize,
    /// The other number: with the attacker to move the sum of the children's, else the greatest and one for each
    /// other child that is open.
    sum: u32,
    /// What `sum` is besides the number of the best child.
    others: u32,
}

/// Why a search ends without an answer.
pub(super) struct Stopped;

/// A search below one position.
pub(super) struct Search<'a> {
    pub pos: Position,
    attacker: Color,
    table: &'a mut Table,
    control: &'a Control,
    time: Option<Duration>,
    /// Moves to make at most, and those made.
    pub node_limit: u64,
    pub nodes: u64,
    frames: Vec<Frame>,
    children: Vec<Child>,
    found: Vec<Candidate>,
    /// How many positions of the path have a board key of these low bits.
    on_path: Vec<u8>,
    raised: u32,
    /// What was shown of which position, whatever the path.
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

    /// The position as the table knows it.
    pub fn place(&self) -> TableKey {
        TableKey { board: self.pos.board_key(), hand: self.pos.hand(self.attacker) }
    }

    /// Part of the table in use, in thousandths.
    pub fn permille(&self) -> usize {
        self.table.permille()
    }

    /// The table.
    pub fn table(&self) -> &Table {
        self.table
    }

    /// What is known of the position.
    pub fn known(&self, plies: u16) -> TableResult {
        self.table.get(self.place(), plies)
    }

    /// Looks for a mate within `plies` (an odd number with the attacker to move) from the position.
    pub fn solve(&mut self, plies: u16) -> Result<Value, Stopped> {
        debug_assert!(self.pos.side_to_move() == self.attacker && plies % 2 == 1);
        self.raised = 0;
        // Paths of searches for mates of other lengths are others.
        self.enter(None, plies as u64, plies, INFINITE, INFINITE);
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

    fn is_over(&self) -> bool {
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

    /// Makes a move and lists what can follow.
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

    /// Takes the last move back.
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
            // One success is enough.
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

    /// The value of the position after a move, with `plies` left for the mate; whether it is yet to be searched, and
    /// whether it was searched nearer to the root.
    fn first_value(&mut self, path: u64, plies: u16) -> (Value, bool, bool) {
        let depth = self.frames.len() as u16;
        let place = self.place();
        if let Some(ancestor) = self.repeated(place, depth) {
            return (Value::disproof(NEVER, place.hand, ancestor), false, false);
        }
        let (pn, dn) = match self.table.get(place, plies) {
            TableResult::Proof { plies, hand, .. } => return (Value::proof(plies, hand), false, false),
            TableResult::Disproof { plies, hand } => return (Value::disproof(plies, hand, NEVER), false, false),
            TableResult::Open { pn, dn, depth: before, searched: true } if plies > 1 => {
                let value = match self.table.get_path(path, place.hand) {
                    Some((plies, ancestor)) => Value::disproof(plies, place.hand, ancestor),
                    None => Value::open(pn, dn),
                };
                return (value, false, before < depth - 1);
            }
            TableResult::Open { pn, dn, .. } => (pn, dn),
            TableResult::Nothing => (1, 1),
        };
        let value = self.leaf(depth % 2 == 1, plies);
        if value.pn == 0 || value.dn == 0 {
            return (value, false, false);
        }
        (Value::open(value.pn.max(pn), value.dn.max(dn)), true, false)
    }

    /// The distance from the root of an earlier position of the path that gave the attacker at least as much.
    fn repeated(&self, place: TableKey, depth: u16) -> Option<u16> {
        if self.on_path[(place.board & PATH_BITS) as usize] == 0 {
            return None;
        }
        let earlier = |f: &Frame| f.place.board == place.board && f.place.hand.covers(place.hand);
        let same_side = self.frames.iter().enumerate().filter(|(at, _)| at % 2 == (depth % 2) as usize);
        same_side.rev().find(|(_, f)| earlier(f)).map(|(at, _)| at as u16)
    }

    /// First numbers of a position after the move of the side that attacks or defends.
    fn leaf(&mut self, attacked: bool, plies: u16) -> Value {
        let hand = self.pos.hand(self.attacker);
        if attacked {
            let answers = self.pos.count_legal_moves();
            return match answers {
                0 => Value::proof(0, hands::kept_from_defender(&self.pos, hand)),
                _ if plies == 0 => Value::disproof(0, hand, NEVER),
                _ => Value::open(1 + answers as u32 / 3, 1),
            };
        }
        let mut checks = MoveList::new();
        self.pos.checks(&mut checks);
        if checks.is_empty() {
            return Value::disproof(NEVER, hands::without_new_checks(&self.pos), NEVER);
        }
        let candidates = short_mates::candidates(&self.pos);
        let mating = short_mates::first_mate(&mut self.pos, &candidates);
        self.nodes += mating.map_or(candidates.len(), |at| at + 1) as u64;
        if let Some(mv) = mating.map(|at| candidates[at]) {
            let undo = self.pos.do_move(mv);
            let kept = hands::kept_from_defender(&self.pos, self.pos.hand(self.attacker));
            self.pos.undo_move(mv, undo);
            let needed = hands::needed_before(&self.pos, mv, kept);
            self.table.put_proof(self.place(), needed, 1, mv, 1);
            return Value::proof(1, needed);
        }
        if plies == 1 {
            return Value::disproof(1, hand, NEVER);
        }
        Value::open(1, checks.len() as u32)
    }

    /// The numbers of a position from those of its children. A move that waits for one that has not failed is left
    /// out.
    fn child_numbers(&self, frame: &Frame, attacks: bool) -> ChildNumbers {
        let children = &self.children[frame.begin..];
        let mut child_numbers =
            ChildNumbers { least: INFINITE, second: INFINITE, best: frame.begin, sum: 0, others: 0 };
        let (mut sum, mut greatest, mut open) = (0u32, 0, 0);
        for (at, child) in children.iter().enumerate() {
            let (own, other) =
                if attacks { (child.value.pn, child.value.dn) } else { (child.value.dn, child.value.pn) };
            if let Some(first) = child.waits_for {
                let first = &children[first as usize].value;
                if if attacks { first.dn != 0 } else { first.pn != 0 } {
                    continue;
                }
            }
            if own < child_numbers.least {
                child_numbers.second = child_numbers.least;
                (child_numbers.least, child_numbers.best) = (own, frame.begin + at);
            } else if own < child_numbers.second {
                child_numbers.second = own;
            }
            sum = sum.saturating_add(other).min(INFINITE);
            greatest = greatest.max(other);
            open += (other > 0) as u32;
        }
        (child_numbers.sum, child_numbers.others) = if attacks {
            let best = children.get(child_numbers.best - frame.begin).map_or(0, |c| c.value.dn);
            (sum, sum - best.min(sum))
        } else {
            let others = open.saturating_sub(1);
            (greatest.saturating_add(others).min(INFINITE), others)
        };
        child_numbers
    }

    /// The value of the last position of the path, which goes to the table.
    fn conclude(&mut self, child_numbers: &ChildNumbers, attacks: bool) -> Value {
        let frame = self.frames.last().expect("what is concluded is on the path");
        let depth = self.frames.len() as u16 - 1;
        let place = frame.place;
        let work = (self.nodes - frame.nodes).clamp(1, u32::MAX as u64) as u32;
        let path = frame.path;
        let children = &self.children[frame.begin..];
        let (pn, dn) =
            if attacks { (child_numbers.least, child_numbers.sum) } else { (child_numbers.sum, child_numbers.least) };
        if pn == 0 {
            let (plies, hand, best) = if attacks {
                let proofs = children.iter().filter(|c| c.value.pn == 0);
                let best = proofs.min_by_key(|c| c.value.plies).expect("a least number of 0 is a proof");
                (best.value.plies + 1, hands::needed_before(&self.pos, best.mv, best.value.hand), best.mv)
            } else {
                let kept = hands::kept_from_defender(&self.pos, place.hand);
                let hand = children.iter().fold(kept, |h, c| h.or(c.value.hand));
                let last = children.iter().map(|c| c.value.plies + 1).max().unwrap_or(0);
                (last, hand, Move::NONE)
            };
            self.table.put_proof(place, hand, plies, best, work);
            return Value::proof(plies, hand);
        }
        if dn == 0 {
            let (plies, hand, ancestor) = if attacks {
                let all = hands::without_new_checks(&self.pos);
                let allowed = |h: Hand, c: &Child| h.and(hands::allowed_before(&self.pos, c.mv, c.value.hand));
                let hand = children.iter().fold(all, allowed);
                let plies = children.iter().map(|c| c.value.plies.saturating_add(1)).min().unwrap_or(NEVER);
                (plies, hand, children.iter().map(|c| c.value.ancestor).min().unwrap_or(NEVER))
            } else {
                let refutations = children.iter().filter(|c| c.value.dn == 0);
                let best = refutations.max_by_key(|c| (c.value.ancestor, c.value.plies)).expect("as above");
                let hand = hands::allowed_before_defence(&self.pos, best.mv, place.hand, best.value.hand);
                (best.value.plies.saturating_add(1), hand, best.value.ancestor)
            };
            if ancestor >= depth {
                self.table.put_disproof(place, hand, plies, work);
                return Value::disproof(plies, hand, NEVER);
            }
            let (pn, dn) = frame.before;
            self.table.put_open(place, pn, dn, depth, work);
            self.table.put_path(path, place.hand, plies, ancestor, work);
            return Value::disproof(plies, hand, ancestor);
        }
        self.table.put_open(place, pn, dn, depth, work);
        Value::open(pn, dn)
    }
}

/// The key of a path that is one move longer.
fn next_path(path: u64, mv: Move) -> u64 {
    (path ^ mv.bits() as u64 ^ 0x5851_f42d_4c95_7f2d).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_shogi::rules::PieceKind;

    /// The position with other hands: the attacker's, and the rest for the defender.
    fn with_hand(pos: &Position, attacker: Color, hand: Hand) -> Position {
        let all = pos.hand(Color::Black).plus(pos.hand(Color::White));
        let mut hands = String::new();
        for kind in PieceKind::HAND {
            let own = hand.count(kind);
            for (color, count) in [(attacker, own), (attacker.opponent(), all.count(kind) - own)] {
                let letter = if color == Color::Black { kind.letter() } else { kind.letter().to_ascii_lowercase() };
                if count > 0 {
                    hands += &format!("{count}{letter}");
                }
            }
        }
        let sfen = pos.to_sfen();
        let fields: Vec<&str> = sfen.split(' ').collect();
        let hands = if hands.is_empty() { "-" } else { &hands };
        Position::from_problem_sfen(&format!("{} {} {hands} 1", fields[0], fields[1])).unwrap()
    }

    /// Whatever was shown on the way must hold by itself, with the hand that it claims to hold for: a disproof that
    /// relies on the path, or a hand too large or too small, shows here.
    #[test]
    fn what_is_shown_on_the_way_holds_by_itself() {
        let problems = include_str!("../../../../tests/data/mate/collection_games.sfen").lines().step_by(4);
        let problems = problems.map(|line| line.trim_start_matches("sfen ").split(" moves ").next().unwrap());
        // The end of "Microcosmos" (K. Hashimoto, 1986), where the king is chased to and fro; rooks and bishops far away.
        let chases = [
            "g2+P+P1+P+P+L/1p3k3/+Rn2ppppl/2+Psg+p2+R/+b+nL6/1PP+B1ssP1/4+Ps2N/4+P1P1L/6G1g b Pn 1425",
            "g2+P+P+P1+P+L/1p4k2/+Rn2ppppl/2+Psg+p1+R1/+b+nL6/1PP+B1ssP1/4+Ps2N/4+P1P1L/6G1g b Pn 1451",
            "g2+P+P+P1+P+L/1p4k2/+Rn2ppppl/2+Psg+p+R2/+b+nL6/1PP+B1ssP1/4+Ps2N/4+P1P1L/6G1g b Pn 1475",
            "3+P+P+P+P1+L/1g5k1/1n2pppp1/2+Psg+p+R1l/+b+nL6/1PP+B1ssP1/4+Ps2N/4+P1P1L/6G1g b Prnp 1501",
            "7k1/9/6p2/9/9/9/9/9/1R2B4 b GSrbgsnlp 1",
            "8k/6p2/9/7p1/9/9/9/9/4R4 b 2GPnp 1",
            "5k3/9/4P4/9/9/1B7/9/9/9 b RGSPp 1",
            "9/7k1/9/6s2/9/9/1R7/9/8B b GPn2p 1",
        ];
        let control = Control::default();
        let mut agreed = [0; 2];
        for sfen in problems.chain(chases) {
            let pos = Position::from_sfen(sfen).unwrap();
            let mut table = Table::new(16);
            let mut search = Search::new(&pos, &mut table, &control, None, 100_000);
            let _ = search.solve(4095);
            let of_attacker = |(at, _): &&(Position, Value)| at.side_to_move() == pos.side_to_move();
            let shown: Vec<_> = search.shown.iter().filter(of_attacker).collect();
            for (at, value) in shown.iter().step_by(shown.len() / 150 + 1) {
                let at = with_hand(at, pos.side_to_move(), value.hand);
                let mut fresh = Table::new(1);
                let alone = Search::new(&at, &mut fresh, &control, None, 3_000).solve(4095);
                if let Ok(alone) = alone {
                    assert_eq!(alone.pn == 0, value.pn == 0, "{at}, on the way from {sfen}");
                    agreed[(alone.pn == 0) as usize] += 1;
                }
            }
        }
        assert!(agreed.iter().all(|&n| n > 300), "{agreed:?}");
    }
}
