//! A step of a build, skipped while what it depends on has not changed.

use super::{fingerprint::Fingerprint, BuildError};
use atomic_write_file::AtomicWriteFile;
use serde::{Deserialize, Serialize};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// A step with its files, all in the folder of the build.
#[derive(Clone, Debug)]
pub struct Stage {
    /// `synthesis`, `place`, `route` or `pack`.
    pub name: &'static str,
    /// Of everything that the result depends on.
    pub inputs: Fingerprint,
    /// File names of its results.
    pub outputs: Vec<&'static str>,
}

/// What is kept of a finished stage, in `.<stage>.stamp`.
#[derive(Serialize, Deserialize)]
struct Stamp {
    inputs: String,
    seconds: f64,
}

impl Stage {
    fn stamp(&self, folder: &Path) -> PathBuf {
        folder.join(format!(".{}.stamp", self.name))
    }

    /// How long it took, if its results are there and of the same inputs.
    pub fn finished(&self, folder: &Path) -> Option<Duration> {
        let text = fs::read_to_string(self.stamp(folder)).ok()?;
        let stamp: Stamp = serde_json::from_str(&text).ok()?;
        let whole = self.outputs.iter().all(|file| folder.join(file).is_file());
        let same = stamp.inputs == self.inputs.to_string();
        (whole && same).then(|| Duration::try_from_secs_f64(stamp.seconds).ok()).flatten()
    }

    /// Removes its results and its stamp: a stage that does not end well leaves none.
    pub fn clear(&self, folder: &Path) -> Result<(), BuildError> {
        let files = self.outputs.iter().map(|file| folder.join(file)).chain([self.stamp(folder)]);
        for file in files.chain(self.outputs.iter().map(|file| folder.join(part(file)))) {
            match fs::remove_file(&file) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(BuildError::io("remove", file)(error))
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Gives the results their names and writes the stamp.
    pub fn finish(&self, folder: &Path, took: Duration) -> Result<(), BuildError> {
        for file in &self.outputs {
            let part = folder.join(part(file));
            fs::rename(&part, folder.join(file)).map_err(|source| BuildError::Io {
                action: "find the tool's result",
                path: part,
                source,
                hint: "see the log of that tool",
            })?;
        }
        let stamp = Stamp { inputs: self.inputs.to_string(), seconds: took.as_secs_f64() };
        let text = serde_json::to_string(&stamp).expect("a stamp is plain data");
        write(&self.stamp(folder), &text)
    }
}

/// The name of a result while the tool writes it. The ending stays, since some tools look at it.
pub fn part(file: &str) -> String {
    format!("part-{file}")
}

/// Writes a file whole or not at all.
pub fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    let written = AtomicWriteFile::open(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.commit()
    });
    written.map_err(BuildError::io("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_finished_while_nothing_changes() {
        let folder = std::env::temp_dir().join(format!("hayasashi-stage-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut stage = Stage { name: "pack", inputs: Fingerprint::new().add("a"), outputs: vec!["x.bit"] };
        assert!(stage.finish(&folder, Duration::ZERO).is_err());
        fs::write(folder.join("part-x.bit"), "bits").unwrap();
        assert_eq!(stage.finished(&folder), None);
        stage.finish(&folder, Duration::from_secs(3)).unwrap();
        assert_eq!(stage.finished(&folder), Some(Duration::from_secs(3)));
        stage.inputs = Fingerprint::new().add("b");
        assert_eq!(stage.finished(&folder), None);
        stage.inputs = Fingerprint::new().add("a");
        fs::remove_file(folder.join("x.bit")).unwrap();
        assert_eq!(stage.finished(&folder), None);
        stage.clear(&folder).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(folder).unwrap();
    }
}
