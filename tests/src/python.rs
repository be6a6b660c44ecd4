//! Tools from PyPI, in the virtual environment that `tests/run` makes.

use super::skip;
use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// The virtual environment, if it has these packages and Verilator is installed. Otherwise the test is skipped.
pub fn with(packages: &[&str]) -> Option<PathBuf> {
    let made = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("target/python/bin/python");
    let python = env::var_os("HAYASASHI_PYTHON").map_or(made, PathBuf::from);
    let venv = python.parent().and_then(Path::parent).expect("bin/python").to_path_buf();
    for package in packages {
        let found = Command::new(&python).args(["-c", &format!("import {package}")]).output();
        if !found.is_ok_and(|output| output.status.success()) {
            skip(&format!("no Python package {package} for {} (PyPI; `tests/run` installs it)", python.display()));
            return None;
        }
    }
    if Command::new("verilator").arg("--version").output().is_err() {
        skip("verilator is not installed (Debian package `verilator`)");
        return None;
    }
    Some(venv)
}

/// Runs a command and returns its standard output and standard error.
///
/// # Panics
/// If it fails, with the end of its output.
pub fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{:?}: {e}", command.get_program()));
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    let lines: Vec<&str> = text.lines().collect();
    let end = lines[lines.len().saturating_sub(60)..].join("\n");
    assert!(output.status.success(), "{:?} failed:\n{end}", command.get_program());
    text
}
