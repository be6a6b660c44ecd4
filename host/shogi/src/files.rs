//! Files that are written whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::Path,
};

/// Writes a file beside its place and renames it, so that an older one is never half overwritten. What was begun is
/// removed after an error.
pub fn replace<T>(file: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>) -> io::Result<T> {
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    let all = || {
        let mut out = BufWriter::new(File::create(&part)?);
        let written = write(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()?;
        fs::rename(&part, file)?;
        Ok(written)
    };
    all().inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}
