//! An append-only file of finished records, from which an interrupted run resumes.
//!
//! JSON, one object on each line: a heading that identifies the run, then each record. A record is synchronised to the disk
//! before the next one is written. An incomplete last line, as a power failure leaves it, is removed when the file is opened
//! again.

use super::MatchError;
use serde::{de::DeserializeOwned, Serialize};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// An open journal. It is locked against other processes.
pub struct Journal {
    file: PathBuf,
    out: File,
}

impl Journal {
    /// Opens or creates the journal of a run and returns its records. `fields` gives the fields of a heading by name.
    ///
    /// # Errors
    /// The first field in which the file's heading differs, a line that cannot be parsed, a file that another process has
    /// locked, or an error of the file system.
    pub fn open<H: Serialize + DeserializeOwned, R: DeserializeOwned>(
        file: &Path,
        heading: &H,
        fields: impl Fn(&H) -> Vec<(&'static str, String)>,
    ) -> Result<(Journal, Vec<R>), MatchError> {
        let failed = |verb| move |reason| MatchError::File { verb, file: file.into(), reason };
        let mut out = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(file)
            .map_err(failed("open"))?;
        // A file system without locks is accepted.
        if let Err(TryLockError::WouldBlock) = out.try_lock() {
            return Err(MatchError::Locked(file.into()));
        }
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).map_err(failed("read"))?;
        let mut kept = complete_length(&bytes);
        let (old, records) = parse::<H, R>(file, &bytes[..kept])?;
        if let Some(old) = old {
            if records.is_empty() {
                // A journal without records may be replaced by that of any run.
                kept = 0;
            } else if let Some(((field, in_file), (_, requested))) =
                fields(&old).into_iter().zip(fields(heading)).find(|(old, new)| old != new)
            {
                return Err(MatchError::OtherMatch { file: file.into(), field, in_file, requested });
            }
        }
        out.set_len(kept as u64).and_then(|()| out.seek(SeekFrom::End(0))).map_err(failed("write"))?;
        let mut journal = Journal { file: file.into(), out };
        if kept == 0 {
            journal.add(heading)?;
        }
        Ok((journal, records))
    }

    /// Appends a record and synchronises it to the disk.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add(&mut self, record: &impl Serialize) -> Result<(), MatchError> {
        let line = serde_json::to_string(record).expect("strings and numbers are JSON");
        let written = self.out.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.out.sync_data());
        written.map_err(|reason| MatchError::File { verb: "write", file: self.file.clone(), reason })
    }
}

impl Drop for Journal {
    /// Unlocks the file. Closing it is not enough: between `fork` and `exec`, a child process holds copies of all open files,
    /// and with them their locks.
    fn drop(&mut self) {
        let _ = self.out.unlock();
    }
}

/// Reads a journal without changing it; `None` if the file is missing or empty.
///
/// # Errors
/// A file that cannot be read or parsed.
pub fn read<H: DeserializeOwned, R: DeserializeOwned>(file: &Path) -> Result<Option<(H, Vec<R>)>, MatchError> {
    let bytes = match std::fs::read(file) {
        Err(reason) if reason.kind() == ErrorKind::NotFound => return Ok(None),
        Err(reason) => return Err(MatchError::File { verb: "read", file: file.into(), reason }),
        Ok(bytes) => bytes,
    };
    let (heading, records) = parse(file, &bytes[..complete_length(&bytes)])?;
    Ok(heading.map(|heading| (heading, records)))
}

/// The length of the complete lines; a killed process may leave half a line behind them.
pub(crate) fn complete_length(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1)
}

fn parse<H: DeserializeOwned, R: DeserializeOwned>(
    file: &Path,
    bytes: &[u8],
) -> Result<(Option<H>, Vec<R>), MatchError> {
    let text = String::from_utf8_lossy(bytes);
    let wrong = |(number, error): (usize, serde_json::Error)| MatchError::Results {
        file: file.into(),
        line: number + 1,
        reason: error.to_string(),
    };
    let mut lines = text.lines().enumerate();
    let heading = lines.next().map(|(n, line)| serde_json::from_str(line).map_err(|e| wrong((n, e)))).transpose()?;
    let records =
        lines.map(|(n, line)| serde_json::from_str(line).map_err(|e| wrong((n, e)))).collect::<Result<_, _>>()?;
    Ok((heading, records))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_writer_is_refused() {
        let file = std::env::temp_dir().join(format!("hayasashi-{}-journal.jsonl", std::process::id()));
        let open = |heading: u32| Journal::open::<u32, u32>(&file, &heading, |h| vec![("number", h.to_string())]);
        let (mut first, _) = open(7).unwrap();
        first.add(&1).unwrap();
        assert!(matches!(open(7).err(), Some(MatchError::Locked(_))));
        drop(first);
        let error = open(8).err().unwrap().to_string();
        assert!(error.contains("number: `7` in the file, `8` requested"), "{error}");
        let (second, records) = open(7).unwrap();
        assert_eq!(records, [1]);
        drop(second);
        assert_eq!(read::<u32, u32>(&file).unwrap(), Some((7, vec![1])));
        std::fs::remove_file(&file).unwrap();
        assert_eq!(read::<u32, u32>(&file).unwrap(), None);
    }
}
