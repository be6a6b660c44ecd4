//! A node is entered: its score, if it has one without a search of its moves, and how it begins if not.

use super::node::{Child, Node, Waiting};
use super::path::Repeated;
use super::table::Entry;
use hayasashi_spec::moves::{Move16, DROP_FROM};
use hayasashi_spec::piece::PAWN;
use hayasashi_spec::search::*;
use hayasashi_spec::search_table::*;

const MATED: i32 = MATE as i32;
const LONGEST: i32 = LONGEST_MATE as i32;

/// How a node that has just been entered goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// It has this score.
    Score(i32),
    /// Its last move was a pawn drop that mates, so it does not exist.
    PawnDropMate,
    /// Its moves are searched.
    Moves,
}

/// What is known of a position that is entered.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// Moves from the root.
    pub ply: usize,
    /// Its repetition.
    pub repeated: Option<Repeated>,
    /// There is a legal move, or a pawn drop that mates.
    pub has_move: bool,
    /// The mover is in check.
    pub in_check: bool,
    /// The static evaluation.
    pub eval: i32,
    /// The static evaluation two plies before, unless the mover was in check there or there is no such ply.
    pub before: Option<i32>,
    /// The table's entry.
    pub entry: Option<Entry>,
}

/// Enters a node.
pub fn enter(head: &SearchHead, node: &mut Node, arrival: &Arrival) -> Entered {
    let &Arrival { ply, repeated, has_move, in_check, eval, before, entry } = arrival;
    if let Some(repeated) = repeated {
        let draw = head.draw as i32;
        return Entered::Score(match repeated {
            Repeated::Draw if ply.is_multiple_of(2) => draw,
            Repeated::Draw => -draw,
            Repeated::Win => PERPETUAL as i32,
            Repeated::Loss => -(PERPETUAL as i32),
        });
    }
    if !has_move {
        let drops_pawn = node.last.is_some_and(|last| last.moved == PAWN && last.mv.from() >= DROP_FROM);
        return if drops_pawn && in_check { Entered::PawnDropMate } else { Entered::Score(-MATED + ply as i32) };
    }
    let improving = !in_check && before.is_none_or(|before| eval > before);
    (node.in_check, node.eval, node.improving) = (in_check, eval, improving);
    node.best = -MATED + ply as i32;
    if ply >= MAX_PLY {
        return Entered::Score(eval);
    }
    // No mate is shorter than one ply from here.
    node.alpha = node.alpha.max(-MATED + ply as i32);
    node.beta = node.beta.min(MATED - ply as i32 - 1);
    if node.alpha >= node.beta {
        return Entered::Score(node.alpha);
    }
    if let Some(entry) = entry.filter(|_| head.has(Technique::Table)) {
        let score = entry.score(ply);
        let deep = entry.depth as i32 >= node.table_depth();
        if !node.open && deep && entry.settles(score, node.alpha, node.beta) {
            return Entered::Score(score);
        }
        node.known = entry.best;
        // Nearer to the value than the static evaluation.
        if !in_check && score.abs() <= LONGEST && entry.corrects(score, eval) {
            node.eval = score;
        }
    }
    if node.quiescence {
        return begin_quiescence(head, node);
    }
    prune(head, node, eval)
}

/// The root at the start of an iteration. `known` is the first move of the line so far.
pub fn enter_root(child: Child, in_check: bool, eval: i32, known: Move16) -> Node {
    Node { in_check, eval, improving: !in_check, best: -MATED, known, ..Node::enter(child) }
}

/// The start of quiescence: the static evaluation is a lower bound out of check.
fn begin_quiescence(head: &SearchHead, node: &mut Node) -> Entered {
    if !head.has(Technique::Quiescence) || node.quiet_ply >= QUIESCENCE_PLIES {
        return Entered::Score(node.eval);
    }
    if !node.in_check {
        node.best = node.eval;
        if node.best >= node.beta {
            return Entered::Score(node.best);
        }
        node.alpha = node.alpha.max(node.best);
    }
    Entered::Moves
}

/// Razoring, reverse futility and the null move. `static_eval` is the evaluation without the table's score.
fn prune(head: &SearchHead, node: &mut Node, static_eval: i32) -> Entered {
    let razoring = head.has(Technique::Razoring) && head.has(Technique::Quiescence);
    let (reverse, null) = (head.has(Technique::ReverseFutility), head.has(Technique::NullMove));
    let Node { alpha, beta, depth, eval, improving, .. } = *node;
    let decided = alpha.abs() >= LONGEST || beta.abs() >= LONGEST;
    if !node.open && !node.in_check && !decided {
        if razoring && depth <= RAZORING_DEPTH && eval + razoring_margin(depth) <= alpha {
            (node.quiescence, node.razored) = (true, true);
            return begin_quiescence(head, node);
        }
        if reverse && depth <= REVERSE_FUTILITY_DEPTH && eval - reverse_futility_margin(depth, improving) >= beta {
            return Entered::Score((eval + beta) >> 1);
        }
        let high = eval >= beta && static_eval - null_move_margin(depth) >= beta;
        if null && depth >= NULL_MOVE_DEPTH && node.last.is_some() && high {
            node.waiting = Waiting::Null;
        }
    }
    Entered::Moves
}
