//! A back end that is watched: its counters, the samples that are compared with the model, and the journal.

use crate::altered_chip::AlteredChip;
use hayasashi_accel::{monitor::Monitor, view, CoProcessor, InProcessTransport, ModelBackend, RemoteChip};
use hayasashi_model::evaluate::default_table;
use hayasashi_shogi::rules::Position;
use hayasashi_spec::opcode::Opcode;
use hayasashi_tests::program::{run, Session};
use serde_json::Value;
use std::{sync::Arc, time::Duration};

const GREETING: Duration = Duration::from_secs(60);

#[test]
fn requests_positions_and_samples_are_counted() {
    let monitor = Monitor::new(3);
    let chip = monitor.watch(Arc::new(ModelBackend::new()));
    chip.set_evaluation(&default_table().into()).unwrap();
    let before = monitor.totals();
    let images = [view::image(&Position::startpos()); 4];
    for _ in 0..6 {
        chip.generate(&images).unwrap();
        chip.evaluate(&images).unwrap();
    }
    let abandoned = chip.submit_count(&images);
    assert_eq!(monitor.totals().in_flight, 1);
    drop(abandoned);
    let after = monitor.totals();
    assert_eq!((after.requests - before.requests, after.positions - before.positions), (13, 48));
    assert_eq!((after.in_flight, after.failed, after.differences), (0, 0, 0));
    assert_eq!(after.checked - before.checked, 4, "{after:?}");
    // A request of four positions: 64 bytes each, and 14 around them.
    assert_eq!(after.bytes_to_chip - before.bytes_to_chip, 13 * (4 * 64 + 14));
}

#[test]
fn a_wrong_answer_in_a_sample_is_shown() {
    let (chip, _) = AlteredChip::new(|request, answers| {
        if request.opcode == Opcode::Count as u8 {
            answers[1].payload[0] ^= 1;
        }
    });
    let chip = RemoteChip::connect(InProcessTransport(chip), GREETING).unwrap();
    let monitor = Monitor::new(1);
    let chip = monitor.watch(Arc::new(chip));
    let images = [view::image(&Position::startpos()); 2];
    chip.generate(&images).unwrap();
    assert_eq!(monitor.totals().differences, 0);
    chip.count(&images).unwrap();
    let totals = monitor.totals();
    assert_eq!((totals.checked, totals.differences), (2, 1));
    let first = totals.first_difference.unwrap();
    for part in ["COUNT differs", "lnsgkgsnl/", "30 moves", "31 moves"] {
        assert!(first.contains(part), "{part}: {first}");
    }
}

#[test]
fn the_journal_is_written_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("journal").display().to_string();
    let positions = folder.path().join("positions").display().to_string();
    std::fs::write(&positions, "startpos\n".repeat(100)).unwrap();
    let count =
        ["count", "--positions", &positions, "--backend", "model-stream", "--monitor", &file, "--check-every", "1"];
    let (code, out, err) = run(&count);
    assert_eq!((code, out.lines().count()), (0, 100), "{err}");
    let (code, out, err) = run(&["monitor", &file, "--json"]);
    assert_eq!(code, 0, "{err}");
    let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["last"], &last["positions"], &last["in_flight"]),
        (&true.into(), &100.into(), &0.into()),
        "{last}"
    );
    assert!(last["checked"].as_u64().unwrap() >= 2, "{last}");
    assert_eq!(last["differences"], 0);
    let (code, out, _) = run(&["monitor", &file]);
    assert!(code == 0 && out.contains("positions/s") && out.contains("model-stream"), "{out}");
    let (code, _, err) = run(&["monitor", &positions]);
    assert!(code == 2 && err.contains("not a monitor's journal; hint"), "{err}");
    let nowhere = ["moves", "--backend", "model-stream", "--monitor", "/nonexistent/journal"];
    let (code, _, err) = run(&nowhere);
    assert!(code == 2 && err.contains("/nonexistent/journal") && err.contains("hint"), "{err}");
}

#[test]
fn an_engine_whose_journal_cannot_be_written_uses_its_board() {
    let mut engine = Session::engine("model-stream");
    engine.send("setoption name MonitorFile value /nonexistent/journal");
    engine.send("isready");
    let lines = engine.until("info string back end");
    assert!(lines[0].contains("/nonexistent/journal") && lines[0].contains("writes no journal"), "{lines:?}");
    assert!(lines.last().unwrap().contains("model-stream"), "{lines:?}");
}
