//! `Search=chip`: the co-processor searches the root, and the host keeps the time whatever it does.

use hayasashi_accel::{
    view, AccelError, BackendSpec, CoProcessor, ModelBackend, PositionError, Request, SearchRequest, SearchResult,
    Ticket,
};
use hayasashi_engine::search::{Algorithm, Decision, MoveSource, SearchLimits, Searcher, TimeControl};
use hayasashi_engine::Control;
use hayasashi_spec::search::{Found, SearchHead};
use hayasashi_tests::search::{depth, nodes, path, search, searcher, table};
use std::{
    sync::Arc,
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
    chip.set_table(table()).unwrap();
    for limits in [nodes(5_000), depth(6)] {
        let head = SearchHead {
            depth: limits.depth.unwrap_or(32) as u8,
            nodes: limits.nodes.unwrap_or(0),
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
    let source = MoveSource::open(Arc::new(Endless(ModelBackend::new())), table()).unwrap();
    let mut searcher = on_chip(Searcher::new(source, 1));
    let limits = SearchLimits { time: Some(TimeControl::Exact(Duration::from_millis(200))), ..SearchLimits::default() };
    let start = Instant::now();
    let outcome = searcher.search(&path(TEXT), &limits, &[], &Control::default(), &mut |_| {});
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if path(TEXT).is_legal(mv)));
    assert!(matches!(outcome.failure, Some(AccelError::Late { .. })), "{:?}", outcome.failure);
}

/// What the chip cannot do is searched by the host.
#[test]
fn several_lines_and_given_moves_are_searched_by_the_host() {
    let mut searcher = on_chip(searcher(BackendSpec::Model, 1));
    searcher.settings.lines = 3;
    let mut lines = Vec::new();
    searcher.search(&path(TEXT), &depth(3), &[], &Control::default(), &mut |report| lines.push(report.line));
    assert!(lines.contains(&3));
    searcher.settings.lines = 1;
    let mut moves = hayasashi_shogi::rules::MoveList::new();
    path(TEXT).position().legal_moves(&mut moves);
    let only = [moves[moves.len() - 1]];
    let outcome = searcher.search(&path(TEXT), &depth(3), &only, &Control::default(), &mut |_| {});
    assert!(matches!(outcome.decision, Decision::Move(mv, _) if mv == only[0]));
}
