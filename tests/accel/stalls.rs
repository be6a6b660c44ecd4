//! Searches on a chip that stalls for ever: the time and the `stop` of the search count, not the patience of the link, which
//! is three minutes here.

use crate::altered_chip::{AlteredChip, Strings};
use hayasashi_accel::{AccelError, CoProcessor, Failover, InProcessTransport, RemoteChip};
use hayasashi_engine::{
    search::{Decision, MoveSource, SearchLimits, SearchOutcome, SearchReport, Searcher, TimeControl},
    Control,
};
use hayasashi_tests::search::{nodes, path, searcher, table};
use std::{
    sync::{
        atomic::Ordering::Relaxed,
        mpsc::{channel, RecvTimeoutError},
        Arc,
    },
    thread,
    time::Duration,
};

const TEXT: &str = "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
/// Far below the patience of the link, and far above the time of any of these searches.
const LONGEST: Duration = Duration::from_secs(60);

fn limits(ms: u64) -> SearchLimits {
    SearchLimits { time: Some(TimeControl::Exact(Duration::from_millis(ms))), ..SearchLimits::default() }
}

fn infinite() -> SearchLimits {
    SearchLimits { infinite: true, ..SearchLimits::default() }
}

fn remote() -> (RemoteChip, Arc<Strings>) {
    let (chip, strings) = AlteredChip::new(|_, _| {});
    (RemoteChip::connect(InProcessTransport(chip), LONGEST).unwrap(), strings)
}

/// A searcher on a chip by itself, and on one behind fail-over.
fn searchers() -> [(Searcher, Arc<Strings>); 2] {
    let on = |chip: Arc<dyn CoProcessor>| Searcher::new(MoveSource::open(chip, table().clone()).unwrap(), 8);
    let ((alone, of_alone), (board, of_board)) = (remote(), remote());
    let never = || Err(AccelError::TooLong { bytes: 0 });
    let guarded = Failover::new(board, never, Arc::new(|event| panic!("{event}"))).unwrap();
    [(on(Arc::new(alone)), of_alone), (on(Arc::new(guarded)), of_board)]
}

/// Searches in a thread; `meanwhile` gets each report.
fn search(
    mut searcher: Searcher,
    limits: SearchLimits,
    control: &Arc<Control>,
    mut meanwhile: impl FnMut(&SearchReport) + Send + 'static,
) -> (Searcher, SearchOutcome) {
    let (done, outcome) = channel();
    let control = control.clone();
    thread::spawn(move || {
        let outcome = searcher.search(&path(TEXT), &limits, &[], &control, &mut meanwhile);
        let _ = done.send((searcher, outcome));
    });
    match outcome.recv_timeout(LONGEST) {
        Ok(answer) => answer,
        Err(RecvTimeoutError::Timeout) => panic!("the search waits for the chip"),
        Err(RecvTimeoutError::Disconnected) => panic!("the search panicked"),
    }
}

fn check(outcome: &SearchOutcome) {
    let Decision::Move(mv, _) = outcome.decision else { panic!("{outcome:?}") };
    assert!(path(TEXT).is_legal(mv) && outcome.report.depth >= 1, "{outcome:?}");
}

#[test]
fn a_search_keeps_its_time_when_the_chip_stalls_before_it() {
    for (searcher, strings) in searchers() {
        strings.stalled.store(true, Relaxed);
        // A wait of less than a tenth of a second is not reported: a busy machine may lose some of the time.
        let (_, outcome) = search(searcher, limits(2_000), &Arc::default(), |_| {});
        check(&outcome);
        assert!(matches!(outcome.failure, Some(AccelError::Late { .. })), "{outcome:?}");
    }
}

#[test]
fn a_search_keeps_its_time_when_the_chip_stalls_in_it() {
    for threads in [1, 3] {
        for (mut searcher, strings) in searchers() {
            searcher.settings.threads = threads;
            let stall = move |report: &SearchReport| strings.stalled.store(report.depth >= 2, Relaxed);
            let (_, outcome) = search(searcher, limits(3000), &Arc::default(), stall);
            check(&outcome);
            assert!(outcome.report.depth > 2, "the model searches on: {outcome:?}");
        }
    }
}

#[test]
fn a_search_on_a_stalled_chip_obeys_stop_and_ponderhit() {
    for (searcher, strings) in searchers() {
        strings.stalled.store(true, Relaxed);
        let control = Arc::<Control>::default();
        let stop = control.clone();
        let stopper = thread::spawn(move || {
            thread::sleep(Duration::from_millis(50));
            stop.stop();
        });
        let (searcher, outcome) = search(searcher, infinite(), &control, |_| {});
        stopper.join().unwrap();
        check(&outcome);
        assert_eq!(outcome.failure, None);

        strings.stalled.store(false, Relaxed);
        let control = Arc::new(Control::new(true));
        let hit = control.clone();
        let stall = move |report: &SearchReport| {
            if report.depth == 2 {
                strings.stalled.store(true, Relaxed);
                hit.ponder_hit();
            }
        };
        let (_, outcome) = search(searcher, limits(400), &control, stall);
        check(&outcome);
    }
}

#[test]
fn a_chip_is_asked_again_when_it_has_answered_late() {
    for (searcher, strings) in searchers() {
        strings.stalled.store(true, Relaxed);
        let (searcher, _) = search(searcher, limits(200), &Arc::default(), |_| {});
        let asked = strings.requests.load(Relaxed);
        // It still owes the answer, so nobody waits for it again.
        let (mut searcher, outcome) = search(searcher, nodes(500), &Arc::default(), |_| {});
        assert_eq!((strings.requests.load(Relaxed), outcome.failure), (asked, None));
        assert!(searcher.source().answering().starts_with("model (for "));

        strings.stalled.store(false, Relaxed);
        while searcher.source().answering().starts_with("model") {
            thread::sleep(Duration::from_millis(1));
            searcher.clear();
            (searcher, _) = search(searcher, nodes(500), &Arc::default(), |_| {});
        }
        searcher.clear();
        let (_, outcome) = search(searcher, nodes(500), &Arc::default(), |_| {});
        assert!(strings.requests.load(Relaxed) > asked);
        let mut on_model = self::searcher(hayasashi_accel::BackendSpec::Model, 8);
        let expected = on_model.search(&path(TEXT), &nodes(500), &[], &Control::default(), &mut |_| {});
        assert_eq!((outcome.decision, outcome.report.score), (expected.decision, expected.report.score));
    }
}
