//! `experiment`: matches and problems that resume after a kill, known answers, and the numbers of the report.

use hayasashi_tests::program::{command, run};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

/// A folder that is removed at the end of its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("hayasashi-experiment-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Scratch(folder)
    }

    fn file(&self, name: &str, text: &str) -> String {
        fs::create_dir_all(self.0.join(name).parent().unwrap()).unwrap();
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The lines of a results file, sorted, because threads finish games in any order.
fn lines(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines.sort();
    lines
}

const OPENINGS: &str = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n";

#[test]
fn a_resumed_match_gives_the_same_report() {
    let scratch = Scratch::new("resume");
    let openings = scratch.file("openings.usi", OPENINGS);
    let (whole, torn) = (scratch.path("whole"), scratch.path("torn"));
    let fixed =
        ["experiment", "phase-categories", "--quiet", "--games", "4", "--nodes", "100", "--openings", &openings];
    let into =
        |folder: &str| -> Vec<String> { fixed.iter().chain(&["--out", folder]).map(ToString::to_string).collect() };
    let told = |arguments: &[String]| run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let (code, out, err) = told(&into(&whole));
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.starts_with("phase-categories on-off: +"), "{out}");
    // Kill the process as soon as a game is on the disk, then resume.
    let list = into(&torn);
    let list: Vec<&str> = list.iter().map(String::as_str).collect();
    let results = scratch.0.join("torn/phase-categories.on-off.jsonl");
    let mut child = command(&list).stdout(Stdio::null()).spawn().unwrap();
    while lines(&results).len() < 2 {
        assert_eq!(child.try_wait().unwrap(), None, "the process exited before a game was on the disk");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let (code, out, err) = told(&into(&torn));
    assert_eq!(code, 0, "{out}{err}");
    let expected = lines(&scratch.0.join("whole/phase-categories.on-off.jsonl"));
    assert_eq!(expected.len(), 5);
    assert_eq!(lines(&results), expected, "the games are those of the uninterrupted match");
    assert_eq!(scratch.read("torn/EXPERIMENTS.md"), scratch.read("whole/EXPERIMENTS.md"));
    assert!(scratch.read("torn/phase-categories-scores.svg").contains("54.5 %"), "the published score");
    // A complete match plays nothing more, and other limits are refused.
    assert_eq!(told(&into(&torn)).0, 0);
    assert_eq!(lines(&results), expected);
    let other: Vec<String> = into(&torn).into_iter().map(|a| if a == "100" { "50".into() } else { a }).collect();
    let (code, _, err) = told(&other);
    assert!(
        code == 2 && err.contains("limits: `nodes 100` in the file, `nodes 50` requested") && err.contains("hint"),
        "{err}"
    );
}

/// Problems with known answers: a gold drop that is the only mate, and a rook that can be captured.
const PROBLEMS: &str = "# category\tdifficulty\tsfen\tmoves
mate\t1\t4k4/9/4P4/9/9/9/9/9/4K4 b G 1\tG*5b
capture\t1\tlnsgkgsnl/7b1/ppppppp1p/9/7r1/9/PPPPPPP1P/1B5R1/LNSGKGSNL b - 1\t2h2e
capture\t1\tlnsgkgsnl/7b1/ppppppp1p/9/7r1/9/PPPPPPP1P/1B5R1/LNSGKGSNL b - 1\t9g9f 1g1f
mate\t1\tno position\tG*5b
";

#[test]
fn problems_are_scored_by_known_answers_and_resume_after_a_kill() {
    let scratch = Scratch::new("problems");
    let (problems, out) = (scratch.file("problems.tsv", PROBLEMS), scratch.path("out"));
    let arguments = ["experiment", "next-move", "--quiet", "--nodes", "900", "--problems", &problems, "--out", &out];
    let (code, told, err) = run(&arguments);
    assert_eq!(code, 0, "{told}{err}");
    assert!(err.contains("left out: ") && err.contains("problems.tsv:5: "), "{err}");
    for engine in ["RPS with PC, PA, HA", "RPS with PC", "depth-limited", "all moves 50 %", "alpha-beta"] {
        assert!(told.contains(&format!("next-move {engine}: 2 of 3 solved")), "{engine}\n{told}");
    }
    let report = scratch.read("out/EXPERIMENTS.md");
    assert!(
        report.contains("| engine | nodes | all | capture | mate | by mate search | left to the tree search | compared with the first engine | published |"),
        "{report}"
    );
    // A sixteenth of 900 nodes is enough for the mate search.
    assert!(report.contains("| RPS with PC, PA, HA | 900 | 2/3 | 1/2 | 1/1 | 1 | 1/2 | — | 19/48 |"), "{report}");
    assert!(report.contains("| alpha-beta | 900 | 2/3 | 1/2 | 1/1 | 1 | 1/2 | +0 −0, open | — |"), "{report}");
    let (solved, nodes) = (scratch.read("out/next-move-solved.svg"), scratch.read("out/next-move-nodes.svg"));
    assert!(solved.contains("66.7 %") && solved.contains("39.6 %") && nodes.contains("all moves 50 %"));
    // Cut the file in the middle of the second answer.
    let name = "out/next-move.rps-with-pc-pa-ha.jsonl";
    let whole = scratch.read(name);
    let second = whole.match_indices('\n').nth(1).unwrap().0;
    scratch.file(name, &whole[..second + 30]);
    assert_eq!(run(&arguments).0, 0);
    assert_eq!(scratch.read(name), whole);
    // A journal of other problems is refused.
    scratch.file("problems.tsv", &PROBLEMS.replace("9g9f 1g1f", "9g9f"));
    let (code, _, err) = run(&arguments);
    assert!(code == 2 && err.contains("problems: `3 "), "{err}");
}

/// Constructed games: pairs of 2, 1 and ½ points give 58.3 %, ± 35.3 % by the variance of the three pairs, and +58 Elo with the
/// interval from -209 to +467.
#[test]
fn the_report_has_the_right_numbers() {
    let scratch = Scratch::new("report");
    let heading = r#"{"engine":"a","against":"b","pace":"nodes 7","against_pace":"nodes 7","adjudication":"","openings":"","seed":1}"#;
    let game = |(number, half_points): (usize, u8)| {
        format!(
            r#"{{"game":{number},"opening":0,"half_points":{half_points},"winner":"draw","ending":"repetition","usi":"startpos"}}"#
        )
    };
    let games: Vec<String> = [2, 2, 2, 0, 1, 0].into_iter().enumerate().map(game).collect();
    scratch.file("out/analysers.on-off.jsonl", &format!("{heading}\n{}\n", games.join("\n")));
    let out = scratch.path("out");
    let (code, told, err) = run(&["experiment", "report", "--out", &out]);
    assert!(code == 0 && told.contains("EXPERIMENTS.md"), "{told}{err}");
    let report = scratch.read("out/EXPERIMENTS.md");
    let row =
        "| RPS with PC, PA, HA | RPS with PC | nodes 7 | 6 of 400 | +3 −2 =1 | 58.3 ± 35.3 % | +58 [-209, +467] | open | \
               +61 −38 =1, 61.5 ± 9.5 % |";
    assert!(report.contains(row), "{report}");
    assert!(!report.contains("`next-move`:"), "an experiment without results has no section");
    let plot = scratch.read("out/analysers-scores.svg");
    assert!(plot.contains("58.3 %") && plot.contains("61.5 %") && report.contains("(analysers-scores.svg)"));
}

#[test]
fn errors_have_a_hint() {
    let scratch = Scratch::new("mistakes");
    let out = scratch.path("out");
    let bad = scratch.file("bad.usi", "startpos\nstartpos moves 7g7e\n");
    let none = scratch.file("none.tsv", "# nothing\n");
    let nowhere = scratch.path("nowhere");
    let short = scratch.file("short.usi", "startpos moves 7g7f 3c3d\n");
    for (arguments, words) in [
        (vec!["everything"], vec!["no experiment `everything`", "phase-categories", "all, report"]),
        (vec!["analysers"], vec!["`analysers` plays matches and needs openings", "--records"]),
        (vec!["all", "--openings", &short], vec!["`next-move` needs next-move problems", "--problems"]),
        (vec!["analysers", "--openings", &nowhere], vec!["nowhere", "cannot read"]),
        (vec!["analysers", "--openings", &bad], vec!["bad.usi:2: "]),
        (vec!["analysers", "--records", &short], vec!["none of the 1 games is longer than 31 plies", "--cut"]),
        (vec!["next-move", "--problems", &nowhere], vec!["nowhere", "cannot read"]),
        (vec!["next-move", "--problems", &none], vec!["none.tsv:1: ", "has no problem"]),
        (vec!["report"], vec!["has no results of experiments"]),
    ] {
        let (code, _, err) = run(&[&["experiment"], &arguments[..], &["--out", &out]].concat());
        assert_eq!(code, 2, "{arguments:?}");
        words.iter().for_each(|word| assert!(err.contains(word), "{arguments:?}: {err}"));
        assert!(err.contains("hint: "), "{arguments:?}: {err}");
        assert!(!Path::new(&out).exists(), "{arguments:?}: nothing is written");
    }
    let (code, listed, _) = run(&["experiment"]);
    assert!(code == 0 && listed.contains("moves-as-reductions"), "{listed}");
}
