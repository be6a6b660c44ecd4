//! A [`Connection`] over a [`Transport`], and the handshake with the chip.

use super::{Connection, LinkLimits, LinkStatistics, Request, Responses};
use crate::{
    platform::{self, Interest},
    AccelError, PollHandle, Transport,
};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    registers::{Info, BOARD_SIMULATION, REGISTERS},
    MAGIC, PROTOCOL_VERSION,
};
use std::{
    hash::{BuildHasher, Hasher},
    io,
    time::{Duration, Instant},
};

/// Reply timeout for a simulated chip; a pseudo-terminal or a socket does not know that a simulation is behind it.
const SIMULATION_REPLY_TIMEOUT: Duration = Duration::from_secs(60);
/// How often the handshake checks for its answer.
const HANDSHAKE_POLL: Duration = Duration::from_millis(20);
/// Bytes read at a time.
const READ_BYTES: usize = 4096;
/// Reads before requests are sent again, so that a chip that sends without pause cannot block them.
const MAX_READS: usize = 16;

/// A chip that has answered `INFO`, and the requests sent to it.
pub struct Driver<T> {
    transport: T,
    connection: Connection,
    info: Info,
}

impl<T: Transport> Driver<T> {
    /// Performs the handshake: an `ECHO` of random bytes, which skips answers to earlier clients, then `INFO`. Waits at
    /// most `timeout` for the first answer.
    ///
    /// # Errors
    /// There is no answer, or what answers is not a chip that this program knows.
    pub fn connect(transport: T, timeout: Duration) -> Result<Driver<T>, AccelError> {
        let reply_timeout = transport.reply_timeout();
        let handshake = LinkLimits {
            reply_timeout: reply_timeout.min(timeout / 3),
            max_timeouts: u32::MAX,
            ..LinkLimits::default()
        };
        let connection = Connection::new(transport.target(), handshake, random() as u16, Instant::now());
        let mut driver = Driver { transport, connection, info: Info::default() };
        let end = Instant::now() + timeout;
        loop {
            let nonce = [random().to_le_bytes(), random().to_le_bytes()].concat();
            let answers = driver.request(Request::new(Opcode::Echo, nonce.clone()), end, timeout)?;
            if answers[0].payload == nonce {
                break;
            }
            // Perhaps an answer to an earlier client; try again until the time is up.
            if Instant::now() >= end {
                let reason = "`ECHO` does not return the bytes that were sent";
                return Err(AccelError::malformed(driver.transport.target(), Opcode::Echo, reason));
            }
        }
        let answers = driver.request(Request::new(Opcode::Info, []), end + reply_timeout, timeout)?;
        driver.info = parse_info(&driver.transport.target(), &answers)?;
        check_identity(&driver.transport.target(), &driver.info)?;
        driver.connection.set_limits(limits_of(&driver.info, reply_timeout));
        Ok(driver)
    }

    /// Sends one request and waits for its answer until `end`, with nothing else in flight.
    fn request(&mut self, request: Request, end: Instant, waited: Duration) -> Result<Responses, AccelError> {
        let id = self.connection.submit(request);
        loop {
            self.pump(HANDSHAKE_POLL, None)?;
            if let Some((_, outcome)) = self.connection.take_completed().into_iter().find(|(i, _)| *i == id) {
                return outcome;
            }
            if Instant::now() >= end {
                let target = self.transport.target();
                let LinkStatistics { bytes_received, answers, .. } = self.connection.statistics();
                return Err(match bytes_received {
                    0 => AccelError::NoAnswer { target, waited },
                    bytes if answers == 0 => AccelError::Garbage { target, bytes: bytes as usize },
                    _ => AccelError::Lost { target, reason: format!("no further answer within {waited:?}") },
                });
            }
        }
    }

    /// The information registers at the time of the handshake.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The requests waiting and in flight.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }

    /// The transport.
    pub fn transport(&self) -> &T {
        &self.transport
    }

    /// Sends and receives what it can, otherwise waits: at most `longest`, and until `wake` becomes readable.
    ///
    /// # Errors
    /// The chip is lost; every unanswered request has completed with the same error.
    pub fn pump(&mut self, longest: Duration, wake: Option<PollHandle>) -> Result<(), AccelError> {
        let result = self.transfer(longest, wake).map_err(|e| {
            let error = AccelError::Lost { target: self.transport.target(), reason: e.to_string() };
            self.connection.fail_all(&error);
            error
        });
        result.and_then(|()| self.connection.tick(Instant::now()))
    }

    fn transfer(&mut self, longest: Duration, wake: Option<PollHandle>) -> io::Result<()> {
        let now = Instant::now();
        let blocked = self.write(now)?;
        let until_deadline = self.connection.deadline().map_or(longest, |t| t.saturating_duration_since(now));
        let mut timeout = longest.min(until_deadline);
        if let handle @ Some(_) = self.transport.poll_handle() {
            platform::wait(&[(handle, Interest { read: true, write: blocked }), (wake, Interest::READ)], timeout)?;
            timeout = Duration::ZERO;
        }
        let mut buffer = [0; READ_BYTES];
        for _ in 0..MAX_READS {
            let bytes = self.transport.read(&mut buffer, timeout)?;
            if bytes == 0 {
                break;
            }
            self.connection.receive(&buffer[..bytes], Instant::now());
            timeout = Duration::ZERO;
        }
        Ok(())
    }

    /// Writes what the transport accepts. Returns whether it stopped accepting.
    fn write(&mut self, now: Instant) -> io::Result<bool> {
        loop {
            let bytes = self.connection.outgoing(now);
            if bytes.is_empty() {
                return Ok(false);
            }
            let written = self.transport.write(bytes)?;
            self.connection.wrote(written, now);
            if written == 0 {
                return Ok(true);
            }
        }
    }
}

/// The limits for a chip with these registers.
fn limits_of(info: &Info, reply_timeout: Duration) -> LinkLimits {
    let simulated = info.board == BOARD_SIMULATION;
    LinkLimits {
        credit_bytes: match info.buffer_bytes {
            0 => LinkLimits::default().credit_bytes,
            bytes => bytes as usize,
        },
        reply_timeout: if simulated { reply_timeout.max(SIMULATION_REPLY_TIMEOUT) } else { reply_timeout },
        ..LinkLimits::default()
    }
}

/// Decodes the answer to `INFO`. Registers that an older chip of the same major version lacks read as zero.
pub(crate) fn parse_info(target: &str, answers: &Responses) -> Result<Info, AccelError> {
    let answer = &answers[0];
    if answer.status != Status::Ok as u8 {
        return Err(AccelError::from_status(target, Opcode::Info, answer.status));
    }
    let mut bytes = [0; 4 * REGISTERS];
    let present = answer.payload.len().min(bytes.len());
    bytes[..present].copy_from_slice(&answer.payload[..present]);
    Ok(bytemuck::pod_read_unaligned(&bytes))
}

/// Checks that this is a chip that this program knows.
fn check_identity(target: &str, info: &Info) -> Result<(), AccelError> {
    let target = target.to_string();
    if info.magic != MAGIC {
        return Err(AccelError::WrongMagic { target, found: info.magic });
    }
    if info.protocol >> 16 != PROTOCOL_VERSION >> 16 {
        return Err(AccelError::WrongVersion { target, found: info.protocol });
    }
    Ok(())
}

/// Bits that an earlier process is unlikely to have drawn.
fn random() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
