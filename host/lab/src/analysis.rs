//! Many positions searched by a co-processor itself (`SEARCH`), several at a time, with a journal from which an interrupted run
//! resumes.

use crate::{
    matches::{results::checksum, Journal, MatchError},
    parts::Part,
};
use hayasashi_accel::{
    search::{line, many, USUAL_IN_FLIGHT},
    AccelError, CoProcessor, PositionError, SearchResult,
};
use hayasashi_engine::search::{chip_request, GamePath};
use hayasashi_shogi::rules::{Move, Position};
use hayasashi_spec::search::{Found, SearchHead};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use thiserror::Error;

/// Why an analysis cannot go on.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// The back end failed.
    #[error(transparent)]
    Accel(#[from] AccelError),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] MatchError),
    /// A position that the chip refuses.
    #[error("position {number} (`{sfen}`): {reason}")]
    Position {
        /// Its number in the input, from 1.
        number: usize,
        /// The position.
        sfen: String,
        /// Why.
        reason: PositionError,
    },
}

/// An analysis of many positions.
pub struct Analysis {
    /// Limits and techniques; limits of depth and nodes alone give the same answers from every chip.
    pub head: SearchHead,
    /// Checksum of the evaluation table, or of the network.
    pub table: u32,
    /// The positions, with the moves of the game before them.
    pub positions: Vec<GamePath>,
    /// The share of the positions that is searched here.
    pub part: Part,
    /// The journal, if the run is to be resumed.
    pub journal: Option<PathBuf>,
}

/// The first line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Heading {
    search: String,
    table: String,
    positions: String,
}

/// What was found about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Analysed {
    /// Number of the position, from 0.
    pub position: usize,
    /// Score for the mover.
    pub score: i16,
    /// Plies of the last completed iteration.
    pub depth: u8,
    /// Moves made.
    pub nodes: u64,
    /// Steps of the walker.
    pub steps: u64,
    /// The best line in USI notation; empty if there is no legal move.
    pub line: Vec<String>,
}

impl Analysed {
    fn new(position: usize, found: &Found, root: &Position) -> Analysed {
        let line = line(found, root).iter().map(|mv| mv.to_usi()).collect();
        let Found { score, depth, nodes, steps, .. } = *found;
        Analysed { position, score, depth, nodes, steps, line }
    }
}

impl Analysis {
    /// The positions that are searched here.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + use<> {
        self.part.items(self.positions.len())
    }

    fn heading(&self) -> Heading {
        let SearchHead { depth, nodes, steps, table_bits, techniques, .. } = self.head;
        let texts: Vec<String> = self.positions.iter().map(text).collect();
        Heading {
            search: format!(
                "depth {depth}, nodes {nodes}, steps {steps}, table 2^{table_bits}, techniques {techniques:#x}"
            ),
            table: format!("{:#010x}", self.table),
            positions: format!("{} {:016x}", texts.len(), checksum(&texts)),
        }
    }

    /// Searches the positions that the journal does not have, at least [`USUAL_IN_FLIGHT`] at a time, until all are searched or
    /// `goes_on` returns false. Passes each result, those of the journal included, to `on_result` in the order of the positions; and
    /// the number of results known to `on_progress` whenever it grows. Returns whether all are searched.
    ///
    /// # Errors
    /// A chip that fails, a position that it refuses, or a journal of another analysis. What was found before is in the journal.
    pub fn run(
        &self,
        chip: &dyn CoProcessor,
        goes_on: &(dyn Fn() -> bool + Sync),
        on_progress: &mut dyn FnMut(usize),
        on_result: &mut dyn FnMut(&Analysed),
    ) -> Result<bool, AnalysisError> {
        let mut journal = None;
        let mut known = BTreeMap::new();
        if let Some(file) = &self.journal {
            let fields = |h: &Heading| {
                vec![("search", h.search.clone()), ("table", h.table.clone()), ("positions", h.positions.clone())]
            };
            let (opened, records) = Journal::open::<Heading, Analysed>(file, &self.heading(), fields)?;
            journal = Some(opened);
            known.extend(records.into_iter().map(|record| (record.position, record)));
        }
        let mine: Vec<usize> = self.numbers().collect();
        known.retain(|&number, _| self.part.has(number));
        let missing: Vec<usize> = mine.iter().copied().filter(|number| !known.contains_key(number)).collect();
        let count = mine.len() - missing.len();
        let mut results = InOrder { waiting: known, left: mine.into_iter(), count };
        on_progress(results.count);
        results.hand_on(on_result);
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let failed = AtomicBool::new(false);
        let go = || !failed.load(Relaxed) && goes_on();
        let requests = missing.iter().map(|&number| chip_request(self.head, &self.positions[number]));
        let mut failure = None;
        many(chip, requests, cores.max(USUAL_IN_FLIGHT), &go, &mut |index, outcome| {
            let number = missing[index];
            let path = &self.positions[number];
            let found = match outcome {
                // A search that was cancelled is begun anew next time.
                Ok(Ok(SearchResult { complete: false, .. })) => return,
                Ok(Ok(result)) => Ok(Analysed::new(number, &result.found, path.position())),
                Ok(Err(reason)) => Err(AnalysisError::Position { number: number + 1, sfen: path.to_sfen(), reason }),
                Err(error) => Err(error.into()),
            };
            let kept = found.and_then(|found| {
                journal.as_mut().map_or(Ok(()), |journal| journal.add(&found))?;
                Ok(found)
            });
            match kept {
                Ok(found) => {
                    results.add(found);
                    on_progress(results.count);
                    results.hand_on(on_result);
                }
                Err(error) => {
                    failed.store(true, Relaxed);
                    failure.get_or_insert(error);
                }
            }
        });
        match failure {
            Some(error) => Err(error),
            None => Ok(results.left.len() == 0),
        }
    }
}

/// The position with the moves before it, as the journal's checksum has it.
fn text(path: &GamePath) -> String {
    let moves: Vec<String> = path.moves().map(Move::to_usi).collect();
    format!("{} after {}", path.to_sfen(), moves.join(" "))
}

/// Results that come in any order and are handed on in that of the positions.
struct InOrder {
    waiting: BTreeMap<usize, Analysed>,
    /// The positions whose results are not handed on.
    left: std::vec::IntoIter<usize>,
    /// Results known.
    count: usize,
}

impl InOrder {
    fn add(&mut self, found: Analysed) {
        self.count += 1;
        self.waiting.insert(found.position, found);
    }

    fn hand_on(&mut self, on_result: &mut dyn FnMut(&Analysed)) {
        while let Some(found) = self.left.as_slice().first().and_then(|next| self.waiting.remove(next)) {
            self.left.next();
            on_result(&found);
        }
    }
}
