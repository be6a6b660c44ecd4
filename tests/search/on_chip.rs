//! `Search=chip`: the co-processor searches the root, and the host keeps the time whatever it does.

use hayasashi_accel::{
    view, AccelError, BackendSpec, CoProcessor, ModelBackend, PositionError, Request, SearchRequest, SearchResult,
    Ticket,
};
use hayasashi_engine::search::{
    chip_request, score::LONGEST_MATE, Algorithm, Decision, GameClock, GamePath, MoveSource, SearchLimits,
    SearchReport, SearchSettings, Searcher, TimeControl,
};
use hayasashi_engine::Control;
use hayasashi_shogi::rules::{Move, MoveList};
use hayasashi_spec::search::{Found, SearchHead};
use hayasashi_tests::search::{depth, nodes, path, search, searcher, table};
use std::{
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        Arc,
    },
    time::{Duration, Instant},
};

const TEXT: &str = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

fn on_chip(mut searcher: Searcher) -> Searcher {
    searcher.settings.algorithm = Algorithm::Chip;
    searcher.settings.techniques.root_mate = false;
    searcher.settings.network_delay = Duration::ZERO;
    searcher
}

#[test]
fn it_finds_what_the_chip_finds_on_every_back_end() {
    let chip = ModelBackend::new();
    chip.set_evaluation(&table().clone().into()).unwrap();
    for limits in [nodes(5_000), depth(6)] {
        let head = SearchHead {
            depth: limits.depth.unwrap_or(32) as u8,
            nodes: limits.nodes.unwrap_or(0),
            table_bits: SearchSettings::default().chip_table_bits,
            ..SearchHead::default()
        };
        let request = SearchRequest::of_game(head, &[], path(TEXT).position());
        let found = chip.search(&request, &mut |_| true).unwrap().unwrap().found;
        for backend in [BackendSpec::Model, BackendSpec::ModelStream] {
            let outcome = search(&mut on_chip(searcher(backend, 1)), &path(TEXT), &limits);
            let report = &outcome.report;
            let got = (report.score, report.depth, report.nodes, report.pv.len());
            assert_eq!(got, (found.score as i32, found.depth as u32, found.nodes, found.length as usize));
            let first = view::to_move(hayasashi_spec::moves::Move16(found.line[0]), path(TEXT).side_to_move());
            assert_eq!(Some(report.pv[0]), first);
        }
    }
}

/// The chip's table is that of the search before, until a new game begins.
#[test]
fn the_table_is_kept_from_move_to_move() {
    let mut searcher = on_chip(searcher(BackendSpec::Model, 1));
    let mut count = |again: fn(&mut Searcher)| {
        again(&mut searcher);
        search(&mut searcher, &path(TEXT), &depth(6)).report.nodes
    };
    let first = count(|_| {});
    let kept = count(|_| {});
    assert!(kept < first, "{kept} {first}");
    assert_eq!(count(Searcher::clear), first);
    assert_eq!(count(|searcher| searcher.settings.chip_keeps_table = false), first);
}

/// Iterations are reported as they end, and the time for the move is kept.
#[test]
fn it_ends_in_time() {
    let mut searcher = on_chip(searcher(BackendSpec::Model, 1));
    let limits = SearchLimits { time: Some(TimeControl::Exact(Duration::from_millis(300))), ..SearchLimits::default() };
    let (start, mut depths) = (Instant::now(), Vec::new());
    let outcome = searcher.search(&path(TEXT), &limits, &[], &Control::default(), &mut |r| depths.push(r.depth));
    // Other programs may delay it.
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    assert!(depths.is_sorted() && depths.len() > 2 && outcome.failure.is_none(), "{depths:?} {:?}", outcome.failure);
}

/// A chip whose searches never end, whatever `watch` returns.
struct Endless(ModelBackend);

impl CoProcessor for Endless {
    fn name(&self) -> String {
        "endless".into()
    }

    fn submit(&self, request: Request) -> Ticket {
        self.0.submit(request)
    }

    fn search(
        &self,
        _: &SearchRequest,
        watch: &mut dyn FnMut(Found) -> bool,
    ) -> Result<Result<SearchResult, PositionError>, AccelError> {
        for _ in 0..600 {
            watch(Found::default());
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(Err(PositionError::NoTable))
    }
}

#[test]
fn a_chip_that_does_not_answer_costs_no_time() {
    let source = MoveSource::open(Arc::new(Endless(ModelBackend::new())), table().clone()).unwrap();
    let mut searcher = on_chip(Searcher::new(source, 1));
    let limits = SearchLimits { time: Some(TimeControl::Exact(Duration::from_millis(200))), ..SearchLimits::default() };
    let start = Instant::now();
    let outcome = searcher.search(&path(TEXT), &limits, &[], &Control::default(), &mut |_| {});
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if path(TEXT).is_legal(mv)));
    assert!(matches!(outcome.failure, Some(AccelError::Late { .. })), "{:?}", outcome.failure);
}

/// A position with few moves, whose mover is in check.
const IN_CHECK: &str = "startpos moves 7g7f 4a3b 8h3c+";

/// The score and the line of a move at the root by a request of its own.
fn alone(position: &GamePath, mv: Move, depth: u8) -> (i32, Vec<Move>) {
    let chip = ModelBackend::new();
    chip.set_evaluation(&table().clone().into()).unwrap();
    let mut after = position.clone();
    after.do_move(mv);
    let request = chip_request(SearchHead { depth, ..SearchHead::default() }, &after);
    let found = chip.search(&request, &mut |_| true).unwrap().unwrap().found;
    let line = hayasashi_accel::search::line(&found, after.position());
    (-found.score as i32, [&[mv][..], &line].concat())
}

/// Several lines are the moves of the root with their own searches, the best first.
#[test]
fn several_lines_are_searches_of_the_moves() {
    let position = path(IN_CHECK);
    let mut moves = MoveList::new();
    position.position().legal_moves(&mut moves);
    assert!((2..40).contains(&moves.len()), "{}", moves.len());
    let mut searcher = on_chip(searcher(BackendSpec::Model, 1));
    // As many lines as moves: each has the full window.
    searcher.settings.lines = moves.len();
    let mut lines = Vec::new();
    let mut collect = |report: &SearchReport| {
        if report.depth == 4 {
            lines.push((report.score, report.pv.clone()));
        }
    };
    let outcome = searcher.search(&position, &depth(4), &[], &Control::default(), &mut collect);
    let mut expected: Vec<(i32, Vec<Move>)> = moves.iter().map(|&mv| alone(&position, mv, 3)).collect();
    expected
        .iter_mut()
        .for_each(|(score, _)| *score -= (*score > LONGEST_MATE) as i32 - (*score < -LONGEST_MATE) as i32);
    assert!(lines.is_sorted_by(|a, b| a.0 >= b.0) && lines.len() == moves.len());
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if mv == lines[0].1[0]));
    lines.sort();
    expected.sort();
    assert_eq!(lines, expected);
}

/// Fewer lines than moves: none twice, and the best of the lines is that of a search of one line.
#[test]
fn lines_are_different_moves_in_order() {
    let mut searcher = on_chip(searcher(BackendSpec::ModelStream, 1));
    searcher.settings.lines = 3;
    let (mut lines, mut reports) = (Vec::new(), 0);
    let mut collect = |report: &SearchReport| {
        reports += 1;
        if report.depth == 4 {
            assert_eq!(report.line, lines.len() + 1);
            lines.push((report.score, report.pv[0]));
        }
    };
    let outcome = searcher.search(&path(TEXT), &depth(4), &[], &Control::default(), &mut collect);
    assert!(lines.len() == 3 && lines.is_sorted_by(|a, b| a.0 >= b.0), "{lines:?}");
    assert!(lines[0].1 != lines[1].1 && lines[1].1 != lines[2].1 && lines[0].1 != lines[2].1);
    assert_eq!((outcome.report.score, outcome.report.pv[0], reports), (lines[0].0, lines[0].1, 9));
    // A limit of nodes holds for all lines together.
    let outcome = searcher.search(&path(TEXT), &nodes(30_000), &[], &Control::default(), &mut |_| {});
    assert!((1..=30_000).contains(&outcome.report.nodes) && outcome.report.depth > 1, "{:?}", outcome.report);
}

#[test]
fn only_given_moves_are_searched() {
    let mut moves = MoveList::new();
    path(TEXT).position().legal_moves(&mut moves);
    let mut searcher = on_chip(searcher(BackendSpec::Model, 1));
    let only = [moves[moves.len() - 1]];
    let outcome = searcher.search(&path(TEXT), &depth(4), &only, &Control::default(), &mut |_| {});
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if mv == only[0]));
    let (score, line) = alone(&path(TEXT), only[0], 3);
    assert_eq!((outcome.report.score, outcome.report.pv, outcome.failure), (score, line, None));
    // Moves, and a chip that does not answer: the host searches them.
    let source = MoveSource::open(Arc::new(Endless(ModelBackend::new())), table().clone()).unwrap();
    let mut searcher = on_chip(Searcher::new(source, 1));
    let limits = SearchLimits { time: Some(TimeControl::Exact(Duration::from_millis(200))), ..SearchLimits::default() };
    let outcome = searcher.search(&path(TEXT), &limits, &only, &Control::default(), &mut |_| {});
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if mv == only[0]));
    assert!(matches!(outcome.failure, Some(AccelError::Late { .. })), "{:?}", outcome.failure);
}

/// The iterations made while pondering count when the expected move is played.
#[test]
fn pondering_counts_when_the_move_is_played() {
    let mut searcher = on_chip(searcher(BackendSpec::Model, 1));
    let clock = GameClock { left: Duration::from_secs(40), ..GameClock::default() };
    let limits = SearchLimits { time: Some(TimeControl::Clock(clock)), ..SearchLimits::default() };
    let control = Arc::new(Control::new(true));
    let (told, hit) = (control.clone(), Arc::new(AtomicBool::new(false)));
    let was_hit = hit.clone();
    let outcome = std::thread::scope(|scope| {
        scope.spawn(move || {
            // Longer than the target of a second, and shorter than the limit of four.
            std::thread::sleep(Duration::from_millis(2_600));
            was_hit.store(true, Relaxed);
            told.ponder_hit();
        });
        let outcome = searcher.search(&path(TEXT), &limits, &[], &control, &mut |_| {});
        assert!(hit.load(Relaxed), "the search ended while pondering");
        outcome
    });
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if path(TEXT).is_legal(mv)));
    assert_eq!(outcome.failure, None);
}

/// A limit of steps is one of the chip.
#[test]
fn steps_are_a_limit() {
    let mut searcher = on_chip(searcher(BackendSpec::Model, 1));
    searcher.settings.chip_steps = 900;
    let outcome = search(&mut searcher, &path(TEXT), &nodes(900));
    let chip = ModelBackend::new();
    chip.set_evaluation(&table().clone().into()).unwrap();
    let request = chip_request(SearchHead { steps: 900, ..SearchHead::default() }, &path(TEXT));
    let found = chip.search(&request, &mut |_| true).unwrap().unwrap().found;
    assert_eq!((outcome.report.nodes, outcome.report.score, found.steps), (found.nodes, found.score as i32, 900));
}
