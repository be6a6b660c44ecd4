//! A tool as a child process: its log, its live lines, its death by Ctrl-C.

use super::{live, observer::Observer, BuildError};
use nix::{
    sys::signal::{killpg, Signal},
    unistd::Pid,
};
use std::{
    collections::VecDeque,
    ffi::OsString,
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{channel, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// Lines of standard output and error that are kept for a message.
const KEPT: usize = 60;
/// How often the tool, its log and the observer are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How long a tool may take to end after it is asked to.
const GRACE: Duration = Duration::from_secs(2);

/// What to run.
#[derive(Debug)]
pub struct Call<'a> {
    /// The tool's name for messages.
    pub tool: &'a str,
    /// The program.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it runs in.
    pub folder: &'a Path,
    /// Where its log is kept.
    pub log: PathBuf,
    /// Whether the tool was told to write `log` itself (yosys through WebAssembly loses the end of what it prints).
    pub own_log: bool,
}

/// How a tool ended.
#[derive(Debug)]
pub struct Ended {
    /// Its exit status.
    pub status: ExitStatus,
    /// The last lines it printed.
    pub printed: Vec<String>,
}

impl Call<'_> {
    /// Runs the tool to its end. On Ctrl-C the tool and its own children are ended, too.
    pub fn run(&self, observer: &mut dyn Observer) -> Result<Ended, BuildError> {
        let _ = std::fs::remove_file(&self.log);
        let mut log = match self.own_log {
            true => Log::Read { path: &self.log, offset: 0, rest: Vec::new() },
            false => Log::Written(File::create(&self.log).map_err(BuildError::io("write", &self.log))?),
        };
        let mut command = Command::new(self.program);
        command.args(&self.arguments).current_dir(self.folder).process_group(0);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|source| BuildError::Start {
            path: self.program.into(),
            source,
            hint: "is it installed whole, and may it be executed?",
        })?;
        let mut group = Group(child);
        let lines = lines_of(&mut group.0);
        let mut printed = VecDeque::new();
        let status = loop {
            let waited = Instant::now();
            let mut next = lines.recv_timeout(TICK);
            while let Ok(line) = next {
                log.write(&line).map_err(BuildError::io("write", &self.log))?;
                keep(&mut printed, line, observer);
                next = match waited.elapsed() < TICK {
                    true => lines.try_recv().map_err(|_| RecvTimeoutError::Timeout),
                    false => Err(RecvTimeoutError::Timeout),
                };
            }
            if next == Err(RecvTimeoutError::Disconnected) {
                thread::sleep(TICK / 2);
            }
            log.follow(|line| show(line, observer));
            if observer.stopped() {
                return Err(BuildError::Stopped);
            }
            match group.0.try_wait() {
                Ok(None) => {}
                Ok(Some(status)) => break status,
                Err(source) => return Err(BuildError::io("wait for", self.program)(source)),
            }
        };
        while let Ok(line) = lines.recv_timeout(GRACE) {
            log.write(&line).map_err(BuildError::io("write", &self.log))?;
            keep(&mut printed, line, observer);
        }
        Ok(Ended { status, printed: printed.into() })
    }

    /// The same, where a failure is an error that shows the tool's own words.
    pub fn run_well(&self, observer: &mut dyn Observer) -> Result<Ended, BuildError> {
        let ended = self.run(observer)?;
        match ended.status.success() {
            true => Ok(ended),
            false => Err(self.failure(&ended)),
        }
    }

    /// The error of a tool that failed.
    pub fn failure(&self, ended: &Ended) -> BuildError {
        let logged = std::fs::read(&self.log).unwrap_or_default();
        let logged = String::from_utf8_lossy(&logged);
        let printed = ended.printed.join("\n");
        let complaint = complaint(&logged).or_else(|| complaint(&printed)).unwrap_or_else(|| last(&printed, &logged));
        let status = ended.status.to_string();
        BuildError::Tool { tool: self.tool.into(), status, complaint, log: self.log.clone() }
    }
}

/// The lines of a log in which a tool says what is wrong, at most the last four.
pub fn complaint(text: &str) -> Option<String> {
    let wrong = |line: &&str| {
        let word = line.trim_start();
        line.contains("ERROR") || word.starts_with("error:") || word.starts_with("Error:") || line.contains(": error:")
    };
    let lines: Vec<&str> = text.lines().filter(wrong).collect();
    let from = lines.len().saturating_sub(4);
    (!lines.is_empty()).then(|| lines[from..].join("\n"))
}

/// The last six lines of whichever text has any.
fn last(printed: &str, logged: &str) -> String {
    let text = if printed.trim().is_empty() { logged } else { printed };
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    match lines.is_empty() {
        true => "(it said nothing)".into(),
        false => lines[lines.len().saturating_sub(6)..].join("\n"),
    }
}

fn keep(printed: &mut VecDeque<String>, line: String, observer: &mut dyn Observer) {
    show(&line, observer);
    if printed.len() == KEPT {
        printed.pop_front();
    }
    printed.push_back(line);
}

fn show(line: &str, observer: &mut dyn Observer) {
    if let Some(words) = live::told(line) {
        observer.live(&words);
    }
}

/// A log that the tool writes, or that is written for it.
enum Log<'a> {
    Written(File),
    Read { path: &'a Path, offset: u64, rest: Vec<u8> },
}

impl Log<'_> {
    fn write(&mut self, line: &str) -> std::io::Result<()> {
        match self {
            Log::Written(file) => writeln!(file, "{line}"),
            Log::Read { .. } => Ok(()),
        }
    }

    /// Gives the lines that were added. A log that cannot be read is no reason to fail: it is only shown.
    fn follow(&mut self, mut line: impl FnMut(&str)) {
        let Log::Read { path, offset, rest } = self else { return };
        let Ok(mut file) = File::open(path) else { return };
        let start = rest.len();
        if file.seek(SeekFrom::Start(*offset)).is_err() || file.read_to_end(rest).is_err() {
            return;
        }
        *offset += (rest.len() - start) as u64;
        let Some(end) = rest.iter().rposition(|b| *b == b'\n') else { return };
        String::from_utf8_lossy(&rest[..end]).lines().for_each(&mut line);
        rest.drain(..=end);
    }
}

/// A child that leads a process group; what is still running at the end of its scope is killed.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        let group = Pid::from_raw(self.0.id() as i32);
        let _ = killpg(group, Signal::SIGTERM);
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            if matches!(self.0.try_wait(), Ok(Some(_))) {
                break;
            }
            thread::sleep(TICK / 2);
        }
        // Also what the tool itself has started, and what did not listen.
        let _ = killpg(group, Signal::SIGKILL);
        let _ = self.0.wait();
    }
}

/// The lines of both outputs, as they come.
fn lines_of(child: &mut Child) -> Receiver<String> {
    let (to, lines) = channel();
    let outputs: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|o| Box::new(o) as Box<dyn Read + Send>),
        child.stderr.take().map(|o| Box::new(o) as Box<dyn Read + Send>),
    ];
    for output in outputs.into_iter().flatten() {
        let to = to.clone();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while output.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                let text = String::from_utf8_lossy(&line).trim_end().to_string();
                line.clear();
                if to.send(text).is_err() {
                    break;
                }
            }
        });
    }
    lines
}
