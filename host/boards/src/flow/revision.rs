//! The git revision of the source tree that the program was built from.

use serde::Serialize;
use std::process::Command;

/// A git revision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Revision {
    /// The commit.
    pub commit: String,
    /// Whether tracked files differ from it.
    pub modified: bool,
}

impl Revision {
    /// The revision of the source tree; `None` if it no longer exists or git fails.
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
