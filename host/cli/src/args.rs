//! The arguments of the program.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Shogi engine and tools for the Hayasashi co-processor.
///
/// Without a command it analyses one position. `hayasashi usi` is the engine for a graphical interface.
#[derive(Parser, Debug)]
#[command(version, about, long_about, args_conflicts_with_subcommands = false, after_long_help = AFTER_HELP)]
pub struct Arguments {
    /// What to do; `analyze` when left out.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub global: Global,
    /// Limits of the analysis when no command is given.
    #[command(flatten)]
    pub limits: LimitArguments,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 two answers differ, a self-test failed, or a build misses its budget or its clock; 2 bad arguments, input or back end; \
130 stopped by Ctrl-C (the partial result is printed).

Environment: HAYASASHI_LOG sets what is logged to stderr, as in `HAYASASHI_LOG=debug`. HAYASASHI_CACHE names the \
folder of compiled Verilog (default: hayasashi in XDG_CACHE_HOME or ~/.cache); it may be emptied at any time.";

/// Options of every command.
#[derive(Args, Debug, Clone)]
pub struct Global {
    /// Where the chip is: auto, model, rtl, verilog[:plain], serial:PATH[@BAUD], tcp:HOST:PORT, and, for `moves`, `eval`, `count`,
    /// `perft` and `verify`, rules (the engine's own rules of shogi).
    #[arg(long, global = true, default_value = "auto", value_name = "BACKEND")]
    pub backend: String,
    /// The position in SFEN, or `startpos`.
    #[arg(long, global = true, value_name = "SFEN", conflicts_with = "positions")]
    pub sfen: Option<String>,
    /// Moves from that position in USI notation.
    #[arg(long, global = true, num_args = 1.., value_name = "MOVE", conflicts_with = "positions")]
    pub moves: Vec<String>,
    /// Many positions: a file with one SFEN on each line (`-` for standard input).
    #[arg(long, global = true, value_name = "FILE")]
    pub positions: Option<String>,
    /// Answer in JSON: one object on each line.
    #[arg(long, global = true)]
    pub json: bool,
    /// Load this evaluation table instead of the built-in one.
    #[arg(long, global = true, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// No progress bar.
    #[arg(long, global = true)]
    pub quiet: bool,
}

/// Limits of an analysis.
#[derive(Args, Debug, Clone, Default)]
pub struct LimitArguments {
    /// Milliseconds to think [default: 1000, unless another limit is given].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time_ms: Option<u64>,
    /// Plies to search.
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Nodes to search; the answer is then the same on every back end.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Mebibytes of the transposition table.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=hayasashi_engine::search::settings::MAX_HASH_MIB))]
    pub hash_mib: u64,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Show a position, its static evaluation, and the best line found in the time given.
    Analyze(LimitArguments),
    /// The legal moves of a position, or of each position of a file.
    Moves(MovesArguments),
    /// The static evaluation in centipawns for the mover, of a position or of each position of a file.
    Eval,
    /// The number of legal moves of a position, or of each position of a file.
    Count,
    /// Look for a mate by checks: in a position, or in each of a file of problems.
    Mate(MateArguments),
    /// Count the leaves of the tree of legal moves.
    Perft(PerftArguments),
    /// Compare two or more back ends byte by byte on each position of a file.
    Verify(VerifyArguments),
    /// How fast the chip is beside software, alone and behind its link; every figure says whether it was measured.
    Compare(Box<CompareArguments>),
    /// The information registers of the chip.
    Info,
    /// Check a chip: echo, evaluation table, built-in positions, and the answers to bad requests.
    Selftest,
    /// Write the built-in evaluation table to a file.
    Table(TableArguments),
    /// Write the co-processor as Verilog with AXI-Stream for another design: FuseSoC, LiteX, Vivado.
    Release(ReleaseArguments),
    /// Be a chip: answer requests on a pseudo-terminal or a TCP port.
    Chip(ChipArguments),
    /// Build the bitstream of a board: Verilog, synthesis, place and route, packing.
    Build(Box<BuildArguments>),
    /// Load the bitstream of the last build into a board (openFPGALoader).
    Flash(FlashArguments),
    /// Measure the area of each block of the gateware, as Markdown.
    Area(AreaArguments),
    /// Search fixed positions to a fixed depth: a checksum of the engine's behaviour, and its speed.
    Bench(super::bench::BenchArguments),
    /// Make an opening book from game records.
    Book(super::book::BookArguments),
    /// Show and draw what a textbook search visits of a small game's tree.
    Tree(super::tree::TreeArguments),
    /// Play engine against engine and tell the difference in strength.
    Match(Box<super::duel::MatchArguments>),
    /// Repeat published experiments, and report what was found.
    Experiment(Box<super::experiment::ExperimentArguments>),
    /// Learn from game records.
    #[command(subcommand)]
    Learn(super::learn::Learn),
    /// Speak USI on standard input and output.
    Usi,
}

/// Arguments of `moves`.
#[derive(Args, Debug, Clone)]
pub struct MovesArguments {
    /// Show how probable each move is by its category, with and without phases, possibility and history analyser. Moves
    /// before the position (--moves) are what the history analyser goes by.
    #[arg(long)]
    pub probabilities: bool,
    /// Take this table of `learn moves` instead of the built-in one.
    #[arg(long, value_name = "FILE", requires = "probabilities")]
    pub move_table: Option<PathBuf>,
}

/// Arguments of `mate`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
In a file of problems, moves behind `moves` are a problem's solution: they are not made, and their number is told \
beside that of the mate found. A mate is told only after its whole solution, with an answer to every defence, has been \
replayed by the rules of shogi. Lines that are no problem are reported and passed over; the exit code is then 2.")]
pub struct MateArguments {
    /// Milliseconds for each position [default: 10000, unless --nodes is given].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub time_ms: Option<u64>,
    /// Moves to make for each position; the answer is then the same in every run.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Longest mate to look for.
    #[arg(long, value_name = "PLIES", default_value_t = hayasashi_engine::mate::MAX_PLIES,
        value_parser = clap::value_parser!(u32).range(1..=hayasashi_engine::mate::MAX_PLIES as i64))]
    pub plies: u32,
    /// Mebibytes of the solver's table.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=hayasashi_engine::search::settings::MAX_HASH_MIB))]
    pub hash_mib: u64,
    /// Ask the engine's search for games instead of the mate solver; the solver then judges the move that the engine
    /// announces a mate with.
    #[arg(long, conflicts_with = "plies")]
    pub engine: bool,
    /// Switch a technique of that search off, as `RootMate`; may be given more than once.
    #[arg(long, value_name = "TECHNIQUE", requires = "engine")]
    pub without: Vec<String>,
    /// Begin at this line of the file: to go on after an interruption.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "positions",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub from_line: u64,
}

/// Arguments of `perft`.
#[derive(Args, Debug, Clone)]
pub struct PerftArguments {
    /// Plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    pub depth: u32,
    /// Show the leaves under each move.
    #[arg(long)]
    pub divide: bool,
    /// Compare with this back end and show the first position where they differ.
    #[arg(long, value_name = "BACKEND")]
    pub against: Option<String>,
    /// Let the chip itself walk the tree (1 to 8 plies); shows expansions and clocks too.
    #[arg(long, conflicts_with_all = ["divide", "against"])]
    pub on_chip: bool,
}

/// Arguments of `verify`.
#[derive(Args, Debug, Clone)]
pub struct VerifyArguments {
    /// The back end to compare with; several are separated by commas, as in `rtl,verilog`.
    #[arg(long, value_name = "BACKENDS", default_value = "rules", value_delimiter = ',')]
    pub against: Vec<String>,
    /// How many differences to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub show: usize,
}

/// Arguments of `compare`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
The chip's clocks are counted in simulation: by `verilog`, or by `rtl` where Verilator is missing or `--backend rtl` is \
given. `--backend serial:PATH` times that board besides; `auto` looks for one.\n\nRatios are to the fastest software of \
this project on one core; `cargo bench -p hayasashi --bench rules` compares that with other crates.")]
pub struct CompareArguments {
    /// The board whose chip is compared: a name of `build --list`, or a path that ends in `.toml`.
    #[arg(long, value_name = "BOARD", default_value = "ulx3s-85f-whole")]
    pub board: String,
    /// The report of a build that tells the chip's clock [default: target/build/BOARD/report.json if there is one, else
    /// the clock that the board asks for].
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Time for each figure of the software, and of an attached board.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f64,
    /// Positions to measure with, at most.
    #[arg(long, value_name = "N", default_value_t = 320, value_parser = at_least_one)]
    pub sample: usize,
    /// Plies of the deepest walk from the initial position.
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=6))]
    pub depth: u8,
    /// Write a page with plots to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

fn seconds(given: &str) -> Result<f64, String> {
    match given.parse() {
        Ok(seconds @ 0.001..=3600.0) => Ok(seconds),
        _ => Err("a number from 0.001 to 3600 is wanted".into()),
    }
}

fn at_least_one(given: &str) -> Result<usize, String> {
    match given.parse() {
        Ok(0) | Err(_) => Err("a whole number from 1 on is wanted".into()),
        Ok(number) => Ok(number),
    }
}

/// Arguments of `table`.
#[derive(Args, Debug, Clone)]
pub struct TableArguments {
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The first table, made by hand, with which learning began.
    #[arg(long, conflicts_with = "table")]
    pub hand_made: bool,
}

/// Arguments of `release`.
#[derive(Args, Debug, Clone)]
pub struct ReleaseArguments {
    /// The folder to write to; it is made where it is missing.
    #[arg(long, value_name = "DIR", default_value = "target/release-verilog")]
    pub out: PathBuf,
    /// The clock that the design will give, in hertz; only the register `CLOCK_HZ` depends on it.
    #[arg(long, value_name = "HZ", default_value_t = 0)]
    pub clock_hz: u32,
    /// What the register `BOARD` will say.
    #[arg(long, value_name = "NUMBER", default_value_t = hayasashi_spec::registers::BOARD_OTHER)]
    pub board: u32,
    /// Leave out the evaluator: half of the logic and most of the block RAM.
    #[arg(long)]
    pub without_evaluator: bool,
}

/// Arguments of `chip`.
#[derive(Args, Debug, Clone)]
pub struct ChipArguments {
    /// Open a pseudo-terminal and print its name; with LINK, put a symbolic link there.
    #[arg(long, value_name = "LINK", num_args = 0..=1, default_missing_value = "", conflicts_with = "tcp")]
    pub pty: Option<String>,
    /// Listen on this address, as in `127.0.0.1:4081` (port 0 for any free one).
    #[arg(long, value_name = "ADDR")]
    pub tcp: Option<String>,
    /// What answers.
    #[arg(long, value_enum, default_value_t = Engine::Model)]
    pub engine: Engine,
    /// Write the waveforms of `--engine rtl` to this file (VCD; some kilobytes a clock).
    #[arg(long, value_name = "FILE")]
    pub waves: Option<PathBuf>,
}

/// Where the FPGA tools come from.
#[derive(Args, Debug, Clone)]
pub struct ToolArguments {
    /// Native yosys, nextpnr and packer, or those of PyPI, which are installed into a virtual environment at first use.
    #[arg(long, value_enum, default_value_t = ToolChoice::Auto)]
    pub tools: ToolChoice,
    /// Folder of that environment [default: below the user's cache folder].
    #[arg(long, value_name = "DIR")]
    pub venv: Option<PathBuf>,
}

/// Which tools.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolChoice {
    /// Native if all are on PATH and new enough, else PyPI's.
    Auto,
    /// Native.
    Native,
    /// PyPI's.
    Python,
}

/// Arguments of `build`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
The folder of the build holds the bitstream, top.v, the tools' logs and report.json. A stage whose inputs have not \
changed is not run again.\n\nExit codes: 0 built; 1 the budget is exceeded or a clock is not reached (which limit, is \
told; without the clock there is no bitstream); 2 a tool, an argument or a board is wrong; 130 stopped by Ctrl-C.")]
pub struct BuildArguments {
    /// The board: a name of `--list`, or a path that ends in `.toml`.
    #[arg(long, value_name = "BOARD", required_unless_present = "list")]
    pub board: Option<String>,
    /// Show the boards.
    #[arg(long, conflicts_with = "board")]
    pub list: bool,
    /// Seed of placement instead of the board's own.
    #[arg(long, value_name = "N")]
    pub seed: Option<u32>,
    /// Folder of the build [default: target/build/BOARD].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Stop after this stage.
    #[arg(long, value_enum, value_name = "STAGE")]
    pub stop_after: Option<StopAfter>,
    /// The tools.
    #[command(flatten)]
    pub tools: ToolArguments,
}

/// A stage after which to stop.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopAfter {
    /// The gateware as Verilog, with the pins.
    Verilog,
    /// The netlist, and its area.
    Synthesis,
    /// Placed and routed, with clock rates.
    Route,
}

impl From<StopAfter> for hayasashi_boards::flow::Until {
    fn from(stop: StopAfter) -> Self {
        match stop {
            StopAfter::Verilog => Self::Verilog,
            StopAfter::Synthesis => Self::Synthesis,
            StopAfter::Route => Self::Route,
        }
    }
}

/// Arguments of `flash`.
#[derive(Args, Debug, Clone)]
pub struct FlashArguments {
    /// The board.
    #[arg(long, value_name = "BOARD")]
    pub board: String,
    /// Write the board's flash memory, so that the gateware stays when the power goes.
    #[arg(long)]
    pub permanent: bool,
    /// Folder of the build [default: target/build/BOARD].
    #[arg(long, value_name = "DIR", conflicts_with = "bitstream")]
    pub out: Option<PathBuf>,
    /// This file instead of that of the last build.
    #[arg(long, value_name = "FILE")]
    pub bitstream: Option<PathBuf>,
}

/// Arguments of `area`.
#[derive(Args, Debug, Clone)]
pub struct AreaArguments {
    /// A board whose chip is synthesised with its hierarchy kept; may be given more than once.
    #[arg(long, value_name = "BOARD", required = true)]
    pub board: Vec<String>,
    /// Write the table to this file, as in `constraints/AREA.md`.
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Show blocks down to this depth.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub depth: usize,
    /// Show blocks with at least so many look-up tables, or with a block RAM or a multiplier.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub least_luts: u64,
    /// The tools.
    #[command(flatten)]
    pub tools: ToolArguments,
}

/// What answers as a virtual board.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// The software co-processor.
    Model,
    /// The gateware in RustHDL's simulator.
    Rtl,
    /// The emitted Verilog, compiled by Verilator.
    Verilog,
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
