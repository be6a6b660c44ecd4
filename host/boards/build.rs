//! Embeds the boards: every `constraints/<board>.toml` with the constraint files of the same stem.

use std::{env, fmt::Write, fs, path::Path};

/// Extensions of constraint files.
const EXTENSIONS: [&str; 3] = ["lpf", "cst", "xdc"];

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../constraints");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut boards: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("readable entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    boards.sort();
    let mut list = String::from("&[\n");
    for path in boards {
        let stem = path.file_stem().and_then(|s| s.to_str()).expect("a board's file name is UTF-8");
        writeln!(list, "Embedded {{ stem: {stem:?}, text: include_str!({path:?}), constraints: &[").unwrap();
        for file in EXTENSIONS.map(|extension| path.with_extension(extension)).iter().filter(|f| f.is_file()) {
            let name = file.file_name().and_then(|n| n.to_str()).expect("UTF-8 like the stem");
            writeln!(list, "({name:?}, include_str!({file:?})),").unwrap();
        }
        list.push_str("] },\n");
    }
    list.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("boards.rs");
    fs::write(&out, list).unwrap_or_else(|e| panic!("{}: {e}", out.display()));
}
