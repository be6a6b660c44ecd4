//! The record of a game in CSA's format, written move by move so that it survives a crash.

use super::CsaError;
use rsshogi_csa::GameSummary;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// A record that is being written.
pub(super) struct Record {
    file: PathBuf,
    out: File,
    /// Whether the last line is the end of the game.
    ended: bool,
}

impl Record {
    /// Begins the record of a game in this folder. A file that exists is not overwritten.
    pub fn begin(folder: &Path, summary: &GameSummary) -> Result<Record, CsaError> {
        let id = summary.game_id.as_deref().unwrap_or("game");
        let stem: String = id.chars().take(120).map(|c| if is_plain(c) { c } else { '_' }).collect();
        let mut file = folder.join(format!("{stem}.csa"));
        let created = fs::create_dir_all(folder).and_then(|()| {
            (2..)
                .find_map(|number| match File::create_new(&file) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        file = folder.join(format!("{stem}-{number}.csa"));
                        None
                    }
                    result => Some(result),
                })
                .expect("one of the names is free")
        });
        let failed = |reason| CsaError::Record { file: file.clone(), reason };
        let mut record = Record { out: created.map_err(failed)?, file, ended: false };
        let name = |name: &Option<String>| name.clone().unwrap_or_default();
        let now = jiff::Zoned::now().strftime("%Y/%m/%d %H:%M:%S").to_string();
        record.line("V2.2")?;
        record.line(&format!("N+{}", name(&summary.name_black)))?;
        record.line(&format!("N-{}", name(&summary.name_white)))?;
        record.line(&format!("$EVENT:{id}"))?;
        record.line(&format!("$START_TIME:{now}"))?;
        let (board, moves) = summary.position_split();
        board.iter().try_for_each(|line| record.line(line))?;
        moves.iter().try_for_each(|line| record.timed(line))?;
        Ok(record)
    }

    /// Adds a move or an ending as the server sent it: `+7776FU,T12`.
    pub fn timed(&mut self, line: &str) -> Result<(), CsaError> {
        self.ended |= line.starts_with('%');
        line.split(',').try_for_each(|part| self.line(part))
    }

    /// Ends the record with this ending, unless it has one, and a comment.
    pub fn end(&mut self, ending: &str, comment: &str) -> Result<(), CsaError> {
        if !self.ended {
            self.line(ending)?;
        }
        self.line(&format!("'{comment}"))
    }

    fn line(&mut self, line: &str) -> Result<(), CsaError> {
        writeln!(self.out, "{line}").map_err(|reason| CsaError::Record { file: self.file.clone(), reason })
    }

    /// The file.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '_' | '.')
}
