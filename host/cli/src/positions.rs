//! Positions from the arguments, and from files of positions.

use super::args::Global;
use anyhow::{bail, Context};
use hayasashi_engine::search::GamePath;
use hayasashi_shogi::rules::{Position, PositionCommand, PositionError};
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
            "--positions does not go with this command; hint: use --sfen, or the commands moves, eval, count, verify"
        );
    }
    let start = global.sfen.as_deref().unwrap_or("startpos").trim();
    let text = match (global.moves.is_empty(), start.contains(" moves ")) {
        (true, _) => start.to_string(),
        (false, false) => format!("{start} moves {}", global.moves.join(" ")),
        (false, true) => format!("{start} {}", global.moves.join(" ")),
    };
    parse_with(&text, read).with_context(|| format!("--sfen `{start}`"))
}

/// Reads `startpos` or a SFEN (a leading `sfen` or `position` is tolerated), with moves.
pub fn parse(text: &str) -> anyhow::Result<GamePath> {
    parse_with(text, PositionCommand::parse)
}

/// A mate problem: its position, and the number of moves of the solution that may stand behind `moves`.
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

/// The positions of a file, one on each line; blank lines and what follows a `#` or a tab are skipped.
pub struct Positions {
    /// The file as messages name it.
    pub name: String,
    lines: Box<dyn Iterator<Item = io::Result<String>>>,
    number: usize,
    /// Bytes of the file, 0 where unknown.
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
                format!("cannot read the positions of `{name}`; hint: name a file with one SFEN on each line, or `-`")
            })?;
            let bytes = file.metadata().map_or(0, |m| m.len());
            (Box::new(BufReader::new(file)), bytes)
        };
        let name = if name == "-" { "standard input".into() } else { name.to_string() };
        Ok(Positions { name, lines: Box::new(reader.lines()), number: 0, bytes, read: 0 })
    }

    /// The next line that holds something, with its number; `None` at the end of the file.
    pub fn line(&mut self) -> anyhow::Result<Option<(usize, String)>> {
        for line in self.lines.by_ref() {
            self.number += 1;
            let line = line.with_context(|| format!("{}:{}: cannot be read", self.name, self.number))?;
            self.read += line.len() as u64 + 1;
            let text = line.split(['#', '\t']).next().unwrap_or("").trim();
            if !text.is_empty() {
                return Ok(Some((self.number, text.to_string())));
            }
        }
        Ok(None)
    }

    /// The next positions, `most` at most; none at the end of the file.
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
