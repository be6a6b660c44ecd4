//! Every command on a board that is lost in the middle of its work: the software model finishes it. Only `verify` fails.

use crate::altered_chip::AlteredChip;
use hayasashi_accel::{virtual_board::serve_tcp, ModelStream, StreamChip};
use hayasashi_tests::program::{run, Session};
use serde_json::Value;
use std::{
    fmt::Write,
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::channel,
        Arc,
    },
    thread::JoinHandle,
};

/// A board in this process; it stops when dropped.
struct Board {
    backend: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Board {
    /// A board that is never lost.
    fn sound() -> Board {
        Board::serve(ModelStream::new())
    }

    /// A board that is lost at its request with this number.
    fn lost_at(request: usize) -> Board {
        let (chip, strings) = AlteredChip::new(|_, _| {});
        strings.lost_at.store(request, Relaxed);
        Board::serve(chip)
    }

    fn serve(mut chip: impl StreamChip + Send + 'static) -> Board {
        let (announce, announced) = channel();
        let stop = Arc::<AtomicBool>::default();
        let for_thread = stop.clone();
        let thread = std::thread::spawn(move || {
            let mut announce = |address| announce.send(address).unwrap();
            // The chip is lost, as the test wants it.
            let _ = serve_tcp(&mut chip, "127.0.0.1:0", &for_thread, &mut announce);
        });
        Board { backend: format!("tcp:{}", announced.recv().unwrap()), stop, thread: Some(thread) }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

/// The objects of the output without what differs from run to run.
fn objects(output: &str) -> Vec<Value> {
    let strip = |line: &str| {
        let mut object: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        for field in ["backend", "note", "milliseconds", "nodes_per_second", "leaves_by", "interrupted"] {
            object.as_object_mut().unwrap().remove(field);
        }
        object
    };
    output.lines().map(strip).collect()
}

fn field(line: &str, name: &str) -> String {
    serde_json::from_str::<Value>(line).unwrap()[name].to_string()
}

#[test]
fn every_command_is_finished_by_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.sfen");
    // Three times as many as fit into the requests of one chunk.
    let mut lines = String::new();
    for number in 1..=700 {
        writeln!(lines, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - {number}").unwrap();
    }
    std::fs::write(&file, lines).unwrap();
    let file = file.to_str().unwrap();
    for (lost_at, arguments) in [
        (5, &["moves", "--positions", file][..]),
        (12, &["count", "--positions", file]),
        (12, &["eval", "--positions", file]),
        (1, &["moves"]),
        (20, &["analyze", "--nodes", "3000"]),
        (3, &["perft", "4", "--divide"]),
        (1, &["perft", "4", "--on-chip"]),
        (400, &["bench", "--depth", "2", "--hash-mib", "4"]),
        (20, &["mate", "--engine", "--nodes", "2000", "--sfen", "8k/9/8S/9/9/9/9/9/K8 b G 1", "--without", "RootMate"]),
    ] {
        let with = |backend: &str| run(&[&["--json", "--quiet", "--backend", backend], arguments].concat());
        let board = Board::lost_at(lost_at);
        let (code, out, err) = with(&board.backend);
        assert_eq!(code, 0, "{arguments:?}: {err}");
        assert!(err.contains("is lost, the software model takes over"), "{arguments:?}: {err}");
        let (_, expected, _) = with("model");
        assert_eq!(objects(&out), objects(&expected), "{arguments:?}");
        let last = out.lines().last().unwrap();
        assert_eq!(field(last, "backend"), format!("\"model (for {})\"", board.backend), "{arguments:?}");
    }
}

#[test]
fn what_the_board_has_counted_of_a_walk_is_kept() {
    // Ten of the thirty subtrees.
    let board = Board::lost_at(11);
    let (code, out, err) = run(&["--json", "--backend", &board.backend, "perft", "5", "--on-chip"]);
    assert_eq!(code, 0, "{err}");
    let walked: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((walked["nodes"].as_u64(), walked["expansions"].as_u64()), (Some(19_861_490), Some(719_731)));
    let of_board = walked["leaves_by"][&board.backend].as_u64().unwrap();
    let of_model = walked["leaves_by"][format!("model (for {})", board.backend)].as_u64().unwrap();
    assert_eq!(of_board + of_model, 19_861_490);
    assert!(of_board > 4_000_000 && of_model > 8_000_000, "{walked}");
}

#[test]
fn verify_fails_and_says_what_it_did_not_compare() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("positions.sfen");
    let line = |n| format!("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - {n}\n");
    std::fs::write(&file, (1..=700).map(line).collect::<String>()).unwrap();
    // A chunk is 248 positions: 8 batches by each of three opcodes, and a walk for each position.
    let board = Board::lost_at(280);
    let (code, out, err) =
        run(&["--backend", &board.backend, "verify", "--positions", file.to_str().unwrap(), "--against", "model"]);
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.contains("positions: 248, differences: 0"), "{out}");
    assert!(
        err.contains("position 249 (`lnsgkgsnl/") && err.contains("b - 249`) and those after it were not compared"),
        "{err}"
    );
}

/// One session after another, and commands between them: each finds the board with the table of the one before.
#[test]
fn a_board_serves_one_session_after_another() {
    let board = Board::sound();
    let searched = |session: &mut Session| {
        session.send("position startpos moves 7g7f 3c3d");
        session.send("go nodes 2000");
        let lines = session.until("bestmove");
        let depth = |line: &String| line.strip_prefix("info depth ").and_then(|d| d.split(' ').next()?.parse().ok());
        let deepest: Option<u32> = lines.iter().filter_map(depth).max();
        assert!(deepest >= Some(2), "{lines:#?}");
        lines.into_iter().filter(|l| l.starts_with("info string") || l.starts_with("bestmove")).collect::<Vec<_>>()
    };
    let mut model = Session::engine("model");
    let expected = searched(&mut model);
    for round in 0..2 {
        let mut session = Session::engine(&board.backend);
        assert_eq!(searched(&mut session), expected, "session {round}");
        session.send("setoption name USI_Hash value 8");
        session.send("isready");
        session.until("readyok");
        assert_eq!(searched(&mut session), expected, "session {round} with another table size");
        session.quit();
        for command in [&["analyze", "--nodes", "500"][..], &["selftest"]] {
            let (code, out, err) = run(&[&["--backend", &board.backend], command].concat());
            assert_eq!((code, err.as_str()), (0, ""), "{command:?}: {out}");
        }
    }
}
