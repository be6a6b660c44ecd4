//! The commands as a person or a script runs them.

use hayasashi_accel::search::SearchVerifier;
use hayasashi_accel::verify::compare;
use hayasashi_accel::{CoProcessor, ModelBackend};
use hayasashi_model::{
    evaluate::{default_table, first_table},
    Model,
};
use hayasashi_shogi::rules::{MoveList, Position};
use hayasashi_spec::{opcode::Opcode, search::SearchHead};
use hayasashi_tests::program::{command, run, run_with, texts};
use nix::{
    sys::signal::{kill, Signal},
    unistd::Pid,
};
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read},
    process::{Child, Stdio},
    sync::Arc,
    time::Duration,
};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn moves_count_and_eval_of_one_position() {
    let mut list = MoveList::new();
    Position::startpos().legal_moves(&mut list);
    let mut moves: Vec<String> = list.iter().map(|m| m.to_usi()).collect();
    moves.sort();
    for backend in ["model", "model-stream", "rules"] {
        assert_eq!(run(&["moves", "--backend", backend]).1.trim(), moves.join(" "), "{backend}");
        assert_eq!(run(&["count", "--backend", backend]).1.trim(), "30", "{backend}");
        let (code, eval, _) = run(&["eval", "--backend", backend, "--json", "--moves", "7g7f", "3c3d"]);
        assert_eq!(code, 0);
        let eval = json(&eval);
        assert!(eval["centipawns"].is_i64() && eval["backend"] == backend, "{eval}");
    }
    let mated = "k8/1G7/1K7/9/9/9/9/9/9 w - 1";
    assert_eq!(run(&["moves", "--backend", "model", "--sfen", mated]).1, "-\n");
}

#[test]
fn positions_of_a_file_are_answered_line_by_line() {
    let file = "# two positions\n\nstartpos\nsfen 4k4/9/9/9/9/9/9/9/4K4 b P 1 # with a pawn\n";
    let (code, out, _) = texts(run_with(&["count", "--backend", "model", "--positions", "-"], file));
    assert_eq!((code, out.as_str()), (0, "30\n76\n"));
    let (code, out, err) =
        texts(run_with(&["moves", "--backend", "model", "--positions", "-"], "startpos\n9/9 b - 1\n"));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("standard input:2") && err.contains("9/9"), "{err}");
    let (code, _, err) = run(&["moves", "--positions", "/no/such/file"]);
    assert!(code == 2 && err.contains("/no/such/file"), "{err}");
}

#[test]
fn perft_counts_divides_and_compares() {
    for backend in ["model", "model-stream", "rules"] {
        let (code, out, _) = run(&["perft", "3", "--backend", backend]);
        assert_eq!((code, out.lines().last()), (0, Some("nodes: 25470")), "{backend}");
    }
    let (_, out, _) = run(&["perft", "2", "--divide", "--backend", "model"]);
    assert_eq!(out.lines().count(), 31);
    assert!(out.starts_with("1g1f: 30\n") && out.ends_with("nodes: 900\n"), "{out}");
    assert_eq!(run(&["perft", "0", "--backend", "model"]).1, "nodes: 1\n");
    assert_eq!(run(&["perft", "1", "--backend", "model"]).1, "nodes: 30\n");
    let (code, out, _) = run(&["perft", "3", "--backend", "model", "--against", "rules"]);
    assert_eq!((code, out.as_str()), (0, "nodes: 25470, differences: 0\n"));
}

#[test]
fn the_chip_walks_by_itself() {
    for backend in ["model", "model-stream"] {
        let (code, out, _) = run(&["perft", "4", "--on-chip", "--backend", backend]);
        assert_eq!((code, out.as_str()), (0, "nodes: 719731, expansions: 25470\n"), "{backend}");
    }
    let (code, out, _) = run(&["perft", "2", "--on-chip", "--backend", "rtl"]);
    assert!(code == 0 && out.starts_with("nodes: 900, expansions: 30, clocks: "), "{out}");
    let (code, out, _) = run(&["perft", "2", "--on-chip", "--json", "--backend", "rtl"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    let number = |key: &str| told[key].as_u64().unwrap_or_else(|| panic!("{key}: {out}"));
    assert_eq!((code, number("nodes"), number("expansions"), number("depth")), (0, 900, 30, 2));
    assert!((30..200).contains(&number("clocks")) && told["interrupted"] == false, "{out}");
    for (arguments, part) in [
        (&["perft", "9", "--on-chip", "--backend", "model"][..], "1 to 8 plies, not 9"),
        (&["perft", "0", "--on-chip", "--backend", "model"], "1 to 8 plies, not 0"),
        (&["perft", "2", "--on-chip", "--backend", "rules"], "cannot run perft by itself"),
        (&["perft", "2", "--on-chip", "--divide", "--backend", "model"], "--divide"),
    ] {
        let (code, out, err) = run(arguments);
        assert!(code == 2 && err.contains(part) && out.is_empty(), "{arguments:?}: {code} {err}");
    }
}

#[test]
fn back_ends_are_verified_against_each_other() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/mate/game_mates.sfen");
    for against in ["rules", "model-stream", "rules,model-stream"] {
        let (code, out, err) = run(&["verify", "--backend", "model", "--against", against, "--positions", file]);
        assert_eq!((code, out.lines().last()), (0, Some("positions: 40, differences: 0")), "{out} {err}");
    }
}

const SAMPLED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/rules/sampled_positions.sfen");

/// The first lines of the sampled positions.
fn sampled(count: usize) -> String {
    let text = std::fs::read_to_string(SAMPLED).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).take(count).collect();
    lines.join("\n") + "\n"
}

#[test]
fn searches_are_verified_against_each_other() {
    let positions = sampled(5);
    let fixed = ["verify", "--backend", "model", "--positions", "-", "--search", "5"];
    for limit in [&[][..], &["--nodes", "700"]] {
        let verify = [&fixed[..], &["--against", "model-stream,model"], limit].concat();
        let (code, out, err) = texts(run_with(&verify, &positions));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!((code, lines[0]), (0, "positions: 5, differences: 0"), "{out} {err}");
        // The model has no clock. The steps are those that `search` tells.
        let search =
            [&["search", "--backend", "model", "--depth", "5", "--json", "--positions", "-"][..], limit].concat();
        let (_, told, _) = texts(run_with(&search, &positions));
        let sums = json(told.lines().last().unwrap());
        let each = sums["steps"].as_f64().unwrap() / sums["nodes"].as_f64().unwrap();
        let expected = ["model", "model-stream", "model"]
            .map(|name| format!("steps per node: {each:.3} in {} nodes ({name})", sums["nodes"]));
        assert_eq!(lines[1..], expected, "{told}");
    }
    let (_, out, _) = texts(run_with(&[&fixed[..], &["--against", "model", "--json"]].concat(), &positions));
    let last = json(out.lines().last().unwrap());
    assert_eq!(
        (&last["differences"], &last["searches"][1]["clocks"], &last["complete"]),
        (&0.into(), &0.into(), &true.into())
    );
    let (code, _, err) = texts(run_with(&fixed, &positions));
    assert!(code == 2 && err.contains("`rules` cannot search") && err.contains("--against model"), "{err}");
    for (bad, part) in [(["--search", "33"], "1..=32"), (["--nodes", "5"], "--search")] {
        let (code, _, err) = run(&[&["verify"][..], &bad].concat());
        assert!(code == 2 && err.contains(part), "{err}");
    }
}

/// Other tables give other searches.
#[test]
fn a_difference_of_searches_is_found() {
    let one = ModelBackend::with_model(Model::with_evaluation(Arc::new(first_table())));
    let other = ModelBackend::with_model(Model::with_evaluation(Arc::new(default_table())));
    let head = SearchHead { depth: 3, ..SearchHead::default() };
    let differences = |chips: &[&dyn CoProcessor]| {
        let mut verifier = SearchVerifier::new(chips, head).unwrap();
        let found = verifier.compare(&[Position::startpos()], &|| true).unwrap().unwrap();
        assert!(verifier.sums().iter().all(|sums| sums.nodes > 0 && sums.steps >= sums.nodes));
        found
    };
    assert!(differences(&[&one, &one]).is_empty());
    let found = differences(&[&one, &one, &other]);
    let text = found[0].to_string();
    assert!(
        found.len() == 1 && text.starts_with("SEARCH differs\n  sfen  lnsgkgsnl/") && text.contains("first difference"),
        "{text}"
    );
    assert_eq!(found[0].to_json()["request"], "SEARCH");
    let mut verifier = SearchVerifier::new(&[&one, &other], head).unwrap();
    assert!(verifier.compare(&[Position::startpos()], &|| false).unwrap().is_none());
}

#[test]
fn many_positions_are_analysed_by_the_chip() {
    let folder = tempfile::tempdir().unwrap();
    let [positions, journal] = ["positions", "journal"].map(|name| folder.path().join(name));
    std::fs::write(&positions, sampled(12) + "startpos moves 7g7f 3c3d\n").unwrap();
    let [positions, results] = [&positions, &journal].map(|file| file.to_str().unwrap());
    let fixed = ["analyze", "--search", "chip", "--backend", "model", "--depth", "4", "--json"];
    let all = [&fixed[..], &["--positions", positions]].concat();
    let (code, whole, err) = run(&all);
    assert_eq!((code, whole.lines().count()), (0, 14), "{err}");
    // Each line is what `search` finds, in the order of the file.
    let (_, alone, _) = run(&["search", "--backend", "model", "--depth", "4", "--json", "--positions", positions]);
    for (line, alone) in whole.lines().zip(alone.lines()) {
        let [line, alone] = [line, alone].map(json);
        for field in ["sfen", "best", "pv", "score", "depth", "nodes", "steps"] {
            assert_eq!(line[field], alone[field], "{field}");
        }
    }
    // A journal that was cut anywhere gives the same bytes.
    let resumed = [&all[..], &["--results", results]].concat();
    assert_eq!(run(&resumed).1, whole);
    let text = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(text.lines().count(), 14);
    let after_fourth = text.match_indices('\n').nth(3).unwrap().0;
    for length in [after_fourth + 1, after_fourth + 30, text.len()] {
        std::fs::write(&journal, &text[..length]).unwrap();
        assert_eq!(run(&resumed).1, whole, "{length} bytes");
    }
    let other = ["--depth", "3", "--positions", positions, "--results", results];
    let (code, _, err) = run(&[&fixed[..5], &other].concat());
    assert!(code == 2 && err.contains("depth 4") && err.contains("hint"), "{err}");
    let one = run(&["analyze", "--search", "chip", "--backend", "model", "--depth", "3", "--moves", "7g7f"]).1;
    assert!(one.lines().count() == 1 && one.contains("depth 3"), "{one}");
    for (bad, part) in [
        (&["--search", "chip", "--time-ms", "5"][..], "--time-ms 5"),
        (&["--search", "chip", "--depth", "40"], "`--depth 40`"),
        (&["--search", "chip", "--backend", "rules"], "cannot search"),
        (&["--results", "x.jsonl"], "--search chip"),
        (&["--positions", positions], "--search chip"),
    ] {
        let (code, out, err) = run(&[&["analyze"][..], bad].concat());
        assert!(code == 2 && out.is_empty() && err.contains(part), "{bad:?}: {err}");
    }
}

#[test]
fn a_difference_of_any_back_end_is_found() {
    let model = || ModelBackend::with_model(Model::with_evaluation(Arc::new(first_table())));
    let (one, other, without_table) = (model(), model(), ModelBackend::new());
    let position = [Position::startpos()];
    let differences = |opcode| {
        let chips: [&[&dyn CoProcessor]; 3] =
            [&[&one, &other], &[&one, &other, &without_table], &[&one, &without_table, &other]];
        chips.map(|chips| compare(chips, opcode, &position).unwrap().len())
    };
    assert_eq!(differences(Opcode::Evaluate), [0, 1, 1]);
    assert_eq!(differences(Opcode::Generate), [0, 0, 0]);
}

#[test]
fn waveforms_need_rusthdl_s_simulation() {
    for engine in ["model", "verilog"] {
        let (code, _, err) = run(&["chip", "--engine", engine, "--pty", "--waves", "/nonexistent/waves.vcd"]);
        assert!(code == 2 && err.contains("hint: add --engine rtl"), "{err}");
    }
}

#[test]
fn a_sound_chip_passes_the_self_test() {
    for backend in ["model", "model-stream"] {
        let (code, out, err) = run(&["selftest", "--backend", backend]);
        assert!(code == 0 && out.ends_with("tests: 11, failed: 0\n"), "{out} {err}");
    }
    // The rules know no faults of tables, so that the test must notice.
    assert_eq!(run(&["selftest", "--backend", "rules"]).0, 1);
}

#[test]
fn registers_are_shown_by_name() {
    let (_, out, _) = run(&["info", "--backend", "model-stream", "--json"]);
    assert_eq!(json(&out)["registers"]["MAGIC"], hayasashi_spec::MAGIC);
    assert!(run(&["info", "--backend", "model"]).1.contains("PROTOCOL"));
}

#[test]
fn an_analysis_is_shown() {
    let (code, out, _) = run(&["--backend", "model", "--depth", "3", "--quiet"]);
    assert_eq!(code, 0);
    for part in ["|v香v桂v銀v金v玉v金v銀v桂v香|一", "Moves      30 legal", "Best       ", "Score      ", "nodes/s"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    let a = json(&run(&["analyze", "--backend", "model", "--nodes", "2000", "--json"]).1);
    let b = json(&run(&["analyze", "--backend", "model-stream", "--nodes", "2000", "--json"]).1);
    for field in ["best", "pv", "score", "nodes", "depth"] {
        assert_eq!(a[field], b[field], "{field}");
    }
    let mate = "7k1/6P2/7G1/8L/9/9/9/9/9 b 2r2b3g4s4n3l17p 1";
    let mate = json(&run(&["analyze", "--backend", "model", "--sfen", mate, "--json"]).1);
    assert_eq!((&mate["score"]["mate_plies"], mate["interrupted"] == false), (&Value::from(1), true), "{mate}");
}

#[test]
fn bad_arguments_are_named() {
    for (arguments, part) in [
        (&["moves", "--backend", "fpga"][..], "`fpga`"),
        (&["moves", "--backend", "model", "--sfen", "hello"], "hello"),
        (&["moves", "--backend", "model", "--moves", "7g7e"], "7g7e"),
        (&["perft", "x"], "'x'"),
        (&["dance"], "dance"),
        (&["--nodes", "0"], "--nodes"),
        (&["chip"], "--pty"),
        (&["perft", "2", "--against", "fpga", "--backend", "model"], "fpga"),
        (&["info", "--backend", "tcp:127.0.0.1:1"], "127.0.0.1:1"),
    ] {
        let (code, out, err) = run(arguments);
        assert!(code == 2 && err.contains(part) && out.is_empty(), "{arguments:?}: {code} {err}");
        assert!(!err.contains("panicked"), "{err}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = command(&["perft", "3", "--divide", "--backend", "model"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert!(child.wait().unwrap().success() && err.is_empty(), "{err}");
}

#[test]
fn ctrl_c_ends_with_the_partial_result() {
    let child = command(&["perft", "12", "--backend", "model"]).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(700));
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(out.lines().last().unwrap().starts_with("nodes: "), "{out}");
}

/// A virtual board that ends with the test.
struct Chip(Child);

impl Chip {
    /// Starts it; gives what to name as its back end.
    fn start(arguments: &[&str]) -> (Chip, String) {
        let arguments = [&["chip", "--json"], arguments].concat();
        let mut child = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let backend = json(&line)["backend"].as_str().unwrap().to_string();
        (Chip(child), backend)
    }
}

impl Drop for Chip {
    fn drop(&mut self) {
        let _ = kill(Pid::from_raw(self.0.id() as i32), Signal::SIGINT);
        let _ = self.0.wait();
    }
}

#[test]
fn a_virtual_board_answers_on_tcp_and_on_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("board");
    let (_tcp, tcp) = Chip::start(&["--tcp", "127.0.0.1:0"]);
    let (_pty, pty) = Chip::start(&["--pty", link.to_str().unwrap()]);
    assert_eq!(pty, format!("serial:{}", link.display()));
    for backend in [tcp, pty] {
        let (code, out, err) = run(&["perft", "3", "--backend", &backend]);
        assert_eq!((code, out.lines().last()), (0, Some("nodes: 25470")), "{backend}: {err}");
        let (code, out, err) = run(&["selftest", "--backend", &backend]);
        assert_eq!(code, 0, "{backend}: {out} {err}");
    }
}

#[test]
fn a_mate_is_told_with_its_line() {
    let sfen = "9/8k/9/7RG/9/9/9/9/9 b r2b3g4s4n4l18p 1";
    let (code, out, _) = run(&["mate", "--sfen", sfen, "--nodes", "100000", "--json"]);
    let told = json(&out);
    assert_eq!(
        (code, &told["outcome"], &told["plies"], &told["shortest"]),
        (0, &"mate".into(), &3.into(), &true.into())
    );
    assert_eq!(told["line"].as_array().unwrap().len(), 3, "{told}");
    // Moves on the command line are made.
    let (_, out, _) = run(&["mate", "--sfen", sfen, "--moves", "1d2c", "1b1a", "--json"]);
    assert_eq!(json(&out)["plies"], 1, "{out}");
    let (code, out, _) = run(&["mate", "--sfen", "4k4/9/9/9/9/9/9/9/4K4 b G 1"]);
    assert!(code == 0 && out.starts_with("no mate ("), "{out}");
    assert_eq!(run(&["mate", "--sfen", "9/9 b - 1"]).0, 2);
}

#[test]
fn brinkmates_are_found_and_totalled() {
    let sfen = "6k2/1+Rs1g4/l1pp1+Nr2/pp2p1ppp/2s3l2/S2P2P1B/PGG1PP3/L2G4L/1NB1K1SP1 b 2NP3p 83";
    let (code, out, _) = run(&["mate", "--brinkmate", "--sfen", sfen, "--nodes", "100000"]);
    assert!(code == 0 && out.starts_with("brinkmate in 5 or less: 4c3c "), "{out}");
    let file = format!("sfen {sfen}\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n");
    let arguments = ["mate", "--brinkmate", "--positions", "-", "--nodes", "5000", "--json"];
    let (code, out, _) = texts(run_with(&arguments, &file));
    let lines: Vec<Value> = out.lines().map(json).collect();
    assert_eq!((code, lines.len()), (0, 3), "{out}");
    assert_eq!((&lines[0]["outcome"], &lines[0]["plies"]), (&"brinkmate".into(), &5.into()), "{out}");
    assert_eq!((&lines[1]["outcome"], &lines[1]["solved"]), (&"unsolved".into(), &false.into()), "{out}");
    assert_eq!((&lines[2]["mates"], &lines[2]["unsolved"]), (&1.into(), &1.into()), "{out}");
    assert_eq!(run(&["mate", "--brinkmate", "--engine", "--sfen", sfen]).0, 2);
}

/// Also the engine's own search is asked, and what it announces is judged: its first move, then an answer to every defence.
#[test]
fn the_engine_announces_mates() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/mate/game_mates.sfen");
    let text = std::fs::read_to_string(file).unwrap();
    let short: Vec<&str> = text.lines().filter(|l| l.contains(" moves ")).filter(|l| l.len() < 150).take(4).collect();
    let ask = |more: &[&str]| {
        let arguments = ["mate", "--engine", "--backend", "model", "--positions", "-", "--nodes", "200000", "--json"];
        texts(run_with(&[&arguments[..], more].concat(), &short.join("\n")))
    };
    for more in [&[][..], &["--without", "RootMate"]] {
        let (code, out, _) = ask(more);
        let lines: Vec<Value> = out.lines().map(json).collect();
        assert_eq!((code, lines.len(), &lines[4]["solved"]), (0, 5, &4.into()), "{out}");
        for line in &lines[..4] {
            assert!(line["outcome"] == "mate" && line["answers"].as_u64() > Some(0), "{line}");
        }
    }
    assert_eq!(ask(&["--without", "Nonsense"]).0, 2);
    // Neither a check nor a mate: announced by nobody.
    let quiet = ["mate", "--engine", "--backend", "model", "--sfen", "startpos", "--nodes", "2000"];
    assert!(run(&quiet).1.starts_with("unsolved"));
}

#[test]
fn problems_of_a_file_are_solved_past_bad_lines() {
    let file = "# problems\n\
        sfen 9/7Sk/1+R7/9/9/9/9/9/9 b r2b4g3s4n4l18p 1 moves 8c1c\n\
        sfen 9/9 b - 1\n\
        sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1\n\
        rubbish\n\
        sfen 6G2/8L/8P/6GRP/6G1k/9/9/5S3/9 b r2bg3s4n3l16p 1 moves 3e2e 1e1f 2e2f 1f1g 2f2g 1g1h 2g2h 1h1i 2h2i\n\
        sfen 4k4/9/9/9/9/9/9/9/4K4 b 2R2B2GS 1\n";
    let arguments = ["mate", "--positions", "-", "--nodes", "400", "--json"];
    let (code, out, err) = texts(run_with(&arguments, file));
    let lines: Vec<Value> = out.lines().map(json).collect();
    assert_eq!((code, lines.len()), (2, 7), "{out}");
    let of = |field: &str| lines[..6].iter().map(|l| l[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("number"), [2, 3, 4, 5, 6, 7]);
    assert_eq!(of("solved")[..3], [Value::from(true), Value::Null, Value::from(true)]);
    // Doubled pawns are accepted in problems.
    assert_eq!(
        (&lines[4]["solved"], &lines[4]["plies"], &lines[4]["given_plies"]),
        (&true.into(), &9.into(), &9.into())
    );
    assert!(err.contains("standard input:3:") && err.contains("standard input:5:"), "{err}");
    let last = &lines[6];
    let total = |name: &str| last[name].as_u64().unwrap();
    assert_eq!((total("positions"), total("bad_lines"), total("nomates")), (4, 2, 1), "{last}");
    assert_eq!(total("solved") + total("unsolved"), 4);
    assert_eq!(total("unsolved"), of("outcome").iter().filter(|o| **o == "unsolved").count() as u64);
}

#[test]
fn trees_of_small_games_are_shown_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("tree.svg");
    let (code, out, err) = run(&["tree", "nim", "--depth", "9", "--svg", svg.to_str().unwrap()]);
    // The middle sticks first: the two others fall one by one.
    assert!(code == 0 && out.ends_with("value +1, by 4>1+1 1>0 1>0 (3 plies), 22 nodes\n"), "{out} {err}");
    assert!(out.contains("✂") && out.lines().count() == 23, "{out}");
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("4&gt;1+1"), "{picture}");
    let (code, out, _) = run(&["tree", "shogi", "--depth", "1", "--json", "--search", "minimax"]);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, told["nodes"].as_u64(), told["depth"].as_u64()), (0, Some(31), Some(1)));
    for (arguments, part) in [
        (&["tree", "backgammon", "--search", "alpha-beta"][..], "expectiminimax"),
        (&["tree", "nim", "--position", "x"], "`x` is not a position of split nim"),
        (&["tree", "nim", "--sfen", "startpos"], "--position"),
        (&["tree", "chess"], "chess"),
    ] {
        let (code, out, err) = run(arguments);
        assert!(code == 2 && err.contains(part) && out.is_empty(), "{arguments:?}: {code} {err}");
    }
}
