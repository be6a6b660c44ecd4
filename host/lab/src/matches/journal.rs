//! A file of what is finished, from which work that was stopped goes on.
//!
//! JSON, one object on each line: first what the work is, then each record as it is finished, written and brought to the
//! disk before the next is begun. What was being written when the power went is cut off when the file is opened again.

use super::DuelError;
use serde::{de::DeserializeOwned, Serialize};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// The file, open for more.
pub struct Journal {
    file: PathBuf,
    out: File,
}

impl Journal {
    /// Opens the file of this work, or makes it; gives the records that are there. `fields` names the parts of a heading.
    ///
    /// # Errors
    /// The first field in which the work of the file is another, a line that cannot be understood, another process that is at
    /// this work, or what the system says.
    pub fn open<H: Serialize + DeserializeOwned, R: DeserializeOwned>(
        file: &Path,
        heading: &H,
        fields: impl Fn(&H) -> Vec<(&'static str, String)>,
    ) -> Result<(Journal, Vec<R>), DuelError> {
        let failed = |verb| move |reason| DuelError::File { verb, file: file.into(), reason };
        let mut out = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(file)
            .map_err(failed("open"))?;
        // Where the system knows no locks there is none.
        if let Err(TryLockError::WouldBlock) = out.try_lock() {
            return Err(DuelError::Busy(file.into()));
        }
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).map_err(failed("read"))?;
        let mut kept = whole(&bytes);
        let (there, records) = parse::<H, R>(file, &bytes[..kept])?;
        if let Some(there) = there {
            if records.is_empty() {
                // Nothing was finished: nothing is lost if this is other work.
                kept = 0;
            } else if let Some(((field, there), (_, here))) =
                fields(&there).into_iter().zip(fields(heading)).find(|(there, here)| there != here)
            {
                return Err(DuelError::OtherMatch { file: file.into(), field, there, here });
            }
        }
        out.set_len(kept as u64).and_then(|()| out.seek(SeekFrom::End(0))).map_err(failed("write"))?;
        let mut journal = Journal { file: file.into(), out };
        if kept == 0 {
            journal.add(heading)?;
        }
        Ok((journal, records))
    }

    /// Adds a record; when this returns it is on the disk.
    pub fn add(&mut self, record: &impl Serialize) -> Result<(), DuelError> {
        let line = serde_json::to_string(record).expect("strings and numbers are JSON");
        let written = self.out.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.out.sync_data());
        written.map_err(|reason| DuelError::File { verb: "write", file: self.file.clone(), reason })
    }
}

impl Drop for Journal {
    /// A process that is just being started holds whatever files were open, and with them their locks, until it runs its
    /// program: closing the file is not enough.
    fn drop(&mut self) {
        let _ = self.out.unlock();
    }
}

/// Reads a file without touching it; `None` where there is none, or nothing in it.
pub fn read<H: DeserializeOwned, R: DeserializeOwned>(file: &Path) -> Result<Option<(H, Vec<R>)>, DuelError> {
    let bytes = match std::fs::read(file) {
        Err(reason) if reason.kind() == ErrorKind::NotFound => return Ok(None),
        Err(reason) => return Err(DuelError::File { verb: "read", file: file.into(), reason }),
        Ok(bytes) => bytes,
    };
    let (heading, records) = parse(file, &bytes[..whole(&bytes)])?;
    Ok(heading.map(|heading| (heading, records)))
}

/// The length of the whole lines.
fn whole(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1)
}

fn parse<H: DeserializeOwned, R: DeserializeOwned>(
    file: &Path,
    bytes: &[u8],
) -> Result<(Option<H>, Vec<R>), DuelError> {
    let text = String::from_utf8_lossy(bytes);
    let wrong = |(number, error): (usize, serde_json::Error)| DuelError::Results {
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
    fn two_at_a_time_do_not_write() {
        let file = std::env::temp_dir().join(format!("hayasashi-{}-journal.jsonl", std::process::id()));
        let open = |heading: u32| Journal::open::<u32, u32>(&file, &heading, |h| vec![("number", h.to_string())]);
        let (mut first, _) = open(7).unwrap();
        first.add(&1).unwrap();
        assert!(matches!(open(7).err(), Some(DuelError::Busy(_))));
        drop(first);
        let error = open(8).err().unwrap().to_string();
        assert!(error.contains("number: 7 there, 8 here"), "{error}");
        let (second, records) = open(7).unwrap();
        assert_eq!(records, [1]);
        drop(second);
        assert_eq!(read::<u32, u32>(&file).unwrap(), Some((7, vec![1])));
        std::fs::remove_file(&file).unwrap();
        assert_eq!(read::<u32, u32>(&file).unwrap(), None);
    }
}
