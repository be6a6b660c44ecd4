//! The order in which a node's moves are picked. No move is sorted: each pick is the first of what is left, by class and then
//! within the class.

use super::spot::{Candidate, Spot};
use crate::attacks::ray::{first_on_ray, squares, RAY, STEP};
use crate::position::Bitboard;
use hayasashi_spec::moves::{Direction, Move16, DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;
use hayasashi_spec::search_table::{MOVER_RANK, VICTIM_RANK};

/// Classes of the order; a node goes through those that it has from first to last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Class {
    /// The table's move.
    #[default]
    Table,
    /// Captures and promotions, except those that lose material.
    Captures,
    /// The two killers and the counter move.
    FirstKiller,
    /// The second killer.
    SecondKiller,
    /// The counter move.
    CounterMove,
    /// Quiet checks.
    Checks,
    /// Quiet moves of attacked pieces.
    Attacked,
    /// Quiet moves of the king out of check.
    King,
    /// The other quiet moves.
    Quiet,
    /// Captures and promotions that lose material.
    Losing,
    /// No move is left.
    End,
}

/// Which moves a node has, and in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// In check: all moves, captures first, then the king's.
    pub evasions: bool,
    /// Only captures and promotions, without those that lose material.
    pub forcing_only: bool,
    /// Only captures on these squares, if any.
    pub only_on: Option<u8>,
    /// Captures and promotions that lose material come last.
    pub by_exchange: bool,
    /// Captures and promotions in the order of victim and mover.
    pub by_victim: bool,
    /// Quiet checks come first among the quiet moves.
    pub checks_first: bool,
    /// Then moves of attacked pieces.
    pub attacked_first: bool,
    /// Promotions are never left out where they are never worse.
    pub promotions: bool,
    /// The other quiet moves come by their counters.
    pub by_history: bool,
}

/// In the key of a capture or promotion: it loses material.
const LOSING: u32 = 1 << 24;

/// What is left to pick at one node.
#[derive(Clone, Debug, Default)]
pub struct Picker {
    class: Class,
    selection: Selection,
    /// The table's move, the killers and the counter move, as far as they are legal; those of quiet classes are quiet.
    special: [Move16; 4],
    /// Forcing moves with their keys, smallest first; the next of them.
    forcing: Vec<(u32, Candidate)>,
    next_forcing: usize,
    /// Quiet checks, moves of attacked pieces and of the king with classes and planes, in their order; the next of them.
    early: Vec<(Class, usize, Candidate)>,
    next_early: usize,
    /// Destinations of the other quiet moves: ten directions, then seven kinds of drops.
    rest: [Bitboard; DIRECTIONS + HAND_KINDS],
    next_plane: usize,
    /// Other quiet moves with their planes and counters, the last one first; they take the place of `rest`.
    by_history: Vec<(i32, usize, Candidate)>,
    has_history: bool,
    has_quiets: bool,
}

impl Picker {
    /// Begins a node. `special` are the table's move, two killers and the counter move, or zeros.
    pub fn start(&mut self, selection: Selection, special: [Move16; 4]) {
        self.class = Class::Table;
        (self.selection, self.special, self.has_quiets) = (selection, special, false);
        self.has_history = false;
        self.forcing.clear();
        self.early.clear();
        (self.next_forcing, self.next_early, self.next_plane) = (0, 0, 0);
    }

    /// Passes over the quiet moves that are left.
    pub fn skip_quiets(&mut self) {
        if self.class < Class::Losing {
            self.class = Class::Losing;
        }
    }

    /// The next move, with its class. `counter` gives the counters of quiet moves.
    pub fn next(&mut self, spot: &mut Spot, counter: &dyn Fn(Move16) -> i32) -> Option<(Class, Candidate)> {
        loop {
            let class = self.class;
            let after = self.after(class);
            let found = match class {
                Class::Table | Class::FirstKiller | Class::SecondKiller | Class::CounterMove => {
                    // There is only one.
                    self.class = after;
                    self.special(class, spot)
                }
                Class::Captures | Class::Losing => self.forcing(class, spot),
                Class::Checks | Class::Attacked | Class::King => self.early(class, spot),
                Class::Quiet if self.selection.by_history => self.quiet_by_history(spot, counter),
                Class::Quiet => self.quiet(spot),
                Class::End => return None,
            };
            match found {
                Some(candidate) => return Some((class, candidate)),
                None => self.class = after,
            }
        }
    }

    /// The class after this one.
    fn after(&self, class: Class) -> Class {
        match class {
            Class::Table => Class::Captures,
            Class::Captures if self.selection.forcing_only => Class::End,
            Class::Captures if self.selection.evasions => Class::King,
            Class::Captures => Class::FirstKiller,
            Class::FirstKiller => Class::SecondKiller,
            Class::SecondKiller => Class::CounterMove,
            Class::CounterMove => Class::Checks,
            Class::Checks => Class::Attacked,
            Class::Attacked | Class::King => Class::Quiet,
            Class::Quiet => Class::Losing,
            Class::Losing | Class::End => Class::End,
        }
    }

    /// The one move of a class, if it is legal and has not been picked.
    fn special(&mut self, class: Class, spot: &mut Spot) -> Option<Candidate> {
        let at = match class {
            Class::Table => 0,
            Class::FirstKiller => 1,
            Class::SecondKiller => 2,
            _ => 3,
        };
        let mv = std::mem::take(&mut self.special[at]);
        if mv.0 == 0 || self.special[..at].contains(&mv) {
            return None;
        }
        spot.find_targets();
        let found = spot.legal(mv).filter(|candidate| at == 0 || candidate.is_quiet())?;
        self.special[at] = mv;
        Some(found)
    }

    /// The next capture or promotion of the class.
    fn forcing(&mut self, class: Class, spot: &mut Spot) -> Option<Candidate> {
        if class == Class::Captures && self.next_forcing == 0 {
            self.find_forcing(spot);
        }
        let &(key, candidate) = self.forcing.get(self.next_forcing)?;
        if class == Class::Captures && key >= LOSING {
            return None;
        }
        self.next_forcing += 1;
        Some(candidate)
    }

    fn find_forcing(&mut self, spot: &mut Spot) {
        spot.find_targets();
        let selection = self.selection;
        let wanted = selection.only_on.map_or(!0, |square| 1 << square)
            & if selection.only_on.is_some() { spot.their.all } else { !0 };
        let their = spot.their.all;
        for d in 0..DIRECTIONS {
            for to in squares(spot.targets.promote[d] & wanted) {
                let candidate = spot.arrival(d, to, true);
                self.add_forcing(candidate, d, spot);
            }
            for to in squares(spot.targets.plain[d] & wanted & their) {
                let candidate = spot.arrival(d, to, false);
                if !(selection.promotions && spot.spurns_promotion(&candidate, d)) {
                    self.add_forcing(candidate, d, spot);
                }
            }
        }
    }

    fn add_forcing(&mut self, candidate: Candidate, d: usize, spot: &mut Spot) {
        // A killer or a counter move with the same bits is not picked as one, because it is not quiet here.
        if self.special[0] == candidate.mv {
            return;
        }
        let Candidate { mv, moved, captured } = candidate;
        let promotes = mv.promotes();
        let class = match (captured != 0, promotes) {
            (true, true) => 0,
            (true, false) => 1,
            (false, _) => 2,
        };
        let mut key = (class * DIRECTIONS as u32 + d as u32) << 7 | mv.to() as u32;
        if self.selection.by_victim {
            let [victim, mover] = [VICTIM_RANK[captured as usize], MOVER_RANK[moved as usize]].map(u32::from);
            key |= victim << 17 | (!promotes as u32) << 16 | mover << 12;
        }
        if self.selection.by_exchange {
            spot.find_attacks();
            if spot.attacks.exchange(&candidate) < 0 {
                if self.selection.forcing_only {
                    return;
                }
                key |= LOSING;
            }
        }
        let at = self.forcing.iter().rposition(|&(other, _)| other < key).map_or(0, |before| before + 1);
        self.forcing.insert(at, (key, candidate));
    }

    fn early(&mut self, class: Class, spot: &mut Spot) -> Option<Candidate> {
        if !self.has_quiets {
            self.has_quiets = true;
            self.find_quiets(spot);
        }
        while let Some(&(of, plane, candidate)) = self.early.get(self.next_early) {
            if of != class {
                return None;
            }
            self.next_early += 1;
            if self.is_left(&candidate, plane, spot) {
                return Some(candidate);
            }
        }
        None
    }

    fn find_quiets(&mut self, spot: &mut Spot) {
        let empty = !spot.their.all;
        for (rest, plane) in
            self.rest.iter_mut().zip(spot.targets.plain.iter().map(|plane| plane & empty).chain(spot.targets.drops))
        {
            *rest = plane;
        }
        let selection = self.selection;
        if selection.evasions {
            let king = spot.own.king.trailing_zeros() as usize;
            for (d, step) in STEP[king].into_iter().enumerate().take(RAYS) {
                if spot.own.king != 0 && self.rest[d] & step != 0 {
                    let to = step.trailing_zeros() as usize;
                    let candidate = spot.arrival(d, to, false);
                    if candidate.moved == KING {
                        self.take(Class::King, d, candidate);
                    }
                }
            }
            return;
        }
        if selection.checks_first && spot.their.king != 0 {
            spot.find_checking();
            let any = spot.checking.iter().fold(0, |any, squares| any | squares);
            for plane in 0..DIRECTIONS + HAND_KINDS {
                for to in squares(self.rest[plane] & any) {
                    let candidate = candidate_of(spot, plane, to);
                    if spot.checks(&candidate) {
                        self.take(Class::Checks, plane, candidate);
                    }
                }
            }
        }
        if selection.attacked_first {
            spot.find_attacks();
            let mut attacked: Vec<(u8, usize, u8)> = squares(spot.own.all & spot.attacks.by_them())
                .map(|square| (square, spot.kind(square)))
                .map(|(square, kind)| (15 - MOVER_RANK[kind as usize], square, kind))
                .collect();
            attacked.sort_unstable();
            for (_, from, kind) in attacked {
                self.moves_of(from, kind, spot);
            }
        }
    }

    /// Takes the quiet moves of the piece on a square.
    fn moves_of(&mut self, from: usize, kind: u8, spot: &Spot) {
        for d in Direction::ALL {
            let plane = d as usize;
            let near = if d.steps(kind) { STEP[from][plane] } else { 0 };
            let reach = if d.slides(kind) {
                let blocker = first_on_ray(from, plane, spot.occupied());
                let behind = if blocker == 0 { 0 } else { RAY[blocker.trailing_zeros() as usize][plane] };
                RAY[from][plane] & !behind
            } else {
                near
            };
            for to in squares(self.rest[plane] & reach) {
                let candidate = Candidate { mv: Move16::board(from as u8, to as u8, false), moved: kind, captured: 0 };
                self.take(Class::Attacked, plane, candidate);
            }
        }
    }

    /// Moves a quiet move from the rest to an earlier class.
    fn take(&mut self, class: Class, plane: usize, candidate: Candidate) {
        self.rest[plane] &= !(1 << candidate.mv.to());
        self.early.push((class, plane, candidate));
    }

    fn quiet_by_history(&mut self, spot: &mut Spot, counter: &dyn Fn(Move16) -> i32) -> Option<Candidate> {
        if !self.has_history {
            self.has_history = true;
            self.by_history.clear();
            for plane in 0..self.rest.len() {
                for to in squares(self.rest[plane]) {
                    let candidate = candidate_of(spot, plane, to);
                    if self.is_left(&candidate, plane, spot) {
                        self.by_history.push((counter(candidate.mv), plane, candidate));
                    }
                }
            }
            let place = |&(counter, plane, Candidate { mv, .. }): &(i32, usize, Candidate)| (-counter, plane, mv.to());
            self.by_history.sort_unstable_by_key(|quiet| std::cmp::Reverse(place(quiet)));
        }
        self.by_history.pop().map(|(_, _, candidate)| candidate)
    }

    fn quiet(&mut self, spot: &mut Spot) -> Option<Candidate> {
        while let Some(plane) = self.rest.get_mut(self.next_plane) {
            if *plane == 0 {
                self.next_plane += 1;
                continue;
            }
            let to = plane.trailing_zeros() as usize;
            *plane &= *plane - 1;
            let candidate = candidate_of(spot, self.next_plane, to);
            if self.is_left(&candidate, self.next_plane, spot) {
                return Some(candidate);
            }
        }
        None
    }

    /// Whether a quiet move is to be picked in its class: it has not been picked as a special move, and promotes where it should.
    fn is_left(&self, candidate: &Candidate, plane: usize, spot: &Spot) -> bool {
        let spurns = self.selection.promotions && plane < DIRECTIONS && spot.spurns_promotion(candidate, plane);
        !spurns && !self.special.contains(&candidate.mv)
    }
}

/// The quiet move of a plane on a square.
fn candidate_of(spot: &Spot, plane: usize, to: usize) -> Candidate {
    match plane.checked_sub(DIRECTIONS) {
        None => spot.arrival(plane, to, false),
        Some(k) => {
            let kind = PAWN + k as u8;
            Candidate { mv: Move16::drop(kind, to as u8), moved: kind, captured: 0 }
        }
    }
}
