//! How members share a search.

use super::{
    consultation::{Consultation, Rule},
    job::{Found, Job},
    softmax::SoftmaxTree,
    splitting::Splitting,
};
use hayasashi_engine::search::GamePath;
use hayasashi_shogi::rules::Move;

/// The ways to share a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Consultation: every member searches the position, and the move with most votes is played.
    Majority,
    /// Consultation: the move of the member with the greatest score is played.
    Optimistic,
    /// Every member searches the position, and they tell each other the deep entries of their tables.
    Shared,
    /// Alpha-beta: the moves of the first plies of the best line are divided.
    AlphaBeta,
    /// Softmax: the leader keeps a tree, and members search its most probable leaves.
    Softmax,
}

/// The question that a search answers.
#[derive(Clone)]
pub struct Question {
    /// The position, with the moves before it.
    pub game: GamePath,
    /// The moves to choose from (empty: all).
    pub only: Vec<Move>,
    /// Most plies.
    pub depth: Option<u32>,
    /// The number of members.
    pub members: usize,
    /// Score of a draw for the side to move, in centipawns.
    pub draw: i32,
}

impl Question {
    /// The position after these moves.
    pub fn path(&self, line: &[Move]) -> GamePath {
        let mut path = self.game.clone();
        line.iter().for_each(|&mv| path.do_move(mv));
        path
    }
}

/// The best move so far, with its line and its score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Best {
    /// The line; its first move is to be played. Empty: the game is lost.
    pub pv: Vec<Move>,
    /// Score for the side to move, as in [`hayasashi_engine::search::score`].
    pub score: i32,
    /// Depth.
    pub depth: u32,
    /// The members declare a win by entering king.
    pub declares: bool,
}

/// A search that several members share. Time and nodes are the leader's care.
pub trait Strategy {
    /// Work for an idle member; `None` if there is none now.
    fn job(&mut self, member: usize) -> Option<Job>;

    /// A member has reported something of its unfinished work.
    fn progress(&mut self, _member: usize, _found: &Found) {}

    /// A member has finished its work, or was stopped.
    fn done(&mut self, member: usize, found: &Found, stopped: bool);

    /// A member does not answer any more. Its work is to be done by another.
    fn lost(&mut self, member: usize);

    /// The best move so far.
    fn best(&self) -> Option<Best>;

    /// Whether the result is known, though members may be searching still.
    fn is_over(&self) -> bool {
        false
    }

    /// How many iterations are complete: the time of a move is thought about after each.
    fn iterations(&self) -> u32;
}

/// The sizes of searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Softmax: nodes of a search of a leaf.
    pub leaf_nodes: u64,
    /// Softmax: moves of a leaf that become its children.
    pub lines: usize,
    /// Softmax: temperature in centipawns.
    pub temperature: u32,
    /// Softmax: memory of the tree in bytes.
    pub tree_bytes: usize,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { leaf_nodes: 2_000, lines: 8, temperature: 80, tree_bytes: 256 << 20 }
    }
}

/// The options that members need for this method, with their values.
pub fn options(method: Method, sizes: &Sizes) -> Vec<(&'static str, String)> {
    match method {
        Method::Softmax => vec![("MultiPV", sizes.lines.to_string())],
        _ => vec![("MultiPV", "1".into())],
    }
}

/// Begins to answer a question.
pub fn begin(method: Method, sizes: &Sizes, question: Question) -> Box<dyn Strategy> {
    match method {
        Method::Majority => Box::new(Consultation::new(question, Rule::Majority)),
        Method::Optimistic => Box::new(Consultation::new(question, Rule::Optimistic)),
        Method::Shared => Box::new(Consultation::new(question, Rule::Deepest)),
        Method::AlphaBeta => Box::new(Splitting::new(question)),
        Method::Softmax => Box::new(SoftmaxTree::new(question, sizes)),
    }
}
