//! The program under test, built once for each test process, and ways to run it.
#![allow(dead_code)]

use std::{
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, Command, Output, Stdio},
    sync::{mpsc, OnceLock},
    time::Duration,
};

/// The binary of the profile that this test was built with.
pub fn binary() -> &'static PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        // …/target/<profile>/deps/<test>
        let test = std::env::current_exe().expect("a test knows its path");
        let profile = test.parent().and_then(|deps| deps.parent()).expect("tests lie in <profile>/deps");
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .args(["build", "--quiet", "-p", "hayasashi", "--bin", "hayasashi"])
            .current_dir(env!("CARGO_MANIFEST_DIR"));
        cargo.env("CARGO_TARGET_DIR", profile.parent().expect("a profile lies in the target folder"));
        match profile.file_name().and_then(|n| n.to_str()) {
            Some("debug") | None => {}
            Some(name) => {
                cargo.args(["--profile", name]);
            }
        }
        assert!(cargo.status().expect("cargo runs").success(), "the program does not build");
        profile.join("hayasashi")
    })
}

/// A command of the program.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs it with this standard input.
pub fn run_with(arguments: &[&str], input: &str) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    // A program that has enough may close its input.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

/// Runs it and gives exit code, standard output and standard error.
pub fn run(arguments: &[&str]) -> (i32, String, String) {
    told(run_with(arguments, ""))
}

/// Exit code, standard output and standard error.
pub fn told(output: Output) -> (i32, String, String) {
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(output.stdout).expect("output is UTF-8"),
        String::from_utf8(output.stderr).expect("messages are UTF-8"),
    )
}

/// An engine in a USI session.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
}

impl Session {
    /// Starts an engine on the software model and greets it.
    pub fn start() -> Session {
        let mut child = command(&["usi", "--backend", "model"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let (to, lines) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if to.send(line).is_err() {
                    break;
                }
            }
        });
        let stdin = child.stdin.take();
        let mut session = Session { child, stdin, lines };
        session.send("usi");
        session.until("usiok");
        session.send("setoption name USI_Hash value 16");
        session.send("setoption name NetworkDelay value 10");
        session.send("isready");
        session.until("readyok");
        session
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().expect("the session is open"), "{line}").expect("the engine reads");
    }

    /// The next line, if one comes in time.
    pub fn line(&mut self, wait: Duration) -> Option<String> {
        self.lines.recv_timeout(wait).ok()
    }

    /// All lines up to the first that begins so.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.line(Duration::from_secs(60)) {
                Some(line) if line.starts_with(beginning) => {
                    seen.push(line);
                    return seen;
                }
                Some(line) => seen.push(line),
                None => panic!("no `{beginning}` came; so far: {seen:#?}"),
            }
        }
    }

    /// The first line that begins so.
    pub fn answer(&mut self, beginning: &str) -> String {
        self.until(beginning).pop().expect("the line itself is in the list")
    }

    /// Sends `quit` and expects a clean end.
    pub fn quit(mut self) {
        self.send("quit");
        self.stdin = None;
        assert!(self.child.wait().expect("the engine ends").success());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
