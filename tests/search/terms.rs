//! Depth terms learned from game records: each changes the tree, none hides a mate, and the tree is the same on every back end.

use hayasashi_accel::BackendSpec;
use hayasashi_engine::BENCH_POSITIONS;
use hayasashi_engine::{
    search::{SearchLimits, Searcher, Techniques},
    statistics,
};
use hayasashi_tests::search::{self, depth, mates, path};
use std::sync::Arc;

const TERMS: [&str; 3] = ["ProbableExtension", "ForcedLines", "TesujiMacros"];

fn searcher(backend: BackendSpec, techniques: Techniques) -> Searcher {
    let mut searcher = search::searcher(backend, 8);
    searcher.settings.techniques = techniques;
    searcher
}

fn with(names: &[&str]) -> Techniques {
    let mut techniques = Techniques::default();
    TERMS.iter().for_each(|name| techniques.set(name, false).unwrap());
    names.iter().for_each(|name| techniques.set(name, true).unwrap());
    techniques
}

fn tree_size(searcher: &mut Searcher, plies: u32) -> u64 {
    let mut count = |sfen: &&str| {
        searcher.clear();
        search::search(searcher, &path(sfen), &depth(plies)).report.nodes
    };
    BENCH_POSITIONS.iter().map(&mut count).sum()
}

#[test]
fn each_term_changes_the_tree() {
    let size = |names: &[&str]| tree_size(&mut searcher(BackendSpec::Model, with(names)), 7);
    let all = size(&[]);
    for name in TERMS {
        assert_ne!(size(&[name]), all, "{name}");
    }
}

/// Without a table of sequences there is nothing to macros, and with one they go by it.
#[test]
fn macros_are_those_of_the_table() {
    let text = statistics::MoveTable::built_in().to_text();
    let none: String = text.lines().filter(|l| !l.starts_with("sequence")).map(|l| format!("{l}\n")).collect();
    let size = |names: &[&str], text: &str| {
        let mut searcher = searcher(BackendSpec::Model, with(names));
        searcher.moves = Arc::new(statistics::MoveTable::parse(text).unwrap());
        tree_size(&mut searcher, 6)
    };
    assert_eq!(size(&["TesujiMacros"], &none), size(&[], &none));
    assert_ne!(size(&["TesujiMacros"], &text), size(&[], &text));
}

/// Also where a node has no move at all, which the probabilities know nothing of.
#[test]
fn no_term_hides_short_mates() {
    for name in TERMS {
        let mut searcher = searcher(BackendSpec::Model, Techniques { mate_in_one: false, ..with(&[name]) });
        for (sfen, plies) in mates("game_mates.sfen").into_iter().filter(|(_, plies)| *plies <= 3) {
            searcher.clear();
            let report = search::search(&mut searcher, &path(&sfen), &depth(plies as u32 + 6)).report;
            let told = report.usi_score().to_string();
            assert!(told.starts_with("mate ") && !told.contains('-'), "with {name}: {told} in {sfen}");
        }
    }
}

#[test]
fn the_tree_is_the_same_on_every_back_end_and_in_every_run() {
    let text = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    for names in [&TERMS[..1], &TERMS[1..2], &TERMS[2..], &TERMS[..]] {
        for limits in [SearchLimits { nodes: Some(6_000), ..SearchLimits::default() }, depth(7)] {
            let answer = |backend: BackendSpec| {
                let report = search::search(&mut searcher(backend, with(names)), &path(text), &limits).report;
                (report.score, report.nodes, report.pv)
            };
            let first = answer(BackendSpec::Model);
            assert_eq!(first, answer(BackendSpec::Model), "{names:?}");
            assert_eq!(first, answer(BackendSpec::ModelStream), "{names:?}");
        }
    }
}
