//! Habits of the source tree that a machine can check.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Files that git tracks, below the root.
fn tracked() -> Vec<PathBuf> {
    let output = Command::new("git").arg("ls-files").current_dir(root()).output().expect("git");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(PathBuf::from).filter(|f| root().join(f).is_file()).collect()
}

fn sources() -> impl Iterator<Item = (PathBuf, String)> {
    tracked().into_iter().filter(|f| f.extension().is_some_and(|e| e == "rs" || e == "md" || e == "toml")).map(|f| {
        let text = std::fs::read_to_string(root().join(&f)).unwrap();
        (f, text)
    })
}

#[test]
fn nothing_is_left_unfinished() {
    let marks = [concat!("todo", "!("), concat!("unimplemented", "!("), concat!("FIX", "ME"), concat!("XX", "X")];
    for (file, text) in sources() {
        for mark in marks {
            assert!(!text.contains(mark), "{}: {mark}", file.display());
        }
    }
}

#[test]
fn ignored_tests_say_why() {
    for (file, text) in sources() {
        assert!(!text.contains(concat!("#[", "ignore]")), "{}", file.display());
    }
}

#[test]
fn source_files_are_short() {
    for (file, text) in sources().filter(|(f, _)| f.extension().is_some_and(|e| e == "rs")) {
        let limit = if file.starts_with("hdl") { 480 } else { 600 };
        let lines = text.lines().count();
        assert!(lines <= limit, "{} has {lines} lines, more than {limit}: split it", file.display());
    }
}
