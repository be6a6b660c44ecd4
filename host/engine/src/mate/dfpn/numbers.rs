//! Proof and disproof numbers: of a new position, of a position from its children, and into the table.

use super::{
    super::{
        hands, short_mates,
        table::{TableKey, TableResult, INFINITE, NEVER},
    },
    Child, ChildNumbers, Frame, Search, Value, PATH_BITS,
};
use hayasashi_shogi::rules::{Hand, Move, MoveList};

impl Search<'_> {
    /// The value of the position after a move, with `plies` left for the mate; whether it is not searched yet, and
    /// whether it was searched nearer to the root.
    pub(super) fn first_value(&mut self, path: u64, plies: u16) -> (Value, bool, bool) {
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

    /// The distance from the root of an earlier position of the path in which the attacker held at least as much.
    fn repeated(&self, place: TableKey, depth: u16) -> Option<u16> {
        if self.on_path[(place.board & PATH_BITS) as usize] == 0 {
            return None;
        }
        let earlier = |f: &Frame| f.place.board == place.board && f.place.hand.covers(place.hand);
        let same_side = self.frames.iter().enumerate().filter(|(at, _)| at % 2 == (depth % 2) as usize);
        same_side.rev().find(|(_, f)| earlier(f)).map(|(at, _)| at as u16)
    }

    /// The initial numbers of a position; `attacked` says that the defender is to move.
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

    /// The numbers of a position from those of its children. A move that waits for another is left out until that one
    /// has failed.
    pub(super) fn child_numbers(&self, frame: &Frame, attacks: bool) -> ChildNumbers {
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

    /// The value of the last position of the path, which is also stored in the table.
    pub(super) fn conclude(&mut self, child_numbers: &ChildNumbers, attacks: bool) -> Value {
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
