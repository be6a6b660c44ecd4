//! What can go wrong with an experiment.

use super::EXPERIMENTS;
use crate::matches::MatchError;
use hayasashi_accel::AccelError;
use hayasashi_engine::usi::OptionError;
use hayasashi_shogi::records::RecordsError;
use std::path::PathBuf;
use thiserror::Error;

/// Why an experiment cannot be made.
#[derive(Debug, Error)]
#[allow(missing_docs)] // the fields are what the messages quote
pub enum ExperimentError {
    /// There is no such experiment.
    #[error("no experiment `{name}`; hint: one of {}, all, report", names())]
    Name { name: String },
    /// An engine's option is not one of this program's.
    #[error("the engine `{player}`: {reason}")]
    Option { player: &'static str, reason: OptionError },
    /// Openings are wanted, and none were given.
    #[error("`{0}` plays matches and needs openings; hint: --openings FILE, or --records PATH to cut them from game records")]
    NoOpenings(&'static str),
    /// Problems are wanted, and none were given.
    #[error("`{0}` needs next-move problems; hint: --problems FILE with `category TAB difficulty TAB SFEN TAB first moves` on each line")]
    NoProblems(&'static str),
    /// No record is long enough.
    #[error("none of {games} games has more than {plies} plies; hint: give longer games to --records, or fewer plies to --cut")]
    Short { games: usize, plies: usize },
    /// A file cannot be read or written.
    #[error("cannot {verb} `{}`: {reason}; hint: give a file or folder that you may {verb}", file.display())]
    File { verb: &'static str, file: PathBuf, reason: std::io::Error },
    /// A problem that is none.
    #[error("{}:{line}: {reason}; hint: lines are `category TAB difficulty TAB SFEN TAB first moves`", file.display())]
    Problem { file: PathBuf, line: usize, reason: String },
    /// There is nothing to report.
    #[error("`{}` has no results of experiments; hint: run one first, as `hayasashi experiment {} --out {}`", folder.display(), EXPERIMENTS[0].name, folder.display())]
    Nothing { folder: PathBuf },
    /// Matches and results.
    #[error(transparent)]
    Duel(#[from] MatchError),
    /// Records.
    #[error(transparent)]
    Records(#[from] RecordsError),
    /// The engine's back end.
    #[error(transparent)]
    Accel(#[from] AccelError),
}

fn names() -> String {
    EXPERIMENTS.iter().map(|e| e.name).collect::<Vec<_>>().join(", ")
}
