//! Documents and lists agree with the code. `HAYASASHI_UPDATE=1` rewrites the generated tables.

use hayasashi_tests::{data_lines, program::run};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

#[test]
fn protocol_tables_are_generated() {
    let path = root().join("hdl/spec/PROTOCOL.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut expected = text.clone();
    for (name, table) in hayasashi_spec::doc::tables() {
        let start = format!("<!-- generated: {name} -->\n");
        let from = expected.find(&start).unwrap_or_else(|| panic!("no section {name}")) + start.len();
        let to = from + expected[from..].find("<!-- end -->").expect("an end");
        expected.replace_range(from..to, &table);
    }
    if std::env::var_os("HAYASASHI_UPDATE").is_some() {
        std::fs::write(&path, expected).unwrap();
    } else {
        assert!(text == expected, "{} has drifted from the code: run with HAYASASHI_UPDATE=1", path.display());
    }
}

/// `docs/json.md` has a row for each command that `hayasashi --help` lists, and no other.
#[test]
fn json_fields_of_every_command_are_documented() {
    let document = std::fs::read_to_string(root().join("docs/json.md")).unwrap();
    let row = |line: &str| line.strip_prefix("| `").and_then(|rest| rest.split(['`', ' ']).next().map(String::from));
    let documented: BTreeSet<String> = document.lines().filter_map(row).collect();
    let (code, help, err) = run(&["--help"]);
    assert_eq!(code, 0, "{err}");
    let (_, groups) = help.split_once("Usage:").expect("a usage line");
    let (groups, _) = groups.split_once("\nOptions:").expect("a list of options");
    let commands: BTreeSet<String> = groups
        .lines()
        .filter(|line| line.starts_with("  "))
        .filter_map(|line| line.split_whitespace().next().map(String::from))
        .filter(|command| !matches!(command.as_str(), "help" | "usi"))
        .collect();
    assert_eq!(documented, commands, "commands in docs/json.md (left) and in `hayasashi --help`");
}

/// Every Rust file that a document names is there.
#[test]
fn documents_name_files_that_exist() {
    let files = |folder: &str| sources(folder, "").into_iter();
    let all: Vec<String> = ["hdl", "host", "sim", "tests"].into_iter().flat_map(files).collect();
    let names: BTreeSet<&str> = all.iter().map(|path| path.rsplit('/').next().unwrap()).collect();
    let pages = |folder: &str| std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let folders = ["", "docs", "hdl", "hdl/formal", "constraints"];
    let pages = folders.into_iter().flat_map(pages).filter(|path| path.extension().is_some_and(|e| e == "md"));
    let mut checked = 0;
    for page in pages.filter(|page| !page.ends_with("CHANGELOG.md")) {
        let text = std::fs::read_to_string(&page).unwrap();
        for name in text.split(['`', '/', ' ', ',', '(', ')', '\n']).filter(|word| word.ends_with(".rs")) {
            checked += 1;
            assert!(names.contains(name), "{} names `{name}`, which does not exist", page.display());
        }
    }
    assert!(checked > 20, "{checked} names");
}

/// The model's files mirror the gateware's as `tests/data/mirror.tsv` says, and both are listed there completely.
#[test]
fn mirror_lists_every_file_of_gateware_and_model() {
    let lines = data_lines("mirror.tsv");
    let pairs: Vec<[&str; 3]> = lines
        .iter()
        .map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("not 3 columns: {line}")))
        .collect();
    for [gateware, model, reason] in &pairs {
        assert!(gateware == model || !reason.is_empty(), "{gateware}\t{model}: give the reason in the third column");
    }
    let folders = ["attacks", "evaluate", "link", "movegen", "perft", "position", "search", "top"];
    let gateware: BTreeSet<String> = folders.iter().flat_map(|folder| sources("hdl/src", folder)).collect();
    for (column, base, files) in [(0, "hdl/src", gateware), (1, "host/model/src", sources("host/model/src", ""))] {
        let listed: BTreeSet<String> =
            pairs.iter().map(|pair| pair[column].to_string()).filter(|path| path != "-").collect();
        let missing: Vec<&String> = files.difference(&listed).collect();
        assert!(missing.is_empty(), "{base} has files that tests/data/mirror.tsv does not list: {missing:#?}");
        let stale: Vec<&String> = listed.difference(&files).collect();
        assert!(stale.is_empty(), "tests/data/mirror.tsv lists files that {base} does not have: {stale:#?}");
    }
}

/// The Rust files of a folder of `base` and of those below it, as paths below `base`.
fn sources(base: &str, folder: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(root().join(base).join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.path().is_dir() {
            found.extend(sources(base, &path));
        } else if path.ends_with(".rs") {
            found.insert(path);
        }
    }
    found
}
