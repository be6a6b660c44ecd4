//! Rules for the source tree: length of files, links of documents, marks of unfinished work.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// Path from the root and text of each file that git tracks with one of these extensions. Code of other projects is left out.
fn tracked(extensions: &[&str]) -> Vec<(PathBuf, String)> {
    let output = Command::new("git").arg("ls-files").current_dir(root()).output().expect("git");
    let paths = String::from_utf8(output.stdout).unwrap();
    paths
        .lines()
        .map(PathBuf::from)
        .filter(|path| path.extension().is_some_and(|e| extensions.iter().any(|extension| e == *extension)))
        .filter(|path| !path.components().any(|folder| folder.as_os_str() == "third_party"))
        .filter_map(|path| std::fs::read_to_string(root().join(&path)).ok().map(|text| (path, text)))
        .collect()
}

/// Clippy finds `todo!()` and `unimplemented!()`, but no comments.
#[test]
fn nothing_is_left_unfinished() {
    for (path, text) in tracked(&["rs", "md", "toml"]) {
        for mark in [concat!("FIX", "ME"), concat!("XX", "X")] {
            assert!(!text.contains(mark), "{}: {mark}", path.display());
        }
    }
}

#[test]
fn ignored_tests_give_a_reason() {
    for (path, text) in tracked(&["rs"]) {
        assert!(!text.contains(concat!("#[", "ignore]")), "{}", path.display());
    }
}

/// Files that consist of data.
fn is_table(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "table" || stem == "tables")
}

#[test]
fn source_files_are_short() {
    let mut long = Vec::new();
    for (path, text) in tracked(&["rs"]).into_iter().filter(|(path, _)| !is_table(path)) {
        let limit = if path.starts_with("hdl/src") { 250 } else { 500 };
        let lines = text.lines().count();
        if lines > limit {
            long.push(format!("{} has {lines} lines, more than {limit}", path.display()));
        }
    }
    assert!(long.is_empty(), "split these files: {long:#?}");
}

#[test]
fn readmes_are_short() {
    for name in ["README.md", "README.ja.md"] {
        let lines = std::fs::read_to_string(root().join(name)).unwrap().lines().count();
        assert!(lines <= 150, "{name} has {lines} lines, more than 150: move details to docs/");
    }
}

#[test]
fn links_of_documents_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    for (path, text) in tracked(&["md"]) {
        for link in relative_links(&text) {
            let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
            let folder = root().join(path.parent().unwrap());
            let target = if file.is_empty() { root().join(&path) } else { folder.join(file) };
            let has_heading = |heading: &str| {
                std::fs::read_to_string(&target).is_ok_and(|text| anchors(&text).iter().any(|anchor| anchor == heading))
            };
            // The source of a released document lies elsewhere than the document.
            let released = path.starts_with("host/boards/src/ip/files");
            if !(released || target.exists() && heading.is_none_or(has_heading)) {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Targets of the links and images of a Markdown text, without URLs. Code blocks and inline code have no links.
fn relative_links(markdown: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut links = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            for text in line.split('`').step_by(2) {
                links.extend(text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()));
            }
            let attributes = line.split(['<', ' ']).filter_map(|word| {
                let target = word.strip_prefix("src=\"").or_else(|| word.strip_prefix("href=\""))?;
                target.split('"').next()
            });
            links.extend(attributes);
        }
    }
    links.retain(|link| !link.contains("://") && !link.starts_with("mailto:"));
    links
}

/// The anchors that GitHub makes of the headings of a Markdown text.
fn anchors(markdown: &str) -> Vec<String> {
    let heading = |line: &str| line.starts_with('#').then(|| line.trim_start_matches('#').trim().to_lowercase());
    let anchor = |heading: String| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    markdown.lines().filter_map(heading).map(anchor).collect()
}

#[test]
fn links_and_anchors_are_recognised() {
    let text = "[a](b.md) `[c](d)` ![e](f.svg \"g\")\n```\n[h](i)\n```\n<img src=\"j.png\"> [k](https://l.org)";
    assert_eq!(relative_links(text), ["b.md", "f.svg", "j.png"]);
    assert_eq!(anchors("# Arty A7: Vivado\ntext\n## `go mate`"), ["arty-a7-vivado", "go-mate"]);
}
