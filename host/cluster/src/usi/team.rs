//! The members of a cluster: USI engines that a leader commands, wherever they run.

use super::job::Found;
use hayasashi_engine::usi::{self, Options};
use std::{
    collections::VecDeque,
    fmt,
    io::{self, BufRead, BufReader, Read, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender},
    time::{Duration, Instant},
};

/// What the leader hears.
#[derive(Debug)]
pub enum Event {
    /// A line of a member.
    Line(usize, String),
    /// A member has ended.
    Ended(usize),
    /// A line of the GUI; `None` at the end of its input.
    Gui(Option<String>),
}

/// How a line reaches a member.
pub type Send = Box<dyn FnMut(&str) + std::marker::Send>;

/// What a member is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Nothing.
    Idle,
    /// A search, since then.
    Searching(Instant),
    /// It does not answer, and is asked for nothing more until it does.
    Silent,
    /// It has ended.
    Lost,
}

impl fmt::Display for State {
    /// As the end of a sentence about the member.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            State::Idle => "waits",
            State::Searching(_) => "is searching",
            State::Silent => "does not answer",
            State::Lost => "has ended",
        })
    }
}

/// A USI engine.
pub struct Member {
    send: Send,
    /// What it is doing.
    pub state: State,
    /// Whether it is this project's engine.
    pub is_own: bool,
    /// What it has found in its present search.
    pub found: Found,
    child: Option<Child>,
}

impl Member {
    fn new(send: Send, child: Option<Child>) -> Member {
        Member { send, state: State::Idle, is_own: false, found: Found::default(), child }
    }

    /// Sends a line. A member that has ended is noticed by its event.
    pub fn send(&mut self, line: &str) {
        if self.state != State::Lost {
            (self.send)(line);
        }
    }

    /// Whether it cannot be asked for anything.
    pub fn is_absent(&self) -> bool {
        matches!(self.state, State::Silent | State::Lost)
    }

    /// Whether it is searching.
    pub fn is_searching(&self) -> bool {
        matches!(self.state, State::Searching(_))
    }
}

/// All members, and what they and the GUI say.
pub struct Team {
    /// The members.
    pub members: Vec<Member>,
    events: Receiver<Event>,
    /// Events that came while something else was waited for.
    waiting: VecDeque<Event>,
    sender: Sender<Event>,
}

impl Default for Team {
    fn default() -> Team {
        let (sender, events) = channel();
        Team { members: Vec::new(), events, waiting: VecDeque::new(), sender }
    }
}

impl Team {
    /// Where events are sent.
    pub fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// Adds an engine of this program in threads of its own.
    ///
    /// # Errors
    /// The system refuses another thread.
    pub fn add_thread(&mut self, options: Options) -> io::Result<()> {
        let (index, events) = (self.members.len(), self.sender());
        let (sender, lines) = channel();
        let engine = move || {
            let lines_to = events.clone();
            let output = Lines::new(Box::new(move |line| drop(lines_to.send(Event::Line(index, line)))));
            let _ = usi::run(options, BufReader::new(Incoming::new(lines)), output);
            let _ = events.send(Event::Ended(index));
        };
        std::thread::Builder::new().name(format!("member {}", index + 1)).spawn(engine)?;
        self.members.push(Member::new(Box::new(move |line| drop(sender.send(line.to_string()))), None));
        Ok(())
    }

    /// Adds a USI program.
    ///
    /// # Errors
    /// The program does not start.
    pub fn add_program(&mut self, command: &[String]) -> io::Result<()> {
        let (index, events) = (self.members.len(), self.sender());
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let output = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        std::thread::Builder::new().name(format!("member {}", index + 1)).spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).trim_end().to_string();
                if events.send(Event::Line(index, line)).is_err() {
                    return;
                }
            }
            let _ = events.send(Event::Ended(index));
        })?;
        let send = move |line: &str| drop(writeln!(input, "{line}").and_then(|()| input.flush()));
        self.members.push(Member::new(Box::new(send), Some(child)));
        Ok(())
    }

    /// Adds a member that is reached this way; its lines are sent to [`Team::sender`].
    pub fn add(&mut self, send: Send) {
        self.members.push(Member::new(send, None));
    }

    /// The next event, if there is one within this time.
    pub fn next(&mut self, time: Duration) -> Option<Event> {
        self.waiting.pop_front().or_else(|| self.events.recv_timeout(time).ok())
    }

    /// Asks all members a question, and waits for the line that begins with `answer`. Those that do not answer in time are
    /// silent. `hear` gets the lines before it. Other events wait.
    pub fn ask(
        &mut self,
        question: &str,
        answer: &str,
        time: Duration,
        mut hear: impl FnMut(&mut Member, usize, &str),
    ) {
        let deadline = Instant::now() + time;
        let mut asked: Vec<usize> =
            (0..self.members.len()).filter(|&at| self.members[at].state == State::Idle).collect();
        asked.iter().for_each(|&at| self.members[at].send(question));
        while !asked.is_empty() {
            match self.events.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Event::Line(at, line)) if asked.contains(&at) => {
                    if line.split_ascii_whitespace().next() == Some(answer) {
                        asked.retain(|&other| other != at);
                    } else {
                        hear(&mut self.members[at], at, &line);
                    }
                }
                Ok(Event::Ended(at)) => {
                    self.members[at].state = State::Lost;
                    asked.retain(|&other| other != at);
                }
                Ok(event) => self.waiting.push_back(event),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    asked.drain(..).for_each(|at| self.members[at].state = State::Silent);
                }
            }
        }
    }

    /// The next event of a member, if there is one within this time. What the GUI says waits.
    pub fn next_of_members(&mut self, time: Duration) -> Option<Event> {
        let event = self.events.recv_timeout(time).ok()?;
        if matches!(event, Event::Gui(_)) {
            self.waiting.push_back(event);
            return None;
        }
        Some(event)
    }

    /// Sends a line to every member.
    pub fn tell(&mut self, line: &str) {
        self.members.iter_mut().for_each(|member| member.send(line));
    }
}

impl Drop for Team {
    /// Ends the members. A program that does not end by itself is killed.
    fn drop(&mut self) {
        self.tell("stop");
        self.tell("quit");
        let deadline = Instant::now() + Duration::from_secs(1);
        for child in self.members.iter_mut().filter_map(|member| member.child.as_mut()) {
            while !matches!(child.try_wait(), Ok(Some(_))) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(2));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Lines from a channel as bytes.
pub struct Incoming {
    lines: Receiver<String>,
    /// What is not read yet of the last one.
    rest: Vec<u8>,
}

impl Incoming {
    /// The lines of this channel, which have no ends.
    pub fn new(lines: Receiver<String>) -> Incoming {
        Incoming { lines, rest: Vec::new() }
    }
}

impl Read for Incoming {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            // A sender that has ended is the end of the input.
            let Ok(line) = self.lines.recv() else { return Ok(0) };
            self.rest = line.into_bytes();
            self.rest.push(b'\n');
        }
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest.drain(..count);
        Ok(count)
    }
}

/// Bytes that are sent on as lines.
pub struct Lines {
    /// The beginning of a line.
    part: Vec<u8>,
    send: Box<dyn FnMut(String) + std::marker::Send>,
}

impl Lines {
    /// Lines that go there, without their ends.
    pub fn new(send: Box<dyn FnMut(String) + std::marker::Send>) -> Lines {
        Lines { part: Vec::new(), send }
    }
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.extend_from_slice(bytes);
        while let Some(end) = self.part.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.part.drain(..=end).collect();
            (self.send)(String::from_utf8_lossy(&line[..end]).into_owned());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
