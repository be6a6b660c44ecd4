//! `monitor`: shows what a board does for another command or for the engine in a GUI.

use super::{
    args::Global,
    session::{say, Exit, Interrupt},
};
use anyhow::Context;
use clap::Args;
use hayasashi_accel::monitor::Line;
use std::{
    fs::File,
    io::{ErrorKind, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    time::Duration,
};

/// Arguments of `monitor`.
#[derive(Args, Debug, Clone)]
#[command(after_long_help = "\
The journal has one JSON object a second (docs/json.md). Another command writes it with `--monitor FILE`, the engine with the USI \
option `MonitorFile`. With `--check-every N` or the USI option `CheckEvery` every N-th batch is also asked of the software \
model; the exit code is 1 if an answer differed.")]
pub struct MonitorArguments {
    /// The journal that another command or the engine writes.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Time between two looks for more lines.
const POLL: Duration = Duration::from_millis(100);
/// Rows between two headings.
const ROWS: usize = 20;

/// Follows the journal until its last line, or Ctrl-C.
pub fn run(global: &Global, arguments: &MonitorArguments) -> anyhow::Result<Exit> {
    let interrupt = Interrupt::install(|| {})?;
    let file = &arguments.file;
    let mut journal = None;
    let mut rows = 0;
    let mut differs = false;
    while !interrupt.is_set() {
        let Some(tail) = &mut journal else {
            journal = Tail::open(file)?;
            if journal.is_none() {
                if rows == 0 && !global.quiet {
                    eprintln!("waiting for `{}`", file.display());
                    rows = 1;
                }
                std::thread::sleep(POLL);
            } else {
                rows = 0;
            }
            continue;
        };
        let Some(text) = tail.next().with_context(|| format!("cannot read `{}`", file.display()))? else {
            std::thread::sleep(POLL);
            continue;
        };
        let line: Line = serde_json::from_str(&text).with_context(|| {
            let hint = "hint: name the file of `--monitor FILE`, or of the USI option `MonitorFile`";
            format!("`{}` is not a monitor's journal; {hint}", file.display())
        })?;
        if global.json {
            say(&text)?;
        } else {
            if rows % ROWS == 0 {
                say(Line::heading())?;
            }
            rows += 1;
            say(line.row())?;
        }
        if let (false, Some(first)) = (differs || global.json, &line.totals.first_difference) {
            say(first)?;
        }
        differs = line.totals.differences > 0;
        if line.last {
            return Ok(if differs { Exit::Differs } else { Exit::Done });
        }
    }
    Ok(Exit::Interrupted)
}

/// The lines of a file that another program is writing.
struct Tail {
    file: File,
    read: u64,
    rest: Vec<u8>,
}

impl Tail {
    /// `None` if the file does not exist yet.
    fn open(path: &Path) -> anyhow::Result<Option<Tail>> {
        match File::open(path) {
            Ok(file) => Ok(Some(Tail { file, read: 0, rest: Vec::new() })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error)
                .with_context(|| format!("cannot open `{}`; hint: name a file that you may read", path.display())),
        }
    }

    /// The next whole line; `None` if there is none yet.
    fn next(&mut self) -> std::io::Result<Option<String>> {
        if self.file.metadata()?.len() < self.read {
            // A new run has begun the file anew.
            (self.read, self.rest) = (0, Vec::new());
            self.file.seek(SeekFrom::Start(0))?;
        }
        let mut buffer = [0; 4096];
        let end = loop {
            if let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
                break end;
            }
            match self.file.read(&mut buffer)? {
                0 => return Ok(None),
                bytes => {
                    self.read += bytes as u64;
                    self.rest.extend_from_slice(&buffer[..bytes]);
                }
            }
        };
        let line: Vec<u8> = self.rest.drain(..=end).collect();
        Ok(Some(String::from_utf8_lossy(&line[..end]).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn whole_lines_are_read_as_they_come_and_from_the_start_of_a_new_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        assert!(Tail::open(&path).unwrap().is_none());
        let mut writer = File::create(&path).unwrap();
        let mut tail = Tail::open(&path).unwrap().unwrap();
        write!(writer, "one\ntw").unwrap();
        assert_eq!(tail.next().unwrap().as_deref(), Some("one"));
        assert_eq!(tail.next().unwrap(), None);
        writeln!(writer, "o").unwrap();
        assert_eq!(tail.next().unwrap().as_deref(), Some("two"));
        writeln!(File::create(&path).unwrap(), "new").unwrap();
        assert_eq!(tail.next().unwrap().as_deref(), Some("new"));
    }
}
