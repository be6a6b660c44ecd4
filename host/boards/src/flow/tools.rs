//! The choice of tools: native programs that are new enough, or those of the private virtual environment.

use super::{
    progress::Observer,
    tool_call::ToolCall,
    tool_options::{PypiTool, ToolSpec},
    venv::Environment,
    version::Version,
    BuildError,
};
use std::path::{Path, PathBuf};

/// The source of the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolSource {
    /// Native programs if all are installed and new enough, else PyPI packages.
    Auto,
    /// Programs on `PATH`.
    Native,
    /// PyPI packages in a virtual environment that this program creates; native programs where PyPI has none.
    Python,
}

/// An installed program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name in messages.
    pub name: &'static str,
    /// The program.
    pub program: PathBuf,
    /// The version that it reports, or the version of its package.
    pub version: String,
}

/// The programs of a build, all from one source as far as PyPI has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tools {
    /// `native`, `python` or `mixed`.
    pub origin: &'static str,
    tools: Vec<Tool>,
}

impl Tools {
    /// The program for a tool that was given to [`Tools::choose`].
    ///
    /// # Panics
    /// For another tool.
    pub fn of(&self, spec: &ToolSpec) -> &Tool {
        self.tools.iter().find(|t| t.name == spec.name).expect("every tool of the flow was chosen")
    }

    /// All of them.
    pub fn all(&self) -> &[Tool] {
        &self.tools
    }

    /// Finds the needed tools, and installs them if necessary. `venv` is the folder of the virtual environment if it is not
    /// the default one. The folder `logs` must exist.
    ///
    /// # Errors
    /// If a tool is missing, too old or cannot be installed.
    pub fn choose(
        source: ToolSource,
        needed: &[&'static ToolSpec],
        venv: Option<&Path>,
        logs: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Tools, BuildError> {
        // First the tools that PyPI does not have: if one is missing, nothing need be installed.
        let (anywhere, native_only): (Vec<_>, Vec<_>) = needed.iter().partition(|spec| spec.pypi.is_some());
        let Tools { tools: found, .. } = native(&native_only, logs, observer)?;
        let mut tools = match source {
            ToolSource::Native => native(&anywhere, logs, observer),
            ToolSource::Python => python(&anywhere, venv, logs, observer),
            ToolSource::Auto => match native(&anywhere, logs, observer) {
                Err(why @ (BuildError::NoTool { .. } | BuildError::OldTool { .. } | BuildError::Start { .. })) => {
                    let why = why.to_string();
                    let why = why.split("; hint").next().unwrap_or_default();
                    observer.note(&format!("using the PyPI packages: {why}"));
                    python(&anywhere, venv, logs, observer)
                }
                done => done,
            },
        }?;
        if tools.origin == "python" && !found.is_empty() {
            tools.origin = "mixed";
        }
        tools.tools.extend(found);
        Ok(tools)
    }
}

fn native(needed: &[&'static ToolSpec], logs: &Path, observer: &mut dyn Observer) -> Result<Tools, BuildError> {
    let mut tools = Vec::new();
    for spec in needed {
        let program = spec
            .native
            .iter()
            .find_map(|name| on_path(name))
            .ok_or_else(|| BuildError::NoTool { tool: spec.name.into(), cure: spec.cure() })?;
        let (text, version) = version(spec, &program, logs, observer)?;
        let new_enough = spec.version_argument.is_none() || version.is_some_and(|v| v >= spec.minimum);
        if !new_enough {
            let found = version.map_or(text, |version| version.to_string());
            let (tool, minimum, cure) = (spec.name.into(), spec.minimum, spec.cure());
            return Err(BuildError::OldTool { tool, path: program, found, minimum, cure });
        }
        tools.push(Tool { name: spec.name, program, version: text });
    }
    Ok(Tools { origin: "native", tools })
}

fn python(
    needed: &[&'static ToolSpec],
    venv: Option<&Path>,
    logs: &Path,
    observer: &mut dyn Observer,
) -> Result<Tools, BuildError> {
    let environment = Environment::open(venv)?;
    let needed: Vec<(&ToolSpec, PypiTool)> = needed.iter().filter_map(|spec| Some((*spec, spec.pypi?))).collect();
    let mut packages: Vec<&str> = needed.iter().map(|(_, pypi)| pypi.package).collect();
    packages.dedup();
    environment.install(&packages, logs, observer)?;
    let mut tools = Vec::new();
    for (spec, pypi) in needed {
        let program = environment.program(pypi.program);
        let version = match environment.recorded_version(pypi.program) {
            Some(version) => version,
            None => {
                observer.begin(
                    "tools",
                    &format!("first call of {}: it compiles itself, which takes a minute or more", pypi.program),
                );
                let text = match spec.version_argument {
                    Some(_) => version(spec, &program, logs, observer)?.0,
                    None => environment.pinned(pypi.package).to_string(),
                };
                environment.record_version(pypi.program, &text)?;
                text
            }
        };
        tools.push(Tool { name: spec.name, program, version });
    }
    Ok(Tools { origin: "python", tools })
}

/// The line in which the program reports its version, and the version in it.
fn version(
    spec: &ToolSpec,
    program: &Path,
    logs: &Path,
    observer: &mut dyn Observer,
) -> Result<(String, Option<Version>), BuildError> {
    let Some(argument) = spec.version_argument else { return Ok(("version unknown".into(), None)) };
    let log = logs.join(format!("{}-version.log", spec.name));
    let arguments = vec![argument.into()];
    let call = ToolCall { tool: spec.name, program, arguments, folder: logs, log, own_log: false };
    let ended = call.run(observer)?;
    match ended.printed.iter().find_map(|line| Some((line.clone(), Version::find(line)?))) {
        Some((line, version)) => Ok((line, Some(version))),
        None if !ended.status.success() => Err(call.failure(&ended)),
        None => Ok((ended.printed.first().cloned().unwrap_or_default(), None)),
    }
}

/// The first executable of this name on `PATH`.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let file_name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&file_name))
        .find(|file| is_executable(file))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}
