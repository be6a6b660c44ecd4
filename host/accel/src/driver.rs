//! An [`Exchange`] over a [`Wire`], and the first words to a chip.

use super::{wait, AccelError, Exchange, LinkLimits, LinkStatistics, Request, Responses, Wire};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    registers::{Info, BOARD_SIMULATION, REGISTERS},
    MAGIC, PROTOCOL_VERSION,
};
use std::{
    hash::{BuildHasher, Hasher},
    io,
    os::fd::RawFd,
    time::{Duration, Instant},
};

/// A simulated chip behind a pseudo-terminal or a socket needs more patience than its wire knows.
const SIMULATION_PATIENCE: Duration = Duration::from_secs(60);
/// Bytes read at a time.
const READ_BYTES: usize = 4096;

/// A chip that has answered `INFO` as it should, and the requests before it.
pub struct Driver<W> {
    wire: W,
    exchange: Exchange,
    info: Info,
}

impl<W: Wire> Driver<W> {
    /// Greets the chip: an echo of random bytes, before which all answers to somebody else's requests are dropped,
    /// then `INFO`. Waits at most `timeout` for the first answer.
    pub fn connect(wire: W, timeout: Duration) -> Result<Driver<W>, AccelError> {
        let patience = wire.patience();
        let limits = LinkLimits { patience: patience.min(timeout / 3), silences: u32::MAX, ..LinkLimits::default() };
        let exchange = Exchange::new(wire.target(), limits, random() as u16, Instant::now());
        let mut driver = Driver { wire, exchange, info: Info::default() };
        let end = Instant::now() + timeout;
        loop {
            let nonce = [random().to_le_bytes(), random().to_le_bytes()].concat();
            let answers = driver.ask(Request::new(Opcode::Echo, nonce.clone()), end, timeout)?;
            if answers[0].payload == nonce {
                break;
            }
            // Perhaps an answer to somebody before us; but not for ever.
            if Instant::now() >= end {
                let reason = "it does not give back the bytes that were sent".into();
                return Err(AccelError::Malformed { target: driver.wire.target(), opcode: Opcode::Echo as u8, reason });
            }
        }
        let answers = driver.ask(Request::new(Opcode::Info, []), end + patience, timeout)?;
        driver.info = parse_info(&driver.wire.target(), &answers)?;
        check_identity(&driver.wire.target(), &driver.info)?;
        let simulated = driver.info.board == BOARD_SIMULATION;
        let limits = LinkLimits {
            credit: match driver.info.buffer_bytes {
                0 => LinkLimits::default().credit,
                bytes => bytes as usize,
            },
            patience: if simulated { patience.max(SIMULATION_PATIENCE) } else { patience },
            ..LinkLimits::default()
        };
        driver.exchange.set_limits(limits);
        Ok(driver)
    }

    /// Asks one thing before `end`, alone on the line.
    fn ask(&mut self, request: Request, end: Instant, waited: Duration) -> Result<Responses, AccelError> {
        let id = self.exchange.submit(request);
        loop {
            self.pump(Duration::from_millis(20), None)?;
            if let Some((_, outcome)) = self.exchange.take_done().into_iter().find(|(i, _)| *i == id) {
                return outcome;
            }
            if Instant::now() >= end {
                let target = self.wire.target();
                let LinkStatistics { bytes_received, answers, .. } = self.exchange.statistics();
                return Err(match bytes_received {
                    0 => AccelError::NoAnswer { target, waited },
                    bytes if answers == 0 => AccelError::Garbage { target, bytes: bytes as usize },
                    _ => AccelError::Lost { target, reason: format!("no further answer within {waited:?}") },
                });
            }
        }
    }

    /// What the chip said of itself when it was greeted.
    pub fn info(&self) -> &Info {
        &self.info
    }

    /// The requests in flight and waiting.
    pub fn exchange(&mut self) -> &mut Exchange {
        &mut self.exchange
    }

    /// The wire.
    pub fn wire(&self) -> &W {
        &self.wire
    }

    /// Writes what may be written, reads what has come, and otherwise waits: at most `longest`, and until `wake`
    /// can be read. The error means that the chip is lost; then every unanswered request is done, with that error.
    pub fn pump(&mut self, longest: Duration, wake: Option<RawFd>) -> Result<(), AccelError> {
        let result = self.try_pump(longest, wake).map_err(|e| {
            let error = AccelError::Lost { target: self.wire.target(), reason: e.to_string() };
            self.exchange.fail_all(&error);
            error
        });
        result.and_then(|()| self.exchange.tick(Instant::now()))
    }

    fn try_pump(&mut self, longest: Duration, wake: Option<RawFd>) -> io::Result<()> {
        let now = Instant::now();
        let mut blocked = false;
        loop {
            let bytes = self.exchange.outgoing(now);
            if bytes.is_empty() {
                break;
            }
            let written = self.wire.write(bytes)?;
            self.exchange.wrote(written, now);
            if written == 0 {
                blocked = true;
                break;
            }
        }
        let until_deadline = self.exchange.deadline().map_or(longest, |t| t.saturating_duration_since(now));
        let mut timeout = longest.min(until_deadline);
        if let Some(fd) = self.wire.fd() {
            let out = if blocked { nix::libc::POLLOUT } else { 0 };
            let mut fds = vec![(fd, nix::libc::POLLIN | out)];
            fds.extend(wake.map(|w| (w, nix::libc::POLLIN)));
            wait::ready(&fds, timeout)?;
            timeout = Duration::ZERO;
        }
        let mut buffer = [0; READ_BYTES];
        // A chip that never stops talking must not keep the requests from being sent.
        for _ in 0..16 {
            let bytes = self.wire.read(&mut buffer, timeout)?;
            if bytes == 0 {
                break;
            }
            self.exchange.receive(&buffer[..bytes], Instant::now());
            timeout = Duration::ZERO;
        }
        Ok(())
    }
}

/// Reads the answer to `INFO`. Registers that an older chip of the same major version lacks read as zero.
pub fn parse_info(target: &str, answers: &Responses) -> Result<Info, AccelError> {
    let opcode = Opcode::Info as u8;
    let answer = &answers[0];
    match Status::from_code(answer.status) {
        Some(Status::Ok) => {}
        Some(status) => return Err(AccelError::Refused { target: target.into(), opcode, status }),
        None => {
            let reason = format!("status 0x{:02X}", answer.status);
            return Err(AccelError::Malformed { target: target.into(), opcode, reason });
        }
    }
    let mut bytes = [0; 4 * REGISTERS];
    let known = answer.payload.len().min(bytes.len());
    bytes[..known].copy_from_slice(&answer.payload[..known]);
    Ok(bytemuck::pod_read_unaligned(&bytes))
}

/// Whether this is the chip that this program knows.
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
