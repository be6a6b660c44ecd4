//! `release`: the co-processor as Verilog for another design.

use super::{
    args::Global,
    session::{say, Exit},
};
use anyhow::bail;
use clap::Args;
use hayasashi_boards::ip::Release;
use hayasashi_hdl::{config::MAX_WALKERS, search::table_rows::MOST_TABLE_BITS};
use hayasashi_spec::search::MIN_TABLE_BITS;
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `release`.
#[derive(Args, Debug, Clone)]
pub struct ReleaseArguments {
    /// The output folder; created if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "target/release-verilog")]
    pub out: PathBuf,
    /// The clock of the design in hertz; only the register `CLOCK_HZ` depends on it.
    #[arg(long, value_name = "HZ", default_value_t = 0)]
    pub clock_hz: u32,
    /// The value of the register `BOARD`.
    #[arg(long, value_name = "NUMBER", default_value_t = hayasashi_spec::registers::BOARD_OTHER)]
    pub board: u32,
    /// Leave out the evaluator. The chip then takes three quarters of the LUTs and a tenth of the block RAMs.
    #[arg(long)]
    pub without_evaluator: bool,
    /// Units that share a walk (`PERFT`); 0 for a chip without walks.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(..=4))]
    pub walk_units: u32,
    /// Add a walker of searches (`SEARCH`), whose table has 2^BITS entries at most.
    #[arg(long, value_name = "BITS", num_args = 0..=1, default_missing_value = "14", conflicts_with = "without_evaluator",
        value_parser = clap::value_parser!(u8).range(i64::from(MIN_TABLE_BITS)..=i64::from(MOST_TABLE_BITS)))]
    pub search: Option<u8>,
    /// Walkers of searches: so many `SEARCH` requests are worked on at a time.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "search",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_WALKERS)))]
    pub walkers: u32,
    /// Let searches correct their scores by a network, which the host loads. It takes an eighth more LUTs and 108 more block RAMs of
    /// 36 Kbit.
    #[arg(long, requires = "search")]
    pub network: bool,
    /// Write into a folder that has other files, and overwrite those of the same names.
    #[arg(long)]
    pub force: bool,
}

/// Writes the files and lists them.
pub fn run(global: &Global, arguments: &ReleaseArguments) -> anyhow::Result<Exit> {
    let found = std::fs::read_dir(&arguments.out).ok().and_then(|mut files| files.next()?.ok());
    if let Some(found) = found.filter(|_| !arguments.force) {
        bail!(
            "the folder `{}` is not empty (it has `{}`); hint: give a new folder with `--out`, or overwrite its files with \
             `--force`",
            arguments.out.display(),
            found.file_name().display()
        );
    }
    let release = Release {
        clock_hz: arguments.clock_hz,
        board: arguments.board,
        evaluator: !arguments.without_evaluator,
        walk_units: arguments.walk_units,
        search_table_bits: arguments.search,
        walkers: arguments.walkers,
        network: arguments.network,
    };
    for path in release.write(&arguments.out)? {
        let bytes = path.metadata().map_or(0, |file| file.len());
        match global.json {
            true => say(json!({ "file": path.display().to_string(), "bytes": bytes }))?,
            false => say(format!("{bytes:>8} {}", path.display()))?,
        }
    }
    Ok(Exit::Done)
}
