//! The searcher: mates, draws, and equal results on every back end.

use hayasashi_accel::{open, BackendSpec};
use hayasashi_engine::search::{Algorithm, Decision, MoveSource, SearchLimits, SearchOutcome, Searcher};
use hayasashi_engine::Control;
use hayasashi_tests::search::{depth, mates, nodes, path, table};

fn source(backend: &str) -> MoveSource {
    let spec: BackendSpec = backend.parse().unwrap();
    MoveSource::open(open(&spec).unwrap().chip, table().clone()).unwrap()
}

fn search(backend: &str, text: &str, limits: &SearchLimits) -> SearchOutcome {
    let mut searcher = Searcher::new(source(backend), 8);
    searcher.search(&path(text), limits, &[], &Control::default(), &mut |_| {})
}

#[test]
fn the_search_finds_short_mates() {
    for (sfen, plies) in mates("game_mates.sfen") {
        let outcome = search("model", &sfen, &depth(plies as u32 + 2));
        let told = outcome.report.usi_score().to_string();
        assert!(told.starts_with("mate ") && !told.contains('-'), "{sfen}: {told}");
        assert!(path(&sfen).is_legal(outcome.report.pv[0]));
    }
}

#[test]
fn every_back_end_gives_the_same_search() {
    let positions = [
        "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b",
        "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "sfen lns1k3l/1r2g1g2/ppppp1np1/5pp1p/P2b5/1SPP5/L3P1PPP/3g1KS+sL/1N3G1N1 w rb2p 38",
    ];
    for text in positions {
        for limits in [nodes(3_000), depth(3)] {
            let mut answers = ["model", "model-stream"].map(|backend| {
                let outcome = search(backend, text, &limits);
                assert_eq!(outcome.failure, None);
                let report = outcome.report;
                (outcome.decision, report.score, report.nodes, report.depth, report.pv)
            });
            let again = search("model", text, &limits);
            assert_eq!((again.report.nodes, again.report.score), (answers[0].2, answers[0].1), "{text}");
            let [one, other] = &mut answers;
            assert_eq!(one, other, "{text} {limits:?}");
        }
    }
}

/// Simulated gateware takes minutes: the table alone is a quarter of a million bytes.
#[test]
#[ignore = "takes minutes"]
fn the_simulated_gateware_gives_the_same_search() {
    let text = "startpos moves 7g7f 3c3d";
    let [one, other] = ["model", "rtl"].map(|b| search(b, text, &nodes(60)));
    assert_eq!(
        (one.decision, one.report.score, one.report.nodes),
        (other.decision, other.report.score, other.report.nodes)
    );
}

#[test]
fn nodes_and_depth_are_limits() {
    let text = "startpos moves 7g7f";
    let outcome = search("model", text, &nodes(1_000));
    assert_eq!(outcome.report.nodes, 1_000);
    assert_eq!(search("model", text, &depth(2)).report.depth, 2);
    // Not even one node: still a legal move.
    let outcome = search("model", text, &nodes(1));
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if path(text).is_legal(mv)));
}

#[test]
fn a_won_game_is_not_repeated_away() {
    // Black is far ahead, and the shuffle of the kings has been played once: one more would lead on to sennichite.
    let text = "sfen 4k4/9/9/9/9/9/9/9/R3K4 b RB2G2S 1 moves 5i5h 5a5b 5h5i 5b5a";
    let outcome = search("model", text, &depth(4));
    assert!(outcome.report.score > 500, "{}", outcome.report.score);
    let Decision::Move(mv, _) = outcome.decision else { panic!("{:?}", outcome.decision) };
    let mut after = path(text);
    after.do_move(mv);
    assert_eq!(after.repeated(), None, "{mv}");
}

#[test]
fn a_repeated_shuffle_scores_near_a_draw() {
    let text = "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i";
    let outcome = search("model", text, &depth(3));
    // Two lone kings: repeating is a draw, and neither can force anything better.
    assert!(outcome.report.score.abs() < 200, "{}", outcome.report.score);
}

#[test]
fn perpetual_check_is_not_a_way_to_draw() {
    // Black's only forcing idea is the rook's check from file to file, already played once round.
    let text = "sfen 1k7/9/9/9/9/9/9/9/R7K b - 1 moves 9i8i 8a9a 8i9i 9a8a";
    let mut p = path(text);
    assert_eq!(p.repeated(), Some(hayasashi_engine::search::Repeated::Loss));
    p.undo_move();
    assert_eq!(p.repeated(), None);
}

#[test]
fn a_stopped_search_still_answers() {
    let control = Control::default();
    control.stop();
    let mut searcher = Searcher::new(source("model"), 1);
    let path = path("startpos");
    let outcome = searcher.search(&path, &SearchLimits::default(), &[], &control, &mut |_| {});
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if path.is_legal(mv)));
}

#[test]
fn a_search_that_is_stopped_at_once_has_searched_its_move() {
    // Black takes a rook; without a search the order of the moves at the root would have to find it.
    let text = "sfen 4k4/9/9/9/4r4/9/4P4/9/R3K4 b 2b4g4s4n4l17p 1";
    for (name, algorithm) in Algorithm::NAMES {
        for threads in [1, 3] {
            let mut searcher = Searcher::new(source("model-stream"), 4);
            searcher.settings.algorithm = algorithm;
            searcher.settings.threads = threads;
            let control = Control::default();
            control.stop();
            let limits = SearchLimits { infinite: true, ..SearchLimits::default() };
            let outcome = searcher.search(&path(text), &limits, &[], &control, &mut |_| {});
            assert!(outcome.report.depth >= 1 && outcome.report.nodes >= 30, "{name}: {:?}", outcome.report);
            let first = outcome.report.pv.first().copied();
            assert!(matches!(outcome.decision, Decision::Move(mv, _) if Some(mv) == first), "{name}");
        }
    }
}
