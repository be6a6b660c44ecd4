//! The revision of the clone that the program was built from.

use serde::Serialize;
use std::process::Command;

/// A revision of git.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Revision {
    /// The commit.
    pub commit: String,
    /// Whether files differ from it.
    pub modified: bool,
}

impl Revision {
    /// That of the clone, if it is still there and git tells.
    pub fn of_the_clone() -> Option<Revision> {
        let git = |arguments: &[&str]| {
            let output = Command::new("git").args(["-C", env!("CARGO_MANIFEST_DIR")]).args(arguments).output().ok()?;
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
        };
        let commit = git(&["rev-parse", "HEAD"])?;
        let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
        Some(Revision { commit, modified: !changed.is_empty() })
    }
}
