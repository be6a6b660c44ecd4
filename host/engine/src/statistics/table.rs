//! The learned table of move probabilities, and its text file.
//!
//! ```text
//! hayasashi-moves 2
//! # hayasashi learn moves --games …
//! positions 1000 500 300                                   by phase
//! piece meaning support kings kind gain possibility history opening end final
//! P recapture supported apart move +1 * * 12/40 3/9 0/2    played/possible by phase
//! sequence P* PxP(0,0) P*(0,-1) 12/40 5120                 played/begun, association in parts of a halving
//! ```
//!
//! Categories that were seldom possible are left out. So are those with [`Possibility::Nothing`] or
//! [`History::Nothing`] whose probability is within a sixteenth of a halving of that of the category without the group,
//! which are most.

use super::{
    category::{Category, History, Possibility, GROUPS, GROUP_NAMES, LEVELS},
    logarithm::{cost, HALVING},
    move_counts::{Cell, Cells, MoveCounts},
    phase::Phase,
    sequence_counts::{SequenceCounts, SequenceStatistics},
    sequences::Sequence,
};
use hayasashi_shogi::text::excerpt;
use std::{
    collections::HashMap,
    fmt::Write as _,
    hash::{BuildHasherDefault, Hasher},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};
use thiserror::Error;

/// First word of a file.
const MAGIC: &str = "hayasashi-moves";
/// First word of the line of a sequence.
const SEQUENCE: &str = "sequence";
/// Version of the categories and the format; a change of either needs a new version.
pub const VERSION: u32 = 2;
/// Categories that were possible in fewer positions are left out.
pub const LEAST_POSSIBLE: u32 = 100;

/// Why a table was refused.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum MoveTableError {
    /// It is not a table.
    #[error(
        "the first line is `{}`, not `{MAGIC} {VERSION}`; hint: `hayasashi learn moves --out FILE` writes a table", excerpt(.0)
    )]
    NoTable(String),
    /// It was written by another version.
    #[error("the table has version {0}, and this program reads version {VERSION}; hint: make a new one by `hayasashi learn moves`")]
    Version(String),
    /// A line is wrong.
    #[error("line {line}: {reason}; hint: make a new table by `hayasashi learn moves`")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// It has no categories.
    #[error("the table has no categories; hint: make it from more games")]
    Empty,
}

/// Why the file of a table was refused.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("cannot read the move table `{}`: {reason}", file.display())]
pub struct FileError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong.
    pub reason: String,
}

/// The refinements of the categories that are in use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Refinements {
    /// Phase categorisation.
    pub phases: bool,
    /// The possibility analyser.
    pub possibility: bool,
    /// The history analyser.
    pub history: bool,
}

impl Refinements {
    /// All on.
    pub const ALL: Refinements = Refinements { phases: true, possibility: true, history: true };
}

/// A hash for keys, which are few and differ in their low digits.
#[derive(Default, Clone, Copy)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte as u32));
    }

    fn write_u64(&mut self, key: u64) {
        self.write_u32(key as u32);
        self.write_u32((key >> 32) as u32);
    }

    fn write_u32(&mut self, key: u32) {
        self.0 = (self.0 ^ key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// Number of phases, plus one for all of them together.
const COLUMNS: usize = Phase::ALL.len() + 1;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Entry {
    cells: Cells,
    /// Costs by phase, then of all phases together.
    costs: [i16; COLUMNS],
}

impl Entry {
    fn new(cells: Cells) -> Entry {
        let all = total(cells);
        let cost = |cell: Cell| cost(cell.played, cell.possible) as i16;
        let mut costs = [cost(all); COLUMNS];
        for (cost_of_phase, cell) in costs.iter_mut().zip(cells) {
            if cell.possible >= LEAST_POSSIBLE {
                *cost_of_phase = cost(cell);
            }
        }
        Entry { cells, costs }
    }

    /// Whether the costs nearly equal those of another.
    fn is_near(&self, other: &Entry) -> bool {
        self.costs.iter().zip(other.costs).all(|(a, b)| (*a - b).abs() as i32 <= HALVING / 16)
    }
}

/// The counts of all phases together.
pub fn total(cells: Cells) -> Cell {
    let sum = |sum: Cell, cell: Cell| Cell { played: sum.played + cell.played, possible: sum.possible + cell.possible };
    cells.into_iter().fold(Cell::default(), sum)
}

/// A table of the probabilities of categories.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveTable {
    /// Comments at the head of the file: the command that made it, and the games.
    pub remarks: Vec<String>,
    /// Positions by phase.
    pub positions: [u64; Phase::ALL.len()],
    entries: HashMap<u32, Entry, BuildHasherDefault<KeyHasher>>,
    /// By key.
    sequences: HashMap<u64, SequenceStatistics, BuildHasherDefault<KeyHasher>>,
}

/// The probability of a category.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveProbability {
    /// The category that was found: the requested one, or a coarser one that was possible often enough.
    pub category: Category,
    /// How often it was played and possible, in the phase if that is known.
    pub cell: Cell,
    /// The cost: halvings of probability, in parts of [`super::logarithm::HALVING`].
    pub cost: i32,
}

impl MoveTable {
    /// The built-in table.
    pub fn built_in() -> Arc<MoveTable> {
        static TABLE: OnceLock<Arc<MoveTable>> = OnceLock::new();
        let read = || MoveTable::parse(include_str!("learned.txt")).expect("the built-in table is of this version");
        TABLE.get_or_init(|| Arc::new(read())).clone()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not a table.
    pub fn read(file: &Path) -> Result<MoveTable, FileError> {
        let wrong = |reason| FileError { file: file.into(), reason };
        let text = std::fs::read_to_string(file).map_err(|e| wrong(e.to_string()))?;
        MoveTable::parse(&text).map_err(|e| wrong(e.to_string()))
    }

    /// The table of these counts.
    pub fn of(statistics: &MoveCounts, sequences: &SequenceCounts, remarks: Vec<String>) -> MoveTable {
        let mut entries = HashMap::default();
        for (category, cells) in statistics.categories() {
            let merged = without_nothing(category);
            let (entry, instead) = (Entry::new(cells), Entry::new(statistics.cells(merged)));
            let redundant = merged != category && entry.is_near(&instead);
            if total(cells).possible >= LEAST_POSSIBLE && !redundant {
                entries.insert(category.key(), entry);
            }
        }
        let sequences = sequences.frequent().into_iter().map(|(sequence, played)| (sequence.key(), played)).collect();
        MoveTable { remarks, positions: statistics.positions, entries, sequences }
    }

    /// The counts of a sequence, if it is in the table.
    pub fn sequence(&self, sequence: Sequence) -> Option<SequenceStatistics> {
        self.sequences.get(&sequence.key()).copied()
    }

    /// The sequences, the most significant first.
    pub fn sequences(&self) -> Vec<(Sequence, SequenceStatistics)> {
        let mut all: Vec<_> = self.sequences.iter().map(|(&key, &played)| (Sequence::of_key(key), played)).collect();
        all.sort_unstable_by_key(|(sequence, played)| (std::cmp::Reverse(played.weight()), sequence.key()));
        all
    }

    /// The probability of a category, or of the next coarser one that was possible often enough.
    pub fn look_up(&self, category: Category, phase: Phase, switches: Refinements) -> MoveProbability {
        let category = Category {
            possibility: category.possibility.filter(|_| switches.possibility),
            history: category.history.filter(|_| switches.history),
            ..category
        };
        let column = if switches.phases { phase as usize } else { Phase::ALL.len() };
        let tagged = without_nothing(category).possibility.is_some() || without_nothing(category).history.is_some();
        let tries = (0..LEVELS).map(|level| category.level(level));
        // If the result of an analyser is unknown, it is ignored.
        let untagged = tries.clone().map(Category::plain);
        for coarse in tries.chain(untagged.take(if tagged { LEVELS } else { 0 })) {
            for category in [coarse, without_nothing(coarse)] {
                if let Some(entry) = self.entries.get(&category.key()) {
                    let told = entry.cells.get(column).filter(|cell| cell.possible >= LEAST_POSSIBLE);
                    let cell = told.copied().unwrap_or_else(|| total(entry.cells));
                    return MoveProbability { category, cell, cost: entry.costs[column] as i32 };
                }
            }
        }
        // Not in the table: counts as never played.
        let cell = Cell { played: 0, possible: LEAST_POSSIBLE };
        MoveProbability { category: Category::ALL, cell, cost: cost(cell.played, cell.possible) }
    }

    /// The categories with their counts, in the order of their keys.
    pub fn categories(&self) -> Vec<(Category, Cells)> {
        let mut all: Vec<(u32, Cells)> = self.entries.iter().map(|(&key, entry)| (key, entry.cells)).collect();
        all.sort_unstable_by_key(|&(key, _)| key);
        all.into_iter().filter_map(|(key, cells)| Some((Category::of_key(key)?, cells))).collect()
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut text = format!("{MAGIC} {VERSION}\n");
        self.remarks.iter().for_each(|remark| text += &format!("# {remark}\n"));
        let phases = Phase::ALL.map(Phase::name).join(" ");
        let [opening, end, last] = self.positions;
        let _ = writeln!(text, "positions {opening} {end} {last}\n{} {phases}", GROUP_NAMES.join(" "));
        for (category, cells) in self.categories() {
            let cells = cells.map(|cell| format!("{}/{}", cell.played, cell.possible)).join(" ");
            let _ = writeln!(text, "{category} {cells}");
        }
        for (sequence, SequenceStatistics { played, begun, association }) in self.sequences() {
            let _ = writeln!(text, "{SEQUENCE} {sequence} {played}/{begun} {association}");
        }
        text
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// The text is not a table.
    pub fn parse(text: &str) -> Result<MoveTable, MoveTableError> {
        let mut lines = text.lines().enumerate();
        let first = lines.next().map_or("", |(_, line)| line);
        let version = first.strip_prefix(MAGIC).and_then(|rest| rest.strip_prefix(' '));
        let version = version.ok_or_else(|| MoveTableError::NoTable(first.chars().take(60).collect()))?;
        if version.trim() != VERSION.to_string() {
            return Err(MoveTableError::Version(version.trim().into()));
        }
        let mut table = MoveTable {
            remarks: Vec::new(),
            positions: Default::default(),
            entries: HashMap::default(),
            sequences: HashMap::default(),
        };
        let mut headed = false;
        for (index, line) in lines {
            let wrong = |reason: String| MoveTableError::Line { line: index + 1, reason };
            if let Some(remark) = line.strip_prefix('#') {
                table.remarks.push(remark.trim().into());
            } else if let Some(counts) = line.strip_prefix("positions ") {
                let counts: Result<Vec<u64>, _> = counts.split_ascii_whitespace().map(str::parse).collect();
                let counts = counts.ok().and_then(|counts| counts.try_into().ok());
                table.positions =
                    counts.ok_or_else(|| wrong(format!("`{}` has no count for each phase", excerpt(line))))?;
            } else if line.starts_with(GROUP_NAMES[0]) {
                headed = true;
            } else if let Some(line) = line.strip_prefix(SEQUENCE) {
                let (sequence, played) = read_sequence(line).map_err(wrong)?;
                if table.sequences.insert(sequence.key(), played).is_some() {
                    return Err(wrong(format!("the sequence `{sequence}` occurs twice")));
                }
            } else if !line.trim().is_empty() {
                let (category, cells) = read(line).map_err(wrong)?;
                if table.entries.insert(category.key(), Entry::new(cells)).is_some() {
                    return Err(wrong(format!("the category `{category}` occurs twice")));
                }
            }
        }
        match headed && !table.entries.is_empty() {
            true => Ok(table),
            false => Err(MoveTableError::Empty),
        }
    }
}

/// The category without groups whose result is "nothing".
fn without_nothing(category: Category) -> Category {
    Category {
        possibility: category.possibility.filter(|&p| p != Possibility::Nothing),
        history: category.history.filter(|&h| h != History::Nothing),
        ..category
    }
}

/// Reads the line of a category.
fn read(line: &str) -> Result<(Category, Cells), String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let (tokens, counts) =
        words.split_first_chunk::<GROUPS>().ok_or_else(|| format!("`{}` is too short", excerpt(line)))?;
    let category = Category::of_tokens(tokens).map_err(|token| format!("`{}` is not a feature", excerpt(token)))?;
    let cells: Option<Vec<Cell>> = counts.iter().map(|count| cell(count)).collect();
    let cells = cells.and_then(|cells| cells.try_into().ok());
    let cells =
        cells.ok_or_else(|| format!("`{}` is not played/possible for each phase", excerpt(&counts.join(" "))))?;
    Ok((category, cells))
}

/// Reads the line of a sequence, without its first word.
fn read_sequence(line: &str) -> Result<(Sequence, SequenceStatistics), String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let &[first, second, third, counts, association] = &words[..] else {
        return Err(format!("`{}` is not three moves, played/begun and an association", excerpt(line)));
    };
    let sequence = Sequence::parse(&[first, second, third]).ok_or_else(|| {
        format!("`{first} {second} {third}` is not a sequence; hint: of two mirror images write the one whose first file is positive")
    })?;
    let cell = cell(counts).ok_or_else(|| format!("`{}` is not played/begun", excerpt(counts)))?;
    let association = association.parse().map_err(|_| format!("`{}` is not a whole number", excerpt(association)))?;
    Ok((sequence, SequenceStatistics { played: cell.played, begun: cell.possible, association }))
}

fn cell(text: &str) -> Option<Cell> {
    let (played, possible) = text.split_once('/')?;
    let cell = Cell { played: played.parse().ok()?, possible: possible.parse().ok()? };
    // A limit that no collection of games reaches.
    (cell.played <= cell.possible && cell.possible < 1 << 30).then_some(cell)
}
