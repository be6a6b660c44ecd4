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
pub mod search_oracle;
pub mod search_walker;

pub use image::{image_from_sfen, usi};

use crc::{Crc, CRC_64_XZ};
use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
};

/// The lines of a file below `tests/data` that are neither empty nor comments.
pub fn data_lines(path: &str) -> Vec<String> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from).collect()
}

/// A checksum of texts, to tell whether the inputs of a long test have changed.
pub fn checksum(parts: &[&str]) -> String {
    let crc = Crc::<u64>::new(&CRC_64_XZ);
    let mut digest = crc.digest();
    for part in parts {
        digest.update(&(part.len() as u64).to_le_bytes());
        digest.update(part.as_bytes());
    }
    format!("{:016x}", digest.finalize())
}

/// Says, past the capture of tests, that the record of a long test is old and that the test runs again.
pub fn record_is_old(record: &Path, minutes: u32) {
    // `eprintln` would only be seen if the test failed.
    let name = record.file_name().unwrap_or_default().display();
    let text =
        format!("the record {name} is of other inputs: about {minutes} minutes; HAYASASHI_UPDATE=1 writes it anew\n");
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Reports that a test is skipped because a tool is missing. If `HAYASASHI_SKIPPED` names a file, it gets a line with the
/// program, the test and the reason. `tests/run` counts these lines, because a skipped test counts as passed in its program.
///
/// # Panics
/// In CI, where nothing may be skipped, and where the file cannot be written.
pub fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "in CI nothing may be skipped: {reason}");
    println!("skipped: {reason}");
    if let Some(file) = std::env::var_os("HAYASASHI_SKIPPED") {
        let program = std::env::current_exe().unwrap_or_default();
        let test = std::thread::current().name().unwrap_or_default().to_owned();
        let reason = reason.lines().next().unwrap_or_default();
        let line = format!("{}\t{test}\t{reason}\n", program.file_stem().unwrap_or_default().display());
        // Other test programs write to it at the same time: one call for each line.
        let mut file = OpenOptions::new().append(true).create(true).open(file).expect("HAYASASHI_SKIPPED names a file");
        file.write_all(line.as_bytes()).expect("the file of skipped tests can be written");
    }
}
