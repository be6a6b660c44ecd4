//! `tree`: what a textbook search visits of a small game's tree.

use super::{
    args::Global,
    backend, positions,
    session::{say, Exit},
};
use anyhow::{bail, Context};
use clap::{Args, ValueEnum};
use hayasashi_lab::textbook::{
    expectiminimax, search, signed, svg, text, Backgammon, Deterministic, Game, Method, SearchResult, Shogi, SplitNim,
    TicTacToe, Tree, TreeLimits,
};
use serde_json::json;
use std::path::PathBuf;

/// Arguments of `tree`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
Positions: tic-tac-toe in rows, `xo./.x./o..`; nim as sticks of each row, `4 1`; backgammon as steps made by Max's and \
Min's checkers and who throws, `01/16 max`; shogi by --sfen and --moves. Values are for Max: crosses, who begins, Black.")]
pub struct TreeArguments {
    /// The game.
    #[arg(value_enum)]
    pub game: Which,
    /// The position [default: one whose tree can be looked at].
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// The search [default: alpha-beta; expectiminimax for a game with dice].
    #[arg(long, value_enum)]
    pub search: Option<How>,
    /// Plies to search.
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub depth: u32,
    /// Plies more where the value is not to be trusted (shogi: captures, and escapes from check).
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=40))]
    pub extension: u32,
    /// Draw the tree into this file.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Nodes to show and draw at most.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub most: u64,
}

/// The games.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Tic-tac-toe.
    TicTacToe,
    /// Split nim: take one stick, or two neighbours, from a row.
    Nim,
    /// A small backgammon: six points, two checkers a side, a die of three faces.
    Backgammon,
    /// Shogi, by the evaluation table.
    Shogi,
}

/// The searches.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// All of the tree.
    Minimax,
    /// Cut-offs, fail-hard.
    AlphaBeta,
    /// Cut-offs, fail-soft.
    AlphaBetaSoft,
    /// All of the tree, for the mover.
    Negamax,
    /// Cut-offs, for the mover.
    NegaAlpha,
    /// All of the tree; means where dice fall.
    Expectiminimax,
}

/// Searches, shows the tree, its value, line and nodes.
pub fn run(global: &Global, arguments: &TreeArguments) -> anyhow::Result<Exit> {
    if arguments.game != Which::Shogi && (global.sfen.is_some() || !global.moves.is_empty()) {
        bail!("--sfen and --moves are for shogi; hint: --position gives the position of another game");
    }
    let position = arguments.position.as_deref();
    match arguments.game {
        Which::TicTacToe => deterministic(global, arguments, position.unwrap_or("xox/ox./..o").parse::<TicTacToe>()?),
        Which::Nim => deterministic(global, arguments, position.map_or(Ok(SplitNim::default()), str::parse)?),
        Which::Shogi => {
            if position.is_some() {
                bail!("the position of shogi is given by --sfen, and --moves");
            }
            let table = backend::table(global.table.as_deref())?;
            deterministic(global, arguments, Shogi::new((*positions::single(global)?).clone(), table))
        }
        Which::Backgammon => match arguments.search {
            None | Some(How::Expectiminimax) => {
                dice(global, arguments, position.map_or(Ok(Backgammon::default()), str::parse)?)
            }
            Some(_) => bail!("there are dice in backgammon; hint: --search expectiminimax"),
        },
    }
}

fn limits(arguments: &TreeArguments) -> TreeLimits {
    TreeLimits { depth: arguments.depth, extension: arguments.extension }
}

fn deterministic<G: Deterministic>(global: &Global, arguments: &TreeArguments, game: G) -> anyhow::Result<Exit> {
    let method = match arguments.search.unwrap_or(How::AlphaBeta) {
        How::Minimax => Method::Minimax,
        How::AlphaBeta => Method::AlphaBeta,
        How::AlphaBetaSoft => Method::AlphaBetaSoft,
        How::Negamax => Method::Negamax,
        How::NegaAlpha => Method::NegaAlpha,
        How::Expectiminimax => return dice(global, arguments, game),
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
        let picture = svg(tree).context("the tree could not be drawn")?;
        std::fs::write(file, picture).with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    let line: Vec<String> = line.iter().map(|mv| mv.to_string()).collect();
    if global.json {
        say(json!({ "value": value, "line": line, "depth": line.len(), "nodes": nodes }))?;
        return Ok(Exit::Done);
    }
    say(text(tree).trim_end())?;
    if nodes > tree.nodes.len() as u64 {
        say(format!("… the first {} of {nodes} nodes; hint: --most shows more", tree.nodes.len()))?;
    }
    let plies = if line.len() == 1 { "ply" } else { "plies" };
    say(format!("value {}, by {} ({} {plies}), {nodes} nodes", signed(value), line.join(" "), line.len()))?;
    Ok(Exit::Done)
}
