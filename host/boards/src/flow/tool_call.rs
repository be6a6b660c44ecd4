//! A tool as a child process: its log, its progress, and its end on Ctrl-C.

use super::{progress::Observer, progress_line, BuildError};
use crate::process_group;
use std::{
    collections::VecDeque,
    ffi::OsString,
    fs::File,
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{channel, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// Last lines of standard output and error that are kept for error messages.
const KEPT_LINES: usize = 60;
/// How often the tool, its log and the observer are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// How long a tool may take to end after a request to terminate.
const GRACE: Duration = Duration::from_secs(2);

/// A call of a tool.
#[derive(Debug)]
pub struct ToolCall<'a> {
    /// The tool's name in messages.
    pub tool: &'a str,
    /// The program.
    pub program: &'a Path,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The folder it runs in.
    pub folder: &'a Path,
    /// Path of its log.
    pub log: PathBuf,
    /// Whether the tool writes `log` itself (yosys under WebAssembly loses the end of its standard output).
    pub own_log: bool,
}

/// A call that has ended.
#[derive(Debug)]
pub struct FinishedCall {
    /// Its exit status.
    pub status: ExitStatus,
    /// The last lines it printed.
    pub printed: Vec<String>,
}

impl ToolCall<'_> {
    /// Runs the tool until it ends. On Ctrl-C the tool and its own children are killed.
    ///
    /// # Errors
    /// If the tool does not start, its log cannot be written, or the observer stops the build. A tool that fails is no error
    /// here.
    pub fn run(&self, observer: &mut dyn Observer) -> Result<FinishedCall, BuildError> {
        let _ = std::fs::remove_file(&self.log);
        let mut log = match self.own_log {
            true => Log::Read { path: &self.log, offset: 0, rest: Vec::new() },
            false => Log::Written(File::create(&self.log).map_err(BuildError::io("write", &self.log))?),
        };
        let mut command = Command::new(self.program);
        process_group::separate(&mut command).args(&self.arguments).current_dir(self.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|source| BuildError::Start {
            path: self.program.into(),
            source,
            hint: "check that it is installed completely and is executable",
        })?;
        let mut group = ChildGroup(child);
        let lines = lines_of(&mut group.0);
        let mut printed = VecDeque::new();
        let status = loop {
            let waited = Instant::now();
            let mut next = lines.recv_timeout(POLL_INTERVAL);
            while let Ok(line) = next {
                log.write(&line).map_err(BuildError::io("write", &self.log))?;
                keep(&mut printed, line, observer);
                next = match waited.elapsed() < POLL_INTERVAL {
                    true => lines.try_recv().map_err(|_| RecvTimeoutError::Timeout),
                    false => Err(RecvTimeoutError::Timeout),
                };
            }
            if next == Err(RecvTimeoutError::Disconnected) {
                thread::sleep(POLL_INTERVAL / 2);
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
        Ok(FinishedCall { status, printed: printed.into() })
    }

    /// Like [`ToolCall::run`], but a tool that fails is an error, which quotes the tool's messages.
    pub fn run_checked(&self, observer: &mut dyn Observer) -> Result<FinishedCall, BuildError> {
        let ended = self.run(observer)?;
        match ended.status.success() {
            true => Ok(ended),
            false => Err(self.failure(&ended)),
        }
    }

    /// The error of a tool that failed.
    pub fn failure(&self, ended: &FinishedCall) -> BuildError {
        let logged = std::fs::read(&self.log).unwrap_or_default();
        let logged = String::from_utf8_lossy(&logged);
        let printed = ended.printed.join("\n");
        let messages = error_lines(&logged).or_else(|| error_lines(&printed));
        let messages = messages.unwrap_or_else(|| last_lines(&printed, &logged));
        let status = ended.status.to_string();
        // A placement that nextpnr's router for Xilinx devices cannot begin with.
        let hint = match messages.contains("attempting to reserve sink input path") {
            true => "a different placement may do: try another `--seed`; ",
            false => "",
        };
        BuildError::Tool { tool: self.tool.into(), status, messages, hint, log: self.log.clone() }
    }
}

/// The error messages in a log, at most the last four.
pub fn error_lines(text: &str) -> Option<String> {
    let is_error = |line: &&str| {
        let word = line.trim_start();
        line.contains("ERROR") || word.starts_with("error:") || word.starts_with("Error:") || line.contains(": error:")
    };
    let lines: Vec<&str> = text.lines().filter(is_error).collect();
    let from = lines.len().saturating_sub(4);
    (!lines.is_empty()).then(|| lines[from..].join("\n"))
}

/// The last six lines of the standard output, or of the log if the tool printed nothing.
fn last_lines(printed: &str, logged: &str) -> String {
    let text = if printed.trim().is_empty() { logged } else { printed };
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    match lines.is_empty() {
        true => "(no message)".into(),
        false => lines[lines.len().saturating_sub(6)..].join("\n"),
    }
}

fn keep(printed: &mut VecDeque<String>, line: String, observer: &mut dyn Observer) {
    show(&line, observer);
    if printed.len() == KEPT_LINES {
        printed.pop_front();
    }
    printed.push_back(line);
}

fn show(line: &str, observer: &mut dyn Observer) {
    if let Some(step) = progress_line::summarize(line) {
        observer.step(&step);
    }
}

/// A log that the tool writes itself, or that this program writes from the tool's output.
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

    /// Calls `line` for each new line. A log that cannot be read is skipped, because its lines are only shown.
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

/// A child that leads a process group. What is still running when this is dropped is killed.
struct ChildGroup(Child);

impl Drop for ChildGroup {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        process_group::terminate(&self.0);
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            if matches!(self.0.try_wait(), Ok(Some(_))) {
                break;
            }
            thread::sleep(POLL_INTERVAL / 2);
        }
        // Also the tool's own children, and processes that ignore the request.
        process_group::kill(&mut self.0);
        let _ = self.0.wait();
    }
}

/// The lines of both outputs in the order of their arrival.
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
