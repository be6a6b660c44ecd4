//! Games to make a book from: a list with one game on each line, in USI notation.
//!
//! `startpos moves …` or `sfen … moves …`; what stands before, up to a tab (as a result), is passed over, and so are
//! blank lines and lines that begin with `#`.

use crate::rules::{PositionCommand, PositionError};
use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::Path,
};

/// A line of a list of games.
#[derive(Debug)]
pub struct Game {
    /// Its number, from 1.
    pub line: usize,
    /// The game, or what is wrong with it.
    pub record: Result<PositionCommand, PositionError>,
}

/// The games of a file, one after the other.
pub fn open(file: &Path) -> io::Result<impl Iterator<Item = io::Result<Game>>> {
    let lines = BufReader::new(File::open(file)?).split(b'\n').enumerate();
    let game = |(at, bytes): (usize, io::Result<Vec<u8>>)| match bytes {
        Err(error) => Some(Err(error)),
        Ok(bytes) => game(&String::from_utf8_lossy(&bytes)).map(|record| Ok(Game { line: at + 1, record })),
    };
    Ok(lines.filter_map(game))
}

fn game(line: &str) -> Option<Result<PositionCommand, PositionError>> {
    let line = line.trim_start_matches('\u{FEFF}').trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let is_game = |field: &&str| ["startpos", "sfen ", "position "].iter().any(|word| field.starts_with(word));
    Some(PositionCommand::parse(line.split('\t').map(str::trim).find(is_game).unwrap_or(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_games_with_or_without_a_result() {
        for (line, plies) in [
            ("startpos moves 7g7f 3c3d", 2),
            ("black\tstartpos moves 7g7f 3c3d 2g2f", 3),
            ("draw\tposition startpos\r", 0),
            ("sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5b", 1),
        ] {
            assert_eq!(game(line).unwrap().unwrap().moves.len(), plies, "{line}");
        }
        assert!(game(" \r").is_none() && game("# white\tstartpos").is_none());
        let error = game("white\tstartpos moves 7g7f 7g7f").unwrap().unwrap_err().to_string();
        assert!(error.starts_with("move 2 '7g7f' is illegal"), "{error}");
        assert!(game("white").unwrap().is_err());
    }
}
