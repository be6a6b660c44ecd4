//! USI sessions like those of a GUI.

use hayasashi_shogi::rules::{Move, Position, PositionCommand};
use hayasashi_tests::program::{run_with, texts, Session};
use std::time::{Duration, Instant};

#[test]
fn the_engine_introduces_itself() {
    let (code, out, _) = texts(run_with(&["usi", "--backend", "model"], "usi\nisready\nquit\n"));
    assert_eq!(code, 0);
    for part in ["id name Hayasashi", "id author", "option name Backend type string", "USI_Hash", "usiok", "readyok"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    for option in [
        "USI_Ponder type check default false",
        "MultiPV type spin default 1 min 1 max 600",
        "ResignValue type spin default 99999 min 0 max 99999",
        "MaxMovesToDraw type spin default 0 min 0 max 65534",
        "DrawValue type spin default 0 min -10000 max 10000",
        "USI_OwnBook type check default true",
        "BookFile type filename default <empty>",
        "BookMoves type spin default 16 min 0 max 10000",
        "EnteringKingRule type combo default CSARule27 var CSARule27 var CSARule24 var NoEnteringKing",
        "DepthLimit type spin default 0 min 0 max 2147483647",
        "SlowMover type spin default 100 min 1 max 1000",
    ] {
        assert!(out.contains(&format!("\noption name {option}\n")), "{option}: {out}");
    }
}

#[test]
fn every_line_is_of_the_protocol() {
    let input = "usi\nisready\nusinewgame\nposition startpos\ngo depth 4\n";
    let (code, out, _) = texts(run_with(&["usi", "--backend", "model"], input));
    assert_eq!(code, 0);
    let words = ["id", "option", "usiok", "readyok", "info", "bestmove"];
    assert!(out.lines().all(|l| words.contains(&l.split(' ').next().unwrap())), "{out}");
    let info = out.lines().rfind(|l| l.starts_with("info depth")).unwrap();
    for word in ["seldepth", "multipv 1 score cp", "nodes", "nps", "hashfull", "time", "pv"] {
        assert!(info.contains(&format!(" {word} ")), "{info}");
    }
    assert!(out.lines().last().unwrap().starts_with("bestmove "), "{out}");
}

#[test]
fn rubbish_is_ignored() {
    let mut s = Session::engine("model");
    for line in [
        "",
        "xyzzy",
        "position",
        "position sfen 9/9 b - 1",
        "position startpos moves 7g7e",
        "setoption name Nonsense value 3",
        "setoption name USI_Hash value -1",
        "setoption",
        "stop",
        "ponderhit",
        "\u{1F600}",
    ] {
        s.send(line);
    }
    s.send("isready");
    let seen = s.until("readyok");
    assert!(seen.iter().all(|l| l == "readyok" || l.starts_with("info string ")), "{seen:#?}");
    assert!(seen.iter().any(|l| l.contains("7g7e")), "{seen:#?}");
    s.send("position startpos");
    s.send("go depth 2");
    s.answer("bestmove");
    s.quit();
}

#[test]
fn searchmoves_limit_the_answer() {
    let mut s = Session::engine("model");
    s.send("position startpos");
    s.send("go depth 3 searchmoves 9g9f 1g1f");
    let best = s.answer("bestmove");
    assert!(best.starts_with("bestmove 9g9f") || best.starts_with("bestmove 1g1f"), "{best}");
    s.quit();
}

#[test]
fn infinite_and_ponder_hold_the_answer() {
    let mut s = Session::engine("model");
    // Mate in one is found at once, and must be kept back.
    s.send("position sfen 7k1/6P2/7G1/8L/9/9/9/9/K8 b 2r2b3g4s4n3l17p 1");
    for (go, end) in [("go infinite", "stop"), ("go ponder byoyomi 100", "ponderhit"), ("go ponder depth 1", "stop")] {
        s.send(go);
        s.answer("info depth 1 ");
        while let Some(line) = s.line(Duration::from_millis(300)) {
            assert!(line.starts_with("info"), "{go}: {line}");
        }
        s.send(end);
        assert!(s.answer("bestmove").starts_with("bestmove 1d1b"), "{go}");
    }
    s.quit();
}

/// The clock begins to run with `ponderhit`: what was thought before does not count as time used.
#[test]
fn pondering_ends_with_the_answer_of_its_clock() {
    let mut s = Session::engine("model");
    s.send("setoption name USI_Ponder value true");
    let answer = |best: &str| {
        let words: Vec<&str> = best.split(' ').collect();
        assert!(words.len() == 4 && words[2] == "ponder", "{best}");
        (words[1].to_string(), words[3].to_string())
    };
    s.send("position startpos moves 7g7f");
    s.send("go depth 5");
    let (own, expected) = answer(&s.answer("bestmove"));
    for hit in [true, false] {
        s.send(&format!("position startpos moves 7g7f {own} {expected}"));
        s.send("go ponder btime 0 wtime 0 byoyomi 300");
        s.answer("info depth 3 ");
        // Longer than the clock would allow.
        let begun = Instant::now();
        while let Some(line) = s.line(Duration::from_millis(700).saturating_sub(begun.elapsed())) {
            assert!(line.starts_with("info"), "{line}");
        }
        let ended = Instant::now();
        s.send(if hit { "ponderhit" } else { "stop" });
        answer(&s.answer("bestmove"));
        if hit {
            assert!(ended.elapsed() > Duration::from_millis(200), "{:?}", ended.elapsed());
        }
    }
    // A new search follows at once on one that was stopped.
    s.send("position startpos moves 7g7f 8c8d");
    s.send("go btime 2000 wtime 2000 binc 100 winc 100");
    s.answer("bestmove");
    s.quit();
}

#[test]
fn several_lines_are_told_in_order() {
    let mut s = Session::engine("model");
    s.send("setoption name MultiPV value 3");
    s.send("position startpos");
    s.send("go depth 4");
    let seen = s.until("bestmove");
    let field = |line: &str, name: &str| {
        let mut words = line.split(' ').skip_while(|w| *w != name);
        words.nth(if name == "score" { 2 } else { 1 }).unwrap().to_string()
    };
    let infos: Vec<&String> = seen.iter().filter(|l| l.starts_with("info depth 4 ")).collect();
    let lines: Vec<(String, i32, String)> =
        infos.iter().map(|l| (field(l, "multipv"), field(l, "score").parse().unwrap(), field(l, "pv"))).collect();
    let numbers: Vec<&str> = lines.iter().map(|l| l.0.as_str()).collect();
    // The best line is told once more at the end.
    assert_eq!(numbers, ["1", "2", "3", "1"], "{seen:#?}");
    assert!(lines[0].1 >= lines[1].1 && lines[1].1 >= lines[2].1, "{lines:?}");
    assert!(lines[0].2 != lines[1].2 && lines[1].2 != lines[2].2 && lines[0].2 != lines[2].2, "{lines:?}");
    assert!(seen.last().unwrap().starts_with(&format!("bestmove {}", lines[0].2)), "{seen:#?}");
    // More lines than moves.
    s.send("setoption name MultiPV value 600");
    s.send("position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1");
    s.send("go depth 2");
    let seen = s.until("bestmove");
    assert_eq!(seen.iter().filter(|l| l.starts_with("info depth 1 ")).count(), 5, "{seen:#?}");
    s.quit();
}

#[test]
fn a_lost_game_is_resigned_by_option() {
    let mut s = Session::engine("model");
    // White has a lone king against two rooks and four golds.
    s.send("position sfen 4k4/9/9/9/9/9/9/9/4K4 w 2R4G 1");
    for (value, resigns) in [("99999", false), ("800", true), ("31999", false)] {
        s.send(&format!("setoption name ResignValue value {value}"));
        s.send("go depth 1");
        assert_eq!(s.answer("bestmove") == "bestmove resign", resigns, "{value}");
    }
    s.send("setoption name ResignValue value 800");
    // An analysis has a move to tell, and a search that found nothing has no score.
    s.send("go infinite");
    s.answer("info depth 3");
    s.send("stop");
    assert_ne!(s.answer("bestmove"), "bestmove resign");
    s.send("go nodes 1");
    assert_ne!(s.answer("bestmove"), "bestmove resign");
    s.quit();
}

#[test]
fn commands_are_heard_during_a_search() {
    let mut s = Session::engine("model");
    s.send("position startpos");
    s.send("go infinite");
    s.send("isready");
    s.until("readyok");
    s.send("usinewgame");
    assert!(s.answer("info string").contains("a search is running"));
    s.send("stop");
    s.answer("bestmove");
    s.send("go infinite");
    s.quit();
}

#[test]
fn times_are_kept() {
    let mut s = Session::engine("model");
    s.send("position startpos");
    for (go, least, most) in [
        ("go byoyomi 400", 300, 1500),
        ("go movetime 300", 200, 1500),
        ("go btime 2000 wtime 9000 binc 0 winc 0", 0, 1500),
        ("go btime 0 wtime 0 byoyomi 300", 200, 1500),
    ] {
        let begun = Instant::now();
        s.send(go);
        s.answer("bestmove");
        let took = begun.elapsed().as_millis();
        assert!((least..most).contains(&took), "{go}: {took} ms");
    }
    s.quit();
}

#[test]
fn ends_of_the_game_are_told() {
    let mut s = Session::engine("model");
    for (sfen, answer) in [
        ("k8/1G7/1K7/9/9/9/9/9/9 w - 1", "bestmove resign"),
        ("K+R+B+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b RB 1", "bestmove win"),
    ] {
        s.send(&format!("position sfen {sfen}"));
        s.send("go depth 3");
        assert_eq!(s.answer("bestmove"), answer, "{sfen}");
    }
    s.send("setoption name EnteringKingRule value NoEnteringKing");
    s.send("go depth 1");
    assert_ne!(s.answer("bestmove"), "bestmove win");
    s.quit();
}

#[test]
fn mates_are_looked_for() {
    let mut s = Session::engine("model");
    for (sfen, answer) in [
        ("7k1/6P2/7G1/8L/9/9/9/9/9 b 2r2b3g4s4n3l17p 1", "checkmate 1d1b+"),
        ("9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1", "checkmate 1d2c 1b1a 2c2b"),
        ("4k4/9/9/9/9/9/9/9/4K4 b G 1", "checkmate nomate"),
    ] {
        s.send(&format!("position sfen {sfen}"));
        s.send("go mate 20000");
        let best = s.answer("checkmate");
        assert_eq!(best.split(' ').count(), answer.split(' ').count(), "{sfen}: {best}");
        assert_eq!(best == "checkmate nomate", answer == "checkmate nomate", "{sfen}: {best}");
    }
    s.send("position startpos");
    s.send("go mate infinite");
    s.send("stop");
    assert!(s.answer("checkmate").starts_with("checkmate "));
    s.quit();
}

#[test]
fn a_game_against_itself_is_legal() {
    let mut s = Session::engine("model");
    s.send("usinewgame");
    let mut moves = Vec::new();
    for ply in 0..120 {
        s.send(&format!("position startpos moves {}", moves.join(" ")).replace(" moves \n", "\n"));
        s.send(&format!("go nodes {}", 300 + 50 * (ply % 7)));
        let best = s.answer("bestmove");
        let word = best.split(' ').nth(1).unwrap().to_string();
        if word == "resign" || word == "win" {
            break;
        }
        let pos = position(&moves);
        let mv = Move::from_usi(&word).unwrap_or_else(|| panic!("{best}"));
        assert!(pos.is_legal(mv), "{word} in {}", pos.to_sfen());
        // The expected answer must be legal too.
        if let Some(answer) = best.split(" ponder ").nth(1) {
            let mut after = pos.clone();
            after.do_move(mv);
            assert!(after.is_legal(Move::from_usi(answer).unwrap()), "{best} in {}", pos.to_sfen());
        }
        moves.push(word);
    }
    assert!(moves.len() > 30, "{moves:?}");
    s.quit();
}

fn position(moves: &[String]) -> Position {
    PositionCommand::parse(&format!("startpos moves {}", moves.join(" "))).unwrap().position
}
