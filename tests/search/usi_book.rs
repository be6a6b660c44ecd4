//! An opening book: the command that makes it from games, and the engine that plays from it.

use hayasashi_shogi::book::Book;
use hayasashi_tests::program::{run, Session};
use std::{fs, path::PathBuf};

/// A folder of this test, removed at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("hayasashi-book-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const GAMES: &str = "# three games\n\
    black\tstartpos moves 9g9f 1c1d 9f9e 1d1e\n\
    white\tstartpos moves 9g9f 1c1d 1g1f\n\
    draw\tstartpos moves 7g7f 3c3d\n";

/// A book of [`GAMES`].
fn book(scratch: &Scratch, more: &[&str]) -> String {
    let games = scratch.file("games.usi", GAMES);
    let out = scratch.path("my book.db");
    let (code, said, err) = run(&[&["book", "--quiet", "--games", &games, "--out", &out], more].concat());
    assert_eq!(code, 0, "{said}{err}");
    out
}

#[test]
fn a_book_is_made_from_games() {
    let scratch = Scratch::new("made");
    let out = book(&scratch, &["--json"]);
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.starts_with("#YANEURAOU-DB2016 1.00\n"), "{text}");
    assert!(text.contains(" b - 1\n9g9f 1c1d 0 0 2\n7g7f 3c3d 0 0 1\n"), "{text}");
    assert_eq!(Book::open(out.as_ref()).unwrap().len(), 5);
    let few = book(&scratch, &["--plies", "2", "--min-count", "2"]);
    assert_eq!(fs::read_to_string(few).unwrap().lines().count(), 5);
    assert_eq!(fs::read_dir(&scratch.0).unwrap().count(), 2, "nothing else is left behind");
}

#[test]
fn faulty_games_are_reported_and_left_out() {
    let scratch = Scratch::new("wrong");
    let bad = scratch.file("bad.usi", "startpos moves 9g9f\nwhite\tstartpos moves 7g7f 7g7f\nrubbish\n");
    let out = scratch.path("book.db");
    let (code, said, err) = run(&["book", "--games", &bad, "--out", &out, "--json"]);
    assert_eq!(code, 2, "{said}");
    assert!(err.contains("bad.usi:2, ply 2: illegal move `7g7f` in `lnsg"), "{err}");
    assert!(err.contains("bad.usi:3: `rubbish` is not a position") && err.contains("2 games were left out"), "{err}");
    assert!(said.contains("\"games\":1") && said.contains("\"bad_games\":2"), "{said}");
    assert_eq!(Book::open(out.as_ref()).unwrap().len(), 1);
    // An existing book is kept if there is no game.
    let before = fs::read_to_string(&out).unwrap();
    for games in [scratch.file("empty.usi", "\n"), scratch.path("missing.usi")] {
        let (code, _, err) = run(&["book", "--games", &games, "--out", &out]);
        assert!(code == 2 && err.lines().any(|line| line.starts_with("error: ")), "{err}");
        assert_eq!(fs::read_to_string(&out).unwrap(), before);
    }
    let (code, _, err) = run(&["book", "--games", &bad, "--out", "/no/such/folder/book.db"]);
    assert!(code == 2 && err.contains("hint: give a file in a writable folder"), "{err}");
}

#[test]
fn a_book_is_made_from_records_of_every_format() {
    let scratch = Scratch::new("formats");
    let record = |name: &str| format!("{}/data/records/{name}", env!("CARGO_MANIFEST_DIR"));
    let game = "startpos moves 7g7f 3c3d 2g2f 8b3b 2f2e 2b8h+ 7i8h\n";
    let jkf =
        r#"{"header": {}, "moves": [{}, {"move": {"from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"}}]}"#;
    let expected = |plies: &str| {
        let out = scratch.path("usi.db");
        let list = scratch.file("game.usi", game);
        let (code, said, err) = run(&["book", "--games", &list, "--out", &out, "--plies", plies]);
        assert_eq!(code, 0, "{said}{err}");
        fs::read_to_string(out).unwrap()
    };
    for (games, plies) in [
        (record("short.csa"), "32"),
        (record("short_sjis.kif"), "32"),
        (record("short.ki2"), "32"),
        (scratch.file("short.jkf", jkf), "1"),
    ] {
        let out = scratch.path("book.db");
        let (code, said, err) = run(&["book", "--games", &games, "--out", &out, "--plies", plies]);
        assert_eq!((code, err.as_str()), (0, ""), "{games}: {said}");
        assert_eq!(fs::read_to_string(out).unwrap(), expected(plies), "{games}");
    }
    // A folder, a CSA file of two games, and a KIF with an illegal move.
    let out = scratch.path("all.db");
    let (code, said, err) = run(&["book", "--games", &record(""), "--out", &out, "--json"]);
    assert_eq!(code, 2, "{said}{err}");
    assert!(said.contains("\"games\":9") && said.contains("\"bad_games\":5"), "{said}");
    assert!(err.contains("illegal.kif:1, ply 6: "), "{err}");
    let (code, said, _) = run(&["book", "--games", &record("two_games_v3.csa"), "--out", &out, "--json"]);
    assert!(code == 0 && said.contains("\"games\":2"), "{said}");
}

#[test]
fn the_engine_plays_from_its_book_as_the_options_say() {
    let scratch = Scratch::new("played");
    let file = book(&scratch, &[]);
    let mut s = Session::engine("model");
    let ask = |s: &mut Session, position: &str, go: &str| {
        s.send(&format!("position {position}"));
        s.send(&format!("go {go}"));
        let seen = s.until("bestmove");
        (seen.iter().any(|l| l.starts_with("info string book move")), seen.last().unwrap().clone())
    };
    let depth = "depth 1";
    assert!(!ask(&mut s, "startpos", depth).0, "there is no book yet");
    s.send(&format!("setoption name BookFile value {file}"));
    s.send("isready");
    let seen = s.until("readyok");
    assert!(seen.iter().any(|l| l == "info string book of 5 positions"), "{seen:#?}");
    let first = (true, "bestmove 9g9f ponder 1c1d".to_string());
    assert_eq!(ask(&mut s, "startpos", "btime 1000 wtime 1000"), first);
    // The move number does not matter, the limit of moves does.
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
    assert_eq!(ask(&mut s, &format!("{start} 15"), depth), first);
    assert!(!ask(&mut s, &format!("{start} 17"), depth).0);
    s.send("setoption name BookMoves value 2");
    assert_eq!(ask(&mut s, "startpos moves 9g9f", depth), (true, "bestmove 1c1d ponder 1g1f".into()));
    assert!(!ask(&mut s, "startpos moves 9g9f 1c1d", depth).0);
    assert_eq!(ask(&mut s, "startpos", "depth 1 searchmoves 7g7f 2g2f").1, "bestmove 7g7f ponder 3c3d");
    assert!(!ask(&mut s, "startpos moves 2g2f", depth).0, "a position that the book does not have");
    for (option, booked) in [("USI_OwnBook value false", false), ("OwnBook value true", true)] {
        s.send(&format!("setoption name {option}"));
        assert_eq!(ask(&mut s, "startpos", depth).0, booked, "{option}");
    }
    s.send("setoption name BookRandom value true");
    let mut seen: Vec<String> = (0..60).map(|_| ask(&mut s, "startpos", depth).1).collect();
    seen.sort();
    seen.dedup();
    assert_eq!(seen, ["bestmove 7g7f ponder 3c3d", "bestmove 9g9f ponder 1c1d"]);
    s.quit();
}

#[test]
fn the_book_waits_while_pondering_and_keeps_out_of_an_analysis() {
    let scratch = Scratch::new("ponder");
    let file = book(&scratch, &[]);
    let mut s = Session::engine("model");
    s.send(&format!("setoption name BookFile value {file}"));
    s.send("position startpos moves 9g9f 1c1d");
    s.send("go ponder btime 0 wtime 0 byoyomi 100");
    while let Some(line) = s.line(std::time::Duration::from_millis(300)) {
        assert!(line.starts_with("info"), "{line}");
    }
    s.send("ponderhit");
    assert_eq!(s.answer("bestmove"), "bestmove 1g1f");
    s.send("go infinite");
    s.answer("info depth 2");
    s.send("stop");
    s.answer("bestmove");
    s.quit();
}

#[test]
fn a_faulty_book_is_reported_with_its_line() {
    let scratch = Scratch::new("bad");
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let bad = scratch.file("bad.db", &format!("#YANEURAOU-DB2016 1.00\n{start}\n7g7f 3c3d 0 0 1\n2g2e none 0 0 1\n"));
    let mut s = Session::engine("model");
    for (file, told) in [
        (bad.as_str(), "bad.db:4: `2g2e` is illegal in lnsgkgsnl"),
        ("/no/such/book.db", "cannot read the book `/no/such/book.db`"),
        (concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), "begins with `[package]`"),
    ] {
        s.send(&format!("setoption name BookFile value {file}"));
        s.send("isready");
        let seen = s.until("readyok");
        assert!(seen.iter().any(|l| l.starts_with("info string ") && l.contains(told)), "{told}: {seen:#?}");
        // It plays on without, and does not tell of it again.
        s.send("position startpos");
        s.send("go depth 1");
        let seen = s.until("bestmove");
        assert!(!seen.iter().any(|l| l.contains("book")) && !seen.last().unwrap().ends_with("resign"), "{seen:#?}");
    }
    s.quit();
}
