//! Realization-probability search: it is repeatable, finds short mates, and agrees with alpha-beta on who wins.

use hayasashi_accel::BackendSpec;
use hayasashi_engine::BENCH_POSITIONS;
use hayasashi_engine::{
    search::{Algorithm, Decision, SearchLimits, SearchOutcome, Searcher, Techniques, TimeControl, UsiScore},
    usi::Options,
    Control,
};
use hayasashi_tests::search::{self, depth, mates, nodes, path};
use std::time::Duration;

fn searcher(backend: BackendSpec, techniques: Techniques) -> Searcher {
    let mut searcher = search::searcher(backend, 8);
    (searcher.settings.techniques, searcher.settings.algorithm) = (techniques, Algorithm::Realization);
    searcher
}

fn search(searcher: &mut Searcher, text: &str, limits: &SearchLimits) -> SearchOutcome {
    search::search(searcher, &path(text), limits)
}

fn with(changes: &[(&str, bool)]) -> Techniques {
    let mut techniques = Techniques::default();
    changes.iter().for_each(|&(name, on)| techniques.set(name, on).unwrap());
    techniques
}

/// The tree itself finds them: under a limit of depth no mate search comes before it.
#[test]
fn short_mates_are_found_by_the_tree() {
    for leaves in [true, false] {
        for (sfen, plies) in mates("game_mates.sfen") {
            let mut searcher = searcher(BackendSpec::Model, with(&[("ExchangeLeaves", leaves), ("MateInOne", false)]));
            let report = search(&mut searcher, &sfen, &depth(30)).report;
            let UsiScore::Mate(told) = report.usi_score() else { panic!("{sfen}: {}", report.usi_score()) };
            assert!(told > 0 && told as usize <= plies.max(1) + 2, "{sfen}: {told}");
        }
    }
}

/// Positions of mates and their defenders' after the first move: both trees say who wins.
#[test]
fn both_searches_say_who_wins() {
    for (sfen, plies) in mates("game_mates.sfen").into_iter().filter(|(_, plies)| *plies == 3) {
        let mut probable = searcher(BackendSpec::Model, with(&[]));
        let mut plain = searcher(BackendSpec::Model, with(&[]));
        plain.settings.algorithm = Algorithm::AlphaBeta;
        let first = search(&mut plain, &sfen, &depth(plies as u32 + 2)).report;
        let after = format!("{sfen} moves {}", first.pv[0]);
        let lost = [(&mut plain, 6), (&mut probable, 30)].map(|(s, d)| search(s, &after, &depth(d)).report.usi_score());
        assert!(lost.iter().all(|told| matches!(told, UsiScore::Mate(plies) if *plies <= 0)), "{after}: {lost:?}");
    }
}

#[test]
fn the_tree_is_the_same_on_every_back_end_and_in_every_run() {
    let text = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    for techniques in [with(&[]), with(&[("ExchangeLeaves", false)]), Techniques::none()] {
        for limits in [nodes(4_000), depth(9)] {
            let answer = |backend: BackendSpec| {
                let outcome = search(&mut searcher(backend, techniques), text, &limits);
                (outcome.decision, outcome.report.score, outcome.report.nodes, outcome.report.pv)
            };
            let first = answer(BackendSpec::Model);
            assert_eq!(first, answer(BackendSpec::Model), "{techniques:?}");
            assert_eq!(first, answer(BackendSpec::ModelStream), "{techniques:?}");
        }
    }
}

fn tree_size(techniques: Techniques, algorithm: Algorithm, limit: u32) -> u64 {
    let mut searcher = searcher(BackendSpec::Model, techniques);
    searcher.settings.algorithm = algorithm;
    let mut count = |sfen: &&str| {
        searcher.clear();
        search(&mut searcher, sfen, &depth(limit)).report.nodes
    };
    BENCH_POSITIONS.iter().map(&mut count).sum()
}

/// A switch that changes nothing is no switch.
#[test]
fn its_techniques_change_the_tree() {
    let size = |changes: &[(&str, bool)]| tree_size(with(changes), Algorithm::Realization, 10);
    let all = size(&[]);
    for name in ["PhaseCategories", "PossibilityAnalyser", "ExchangeLeaves", "Futility", "Killers", "TableCuts"] {
        assert_ne!(size(&[(name, false)]), all, "{name}");
    }
    assert!(size(&[("Futility", false)]) > all);
    let reductions = |on| tree_size(with(&[("RealizationReductions", on)]), Algorithm::AlphaBeta, 6);
    assert_ne!(reductions(true), reductions(false));
}

/// Nodes by ply of a tree in which all moves are as probable as each other.
fn uniform(text: &str, wide: bool, iterations: u32) -> Vec<u64> {
    let techniques = with(&[("UniformCosts", true), ("WidthLimits", !wide)]);
    search(&mut searcher(BackendSpec::Model, techniques), text, &depth(iterations)).report.nodes_by_ply
}

/// With all moves at 50 % an iteration is a ply: the first makes all 30 moves, and answers to them.
#[test]
fn with_uniform_costs_an_iteration_is_a_ply() {
    let first = uniform("startpos", true, 1);
    assert_eq!((first.len(), first[0], first[1]), (3, 0, 30), "{first:?}");
    assert!(first[2] >= 30 && first[2] <= 900, "{first:?}");
    for iterations in 2..5 {
        let plies = uniform("startpos", true, iterations).len() - 1;
        // A leaf in check goes on.
        assert!(plies > iterations as usize && plies <= iterations as usize + 3, "{iterations}: {plies}");
    }
    let report = search(&mut searcher(BackendSpec::Model, with(&[])), "startpos", &nodes(1_000)).report;
    // The mate search before has a sixteenth at most.
    let tree = report.nodes_by_ply.iter().sum::<u64>();
    assert!(report.nodes == 1_000 && (1_000 - 1_000 / 16..=1_000).contains(&tree), "{tree}");
}

/// All moves on the first two plies, 50 on the next two, 10 deeper.
#[test]
fn width_is_limited_from_the_third_ply_on() {
    let middle = BENCH_POSITIONS[3];
    // From the initial position three plies have no more than 50 moves each: nothing is left out.
    assert_eq!(uniform("startpos", false, 2), uniform("startpos", true, 2));
    let (wide, narrow) = (uniform(middle, true, 5), uniform(middle, false, 5));
    assert_eq!(wide[1], narrow[1]);
    for ply in 5..=6 {
        let children = |by_ply: &[u64]| by_ply[ply] as f64 / by_ply[ply - 1] as f64;
        // Captures of what has just moved are not counted.
        assert!(children(&narrow) < 13.0, "ply {ply}: {narrow:?}");
    }
    assert!(narrow.iter().sum::<u64>() < wide.iter().sum::<u64>(), "{narrow:?} {wide:?}");
}

/// The history of a game is part of what is searched: the same position, reached by another way, has another tree.
#[test]
fn the_history_analyser_changes_the_tree_where_there_is_a_history() {
    let dropped = "sfen lnsgkgsnl/1r5b1/p1ppppppp/9/9/9/P1PPPPPPP/1B5R1/LNSGKGSNL b 2P 1 moves P*8c 8b8c";
    let bare = format!("sfen {}", path(dropped).to_sfen());
    let size = |text: &str, on| {
        let mut searcher = searcher(BackendSpec::Model, with(&[("HistoryAnalyser", on)]));
        search(&mut searcher, text, &depth(10)).report.nodes
    };
    assert_ne!(size(dropped, true), size(&bare, true));
    assert_ne!(size(dropped, true), size(dropped, false));
}

/// More of the probability is a larger tree, and depth is told in halvings.
#[test]
fn each_halving_searches_more() {
    let mut told = Vec::new();
    let mut searcher = searcher(BackendSpec::Model, with(&[]));
    let path = path("startpos moves 7g7f 3c3d");
    let mut tell = |report: &hayasashi_engine::search::SearchReport| told.push((report.depth, report.nodes));
    searcher.search(&path, &depth(12), &[], &Control::default(), &mut tell);
    assert_eq!(told.iter().map(|t| t.0).collect::<Vec<_>>(), (1..=12).collect::<Vec<_>>());
    assert!(told.windows(2).all(|pair| pair[0].1 < pair[1].1), "{told:?}");
}

#[test]
fn limits_and_stops_are_kept() {
    let mut searcher = searcher(BackendSpec::Model, with(&[]));
    assert_eq!(search(&mut searcher, "startpos", &nodes(1_000)).report.nodes, 1_000);
    let time = SearchLimits { time: Some(TimeControl::Exact(Duration::from_millis(150))), ..SearchLimits::default() };
    assert!(matches!(search(&mut searcher, "startpos", &time).decision, Decision::Move(..)));
    let control = Control::default();
    control.stop();
    let start = path("startpos");
    let outcome = searcher.search(&start, &SearchLimits::default(), &[], &control, &mut |_| {});
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if start.is_legal(mv)));
}

/// What the one search stored counts in plies, what the other did in halvings: neither takes the other's for its own.
#[test]
fn a_change_of_search_begins_anew() {
    let text = "startpos moves 7g7f 3c3d";
    let mut both = searcher(BackendSpec::Model, with(&[]));
    both.settings.algorithm = Algorithm::AlphaBeta;
    search(&mut both, text, &depth(6));
    both.settings.algorithm = Algorithm::Realization;
    let report = search(&mut both, text, &depth(8)).report;
    let fresh = search(&mut searcher(BackendSpec::Model, with(&[])), text, &depth(8)).report;
    assert_eq!((report.nodes, report.score), (fresh.nodes, fresh.score));
}

#[test]
fn repetition_is_seen() {
    let text = "sfen 4k4/9/9/9/9/9/9/9/R3K4 b RB2G2S 1 moves 5i5h 5a5b 5h5i 5b5a";
    let outcome = search(&mut searcher(BackendSpec::Model, with(&[])), text, &depth(8));
    assert!(outcome.report.score > 500, "{}", outcome.report.score);
    let Decision::Move(mv, _) = outcome.decision else { panic!("{:?}", outcome.decision) };
    let mut after = path(text);
    after.do_move(mv);
    assert_eq!(after.repeated(), None, "{mv}");
}

#[test]
fn the_option_names_both_searches() {
    let mut options = Options::new("model", None).unwrap();
    let line = "option name Search type combo default alpha-beta var alpha-beta var realization-probability";
    assert!(options.lines().iter().any(|l| l.starts_with(line)));
    options.set("Search", Some("realization-probability")).unwrap();
    assert_eq!(options.search.algorithm, Algorithm::Realization);
    let error = options.set("Search", Some("mtd")).unwrap_err().to_string();
    assert!(error.contains("`mtd`") && error.contains("`alpha-beta`, `realization-probability`"), "{error}");
    let off = "option name RealizationReductions type check default false";
    assert!(options.lines().iter().any(|l| l == off));
}
