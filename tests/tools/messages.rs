//! What the program says of odd input: short, printable, with the right words.

use hayasashi_tests::program::{run, run_with, texts};
use std::fs;

const ROOKLESS: &str = "4k4/9/9/9/9/9/9/9/4K4 b G 1";

#[test]
fn a_mark_before_the_first_position_is_skipped() {
    let count = |text: &str| texts(run_with(&["count", "--backend", "model", "--quiet", "--positions", "-"], text));
    let expected = count(&format!("{ROOKLESS}\nstartpos\n"));
    assert_eq!(expected.0, 0, "{expected:?}");
    assert_eq!(count(&format!("\u{FEFF}{ROOKLESS}\r\nstartpos\r\n")), expected);
    let folder = tempfile::tempdir().unwrap();
    let (openings, results) = (folder.path().join("openings"), folder.path().join("results"));
    fs::write(&openings, format!("\u{FEFF}{ROOKLESS}\n")).unwrap();
    let arguments =
        ["match", "--games", "2", "--depth", "1", "--max-plies", "4", "--quiet", "--each-option", "Backend=model"];
    let files = ["--openings", openings.to_str().unwrap(), "--results", results.to_str().unwrap()];
    let (code, _, err) = run(&[&arguments[..], &files].concat());
    assert_eq!(code, 0, "{err}");
    // The journal names the engine, not the folder that it is in.
    let journal = fs::read_to_string(results).unwrap();
    let program = hayasashi_tests::program::binary().parent().unwrap().display().to_string();
    assert!(journal.contains("\"engine\":\"hayasashi usi Backend=model\"") && !journal.contains(&program), "{journal}");
}

#[test]
fn long_and_binary_lines_are_not_echoed() {
    let long = "x".repeat(20_000_000);
    let binary: String = (0..2000u32).map(|i| char::from((i * 7 % 128) as u8)).filter(|c| *c != '\n').collect();
    for text in
        [long.as_str(), &format!("{long}/x b - 1"), &format!("startpos moves {long}"), &binary, "a/b\u{1b}[2J\u{7}"]
    {
        let (code, _, err) = texts(run_with(&["count", "--backend", "model", "--positions", "-"], text));
        assert!(code == 2 && err.len() < 700, "{} bytes: {}", err.len(), &err[..err.len().min(700)]);
        assert!(!err.trim_end().chars().any(char::is_control), "{err:?}");
    }
    let input = format!(
        "{long}\nposition sfen {long}\nposition startpos moves {long}\nsetoption name {long}\nsetoption name \
         Threads value {long}\ngo {long}\nstop\nquit\n"
    );
    let (code, out, err) = texts(run_with(&["usi", "--backend", "model"], &input));
    assert!(code == 0 && out.len() < 5000 && err.len() < 5000, "{} {}", out.len(), err.len());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.db");
    fs::write(&file, &long).unwrap();
    let (_, out, _) = texts(run_with(
        &["usi", "--backend", "model"],
        &format!("setoption name BookFile value {}\nisready\nquit\n", file.display()),
    ));
    assert!(out.contains("begins with `xxx") && out.len() < 2000, "{} bytes", out.len());
}

#[test]
fn a_release_does_not_overwrite_other_files() {
    let folder = tempfile::tempdir().unwrap();
    let readme = folder.path().join("README.md");
    fs::write(&readme, "mine").unwrap();
    let release = |more: &[&str]| {
        let out = ["release", "--without-evaluator", "--out", folder.path().to_str().unwrap()];
        run(&[&out[..], more].concat())
    };
    let (code, out, err) = release(&[]);
    assert!(code == 2 && out.is_empty() && err.contains("`README.md`") && err.contains("--force"), "{err}");
    assert_eq!(fs::read_to_string(&readme).unwrap(), "mine");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let (code, _, err) = release(&["--force"]);
    assert_eq!(code, 0, "{err}");
    assert_ne!(fs::read_to_string(&readme).unwrap(), "mine");
}

#[test]
fn messages_have_words_for_numbers_and_ranges() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    fs::write(file("games.usi"), "black\tstartpos moves 7g7f 3c3d\n".repeat(2)).unwrap();
    let learn = |more: &[&str]| {
        let (games, out) = (file("games.usi"), file("table"));
        let arguments =
            ["learn", "eval", "--quiet", "--passes", "0", "--held-out", "50", "--games", &games, "--out", &out];
        run(&[&arguments[..], more].concat())
    };
    let (code, out, err) = learn(&[]);
    assert!(code == 0 && out.contains("training set 1 game (2 moves)"), "{out}{err}");
    assert!(out.contains("held out     1 game (2 moves)"), "{out}");
    assert!(learn(&["--l1", "NaN"]).2.contains("the value must be 0 or greater"));
    let perpetual = ["5i5h", "5a5b", "5h5i", "5b5a"].repeat(3);
    let (code, out, err) = run(&[&["--backend", "model", "--nodes", "10", "--moves"][..], &perpetual].concat());
    assert!(code == 0 && out.contains("Repetition the game is drawn\n"), "{out}{err}");
    let (_, _, err) = run(&["match", "--sprt", "5", "--games", "2"]);
    assert!(err.contains("`--sprt 5` with error 0.05"), "{err}");
}
