//! The decisions at a node: which move is made next, at which depth and with which window.

use super::node::{Child, Node, Waiting};
use super::order::Class;
use super::spot::Candidate;
use super::walker::Walker;
use hayasashi_spec::search::{Technique, LONGEST_MATE};
use hayasashi_spec::search_table::*;

const LONGEST: i32 = LONGEST_MATE as i32;

/// What becomes of a candidate.
enum Verdict {
    Make,
    /// This move is not made.
    Refuse,
    /// Neither are the other quiet moves.
    RefuseQuiets,
}

impl Walker {
    /// Makes the next move of the present node, or ends it.
    pub(super) fn pick(&mut self) {
        if self.nodes[self.ply()].waiting == Waiting::Null {
            return self.pass();
        }
        for _ in 0..PICKS_A_STEP {
            let (_, picker, spot) = self.here();
            let Some((class, candidate)) = picker.next(spot) else { return self.finish() };
            match self.judge(class, &candidate) {
                Verdict::Make => return self.make(class, candidate),
                Verdict::Refuse => {}
                Verdict::RefuseQuiets => self.here().1.skip_quiets(),
            }
        }
        self.pick_later();
    }

    fn judge(&mut self, class: Class, candidate: &Candidate) -> Verdict {
        let head = self.head;
        let ply = self.ply();
        let (node, _, spot) = self.here();
        if node.best <= -LONGEST || ply == 0 {
            return Verdict::Make;
        }
        let gives_check = |spot: &mut super::spot::Spot| {
            spot.find_checking();
            spot.checks(candidate)
        };
        if node.quiescence {
            if node.in_check {
                let enough = head.has(Technique::LateMovePruning) && node.quiet_evasions >= QUIESCENCE_EVASIONS;
                return if enough && candidate.is_quiet() { Verdict::Refuse } else { Verdict::Make };
            }
            if head.has(Technique::Futility) {
                let value = |kind: u8| EXCHANGE_VALUE[kind as usize & 15] as i32;
                let gain = value(candidate.captured) + value(candidate.becomes()) - value(candidate.moved);
                let reached = node.eval + QUIESCENCE_FUTILITY + gain;
                if reached <= node.alpha && !gives_check(spot) {
                    node.best = node.best.max(reached);
                    return Verdict::Refuse;
                }
            }
            return Verdict::Make;
        }
        if node.in_check {
            return Verdict::Make;
        }
        let (depth, number, quiet) = (node.depth, node.made + 1, candidate.is_quiet());
        let checks = class == Class::Checks || gives_check(spot);
        let reduced = match head.has(Technique::LateMoveReductions) {
            true => (depth - 1 - reduction(depth, number, node.improving) / ONE_PLY).max(0),
            false => depth - 1,
        };
        if quiet && !checks {
            if head.has(Technique::LateMovePruning) && number > late_move_count(depth, node.improving) {
                return Verdict::RefuseQuiets;
            }
            let reached = node.eval + futility_margin(reduced);
            let futile = reduced <= FUTILITY_DEPTH && reached <= node.alpha && node.alpha.abs() < LONGEST;
            if head.has(Technique::Futility) && futile {
                node.best = node.best.max(reached);
                return Verdict::RefuseQuiets;
            }
        }
        if head.has(Technique::Exchange) && depth <= EXCHANGE_DEPTH {
            let most = match (checks, quiet) {
                (true, _) => EXCHANGE_CHECK * depth,
                (false, false) => EXCHANGE_CAPTURE * depth,
                (false, true) => EXCHANGE_QUIET * reduced * reduced,
            };
            spot.find_attacks();
            if spot.attacks.exchange(candidate) < -most {
                return Verdict::Refuse;
            }
        }
        Verdict::Make
    }

    fn make(&mut self, class: Class, candidate: Candidate) {
        let head = self.head;
        let (node, _, spot) = self.here();
        node.made += 1;
        (node.current, node.class) = (candidate, class);
        node.waiting = Waiting::Open;
        if node.quiescence {
            node.quiet_evasions += candidate.is_quiet() as i32;
            return self.open();
        }
        node.next_depth = node.depth - 1;
        let late = head.has(Technique::LateMoveReductions)
            && node.depth >= REDUCTION_DEPTH
            && node.made > 1 + node.open as i32
            && (candidate.is_quiet() || class == Class::Losing);
        if late {
            let promising = match class {
                Class::FirstKiller | Class::SecondKiller | Class::CounterMove | Class::Checks => true,
                _ => {
                    spot.find_checking();
                    node.in_check || spot.checks(&candidate)
                }
            };
            let reduction = reduction(node.depth, node.made, node.improving) + EXPECTED_CUT * node.cut as i32
                - OPEN_WINDOW * node.open as i32
                - PROMISING * promising as i32;
            node.reduced = (node.next_depth - reduction.max(0) / ONE_PLY).max(node.next_depth.min(1));
            node.waiting = Waiting::Reduced;
            return self.null_window();
        }
        if node.made > 1 {
            node.waiting = Waiting::NullWindow;
            return self.null_window();
        }
        self.open();
    }

    /// Searches the current move with a null window, reduced or not.
    fn null_window(&mut self) {
        let node = self.here().0;
        let (depth, cut) = match node.waiting {
            Waiting::Reduced => (node.reduced, true),
            _ => (node.next_depth, !node.cut),
        };
        let child =
            Child { alpha: -node.alpha - 1, beta: -node.alpha, depth, cut, quiet_ply: 0, last: Some(node.current) };
        self.issue(child);
    }

    /// Searches the current move with the window of the node.
    fn open(&mut self) {
        let node = self.here().0;
        node.waiting = Waiting::Open;
        let (depth, quiet_ply) = if node.quiescence { (0, node.quiet_ply + 1) } else { (node.next_depth, 0) };
        let cut = !node.open && !node.cut;
        let child = Child { alpha: -node.beta, beta: -node.alpha, depth, cut, quiet_ply, last: Some(node.current) };
        self.issue(child);
    }

    /// Makes a null move.
    fn pass(&mut self) {
        let node = self.here().0;
        let depth = node.depth - null_move_reduction(node.depth, node.eval - node.beta);
        let child = Child { alpha: -node.beta, beta: -node.beta + 1, depth, cut: !node.cut, quiet_ply: 0, last: None };
        self.issue(child);
    }

    /// The child has ended with this score for the mover.
    pub(super) fn returned(&mut self, score: i32) {
        let node = self.here().0;
        let Node { alpha, beta, next_depth, reduced, open, .. } = *node;
        match node.waiting {
            Waiting::Null => {
                node.waiting = Waiting::Open;
                if score >= beta {
                    // A mate after a pass is none.
                    node.best = if score >= LONGEST { beta } else { score };
                    return self.finish();
                }
                self.pick();
            }
            Waiting::Reduced if score > alpha && reduced < next_depth => {
                node.waiting = Waiting::NullWindow;
                self.null_window();
            }
            Waiting::Reduced | Waiting::NullWindow if open && score > alpha && score < beta => self.open(),
            _ => self.scored(score),
        }
    }
}

/// The reduction of a move before what its node and class add, in parts of [`ONE_PLY`].
fn reduction(depth: i32, number: i32, improving: bool) -> i32 {
    late_move_reduction(depth, number) + if improving { 0 } else { NOT_IMPROVING }
}
