//! The program under test, which is built once per test process, and functions to run it.

use std::{
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio},
    sync::{mpsc, OnceLock},
    time::{Duration, Instant},
};

/// The program for GUIs, `hayasashi-usi`, beside [`binary`].
pub fn usi_binary() -> PathBuf {
    binary().with_file_name(format!("hayasashi-usi{}", std::env::consts::EXE_SUFFIX))
}

/// The binary of the profile that this test was built with.
pub fn binary() -> &'static PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        // …/target/<profile>/deps/<test>
        let test = std::env::current_exe().expect("a test knows its path");
        let profile = test.parent().and_then(|deps| deps.parent()).expect("tests lie in <profile>/deps");
        let mut cargo = Command::new(env!("CARGO"));
        // The whole workspace, so that the dependencies have the features with which they are compiled already.
        cargo.args(["build", "--quiet", "--workspace", "--bins"]).current_dir(env!("CARGO_MANIFEST_DIR"));
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

/// The program with these arguments and an empty standard input.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program with this standard input.
pub fn run_with(arguments: &[&str], input: &str) -> Output {
    patient(command(arguments)).write_stdin(input).output().expect("the program starts")
}

/// Runs a command.
pub fn output(command: Command) -> Output {
    patient(command).output().expect("the program starts")
}

/// A command that is killed when it takes too long.
fn patient(command: Command) -> assert_cmd::Command {
    let mut command = assert_cmd::Command::from_std(command);
    command.timeout(PATIENCE);
    command
}

/// Runs the program. Returns its exit code, standard output and standard error.
pub fn run(arguments: &[&str]) -> (i32, String, String) {
    texts(run_with(arguments, ""))
}

/// The exit code, standard output and standard error of a finished program.
pub fn texts(output: Output) -> (i32, String, String) {
    (
        output.status.code().unwrap_or(-1),
        String::from_utf8(output.stdout).expect("output is UTF-8"),
        String::from_utf8(output.stderr).expect("messages are UTF-8"),
    )
}

/// The longest wait for a line of a program, or for its end: far longer than any takes, even on a busy machine. It ends tests that hang.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Waits for the end of a program.
pub fn ended(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            return status;
        }
        assert!(begun.elapsed() < PATIENCE, "the program does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills a process by its number; returns whether there was one.
pub fn kill(process: &str) -> bool {
    let mut shell = Command::new("sh");
    shell.args(["-c", "kill -9 \"$1\"", "sh", process]).stderr(Stdio::null());
    shell.status().is_ok_and(|status| status.success())
}

/// A running program that reads and writes lines. It is killed when this is dropped.
pub struct Session {
    /// The process.
    pub child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
}

impl Session {
    /// Starts the program.
    pub fn open(arguments: &[&str]) -> Session {
        Session::start(command(arguments))
    }

    /// Starts this command.
    pub fn start(mut command: Command) -> Session {
        let mut child = command
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
        Session { child, stdin, lines }
    }

    /// Starts the engine on a back end and sends `usi` and `isready`.
    pub fn engine(backend: &str) -> Session {
        let mut session = Session::open(&["usi", "--backend", backend]);
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

    /// The next line, if it comes within this time.
    pub fn line(&mut self, wait: Duration) -> Option<String> {
        self.lines.recv_timeout(wait).ok()
    }

    /// All lines up to the first with this beginning.
    pub fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.line(PATIENCE) {
                Some(line) if line.starts_with(beginning) => {
                    lines.push(line);
                    return lines;
                }
                Some(line) => lines.push(line),
                None => panic!("no line begins with `{beginning}`; the lines so far: {lines:#?}"),
            }
        }
    }

    /// The next line with this beginning.
    pub fn answer(&mut self, beginning: &str) -> String {
        self.until(beginning).pop().expect("the line itself is in the list")
    }

    /// The back end by which a virtual board on TCP is reached.
    pub fn tcp_backend(&mut self) -> String {
        self.answer("tcp:").split(' ').next().expect("its first word").to_string()
    }

    /// Lets the engine search the initial position, and waits until it is under way.
    pub fn begin_search(&mut self, milliseconds: u32) {
        self.send("position startpos");
        self.send(&format!("go movetime {milliseconds}"));
        self.answer("info depth 2");
    }

    /// Kills the program.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends `quit` and expects a clean end.
    pub fn quit(mut self) {
        self.send("quit");
        self.stdin = None;
        assert!(ended(&mut self.child).success());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
