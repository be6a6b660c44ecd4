//! The arguments of the program.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Shogi engine and tools for the Hayasashi co-processor.
///
/// Without a command it analyses one position. `hayasashi usi` is the engine for a GUI.
#[derive(Parser, Debug)]
#[command(version, about, long_about, args_conflicts_with_subcommands = false, after_long_help = AFTER_HELP)]
pub struct Arguments {
    /// The command; `analyze` by default.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// Limits of the analysis when no command is given.
    #[command(flatten)]
    pub limits: super::analyze::LimitArguments,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 answers differ, a self-test failed, or a build misses its budget or clock; 2 bad arguments, \
input or back end; 130 stopped by Ctrl-C (partial results are printed).

Environment: HAYASASHI_LOG sets the log level on stderr (`HAYASASHI_LOG=debug`). HAYASASHI_CACHE is the folder \
of compiled Verilog and of installed FPGA tools (default: `hayasashi` in XDG_CACHE_HOME or ~/.cache); it may be deleted at any time.";

/// Options of every command.
#[derive(Args, Debug, Clone)]
pub struct Global {
    /// Where the chip is: `auto`, `model`, `rules`, `rtl`, `verilog`, `serial:PATH[@BAUD]`,
    /// `pcie:PATH` or `tcp:HOST:PORT`; several with commas between them share the work.
    #[arg(long, global = true, default_value = "auto", value_name = "BACKEND")]
    pub backend: String,
    /// The position: an SFEN or `startpos`.
    #[arg(long, global = true, value_name = "SFEN", conflicts_with = "positions")]
    pub sfen: Option<String>,
    /// Moves from that position, in USI notation.
    #[arg(long, global = true, num_args = 1.., value_name = "MOVE", conflicts_with = "positions")]
    pub moves: Vec<String>,
    /// A file of positions, one SFEN per line (`-`: standard input).
    #[arg(long, global = true, value_name = "FILE")]
    pub positions: Option<String>,
    /// Print JSON, one object per line (docs/json.md).
    #[arg(long, global = true)]
    pub json: bool,
    /// Use this evaluation table instead of the built-in one; for searches, this table or network.
    #[arg(long, global = true, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// Write what the back end does to this file, for `hayasashi monitor FILE`.
    #[arg(long, global = true, value_name = "FILE")]
    pub monitor: Option<PathBuf>,
    /// Ask the software model too for every N-th batch, and report different answers; 0 asks for none.
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub check_every: u64,
    /// Show no progress.
    #[arg(long, global = true)]
    pub quiet: bool,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Show a position, its static evaluation and the best line found.
    Analyze(super::analyze::LimitArguments),
    /// List the legal moves of a position, or of each position in a file.
    Moves(super::batch::MovesArguments),
    /// Print the static evaluation in centipawns for the side to move, of one position or of each in a file.
    Eval,
    /// Count the legal moves of a position, or of each position in a file.
    Count,
    /// List the legal moves of a position, or of each position in a file, with the static evaluation after each, the best first,
    /// and which give check or mate.
    Expand,
    /// Search for a mate by consecutive checks, in one position or in each problem of a file.
    Mate(super::mate::MateArguments),
    /// Count the leaves of the tree of legal moves (perft).
    Perft(super::perft::PerftArguments),
    /// Let the chip search by itself: one position, or each position in a file, several at a time.
    Search(super::search::SearchArguments),
    /// Compare two or more back ends byte by byte on the positions of a file.
    Verify(super::verify::VerifyArguments),
    /// Compare the speed of the chip with software, alone and behind its link.
    Compare(Box<super::compare::CompareArguments>),
    /// Print the information registers of the chip.
    Info,
    /// Test a chip: echo, evaluation table, built-in positions, answers to bad requests.
    Selftest,
    /// Write the built-in evaluation table to a file.
    Table(super::table::TableArguments),
    /// Write the co-processor as Verilog with AXI-Stream for another design: FuseSoC, LiteX, Vivado.
    Release(super::release::ReleaseArguments),
    /// Show what the back end of another command, or of the engine in a GUI, does: rates, losses, differences from the model.
    Monitor(super::monitor::MonitorArguments),
    /// Run a virtual board on a pseudo-terminal or a TCP port.
    Chip(super::chip::ChipArguments),
    /// Build the bitstream for a board: Verilog, synthesis, place and route, packing.
    Build(Box<super::build::BuildArguments>),
    /// Load the last bitstream into a board with openFPGALoader.
    Flash(super::flash::FlashArguments),
    /// Measure the area of each gateware block; prints Markdown.
    Area(super::area::AreaArguments),
    /// Search fixed positions to a fixed depth. The node count is a checksum of the engine's behaviour.
    Bench(super::bench::BenchArguments),
    /// Make an opening book from game records.
    Book(super::book::BookArguments),
    /// Convert positions with scores: PackedSfenValue (.bin), hcpe, text.
    Convert(super::convert::ConvertArguments),
    /// Show and draw the part of a small game's tree that a textbook search visits.
    Tree(super::tree::TreeArguments),
    /// Solve animal shogi by retrograde analysis, and look positions up.
    Endgame(super::endgame::EndgameArguments),
    /// Play a match between two engines and estimate the Elo difference.
    Match(Box<super::matches::MatchArguments>),
    /// Join the results of a run that was done in parts (`--part K/N`).
    Merge(super::merge::MergeArguments),
    /// Work that several processes share by messages (MPI).
    #[command(subcommand)]
    Cluster(super::cluster::Cluster),
    /// Repeat published experiments and write a report.
    Experiment(Box<super::experiment::ExperimentArguments>),
    /// Learn from game records or self-play.
    #[command(subcommand)]
    Learn(super::learn::Learn),
    /// Play on a server of the CSA protocol, such as shogi-server.
    Csa(super::csa::CsaArguments),
    /// Run the USI engine on standard input and output.
    Usi,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn options_are_taken_before_and_after_the_command() {
        let a = Arguments::parse_from(["hayasashi", "--backend", "model", "moves", "--json"]);
        assert!(a.global.json && a.global.backend == "model");
        let a = Arguments::parse_from(["hayasashi", "perft", "3", "--divide", "--moves", "7g7f", "3c3d"]);
        assert_eq!(a.global.moves, ["7g7f", "3c3d"]);
        let a = Arguments::parse_from(["hayasashi", "--nodes", "100"]);
        assert!(a.command.is_none() && a.limits.nodes == Some(100));
        assert!(Arguments::try_parse_from(["hayasashi", "perft", "x"]).is_err());
    }
}
