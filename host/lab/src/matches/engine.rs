//! A USI program as a child process.

use super::DuelError;
use std::{
    fmt,
    io::{BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{channel, Receiver, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

/// How long an engine may take to start, and between games.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often a waiting match looks whether it was interrupted.
const GLANCE: Duration = Duration::from_millis(50);

/// How to start an engine, and its options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Options to set, in order.
    pub options: Vec<(String, String)>,
}

impl EngineSpec {
    /// Reads a command line (quotation marks keep words together) and options written `Name=value`.
    pub fn parse(command: &str, options: &[String]) -> Result<EngineSpec, DuelError> {
        let words = words(command).filter(|w| !w.is_empty()).ok_or_else(|| DuelError::Command(command.into()))?;
        let option = |text: &String| match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_string(), value.trim().to_string())),
            _ => Err(DuelError::Option(text.clone())),
        };
        Ok(EngineSpec { command: words, options: options.iter().map(option).collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for EngineSpec {
    /// The command and the options, as they identify an engine in results.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.command.join(" "))?;
        self.options.iter().try_for_each(|(name, value)| write!(f, " {name}={value}"))
    }
}

/// Words of a command line; `None` when a quotation mark is left open.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// What an engine may spend on each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Nodes.
    Nodes(u64),
    /// Plies.
    Depth(u32),
    /// This time for each move.
    Move(Duration),
    /// A game clock.
    Clock {
        /// For the whole game.
        main: Duration,
        /// Added after each move.
        increment: Duration,
        /// For each move once the main time has been used up.
        byoyomi: Duration,
    },
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Pace::Depth(depth) => write!(f, "depth {depth}"),
            Pace::Move(time) => write!(f, "movetime {}", time.as_millis()),
            Pace::Clock { main, increment, byoyomi } => {
                write!(f, "clock {}+{} byoyomi {}", main.as_millis(), increment.as_millis(), byoyomi.as_millis())
            }
        }
    }
}

/// What an engine wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Best {
    /// Play this, which need not be a legal move.
    Move(String),
    /// Resign.
    Resign,
    /// Declare a win by entering king.
    Win,
}

/// The answer to `go`.
#[derive(Clone, Debug)]
pub struct EngineReply {
    /// What the engine wants.
    pub best: Best,
    /// The last score told, in centipawns for the mover; mates are ±30000.
    pub score: Option<i32>,
    /// The last number of nodes told.
    pub nodes: Option<u64>,
    /// From `go` to `bestmove`.
    pub elapsed: Duration,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The process has ended.
    Ended,
    /// It does not answer in time.
    Silent,
    /// The match was interrupted.
    Interrupted,
}

/// An engine at work. Dropped, it is told to quit, and killed when it does not.
pub struct EngineProcess {
    command: String,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl EngineProcess {
    /// Starts an engine, sets its options, and waits until it is ready.
    pub fn start(spec: &EngineSpec, interrupt: &AtomicBool) -> Result<Option<EngineProcess>, DuelError> {
        let command = spec.command.join(" ");
        // A process group of its own: a Ctrl-C at the terminal is for the match, which ends its engines itself.
        let mut child = Command::new(&spec.command[0])
            .args(&spec.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(|reason| DuelError::Start { command: command.clone(), reason })?;
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
        let ask = |engine: &mut EngineProcess, question: &'static str, answer: &str| {
            engine.send(question);
            match engine.wait(answer, PATIENCE, interrupt, |_| {}) {
                Ok(_) => Ok(true),
                Err(Lost::Interrupted) => Ok(false),
                Err(lost) => {
                    let what = match lost {
                        Lost::Ended => "it ended".to_string(),
                        _ => format!("no `{answer}` within {} s", PATIENCE.as_secs()),
                    };
                    Err(DuelError::Greeting { command: engine.command.clone(), question, what })
                }
            }
        };
        if !ask(&mut engine, "usi", "usiok")? {
            return Ok(None);
        }
        for (name, value) in &spec.options {
            engine.send(&format!("setoption name {name} value {value}"));
        }
        Ok(ask(&mut engine, "isready", "readyok")?.then_some(engine))
    }

    /// Begins a new game.
    pub fn new_game(&mut self, interrupt: &AtomicBool) -> Result<(), Lost> {
        self.send("isready");
        self.wait("readyok", PATIENCE, interrupt, |_| {})?;
        self.send("usinewgame");
        Ok(())
    }

    /// Asks for a move. `position` is what follows `position `, `go` what follows `go `.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        patience: Duration,
        interrupt: &AtomicBool,
    ) -> Result<EngineReply, Lost> {
        self.send(&format!("position {position}"));
        let begun = Instant::now();
        self.send(&format!("go {go}"));
        let (mut score, mut nodes) = (None, None);
        let line = self.wait("bestmove", patience, interrupt, |info| {
            score = told_score(info).or(score);
            nodes = told_nodes(info).or(nodes);
        })?;
        let elapsed = begun.elapsed();
        let best = match line.split_ascii_whitespace().nth(1) {
            Some("resign") => Best::Resign,
            Some("win") => Best::Win,
            text => Best::Move(text.unwrap_or("").to_string()),
        };
        Ok(EngineReply { best, score, nodes, elapsed })
    }

    /// Tells how the game ended: `win`, `lose` or `draw`.
    pub fn game_over(&mut self, how: &str) {
        self.send(&format!("gameover {how}"));
    }

    /// Sends a line. A process that has gone is noticed when its answer is awaited.
    fn send(&mut self, line: &str) {
        let _ = writeln!(self.stdin, "{line}").and_then(|()| self.stdin.flush());
    }

    /// Waits for a line that begins with the word `answer`; the lines before it go to `hear`.
    fn wait(
        &mut self,
        answer: &str,
        patience: Duration,
        interrupt: &AtomicBool,
        mut hear: impl FnMut(&str),
    ) -> Result<String, Lost> {
        let deadline = Instant::now() + patience;
        loop {
            if interrupt.load(Ordering::Relaxed) {
                return Err(Lost::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) if line.split_ascii_whitespace().next() == Some(answer) => return Ok(line),
                Ok(line) => hear(&line),
                Err(RecvTimeoutError::Disconnected) => return Err(Lost::Ended),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Lost::Silent),
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

/// The score of an `info` line; mates are ±30000. Of several lines the first counts.
fn told_score(line: &str) -> Option<i32> {
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
fn told_nodes(line: &str) -> Option<u64> {
    let mut words = line.split_ascii_whitespace();
    words.next().filter(|&w| w == "info")?;
    // What follows `string` and `pv` is no number of nodes.
    words.take_while(|w| !["string", "pv"].contains(w)).skip_while(|w| *w != "nodes").nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn nodes_are_read() {
        assert_eq!(told_nodes("info depth 3 score cp -35 nodes 10 nps 99 pv 7g7f"), Some(10));
        for line in ["info string nodes 3", "info nodes many", "info depth 3", "bestmove nodes 4", ""] {
            assert_eq!(told_nodes(line), None, "{line}");
        }
    }

    #[test]
    fn scores_are_read() {
        assert_eq!(told_score("info depth 3 score cp -35 nodes 10 pv 7g7f"), Some(-35));
        assert_eq!(told_score("info depth 3 score mate 5"), Some(30_000));
        assert_eq!(told_score("info depth 3 score mate -0"), Some(-30_000));
        assert_eq!(told_score("info depth 3 multipv 1 score cp 20 pv 7g7f"), Some(20));
        assert_eq!(told_score("info depth 3 multipv 2 score cp 10 pv 2g2f"), None);
        assert_eq!(told_score("info string score cp"), None);
        assert_eq!(told_score("bestmove 7g7f"), None);
    }
}
