//! Every `go` gets exactly one reply, whatever the GUI sends and whenever it sends it.

use hayasashi_shogi::{
    random::Random,
    rules::{Move, PositionCommand},
};
use hayasashi_tests::program::{run_with, texts, Session};
use std::time::Duration;

/// The replies among these lines.
fn replies<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    lines.into_iter().filter(|l| l.starts_with("bestmove") || l.starts_with("checkmate")).collect()
}

/// The reply to these lines, of which the last is a `go`.
fn reply(s: &mut Session, lines: &[&str]) -> String {
    lines.iter().for_each(|line| s.send(line));
    s.answer("bestmove")
}

#[test]
fn a_faulty_go_is_answered() {
    let mut s = Session::engine("model");
    for go in [
        "go btime x",
        "go btime x wtime y byoyomi 10",
        "go btime 99999999999999999999999999 wtime 1 byoyomi 10 nodes 50",
        "go nodes 50 colour black",
        "go movetime",
        "go depth 18446744073709551616 nodes 50",
        "go movetime 10 \u{1F600}",
        "go searchmoves 1a1b depth 1",
    ] {
        s.send("position startpos");
        s.send(go);
        let seen = s.until("bestmove");
        let best = Move::from_usi(seen.last().unwrap().split(' ').nth(1).unwrap());
        let start = PositionCommand::parse("startpos").unwrap().position;
        assert!(best.is_some_and(|mv| start.is_legal(mv)), "{go}: {seen:#?}");
    }
    // Illegal moves among those to search are left out.
    assert!(reply(&mut s, &["go depth 1 searchmoves 1a1b 9g9f"]).starts_with("bestmove 9g9f"));
    s.quit();
}

/// Of 40 pairs in fast succession, one was answered.
#[test]
fn go_and_stop_in_fast_succession_are_answered_one_by_one() {
    for go in ["go infinite\nstop", "go btime 1000 wtime 1000", "go ponder btime 0 wtime 0 byoyomi 50"] {
        let input = format!("usi\nisready\nposition startpos\n{}stop\nquit\n", format!("{go}\n").repeat(40));
        let (code, out, _) = texts(run_with(&["usi", "--backend", "model"], &input));
        assert_eq!((code, replies(out.lines()).len()), (0, 40), "{go}: {out}");
        assert!(!out.contains("resign"), "{go}: {out}");
    }
}

#[test]
fn a_refused_position_is_not_played_from() {
    let mut s = Session::engine("model");
    for refused in ["position startpos moves 7g7f 7g7f", "position sfen 9/9 b - 1", "position", "position here"] {
        for (go, expected) in [("go nodes 50", "bestmove resign"), ("go mate 100", "checkmate timeout")] {
            for line in ["position startpos moves 2g2f", refused, go] {
                s.send(line);
            }
            let seen = s.until(expected);
            assert!(seen[0].starts_with("info string ") && seen[0].contains("`position` is refused"), "{seen:#?}");
        }
    }
    // The reply to an analysis waits for `stop` all the same.
    s.send("go infinite");
    assert_eq!(s.line(Duration::from_millis(300)), None);
    assert_eq!(reply(&mut s, &["stop"]), "bestmove resign");
    assert_ne!(reply(&mut s, &["position startpos", "go nodes 50"]), "bestmove resign");
    s.quit();
}

#[test]
fn a_go_during_a_search_ends_it_with_its_move() {
    let mut s = Session::engine("model");
    for line in ["position startpos", "go infinite searchmoves 9g9f", "position startpos moves 9g9f", "go nodes 50"] {
        s.send(line);
    }
    assert!(s.answer("bestmove").starts_with("bestmove 9g9f"));
    let second = s.answer("bestmove");
    let mv = Move::from_usi(second.split(' ').nth(1).unwrap()).unwrap();
    assert!(PositionCommand::parse("startpos moves 9g9f").unwrap().position.is_legal(mv), "{second}");
    s.quit();
}

#[test]
fn stop_and_ponderhit_without_a_search_are_ignored() {
    let (code, out, err) =
        texts(run_with(&["usi", "--backend", "model"], "ponderhit\nstop\nposition startpos\ngo depth 1\n"));
    assert_eq!((code, replies(out.lines()).len(), err.as_str()), (0, 1, ""), "{out}");
    // A GUI that ends leaves no engine behind, also after a `ponderhit` that belongs to no pondering.
    for input in ["go infinite\nponderhit\n", "go\n", "go ponder\nponderhit\n", "go mate infinite\n"] {
        let (code, out, _) = texts(run_with(&["usi", "--backend", "model"], input));
        assert_eq!((code, replies(out.lines()).len()), (0, 1), "{input}: {out}");
    }
}

/// A line of the grammar of USI, often with a fault in it.
fn line(random: &mut Random) -> String {
    let mut pick = |words: &[&str]| words[random.below(words.len())].to_string();
    let number = |pick: &mut dyn FnMut(&[&str]) -> String| {
        pick(&["0", "1", "3", "20", "-5", "x", "", "99999999999999999999999", "1.5", "go", "\u{7f}"])
    };
    let go = |pick: &mut dyn FnMut(&[&str]) -> String| {
        let mut line = pick(&["go", "go", "go ponder", "go infinite", "go mate", "go searchmoves 7g7f 1a1b"]);
        for _ in 0..3 {
            let word = pick(&["btime", "wtime", "byoyomi", "binc", "nodes", "depth", "movetime", "mate", "fast", ""]);
            line += &format!(" {word} {}", number(pick));
        }
        line
    };
    match pick(&["go", "go", "go", "stop", "stop", "position", "option", "other"]).as_str() {
        "go" => go(&mut pick),
        "stop" => pick(&["stop", "stop", "ponderhit", "gameover lose"]),
        "position" => pick(&[
            "position startpos",
            "position startpos moves 7g7f 3c3d",
            "position sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1",
            "position startpos moves 7g7e",
            "position",
        ]),
        "option" => {
            let option = pick(&["MultiPV", "Threads", "USI_Hash", "Search", "Nothing"]);
            let value = pick(&["1", "2", "0", "alpha-beta", "softmax", "monte-carlo", "realization-probability", ""]);
            format!("setoption name {option} value {value}")
        }
        _ => pick(&["isready", "usinewgame", "usi", "", "xyzzy go", " go1", "\u{0}", "bestmove 7g7f"]),
    }
}

#[test]
fn random_lines_get_one_reply_for_each_go() {
    for seed in 0..12 {
        let mut random = Random::new(seed, 0x0975);
        let lines: Vec<String> = (0..60).map(|_| line(&mut random)).collect();
        let input = format!("usi\nsetoption name USI_Hash value 1\nisready\n{}\nstop\nquit\n", lines.join("\n"));
        let (code, out, _) = texts(run_with(&["usi", "--backend", "model"], &input));
        let go = lines.iter().filter(|l| l.split_whitespace().next() == Some("go")).count();
        let found = replies(out.lines());
        assert_eq!((code, found.len()), (0, go), "seed {seed}:\n{input}\n{out}");
        let ready = input.lines().filter(|l| *l == "isready").count();
        assert_eq!(out.lines().filter(|l| *l == "readyok").count(), ready, "seed {seed}");
        let words = ["id", "option", "usiok", "readyok", "info", "bestmove", "checkmate"];
        assert!(out.lines().all(|l| words.contains(&l.split(' ').next().unwrap())), "seed {seed}: {out}");
        assert!(!out.chars().any(|c| c.is_control() && c != '\n'), "seed {seed}: {out:?}");
    }
}
