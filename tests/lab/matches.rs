//! `match`: the engine against itself with interrupted and resumed matches, and engines that misbehave.

use hayasashi_tests::program::{binary, command, run, Session};
use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::Stdio,
    time::Duration,
};

/// A folder that is removed at the end of its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("hayasashi-match-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let file = self.0.join(name);
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const OPENINGS: &str = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d # rapid\n";

fn ours() -> String {
    format!("'{}' usi --backend model", binary().display())
}

/// Arguments of a short match at fixed nodes.
fn arguments(openings: &str, results: &str, games: &str) -> Vec<String> {
    let fixed = ["match", "--quiet", "--nodes", "300", "--each-option", "USI_Hash=1", "--max-plies", "60"];
    let mut all: Vec<String> = fixed.map(String::from).into();
    all.extend(["--engine".into(), ours(), "--against-option".into(), "NullMove=false".into()]);
    all.extend(["--openings", openings, "--results", results, "--games", games].map(String::from));
    all
}

fn played(arguments: &[String]) -> (i32, String, String) {
    run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The games of a results file, sorted, because threads finish games in any order.
fn games(file: &str) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut games: Vec<String> = text.lines().skip(1).map(String::from).collect();
    games.sort();
    games
}

#[test]
fn a_match_is_repeatable_and_resumes_after_a_kill() {
    let scratch = Scratch::new("resume");
    let openings = scratch.file("openings.usi", OPENINGS);
    let whole = scratch.path("whole.jsonl");
    let (code, out, err) = played(&arguments(&openings, &whole, "4"));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("Games      4:") && out.contains("Pairs "), "{out}");
    let expected = games(&whole);
    assert_eq!(expected.len(), 4);
    // Kill the process as soon as it reports one game, then resume.
    let torn = scratch.path("torn.jsonl");
    let mut all = arguments(&openings, &torn, "4");
    all.push("--json".into());
    let list: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut child = command(&list).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("\"game\":0"));
    child.kill().unwrap();
    child.wait().unwrap();
    let before = games(&torn);
    assert!(!before.is_empty() && before.len() < 4, "{before:?}");
    // Append an incomplete line.
    let mut text = std::fs::read_to_string(&torn).unwrap();
    text.push_str("{\"game\":3,\"ope");
    std::fs::write(&torn, text).unwrap();
    let (code, out, err) = played(&all);
    assert_eq!(code, 0, "{out}{err}");
    assert_eq!(games(&torn), expected, "the games are those of the uninterrupted match");
    // A complete match plays nothing more, and another match is refused.
    let (code, out, _) = played(&all);
    assert!(code == 0 && out.lines().count() == 1 && out.contains("\"games\":4"), "{out}");
    let (code, _, err) = played(&[all, vec!["--seed".into(), "3".into()]].concat());
    assert!(code == 2 && err.contains("seed: `0` in the file, `3` requested"), "{err}");
}

/// A chip's steps against a core's nodes on the same virtual clock.
#[test]
fn virtual_time_gives_the_same_games_in_every_run() {
    let scratch = Scratch::new("virtual");
    let openings = scratch.file("openings.usi", OPENINGS);
    let arguments = |results: &str, more: &[&str]| {
        let fixed = [
            "match",
            "--quiet",
            "--ms",
            "1",
            "--virtual",
            "--games",
            "2",
            "--max-plies",
            "40",
            "--option",
            "Search=chip",
        ];
        let hardware = ["--chip-mhz", "60", "--chip-step-clocks", "20"];
        let mut all: Vec<String> = [&fixed[..], &hardware[..], more].concat().into_iter().map(String::from).collect();
        all.extend(["--engine".into(), ours(), "--each-option".into(), "USI_Hash=1".into()]);
        all.extend(["--openings", &openings, "--results", results].map(String::from));
        all
    };
    let given = ["--node-ns", "2500", "--each-option", "RootMate=false", "--chip-link-us", "900"];
    let (one, other) = (scratch.path("one.jsonl"), scratch.path("other.jsonl"));
    let (code, out, err) = played(&arguments(&one, &given));
    assert_eq!(code, 0, "{out}{err}");
    // The model of time stands in the result and in the file.
    let chip = "1 virtual ms, chip at 60.000 MHz, 20 clocks a step, link of 900 us a move";
    let core = "1 virtual ms, core at 2500.000 ns a node";
    let heading = std::fs::read_to_string(&one).unwrap().lines().next().unwrap().to_string();
    for text in [chip, core] {
        assert!(out.contains(text) && heading.contains(text), "{out}{heading}");
    }
    assert_eq!(played(&arguments(&other, &given)).0, 0);
    assert!(games(&one) == games(&other) && games(&one).len() == 2);
    // The time of a node comes from the file if it is not given, and must not be another one.
    let (code, _, err) = played(&arguments(&one, &[&given[2..]].concat()));
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, _, err) = played(&arguments(&one, &[&["--node-ns", "9"][..], &given[2..]].concat()));
    assert!(code == 2 && err.contains("2500.000 ns a node") && err.contains("hint"), "{err}");
    let (code, _, err) =
        played(&arguments(&scratch.path("slow.jsonl"), &[&given[..4], &["--chip-link-us", "1000"]].concat()));
    assert!(code == 2 && err.contains("leaves no time"), "{err}");
    // A board without a walker has no clocks a step of its own.
    let mut none = arguments(&scratch.path("none.jsonl"), &[&given[..], &["--chip-board", "ulx3s-85f"]].concat());
    none.retain(|argument| argument != "--chip-step-clocks" && argument != "20");
    let (code, _, err) = played(&none);
    assert!(code == 2 && err.contains("`ulx3s-85f`") && err.contains("no walker"), "{err}");
    // What virtual time cannot count is refused.
    let (code, _, err) = played(&arguments(&scratch.path("mate.jsonl"), &["--node-ns", "2500"]));
    assert!(code == 2 && err.contains("--each-option RootMate=false"), "{err}");
    for (bad, part) in [
        (["--node-ns", "0"], "0.001"),
        (["--chip-link-us", "10000001"], "0..=10000000"),
        (["--against-node-ns", "x"], "0.001"),
    ] {
        let (code, _, err) = played(&arguments(&scratch.path("bad.jsonl"), &bad));
        assert!(code == 2 && err.contains(part), "{bad:?}: {err}");
    }
}

#[test]
fn an_interrupted_match_keeps_its_games() {
    let scratch = Scratch::new("interrupt");
    let openings = scratch.file("openings.usi", OPENINGS);
    let results = scratch.path("results.jsonl");
    let mut all = arguments(&openings, &results, "1000");
    all.push("--json".into());
    let list: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut child = command(&list).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), nix::sys::signal::Signal::SIGINT).unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let last = rest.last().unwrap();
    let kept = games(&results);
    assert!(last.contains("\"interrupted\":true") && last.contains(&format!("\"games\":{}", kept.len())), "{last}");
    assert!(kept.iter().all(|game| !game.contains("engine ended")), "{kept:?}");
}

#[test]
fn engines_that_misbehave_lose() {
    let scratch = Scratch::new("rogues");
    let rogue = |name: &str, answer: &str| {
        let body = format!(
            "while read -r word rest; do case \"$word\" in usi) echo usiok;; isready) echo readyok;; go) {answer};; quit) exit;; esac; done"
        );
        format!("sh '{}'", scratch.file(name, &body))
    };
    for (name, answer, ending) in [
        ("illegal", "echo bestmove 5i5d", "illegal move `5i5d`"),
        ("rubbish", "echo bestmove", "illegal move ``"),
        ("ends", "exit", "engine ended"),
        ("declares", "echo bestmove win", "wrong declaration"),
        ("resigns", "echo bestmove resign", "resignation"),
        ("sleeps", "exec sleep 60", "engine silent"),
    ] {
        let results = scratch.path(&format!("{name}.jsonl"));
        let engine = rogue(name, answer);
        let ours = ours();
        let limit = if name == "sleeps" { ["--ms", "100"] } else { ["--nodes", "50"] };
        let fixed = ["match", "--quiet", "--games", "2", "--grace-ms", "2500", "--each-option", "USI_Hash=1"];
        let list = [&fixed[..], &limit, &["--engine", &engine, "--against", &ours, "--results", &results]].concat();
        let (code, out, err) = run(&list);
        assert!(code == 0 && out.contains("+0 -2 =0"), "{name}: {out}{err}");
        let games = games(&results);
        assert!(games.iter().all(|game| game.contains(&format!("\"ending\":\"{ending}\""))), "{name}: {games:?}");
    }
}

/// An engine that cannot use its table says so and plays on. The match shows what the engines say at their start, each text once.
#[test]
fn what_engines_say_at_their_start_is_shown() {
    let scratch = Scratch::new("notes");
    let table = format!("EvalTable={}", scratch.file("broken.hyet", "no table"));
    let openings = scratch.file("openings", OPENINGS);
    let said = |list: &[String], more: &[&str]| {
        let more = more.iter().map(ToString::to_string);
        let (code, _, err) = played(&list.iter().cloned().chain(more).collect::<Vec<_>>());
        assert_eq!(code, 0, "{err}");
        ["engine", "against"].map(|name| err.matches(&format!("{name}: `{}`: 8 bytes", &table[10..])).count())
    };
    let loud = |list: Vec<String>| -> Vec<String> { list.into_iter().filter(|word| word != "--quiet").collect() };
    let two = |results: &str| arguments(&openings, &scratch.path(results), "4");
    let one_refuses = ["--concurrency", "2", "--against-option", &table];
    assert_eq!(said(&loud(two("match")), &one_refuses), [0, 1]);
    assert_eq!(said(&two("quiet"), &one_refuses), [0, 0]);
    assert_eq!(said(&loud(tuning(&scratch, &scratch.path("tune"), "2")), &["--each-option", &table]), [1, 1]);
}

/// A tuning of two constants at few nodes.
fn tuning(scratch: &Scratch, results: &str, games: &str) -> Vec<String> {
    let file = scratch
        .file("constants.txt", "# two of them\nRazoringBase 200 0 800 80\nReductionPv -1024 -3072 1024 400 # plies\n");
    let openings = scratch.file("openings.usi", OPENINGS);
    let fixed =
        ["match", "--quiet", "--nodes", "200", "--each-option", "USI_Hash=1", "--max-plies", "60", "--seed", "5"];
    let more = ["--openings", &openings, "--tune", &file, "--games", games, "--results", results];
    fixed.iter().chain(&more).map(ToString::to_string).collect()
}

#[test]
fn a_tuning_resumes_after_a_kill_with_the_same_values() {
    let scratch = Scratch::new("tune");
    let (whole, torn) = (scratch.path("whole.jsonl"), scratch.path("torn.jsonl"));
    let (code, out, err) = played(&tuning(&scratch, &whole, "12"));
    assert!(code == 0 && out.contains("after 6 of 6 pairs") && out.contains("ReductionPv "), "{out}{err}");
    let lines: Vec<String> = std::fs::read_to_string(&whole).unwrap().lines().map(String::from).collect();
    assert_eq!(lines.len(), 7);
    // What a kill in the middle of the fourth pair's line leaves.
    let cut = &lines[4][..lines[4].len() / 2];
    std::fs::write(&torn, format!("{}\n{cut}", lines[..4].join("\n"))).unwrap();
    let (code, again, err) = played(&tuning(&scratch, &torn, "12"));
    assert!(code == 0 && again == out, "{again}{err}");
    assert_eq!(std::fs::read_to_string(&torn).unwrap().lines().collect::<Vec<_>>(), lines);
    // Another length of the tuning would have other moves; a match has other records.
    let (code, _, err) = played(&tuning(&scratch, &whole, "14"));
    assert!(code == 2 && err.contains("pairs: `6` in the file, `7` requested"), "{err}");
    // Its output is a file for the next tuning.
    let next = scratch.file("next.txt", &out);
    let results = scratch.path("next.jsonl");
    let (code, out, err) = run(&[
        "match",
        "--quiet",
        "--tune",
        &next,
        "--nodes",
        "50",
        "--max-plies",
        "40",
        "--games",
        "2",
        "--results",
        &results,
    ]);
    assert!(code == 0 && out.contains("after 1 of 1 pairs"), "{out}{err}");
    for (text, told) in [
        ("Luck 1 0 2 1", "constants.txt:1: `Luck` is no parameter of the search"),
        ("# none", "has no parameters"),
        ("RazoringBase 900 0 900 1", "does not lie in the engine's range of 0 to 800"),
        ("RazoringBase 1 0 9 1\nRazoringBase 1 0 9 1", "constants.txt:2: `RazoringBase` is there twice"),
    ] {
        let file = scratch.file("constants.txt", text);
        let (code, _, err) = run(&["match", "--quiet", "--tune", &file, "--results", &scratch.path("refused.jsonl")]);
        assert!(code == 2 && err.contains(told), "{told}: {err}");
    }
}

#[test]
fn invalid_matches_are_refused() {
    let scratch = Scratch::new("refused");
    let bad = scratch.file("bad.usi", "startpos\nstartpos moves 7g7e\n");
    let results = scratch.path("results.jsonl");
    for (more, told) in [
        (vec!["--openings", bad.as_str()], "bad.usi:2: move 1 `7g7e` is illegal"),
        (vec!["--engine", "/no/such/engine"], "cannot start the engine `/no/such/engine`"),
        (vec!["--engine", "true"], "does not answer `usi`"),
        (vec!["--option", "NullMove"], "`NullMove` is not an option"),
        (
            vec!["--option", "EvalTable=none.hyet"],
            "cannot read `none.hyet`, the file of the engine's option `EvalTable`",
        ),
        (vec!["--sprt", "5,0"], "the smaller first"),
    ] {
        let list = [&["match", "--quiet", "--nodes", "10", "--results", &results], &more[..]].concat();
        let (code, out, err) = run(&list);
        assert!(code == 2 && err.contains(told), "{told}: {out}{err}");
    }
}

#[test]
fn records_are_written_as_csa() {
    let scratch = Scratch::new("csa");
    let openings = scratch.file("openings.usi", OPENINGS);
    let mut all = arguments(&openings, &scratch.path("results.jsonl"), "2");
    all.extend(["--csa".into(), scratch.path("csa")]);
    assert_eq!(played(&all).0, 0);
    for game in ["game-00000.csa", "game-00001.csa"] {
        let text = std::fs::read_to_string(scratch.0.join("csa").join(game)).unwrap();
        assert!(text.contains("+7776FU\n-3334FU\n") && text.contains("\n%"), "{text}");
    }
}

#[test]
fn the_node_count_of_bench_is_a_checksum() {
    let nodes = |more: &[&str]| {
        let (code, out, err) =
            run(&[&["bench", "--backend", "model", "--depth", "5", "--hash-mib", "4"], more].concat());
        assert_eq!(code, 0, "{err}");
        let last: Vec<String> = out.lines().last().unwrap().split(' ').map(String::from).collect();
        assert!(last[1] == "nodes" && last[3] == "nps" && last[2].parse::<u64>().is_ok(), "{last:?}");
        last[0].parse::<u64>().unwrap()
    };
    let all = nodes(&[]);
    assert_eq!(nodes(&[]), all);
    assert_ne!(nodes(&["--without", "LateMoveReductions"]), all);
    let (code, _, err) = run(&["bench", "--without", "Luck"]);
    assert!(code == 2 && err.contains("NullMove"), "{err}");
}

#[test]
fn several_threads_reply_and_stop() {
    let mut s = Session::engine("model");
    s.send("setoption name Threads value 3");
    for go in ["go nodes 20000", "go movetime 100"] {
        s.send("position startpos moves 7g7f 3c3d");
        s.send(go);
        assert!(s.answer("bestmove").len() >= "bestmove 2g2f".len());
    }
    s.send("go infinite");
    s.line(Duration::from_secs(900)).unwrap();
    s.send("stop");
    s.answer("bestmove");
    s.quit();
}

#[test]
fn bench_reports_the_ratio_to_another_program() {
    let bench =
        |against: &str| run(&["bench", "--quiet", "--json", "--backend", "model", "--ms", "20", "--against", against]);
    let (code, out, err) = bench(&format!("'{}' --backend model usi", binary().display()));
    let lines: Vec<serde_json::Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(code == 0 && lines.len() == 11, "{out} {err}");
    let last = &lines[10];
    let [own, others, ratio] = ["nodes_per_second", "against", "ratio"].map(|key| last[key].as_f64().unwrap());
    assert!(own > 0.0 && others > 0.0 && (ratio - own / others).abs() < 1e-6, "{last}");
    let (code, _, err) = bench("/nonexistent/engine");
    assert!(code == 2 && err.contains("/nonexistent/engine"), "{err}");
}
