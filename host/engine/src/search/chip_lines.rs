//! Several lines, or only given moves, by a chip whose request cannot leave out moves at the root: each move of the root is a search
//! (`SEARCH`) of the position after it.
//!
//! Iteration *n* searches the position after each move to depth *n* − 1, the moves of the last iteration's lines first. Until there are
//! as many lines as wanted, a move has the full window. Then it has the null window above the worst of the lines, and the window above
//! that if it is better. Each of these requests begins all iterations anew, so that one line of the root itself is faster.

use super::{
    game_path::{GamePath, Repeated},
    on_chip::{chip_request, ChipSearch, End, SearchSize},
    score::{LONGEST_MATE, MATE, PERPETUAL},
    searcher::SearchReport,
    time::SearchStability,
};
use hayasashi_accel::{search::line, AccelError};
use hayasashi_shogi::rules::{Move, MoveList};
use hayasashi_spec::search::{SearchHead, MAX_DEPTH};
use std::cell::Cell;

/// The search of the moves of a root, one by one.
pub(super) struct ChipLines<'a> {
    pub search: ChipSearch<'a>,
    /// Only these moves; empty for all.
    pub only: &'a [Move],
    /// Lines that are wanted.
    pub lines: usize,
    /// Whether the iterations so far are enough, once the clock runs.
    pub enough: Cell<bool>,
}

/// A move at the root with its line.
#[derive(Clone)]
struct RootLine {
    score: i32,
    pv: Vec<Move>,
}

/// Why a move has no score.
enum Unsearched {
    /// A limit is reached, or the search was stopped.
    Over,
    Failed(AccelError),
}

/// What the requests have taken so far.
#[derive(Default)]
struct Spent {
    nodes: u64,
    steps: u64,
}

impl ChipLines<'_> {
    /// Searches. The report's line is empty if no move has been searched; the error is that of a chip that failed.
    pub fn run(&self, on_report: &mut dyn FnMut(&SearchReport)) -> (SearchReport, Option<AccelError>) {
        let mut moves = self.moves();
        let wanted = self.lines.min(moves.len());
        let deepest = self.search.limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_DEPTH as u32);
        let (mut spent, mut stability, mut failure) = (Spent::default(), SearchStability::default(), None);
        let mut report = self.report(&spent);
        // The first iteration asks for depth 1 after the move: a chip has no depth 0.
        for depth in 2..=deepest.max(2) {
            if moves.is_empty() {
                break;
            }
            let (lines, end) = self.iteration(&moves, depth as u8, wanted, &mut spent);
            let whole = end.is_none();
            // The first move of an unfinished iteration is the best one of the last: what beats it is better still. Of several lines an
            // unfinished iteration has the wrong ones, but is better than none.
            if let (Some(best), true) = (lines.first(), whole || wanted == 1 || report.pv.is_empty()) {
                (report.score, report.pv) = (best.score, best.pv.clone());
            }
            (report.nodes, report.elapsed) = (self.nodes(&spent), self.search.control.elapsed());
            if let Some(Unsearched::Failed(error)) = end {
                failure = Some(error);
            }
            if !whole {
                break;
            }
            report.depth = depth.min(deepest);
            report.selective_depth = report.depth.max(report.pv.len() as u32);
            for (at, line) in lines.iter().enumerate() {
                on_report(&SearchReport { line: at + 1, score: line.score, pv: line.pv.clone(), ..report.clone() });
            }
            stability.update(report.pv[0], report.score);
            let mates = report.score.abs() > LONGEST_MATE && MATE - report.score.abs() <= depth as i32;
            let decided = wanted == 1 && mates && !self.search.limits.infinite;
            moves.retain(|mv| lines.iter().all(|line| line.pv[0] != *mv));
            moves.splice(0..0, lines.iter().map(|line| line.pv[0]));
            self.enough.set(decided || self.search.is_enough(&stability, moves.len() == 1));
            if self.is_enough() {
                break;
            }
        }
        (report, failure)
    }

    fn moves(&self) -> Vec<Move> {
        let mut all = MoveList::new();
        self.search.pos.position().legal_moves(&mut all);
        let wanted = all.iter().filter(|mv| self.only.is_empty() || self.only.contains(mv));
        let mut moves: Vec<Move> = wanted.copied().collect();
        // Captures and promotions first; the others in a fixed order.
        moves.sort_by_key(|&mv| !self.search.pos.position().is_forcing(mv));
        moves
    }

    /// The best lines at this depth, the best first, and why the iteration has ended early.
    fn iteration(
        &self,
        moves: &[Move],
        depth: u8,
        wanted: usize,
        spent: &mut Spent,
    ) -> (Vec<RootLine>, Option<Unsearched>) {
        let mut lines: Vec<RootLine> = Vec::new();
        for &mv in moves {
            let worst = if lines.len() < wanted { None } else { lines.last().map(|line| line.score) };
            let searched = match worst {
                None => self.child(mv, depth - 1, (-MATE, MATE), spent),
                // Nothing is better than a mate in one.
                Some(worst) if worst >= MATE - 1 => continue,
                Some(worst) => match self.child(mv, depth - 1, (worst, worst + 1), spent) {
                    Ok(line) if line.score > worst => self.child(mv, depth - 1, (worst, MATE), spent),
                    other => other,
                },
            };
            match searched {
                Ok(line) if worst.is_none_or(|worst| line.score > worst) => {
                    let at = lines.iter().position(|other| other.score < line.score).unwrap_or(lines.len());
                    lines.insert(at, line);
                    lines.truncate(wanted);
                }
                Ok(_) => {}
                Err(end) => return (lines, Some(end)),
            }
        }
        (lines, None)
    }

    /// The score of a move and its line: a search of the position after it within (`alpha`, `beta`), as the root has them.
    fn child(&self, mv: Move, depth: u8, (alpha, beta): (i32, i32), spent: &mut Spent) -> Result<RootLine, Unsearched> {
        let mut after: GamePath = self.search.pos.clone();
        after.do_move(mv);
        if let Some(repeated) = after.repeated() {
            let score = match repeated {
                Repeated::Draw => self.search.draw,
                Repeated::Win => -PERPETUAL,
                Repeated::Loss => PERPETUAL,
            };
            return Ok(RootLine { score, pv: vec![mv] });
        }
        let head = self.head(depth, (alpha, beta), spent)?;
        let (found, end) = self.search.ask(chip_request(head, &after), &mut |_| self.is_enough());
        spent.nodes += found.nodes;
        spent.steps += found.steps;
        match end {
            End::Failed(error) => return Err(Unsearched::Failed(error)),
            End::Stopped => return Err(Unsearched::Over),
            // A limit of nodes or steps.
            End::Complete if found.depth < depth && found.score.unsigned_abs() as i32 <= LONGEST_MATE => {
                return Err(Unsearched::Over)
            }
            End::Complete => {}
        }
        let mut pv = vec![mv];
        pv.extend(line(&found, after.position()));
        Ok(RootLine { score: from_child(found.score.into()), pv })
    }

    fn head(&self, depth: u8, (alpha, beta): (i32, i32), spent: &Spent) -> Result<SearchHead, Unsearched> {
        let limits = self.search.limits;
        // A limit of 0 would be none.
        let rest = |limit: Option<u64>, spent: u64| match limit.map(|limit| limit.saturating_sub(spent)) {
            Some(0) => Err(Unsearched::Over),
            rest => Ok(rest.unwrap_or(0)),
        };
        if self.search.is_over() {
            return Err(Unsearched::Over);
        }
        let SearchSize { table_bits, steps, techniques, .. } = self.search.size;
        let draw = -self.search.draw.clamp(-10_000, 10_000);
        let head = SearchHead {
            depth,
            nodes: rest(limits.nodes, self.search.spent + spent.nodes)?,
            steps: rest((steps > 0).then_some(steps), spent.steps)?,
            alpha: to_child(beta) as i16,
            beta: to_child(alpha) as i16,
            draw: draw as i16,
            table_bits,
            techniques,
            ..SearchHead::default()
        };
        Ok(head.keeping_table(self.search.keeps_table()))
    }

    fn is_enough(&self) -> bool {
        self.enough.get() && self.search.control.clock().is_some()
    }

    fn nodes(&self, spent: &Spent) -> u64 {
        self.search.spent + spent.nodes
    }

    fn report(&self, spent: &Spent) -> SearchReport {
        let elapsed = self.search.control.elapsed();
        SearchReport { line: 1, nodes: self.nodes(spent), elapsed, ..SearchReport::default() }
    }
}

/// A score of the position after a move, as the root sees it: a mate is one ply further away.
fn from_child(score: i32) -> i32 {
    match -score {
        mate if mate > LONGEST_MATE => mate - 1,
        mated if mated < -LONGEST_MATE => mated + 1,
        score => score,
    }
}

/// The score after the move that the root sees as this one.
fn to_child(score: i32) -> i32 {
    match score {
        score if score > LONGEST_MATE => -(score + 1).min(MATE),
        score if score < -LONGEST_MATE => -(score - 1).max(-MATE),
        score => -score,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_a_ply_further_from_the_root() {
        assert_eq!([from_child(-MATE), from_child(MATE - 2), from_child(30)], [MATE - 1, -MATE + 3, -30]);
        for score in [-MATE + 1, -MATE + 7, -31_000, -5, 0, 5, 31_000, MATE - 7, MATE - 1] {
            assert_eq!(from_child(to_child(score)), score);
        }
        assert_eq!([to_child(-MATE), to_child(MATE)], [MATE, -MATE]);
    }
}
