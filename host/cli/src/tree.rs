//! `tree`: shows the part of a small game's tree that a textbook search visits.

use super::{
    args::Global,
    backend, positions,
    session::{say, Exit},
};
use anyhow::{bail, Context};
use clap::{Args, ValueEnum};
use hayasashi_lab::textbook::{
    expectiminimax, search, signed, svg, text, Animal, Backgammon, Deterministic, Game, Method, SearchResult, Shogi,
    SplitNim, TicTacToe, Tree, TreeLimits,
};
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `tree`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Positions: tic-tac-toe by rows, `xo./.x./o..`; nim by the sticks of each row, `4 1`; backgammon by the steps that Max's and \
Min's checkers have made and the side that throws, `01/16 max`; animal shogi by ranks, side to move and hands, \
`gle/.c./.C./ELG b -`; shogi by --sfen and --moves. Values are those of Max: \
crosses, the first player, Black.")]
pub struct TreeArguments {
    /// The game.
    #[arg(value_enum)]
    pub game: GameChoice,
    /// The position [default: one with a small tree].
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// The search [default: alpha-beta; expectiminimax for a game with dice].
    #[arg(long, value_enum)]
    pub search: Option<SearchChoice>,
    /// Search depth in plies.
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub depth: u32,
    /// Further plies in unstable positions (shogi: captures and escapes from check).
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub extension: u32,
    /// Write a drawing of the tree to this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Maximum number of nodes to show and draw.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub most: u64,
}

/// The games.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameChoice {
    /// Tic-tac-toe.
    TicTacToe,
    /// Split nim: take one stick, or two adjacent sticks, from a row.
    Nim,
    /// Animal shogi on 3 × 4 squares.
    Animal,
    /// A small backgammon: six points, two checkers on each side, a die with three faces.
    Backgammon,
    /// Shogi, scored by the evaluation table.
    Shogi,
}

/// The searches.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchChoice {
    /// The whole tree, in Max's view.
    Minimax,
    /// Alpha-beta cut-offs, fail-hard.
    AlphaBeta,
    /// Alpha-beta cut-offs, fail-soft.
    AlphaBetaSoft,
    /// The whole tree, in the view of the side to move.
    Negamax,
    /// Alpha-beta cut-offs, in the view of the side to move.
    NegaAlpha,
    /// SSS*: the best solution tree first, with a list of open states.
    Sss,
    /// SSS* by null-window searches with a memory: MTD(+∞).
    MtSss,
    /// MTD(f): null-window searches with a memory, from the static value of the position.
    MtdF,
    /// The whole tree, with expected values at throws of the die.
    Expectiminimax,
}

/// Searches, then prints the tree, its value, the best line and the number of nodes.
pub fn run(global: &Global, arguments: &TreeArguments) -> anyhow::Result<Exit> {
    if arguments.game != GameChoice::Shogi && (global.sfen.is_some() || !global.moves.is_empty()) {
        bail!("`--sfen` and `--moves` are for shogi only; hint: give the position of another game with `--position`");
    }
    let position = arguments.position.as_deref();
    match arguments.game {
        GameChoice::TicTacToe => {
            deterministic(global, arguments, position.unwrap_or("xox/ox./..o").parse::<TicTacToe>()?)
        }
        GameChoice::Nim => deterministic(global, arguments, position.map_or(Ok(SplitNim::default()), str::parse)?),
        GameChoice::Animal => deterministic(global, arguments, position.map_or(Ok(Animal::default()), str::parse)?),
        GameChoice::Shogi => {
            if position.is_some() {
                bail!("`--position` is not for shogi; hint: give the position with `--sfen` and `--moves`");
            }
            let table = backend::table(global.table.as_deref())?;
            deterministic(global, arguments, Shogi::new((*positions::single(global)?).clone(), table))
        }
        GameChoice::Backgammon => match arguments.search {
            None | Some(SearchChoice::Expectiminimax) => {
                dice(global, arguments, position.map_or(Ok(Backgammon::default()), str::parse)?)
            }
            Some(_) => {
                bail!("this search has no chance nodes, which backgammon needs; hint: use `--search expectiminimax`")
            }
        },
    }
}

fn limits(arguments: &TreeArguments) -> TreeLimits {
    TreeLimits { depth: arguments.depth, extension: arguments.extension }
}

fn deterministic<G: Deterministic>(global: &Global, arguments: &TreeArguments, game: G) -> anyhow::Result<Exit> {
    let method = match arguments.search.unwrap_or(SearchChoice::AlphaBeta) {
        SearchChoice::Minimax => Method::Minimax,
        SearchChoice::AlphaBeta => Method::AlphaBeta,
        SearchChoice::AlphaBetaSoft => Method::AlphaBetaSoft,
        SearchChoice::Negamax => Method::Negamax,
        SearchChoice::NegaAlpha => Method::NegaAlpha,
        SearchChoice::Sss => Method::SssStar,
        SearchChoice::MtSss => Method::MtSssStar,
        SearchChoice::MtdF => Method::MtdF,
        SearchChoice::Expectiminimax => return dice(global, arguments, game),
    };
    let mut tree = Tree::new(arguments.most as usize);
    let SearchResult { value, line, nodes } = search(&game, method, limits(arguments), Some(&mut tree));
    show::<G>(global, arguments, &tree, value as f64, &line, nodes)
}

fn dice<G: Game>(global: &Global, arguments: &TreeArguments, game: G) -> anyhow::Result<Exit> {
    let mut tree = Tree::new(arguments.most as usize);
    let SearchResult { value, line, nodes } = expectiminimax(&game, limits(arguments), Some(&mut tree));
    show::<G>(global, arguments, &tree, value, &line, nodes)
}

fn show<G: Game>(
    global: &Global,
    arguments: &TreeArguments,
    tree: &Tree,
    value: f64,
    line: &[G::Move],
    nodes: u64,
) -> anyhow::Result<Exit> {
    if let Some(file) = &arguments.svg {
        let picture = svg(tree).context("cannot draw the tree")?;
        std::fs::write(file, picture)
            .with_context(|| format!("cannot write `{}`; hint: give a file in a writable folder", file.display()))?;
    }
    let line: Vec<String> = line.iter().map(ToString::to_string).collect();
    if global.json {
        say(json!({ "value": value, "line": line, "depth": line.len(), "nodes": nodes }))?;
        return Ok(Exit::Done);
    }
    say(text(tree).trim_end())?;
    if nodes > tree.nodes.len() as u64 {
        say(format!("… the first {} of {nodes} nodes; hint: `--most` shows more", tree.nodes.len()))?;
    }
    let plies = if line.len() == 1 { "ply" } else { "plies" };
    say(format!("value {}, by {} ({} {plies}), {nodes} nodes", signed(value), line.join(" "), line.len()))?;
    Ok(Exit::Done)
}
