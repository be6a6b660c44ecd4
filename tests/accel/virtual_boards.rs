//! Games on a virtual board: a pseudo-terminal, through the real serial transport.

use hayasashi_accel::VerilogStream;
use hayasashi_shogi::rules::{Move, MoveList, Position};
use hayasashi_tests::{program::Session, replay::Tool};
use std::path::{Path, PathBuf};

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
    // Compile the chip before the engine waits for it.
    let mut engines = vec!["rtl"];
    if Tool::Verilator.installed() {
        drop(VerilogStream::open(&Default::default()).unwrap());
        engines.push("verilog");
    }
    for engine in engines {
        let link = link(engine);
        let _board = board(&link, engine);
        let mut on_board = Session::engine(&format!("serial:{}", link.display()));
        let mut on_model = Session::engine("model");
        for moves in [vec![], vec!["7g7f".to_string(), "3c3d".to_string()]] {
            let [a, b] = [&mut on_board, &mut on_model].map(|engine| best(engine, &moves, "nodes 40"));
            assert_eq!(a, b, "{engine} after {moves:?}");
        }
    }
}

#[test]
fn the_engine_moves_when_its_board_is_killed_during_a_search() {
    let link = link("killed");
    let mut first = board(&link, "model");
    let mut engine = Session::engine(&format!("serial:{}", link.display()));
    engine.send("position startpos");
    engine.send("go movetime 3000");
    engine.answer("info depth 2");
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    let line = engine.answer("bestmove");
    play(&mut Position::startpos(), line.split_whitespace().nth(1).unwrap());
    // The board returns; the engine plays in either case.
    let _second = board(&link, "model");
    play(&mut Position::startpos(), &best(&mut engine, &[], "nodes 500"));
}
