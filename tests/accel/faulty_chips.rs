//! Chips that answer wrongly in a way that the host can see: the model replaces them, and nothing panics.

use crate::altered_chip::{Alter, AlteredChip};
use hayasashi_accel::{
    AccelError, CoProcessor, Failover, FailoverEvent, InProcessTransport, ModelBackend, RemoteChip, Request, Responses,
};
use hayasashi_engine::{
    search::{MoveSource, Searcher},
    Control,
};
use hayasashi_model::Model;
use hayasashi_spec::opcode::{Opcode, Status};
use hayasashi_tests::{
    image_from_sfen,
    search::{nodes, path, searcher, table},
};
use std::{
    sync::{
        atomic::{AtomicUsize, Ordering::Relaxed},
        Arc, Mutex,
    },
    thread,
    time::Duration,
};

const INTERVAL: Duration = Duration::from_millis(5);

fn is(request: &Request, opcode: Opcode) -> bool {
    request.opcode == opcode as u8
}

/// Replaces the first move by these 16 bits.
fn first_move(request: &Request, answers: &mut Responses, bits: u16) {
    let lists = answers.iter_mut().filter(|answer| is(request, Opcode::Generate) && answer.payload.len() >= 8);
    lists.for_each(|answer| answer.payload[4..6].copy_from_slice(&bits.to_le_bytes()));
}

/// Answers that contradict the protocol.
const MALFORMED: [(&str, Alter); 8] = [
    ("a square beyond the board", |request, answers| first_move(request, answers, 100)),
    ("an origin beyond the hand", |request, answers| first_move(request, answers, 127 << 7)),
    ("the unused bit", |request, answers| first_move(request, answers, 0x8000)),
    ("a promoting drop", |request, answers| first_move(request, answers, 81 << 7 | 1 << 14)),
    ("a list that is too short", |request, answers| {
        answers.iter_mut().filter(|a| is(request, Opcode::Generate) && a.payload.len() > 4).for_each(|answer| {
            answer.payload.pop();
        });
    }),
    ("an unknown status", |request, answers| {
        answers.iter_mut().filter(|_| is(request, Opcode::Generate)).for_each(|answer| answer.status = 0x5A);
    }),
    ("a score beyond the limit", |request, answers| {
        answers.iter_mut().filter(|_| is(request, Opcode::Evaluate)).for_each(|answer| {
            answer.payload = 32_000u32.to_le_bytes().to_vec();
        });
    }),
    ("half a count", |request, answers| {
        answers.iter_mut().filter(|_| is(request, Opcode::Count)).for_each(|answer| answer.payload.truncate(2));
    }),
];

/// Answers that only the rules refute.
const WRONG: [(&str, Alter); 2] = [
    ("a move from an empty square", |request, answers| first_move(request, answers, 40 | 41 << 7)),
    ("a legal position refused", |request, answers| {
        answers.iter_mut().filter(|_| is(request, Opcode::Evaluate)).for_each(|answer| {
            (answer.status, answer.payload) = (Status::Position as u8, 4u32.to_le_bytes().to_vec());
        });
    }),
];

fn board(alter: Alter) -> RemoteChip {
    RemoteChip::connect(InProcessTransport(AlteredChip::new(alter).0), Duration::from_secs(60)).unwrap()
}

#[test]
fn a_search_on_a_faulty_chip_is_that_of_the_model() {
    let text = "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
    let run = |mut searcher: Searcher| {
        let outcome = searcher.search(&path(text), &nodes(800), &[], &Control::default(), &mut |_| {});
        ((outcome.decision, outcome.report.score, outcome.report.nodes), outcome.failure)
    };
    let (expected, _) = run(searcher(hayasashi_accel::BackendSpec::Model, 8));
    for (fault, alter) in MALFORMED.into_iter().chain(WRONG) {
        if fault == "half a count" {
            continue;
        }
        let events = Arc::<Mutex<Vec<FailoverEvent>>>::default();
        let listener = events.clone();
        let guarded = Failover::new(
            board(alter),
            move || Ok(board(alter)),
            Arc::new(move |event| listener.lock().unwrap().push(event.clone())),
        );
        let chips: [Arc<dyn CoProcessor>; 2] = [Arc::new(board(alter)), Arc::new(guarded.unwrap())];
        for (chip, guarded) in chips.into_iter().zip([false, true]) {
            let (found, failure) = run(Searcher::new(MoveSource::open(chip, table().clone()).unwrap(), 8));
            assert_eq!(found, expected, "{fault}");
            let told = events.lock().unwrap().iter().any(|e| matches!(e, FailoverEvent::Faulty { .. }));
            let reported = matches!(failure, Some(AccelError::Malformed { .. }));
            assert!(reported || guarded && told, "{fault}: {failure:?}");
        }
    }
}

#[test]
fn fail_over_replaces_a_faulty_chip_for_good() {
    let startpos = image_from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1").0;
    let model = ModelBackend::with_model(Model::with_evaluation(table().clone()));
    for (fault, alter) in MALFORMED {
        let (events, reopened) = (Arc::<Mutex<Vec<FailoverEvent>>>::default(), Arc::<AtomicUsize>::default());
        let (listener, counter) = (events.clone(), reopened.clone());
        let reopen = move || {
            counter.fetch_add(1, Relaxed);
            Ok(board(alter))
        };
        let listener = Arc::new(move |event: &FailoverEvent| listener.lock().unwrap().push(event.clone()));
        let chip = Failover::with_interval(board(alter), reopen, listener, INTERVAL).unwrap();
        chip.set_evaluation(&table().clone().into()).unwrap();
        for _ in 0..3 {
            assert_eq!(chip.generate(&[startpos; 3]), model.generate(&[startpos; 3]), "{fault}");
            assert_eq!(chip.evaluate(&[startpos; 3]), model.evaluate(&[startpos; 3]), "{fault}");
            assert_eq!(chip.count(&[startpos; 3]), model.count(&[startpos; 3]), "{fault}");
            thread::sleep(4 * INTERVAL);
        }
        let events = events.lock().unwrap();
        assert!(matches!(events[..], [FailoverEvent::Faulty { .. }]), "{fault}: {events:?}");
        assert_eq!((chip.has_board(), reopened.load(Relaxed)), (false, 0), "{fault}");
        assert!(chip.name().starts_with("model (for "));
    }
}
