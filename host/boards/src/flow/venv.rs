//! The private virtual environment with the tools of PyPI.
//!
//! It lies below the user's cache folder, under a name made of the pinned versions: another version of this program
//! that pins others has another one. A package is installed when a board first needs it.

use super::{fingerprint::Fingerprint, observer::Observer, process::Call, tools::on_path, BuildError};
use nix::{
    errno::Errno,
    fcntl::{Flock, FlockArg},
};
use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The pinned versions.
const REQUIREMENTS: &str = include_str!("requirements.txt");

const APT: &str = "Debian and Ubuntu: `apt install python3-venv python3-pip`; or install native tools, see README.md";

/// A folder with the environment and what is known of it.
pub struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The one in this folder, or in the user's cache.
    pub fn open(folder: Option<&Path>) -> Result<Environment, BuildError> {
        let folder = match folder {
            Some(folder) => folder.to_path_buf(),
            None => cache()?.join("hayasashi").join(format!("tools-{}", pins())),
        };
        fs::create_dir_all(folder.join("packages")).map_err(BuildError::io("make", &folder))?;
        fs::create_dir_all(folder.join("called")).map_err(BuildError::io("make", &folder))?;
        let folder = folder.canonicalize().map_err(BuildError::io("find", &folder))?;
        Ok(Environment { folder })
    }

    /// A program in it.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join("venv/bin").join(name)
    }

    /// The pinned version of a package.
    pub fn pinned(&self, package: &str) -> &'static str {
        let pin = |line: &'static str| line.split_once("==").filter(|(name, _)| *name == package);
        REQUIREMENTS.lines().find_map(pin).map_or("(not pinned)", |(_, version)| version)
    }

    /// What a program said of its version when it was first called; `None` if it never was.
    pub fn called(&self, program: &str) -> Option<String> {
        fs::read_to_string(self.folder.join("called").join(program)).ok().filter(|text| !text.is_empty())
    }

    /// Keeps that.
    pub fn set_called(&self, program: &str, version: &str) -> Result<(), BuildError> {
        let file = self.folder.join("called").join(program);
        fs::write(&file, version).map_err(BuildError::io("write", file))
    }

    /// Sees to it that the packages are there. Only one program at a time works on an environment.
    pub fn install(&self, packages: &[&str], logs: &Path, observer: &mut dyn Observer) -> Result<(), BuildError> {
        let mark = |package: &&str| self.folder.join("packages").join(package);
        if packages.iter().all(|p| mark(p).is_file()) {
            return Ok(());
        }
        let _lock = self.lock(observer)?;
        let start = Instant::now();
        let missing: Vec<&str> = packages.iter().filter(|p| !mark(p).is_file()).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let what = format!("installing {} from PyPI in {}", missing.join(", "), self.folder.display());
        observer.begin("tools", &what);
        self.make(logs, observer)?;
        let pins = self.folder.join("requirements.txt");
        fs::write(&pins, REQUIREMENTS).map_err(BuildError::io("write", &pins))?;
        let mut arguments =
            ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-c", "requirements.txt"]
                .map(Into::into)
                .to_vec();
        arguments.extend(missing.iter().map(Into::into));
        let program = self.program("python");
        let log = logs.join("pip.log");
        let call = Call { tool: "pip", program: &program, arguments, folder: &self.folder, log, own_log: false };
        call.run_well(observer).map_err(|error| {
            python_error(error, format!("pip cannot install {}", missing.join(", ")), || {
                "is PyPI reachable, and is there space? It wants Python 3.9 or newer on Linux, macOS or Windows; \
                 native tools on PATH do as well, see README.md"
                    .into()
            })
        })?;
        for package in &missing {
            fs::write(mark(package), self.pinned(package)).map_err(BuildError::io("write", mark(package)))?;
        }
        observer.end("tools", start.elapsed(), false);
        Ok(())
    }

    /// Makes the environment itself if it was not made to its end.
    fn make(&self, logs: &Path, observer: &mut dyn Observer) -> Result<(), BuildError> {
        let made = self.folder.join("made");
        if made.is_file() {
            return Ok(());
        }
        let python = on_path("python3").ok_or_else(|| BuildError::Python {
            what: "the tools of PyPI need Python".into(),
            complaint: "`python3` is not on PATH".into(),
            hint: APT.into(),
        })?;
        let log = logs.join("venv.log");
        let arguments = ["-m", "venv", "--clear", "venv"].map(Into::into).to_vec();
        let call =
            Call { tool: "python3 -m venv", program: &python, arguments, folder: &self.folder, log, own_log: false };
        call.run_well(observer).map_err(|error| {
            let what = format!("{} cannot make a virtual environment", python.display());
            python_error(error, what, || APT.into())
        })?;
        fs::write(&made, "").map_err(BuildError::io("write", made))
    }

    fn lock(&self, observer: &mut dyn Observer) -> Result<Flock<File>, BuildError> {
        let path = self.folder.join("lock");
        let mut file = File::create(&path).map_err(BuildError::io("write", &path))?;
        let mut told = false;
        loop {
            match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
                Ok(lock) => return Ok(lock),
                Err((back, Errno::EWOULDBLOCK)) => file = back,
                Err((_, errno)) => return Err(BuildError::io("lock", &path)(errno.into())),
            }
            if !told {
                observer.begin("tools", &format!("waiting for another build that works on {}", self.folder.display()));
                told = true;
            }
            if observer.stopped() {
                return Err(BuildError::Stopped);
            }
            thread::sleep(Duration::from_millis(200));
        }
    }
}

/// A failure of Python's own tools: all that they said is shown, since their words differ.
fn python_error(error: BuildError, what: String, hint: impl FnOnce() -> String) -> BuildError {
    match error {
        BuildError::Tool { complaint, log, .. } => {
            let text = fs::read_to_string(&log).unwrap_or_default();
            let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
            let shown = lines[lines.len().saturating_sub(12)..].join("\n");
            BuildError::Python { what, complaint: if shown.is_empty() { complaint } else { shown }, hint: hint() }
        }
        other => other,
    }
}

/// Twelve digits that stand for the pinned versions.
fn pins() -> String {
    Fingerprint::new().add(REQUIREMENTS).to_string()[..12].to_string()
}

/// The user's cache folder.
fn cache() -> Result<PathBuf, BuildError> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache"))).ok_or_else(|| {
        BuildError::Python {
            what: "there is no place for the virtual environment".into(),
            complaint: "neither XDG_CACHE_HOME nor HOME is set to a folder".into(),
            hint: "set one of them, or give `--venv DIR`".into(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{board::Board, flow::family};

    #[test]
    fn every_package_is_pinned() {
        let environment = Environment { folder: PathBuf::new() };
        let mut packages = vec![family::YOSYS.package];
        for board in Board::all().unwrap() {
            if let Ok(physical) = family::physical(&board) {
                packages.extend([physical.place.package, physical.pack.package]);
            }
        }
        for package in packages {
            assert!(environment.pinned(package).starts_with(|c: char| c.is_ascii_digit()), "{package}");
        }
    }
}
