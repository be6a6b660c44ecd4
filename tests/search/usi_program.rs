//! `hayasashi-usi`, which GUIs start by its path alone.

use hayasashi_tests::program::{texts, usi_binary, Session};
use std::process::{Command, Stdio};

#[test]
fn an_engine_without_arguments_plays() {
    let mut s = Session::start(Command::new(usi_binary()));
    s.send("usi");
    let seen = s.until("usiok");
    assert!(seen[0].starts_with("id name Hayasashi ") && seen[1].starts_with("id author "), "{seen:#?}");
    for line in ["setoption name USI_Ponder value true", "setoption name USI_Hash value 16", "isready"] {
        s.send(line);
    }
    s.until("readyok");
    for line in ["usinewgame", "position startpos moves 7g7f", "go nodes 5000"] {
        s.send(line);
    }
    let best = s.answer("bestmove");
    assert!(best.contains(" ponder "), "{best}");
    s.send("gameover win");
    s.quit();
}

#[test]
fn the_options_of_the_engine_are_accepted_and_checked() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(usi_binary());
        texts(command.args(arguments).stdin(Stdio::null()).output().unwrap())
    };
    assert_eq!(run(&["--backend", "model"]), (0, String::new(), String::new()));
    let (code, _, err) = run(&["--backend", "fpga"]);
    assert!(code == 2 && err.contains("`fpga` is not a back end"), "{err}");
    assert!(run(&["--help"]).1.contains("--table"));
}
