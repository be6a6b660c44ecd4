//! Games on a virtual board: a pseudo-terminal, through the real serial transport.

use hayasashi_accel::VerilogStream;
use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::evaluate::default_table;
use hayasashi_shogi::rules::{Move, MoveList, Position};
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_SEARCH};
use hayasashi_tests::{
    program::{command, run, Session},
    replay::Tool,
};
use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

/// A virtual board at `link`.
fn board(link: &Path, engine: &str) -> Session {
    let link = link.to_str().expect("a temporary path");
    let mut board = Session::open(&["chip", "--engine", engine, "--pty", link]);
    let line = board.answer("serial:");
    assert!(line.contains(link), "{line}");
    board
}

fn link(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("hayasashi-{name}-{}", std::process::id()))
}

/// The engine's move after some moves from the start.
fn best(engine: &mut Session, moves: &[String], limit: &str) -> String {
    let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
    engine.send(&format!("position startpos{moves}"));
    engine.send(&format!("go {limit}"));
    let line = engine.answer("bestmove");
    line.split_whitespace().nth(1).expect("a move").to_string()
}

/// Plays a move if it is legal.
fn play(position: &mut Position, text: &str) {
    let mv = Move::from_usi(text).unwrap_or_else(|| panic!("not a move: {text}"));
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    assert!(moves.contains(&mv), "{text} is illegal in {}", position.to_sfen());
    position.do_move(mv);
}

#[test]
fn a_game_on_a_serial_board_equals_the_game_on_the_model() {
    let link = link("game");
    let _board = board(&link, "model");
    let mut on_board = Session::engine(&format!("serial:{}", link.display()));
    let mut on_model = Session::engine("model");
    let mut position = Position::startpos();
    let mut moves = Vec::new();
    while moves.len() < 150 {
        let mv = best(&mut on_board, &moves, "nodes 400");
        assert_eq!(mv, best(&mut on_model, &moves, "nodes 400"), "after {moves:?}");
        if mv == "resign" || mv == "win" {
            break;
        }
        play(&mut position, &mv);
        moves.push(mv);
    }
    assert!(moves.len() >= 30, "the game ended after {moves:?}");
}

#[test]
fn the_simulated_gateware_chooses_the_same_moves_as_the_model() {
    // RustHDL's simulation takes minutes to load the engine's table; `hdl/only_searches.rs` compares its searches.
    if !Tool::Verilator.installed() {
        return;
    }
    // Compile the chip before the engine waits for it.
    drop(VerilogStream::open(&ChipConfig::searching()).unwrap());
    let link = link("verilog");
    let _board = board(&link, "verilog");
    let mut on_board = Session::engine(&format!("serial:{}", link.display()));
    let mut on_model = Session::engine("model");
    for moves in [vec![], vec!["7g7f".to_string(), "3c3d".to_string()]] {
        let [a, b] = [&mut on_board, &mut on_model].map(|engine| best(engine, &moves, "nodes 40"));
        assert_eq!(a, b, "after {moves:?}");
    }
}

#[test]
fn the_engine_moves_when_its_board_is_killed_during_a_search() {
    let link = link("killed");
    let mut first = board(&link, "model");
    let mut engine = Session::engine(&format!("serial:{}", link.display()));
    engine.begin_search(3000);
    first.kill();
    let line = engine.answer("bestmove");
    play(&mut Position::startpos(), line.split_whitespace().nth(1).unwrap());
    // The board returns; the engine plays in either case.
    let _second = board(&link, "model");
    play(&mut Position::startpos(), &best(&mut engine, &[], "nodes 500"));
}

/// A search by the chip, without what depends on where it runs. Boards without a network and the model have the same table.
fn found(backend: &str, nodes: &str, more: &[&str]) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.hyet").display().to_string();
    std::fs::write(&table, default_table().to_bytes()).unwrap();
    let request =
        ["search", "--json", "--nodes", nodes, "--table-bits", "9", "--sfen", "startpos", "--backend", backend];
    let (code, out, err) = run(&[&request[..], &["--table", &table], more].concat());
    assert_eq!(code, 0, "{err}");
    let mut found: serde_json::Value = serde_json::from_str(&out).unwrap();
    for key in ["backend", "clocks", "milliseconds", "nodes_per_second"] {
        found.as_object_mut().unwrap().remove(key);
    }
    found
}

#[test]
fn a_virtual_board_searches_again_after_a_killed_client() {
    if !Tool::Verilator.installed() {
        return;
    }
    drop(VerilogStream::open(&ChipConfig::searching()).unwrap());
    let mut board = Session::open(&["chip", "--engine", "verilog", "--tcp", "127.0.0.1:0"]);
    let backend = board.tcp_backend();
    let expected = found("model", "400", &[]);
    assert_eq!(found(&backend, "400", &[]), expected);
    let folder = tempfile::tempdir().unwrap();
    let journal = |name: &str| folder.path().join(name).display().to_string();
    // The journal has a line as soon as the back end is open.
    let under_way = |journal: &str| {
        while !std::fs::metadata(journal).is_ok_and(|file| file.len() > 0) {
            std::thread::sleep(Duration::from_millis(100));
        }
        std::thread::sleep(Duration::from_secs(1));
    };
    for name in ["first", "second"] {
        let journal = journal(name);
        let endless = ["search", "--steps", "100000000", "--table-bits", "9", "--sfen", "startpos"];
        let endless = [&endless[..], &["--backend", &backend, "--monitor", &journal]].concat();
        let mut client = command(&endless).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        under_way(&journal);
        client.kill().unwrap();
        client.wait().unwrap();
        assert_eq!(found(&backend, "400", &[]), expected);
    }
    // The board is lost in the middle of a search: the model begins it again.
    let journal = journal("lost");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            under_way(&journal);
            board.kill();
        });
        assert_eq!(found(&backend, "200000", &["--monitor", &journal]), found("model", "200000", &[]));
    });
}

#[test]
fn a_virtual_board_has_the_units_of_a_board() {
    let mut board = Session::open(&["chip", "--board", "ulx3s-85f-search", "--tcp", "127.0.0.1:0"]);
    let backend = board.tcp_backend();
    let (code, out, err) = run(&["info", "--json", "--backend", &backend]);
    assert_eq!(code, 0, "{err}");
    let info: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(info["registers"]["CAPABILITIES"], CAP_EVALUATE | CAP_SEARCH, "{out}");
    assert_eq!(info["functions"], serde_json::json!(["search"]), "{out}");
    assert_eq!(found(&backend, "400", &[]), found("model", "400", &[]));
    let (code, _, err) = run(&["chip", "--board", "ulx3s-86f", "--tcp", "127.0.0.1:0"]);
    assert!(code != 0 && err.contains("ulx3s-86f") && err.contains("hint"), "{err}");
}
