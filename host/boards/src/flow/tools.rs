//! Which programs are taken: native ones that are new enough, or those of the private virtual environment.

use super::{family::Need, observer::Observer, process::Call, venv::Environment, version::Version, BuildError};
use std::path::{Path, PathBuf};

/// Where tools are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Native if all are there and new enough, else Python.
    Auto,
    /// Programs on `PATH`.
    Native,
    /// PyPI packages in a virtual environment that this program sets up.
    Python,
}

/// A program that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name for people.
    pub name: &'static str,
    /// The program.
    pub program: PathBuf,
    /// What it says of its version, or the version of its package.
    pub version: String,
}

/// The programs of a build, all of one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tools {
    /// `native` or `python`.
    pub origin: &'static str,
    tools: Vec<Tool>,
}

impl Tools {
    /// The program for a need that was chosen for.
    ///
    /// # Panics
    /// For a need that was not.
    pub fn of(&self, need: &Need) -> &Tool {
        self.tools.iter().find(|t| t.name == need.name).expect("every tool of the flow was asked for")
    }

    /// All of them.
    pub fn all(&self) -> &[Tool] {
        &self.tools
    }

    /// Chooses. `venv` is the folder of the virtual environment where it is not the usual one; `logs` must be there.
    pub fn choose(
        choice: Choice,
        needs: &[&'static Need],
        venv: Option<&Path>,
        logs: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Tools, BuildError> {
        match choice {
            Choice::Native => native(needs, logs, observer),
            Choice::Python => python(needs, venv, logs, observer),
            Choice::Auto => match native(needs, logs, observer) {
                Err(why @ (BuildError::NoTool { .. } | BuildError::OldTool { .. } | BuildError::Start { .. })) => {
                    let why = why.to_string();
                    let why = why.split("; hint").next().unwrap_or_default();
                    observer.note(&format!("the tools of PyPI are taken: {why}"));
                    python(needs, venv, logs, observer)
                }
                done => done,
            },
        }
    }
}

fn native(needs: &[&'static Need], logs: &Path, observer: &mut dyn Observer) -> Result<Tools, BuildError> {
    let mut tools = Vec::new();
    for need in needs {
        let program = need
            .native
            .iter()
            .find_map(|name| on_path(name))
            .ok_or_else(|| BuildError::NoTool { tool: need.name.into(), hint: need.hint })?;
        let (text, version) = version(need, &program, logs, observer)?;
        let new_enough = need.version_argument.is_none() || version.is_some_and(|v| v >= need.minimum);
        if !new_enough {
            let found = version.map_or(format!("(`{text}`)"), |v| v.to_string());
            return Err(BuildError::OldTool { tool: need.name.into(), path: program, found, minimum: need.minimum });
        }
        tools.push(Tool { name: need.name, program, version: text });
    }
    Ok(Tools { origin: "native", tools })
}

fn python(
    needs: &[&'static Need],
    venv: Option<&Path>,
    logs: &Path,
    observer: &mut dyn Observer,
) -> Result<Tools, BuildError> {
    let environment = Environment::open(venv)?;
    let mut packages: Vec<&str> = needs.iter().map(|n| n.package).collect();
    packages.dedup();
    environment.install(&packages, logs, observer)?;
    let mut tools = Vec::new();
    for need in needs {
        let program = environment.program(need.python);
        let version = match environment.called(need.python) {
            Some(version) => version,
            None => {
                observer
                    .begin("tools", &format!("first call of {}: it compiles itself, a minute or more", need.python));
                let text = match need.version_argument {
                    Some(_) => version(need, &program, logs, observer)?.0,
                    None => environment.pinned(need.package).to_string(),
                };
                environment.set_called(need.python, &text)?;
                text
            }
        };
        tools.push(Tool { name: need.name, program, version });
    }
    Ok(Tools { origin: "python", tools })
}

/// What the program says of itself: the line with its version.
fn version(
    need: &Need,
    program: &Path,
    logs: &Path,
    observer: &mut dyn Observer,
) -> Result<(String, Option<Version>), BuildError> {
    let Some(argument) = need.version_argument else { return Ok(("version unknown".into(), None)) };
    let log = logs.join(format!("{}-version.log", need.name));
    let arguments = vec![argument.into()];
    let call = Call { tool: need.name, program, arguments, folder: logs, log, own_log: false };
    let ended = call.run(observer)?;
    match ended.printed.iter().find_map(|line| Some((line.clone(), Version::find(line)?))) {
        Some((line, version)) => Ok((line, Some(version))),
        None if !ended.status.success() => Err(call.failure(&ended)),
        None => Ok((ended.printed.first().cloned().unwrap_or_default(), None)),
    }
}

/// The first executable of this name on `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let executable = |file: &PathBuf| file.metadata().is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0);
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(executable)
}
