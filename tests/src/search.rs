//! Searchers over the first table, and what they are asked.

use crate::data_lines;
use hayasashi_accel::{open, BackendSpec};
use hayasashi_engine::search::{Decision, GamePath, MoveSource, SearchLimits, SearchOutcome, Searcher};
use hayasashi_engine::Control;
use hayasashi_model::evaluate::{first_table, EvalTable};
use hayasashi_shogi::rules::PositionCommand;
use std::sync::{Arc, OnceLock};

/// The table that was made by hand.
pub fn table() -> &'static Arc<EvalTable> {
    static TABLE: OnceLock<Arc<EvalTable>> = OnceLock::new();
    TABLE.get_or_init(|| Arc::new(first_table()))
}

/// A searcher with so many mebibytes.
pub fn searcher(backend: BackendSpec, mebibytes: usize) -> Searcher {
    Searcher::new(MoveSource::open(open(&backend).unwrap().chip, table().clone()).unwrap(), mebibytes)
}

/// The position of a `position` command without its first word.
pub fn path(text: &str) -> GamePath {
    PositionCommand::parse(text).unwrap().into()
}

/// Searches without a failure; the move is legal.
pub fn search(searcher: &mut Searcher, path: &GamePath, limits: &SearchLimits) -> SearchOutcome {
    let outcome = searcher.search(path, limits, &[], &Control::default(), &mut |_| {});
    assert_eq!(outcome.failure, None);
    if let Decision::Move(mv, _) = outcome.decision {
        assert!(path.is_legal(mv), "{mv} in {}", path.to_sfen());
    }
    outcome
}

/// A limit of depth, in whatever the search counts.
pub fn depth(depth: u32) -> SearchLimits {
    SearchLimits { depth: Some(depth), ..SearchLimits::default() }
}

/// A limit of nodes.
pub fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
}

/// Positions of a file of mate problems, and how many plies their mates take.
pub fn mates(file: &str) -> Vec<(String, usize)> {
    let split = |line: String| {
        let (sfen, moves) = line.split_once(" moves ").unwrap();
        (sfen.to_string(), moves.split(' ').count())
    };
    data_lines(&format!("mate/{file}")).into_iter().map(split).collect()
}
