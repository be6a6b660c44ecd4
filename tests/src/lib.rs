//! Helpers shared by the test files beside this crate.

pub mod fake_tools;
pub mod formal;
mod image;
pub mod link;
pub mod link_bench;
pub mod program;
pub mod python;
pub mod replay;
pub mod rtl;
pub mod search;

pub use image::{image_from_sfen, usi};

use std::{fs::OpenOptions, io::Write, path::PathBuf};

/// The lines of a file below `tests/data` that are neither empty nor comments.
pub fn data_lines(path: &str) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from).collect()
}

/// Says that a test is skipped for want of a tool. Where `HAYASASHI_SKIPPED` names a file, a line is added to it with the
/// program, the test and what is wanted: `tests/run` counts them, as Rust's test programs count the test as passed.
///
/// # Panics
/// In CI, where nothing may be skipped, and where the file cannot be written.
pub fn skip(want: &str) {
    assert!(std::env::var_os("CI").is_none(), "in CI nothing may be skipped: {want}");
    println!("skipped: {want}");
    if let Some(file) = std::env::var_os("HAYASASHI_SKIPPED") {
        let program = std::env::current_exe().unwrap_or_default();
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        let want = want.lines().next().unwrap_or_default();
        let line = format!("{}\t{test}\t{want}\n", program.file_stem().unwrap_or_default().display());
        // Other test programs write to it at the same time: one call for each line.
        let mut file = OpenOptions::new().append(true).create(true).open(file).expect("HAYASASHI_SKIPPED names a file");
        file.write_all(line.as_bytes()).expect("the file of skipped tests can be written");
    }
}
