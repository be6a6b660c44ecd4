//! Perft with a journal, from which an interrupted run resumes, and whose subtrees several processes may share.

use crate::{
    matches::{Journal, MatchError},
    parts::Part,
};
use hayasashi_accel::{
    perft::{divide, PerftError},
    CoProcessor,
};
use hayasashi_shogi::rules::{MoveList, Position};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};
use thiserror::Error;

/// Plies from the root to the subtrees that are counted one by one: some 900 from the initial position.
const SPLIT_PLIES: u32 = 2;

/// Why a count cannot go on.
#[derive(Debug, Error)]
pub enum SubtreesError {
    /// The back end failed.
    #[error(transparent)]
    Perft(#[from] PerftError),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] MatchError),
}

/// A count of the leaves below a position.
pub struct Subtrees {
    /// The position.
    pub position: Position,
    /// Depth in plies.
    pub depth: u32,
    /// The share of the subtrees that is counted here.
    pub part: Part,
    /// The journal.
    pub journal: PathBuf,
}

/// The first line of the journal.
#[derive(Serialize, Deserialize)]
struct Heading {
    sfen: String,
    depth: u32,
}

impl Heading {
    fn fields(&self) -> Vec<(&'static str, String)> {
        vec![("position", self.sfen.clone()), ("depth", self.depth.to_string())]
    }
}

/// The leaves of a subtree.
#[derive(Serialize, Deserialize)]
struct Subtree {
    /// Its number, from 0, in the order of the moves as text.
    subtree: usize,
    /// The moves to it.
    moves: String,
    nodes: u64,
}

/// What has been counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Leaves of the subtrees of the part.
    pub nodes: u64,
    /// Subtrees of the part.
    pub subtrees: usize,
    /// Subtrees of the part that are counted.
    pub counted: usize,
    /// Subtrees of all parts.
    pub all: usize,
}

impl Counted {
    /// Whether the part is counted.
    pub fn is_complete(&self) -> bool {
        self.counted == self.subtrees
    }
}

impl Subtrees {
    /// Counts the subtrees of the part that the journal lacks. Passes the leaves of the part so far to `watch`, which returns
    /// whether to go on.
    ///
    /// # Errors
    /// A back end that fails, or a journal of another position or depth. What was counted before is in the journal.
    pub fn count(&self, chip: &dyn CoProcessor, watch: &mut dyn FnMut(u64) -> bool) -> Result<Counted, SubtreesError> {
        let heading = Heading { sfen: self.position.to_sfen(), depth: self.depth };
        let (mut journal, records) = Journal::open::<_, Subtree>(&self.journal, &heading, Heading::fields)?;
        let known: BTreeMap<usize, u64> = records.into_iter().map(|record| (record.subtree, record.nodes)).collect();
        let split = self.depth.min(SPLIT_PLIES);
        let roots = roots(&self.position, split);
        let mine: Vec<usize> = self.part.items(roots.len()).collect();
        let done = mine.iter().filter_map(|number| known.get(number));
        let mut counted =
            Counted { nodes: done.clone().sum(), subtrees: mine.len(), counted: done.count(), all: roots.len() };
        for number in mine.into_iter().filter(|number| !known.contains_key(number)) {
            let (moves, root) = &roots[number];
            let before = counted.nodes;
            let divided = divide(chip, root, self.depth - split, &mut |nodes| watch(before + nodes))?;
            if !divided.complete {
                break;
            }
            journal.add(&Subtree { subtree: number, moves: moves.clone(), nodes: divided.nodes })?;
            counted.nodes += divided.nodes;
            counted.counted += 1;
            if !watch(counted.nodes) {
                break;
            }
        }
        Ok(counted)
    }
}

/// The positions some plies below `position`, each with the moves to it, ordered by these.
fn roots(position: &Position, plies: u32) -> Vec<(String, Position)> {
    let mut roots = vec![(String::new(), position.clone())];
    for _ in 0..plies {
        let children = |(path, parent): (String, Position)| {
            let mut moves = MoveList::new();
            parent.legal_moves(&mut moves);
            let child = |&mv| {
                let mut child = parent.clone();
                child.do_move(mv);
                (format!("{path} {mv}").trim_start().to_string(), child)
            };
            moves.iter().map(child).collect::<Vec<_>>()
        };
        roots = roots.into_iter().flat_map(children).collect();
    }
    roots.sort_by(|a, b| a.0.cmp(&b.0));
    roots
}
