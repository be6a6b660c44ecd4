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
/// Most bytes of the chip's request buffer that are used.
const MAX_CREDIT_BYTES: usize = 1 << 16;
/// First and longest wait for an answer during the handshake, before its requests are sent again.
const FIRST_HANDSHAKE_WAIT: Duration = Duration::from_millis(500);
const LONGEST_HANDSHAKE_WAIT: Duration = Duration::from_secs(8);
/// How often the handshake checks for its answer.
const HANDSHAKE_POLL: Duration = Duration::from_millis(20);
/// Bytes of the registers that every version of the protocol has: `MAGIC` and `PROTOCOL`.
const IDENTITY_BYTES: usize = 8;
/// Bytes read at a time.
const READ_BYTES: usize = 4096;
/// Reads before requests are sent again, so that a chip that sends without pause cannot block them.
const MAX_READS: usize = 16;
/// Wrong answers to the `ECHO` of the handshake after which the chip is at fault. An answer to an earlier client is one, if
/// it has the same sequence number.
const MAX_WRONG_ECHOES: u32 = 4;

/// A chip that has answered `INFO`, and the requests sent to it.
pub struct Driver<T> {
    transport: T,
    connection: Connection,
    info: Info,
}

impl<T: Transport> Driver<T> {
    /// Performs the handshake: a `CANCEL`, which ends a walk that an earlier client has left; an `ECHO` of random bytes,
    /// which skips the answers to earlier clients; then `INFO`. Waits at most `timeout` for the first answer, and as long
    /// again for the registers.
    ///
    /// The waits between two transmissions double, so that a slow chip is not given more work than it can do.
    ///
    /// # Errors
    /// There is no answer, or what answers is not a chip that this program knows.
    pub fn connect(transport: T, timeout: Duration) -> Result<Driver<T>, AccelError> {
        let reply_timeout = transport.reply_timeout();
        let handshake = LinkLimits {
            reply_timeout: reply_timeout.min(timeout / 3).min(FIRST_HANDSHAKE_WAIT),
            max_timeouts: u32::MAX,
            max_attempts: u32::MAX,
            ..LinkLimits::default()
        };
        let connection = Connection::new(transport.target(), handshake, random() as u16, Instant::now())
            .with_framing(transport.framing());
        let mut driver = Driver { transport, connection, info: Info::default() };
        let end = Instant::now() + timeout;
        driver.connection.submit(Request::new(Opcode::Cancel, []));
        driver.synchronise(end, timeout)?;
        // Answers come in order: whatever an earlier client has left unanswered is behind us.
        driver.connection.set_limits(handshake);
        let answers = driver.request(Request::new(Opcode::Info, []), end + timeout, timeout)?;
        driver.info = parse_info(&driver.transport.target(), &answers)?;
        check_identity(&driver.transport.target(), &driver.info)?;
        driver.connection.set_limits(limits_of(&driver.info, reply_timeout));
        Ok(driver)
    }

    /// Sends random bytes until they come back.
    fn synchronise(&mut self, end: Instant, timeout: Duration) -> Result<(), AccelError> {
        for _ in 0..MAX_WRONG_ECHOES {
            let nonce = [random().to_le_bytes(), random().to_le_bytes()].concat();
            let answers = self.request(Request::new(Opcode::Echo, nonce.clone()), end, timeout)?;
            if answers[0].status == Status::Ok as u8 && answers[0].payload == nonce {
                return Ok(());
            }
        }
        let reason = "`ECHO` does not return the bytes that were sent";
        Err(AccelError::malformed(self.transport.target(), Opcode::Echo, reason))
    }

    /// Sends one request and waits for its answer until `end`.
    fn request(&mut self, request: Request, end: Instant, waited: Duration) -> Result<Responses, AccelError> {
        let id = self.connection.submit(request);
        loop {
            let timeouts = self.connection.statistics().timeouts;
            self.pump(HANDSHAKE_POLL, None).map_err(|error| self.closed(error))?;
            if let Some((_, outcome)) = self.connection.take_completed().into_iter().find(|(i, _)| *i == id) {
                return outcome;
            }
            if self.connection.statistics().timeouts > timeouts {
                let limits = self.connection.limits();
                let reply_timeout = limits.reply_timeout.saturating_mul(2).min(LONGEST_HANDSHAKE_WAIT);
                self.connection.set_limits(LinkLimits { reply_timeout, ..limits });
            }
            if Instant::now() >= end {
                return Err(self.no_handshake(waited));
            }
        }
    }

    /// The error of a connection that the other side has closed before it sent anything.
    fn closed(&self, error: AccelError) -> AccelError {
        match error {
            AccelError::Lost { target, reason } if self.connection.statistics().bytes_received == 0 => {
                let hint = "a board serves one client at a time; if another program uses it, close that program";
                AccelError::Open { target, reason: format!("no reply: {reason}"), hint: hint.into() }
            }
            other => other,
        }
    }

    fn no_handshake(&self, waited: Duration) -> AccelError {
        let target = self.transport.target();
        let LinkStatistics { bytes_received, answers, stale, refused, busy, .. } = self.connection.statistics();
        match bytes_received {
            0 => AccelError::NoAnswer { target, waited },
            bytes if answers + stale + refused + busy == 0 => AccelError::Garbage { target, bytes: bytes as usize },
            _ => AccelError::Lost { target, reason: self.connection.stalled(waited) },
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
            bytes => (bytes as usize).min(MAX_CREDIT_BYTES),
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
    let bytes = answer.payload.len();
    if bytes < IDENTITY_BYTES || !bytes.is_multiple_of(4) {
        let reason = format!("{bytes} bytes of registers");
        return Err(AccelError::malformed(target, Opcode::Info, reason));
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
