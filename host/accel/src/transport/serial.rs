//! A board on a serial port.
//!
//! FTDI bridges hold received bytes back for up to 16 ms (their latency timer) unless a USB packet is full. Many
//! requests in flight hide that; `/sys/class/tty/<port>/device/latency_timer` shortens it.

use super::Transport;
use crate::{
    discovery,
    platform::{NativeSerial, PollHandle},
    AccelError,
};
use hayasashi_spec::frame::{BUFFER_BYTES, MAX_ANSWER_PAYLOAD};
use serialport::ErrorKind;
use std::{io, time::Duration};

/// The rates that are tried where none is named, in baud; the first is that of the supported boards.
pub const USUAL_BAUDS: [u32; 5] = [3_000_000, 2_000_000, 1_000_000, 921_600, 115_200];
/// The rate of the supported boards, in baud.
pub const DEFAULT_BAUD: u32 = USUAL_BAUDS[0];
/// Time for USB, scheduling and the chip, in addition to the time of the bits.
const BASE_REPLY_TIMEOUT: Duration = Duration::from_millis(400);
/// How long a break is sent: the chip takes 2 ms for one, and adapters are late by a few.
const BREAK: Duration = Duration::from_millis(20);
/// Time after a break for the line and the chip, whose reset takes microseconds.
const AFTER_BREAK: Duration = Duration::from_millis(5);
/// Bits of a byte on the line.
const BITS_PER_BYTE: u64 = 10;

/// The transport to a board on a serial port. The port is locked for this process while this value lives.
pub struct SerialTransport {
    port: NativeSerial,
    path: String,
    baud: u32,
}

impl SerialTransport {
    /// Opens a port: 8 data bits, no parity, one stop bit, no flow control.
    ///
    /// # Errors
    /// The port does not exist, is in use, or cannot be opened.
    pub fn open(path: &str, baud: u32) -> Result<SerialTransport, AccelError> {
        let port = NativeSerial::open(path, baud).map_err(|e| open_error(path, baud, e))?;
        Ok(SerialTransport { port, path: path.into(), baud })
    }

    /// Sends a break, which resets the chip of a board: nothing that came before is answered, and it has no table.
    ///
    /// # Errors
    /// The port, or its driver, has no breaks.
    pub fn send_break(&mut self) -> Result<(), AccelError> {
        self.port.send_break(BREAK).map_err(|e| open_error(&self.path, self.baud, e))?;
        std::thread::sleep(AFTER_BREAK);
        Ok(())
    }
}

fn open_error(path: &str, baud: u32, e: serialport::Error) -> AccelError {
    let hint = match e.kind() {
        ErrorKind::NoDevice => return AccelError::PortBusy { path: path.into(), ports: discovery::listing() },
        ErrorKind::Io(io::ErrorKind::NotFound) => {
            return AccelError::Absent { path: path.into(), ports: discovery::listing() }
        }
        ErrorKind::Io(io::ErrorKind::PermissionDenied) => {
            "add your user to the group of the port (often `dialout`) and log in again".into()
        }
        _ => format!("check that it is a serial port and supports {baud} baud ({})", discovery::listing()),
    };
    AccelError::Open { target: format!("serial:{path}@{baud}"), reason: e.to_string(), hint }
}

impl Transport for SerialTransport {
    fn target(&self) -> String {
        format!("serial:{}@{}", self.path, self.baud)
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        self.port.read(buffer, timeout)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.port.write(bytes)
    }

    fn poll_handle(&self) -> Option<PollHandle> {
        self.port.poll_handle()
    }

    fn reply_timeout(&self) -> Duration {
        // A full buffer of requests and one long answer, with every byte stuffed.
        let bytes = 2 * (BUFFER_BYTES + MAX_ANSWER_PAYLOAD) as u64;
        BASE_REPLY_TIMEOUT + Duration::from_micros(bytes * BITS_PER_BYTE * 1_000_000 / self.baud.max(1) as u64)
    }
}
