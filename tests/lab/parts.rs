//! `--part` and `merge`: the joined results of parts are those of the run in one piece, also when parts are killed and run again.

use hayasashi_tests::{
    program::{binary, kill, run, Session},
    python,
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const OPENINGS: &str = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\nstartpos moves 2g2f 3c3d\n";

/// A run with its file or folder of results below a temporary folder.
struct Run {
    folder: TempDir,
    arguments: Vec<String>,
    /// The option that names the results.
    results: &'static str,
    /// What lies in the file or folder that the option names.
    suffix: &'static str,
}

impl Run {
    fn new(arguments: &[&str]) -> Run {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Run { folder: tempfile::tempdir().unwrap(), arguments, results: "--results", suffix: "" }
    }

    /// A file in the folder, as an argument.
    fn with_file(mut self, option: &str, text: &str) -> Run {
        let file = self.path(option.trim_start_matches('-'));
        fs::write(&file, text).unwrap();
        self.arguments.extend([option.into(), file.display().to_string()]);
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, name: &str, more: &[&str]) -> Vec<String> {
        let results = self.path(name).display().to_string();
        let more = more.iter().map(ToString::to_string);
        self.arguments.iter().cloned().chain([self.results.into(), results, "--quiet".into()]).chain(more).collect()
    }

    /// Runs the command with these results; returns its output.
    fn run(&self, name: &str, more: &[&str]) -> String {
        let command = self.command(name, more);
        let (code, out, err) = ran(&command);
        assert_eq!(code, 0, "{command:?}: {out} {err}");
        out
    }

    /// The file or folder that `merge` joins.
    fn results(&self, name: &str) -> PathBuf {
        match self.suffix {
            "" => self.path(name),
            suffix => self.path(name).join(suffix),
        }
    }

    /// Runs `merge`.
    fn merge(&self, parts: &[&str], out: &str) -> (i32, String, String) {
        let path = |name: &str| self.results(name).display().to_string();
        let parts = parts.iter().map(|part| path(part));
        ran(&["merge".into()].into_iter().chain(parts).chain(["--out".into(), path(out)]).collect::<Vec<_>>())
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.results(name)).unwrap()
    }

    /// Runs three parts and joins them.
    fn join(&self) {
        for part in ["1/3", "2/3", "3/3"] {
            self.run(&part[..1], &["--part", part]);
        }
        let (code, out, err) = self.merge(&["3", "1", "2"], "all");
        assert_eq!(code, 0, "{out} {err}");
    }
}

/// [`run`] with these arguments.
fn ran(arguments: &[String]) -> (i32, String, String) {
    run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

fn a_match(nodes: &str) -> Run {
    let ours = format!("'{}' usi --backend model", binary().display());
    let fixed = ["match", "--nodes", nodes, "--each-option", "USI_Hash=1", "--max-plies", "50", "--games", "14"];
    Run::new(&[&fixed[..], &["--against-option", "NullMove=false", "--engine", &ours]].concat())
        .with_file("--openings", OPENINGS)
}

#[test]
fn a_match_in_parts_is_the_match() {
    let games = a_match("200");
    games.run("whole", &[]);
    games.join();
    assert_eq!(games.text("all"), games.text("whole"));
    // Seven pairs in three parts.
    let records = |name| games.text(name).lines().count() - 1;
    assert_eq!(["1", "2", "3"].map(records), [6, 4, 4]);
    // The joined match is finished: the command prints the result without a game, and the file stays as it is.
    let result = |name| games.run(name, &["--json"]).lines().last().unwrap().to_string();
    assert_eq!(result("all"), result("whole"));
    assert_eq!(games.text("all"), games.text("whole"));
    // A part of another match is refused, and nothing is lost.
    let other = a_match("201");
    other.run("other", &["--part", "1/7"]);
    fs::copy(other.path("other"), games.path("other")).unwrap();
    let (code, _, err) = games.merge(&["1", "other"], "all");
    assert!(code == 2 && err.contains("pace") && err.contains("201"), "{err}");
    assert_eq!(games.text("all"), games.text("whole"));
}

#[test]
fn perft_in_parts_is_the_published_number() {
    let perft = Run::new(&["perft", "4", "--backend", "model"]);
    perft.join();
    assert_eq!(perft.run("all", &[]), "nodes: 719731\n");
    perft.run("whole", &[]);
    assert_eq!(perft.text("all"), perft.text("whole"));
    let part: Value = serde_json::from_str(&perft.run("2", &["--part", "2/3", "--json"])).unwrap();
    assert_eq!((&part["part"], &part["subtrees"], &part["interrupted"]), (&"2/3".into(), &300.into(), &false.into()));
    for (depth, nodes) in [("0", 1), ("1", 30), ("2", 900)] {
        let small = Run::new(&["perft", depth, "--backend", "rules"]);
        assert_eq!(small.run("all", &[]), format!("nodes: {nodes}\n"));
    }
    let (code, _, err) = run(&["perft", "3", "--part", "1/2"]);
    assert!(code == 2 && err.contains("--results"), "{err}");
    let (code, _, err) = run(&["perft", "3", "--results", "x", "--part", "3/2"]);
    assert!(code == 2 && err.contains("K/N"), "{err}");
}

#[test]
fn problems_in_parts_are_the_problems() {
    let problems = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mate/tsume_1.sfen")).unwrap();
    let some: String = problems.lines().take(40).flat_map(|line| [line, "\n"]).collect();
    let mates = Run::new(&["mate", "--nodes", "3000", "--hash-mib", "1"]).with_file("--positions", &some);
    let strip = |text: &str| {
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.iter_mut().filter_map(Value::as_object_mut).for_each(|line| drop(line.remove("milliseconds")));
        lines
    };
    let whole = strip(&mates.run("whole", &["--json"]));
    assert_eq!((whole.len(), &whole[40]["positions"], &whole[40]["unsolved"]), (41, &40.into(), &0.into()));
    mates.join();
    assert_eq!(strip(&mates.text("all")), strip(&mates.text("whole")));
    // Known answers are printed again, with their times.
    let all = mates.run("all", &["--json"]);
    assert_eq!(strip(&all), whole);
    assert_eq!(all.lines().next(), mates.text("all").lines().nth(1));
    let text = mates.run("all", &[]);
    assert!(text.starts_with("1: mate in ") && text.contains("positions: 40, solved: 40"), "{text}");
    // Other limits are another run.
    let (code, _, err) = ran(&mates.command("all", &["--plies", "5"]));
    assert!(code == 2 && err.contains("limits"), "{err}");
    let (code, _, err) = run(&["mate", "--positions", "-", "--results", "x"]);
    assert!(code == 2 && err.contains("a file of problems"), "{err}");
}

#[test]
fn searches_by_the_chip_in_parts_are_the_searches() {
    let positions =
        "startpos\nstartpos moves 7g7f\nstartpos moves 2g2f\nstartpos moves 7g7f 3c3d\nstartpos moves 6i7h\n";
    let analysis = Run::new(&["analyze", "--search", "chip", "--depth", "3", "--backend", "model"])
        .with_file("--positions", positions);
    let whole = analysis.run("whole", &[]);
    analysis.join();
    let all = analysis.run("all", &[]);
    assert_eq!(all, whole);
    let second = analysis.run("all", &["--part", "2/3"]);
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!(second.lines().collect::<Vec<_>>()[..2], [lines[1], lines[4]]);
    let (code, _, err) = run(&["--part", "1/2"]);
    assert!(code == 2 && err.contains("--search chip"), "{err}");
}

#[test]
fn games_of_self_play_in_parts_are_the_games() {
    let fixed = ["learn", "eval", "--method", "selfplay", "--self-play", "6", "--nodes", "40", "--threads", "1"];
    let mut learning = Run::new(&[&fixed[..], &["--passes", "1", "--held-out", "30"]].concat());
    (learning.results, learning.suffix) = ("--checkpoint", "selfplay.usi");
    let out = learning.path("table.hyet").display().to_string();
    let learning = Run { arguments: [learning.arguments.clone(), vec!["--out".into(), out]].concat(), ..learning }
        .with_file("--openings", OPENINGS);
    let first = learning.run("1", &["--part", "1/3"]);
    assert!(first.starts_with("part 1/3: 2 games in `"), "{first}");
    assert!(!learning.path("table.hyet").exists(), "a part learned");
    fs::create_dir(learning.path("all")).unwrap();
    learning.join();
    learning.run("whole", &[]);
    let table = fs::read(learning.path("table.hyet")).unwrap();
    assert_eq!(learning.text("all"), learning.text("whole"));
    learning.run("all", &[]);
    assert_eq!(fs::read(learning.path("table.hyet")).unwrap(), table);
}

#[test]
fn an_experiment_in_parts_is_the_experiment() {
    let fixed = ["experiment", "phase-categories", "--games", "6", "--nodes", "100"];
    let mut experiment = Run::new(&fixed).with_file("--openings", OPENINGS);
    experiment.results = "--out";
    experiment.join();
    experiment.run("whole", &[]);
    let files: Vec<_> = fs::read_dir(experiment.path("whole")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let journals: Vec<_> = files.iter().filter(|file| file.extension().is_some_and(|end| end == "jsonl")).collect();
    assert!(!journals.is_empty());
    for file in journals {
        let joined = experiment.path("all").join(file.file_name().unwrap());
        assert_eq!(fs::read_to_string(joined).unwrap(), fs::read_to_string(file).unwrap());
    }
}

/// A part that is killed at any time continues from its file.
#[test]
fn a_killed_part_goes_on() {
    let perft = Run::new(&["perft", "5", "--backend", "model"]);
    let command = perft.command("1", &["--part", "1/2"]);
    for _ in 0..4 {
        let mut session = Session::open(&command.iter().map(String::as_str).collect::<Vec<_>>());
        let written = || fs::metadata(perft.path("1")).map_or(0, |file| file.len());
        let (before, begun) = (written(), Instant::now());
        while written() < before + 2000 && session.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(600), "no record after ten minutes");
            std::thread::sleep(Duration::from_millis(5));
        }
        session.kill();
    }
    perft.run("1", &["--part", "1/2"]);
    perft.run("2", &["--part", "2/2"]);
    assert_eq!(perft.merge(&["1", "2"], "all").0, 0);
    assert_eq!(perft.run("all", &[]), "nodes: 19861490\n");
}

/// HyperQueue runs the parts of a match: a task is killed, and then the whole cluster.
#[cfg(target_os = "linux")]
#[test]
fn hyperqueue_runs_parts_again() {
    let Some(venv) = python::with(&["hyperqueue"]) else { return };
    let games = a_match("3000");
    games.run("whole", &[]);
    let folder = games.path("cluster");
    let script = || {
        let mut command = Command::new(venv.join("bin/python"));
        command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/hyperqueue_parts.py"));
        command.args(["--parts", "3", "--workers", "2", "--folder"]).arg(&folder).arg("--");
        command.arg(binary()).args(&games.arguments);
        command
    };
    let mut first = Session::start(script());
    // Kills a part when it has a game, and the cluster when another part has.
    let begun = Instant::now();
    for part in ["1", "2"] {
        let results = folder.join(format!("{part}.jsonl"));
        let games = || fs::read_to_string(&results).map_or(0, |text| text.lines().count().saturating_sub(1));
        while games() == 0 {
            assert!(begun.elapsed() < Duration::from_secs(600), "no game of part {part} after ten minutes");
            assert!(first.child.try_wait().unwrap().is_none(), "the cluster ended before part {part} had a game");
            std::thread::sleep(Duration::from_millis(5));
        }
        match part {
            "1" => assert!(kill_process_with(&results), "no process of part 1"),
            _ => first.kill(),
        }
    }
    let out = python::succeeds(&mut script());
    assert!(out.contains("14 records from 3 parts"), "{out}");
    assert_eq!(fs::read_to_string(folder.join("all.jsonl")).unwrap(), games.text("whole"));
}

/// Kills the process that has this file among its arguments; returns whether there was one.
#[cfg(target_os = "linux")]
fn kill_process_with(file: &Path) -> bool {
    let name = file.display().to_string();
    let has = |process: &Path| {
        let arguments = fs::read_to_string(process.join("cmdline")).unwrap_or_default();
        arguments.split('\0').any(|argument| argument == name)
    };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let found: Vec<PathBuf> = processes.filter(|process| has(process)).collect();
    found.iter().any(|process| kill(&process.file_name().unwrap().to_string_lossy()))
}
