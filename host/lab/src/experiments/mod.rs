//! Published experiments, repeated: each one command, from which a report is made.
//!
//! * [`table`]: the experiments as data: what was published, and the engines here
//! * [`matches`]: pairings of engines; [`problems`]: next-move problems, and [`answers`] to them
//! * [`openings`]: positions to play from, given or cut from records
//! * [`report`], `plot`: what was found beside what was published, as Markdown and SVG
//!
//! Each pairing, and each engine that is given problems, has a [journal](crate::matches::Journal) of its own in the folder of
//! the results, from which stopped work goes on.

pub mod answers;
mod error;
pub mod matches;
pub mod openings;
mod plot;
pub mod problems;
pub mod report;
pub mod table;

pub use error::ExperimentError;
pub use table::{Experiment, Pairing, Player, Work, EXPERIMENTS};

use hayasashi_engine::usi::Options;
use std::path::{Path, PathBuf};

/// Options of every engine: little memory, which is soon emptied between games, and no dependence on what is plugged in.
pub const EACH: [(&str, &str); 2] = [("Backend", "model"), ("USI_Hash", "16")];

impl Player {
    /// All options, in the order in which they are set.
    pub fn all_options(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        EACH.into_iter().chain(self.options.iter().copied())
    }

    /// What the engine is, as results have it: this program's version and the options, not where the program lies.
    pub fn identity(&self) -> String {
        let options: String = self.all_options().map(|(name, value)| format!(" {name}={value}")).collect();
        format!("hayasashi {}{options}", env!("CARGO_PKG_VERSION"))
    }

    /// The engine's options, checked: an engine that does not know an option would play on without it.
    ///
    /// # Errors
    /// The option that this program does not have.
    pub fn configured(&self) -> Result<Options, ExperimentError> {
        let mut options = Options::new("model", None)?;
        for (name, value) in self.all_options() {
            let wrong = |reason| ExperimentError::Option { player: self.name, reason };
            options.set(name, Some(value)).map_err(wrong)?;
        }
        Ok(options)
    }
}

impl Experiment {
    /// The experiment of a name.
    ///
    /// # Errors
    /// The names there are.
    pub fn find(name: &str) -> Result<&'static Experiment, ExperimentError> {
        EXPERIMENTS.iter().find(|e| e.name == name).ok_or_else(|| ExperimentError::Name { name: name.into() })
    }

    /// The file of one part's results: a pairing, or an engine that is given problems.
    pub fn file(&self, folder: &Path, part: &str) -> PathBuf {
        folder.join(format!("{}.{part}.jsonl", self.name))
    }
}
