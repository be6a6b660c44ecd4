//! Reads positions from the arguments and from files.

use super::args::Global;
use anyhow::{bail, Context};
use hayasashi_engine::search::GamePath;
use hayasashi_shogi::{
    rules::{Position, PositionCommand, PositionError},
    text::excerpt,
};
use std::{
    fs::File,
    io::{self, BufRead, BufReader},
};

/// The one position that the arguments name.
pub fn single(global: &Global) -> anyhow::Result<GamePath> {
    single_with(global, PositionCommand::parse)
}

/// [`single`] for a mate problem.
pub fn single_problem(global: &Global) -> anyhow::Result<GamePath> {
    single_with(global, PositionCommand::parse_problem)
}

type Read = fn(&str) -> Result<PositionCommand, PositionError>;

fn single_with(global: &Global, read: Read) -> anyhow::Result<GamePath> {
    if global.positions.is_some() {
        bail!(
            "`--positions` is not for this command; hint: use `--sfen`, or `analyze --search chip`, `search`, `moves`, `eval`, `count`, \
             `mate` or `verify`"
        );
    }
    let start = global.sfen.as_deref().unwrap_or("startpos").trim();
    let text = match (global.moves.is_empty(), start.contains(" moves ")) {
        (true, _) => start.to_string(),
        (false, false) => format!("{start} moves {}", global.moves.join(" ")),
        (false, true) => format!("{start} {}", global.moves.join(" ")),
    };
    parse_with(&text, read).with_context(|| format!("--sfen `{}`", excerpt(start)))
}

/// Parses `startpos` or an SFEN (with or without `sfen` or `position` before it), with moves.
pub fn parse(text: &str) -> anyhow::Result<GamePath> {
    parse_with(text, PositionCommand::parse)
}

/// A mate problem: its position, and the number of moves of the solution after `moves` if there is one.
pub fn problem(line: &str) -> anyhow::Result<(Position, Option<usize>)> {
    let (start, solution) = match line.split_once(" moves ") {
        Some((start, moves)) => (start, Some(moves.split_whitespace().count())),
        None => (line, None),
    };
    Ok((PositionCommand::parse_problem(start)?.position, solution))
}

fn parse_with(text: &str, read: Read) -> anyhow::Result<GamePath> {
    Ok(read(text)?.into())
}

/// The positions of a file, one on each line. Blank lines and the text after a `#` or a tab are ignored.
pub struct Positions {
    /// Name of the file in messages.
    pub name: String,
    lines: Box<dyn Iterator<Item = io::Result<String>>>,
    number: usize,
    /// Size of the file in bytes, 0 if unknown.
    pub bytes: u64,
    /// Bytes read so far.
    pub read: u64,
}

impl Positions {
    /// Opens a file, or standard input for `-`.
    pub fn open(name: &str) -> anyhow::Result<Positions> {
        let (reader, bytes): (Box<dyn BufRead>, u64) = if name == "-" {
            (Box::new(BufReader::new(io::stdin())), 0)
        } else {
            let file = File::open(name).with_context(|| {
                format!("cannot read the positions of `{name}`; hint: give a file with one SFEN on each line, or `-` for standard input")
            })?;
            let bytes = file.metadata().map_or(0, |m| m.len());
            (Box::new(BufReader::new(file)), bytes)
        };
        let name = if name == "-" { "standard input".into() } else { name.to_string() };
        Ok(Positions { name, lines: Box::new(reader.lines()), number: 0, bytes, read: 0 })
    }

    /// The next line that is not blank, with its number; `None` at the end of the file.
    pub fn line(&mut self) -> anyhow::Result<Option<(usize, String)>> {
        for line in self.lines.by_ref() {
            self.number += 1;
            let line = line.with_context(|| {
                format!(
                    "cannot read {}:{}; hint: positions are text in UTF-8, one SFEN on each line",
                    self.name, self.number
                )
            })?;
            self.read += line.len() as u64 + 1;
            let line = if self.number == 1 { line.trim_start_matches('\u{FEFF}') } else { &line };
            let text = line.split(['#', '\t']).next().unwrap_or("").trim();
            if !text.is_empty() {
                return Ok(Some((self.number, text.to_string())));
            }
        }
        Ok(None)
    }

    /// At most `most` further positions; none at the end of the file.
    pub fn chunk(&mut self, most: usize) -> anyhow::Result<Vec<Position>> {
        let mut positions = Vec::new();
        while positions.len() < most {
            let Some((number, text)) = self.line()? else { break };
            let path = parse(&text).with_context(|| format!("{}:{number}", self.name))?;
            positions.push(path.position().clone());
        }
        Ok(positions)
    }
}
