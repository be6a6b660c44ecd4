//! Alpha-beta of a cluster: one member searches the whole position, and the moves of the first plies are divided among the others, as GPS
//! Shogi does it (Kaneko and Tanaka, 2012).
//!
//! ```text
//! root               the first member
//! root ─┬─ p0 ─┬─ p1             one member          p0 p1: the best line so far
//!       │      └─ all but p1     one member
//!       └─ all but p0            one member
//! ```
//!
//! The first member searches without interruption. The others work in rounds: in each, every one searches a leaf of this tree by itself, all
//! for the same number of nodes; the next round has eight times as many, and divides along the new best line. The first member's move is
//! played unless the others find one that is better by [`MARGIN`]: scores of several searches differ by chance, and the greatest of them is
//! too great. A member gets the leaf that it has searched before, if there is one, because its table knows it.

use super::{
    job::{Best as Decision, Found, Job},
    softmax::repetition,
    strategy::{Best, Question, Strategy},
};
use hayasashi_engine::search::{
    best_first::arena::backed,
    score::{LONGEST_MATE, MATE},
};
use hayasashi_shogi::rules::{Move, MoveList};
use std::{cmp::Reverse, collections::HashMap};

/// Nodes of the leaves of the first round, and of the first member before it.
const FIRST_NODES: u64 = 2_000;
/// How many times as many nodes the next round has.
const GROWTH: u64 = 8;
/// The leaf that is the whole position.
const WHOLE: usize = 0;
/// Another move must be better by this much than the first member's, in centipawns.
pub const MARGIN: i32 = 40;
/// Its line may be this much shallower, in plies.
const SHALLOWER: u32 = 3;
/// The share of a leaf's members that its best move gets, in percent; the other moves get the rest.
const BEST_MOVE_PERCENT: u32 = 62;

/// A position, and the moves there that other leaves have.
type Place = (Vec<Move>, Vec<Move>);

/// A score, the best line, and the depth.
type Value = (i32, Vec<Move>, u32);

/// A leaf of a round.
struct Leaf {
    place: Place,
    /// Its members if there were a million.
    share: u32,
    /// The result is known without a search.
    known: bool,
}

/// What a search of a leaf has found.
#[derive(Clone)]
struct Searched {
    score: i32,
    pv: Vec<Move>,
    depth: u32,
    member: usize,
}

/// The rounds of one question.
pub struct Splitting {
    question: Question,
    leaves: Vec<Leaf>,
    /// Leaves of this round that nobody has.
    waiting: Vec<usize>,
    /// The leaf of each member.
    working_on: Vec<Option<usize>>,
    /// The deepest result of each leaf of this and of earlier rounds.
    searched: HashMap<Place, Searched>,
    /// Moves of a position that were the best of some leaf, the latest last.
    candidates: HashMap<Vec<Move>, Vec<Move>>,
    nodes: u64,
    /// The best line of the last round of the others, and their score of the first member's move.
    others: Option<(Value, Option<(Move, i32)>)>,
    best: Option<Best>,
    rounds: u32,
    over: bool,
}

impl Splitting {
    /// The first round for this question.
    pub fn new(question: Question) -> Splitting {
        let working_on = vec![None; question.members];
        let root = Leaf { place: Place::default(), share: 1_000_000, known: false };
        Splitting {
            question,
            leaves: vec![root],
            waiting: vec![0],
            working_on,
            searched: HashMap::new(),
            candidates: HashMap::new(),
            nodes: FIRST_NODES,
            others: None,
            best: None,
            rounds: 0,
            over: false,
        }
    }

    /// The moves of a leaf.
    fn moves(&self, (line, others): &Place) -> Vec<Move> {
        let mut moves = MoveList::new();
        self.question.path(line).legal_moves(&mut moves);
        let only = &self.question.only;
        let allowed = |mv: &&Move| !line.is_empty() || only.is_empty() || only.contains(mv);
        moves.iter().filter(allowed).filter(|mv| !others.contains(mv)).copied().collect()
    }

    /// The leaves of the next round: the whole, which is the first member's, and those of the others. The leaf with the greatest share is
    /// divided into its best move and its other moves, until there is one for each member.
    fn divide(&mut self) {
        let leaf = |place: Place, share: u32| Leaf { place, share, known: false };
        self.leaves = vec![leaf(Place::default(), 0)];
        let members = self.question.members;
        let first = self.searched.get(&Place::default()).and_then(|whole| whole.pv.first().copied());
        if let Some(first) = first.filter(|_| members > 1) {
            let others = (Vec::new(), vec![first]);
            if !self.moves(&others).is_empty() {
                self.leaves.push(leaf(others, 1_000_000 / 100 * (100 - BEST_MOVE_PERCENT)));
            }
            if members > 2 {
                self.add_after(&[], first, 1_000_000 / 100 * BEST_MOVE_PERCENT);
            }
        }
        while self.leaves.iter().filter(|leaf| !leaf.known).count() < members {
            let divisible = |&at: &usize| Some((at, self.best_of(&self.leaves[at])?));
            let mut order: Vec<usize> = (1..self.leaves.len()).filter(|&at| !self.leaves[at].known).collect();
            order.sort_by_key(|&at| Reverse(self.leaves[at].share));
            let Some((at, best)) = order.iter().find_map(divisible) else { break };
            let Leaf { place: (line, mut others), share, .. } = self.leaves.remove(at);
            others.push(best);
            let share_of = |percent: u32| share / 100 * percent;
            self.add_after(&line, best, share_of(BEST_MOVE_PERCENT));
            let rest = (line, others);
            if !self.moves(&rest).is_empty() {
                self.leaves.push(Leaf { place: rest, share: share_of(100 - BEST_MOVE_PERCENT), known: false });
            }
        }
        let whole = (!self.working_on.contains(&Some(WHOLE))).then_some(WHOLE);
        let others = (1..self.leaves.len()).filter(|&at| !self.leaves[at].known);
        self.waiting = whole.into_iter().chain(others).collect();
    }

    /// Adds the leaf after a move. A repetition needs no search.
    fn add_after(&mut self, line: &[Move], mv: Move, share: u32) {
        let result = repetition(&mut self.question.path(line), mv, self.question.draw, line.len());
        let place: Place = (line.iter().copied().chain([mv]).collect(), Vec::new());
        if let Some(score) = result {
            let settled = Searched { score, pv: Vec::new(), depth: 0, member: usize::MAX };
            self.searched.insert(place.clone(), settled);
        }
        self.leaves.push(Leaf { place, share, known: result.is_some() });
    }

    /// The best move that is known of a leaf.
    fn best_of(&self, leaf: &Leaf) -> Option<Move> {
        let (line, others) = &leaf.place;
        let candidates = self.candidates.get(line)?;
        let best = candidates.iter().rev().copied().find(|mv| !others.contains(mv))?;
        self.question.path(line).is_legal(best).then_some(best)
    }

    /// Makes the moves of a line that begins at this position the first candidates.
    fn prefer(&mut self, from: &[Move], pv: &[Move]) {
        let mut line = from.to_vec();
        for &mv in pv {
            let known = self.candidates.entry(line.clone()).or_default();
            known.retain(|&other| other != mv);
            known.push(mv);
            line.push(mv);
        }
    }

    /// Remembers what a member has found of a leaf.
    fn remember(&mut self, member: usize, at: usize, found: &Found) {
        let place = self.leaves[at].place.clone();
        let legal = found.best_move().is_some_and(|best| self.question.path(&place.0).is_legal(best));
        let score = match found.best {
            Some(Decision::Win) => MATE,
            Some(Decision::Resign) => -MATE,
            _ => found.steady_score().unwrap_or(-MATE),
        };
        let pv = if legal { found.line() } else { Vec::new() };
        self.prefer(&place.0, &pv);
        let depth = found.depth;
        if self.searched.get(&place).is_none_or(|before| depth >= before.depth) {
            self.searched.insert(place, Searched { score, pv, depth, member });
        }
    }

    /// The score and the best line of a position of the divided tree, and how deep it was searched; `None` without leaves there, and while
    /// one has no result.
    fn value(&self, line: &[Move]) -> Option<Value> {
        let mut best: Option<Value> = None;
        let mut children: Vec<Move> = Vec::new();
        let mut better = |candidate: Value| {
            if best.as_ref().is_none_or(|best| candidate.0 > best.0) {
                best = Some(candidate);
            }
        };
        for leaf in self.leaves[1..].iter().filter(|leaf| leaf.place.0.starts_with(line)) {
            match leaf.place.0.get(line.len()) {
                None => {
                    let Searched { score, pv, depth, .. } = self.searched.get(&leaf.place)?.clone();
                    better((score, pv, depth));
                }
                Some(mv) if !children.contains(mv) => children.push(*mv),
                Some(_) => {}
            }
        }
        for mv in children {
            let after: Vec<Move> = line.iter().copied().chain([mv]).collect();
            let (score, pv, depth) = self.value(&after)?;
            better((backed(score), std::iter::once(mv).chain(pv).collect(), depth + 1));
        }
        best
    }

    fn whole_depth(&self) -> u32 {
        self.searched.get(&Place::default()).map_or(0, |whole| whole.depth)
    }

    /// The result so far.
    fn conclude(&mut self) {
        let Some(whole) = self.searched.get(&Place::default()) else { return };
        let mut best = (whole.score, whole.pv.clone(), whole.depth);
        let first = whole.pv.first().copied();
        if let Some(others) = self.value(&[]) {
            let own = first.and_then(|first| Some((first, backed(self.value(&[first])?.0))));
            self.others = Some((others, own));
        }
        if let Some((others, own)) = &self.others {
            let own = own.filter(|own| Some(own.0) == first).map_or(whole.score, |own| own.1);
            let deep = others.2 + SHALLOWER >= whole.depth;
            if deep && others.1.first() != first.as_ref() && others.0 > own + MARGIN {
                best = others.clone();
            }
        }
        let (score, pv, depth) = best;
        // The best line comes first in the next round.
        self.prefer(&[], &pv);
        self.best = Some(Best { pv, score, depth, declares: false });
    }

    /// Divides along the best line, unless the result is known.
    fn next_round(&mut self) {
        if self.rounds > 0 {
            self.nodes *= GROWTH;
        }
        self.rounds += 1;
        let Some(best) = &self.best else { return };
        let is_mate = best.score.abs() > LONGEST_MATE && MATE - best.score.abs() <= best.depth as i32;
        self.over |= best.pv.is_empty() || is_mate || best.score > LONGEST_MATE;
        if !self.over {
            self.divide();
        }
    }
}

impl Strategy for Splitting {
    fn job(&mut self, member: usize) -> Option<Job> {
        if self.over {
            return None;
        }
        let owner = |at: &usize| self.searched.get(&self.leaves[*at].place).map(|searched| searched.member);
        let rank = |at: &usize| (owner(at) != Some(member), owner(at).is_some(), Reverse(self.leaves[*at].share));
        let (index, _) = self.waiting.iter().enumerate().min_by_key(|(_, at)| rank(at))?;
        let at = self.waiting.swap_remove(index);
        self.working_on[member] = Some(at);
        let place = &self.leaves[at].place;
        let whole = place.1.is_empty() && (!place.0.is_empty() || self.question.only.is_empty());
        let only = if whole { Vec::new() } else { self.moves(place) };
        let depth = self.question.depth.map(|depth| depth.saturating_sub(place.0.len() as u32).max(1));
        Some(Job { line: place.0.clone(), only, depth, nodes: (at != WHOLE).then_some(self.nodes) })
    }

    fn done(&mut self, member: usize, found: &Found, stopped: bool) {
        let Some(at) = self.working_on[member].take() else { return };
        // A search that was stopped at once has found nothing.
        if !stopped || found.depth > 0 {
            self.remember(member, at, found);
        }
        if found.best == Some(Decision::Win) && self.leaves[at].place == Place::default() {
            self.best = Some(Best { score: MATE, declares: true, ..Best::default() });
            self.over = true;
            return;
        }
        if at == WHOLE {
            // It ends by itself at its depth, or with a mate.
            self.over |= !stopped;
            return self.conclude();
        }
        if self.waiting.is_empty() && self.working_on.iter().all(|at| matches!(at, None | Some(WHOLE))) {
            self.conclude();
            if !stopped && !self.over {
                self.next_round();
            }
        }
    }

    fn progress(&mut self, member: usize, found: &Found) {
        if self.working_on[member] == Some(WHOLE) && found.depth > self.whole_depth() {
            self.remember(member, WHOLE, found);
            self.conclude();
            // The line of a few nodes is not worth a division.
            if self.rounds == 0 && found.nodes >= FIRST_NODES {
                self.next_round();
            }
        }
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn lost(&mut self, member: usize) {
        self.waiting.extend(self.working_on[member].take());
    }

    fn best(&self) -> Option<Best> {
        self.best.clone()
    }

    fn iterations(&self) -> u32 {
        self.whole_depth()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_engine::search::GamePath;
    use hayasashi_shogi::rules::Position;

    fn question(members: usize) -> Question {
        let game = GamePath::new(Position::startpos());
        Question { game, only: Vec::new(), depth: None, members, draw: 0 }
    }

    /// What a member would find: of its moves the one that this function likes best.
    fn search(splitting: &Splitting, job: &Job, score: impl Fn(&[Move]) -> i32) -> Found {
        let mut moves = MoveList::new();
        splitting.question.path(&job.line).legal_moves(&mut moves);
        let after = |mv: Move| [&job.line[..], &[mv]].concat();
        let allowed = moves.iter().filter(|mv| job.only.is_empty() || job.only.contains(mv));
        let best = *allowed.max_by_key(|&&mv| score(&after(mv))).expect("there is a move");
        let mut found = Found::default();
        let nodes = job.nodes.unwrap_or(1_000_000);
        found.read(&format!("info depth 5 score cp {} nodes {nodes} pv {best}", score(&after(best))));
        found.read(&format!("bestmove {best}"));
        found
    }

    /// A score of a line for the side that has made its last move.
    fn score(line: &[Move]) -> i32 {
        line.iter()
            .enumerate()
            .map(|(ply, mv)| (mv.to_string().bytes().map(i32::from).sum::<i32>() * (7 + ply as i32)) % 101)
            .sum()
    }

    #[test]
    fn each_move_is_in_one_leaf() {
        for members in 2..=9 {
            let mut splitting = Splitting::new(question(members));
            let first = splitting.job(0).unwrap();
            assert_eq!((splitting.job(members - 1), first.nodes), (None, None));
            splitting.progress(0, &search(&splitting, &first, score));
            for round in 1..5 {
                let jobs: Vec<(usize, Job)> =
                    (1..members).filter_map(|member| Some((member, splitting.job(member)?))).collect();
                // Only the first move of each line is known, so that the line cannot be split further at once.
                assert!((1..members).contains(&jobs.len()), "{members} {round} {}", jobs.len());
                // The first member has all moves; the lines one ply below the leaves of the others:
                let mut lines: Vec<Vec<Move>> = Vec::new();
                for (_, job) in &jobs {
                    let mut moves = MoveList::new();
                    splitting.question.path(&job.line).legal_moves(&mut moves);
                    let all = if job.only.is_empty() { &moves[..] } else { &job.only[..] };
                    lines.extend(all.iter().map(|&mv| [&job.line[..], &[mv]].concat()));
                }
                let firsts = |line: &Vec<Move>| line[0];
                let mut found: Vec<Move> = lines.iter().map(firsts).collect();
                found.sort();
                found.dedup();
                // With two, the best move is left to the first member.
                let all = if members == 2 { 29 } else { 30 };
                assert_eq!(found.len(), all, "{members} {round}");
                assert!(lines.iter().all(|line| !lines.iter().any(|other| other != line && other.starts_with(line))));
                let unique = lines.len();
                lines.sort();
                lines.dedup();
                assert_eq!(lines.len(), unique);
                for (member, job) in &jobs {
                    let found = search(&splitting, job, score);
                    splitting.done(*member, &found, false);
                }
                let best = splitting.best().expect("the round is over");
                assert!(splitting.question.game.is_legal(best.pv[0]) && !splitting.is_over());
            }
        }
    }

    #[test]
    fn another_move_must_be_better_by_the_margin() {
        for (score, played) in [(10 + MARGIN, "7g7f"), (11 + MARGIN, "2g2f")] {
            let mut splitting = Splitting::new(question(2));
            let whole = splitting.job(0).unwrap();
            let likes = |best: &'static str, score: i32| {
                move |line: &[Move]| if line[0].to_string() == best { score } else { 0 }
            };
            splitting.progress(0, &search(&splitting, &whole, likes("7g7f", 10)));
            let others = splitting.job(1).unwrap();
            assert_eq!((others.only.len(), others.nodes), (29, Some(FIRST_NODES)));
            splitting.done(1, &search(&splitting, &others, likes("2g2f", score)), false);
            assert_eq!(splitting.best().unwrap().pv[0].to_string(), played, "{score}");
        }
    }

    #[test]
    fn work_of_a_lost_member_is_done_by_another() {
        let mut splitting = Splitting::new(question(2));
        let first = splitting.job(1).unwrap();
        assert_eq!(splitting.job(0), None);
        splitting.lost(1);
        assert_eq!(splitting.job(0), Some(first.clone()));
        splitting.done(0, &search(&splitting, &first, score), false);
        assert!(splitting.best().is_some());
    }

    #[test]
    fn a_mate_ends_the_search() {
        let mut splitting = Splitting::new(question(2));
        splitting.job(0);
        let mut found = Found::default();
        found.read("info depth 3 score mate 3 nodes 10 pv 7g7f");
        splitting.done(0, &found, false);
        assert_eq!((splitting.job(0), splitting.best().unwrap().score), (None, MATE - 3));
    }
}
