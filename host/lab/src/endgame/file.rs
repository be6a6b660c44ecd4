//! Databases on disk: a header and one byte for each number. A file of an unfinished analysis has the same form.

use super::{
    index::{Index, Material},
    rules::AnimalPosition,
    solve::{Counts, Progress, Solver, Value},
};
use atomic_write_file::AtomicWriteFile;
use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"HYANIMAL";
const VERSION: u32 = 1;
/// Magic, seven numbers of four bytes, seven of eight.
const HEADER: usize = 8 + 7 * 4 + 7 * 8;

/// Why a database cannot be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the fields are the values that the messages quote")]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("cannot {verb} `{}`: {reason}; hint: check the permissions of its folder and the free space", file.display())]
    File { verb: &'static str, file: PathBuf, reason: io::Error },
    /// The file is something else, or of another version.
    #[error("`{}` is not an endgame database of version {VERSION}; hint: give another file, or delete it to solve again", file.display())]
    Foreign { file: PathBuf },
    /// The file is cut off or has bytes too many.
    #[error("`{}` has {found} bytes instead of {expected}; hint: delete it to solve again", file.display())]
    Length { file: PathBuf, found: u64, expected: u64 },
    /// The position has other pieces than the database.
    #[error("the position has not the pieces of `{}`; hint: give both lions, and the same pairs of pieces as the database", file.display())]
    Material { file: PathBuf },
}

/// A file with all values, or with a part of the work.
pub struct Database {
    path: PathBuf,
    file: File,
    material: Material,
    index: Index,
    progress: Progress,
    counts: Counts,
}

impl Database {
    /// Opens a file and checks its header and length.
    pub fn open(path: &Path) -> Result<Database, FileError> {
        let failed = |reason| FileError::File { verb: "read", file: path.into(), reason };
        let foreign = || FileError::Foreign { file: path.into() };
        let mut file = File::open(path).map_err(failed)?;
        let mut header = [0; HEADER];
        file.read_exact(&mut header).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => foreign(),
            _ => failed(error),
        })?;
        let mut words = header[8..36].as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let mut next = || words.next().unwrap_or_default();
        if &header[..8] != MAGIC || next() != VERSION {
            return Err(foreign());
        }
        let [kinds, phase, distance, at, flag, _] = [next(), next(), next(), next(), next(), next()];
        if kinds > 7 || distance > 255 {
            return Err(foreign());
        }
        let material = Material { kinds: [0, 1, 2].map(|kind| kinds >> kind & 1 == 1) };
        let index = Index::new(material);
        let progress = match phase {
            0 => Progress::Reaching { at, again: flag == 1 },
            1 => Progress::Deciding { distance: distance as u8, at, found: flag == 1 },
            2 => Progress::Done,
            _ => return Err(foreign()),
        };
        let mut numbers = header[36..].as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
        let mut next = || numbers.next().unwrap_or_default();
        let counts = Counts {
            positions: next(),
            wins: next(),
            losses: next(),
            draws: next(),
            catches: next(),
            tries: next(),
            longest: next() as u32,
        };
        let (found, expected) = (file.metadata().map_err(failed)?.len(), (HEADER + index.len()) as u64);
        if found != expected || at as usize >= index.len() {
            return Err(FileError::Length { file: path.into(), found, expected });
        }
        Ok(Database { path: path.into(), file, material, index, progress, counts })
    }

    /// Writes what a solver has, in place of an older file.
    pub fn write(solver: &Solver, path: &Path) -> Result<(), FileError> {
        let kinds = (0..3).map(|kind| (solver.material().kinds[kind] as u32) << kind).sum();
        let words: [u32; 5] = match solver.progress() {
            Progress::Reaching { at, again } => [kinds, 0, 0, at, again as u32],
            Progress::Deciding { distance, at, found } => [kinds, 1, distance as u32, at, found as u32],
            Progress::Done => [kinds, 2, 0, 0, 0],
        };
        let counts = if solver.progress() == Progress::Done { solver.counts() } else { Counts::default() };
        let Counts { positions, wins, losses, draws, catches, tries, longest } = counts;
        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        header.extend([VERSION].iter().chain(&words).chain(&[0]).flat_map(|word| word.to_le_bytes()));
        let numbers = [positions, wins, losses, draws, catches, tries, longest as u64];
        header.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let written = AtomicWriteFile::open(path).and_then(|mut file| {
            file.write_all(&header)?;
            file.write_all(solver.states())?;
            file.commit()
        });
        written.map_err(|reason| FileError::File { verb: "write", file: path.into(), reason })
    }

    /// The pieces of its positions.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The numbers of positions; `None` while the analysis is not finished.
    pub fn counts(&self) -> Option<Counts> {
        (self.progress == Progress::Done).then_some(self.counts)
    }

    /// Reads the whole file, to go on with the analysis.
    pub fn solver(mut self) -> Result<Solver, FileError> {
        let mut states = vec![0; self.index.len()];
        let read = self.file.seek(SeekFrom::Start(HEADER as u64)).and_then(|_| self.file.read_exact(&mut states));
        read.map_err(|reason| FileError::File { verb: "read", file: self.path, reason })?;
        Ok(Solver::stored(self.material, states, self.progress))
    }

    /// Reads the value of a position.
    pub fn value(&mut self, position: &AnimalPosition) -> Result<Value, FileError> {
        if Material::of(position) != Some(self.material) {
            return Err(FileError::Material { file: self.path.clone() });
        }
        let mut state = [0];
        let at = SeekFrom::Start(HEADER as u64 + self.index.number(position) as u64);
        let read = self.file.seek(at).and_then(|_| self.file.read_exact(&mut state));
        read.map_err(|reason| FileError::File { verb: "read", file: self.path.clone(), reason })?;
        Ok(Value::of(state[0]))
    }
}
