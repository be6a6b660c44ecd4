//! The files of several parts joined.

use crate::{
    learning::selfplay::game_number,
    matches::{journal::complete_length, MatchError},
};
use atomic_write_file::AtomicWriteFile;
use hayasashi_shogi::text::excerpt;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, TryLockError},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};
use thiserror::Error;

/// The fields in which records have their numbers: games, problems, positions, subtrees of perft, lines of a file.
const NUMBERS: [&str; 5] = ["game", "problem", "position", "subtree", "number"];
/// The first words of a file of self-play games, which has the number of a game at the end of its line.
const SELF_PLAY: &str = "# self-play:";

/// Why files cannot be joined. Nothing is written then.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are the values that the messages quote")]
pub enum MergeError {
    /// A file cannot be read or written, or another process writes to it.
    #[error(transparent)]
    Journal(#[from] MatchError),
    /// A heading that no command in parts writes.
    #[error("`{}` is not a part of a run: it begins with `{heading}`; hint: give files that `--part K/N` wrote", file.display())]
    Heading { file: PathBuf, heading: String },
    /// Two files of different runs.
    #[error(
        "`{}` is of another run than `{}` ({field}: `{other}`, and `{value}`); hint: run all parts with the same options",
        file.display(), first.display()
    )]
    OtherRun { first: PathBuf, file: PathBuf, field: String, value: String, other: String },
    /// A line without a number.
    #[error("`{}`, line {line}: no number of a game, problem, position or subtree; hint: give a file that was not edited", file.display())]
    Record { file: PathBuf, line: usize },
    /// Two different records with the same number.
    #[error(
        "`{}` and `{}` have different records with the number {number}; hint: the parts overlap and are not repeatable; leave one \
         of the files out", first.display(), file.display()
    )]
    Contradiction { first: PathBuf, file: PathBuf, number: u64 },
    /// Folders and files together.
    #[error("`{}` is a folder, and `{}` is not; hint: join files with files, and folders with folders", folder.display(), file.display())]
    Mixed { folder: PathBuf, file: PathBuf },
    /// Folders without results.
    #[error("the folders have no results; hint: give the folders of `experiment --out`")]
    NoResults,
}

/// What was joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Files written.
    pub files: usize,
    /// Records in them.
    pub records: usize,
    /// Records that were in more than one part, and count once.
    pub repeated: usize,
}

/// Joins the files of several parts, or the files of the same name in several folders, in `out`, ordered by the numbers of the
/// records. What is in `out` already is joined too. An incomplete last line, as a killed process leaves it, is left out.
///
/// # Errors
/// Files of different runs, different records with the same number, or a file that cannot be read or written.
pub fn merge(parts: &[PathBuf], out: &Path) -> Result<Merged, MergeError> {
    let folder = parts.iter().find(|part| part.is_dir());
    let file = parts.iter().find(|part| !part.is_dir());
    match (folder, file) {
        (Some(folder), Some(file)) => Err(MergeError::Mixed { folder: folder.clone(), file: file.clone() }),
        (Some(_), None) => merge_folders(parts, out),
        (None, _) => merge_files(parts, out),
    }
}

fn merge_folders(parts: &[PathBuf], out: &Path) -> Result<Merged, MergeError> {
    let mut names = BTreeSet::new();
    for part in parts {
        let failed = |reason| MatchError::File { verb: "read", file: part.clone(), reason };
        for entry in fs::read_dir(part).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            if Path::new(&name).extension().is_some_and(|end| end == "jsonl") {
                names.insert(name);
            }
        }
    }
    fs::create_dir_all(out).map_err(|reason| MatchError::File { verb: "create", file: out.into(), reason })?;
    let mut sums = Merged::default();
    for name in names {
        let files: Vec<PathBuf> = parts.iter().map(|part| part.join(&name)).filter(|file| file.exists()).collect();
        let merged = merge_files(&files, &out.join(&name))?;
        sums.files += merged.files;
        sums.records += merged.records;
        sums.repeated += merged.repeated;
    }
    if sums.files == 0 {
        return Err(MergeError::NoResults);
    }
    Ok(sums)
}

fn merge_files(parts: &[PathBuf], out: &Path) -> Result<Merged, MergeError> {
    let failed = |verb| move |reason| MatchError::File { verb, file: out.into(), reason };
    let present = match File::open(out) {
        Ok(file) => Some(file),
        Err(reason) if reason.kind() == ErrorKind::NotFound => None,
        Err(reason) => return Err(failed("read")(reason).into()),
    };
    if let Some(Err(TryLockError::WouldBlock)) = present.as_ref().map(File::try_lock) {
        return Err(MatchError::Locked(out.into()).into());
    }
    let mut join = Join::default();
    if present.is_some() {
        join.add(out)?;
        join.repeated = 0;
    }
    for part in parts.iter().filter(|&part| part != out) {
        join.add(part)?;
    }
    let written = AtomicWriteFile::open(out).and_then(|mut file| {
        file.write_all(join.text().as_bytes())?;
        file.commit()
    });
    written.map_err(failed("write"))?;
    Ok(Merged { files: 1, records: join.records.len(), repeated: join.repeated })
}

/// The records of the files that were read, by number, each with its file.
#[derive(Default)]
struct Join {
    heading: Option<(String, PathBuf)>,
    records: BTreeMap<u64, (String, PathBuf)>,
    repeated: usize,
}

impl Join {
    /// Adds the complete lines of a file.
    fn add(&mut self, file: &Path) -> Result<(), MergeError> {
        let failed = |reason| MatchError::File { verb: "read", file: file.into(), reason };
        let bytes = fs::read(file).map_err(failed)?;
        let text = std::str::from_utf8(&bytes[..complete_length(&bytes)]);
        let mut lines = text.map_err(|reason| failed(io::Error::new(ErrorKind::InvalidData, reason)))?.lines();
        // A part that was killed before its first line.
        let Some(heading) = lines.next() else { return Ok(()) };
        match &self.heading {
            None => {
                let is_heading = heading.starts_with(SELF_PLAY) || serde_json::from_str::<Value>(heading).is_ok();
                if !is_heading {
                    let heading = excerpt(heading);
                    return Err(MergeError::Heading { file: file.into(), heading });
                }
                self.heading = Some((heading.into(), file.into()));
            }
            Some((first, of)) if first != heading => {
                let (field, value, other) = difference(first, heading);
                return Err(MergeError::OtherRun { first: of.clone(), file: file.into(), field, value, other });
            }
            Some(_) => {}
        }
        for (index, line) in lines.enumerate() {
            let number = number(line).ok_or_else(|| MergeError::Record { file: file.into(), line: index + 2 })?;
            match self.records.get(&number) {
                Some((same, _)) if same == line => self.repeated += 1,
                Some((_, first)) => {
                    return Err(MergeError::Contradiction { first: first.clone(), file: file.into(), number });
                }
                None => drop(self.records.insert(number, (line.into(), file.into()))),
            }
        }
        Ok(())
    }

    fn text(&self) -> String {
        let records = self.records.values().map(|(line, _)| line);
        let lines = self.heading.iter().map(|(line, _)| line).chain(records);
        lines.flat_map(|line| [line, "\n"]).collect()
    }
}

/// The number of a record.
fn number(line: &str) -> Option<u64> {
    if let Some(game) = game_number(line) {
        return Some(game);
    }
    let record: Value = serde_json::from_str(line).ok()?;
    NUMBERS.iter().find_map(|name| record[name].as_u64())
}

/// The first field in which two headings differ, with both values.
fn difference(first: &str, second: &str) -> (String, String, String) {
    let [a, b] = [first, second].map(|heading| serde_json::from_str::<Value>(heading).unwrap_or_default());
    let names: BTreeSet<&String> = [&a, &b].into_iter().flat_map(|h| h.as_object()).flat_map(|h| h.keys()).collect();
    let differs = names.into_iter().find(|&name| a[name] != b[name]);
    match differs {
        Some(name) => (name.clone(), a[name].to_string(), b[name].to_string()),
        None => ("heading".into(), first.into(), second.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADING: &str = r#"{"engine":"a","seed":1}"#;

    /// A folder with files of these names and lines.
    fn folder(files: &[(&str, &[&str])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, lines) in files {
            fs::write(folder.path().join(name), lines.iter().flat_map(|line| [line, "\n"]).collect::<String>())
                .unwrap();
        }
        folder
    }

    fn joined(folder: &Path, parts: &[&str]) -> Result<(Merged, String), MergeError> {
        let parts: Vec<PathBuf> = parts.iter().map(|name| folder.join(name)).collect();
        let out = folder.join("all");
        merge(&parts, &out).map(|merged| (merged, fs::read_to_string(out).unwrap()))
    }

    #[test]
    fn records_are_ordered_and_counted_once() {
        let game = |n: u32| format!(r#"{{"game":{n},"usi":"startpos"}}"#);
        let games: Vec<String> = (0..5).map(game).collect();
        let files = folder(&[
            ("1", &[HEADING, &games[4], &games[0]]),
            ("2", &[HEADING, &games[1], &games[3]]),
            ("again", &[HEADING, &games[3]]),
            ("empty", &[]),
        ]);
        // The last line of a killed process, which ends within a character.
        let cut =
            [format!("{HEADING}\n{}\n{{\"game\":7,\"usi\":\"", games[2]).as_bytes(), &"歩".as_bytes()[..1]].concat();
        fs::write(files.path().join("cut"), cut).unwrap();
        let (merged, text) = joined(files.path(), &["1", "2", "empty", "again", "cut"]).unwrap();
        assert_eq!(merged, Merged { files: 1, records: 5, repeated: 1 });
        let whole = [&[HEADING.to_string()], &games[..]].concat().join("\n") + "\n";
        assert_eq!(text, whole);
        // Again: what is joined already is not counted.
        let (merged, text) = joined(files.path(), &["1"]).unwrap();
        assert_eq!((merged.records, text), (5, whole));
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let files = folder(&[
            ("one", &[HEADING, r#"{"game":0,"half_points":1}"#]),
            ("otherwise", &[HEADING, r#"{"game":0,"half_points":2}"#]),
            ("seed", &[r#"{"engine":"a","seed":2}"#, r#"{"game":1}"#]),
            ("pair", &[HEADING, r#"{"pair":1}"#]),
            ("text", &["a b c"]),
        ]);
        let refused = |parts: &[&str]| joined(files.path(), parts).unwrap_err().to_string();
        let error = refused(&["one", "otherwise"]);
        assert!(error.contains("otherwise") && error.contains("the number 0"), "{error}");
        let error = refused(&["one", "seed"]);
        assert!(error.contains("(seed: `2`, and `1`)"), "{error}");
        assert!(refused(&["pair"]).contains("line 2"));
        assert!(refused(&["text"]).contains("`a b c`"));
        assert!(refused(&["missing"]).contains("cannot read"));
        assert!(matches!(merge(&[files.path().into()], &files.path().join("x")), Err(MergeError::NoResults)));
        let mixed = merge(&[files.path().into(), files.path().join("one")], &files.path().join("x"));
        assert!(matches!(mixed, Err(MergeError::Mixed { .. })));
        assert!(!files.path().join("all").exists(), "written in spite of an error");
    }

    #[test]
    fn games_of_self_play_are_joined() {
        let heading = "# self-play: table 0x1, 60 nodes a move";
        let files = folder(&[("1", &[heading, "draw\tx\t- 3\tgame 2"]), ("2", &[heading, "black\ty\t5\tgame 1"])]);
        let (_, text) = joined(files.path(), &["1", "2"]).unwrap();
        assert_eq!(text, format!("{heading}\nblack\ty\t5\tgame 1\ndraw\tx\t- 3\tgame 2\n"));
    }
}
