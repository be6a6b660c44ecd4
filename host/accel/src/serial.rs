//! A board on a serial port.
//!
//! FTDI bridges hold received bytes back for up to 16 ms (their latency timer) unless a USB packet is full. Many
//! requests in flight hide that; `/sys/class/tty/<port>/device/latency_timer` shortens it.

use super::{ports, wait, AccelError, Wire};
use hayasashi_spec::frame::{BUFFER_BYTES, MAX_ANSWER_PAYLOAD};
use nix::{errno::Errno, libc};
use serialport::{ErrorKind, TTYPort};
use std::{
    io,
    os::fd::{AsRawFd, BorrowedFd, RawFd},
    path::Path,
    time::Duration,
};

/// The rate of the supported boards, in baud.
pub const DEFAULT_BAUD: u32 = 3_000_000;
/// What USB, the scheduler and the chip itself may take besides the bits' own time.
const BASE_PATIENCE: Duration = Duration::from_millis(400);
/// Bits of a byte on the line.
const BITS_PER_BYTE: u64 = 10;

/// The wire to a board on a serial port. The port is locked for this process while this lives.
pub struct SerialWire {
    port: TTYPort,
    path: String,
    baud: u32,
}

impl SerialWire {
    /// Opens a port: 8 data bits, no parity, one stop bit, no flow control.
    pub fn open(path: &str, baud: u32) -> Result<SerialWire, AccelError> {
        let port = serialport::new(path, baud).open_native().map_err(|e| open_error(path, baud, e))?;
        // SAFETY: the port is open as long as `port` lives.
        let fd = unsafe { BorrowedFd::borrow_raw(port.as_raw_fd()) };
        // Writes must not wait for the board. A pseudo-terminal keeps TIOCEXCL after its holder is killed, so there
        // the advisory lock alone has to do.
        let flags = nix::fcntl::FcntlArg::F_SETFL(nix::fcntl::OFlag::O_NONBLOCK);
        nix::fcntl::fcntl(fd, flags).map_err(|e| open_error(path, baud, io::Error::from(e).into()))?;
        if is_pseudo_terminal(path) {
            // SAFETY: an ioctl without argument on a descriptor that is open.
            unsafe { libc::ioctl(fd.as_raw_fd(), libc::TIOCNXCL as _) };
        }
        // What came before is not for us.
        let _ = nix::sys::termios::tcflush(fd, nix::sys::termios::FlushArg::TCIFLUSH);
        Ok(SerialWire { port, path: path.into(), baud })
    }
}

fn is_pseudo_terminal(path: &str) -> bool {
    std::fs::canonicalize(path).is_ok_and(|p| p.starts_with(Path::new("/dev/pts")))
}

fn open_error(path: &str, baud: u32, e: serialport::Error) -> AccelError {
    let hint = match e.kind() {
        ErrorKind::NoDevice => return AccelError::PortBusy { path: path.into(), ports: ports::listing() },
        ErrorKind::Io(io::ErrorKind::NotFound) => {
            return AccelError::Absent { path: path.into(), ports: ports::listing() }
        }
        ErrorKind::Io(io::ErrorKind::PermissionDenied) => {
            "add yourself to the group of the port (often `dialout`) and log in again".into()
        }
        _ => format!("is it a serial port, and does it know {baud} baud? {}", ports::listing()),
    };
    AccelError::Open { target: format!("serial:{path}@{baud}"), reason: e.to_string(), hint }
}

impl Wire for SerialWire {
    fn target(&self) -> String {
        format!("serial:{}@{}", self.path, self.baud)
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if !timeout.is_zero() {
            wait::readable(&[self.port.as_raw_fd()], timeout)?;
        }
        // SAFETY: the port is open as long as `self` lives.
        let fd = unsafe { BorrowedFd::borrow_raw(self.port.as_raw_fd()) };
        match nix::unistd::read(fd, buffer) {
            Ok(0) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the port has gone")),
            Ok(bytes) => Ok(bytes),
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(0),
            Err(e) => Err(e.into()),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // SAFETY: the port is open as long as `self` lives.
        let fd = unsafe { BorrowedFd::borrow_raw(self.port.as_raw_fd()) };
        match nix::unistd::write(fd, bytes) {
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(0),
            other => other.map_err(io::Error::from),
        }
    }

    fn fd(&self) -> Option<RawFd> {
        Some(self.port.as_raw_fd())
    }

    fn patience(&self) -> Duration {
        // A full buffer of requests and one long answer, every byte stuffed.
        let bytes = 2 * (BUFFER_BYTES + MAX_ANSWER_PAYLOAD) as u64;
        BASE_PATIENCE + Duration::from_micros(bytes * BITS_PER_BYTE * 1_000_000 / self.baud.max(1) as u64)
    }
}
