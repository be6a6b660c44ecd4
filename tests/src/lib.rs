//! Helpers of the tests in this folder.

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

use std::path::PathBuf;

/// The lines of a file below `tests/data` that are neither empty nor comments.
pub fn data_lines(path: &str) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from).collect()
}

/// Reports that a test is skipped because a tool is missing.
///
/// # Panics
/// In CI, where nothing may be skipped.
pub fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "in CI nothing may be skipped: {reason}");
    println!("skipped: {reason}");
}
