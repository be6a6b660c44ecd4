//! The program under test, run as a user runs it.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{channel, Receiver};
use std::sync::OnceLock;
use std::time::Duration;

/// The program `hayasashi` of this build; it is built if it is not there yet.
pub fn hayasashi() -> Command {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    let path = PATH.get_or_init(|| {
        // …/<profile>/deps/<test> beside …/<profile>/hayasashi
        let test = std::env::current_exe().expect("this program has a path");
        let folder = test.parent().and_then(|deps| deps.parent()).expect("tests run from target/<profile>/deps");
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "hayasashi", "--bin", "hayasashi", "--target-dir"]);
        build.arg(folder.parent().expect("a target folder")).current_dir(env!("CARGO_MANIFEST_DIR"));
        if folder.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "hayasashi does not build");
        folder.join("hayasashi")
    });
    Command::new(path)
}

/// A running program that is talked to line by line, and killed at the end of its test.
pub struct Talk {
    pub child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Talk {
    /// Starts a program; its standard error is left alone.
    pub fn start(command: &mut Command) -> Talk {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let input = child.stdin.take().expect("standard input");
        let output = BufReader::new(child.stdout.take().expect("standard output"));
        let (send, lines) = channel();
        std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Talk { child, input, lines }
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads");
    }

    /// The next line that begins with `start`; lines before it are passed over.
    ///
    /// # Panics
    /// If none comes within a minute.
    pub fn wait(&self, start: &str) -> String {
        loop {
            match self.lines.recv_timeout(Duration::from_secs(60)) {
                Ok(line) if line.starts_with(start) => return line,
                Ok(_) => {}
                Err(_) => panic!("no line '{start}…' within a minute"),
            }
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
