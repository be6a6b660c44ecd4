//! Several lines at the root (`MultiPV`), and what a draw is worth.

use hayasashi_accel::BackendSpec;
use hayasashi_engine::search::{
    Draw, GamePath, SearchLimits, SearchOutcome, SearchReport, Searcher, Techniques, UsiScore,
};
use hayasashi_engine::Control;
use hayasashi_engine::BENCH_POSITIONS;
use hayasashi_shogi::rules::Move;
use hayasashi_tests::search::{self, depth, path};

fn searcher() -> Searcher {
    search::searcher(BackendSpec::Model, 8)
}

/// The outcome, and what was told on the way.
fn search(
    searcher: &mut Searcher,
    path: &GamePath,
    limits: &SearchLimits,
    only: &[Move],
) -> (SearchOutcome, Vec<SearchReport>) {
    let mut reports = Vec::new();
    let outcome = searcher.search(path, limits, only, &Control::default(), &mut |r| reports.push(r.clone()));
    assert_eq!(outcome.failure, None);
    (outcome, reports)
}

/// The lines of the last iteration.
fn lines(reports: &[SearchReport]) -> Vec<SearchReport> {
    let last = reports.last().unwrap().depth;
    reports.iter().filter(|r| r.depth == last).cloned().collect()
}

#[test]
fn lines_are_the_best_moves_in_order_with_legal_variations() {
    for text in BENCH_POSITIONS {
        let path = path(text);
        for wanted in [2, 5] {
            let mut searcher = searcher();
            searcher.settings.lines = wanted;
            let (outcome, reports) = search(&mut searcher, &path, &depth(5), &[]);
            let lines = lines(&reports);
            assert_eq!(lines.iter().map(|l| l.line).collect::<Vec<_>>(), (1..=wanted).collect::<Vec<_>>(), "{text}");
            assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{text}: {lines:?}");
            assert_eq!(lines[0].pv, outcome.report.pv);
            let mut first: Vec<Move> = lines.iter().map(|l| l.pv[0]).collect();
            first.sort();
            first.dedup();
            assert_eq!(first.len(), wanted, "{text}: a move leads two lines");
            for line in &lines {
                let mut path = path.clone();
                for &mv in &line.pv {
                    assert!(path.is_legal(mv), "{mv} in {text}");
                    path.do_move(mv);
                }
            }
        }
    }
}

/// Plain alpha-beta has one score for each move, which a search of this move alone finds too.
#[test]
fn scores_of_lines_are_those_of_each_move_alone() {
    for text in [BENCH_POSITIONS[0], BENCH_POSITIONS[3], BENCH_POSITIONS[4]] {
        let path = path(text);
        let mut searcher = searcher();
        searcher.settings.techniques = Techniques::none();
        searcher.settings.lines = 600;
        let (_, reports) = search(&mut searcher, &path, &depth(2), &[]);
        let lines = lines(&reports);
        assert!(lines.len() > 25, "{text}");
        for line in &lines {
            searcher.clear();
            searcher.settings.lines = 1;
            let (alone, _) = search(&mut searcher, &path, &depth(2), &line.pv[..1]);
            assert_eq!(alone.report.score, line.score, "{} in {text}", line.pv[0]);
        }
    }
}

#[test]
fn lines_are_repeatable_at_fixed_nodes() {
    let limits = SearchLimits { nodes: Some(30_000), ..SearchLimits::default() };
    let run = || {
        let mut searcher = searcher();
        searcher.settings.lines = 4;
        let (outcome, reports) = search(&mut searcher, &path(BENCH_POSITIONS[1]), &limits, &[]);
        assert_eq!(outcome.report.nodes, 30_000);
        // An iteration that was broken off does not say which line is the best.
        assert_eq!(outcome.report.pv, lines(&reports)[0].pv);
        let told: Vec<_> = reports.into_iter().map(|r| (r.depth, r.line, r.score, r.nodes, r.pv)).collect();
        (outcome.decision, told)
    };
    let first = run();
    assert!(first.1.iter().any(|t| t.1 == 4));
    assert_eq!(run(), first);
}

#[test]
fn a_line_may_be_a_mate_and_the_next_none() {
    let mut searcher = searcher();
    searcher.settings.lines = 3;
    let path = path("sfen 7k1/6P2/7G1/8L/9/9/9/9/K8 b 2r2b3g4s4n3l17p 1");
    let (outcome, reports) = search(&mut searcher, &path, &depth(3), &[]);
    assert_eq!(outcome.report.usi_score(), UsiScore::Mate(1));
    let lines = lines(&reports);
    assert_eq!((lines[0].depth, lines[0].usi_score(), lines.len()), (3, UsiScore::Mate(1), 3));
    assert!(lines[2].score < lines[0].score, "{lines:?}");
}

#[test]
fn several_threads_tell_the_lines_of_one() {
    let mut searcher = searcher();
    (searcher.settings.lines, searcher.settings.threads) = (3, 3);
    let (outcome, reports) = search(&mut searcher, &path(BENCH_POSITIONS[2]), &depth(6), &[]);
    assert_eq!(outcome.report.pv[0], lines(&reports)[0].pv[0]);
}

const SHUFFLE: &str = "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i";

#[test]
fn a_repetition_is_worth_what_a_draw_is() {
    let path = path(SHUFFLE);
    let back = [Move::from_usi("5b5a").unwrap()];
    for value in [-300, 0, 250] {
        let mut searcher = searcher();
        searcher.settings.draw.value = value;
        // The value is that of the side at the root, at whatever depth the draw is.
        for plies in 1..4 {
            let (outcome, _) = search(&mut searcher, &path, &depth(plies), &back);
            assert_eq!(outcome.report.score, value, "depth {plies}");
        }
    }
}

#[test]
fn a_draw_that_is_worth_little_is_avoided_and_one_worth_much_is_sought() {
    let path = path(SHUFFLE);
    let best = |value| {
        let mut searcher = searcher();
        searcher.settings.draw.value = value;
        search(&mut searcher, &path, &depth(4), &[]).0.report
    };
    let (shunned, sought) = (best(-5_000), best(5_000));
    assert!(shunned.score > -2_000, "{}", shunned.score);
    assert_eq!(sought.score, 5_000);
}

#[test]
fn the_last_move_of_a_game_draws_or_mates() {
    let draw = |after| Draw { value: -70, after };
    let start = path("startpos");
    let mut searcher = searcher();
    for (after, drawn) in [(1, true), (2, true), (3, true), (4, false), (u16::MAX, false)] {
        searcher.clear();
        searcher.settings.draw = draw(after);
        let (outcome, _) = search(&mut searcher, &start, &depth(3), &[]);
        assert_eq!(outcome.report.score == -70, drawn, "{after}");
    }
    // A mate with the last move counts; one that would come a move too late does not.
    let mate_in_one = path("sfen 7k1/6P2/7G1/8L/9/9/9/9/K8 b 2r2b3g4s4n3l17p 100");
    searcher.settings.draw = draw(100);
    assert_eq!(search(&mut searcher, &mate_in_one, &depth(3), &[]).0.report.usi_score(), UsiScore::Mate(1));
    let mate_in_three = path("sfen 9/8k/9/7RG/9/9/9/9/K8 b r2b3g4s4n4l18p 100");
    for (after, mates) in [(102, true), (101, false)] {
        searcher.clear();
        searcher.settings.draw = draw(after);
        let (outcome, _) = search(&mut searcher, &mate_in_three, &depth(5), &[]);
        assert_eq!(outcome.report.usi_score() == UsiScore::Mate(3), mates, "{after}");
    }
}
