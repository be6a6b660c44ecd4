//! The state of a walker at one ply.

use super::order::Class;
use super::spot::Candidate;
use hayasashi_spec::moves::Move16;

/// What a node waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Waiting {
    /// The search after a null move.
    Null,
    /// The search of the current move at a reduced depth, with a null window.
    Reduced,
    /// The search of the current move at its depth, with a null window.
    NullWindow,
    /// The search of the current move with the node's window.
    #[default]
    Open,
}

/// A node on the walker's path.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node {
    /// Lower end of the window; it rises.
    pub alpha: i32,
    /// Upper end of the window.
    pub beta: i32,
    /// Alpha when the node was entered.
    pub first_alpha: i32,
    /// The best score so far.
    pub best: i32,
    /// The move that raised alpha last, or zero.
    pub best_move: Move16,
    /// Plies left; 0 in quiescence that is not razoring's.
    pub depth: i32,
    /// Ply of quiescence, from 0.
    pub quiet_ply: u8,
    /// Only captures, promotions and evasions are searched.
    pub quiescence: bool,
    /// Quiescence that razoring has begun, in place of a search.
    pub razored: bool,
    /// The window is open: alpha and beta are more than one apart.
    pub open: bool,
    /// A cut-off is expected.
    pub cut: bool,
    /// The mover is in check.
    pub in_check: bool,
    /// The evaluation has risen since the mover's last move.
    pub improving: bool,
    /// The static evaluation, or the table's score where that is nearer to the value.
    pub eval: i32,
    /// The move that led here; none after a null move and at the root.
    pub last: Option<Candidate>,
    /// The table's move.
    pub known: Move16,
    /// Moves made at this node.
    pub made: i32,
    /// Quiet moves made out of check in quiescence.
    pub quiet_evasions: i32,
    /// The move being searched.
    pub current: Candidate,
    /// Its class.
    pub class: Class,
    /// What its search is for.
    pub waiting: Waiting,
    /// Depth of the current move's search, if it is reduced.
    pub reduced: i32,
}

/// Where a child begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Child {
    /// Lower end of the window.
    pub alpha: i32,
    /// Upper end of the window.
    pub beta: i32,
    /// Plies left, not below 0.
    pub depth: i32,
    /// A cut-off is expected.
    pub cut: bool,
    /// Ply of quiescence.
    pub quiet_ply: u8,
    /// The move that leads there; none for a null move and at the root.
    pub last: Option<Candidate>,
}

impl Node {
    /// The node that a child begins with.
    pub fn enter(child: Child) -> Node {
        let Child { alpha, beta, depth, cut, quiet_ply, last } = child;
        Node {
            alpha,
            beta,
            first_alpha: alpha,
            depth,
            quiescence: depth <= 0,
            quiet_ply,
            open: beta - alpha > 1,
            cut,
            last,
            ..Node::default()
        }
    }

    /// Depth of the current move's search, if it is not reduced.
    pub fn next_depth(&self) -> i32 {
        self.depth - 1
    }

    /// How deep its search is, for the table: its plies and one; in quiescence one on the first ply and in check, else zero.
    pub fn table_depth(&self) -> i32 {
        match self.quiescence {
            true => (self.quiet_ply == 0 || self.in_check) as i32,
            false => self.depth + 1,
        }
    }

    /// The current move turns out not to be legal.
    pub fn unmake(&mut self) {
        self.made -= 1;
        self.quiet_evasions -= self.quiescence as i32;
    }
}
