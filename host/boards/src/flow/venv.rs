//! The private virtual environment with the PyPI packages of the tools.
//!
//! It is in the user's cache folder. Its name contains a hash of the pinned versions, so that each set of versions has an
//! environment of its own. A package is installed when a board first needs it.

use super::{input_hash::InputHash, progress::Observer, tool_call::ToolCall, tools::on_path, BuildError};
use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The pinned versions.
pub const REQUIREMENTS: &str = include_str!("requirements.txt");

/// A package that another one wants at an older version than the pinned one. It is installed last and without its
/// dependencies, which are those of the older version.
const NEWER: &str = "apycula";

/// Name of the Python interpreter.
const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };
/// Folder of the programs of a virtual environment.
const PROGRAMS: &str = if cfg!(windows) { "venv/Scripts" } else { "venv/bin" };

const INSTALL_HINT: &str =
    "on Debian and Ubuntu run `apt install python3-venv python3-pip`, or install native tools (docs/boards.md)";

/// A folder with the environment and with the record of what is installed.
pub struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// The environment in this folder, or in the user's cache.
    pub fn open(folder: Option<&Path>) -> Result<Environment, BuildError> {
        let folder = match folder {
            Some(folder) => folder.to_path_buf(),
            None => cache()?.join(format!("tools-{}", pins_hash())),
        };
        fs::create_dir_all(folder.join("packages")).map_err(BuildError::io("create", &folder))?;
        fs::create_dir_all(folder.join("called")).map_err(BuildError::io("create", &folder))?;
        let folder = folder.canonicalize().map_err(BuildError::io("find", &folder))?;
        Ok(Environment { folder })
    }

    /// The path of a program of the environment.
    pub fn program(&self, name: &str) -> PathBuf {
        self.folder.join(PROGRAMS).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// The pinned version of a package.
    pub fn pinned(&self, package: &str) -> &'static str {
        let pin = |line: &'static str| line.split_once("==").filter(|(name, _)| *name == package);
        REQUIREMENTS.lines().find_map(pin).map_or("(not pinned)", |(_, version)| version)
    }

    /// The version that a program reported at its first call; `None` if it was never called.
    pub fn recorded_version(&self, program: &str) -> Option<String> {
        fs::read_to_string(self.folder.join("called").join(program)).ok().filter(|text| !text.is_empty())
    }

    /// Records the version that a program reported.
    pub fn record_version(&self, program: &str, version: &str) -> Result<(), BuildError> {
        let file = self.folder.join("called").join(program);
        fs::write(&file, version).map_err(BuildError::io("write", file))
    }

    /// Installs the packages that are missing. Only one program at a time changes an environment.
    pub fn install(&self, packages: &[&str], logs: &Path, observer: &mut dyn Observer) -> Result<(), BuildError> {
        let marker = |package: &&str| self.folder.join("packages").join(package);
        if packages.iter().all(|p| marker(p).is_file()) {
            return Ok(());
        }
        let _lock = self.lock(observer)?;
        let start = Instant::now();
        let missing: Vec<&str> = packages.iter().filter(|p| !marker(p).is_file()).copied().collect();
        if missing.is_empty() {
            return Ok(());
        }
        let note = format!("installing {} from PyPI in {}", missing.join(", "), self.folder.display());
        observer.begin("tools", &note);
        self.create(logs, observer)?;
        let pins = self.folder.join("requirements.txt");
        let constraints: Vec<&str> = REQUIREMENTS.lines().filter(|line| !line.starts_with(NEWER)).collect();
        fs::write(&pins, constraints.join("\n") + "\n").map_err(BuildError::io("write", &pins))?;
        let others: Vec<&str> = missing.iter().filter(|package| **package != NEWER).copied().collect();
        if !others.is_empty() {
            self.pip(&["-c", "requirements.txt"], &others, logs, observer)?;
        }
        if missing.contains(&NEWER) {
            let newer = format!("{NEWER}=={}", self.pinned(NEWER));
            self.pip(&["--no-deps"], &[&newer], logs, observer)?;
        }
        for package in &missing {
            fs::write(marker(package), self.pinned(package)).map_err(BuildError::io("write", marker(package)))?;
        }
        observer.end("tools", start.elapsed(), false);
        Ok(())
    }

    fn pip(
        &self,
        options: &[&str],
        packages: &[&str],
        logs: &Path,
        observer: &mut dyn Observer,
    ) -> Result<(), BuildError> {
        let start = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input"];
        let arguments = [&start[..], options, packages].concat().into_iter().map(Into::into).collect();
        let program = self.program("python");
        let log = logs.join("pip.log");
        let call = ToolCall { tool: "pip", program: &program, arguments, folder: &self.folder, log, own_log: false };
        call.run_checked(observer).map_err(|error| {
            python_error(error, format!("pip cannot install {}", packages.join(", ")), || {
                "check that PyPI is reachable, the disk has free space and Python is 3.9 or newer; or install native tools \
                 (docs/boards.md)"
                    .into()
            })
        })?;
        Ok(())
    }

    /// Creates the environment unless that was done before.
    fn create(&self, logs: &Path, observer: &mut dyn Observer) -> Result<(), BuildError> {
        let made = self.folder.join("made");
        if made.is_file() {
            return Ok(());
        }
        let python = on_path(PYTHON).ok_or_else(|| BuildError::Python {
            what: "the PyPI packages of the tools need Python".into(),
            messages: format!("`{PYTHON}` is not on PATH"),
            hint: INSTALL_HINT.into(),
        })?;
        let log = logs.join("venv.log");
        let arguments = ["-m", "venv", "--clear", "venv"].map(Into::into).to_vec();
        let call =
            ToolCall { tool: "python -m venv", program: &python, arguments, folder: &self.folder, log, own_log: false };
        call.run_checked(observer).map_err(|error| {
            let what = format!("`{}` cannot create a virtual environment", python.display());
            python_error(error, what, || INSTALL_HINT.into())
        })?;
        fs::write(&made, "").map_err(BuildError::io("write", made))
    }

    /// Waits for the lock of the environment, which is held until the file is dropped.
    fn lock(&self, observer: &mut dyn Observer) -> Result<File, BuildError> {
        let path = self.folder.join("lock");
        let file = File::create(&path).map_err(BuildError::io("write", &path))?;
        let mut announced = false;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(BuildError::io("lock", &path)(error)),
            }
            if !announced {
                observer.begin(
                    "tools",
                    &format!("waiting for another build that installs tools in {}", self.folder.display()),
                );
                announced = true;
            }
            if observer.stopped() {
                return Err(BuildError::Stopped);
            }
            thread::sleep(Duration::from_millis(200));
        }
    }
}

/// The error of a failed Python tool. The end of its log is quoted, because the form of its error messages varies.
fn python_error(error: BuildError, what: String, hint: impl FnOnce() -> String) -> BuildError {
    match error {
        BuildError::Tool { messages, log, .. } => {
            let text = fs::read_to_string(&log).unwrap_or_default();
            let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
            let shown = lines[lines.len().saturating_sub(12)..].join("\n");
            BuildError::Python { what, messages: if shown.is_empty() { messages } else { shown }, hint: hint() }
        }
        other => other,
    }
}

/// Twelve digits of the hash of the pinned versions.
fn pins_hash() -> String {
    InputHash::new().add(REQUIREMENTS).to_string()[..12].to_string()
}

/// The user's cache folder.
fn cache() -> Result<PathBuf, BuildError> {
    if let Some(folder) = std::env::var_os("HAYASASHI_CACHE").filter(|folder| !folder.is_empty()) {
        return Ok(folder.into());
    }
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let home_cache = || absolute("HOME").map(|home| home.join(".cache"));
    let user = absolute("XDG_CACHE_HOME").or_else(home_cache).or_else(|| absolute("LOCALAPPDATA"));
    user.map(|folder| folder.join("hayasashi")).ok_or_else(|| BuildError::Python {
        what: "no folder for the virtual environment".into(),
        messages: "HAYASASHI_CACHE is not set, and none of XDG_CACHE_HOME, HOME and LOCALAPPDATA is an absolute path"
            .into(),
        hint: "set one of them, or give the folder with `--venv DIR`".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{board::Board, flow::tool_options};

    #[test]
    fn every_package_is_pinned() {
        let environment = Environment { folder: PathBuf::new() };
        let mut tools = vec![&tool_options::YOSYS];
        for board in Board::all().unwrap() {
            tools.extend(tool_options::physical(&board).all());
        }
        for package in tools.into_iter().filter_map(|tool| tool.pypi).map(|pypi| pypi.package) {
            assert!(environment.pinned(package).starts_with(|c: char| c.is_ascii_digit()), "{package}");
        }
    }
}
