//! Chips that break the protocol in every way that we could think of. Whatever they do, every call ends, nothing panics, and
//! no answer differs from the model's.

use crate::hostile::{HostileChip, Mode, MODES};
use hayasashi_accel::*;
use hayasashi_model::{evaluate::first_table, Model};
use hayasashi_spec::{
    opcode::Opcode,
    position::PositionImage,
    search::{SearchHead, MIN_TABLE_BITS},
    word_frame::Framing,
};
use hayasashi_tests::image_from_sfen;
use std::{
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc::{channel, RecvTimeoutError},
        Arc, Mutex,
    },
    time::Duration,
};

/// Time for one case; each takes well below a second on an idle machine.
const LONG: Duration = Duration::from_secs(60);
/// For the handshake of a chip that is well-behaved until it is armed.
const PATIENT: Duration = Duration::from_secs(20);
/// Cases at a time. They wait most of their time.
const THREADS: usize = 24;

const SFENS: [&str; 3] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
];

fn positions() -> Vec<PositionImage> {
    SFENS.iter().map(|sfen| image_from_sfen(sfen).0).collect()
}

/// Runs `case` with each input, many at a time; reports the inputs that panic or do not end.
fn check_all<T: Clone + std::fmt::Debug + Send + Sync + 'static>(
    inputs: Vec<T>,
    case: impl Fn(T) -> Result<(), String> + Copy + Send + Sync + 'static,
) {
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(input) = inputs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (send, result) = channel();
                    let for_thread = input.clone();
                    std::thread::spawn(move || send.send(case(for_thread)));
                    let failure = match result.recv_timeout(LONG) {
                        Ok(Ok(())) => continue,
                        Ok(Err(what)) => what,
                        Err(RecvTimeoutError::Timeout) => "does not end".into(),
                        Err(RecvTimeoutError::Disconnected) => "panics".into(),
                    };
                    failures.lock().unwrap().push(format!("{input:?}: {failure}"));
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} of {} cases: {failures:#?}", failures.len(), inputs.len());
}

/// Every mode with every opcode behind each port.
fn cases() -> Vec<(Framing, Mode, Opcode)> {
    let modes = MODES.iter().flat_map(|&mode| Opcode::ALL.iter().map(move |&opcode| (mode, opcode)));
    modes.flat_map(|(mode, opcode)| [Framing::Slip, Framing::Words].map(|framing| (framing, mode, opcode))).collect()
}

/// The results of positions are the model's, or errors.
fn same<T: PartialEq + std::fmt::Debug>(got: Results<T>, expected: Results<T>) -> Result<(), String> {
    let (got, expected) = match got {
        Ok(got) => (got, expected.unwrap()),
        Err(error) => return suits(error),
    };
    let differs = got.len() != expected.len() || got.iter().zip(&expected).any(|(a, b)| a.is_ok() && a != b);
    if differs {
        return Err(format!("{got:?} instead of {expected:?}"));
    }
    Ok(())
}

/// The error says that the chip or its line is at fault.
fn suits(error: AccelError) -> Result<(), String> {
    use AccelError::*;
    match error {
        Lost { .. } | Malformed { .. } | Unanswered { .. } | MissingCapability { .. } | Table { .. } => Ok(()),
        // A known status that no well-formed request gets.
        Refused { .. } => Ok(()),
        other => Err(format!("another error: {other:?}")),
    }
}

fn same_value<T: PartialEq + std::fmt::Debug>(got: Result<T, AccelError>, expected: T) -> Result<(), String> {
    match got {
        Ok(got) if got == expected => Ok(()),
        Ok(got) => Err(format!("{got:?} instead of {expected:?}")),
        Err(error) => suits(error),
    }
}

/// Asks a chip for what this opcode answers.
fn ask(chip: &RemoteChip, opcode: Opcode) -> Result<(), String> {
    let table = first_table();
    let model = ModelBackend::with_model(Model::with_evaluation(Arc::new(first_table())));
    let positions = positions();
    match opcode {
        Opcode::Info => same_value(chip.info().map(|info| info.magic), hayasashi_spec::MAGIC),
        // A wrong payload is for the caller to see.
        Opcode::Echo => chip.echo(b"\xC0abc").map(drop).or_else(suits),
        Opcode::LoadTable => same_value(chip.load_table(&table.to_bytes()), ()),
        Opcode::Cancel => chip.request(Request::new(Opcode::Cancel, [])).map(drop).or_else(suits),
        Opcode::Generate => same(chip.generate(&positions), model.generate(&positions)),
        Opcode::Count => same(chip.count(&positions), model.count(&positions)),
        Opcode::Evaluate => same(chip.evaluate(&positions), model.evaluate(&positions)),
        Opcode::Expand => same(chip.expand(&positions), model.expand(&positions)),
        Opcode::Perft => {
            let walk = |chip: &dyn CoProcessor| chip.perft(&positions[0], 2, &mut |_| true);
            match walk(chip) {
                Ok(Ok(got)) => same_value(Ok(Ok(got)), walk(&model).unwrap()),
                Ok(Err(_)) => Ok(()),
                Err(error) => suits(error),
            }
        }
        Opcode::Search => {
            let head = SearchHead { depth: 2, table_bits: MIN_TABLE_BITS, ..SearchHead::default() };
            let request = SearchRequest { head, position: positions[0], path: Vec::new() };
            let search = |chip: &dyn CoProcessor| chip.search(&request, &mut |_| true);
            match search(chip) {
                Ok(Ok(got)) => same_value(Ok(Ok(got)), search(&model).unwrap()),
                Ok(Err(_)) => Ok(()),
                Err(error) => suits(error),
            }
        }
    }
}

#[test]
fn no_request_to_a_faulty_chip_hangs_panics_or_gets_a_wrong_answer() {
    check_all(cases(), |(framing, mode, opcode)| {
        let (chip, arm) = HostileChip::new(framing, mode, opcode);
        let chip = RemoteChip::connect(InProcessTransport(chip), PATIENT).map_err(|e| e.to_string())?;
        arm.store(true, Ordering::Relaxed);
        ask(&chip, opcode)
    });
}

#[test]
fn no_handshake_with_a_faulty_chip_hangs_or_panics() {
    check_all(cases(), |(framing, mode, opcode)| {
        let (chip, arm) = HostileChip::new(framing, mode, opcode);
        arm.store(true, Ordering::Relaxed);
        match RemoteChip::connect(InProcessTransport(chip), Duration::from_millis(300)) {
            Ok(chip) => ask(&chip, opcode),
            Err(AccelError::NoAnswer { .. } | AccelError::Garbage { .. } | AccelError::WrongMagic { .. }) => Ok(()),
            Err(error) => suits(error),
        }
    });
}

/// What a user reads about a chip that answers `COUNT` in this way.
fn message(framing: Framing, mode: Mode) -> String {
    let (chip, arm) = HostileChip::new(framing, mode, Opcode::Count);
    let chip = RemoteChip::connect(InProcessTransport(chip), PATIENT).unwrap();
    arm.store(true, Ordering::Relaxed);
    chip.count(&positions()).unwrap_err().to_string()
}

#[test]
fn messages_say_what_the_chip_has_done() {
    for (mode, words) in [
        (Mode::Silent, "no answer within"),
        (Mode::UnknownSequence, "answers with unknown sequence numbers"),
        (Mode::WrongOpcode, "answers with a wrong opcode"),
        (Mode::OldForEver, "repeated answers"),
        (Mode::IndexBeyond, "answers with an index beyond the batch"),
        (Mode::Busy, "`BUSY` answers"),
        (Mode::ProgressZero, "`PROGRESS` or `CANCELLED` answers to requests that do not allow them"),
        (Mode::DamagedAnswer, "damaged frames"),
        (Mode::Noise, "damaged frames"),
        (Mode::BadCrc, "the chip receives it damaged; hint: the line is very noisy; check the cable, its ground"),
        (Mode::PayloadLonger, "5 bytes instead of 4"),
        (Mode::TooManyMoves, "65535 legal moves"),
    ] {
        for framing in [Framing::Slip, Framing::Words] {
            let message = message(framing, mode);
            assert!(message.contains(words), "{framing:?}, {mode:?}: {message}");
            assert!(!message.contains("may lack"), "{framing:?}, {mode:?}: {message}");
        }
    }
}

/// A walk that its chip reports for ever ends by Ctrl-C, even if the chip ignores `CANCEL`.
#[test]
fn a_walk_that_cannot_be_cancelled_is_given_up() {
    let modes = [Mode::GrowsForEver, Mode::GrowsForEverAndConfirmsCancel];
    let cases = [Framing::Slip, Framing::Words].into_iter().flat_map(|framing| modes.map(|mode| (framing, mode)));
    check_all(cases.collect(), |(framing, mode)| {
        let (chip, arm) = HostileChip::new(framing, mode, Opcode::Perft);
        let chip = RemoteChip::connect(InProcessTransport(chip), PATIENT).map_err(|e| e.to_string())?;
        arm.store(true, Ordering::Relaxed);
        match chip.perft(&positions()[0], 5, &mut |_| false) {
            Err(error @ (AccelError::Lost { .. } | AccelError::Malformed { .. })) => suits(error),
            other => Err(format!("{other:?}")),
        }
    });
}
