//! A score returns to a node, and a node ends.

use super::child::{null_window, open};
use super::node::{Child, Node, Waiting};
use super::table::Bound;
use hayasashi_spec::moves::Move16;
use hayasashi_spec::search::*;

const MATED: i32 = MATE as i32;
const LONGEST: i32 = LONGEST_MATE as i32;

/// How a node goes on after a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The current move is searched again.
    Search(Child),
    /// The next move is picked.
    Pick,
    /// The node ends.
    Finish,
}

/// What a score does to a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Returned {
    /// How it goes on.
    pub next: Next,
    /// The current move begins the line of this ply.
    pub raises_line: bool,
    /// The current move becomes a killer and a counter move.
    pub learns: bool,
    /// The current move is quiet and has failed low, outside quiescence.
    pub fails: bool,
}

impl From<Next> for Returned {
    fn from(next: Next) -> Returned {
        Returned { next, raises_line: false, learns: false, fails: false }
    }
}

/// The child has ended with this score for the mover.
pub fn returned(node: &mut Node, ply: usize, score: i32) -> Returned {
    let Node { alpha, beta, reduced, open: is_open, .. } = *node;
    match node.waiting {
        Waiting::Null => {
            node.waiting = Waiting::Open;
            if score < beta {
                return Next::Pick.into();
            }
            // A mate after a pass is none.
            node.best = if score >= LONGEST { beta } else { score };
            Next::Finish.into()
        }
        Waiting::Reduced if score > alpha && reduced < node.next_depth() => {
            node.waiting = Waiting::NullWindow;
            Next::Search(null_window(node)).into()
        }
        Waiting::Reduced | Waiting::NullWindow if is_open && score > alpha && score < beta => {
            Next::Search(open(node)).into()
        }
        _ => scored(node, ply, score),
    }
}

/// The current move has this score, and its search is over.
fn scored(node: &mut Node, ply: usize, score: i32) -> Returned {
    let quiet = !node.quiescence && node.current.is_quiet();
    let low = Returned { fails: quiet && score <= node.alpha, ..Next::Pick.into() };
    if score <= node.best {
        return low;
    }
    node.best = score;
    if score <= node.alpha {
        return low;
    }
    node.best_move = node.current.mv;
    let cuts = score >= node.beta;
    if !cuts {
        node.alpha = score;
    }
    Returned {
        next: if cuts { Next::Finish } else { Next::Pick },
        raises_line: node.open || ply == 0,
        learns: cuts && quiet,
        fails: false,
    }
}

/// What becomes of a node whose moves are all searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finished {
    /// Razoring was wrong: it picks its moves anew.
    Again,
    /// It has its score; the table gets it with this bound.
    Ended(Bound),
}

/// Ends a node.
pub fn finished(node: &mut Node, ply: usize) -> Finished {
    if node.razored {
        node.razored = false;
        if node.best > node.first_alpha {
            (node.quiescence, node.alpha, node.best) = (false, node.first_alpha, -MATED + ply as i32);
            (node.made, node.best_move) = (0, Move16(0));
            return Finished::Again;
        }
    }
    let bound = match node.best {
        best if best >= node.beta => Bound::Lower,
        best if best > node.first_alpha => Bound::Exact,
        _ => Bound::Upper,
    };
    Finished::Ended(bound)
}
