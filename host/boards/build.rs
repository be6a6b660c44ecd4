//! Embeds the boards: every `constraints/<board>.toml` with the constraint files of the same stem; and the cards,
//! `constraints/cards/<card>.toml`.

use std::{
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

/// Extensions of constraint files.
const EXTENSIONS: [&str; 3] = ["lpf", "cst", "xdc"];

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../constraints");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut list = String::from("&[\n");
    for (stem, path) in descriptions(&folder) {
        writeln!(list, "Embedded {{ stem: {stem:?}, text: include_str!({path:?}), constraints: &[").unwrap();
        for file in EXTENSIONS.map(|extension| path.with_extension(extension)).iter().filter(|f| f.is_file()) {
            let name = file.file_name().and_then(|n| n.to_str()).expect("UTF-8 like the stem");
            writeln!(list, "({name:?}, include_str!({file:?})),").unwrap();
        }
        list.push_str("] },\n");
    }
    list.push_str("]\n");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let write = |name: &str, text: String| {
        let file = Path::new(&out).join(name);
        fs::write(&file, text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    };
    write("boards.rs", list);
    let cards = descriptions(&folder.join("cards")).into_iter();
    let card = |(stem, path)| format!("({stem:?}, include_str!({path:?})),\n");
    write("cards.rs", format!("&[\n{}]\n", cards.map(card).collect::<String>()));
}

/// The `.toml` files of a folder with their stems, in alphabetical order.
fn descriptions(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("readable entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| (path.file_stem().and_then(|s| s.to_str()).expect("a file name in UTF-8").to_string(), path))
        .collect();
    found.sort();
    found
}
