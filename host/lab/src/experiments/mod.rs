//! Repetitions of published experiments, with a report of the results.
//!
//! * [`table`]: the experiments as data: the published results, and the engines that repeat them
//! * [`mod@matches`]: pairings of engines; [`problems`]: next-move problems; [`answers`]: the engines' answers to them
//! * [`openings`]: start positions, from a file or from game records
//! * [`report`], `plot`: our results beside the published ones, as Markdown and SVG
//!
//! Each pairing, and each engine that solves problems, has its own [journal](crate::matches::Journal) in the results folder. An
//! interrupted experiment resumes from it.

pub mod answers;
mod error;
pub mod matches;
pub mod openings;
mod plot;
pub mod problems;
pub mod report;
pub mod table;

pub use error::ExperimentError;
pub use table::{Experiment, ExperimentKind, Pairing, Player, EXPERIMENTS};

use hayasashi_engine::usi::Options;
use std::path::{Path, PathBuf};

/// Options of every engine: the software model, so that no board matters, and a small table, which is fast to clear.
pub const COMMON_OPTIONS: [(&str, &str); 2] = [("Backend", "model"), ("USI_Hash", "16")];

impl Player {
    /// All options, in the order of their `setoption` commands.
    pub fn all_options(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        COMMON_OPTIONS.into_iter().chain(self.options.iter().copied())
    }

    /// The engine's identity in results: the version of this program and the options, without the program's path.
    pub fn identity(&self) -> String {
        let options: String = self.all_options().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("hayasashi {}{options}", env!("CARGO_PKG_VERSION"))
    }

    /// The options, checked against this program's. A USI engine would ignore an unknown option.
    ///
    /// # Errors
    /// An option that this program does not have.
    pub fn configured(&self) -> Result<Options, ExperimentError> {
        let mut options = Options::new("model", None)?;
        for (name, value) in self.all_options() {
            let invalid = |reason| ExperimentError::Option { player: self.name, reason };
            options.set(name, Some(value)).map_err(invalid)?;
        }
        Ok(options)
    }
}

impl Experiment {
    /// The experiment with this name.
    ///
    /// # Errors
    /// An unknown name.
    pub fn find(name: &str) -> Result<&'static Experiment, ExperimentError> {
        EXPERIMENTS.iter().find(|e| e.name == name).ok_or_else(|| ExperimentError::UnknownName { name: name.into() })
    }

    /// The results file of one part: a pairing, or an engine that solves problems.
    pub fn file(&self, folder: &Path, part: &str) -> PathBuf {
        folder.join(format!("{}.{part}.jsonl", self.name))
    }
}
