//! The connection to a server: lines in both directions, and what the engine says, in one queue.

use super::CsaError;
use rsshogi_csa::{format_command, CsaCommand};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    sync::mpsc::Sender,
    time::{Duration, Instant},
};

/// Longest line that is read. A server's lines have less than a hundred bytes.
const LONGEST_LINE: u64 = 16 << 10;
/// Silence after which an empty line is sent. The protocol forbids it more often than every 30 s.
const KEEP_ALIVE: Duration = Duration::from_secs(40);
/// Time limit of a write.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// What happens during a session.
#[derive(Debug)]
pub(super) enum Happening {
    /// A line from the server, of the connection with this number.
    Server(u64, String),
    /// The connection with this number has ended.
    Closed(u64, String),
    /// A line of the engine.
    Engine(String),
    /// The engine has ended.
    EngineClosed,
}

/// A connection. It is closed when this is dropped.
pub(super) struct Connection {
    server: String,
    /// Tells its lines from those of an earlier connection.
    pub number: u64,
    stream: TcpStream,
    last_sent: Instant,
}

impl Connection {
    /// Connects, and reads lines in a thread.
    pub fn open(server: &str, number: u64, queue: Sender<Happening>) -> Result<Connection, CsaError> {
        let failed = |reason| CsaError::Connect { server: server.into(), reason };
        let stream = TcpStream::connect(server).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT)).map_err(failed)?;
        let reader = stream.try_clone().map_err(failed)?;
        std::thread::spawn(move || {
            let reason = read_lines(reader, number, &queue);
            let _ = queue.send(Happening::Closed(number, reason));
        });
        Ok(Connection { server: server.into(), number, stream, last_sent: Instant::now() })
    }

    /// Sends a command.
    pub fn send(&mut self, command: &CsaCommand) -> Result<(), CsaError> {
        self.write(&(format_command(command) + "\n"))
    }

    /// Sends an empty line if nothing was sent for long.
    pub fn keep_alive(&mut self) -> Result<(), CsaError> {
        match self.last_sent.elapsed() >= KEEP_ALIVE {
            true => self.write("\n"),
            false => Ok(()),
        }
    }

    fn write(&mut self, text: &str) -> Result<(), CsaError> {
        self.last_sent = Instant::now();
        let lost = |reason: std::io::Error| self.lost(reason.to_string());
        (&self.stream).write_all(text.as_bytes()).map_err(lost)
    }

    /// The error of a connection that ended for this reason.
    pub fn lost(&self, reason: String) -> CsaError {
        CsaError::Lost { server: self.server.clone(), reason }
    }

    /// The error of a line that cannot be used.
    pub fn protocol(&self, line: &str, reason: impl ToString) -> CsaError {
        CsaError::Protocol { server: self.server.clone(), line: line.into(), reason: reason.to_string() }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Reads lines until the connection ends, and says why it ended.
fn read_lines(stream: TcpStream, number: u64, queue: &Sender<Happening>) -> String {
    let mut reader = BufReader::new(stream);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes) {
            Ok(0) => return "the server closed it".into(),
            Err(error) => return error.to_string(),
            Ok(_) if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE => {
                return format!("a line is longer than {LONGEST_LINE} bytes");
            }
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_string();
        if queue.send(Happening::Server(number, line)).is_err() {
            return "the session has ended".into();
        }
    }
}
