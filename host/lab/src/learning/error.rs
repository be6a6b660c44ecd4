//! Errors of training.

use std::path::PathBuf;
use thiserror::Error;

/// Why training fails. The existing table stays unchanged.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are the values that the messages quote")]
pub enum LearnError {
    /// A file cannot be read or written.
    #[error("cannot {verb} `{}`: {reason}; hint: check the permissions of its folder and the free space", file.display())]
    File { verb: &'static str, file: PathBuf, reason: std::io::Error },
    /// A file of self-play games with other settings.
    #[error("`{}` has games of other settings: `{found}` in the file, `{expected}` requested; hint: use the same options, or another `--checkpoint`", file.display())]
    OtherSelfPlay { file: PathBuf, found: String, expected: String },
    /// A start table that the parameters cannot represent.
    #[error("the table has the weight {weight} for an empty square or hand at slot {slot}, row {row}; hint: start from a trained table, or from the built-in one")]
    EmptyWeight { slot: usize, row: usize, weight: i16 },
    /// A checkpoint with a wrong checksum or format.
    #[error("the checkpoint `{}` is damaged; hint: delete it to start again", file.display())]
    Damaged { file: PathBuf },
    /// A checkpoint of a run with other settings.
    #[error("the checkpoint `{}` belongs to another run: `{found}` in the file, `{expected}` requested; hint: use the same options and games, or another `--checkpoint`", file.display())]
    OtherSetting { file: PathBuf, found: String, expected: String },
    /// Too few games for a held-out set.
    #[error("too few games ({games}) to hold out {held_out} %; hint: give more `--games`, or another `--held-out`")]
    TooFew { games: usize, held_out: f32 },
    /// Too few positions for a held-out set.
    #[error("too few positions ({positions}) to hold out {held_out} %, or none to learn from; hint: give more files with `--data`, or another `--held-out`")]
    TooFewPositions { positions: u64, held_out: f32 },
    /// Ranks with different games or settings.
    #[error(
        "rank {rank} has other games or settings than rank 0; hint: give all ranks the same options and the same files"
    )]
    OtherRank { rank: usize },
    /// A rank that is lost.
    #[error(transparent)]
    Cluster(#[from] hayasashi_cluster::ClusterError),
    /// Records that cannot be read.
    #[error(transparent)]
    Records(#[from] hayasashi_shogi::records::RecordsError),
}
