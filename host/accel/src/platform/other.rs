//! Systems other than Unix: reads with timeouts; no descriptors to poll and no pseudo-terminals.

use super::Interest;
use crate::transport::LitePcieDriver;
use serialport::SerialPort;
use std::{
    convert::Infallible,
    fs::File,
    io::{self, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    time::Duration,
};

/// What a driver can wait on: nothing.
pub type PollHandle = Infallible;

/// Longest sleep where nothing can be waited on.
const SLEEP: Duration = Duration::from_millis(1);
/// Shortest timeout of a read that waits; zero would mean to wait for ever.
const SHORTEST_TIMEOUT: Duration = Duration::from_millis(1);

/// The handle of a stream: none.
pub(crate) fn poll_handle<T>(_stream: &T) -> Option<PollHandle> {
    None
}

/// Sleeps a millisecond, or for `timeout` where that is shorter.
pub(crate) fn wait(_streams: &[(Option<PollHandle>, Interest)], timeout: Duration) -> io::Result<()> {
    std::thread::sleep(timeout.min(SLEEP));
    Ok(())
}

/// The end of a wake-up pair that wakes the other end's thread: here that thread is never asleep for long.
pub(crate) struct WakeSender;

/// The end of a wake-up pair that a thread waits on.
pub(crate) struct WakeReceiver;

/// A pair without effect.
pub(crate) fn wake_pair() -> io::Result<(WakeSender, WakeReceiver)> {
    Ok((WakeSender, WakeReceiver))
}

impl WakeSender {
    pub(crate) fn wake(&self) {}
}

impl WakeReceiver {
    pub(crate) fn poll_handle(&self) -> Option<PollHandle> {
        None
    }

    pub(crate) fn clear(&mut self) {}
}

/// A serial port, held by this process alone.
pub(crate) struct NativeSerial(Box<dyn SerialPort>);

impl NativeSerial {
    /// Opens a port: 8 data bits, no parity, one stop bit, no flow control. Bytes received earlier are dropped.
    pub(crate) fn open(path: &str, baud: u32) -> Result<NativeSerial, serialport::Error> {
        let port = serialport::new(path, baud).timeout(SHORTEST_TIMEOUT).open()?;
        let _ = port.clear(serialport::ClearBuffer::Input);
        Ok(NativeSerial(port))
    }

    pub(crate) fn poll_handle(&self) -> Option<PollHandle> {
        None
    }

    /// Reads what has arrived, waiting at most `timeout` for the first byte.
    pub(crate) fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if timeout.is_zero() && self.0.bytes_to_read()? == 0 {
            return Ok(0);
        }
        let timeout = timeout.max(SHORTEST_TIMEOUT);
        if self.0.timeout() != timeout {
            self.0.set_timeout(timeout)?;
        }
        nothing_now(self.0.read(buffer))
    }

    /// Holds the line low for so long.
    pub(crate) fn send_break(&self, duration: Duration) -> Result<(), serialport::Error> {
        self.0.set_break()?;
        std::thread::sleep(duration);
        self.0.clear_break()
    }

    /// Writes as much as the port accepts within its timeout.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        nothing_now(self.0.write(bytes))
    }
}

fn nothing_now(result: io::Result<usize>) -> io::Result<usize> {
    match result {
        Err(e) if super::is_transient(&e) => Ok(0),
        other => other,
    }
}

/// Reads from a non-blocking socket, waiting at most `timeout` for the first byte.
pub(crate) fn read_tcp(stream: &mut TcpStream, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
    if timeout.is_zero() {
        return stream.read(buffer);
    }
    stream.set_read_timeout(Some(timeout.max(SHORTEST_TIMEOUT)))?;
    stream.set_nonblocking(false)?;
    let result = stream.read(buffer);
    stream.set_nonblocking(true)?;
    result
}

/// Never: there are no pseudo-terminals.
pub(crate) fn is_pseudo_terminal(_path: &str) -> bool {
    false
}

/// Always an error: there are no pseudo-terminals.
pub(crate) fn open_pty() -> io::Result<(File, PathBuf)> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no pseudo-terminals"))
}

/// Always an error: only pseudo-terminals are linked to.
pub(crate) fn symlink(_target: &Path, _link: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A card's device files: there are none.
pub(crate) struct DevicePair(Infallible);

impl DevicePair {
    pub(crate) fn new(
        _to_card: impl Write + Send + 'static,
        _from_card: impl Read + Send + 'static,
        _lock: impl Send + 'static,
        _farewell: Vec<u8>,
    ) -> io::Result<DevicePair> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn poll_handle(&self) -> Option<PollHandle> {
        match self.0 {}
    }

    pub(crate) fn read(&mut self, _buffer: &mut [u8], _timeout: Duration) -> io::Result<usize> {
        match self.0 {}
    }

    pub(crate) fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }
}

/// Fails: no driver of this system has such a file.
pub(crate) fn open_to_card(_path: &str) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// A file of LitePCIe's driver: there is none.
pub(crate) struct LitePcieFile(Infallible);

impl LitePcieFile {
    pub(crate) fn open(_path: &str) -> io::Result<LitePcieFile> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl LitePcieDriver for LitePcieFile {
    fn read(&self, _buffers: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn write(&self, _buffers: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn register(&self, _address: u32) -> io::Result<u32> {
        match self.0 {}
    }

    fn set_register(&self, _address: u32, _value: u32) -> io::Result<()> {
        match self.0 {}
    }

    fn buffer_bytes(&self) -> io::Result<u64> {
        match self.0 {}
    }

    fn lock(&self) -> io::Result<bool> {
        match self.0 {}
    }

    fn start(&self) -> io::Result<()> {
        match self.0 {}
    }
}

/// FIFOs: there are none.
pub(crate) struct Fifos(Infallible);

/// Fails.
pub(crate) fn open_fifos(_paths: [PathBuf; 2]) -> io::Result<Fifos> {
    Err(io::ErrorKind::Unsupported.into())
}

impl Fifos {
    pub(crate) fn handles(&self) -> [Option<PollHandle>; 2] {
        match self.0 {}
    }
}

impl Read for Fifos {
    fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}

impl Write for Fifos {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}
