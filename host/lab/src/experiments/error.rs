//! Errors of experiments.

use super::EXPERIMENTS;
use crate::matches::MatchError;
use hayasashi_accel::AccelError;
use hayasashi_engine::usi::OptionError;
use hayasashi_shogi::records::RecordsError;
use std::path::PathBuf;
use thiserror::Error;

/// Why an experiment fails.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are the values that the messages quote")]
pub enum ExperimentError {
    /// An unknown experiment.
    #[error("no experiment `{name}`; hint: name one of {}, all, report", names())]
    UnknownName { name: String },
    /// An option that this program does not have.
    #[error("engine `{player}`: {reason}")]
    Option { player: &'static str, reason: OptionError },
    /// A match without openings.
    #[error("`{0}` plays matches and needs openings; hint: give `--openings FILE`, or `--records PATH` to take them from game records")]
    NoOpenings(&'static str),
    /// A problem experiment without problems.
    #[error("`{0}` needs next-move problems; hint: give `--problems FILE` with `category TAB difficulty TAB SFEN TAB first moves` on each line")]
    NoProblems(&'static str),
    /// All records are too short.
    #[error("none of the {games} games is longer than {plies} plies; hint: give longer games to `--records`, or a smaller ply to `--cut`")]
    ShortRecords { games: usize, plies: usize },
    /// A file cannot be read or written.
    #[error("cannot {verb} `{}`: {reason}; hint: give a file or folder that you may {verb}", file.display())]
    File { verb: &'static str, file: PathBuf, reason: std::io::Error },
    /// A line that is not a problem.
    #[error("{}:{line}: {reason}; hint: each line is `category TAB difficulty TAB SFEN TAB first moves`", file.display())]
    Problem { file: PathBuf, line: usize, reason: String },
    /// A folder without results.
    #[error("`{}` has no results of experiments; hint: run an experiment first, for example `hayasashi experiment {} --out {}`", folder.display(), EXPERIMENTS[0].name, folder.display())]
    NoResults { folder: PathBuf },
    /// A match or its results.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Game records.
    #[error(transparent)]
    Records(#[from] RecordsError),
    /// The engine's back end.
    #[error(transparent)]
    Accel(#[from] AccelError),
}

fn names() -> String {
    EXPERIMENTS.iter().map(|e| e.name).collect::<Vec<_>>().join(", ")
}
