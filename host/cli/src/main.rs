//! The command line.
//!
//! # JSON
//!
//! With `--json` every command but `usi` writes one object on each line. Fields are added, never renamed or removed:
//!
//! | command | fields |
//! |---|---|
//! | `analyze` | `sfen`, `backend`, `note`, `legal_moves`, `in_check`, `static_centipawns`, `best` (USI move, `win` or `resign`), `pv`, `score` (`{"centipawns": n}` or `{"mate_plies": n}`, negative when mated), `depth`, `nodes`, `milliseconds`, `interrupted` |
//! | `moves` | `sfen`, `backend`, `in_check`, `moves` (sorted) |
//! | `moves --probabilities` | `sfen`, `phase`, `moves` (each `move`, `probability`, `without_phases`, `without_possibility`, `without_history`, `category`, `looked_up`, `played`, `possible`; the most probable first) |
//! | `eval` | `sfen`, `backend`, `centipawns` |
//! | `count` | `sfen`, `backend`, `in_check`, `count` |
//! | `mate` | `sfen`, `outcome` (`mate`, `nomate` or `unsolved`), `solved` (`true` for the first two), `line` (against the longest defence as problems count), `plies` (in which every defence is mated), `counted_plies` (of the line, without useless interpositions at the end), `shortest` (whether shown to be), `answers` (positions of the solution that was replayed), `nodes`, `milliseconds`; of a file also `number` (line), `given_plies` (of the solution in the file); with `--engine` `nodes` and `milliseconds` are those of the engine's search, `unsolved` is a mate not announced or not shown, for a bad line `number`, `error` alone; last `positions`, `solved`, `mates`, `nomates`, `unsolved`, `bad_lines`, `nodes`, `milliseconds`, `interrupted` |
//! | `perft` | `sfen`, `backend`, `depth`, `nodes`, `milliseconds`, `interrupted`, with `--divide` also `divide` (move → leaves); with `--against` a difference as in `verify`, then `nodes`, `differences`, `interrupted` |
//! | `verify` | each difference: `request`, `sfen`, `answers` (two of `backend`, `answer`), `first_difference`; last `positions`, `differences`, `interrupted`, `simulated` (each simulated chip: `backend`, `clocks`, `seconds`, `clocks_per_second`) |
//! | `compare` | those of [`Report`](hayasashi_lab::compare::Comparison): `machine`, `device`, `simulation`, `links`, `sample`, `attached`, `works`, `interrupted`; each figure is an object of `value`, `unit`, `basis` (`measured` or `computed`), and `low` and `high` where it is a median |
//! | `info` | `backend`, `note`, `registers` (name → number) |
//! | `selftest` | each test: `test`, `passed`, `faults`; last `backend`, `tests`, `failed`, `simulated` as in `verify` |
//! | `table` | `file`, `bytes`, `version`, `checksum` |
//! | `release` | each file: `file`, `bytes` |
//! | `chip` | `backend` (what to give to `--backend`), `address` |
//! | `build` | those of [`Report`](hayasashi_boards::flow::BuildReport); with `--list` for each board `board`, `name`, `number`, `part`, `clock_hz`, `baud_hz` |
//! | `area` | for each board `board`, `device`, `yosys`, `blocks` (path → `luts`, `flip_flops`, `block_rams`, `multipliers`) |
//! | `bench` | each position: `sfen`, `best`, `score` (as USI has it), `nodes`, `milliseconds`; with `--against` `sfen`, `nodes_per_second`, `against`; last `nodes`, `nodes_per_second`, `interrupted`, or `nodes_per_second`, `against`, `ratio`, `interrupted` |
//! | `book` | `file`, `games`, `bad_games`, `positions`, `moves` |
//! | `match` | each game as in the results file (`game`, `opening`, `half_points` of the first engine, `winner`, `ending`, `usi`); last `games`, `wins`, `losses`, `draws`, `pentanomial`, `score`, `elo`, `elo_low`, `elo_high` (`null` where infinite), `superiority`, `log_ratio`, `verdict`, `interrupted` |
//! | `experiment` | without a name each: `experiment`, `title`, `source`; else each pairing: `experiment`, `pairing`, `engine`, `against`, `games`, `wins`, `losses`, `draws`, `score`, `score_error` (half of the 95 % interval), `elo`, `elo_low`, `elo_high` (`null` where infinite); each engine that was given problems: `experiment`, `engine`, `problems`, `solved`; last `report` (file), `interrupted` |
//! | `learn eval` | each pass, 0 for the beginning: `learner` (`table` or `neural`), `pass`, `loss` (`null` for 0), `held_out` (losses of a position), `first`, `first_three` (parts of the positions where the record's move is ranked so) |
//! | `learn moves` | `games`, `positions`, `positions_by_phase`, `legal_moves`, `categories_counted`, `categories` (those in the table) |
//! | `flash` | `board`, `bitstream`, `permanent` |

mod analyze;
mod args;
mod backend;
mod batch;
mod bench;
mod book;
mod build;
mod compare;
mod device;
mod duel;
mod experiment;
mod flash;
mod learn;
mod learn_moves;
mod mate;
mod mate_engine;
mod perft;
mod positions;
mod probabilities;
mod release;
mod selftest;
mod session;
mod show;
mod tree;
mod verify;

use args::{Arguments, Command};
use batch::Question;
use clap::Parser;
use session::{is_closed_pipe, Exit};
use std::process::ExitCode;

/// Exit code for bad arguments, input or back ends.
const FAILURE: u8 = 2;

/// Reads the arguments, does what they say, and gives the exit code.
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    log_to_stderr();
    match run(&arguments) {
        Ok(exit) => ExitCode::from(exit.code()),
        // Whoever read the output has had enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(FAILURE)
        }
    }
}

fn log_to_stderr() {
    use tracing_subscriber::EnvFilter;
    let filter = EnvFilter::try_from_env("HAYASASHI_LOG").unwrap_or_else(|_| EnvFilter::new("error"));
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
}

fn run(arguments: &Arguments) -> anyhow::Result<Exit> {
    let global = &arguments.global;
    match &arguments.command {
        None => analyze::run(global, &arguments.limits),
        Some(Command::Analyze(limits)) => analyze::run(global, limits),
        Some(Command::Moves(moves)) if moves.probabilities => probabilities::run(global, moves.move_table.as_deref()),
        Some(Command::Moves(_)) => batch::run(Question::Moves, global),
        Some(Command::Eval) => batch::run(Question::Eval, global),
        Some(Command::Count) => batch::run(Question::Count, global),
        Some(Command::Mate(mate)) => mate::run(global, mate),
        Some(Command::Perft(perft)) => perft::run(global, perft),
        Some(Command::Verify(verify)) => verify::run(global, verify),
        Some(Command::Compare(arguments)) => compare::run(global, arguments),
        Some(Command::Info) => device::info(global),
        Some(Command::Selftest) => selftest::run(global),
        Some(Command::Table(table)) => device::table(global, table),
        Some(Command::Release(release)) => release::run(global, release),
        Some(Command::Chip(chip)) => device::chip(global, chip),
        Some(Command::Build(arguments)) => build::run(global, arguments),
        Some(Command::Flash(arguments)) => flash::run(global, arguments),
        Some(Command::Area(arguments)) => build::area(global, arguments),
        Some(Command::Bench(arguments)) => bench::run(global, arguments),
        Some(Command::Book(arguments)) => book::run(global, arguments),
        Some(Command::Tree(arguments)) => tree::run(global, arguments),
        Some(Command::Learn(learn)) => learn::run(global, learn),
        Some(Command::Match(arguments)) => duel::run(global, arguments),
        Some(Command::Experiment(arguments)) => experiment::run(global, arguments),
        Some(Command::Usi) => {
            let options = hayasashi_engine::usi::Options::new(&global.backend, global.table.as_deref())?;
            hayasashi_engine::usi::run(options, std::io::stdin().lock(), std::io::stdout())?;
            Ok(Exit::Done)
        }
    }
}
