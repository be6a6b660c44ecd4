//! The searches of several back ends compared.

use super::{line, many, on_chip::table_bits_within, SearchRequest, SearchResult, USUAL_IN_FLIGHT};
use crate::{AccelError, Capability, CoProcessor, PositionError};
use hayasashi_shogi::rules::{Move, Position};
use hayasashi_spec::search::{Found, SearchHead};
use serde_json::{json, Value};
use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

/// Positions that are best compared with one call of [`SearchVerifier::compare`].
pub const SEARCH_CHUNK: usize = 16;

/// Two or more back ends with the same evaluation table, whose searches are compared.
pub struct SearchVerifier<'a> {
    chips: Vec<&'a dyn CoProcessor>,
    head: SearchHead,
    /// Whether the chips' tables are of this comparison.
    has_tables: bool,
    sums: Vec<SearchSums>,
}

/// What a back end has searched.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SearchSums {
    /// The back end.
    pub backend: String,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Steps.
    pub steps: u64,
    /// Clocks; 0 from a chip without a clock.
    pub clocks: u64,
}

type Answer = Result<SearchResult, PositionError>;

/// Two searches of the same position that differ.
pub struct SearchDifference {
    /// The position.
    pub position: Position,
    /// The names of the back ends, and what they have found.
    pub answers: [(String, Answer); 2],
}

impl<'a> SearchVerifier<'a> {
    /// A comparison of these back ends, whose evaluation tables are loaded. A search's table is no larger than each of them has. If
    /// `head` keeps tables, all searches but the first do.
    ///
    /// # Errors
    /// A back end that cannot search, or fails.
    pub fn new(chips: &[&'a dyn CoProcessor], head: SearchHead) -> Result<SearchVerifier<'a>, AccelError> {
        let mut head = head;
        for chip in chips {
            let info = chip.identity()?;
            if info.capabilities & Capability::Search.bit() == 0 {
                return Err(AccelError::MissingCapability { target: chip.name(), capability: Capability::Search });
            }
            head.table_bits = table_bits_within(head.table_bits, &info);
        }
        let sums = chips.iter().map(|chip| SearchSums { backend: chip.name(), ..SearchSums::default() }).collect();
        Ok(SearchVerifier { chips: chips.to_vec(), head, has_tables: false, sums })
    }

    /// Searches the positions on all back ends at the same time: the differences of each from the first one, in the order of the
    /// positions. `None` if `goes_on` has returned false before all were searched.
    ///
    /// # Errors
    /// A back end fails.
    ///
    /// # Panics
    /// If a back end panics.
    pub fn compare(
        &mut self,
        positions: &[Position],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Vec<SearchDifference>>, AccelError> {
        let failed = AtomicBool::new(false);
        let go = || !failed.load(Relaxed) && goes_on();
        let (head, has_tables) = (self.head, std::mem::replace(&mut self.has_tables, true));
        // A kept table is that of the search before, so the order of the requests counts.
        let in_flight = if head.keeps_table() { 1 } else { USUAL_IN_FLIGHT };
        let search = |chip: &'a dyn CoProcessor| {
            let requests = positions.iter().enumerate().map(|(number, position)| {
                let keeps = head.keeps_table() && (number > 0 || has_tables);
                SearchRequest::of_game(head.keeping_table(keeps), &[], position)
            });
            let (mut answers, mut failure) = (vec![None; positions.len()], None);
            many(chip, requests, in_flight, &go, &mut |number, outcome| match outcome {
                Ok(answer) => answers[number] = Some(answer),
                Err(error) => {
                    failed.store(true, Relaxed);
                    failure.get_or_insert(error);
                }
            });
            failure.map_or(Ok(answers), Err)
        };
        let by_chip: Vec<Vec<Option<Answer>>> = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for &chip in &self.chips {
                let search = &search;
                threads.push(scope.spawn(move || search(chip)));
            }
            threads.into_iter().map(|thread| thread.join().expect("a back end panicked")).collect::<Result<_, _>>()
        })?;
        let is_whole =
            |answer: &Option<Answer>| answer.as_ref().is_some_and(|a| a.as_ref().map_or(true, |r| r.complete));
        if !by_chip.iter().flatten().all(is_whole) {
            return Ok(None);
        }
        let mut differences = Vec::new();
        for (number, position) in positions.iter().enumerate() {
            let mut answers = Vec::new();
            for (sums, answers_of_chip) in self.sums.iter_mut().zip(&by_chip) {
                let answer = answers_of_chip[number].expect("all are whole");
                if let Ok(SearchResult { found, .. }) = &answer {
                    sums.nodes += found.nodes;
                    sums.steps += found.steps;
                    sums.clocks += found.clocks;
                }
                answers.push((sums.backend.clone(), answer));
            }
            let Some((first, others)) = answers.split_first() else { continue };
            for other in others.iter().filter(|other| comparable(&other.1) != comparable(&first.1)) {
                let answers = [first.clone(), other.clone()];
                differences.push(SearchDifference { position: position.clone(), answers });
            }
        }
        Ok(Some(differences))
    }

    /// What each back end has searched so far.
    pub fn sums(&self) -> &[SearchSums] {
        &self.sums
    }
}

impl SearchSums {
    /// Clocks a node, or steps a node where the chip has no clock, and how many nodes, in words.
    pub fn text(&self) -> String {
        let (what, number) = match self.clocks {
            0 => ("steps", self.steps),
            clocks => ("clocks", clocks),
        };
        let SearchSums { backend, nodes, .. } = self;
        format!("{what} per node: {:.3} in {nodes} nodes ({backend})", number as f64 / (*nodes).max(1) as f64)
    }

    /// The sums as a JSON object.
    pub fn to_json(&self) -> Value {
        json!({ "backend": self.backend, "nodes": self.nodes, "steps": self.steps, "clocks": self.clocks })
    }
}

/// What all chips have in common.
fn comparable(answer: &Answer) -> Result<Found, PositionError> {
    (*answer).map(|result| Found { clocks: 0, ..result.found })
}

impl SearchDifference {
    /// The difference as one JSON object.
    pub fn to_json(&self) -> Value {
        let describe = |(name, answer): &(String, Answer)| json!({ "backend": name, "answer": self.describe(answer) });
        json!({
            "request": "SEARCH", "sfen": self.position.to_sfen(),
            "answers": self.answers.each_ref().map(describe), "first_difference": self.first(),
        })
    }

    fn describe(&self, answer: &Answer) -> String {
        let found = match answer {
            Ok(result) => result.found,
            Err(error) => return error.to_string(),
        };
        let Found { score, depth, nodes, steps, .. } = found;
        let moves: Vec<String> = line(&found, &self.position).iter().map(|mv| mv.to_usi()).collect();
        let moves = if moves.is_empty() { "-".into() } else { moves.join(" ") };
        format!("score {score}, depth {depth}, {nodes} nodes, {steps} steps, line {moves}")
    }

    /// The first part that differs, in the order of the description.
    fn first(&self) -> Option<String> {
        let [Ok(a), Ok(b)] = self.answers.each_ref().map(|(_, answer)| answer) else { return None };
        let (a, b) = (&a.found, &b.found);
        let numbers = [
            ("score", a.score as i64, b.score as i64),
            ("depth", a.depth as i64, b.depth as i64),
            ("nodes", a.nodes as i64, b.nodes as i64),
            ("steps", a.steps as i64, b.steps as i64),
        ];
        if let Some((name, a, b)) = numbers.into_iter().find(|(_, a, b)| a != b) {
            return Some(format!("{name} {a} against {b}"));
        }
        let [a, b] = [a, b].map(|found| line(found, &self.position));
        let at = (0..a.len().max(b.len())).find(|&at| a.get(at) != b.get(at))?;
        let usi = |mv: Option<&Move>| mv.map_or("none".into(), |mv| mv.to_usi());
        Some(format!("move {} of the line: {} against {}", at + 1, usi(a.get(at)), usi(b.get(at))))
    }
}

/// The difference as text in several lines.
impl fmt::Display for SearchDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SEARCH differs\n  sfen  {}", self.position.to_sfen())?;
        for (name, answer) in &self.answers {
            write!(f, "\n  {name:5} {}", self.describe(answer))?;
        }
        match self.first() {
            Some(first) => write!(f, "\n  first difference: {first}"),
            None => Ok(()),
        }
    }
}
