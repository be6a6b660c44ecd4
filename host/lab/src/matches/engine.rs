//! A USI program as a child process.

use super::{virtual_time::Hardware, MatchError};
use hayasashi_boards::process_group::separate;
use std::{
    fmt,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{channel, Receiver, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

/// Time limit for the replies to `usi` and `isready`.
const REPLY_TIMEOUT: Duration = Duration::from_secs(60);
/// How often a waiting match checks for an interrupt.
const INTERRUPT_POLL: Duration = Duration::from_millis(50);

/// How to start an engine, and its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
}

impl EngineSpec {
    /// Reads a command line, split into words as a POSIX shell does, and options written `Name=value`.
    ///
    /// # Errors
    /// An empty command, an open quotation mark, or an option without `=`.
    pub fn parse(command: &str, options: &[String]) -> Result<EngineSpec, MatchError> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| MatchError::Command(command.into()))?;
        let option = |text: &String| match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_string(), value.trim().to_string())),
            _ => Err(MatchError::Option(text.clone())),
        };
        Ok(EngineSpec { command: words, options: options.iter().map(option).collect::<Result<_, _>>()? })
    }
}

impl EngineSpec {
    /// The value of an option, if it is set.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().rev().find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Whether the chip searches by itself.
    pub fn is_chip(&self) -> bool {
        self.option("Search") == Some("chip")
    }

    /// The command with the last `parts` parts of the program's path, and the options.
    fn name(&self, parts: usize) -> String {
        let path: Vec<&str> = self.command[0].split(['/', '\\']).collect();
        let program = path[path.len().saturating_sub(parts)..].join("/");
        let arguments = self.command[1..].iter().map(|argument| format!(" {argument}"));
        let options = self.options.iter().map(|(name, value)| format!(" {name}={value}"));
        arguments.chain(options).fold(program, |name, part| name + &part)
    }

    /// Names of two engines without the folders of their programs, so that results can move between machines. Two programs
    /// of the same name get as many of their folders as tell them apart.
    pub fn names(engines: &[EngineSpec; 2]) -> [String; 2] {
        let [first, second] = engines;
        let depth = |engine: &EngineSpec| engine.command[0].split(['/', '\\']).count();
        let same_program = first.command[0] == second.command[0];
        let differ = |parts: &usize| same_program || first.name(*parts) != second.name(*parts);
        let parts = (1..=depth(first).max(depth(second))).find(differ).unwrap_or(1);
        [first.name(parts), second.name(parts)]
    }
}

/// The search limit of each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveLimit {
    /// A number of nodes.
    Nodes(u64),
    /// A depth in plies.
    Depth(u32),
    /// A time for each move.
    Move(Duration),
    /// A game clock.
    Clock {
        /// Time for the whole game.
        main: Duration,
        /// Added after each move.
        increment: Duration,
        /// Time for each move after the main time is used up.
        byoyomi: Duration,
    },
    /// A time for each move on hardware that the engine does not have: nodes or steps.
    Virtual(Duration, Hardware),
}

impl fmt::Display for MoveLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveLimit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            MoveLimit::Depth(depth) => write!(f, "depth {depth}"),
            MoveLimit::Move(time) => write!(f, "movetime {}", time.as_millis()),
            MoveLimit::Virtual(time, hardware) => write!(f, "{} virtual ms, {hardware}", time.as_millis()),
            MoveLimit::Clock { main, increment, byoyomi } => {
                write!(f, "clock {}+{} byoyomi {}", main.as_millis(), increment.as_millis(), byoyomi.as_millis())
            }
        }
    }
}

/// The move of a `bestmove` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// A move as the engine wrote it; it may be illegal.
    Move(String),
    /// The engine resigns.
    Resign,
    /// The engine declares a win by entering king.
    Win,
}

/// The reply to `go`.
#[derive(Clone, Debug)]
pub struct EngineReply {
    /// The move of the `bestmove` line.
    pub best: BestMove,
    /// The last reported score, in centipawns for the side to move; a mate is ±30000.
    pub score: Option<i32>,
    /// The last reported number of nodes.
    pub nodes: Option<u64>,
    /// Time from `go` to `bestmove`.
    pub elapsed: Duration,
}

/// Why an engine has not replied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineFailure {
    /// The process has exited.
    Exited,
    /// The reply did not come in time.
    NoReply,
    /// The match was interrupted.
    Interrupted,
}

/// A running engine. When dropped, it gets `quit`, and is killed if it does not exit within a second.
pub struct EngineProcess {
    command: String,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl EngineProcess {
    /// Starts an engine, sets its options, and waits until it is ready. `None` when interrupted. `on_note` gets the texts of the
    /// `info string` lines that answer the options and `isready`: an engine that cannot obey an option says so there, and plays on.
    ///
    /// # Errors
    /// A process that does not start, or does not speak USI; an option's file that cannot be opened.
    pub fn start(
        spec: &EngineSpec,
        interrupt: &AtomicBool,
        mut on_note: impl FnMut(&str),
    ) -> Result<Option<EngineProcess>, MatchError> {
        let command = spec.command.join(" ");
        let mut process = Command::new(&spec.command[0]);
        process.args(&spec.command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C at the terminal interrupts the match alone; the match then stops its engines.
        let mut child =
            separate(&mut process).spawn().map_err(|reason| MatchError::Start { command: command.clone(), reason })?;
        let stdin = child.stdin.take().expect("the input is piped");
        let stdout = child.stdout.take().expect("the output is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).trim_end().to_string();
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = EngineProcess { command, child, stdin, lines };
        let mut files = Vec::new();
        if !engine.ask("usi", "usiok", interrupt, |line| files.extend(file_option(line)))? {
            return Ok(None);
        }
        for (name, value) in &spec.options {
            // An engine may play on without a file that is not there.
            if files.contains(name) && !["", "<empty>"].contains(&value.as_str()) {
                let failed = |reason| MatchError::OptionFile { name: name.clone(), value: value.clone(), reason };
                std::fs::File::open(value).map_err(failed)?;
            }
            engine.set_option(name, value);
        }
        let on_line = |line: &str| line.strip_prefix("info string ").into_iter().for_each(&mut on_note);
        Ok(engine.ask("isready", "readyok", interrupt, on_line)?.then_some(engine))
    }

    /// Asks a question of the start and waits for the reply; false when interrupted.
    fn ask(
        &mut self,
        question: &'static str,
        reply: &str,
        interrupt: &AtomicBool,
        on_line: impl FnMut(&str),
    ) -> Result<bool, MatchError> {
        self.send(question);
        let problem = match self.wait(reply, REPLY_TIMEOUT, interrupt, on_line) {
            Ok(_) => return Ok(true),
            Err(EngineFailure::Interrupted) => return Ok(false),
            Err(EngineFailure::Exited) => "the process exited".to_string(),
            Err(EngineFailure::NoReply) => format!("no `{reply}` within {} s", REPLY_TIMEOUT.as_secs()),
        };
        Err(MatchError::Handshake { command: self.command.clone(), question, problem })
    }

    /// Starts a new game.
    ///
    /// # Errors
    /// An engine that does not reply to `isready`.
    pub fn new_game(&mut self, interrupt: &AtomicBool) -> Result<(), EngineFailure> {
        self.send("isready");
        self.wait("readyok", REPLY_TIMEOUT, interrupt, |_| {})?;
        self.send("usinewgame");
        Ok(())
    }

    /// Searches a position. `position` and `go` are the arguments of these two commands.
    ///
    /// # Errors
    /// No `bestmove` within `timeout`.
    pub fn search(
        &mut self,
        position: &str,
        go: &str,
        timeout: Duration,
        interrupt: &AtomicBool,
    ) -> Result<EngineReply, EngineFailure> {
        self.send(&format!("position {position}"));
        let start = Instant::now();
        self.send(&format!("go {go}"));
        let (mut score, mut nodes) = (None, None);
        let line = self.wait("bestmove", timeout, interrupt, |info| {
            score = score_of_info(info).or(score);
            nodes = nodes_of_info(info).or(nodes);
        })?;
        let elapsed = start.elapsed();
        let best = match line.split_ascii_whitespace().nth(1) {
            Some("resign") => BestMove::Resign,
            Some("win") => BestMove::Win,
            text => BestMove::Move(text.unwrap_or("").to_string()),
        };
        Ok(EngineReply { best, score, nodes, elapsed })
    }

    /// Sets an option.
    pub fn set_option(&mut self, name: &str, value: impl fmt::Display) {
        self.send(&format!("setoption name {name} value {value}"));
    }

    /// Sends the result of the game: `win`, `lose` or `draw`.
    pub fn game_over(&mut self, result: &str) {
        self.send(&format!("gameover {result}"));
    }

    /// Sends a line. `wait` reports a process that has exited.
    fn send(&mut self, line: &str) {
        let _ = writeln!(self.stdin, "{line}").and_then(|()| self.stdin.flush());
    }

    /// Waits for a line that begins with the word `reply`; passes the lines before it to `on_line`.
    fn wait(
        &mut self,
        reply: &str,
        timeout: Duration,
        interrupt: &AtomicBool,
        mut on_line: impl FnMut(&str),
    ) -> Result<String, EngineFailure> {
        let deadline = Instant::now() + timeout;
        loop {
            if interrupt.load(Ordering::Relaxed) {
                return Err(EngineFailure::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(INTERRUPT_POLL)) {
                Ok(line) if line.split_ascii_whitespace().next() == Some(reply) => return Ok(line),
                Ok(line) => on_line(&line),
                Err(RecvTimeoutError::Disconnected) => return Err(EngineFailure::Exited),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(EngineFailure::NoReply),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.send("stop");
        self.send("quit");
        let deadline = Instant::now() + Duration::from_secs(1);
        while Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(Some(_)) => return,
                _ => std::thread::sleep(Duration::from_millis(2)),
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The name of an option whose value is a file, from its `option` line.
fn file_option(line: &str) -> Option<String> {
    let (name, kind) = line.strip_prefix("option name ")?.split_once(" type ")?;
    (kind.split(' ').next() == Some("filename")).then(|| name.to_string())
}

/// The score of an `info` line; a mate is ±30000. With MultiPV only the first line counts.
fn score_of_info(line: &str) -> Option<i32> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let multipv = words.clone().skip_while(|w| *w != "multipv").nth(1);
    if multipv.is_some_and(|line| line != "1") {
        return None;
    }
    words.find(|w| *w == "score")?;
    let (kind, value) = (words.next()?, words.next()?);
    match kind {
        "cp" => value.parse::<i32>().ok(),
        "mate" => Some(if value.starts_with('-') { -30_000 } else { 30_000 }),
        _ => None,
    }
}

/// The number of nodes of an `info` line.
fn nodes_of_info(line: &str) -> Option<u64> {
    let mut words = line.split_ascii_whitespace();
    words.next().filter(|&w| w == "info")?;
    // The words after `string` and `pv` are text and moves.
    words.take_while(|w| !["string", "pv"].contains(w)).skip_while(|w| *w != "nodes").nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_files_are_known() {
        assert_eq!(file_option("option name Eval Table type filename default <empty>"), Some("Eval Table".into()));
        assert_eq!(file_option("option name Log type string default filename"), None);
        assert_eq!(file_option("id name type filename"), None);
    }

    #[test]
    fn commands_and_options_are_read() {
        let spec = EngineSpec::parse("'/my dir/engine' usi --x \"a b\"", &["Null Move=false".into()]).unwrap();
        assert_eq!(spec.command, ["/my dir/engine", "usi", "--x", "a b"]);
        assert_eq!(spec.options, [("Null Move".to_string(), "false".to_string())]);
        assert!(EngineSpec::parse("", &[]).is_err());
        assert!(EngineSpec::parse("'open", &[]).is_err());
        assert!(EngineSpec::parse("x", &["NoValue".into()]).is_err());
    }

    #[test]
    fn names_have_no_more_folders_than_needed() {
        let names = |first: &str, second: &str| {
            let parse = |command: &str| EngineSpec::parse(command, &["Hash=1".into()]).unwrap();
            EngineSpec::names(&[parse(first), parse(second)])
        };
        assert_eq!(names("/home/me/bin/one usi", "/opt/two"), ["one usi Hash=1", "two Hash=1"]);
        let builds = names("/home/me/a/release/hayasashi usi", "/home/me/b/release/hayasashi usi");
        assert_eq!(builds, ["a/release/hayasashi usi Hash=1", "b/release/hayasashi usi Hash=1"]);
        assert_eq!(names("/x/one", "/x/one"), ["one Hash=1", "one Hash=1"]);
        assert_eq!(names("one", "/x/one"), ["one Hash=1", "x/one Hash=1"]);
        assert_eq!(names("'C:\\engines\\one.exe'", "two"), ["one.exe Hash=1", "two Hash=1"]);
    }

    #[test]
    fn nodes_are_read() {
        assert_eq!(nodes_of_info("info depth 3 score cp -35 nodes 10 nps 99 pv 7g7f"), Some(10));
        for line in ["info string nodes 3", "info nodes many", "info depth 3", "bestmove nodes 4", ""] {
            assert_eq!(nodes_of_info(line), None, "{line}");
        }
    }

    #[test]
    fn scores_are_read() {
        assert_eq!(score_of_info("info depth 3 score cp -35 nodes 10 pv 7g7f"), Some(-35));
        assert_eq!(score_of_info("info depth 3 score mate 5"), Some(30_000));
        assert_eq!(score_of_info("info depth 3 score mate -0"), Some(-30_000));
        assert_eq!(score_of_info("info depth 3 multipv 1 score cp 20 pv 7g7f"), Some(20));
        assert_eq!(score_of_info("info depth 3 multipv 2 score cp 10 pv 2g2f"), None);
        assert_eq!(score_of_info("info string score cp"), None);
        assert_eq!(score_of_info("bestmove 7g7f"), None);
    }
}
