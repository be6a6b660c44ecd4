//! What a walker keeps of a node, and what it is told about a search.
//!
//! Layouts, no blocks. A node is a row of a memory by walker and ply; so is the child that a node issues, until its position
//! has left the pipe.
//! Model: `host/model/src/search/node.rs`.

use super::number::constant;
use crate::bundle;
use crate::network::{Wire, Wires, Word};
use hayasashi_spec::search::{Technique, LONGEST_MATE};

/// Wires of a score: two's complement, within ±32,000.
pub const SCORE_BITS: usize = 16;
/// Layout of a score.
pub type Score = Wires<SCORE_BITS>;
/// Wires of a score with a margin: no sum of a score, a gain and a margin leaves it.
pub const SUM_BITS: usize = 18;
/// Layout of a score with a margin.
pub type Sum = Wires<SUM_BITS>;
/// Layout of a depth, 0 to 32, or a ply, 0 to 40.
pub type Plies = Wires<6>;
/// Layout of a move without its highest bit, which is zero.
pub type Move = Wires<15>;
/// Wires of the number of moves made at a node.
pub const MADE_BITS: usize = 10;
/// Layout of a class of the order of moves: its place there, the table's first.
pub type Class = Wires<4>;
/// Layout of the techniques that are switched on.
pub type Techniques = Wires<{ Technique::ALL.len() }>;

bundle! {
    /// What a request says.
    pub struct Head {
        /// Techniques.
        techniques: Techniques,
        /// Lower end of the window.
        alpha: Score,
        /// Upper end of the window.
        beta: Score,
        /// Value of a draw.
        draw: Score,
        /// Plies of the last iteration.
        depth: Plies,
    }
}

bundle! {
    /// A legal move with what is asked about it.
    pub struct Candidate {
        /// The move.
        mv: Move,
        /// Kind of the piece before the move, or the kind dropped.
        moved: Wires<4>,
        /// Kind of the captured piece, 0 for none.
        captured: Wires<4>,
    }
}

bundle! {
    /// Where a child begins.
    pub struct Child {
        /// Lower end of the window.
        alpha: Score,
        /// Upper end of the window.
        beta: Score,
        /// Plies left.
        depth: Plies,
        /// A cut-off is expected.
        cut: Wire,
        /// Ply of quiescence.
        quiet_ply: Wires<3>,
        /// A move leads there, no null move.
        has_last: Wire,
        /// That move.
        last: Candidate,
    }
}

bundle! {
    /// A node.
    pub struct Node {
        /// Where it began; the lower end of the window is first_alpha of the model. Upper end and depth stay, but for mates.
        child: Child,
        /// Lower end of the window; it rises.
        alpha: Score,
        /// The best score so far.
        best: Score,
        /// The static evaluation, or the table's score where that is nearer to the value.
        eval: Score,
        /// The move that raised alpha last, or zero.
        best_move: Move,
        /// The table's move, or zero.
        known: Move,
        /// Only captures, promotions and evasions are searched.
        quiescence: Wire,
        /// Quiescence that razoring has begun.
        razored: Wire,
        /// The window was open in the beginning.
        open: Wire,
        /// The mover is in check.
        in_check: Wire,
        /// The evaluation has risen since the mover's last move.
        improving: Wire,
        /// Moves made.
        made: Wires<MADE_BITS>,
        /// Quiet moves made in quiescence; 3 for more.
        evasions: Wires<2>,
        /// The move being searched.
        current: Candidate,
        /// Its class.
        class: Class,
        /// What its search is for: [`NULL`] and so on.
        waiting: Wires<2>,
        /// Depth of its search, if it is reduced.
        reduced: Plies,
    }
}

/// The node waits for the score after a null move.
pub const NULL: u128 = 0;
/// For that of a search at a reduced depth.
pub const REDUCED: u128 = 1;
/// For that of a search with a null window.
pub const NULL_WINDOW: u128 = 2;
/// For that of a search with the node's window.
pub const OPEN: u128 = 3;

/// One wire: whether a technique is switched on.
pub fn has<W: Word>(techniques: W, technique: Technique) -> W {
    techniques.bit((technique as u32).trailing_zeros() as usize)
}

/// How deep a node's search is, for the table. `depth` are its plies, zero in quiescence.
pub fn table_depth<W: Word>(depth: W, quiescence: W, quiet_ply: W, in_check: W) -> W {
    depth.plus(!(quiescence & quiet_ply.any() & !in_check), 6)
}

/// One wire: whether a score is a mate, or as near to one as the longest.
pub fn is_decided<W: Word>(score: W) -> W {
    let longest = |sign: i32| constant::<W>(sign * LONGEST_MATE as i32, SCORE_BITS);
    !super::number::less(score, longest(1)) | !super::number::less(longest(-1), score)
}

impl<W: Word> Candidate<W> {
    /// One wire: the move promotes.
    pub fn promotes(&self) -> W {
        self.mv.bit(14)
    }

    /// One wire: the move neither captures nor promotes.
    pub fn is_quiet(&self) -> W {
        !(self.captured.any() | self.promotes())
    }

    /// The kind of the piece after the move.
    pub fn becomes(&self) -> W {
        self.moved | W::join(&[W::zero(3), self.promotes()])
    }

    /// Square of arrival.
    pub fn to(&self) -> W {
        self.mv.slice(0, 7)
    }

    /// Square of origin, or what tells the kind dropped.
    pub fn from(&self) -> W {
        self.mv.slice(7, 7)
    }
}
