//! Matches and legal moves checked by the Python package cshogi, where there is one: byoyomi, Fischer, pondering, a book,
//! several lines.

use hayasashi_tests::{program::binary, skip};
use std::process::Command;

/// `HAYASASHI_PYTHON` names a Python that has cshogi.
#[test]
fn a_match_is_legal_by_the_rules_of_cshogi() {
    let Some(python) = std::env::var_os("HAYASASHI_PYTHON") else {
        return skip("HAYASASHI_PYTHON does not name a Python with cshogi");
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cshogi_match.py");
    let output = Command::new(python).arg(script).arg(binary()).output().expect("the Python named runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
    assert!(
        out.lines().last().is_some_and(|l| l.contains("games of the runner: 6") && l.ends_with("differences: 0")),
        "{out}"
    );
}
