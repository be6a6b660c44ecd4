//! A candidate is judged: made, refused, or refused with all quiet moves that are left.

use super::node::Node;
use super::order::Class;
use super::reduction::reduction;
use super::spot::Candidate;
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;

const LONGEST: i32 = LONGEST_MATE as i32;

/// What becomes of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is made.
    Make,
    /// It is not made.
    Refuse,
    /// Neither are the quiet moves behind it.
    RefuseQuiets,
}

/// What is asked about a candidate, if it is asked.
pub trait Facts {
    /// Whether it gives check.
    fn gives_check(&mut self) -> bool;
    /// Its exchange.
    fn exchange(&mut self) -> i32;
}

/// What the move gains at once: the captured piece and what a promotion adds.
#[inline]
pub fn gain(candidate: &Candidate) -> i32 {
    let value = |kind: u8| EXCHANGE_VALUE[kind as usize & 15] as i32;
    CAPTURE_VALUE[candidate.captured as usize & 15] as i32 + value(candidate.becomes()) - value(candidate.moved)
}

/// Judges a candidate. The best score rises to what a refused move could have reached.
pub fn judge(
    head: &SearchHead,
    node: &mut Node,
    ply: usize,
    class: Class,
    candidate: &Candidate,
    facts: &mut impl Facts,
) -> Verdict {
    if node.best <= -LONGEST || ply == 0 {
        return Verdict::Make;
    }
    if node.quiescence {
        return judge_in_quiescence(head, node, candidate, facts);
    }
    if node.in_check {
        return Verdict::Make;
    }
    let (depth, number, quiet) = (node.depth, node.made + 1, candidate.is_quiet());
    let checks = facts.gives_check();
    let reduced = match head.has(Technique::LateMoveReductions) {
        true => (node.next_depth() - reduction(depth, number, node.improving) / ONE_PLY).max(0),
        false => node.next_depth(),
    };
    if quiet && !checks {
        // Quiet checks may still come behind a killer.
        let refused = if class < Class::Attacked { Verdict::Refuse } else { Verdict::RefuseQuiets };
        if head.has(Technique::LateMovePruning) && number > late_move_count(depth, node.improving) {
            return refused;
        }
        let reached = node.eval + futility_margin(reduced);
        let futile = reduced <= FUTILITY_DEPTH && reached <= node.alpha && node.alpha.abs() < LONGEST;
        if head.has(Technique::Futility) && futile {
            node.best = node.best.max(reached);
            return refused;
        }
    }
    if head.has(Technique::Exchange) && depth <= EXCHANGE_DEPTH {
        let most = match (checks, quiet) {
            (true, _) => EXCHANGE_CHECK * depth,
            (false, false) => EXCHANGE_CAPTURE * depth,
            (false, true) => EXCHANGE_QUIET * reduced * reduced,
        };
        if facts.exchange() < -most {
            return Verdict::Refuse;
        }
    }
    Verdict::Make
}

fn judge_in_quiescence(head: &SearchHead, node: &mut Node, candidate: &Candidate, facts: &mut impl Facts) -> Verdict {
    if node.in_check {
        let enough = head.has(Technique::LateMovePruning) && node.quiet_evasions >= QUIESCENCE_EVASIONS;
        return if enough && candidate.is_quiet() { Verdict::Refuse } else { Verdict::Make };
    }
    if head.has(Technique::Futility) {
        let reached = node.eval + QUIESCENCE_FUTILITY + gain(candidate);
        if reached <= node.alpha && !facts.gives_check() {
            node.best = node.best.max(reached);
            return Verdict::Refuse;
        }
    }
    Verdict::Make
}
