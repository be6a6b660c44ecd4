//! Unix: file descriptors and `poll`.

use super::{is_transient, Interest};
use nix::{
    errno::Errno,
    fcntl::{fcntl, FcntlArg, OFlag},
    libc,
    pty::openpty,
    sys::{stat::Mode, termios},
    unistd::mkfifo,
};
use serialport::{SerialPort, TTYPort};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    net::TcpStream,
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, RawFd},
        unix::{
            fs::{FileTypeExt, OpenOptionsExt},
            net::UnixStream,
        },
    },
    path::{Path, PathBuf},
    time::Duration,
};

pub(crate) use std::os::unix::fs::symlink;

/// What a driver can wait on: a file descriptor.
pub type PollHandle = RawFd;

/// The handle of a stream.
pub(crate) fn poll_handle(stream: &impl AsRawFd) -> Option<PollHandle> {
    Some(stream.as_raw_fd())
}

/// Waits until one of the streams is ready or in error, at most for `timeout`.
pub(crate) fn wait(streams: &[(Option<PollHandle>, Interest)], timeout: Duration) -> io::Result<()> {
    let event = |wanted, event| if wanted { event } else { 0 };
    let entry = |&(handle, interest): &(Option<PollHandle>, Interest)| {
        let events = event(interest.read, libc::POLLIN) | event(interest.write, libc::POLLOUT);
        handle.map(|fd| libc::pollfd { fd, events, revents: 0 })
    };
    let mut polled: Vec<libc::pollfd> = streams.iter().filter_map(entry).collect();
    let milliseconds = timeout.as_micros().div_ceil(1000).min(i32::MAX as u128) as i32;
    // SAFETY: the pointer and the length are those of a live vector.
    let result = unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, milliseconds) };
    match result {
        0.. => Ok(()),
        _ => match io::Error::last_os_error() {
            e if is_transient(&e) => Ok(()),
            e => Err(e),
        },
    }
}

/// The end of a wake-up pair that wakes the other end's thread.
pub(crate) struct WakeSender(UnixStream);

/// The end of a wake-up pair that a thread waits on.
pub(crate) struct WakeReceiver(UnixStream);

/// A way to wake a thread that waits in [`wait`].
pub(crate) fn wake_pair() -> io::Result<(WakeSender, WakeReceiver)> {
    let (sender, receiver) = UnixStream::pair()?;
    sender.set_nonblocking(true)?;
    receiver.set_nonblocking(true)?;
    Ok((WakeSender(sender), WakeReceiver(receiver)))
}

impl WakeSender {
    pub(crate) fn wake(&self) {
        // When the socket is full, the receiver wakes anyway.
        let _ = (&self.0).write(&[0]);
    }
}

impl WakeReceiver {
    pub(crate) fn poll_handle(&self) -> Option<PollHandle> {
        poll_handle(&self.0)
    }

    /// Forgets all wake-ups so far.
    pub(crate) fn clear(&mut self) {
        while matches!(self.0.read(&mut [0; 64]), Ok(1..)) {}
    }
}

/// A serial port, locked for this process.
pub(crate) struct NativeSerial(TTYPort);

impl NativeSerial {
    /// Opens a port: 8 data bits, no parity, one stop bit, no flow control. Bytes received earlier are dropped.
    pub(crate) fn open(path: &str, baud: u32) -> Result<NativeSerial, serialport::Error> {
        let port = NativeSerial(serialport::new(path, baud).open_native()?);
        // Writes must not wait for the board.
        set_nonblocking(port.fd()).map_err(|e| serialport::Error::from(io::Error::from(e)))?;
        // A pseudo-terminal keeps TIOCEXCL after its holder is killed; there the advisory lock alone must do.
        if is_pseudo_terminal(path) {
            #[allow(trivial_numeric_casts, reason = "the type of the constant differs between systems")]
            let request = libc::TIOCNXCL as _;
            // SAFETY: an ioctl without argument on a descriptor that is open.
            unsafe { libc::ioctl(port.0.as_raw_fd(), request) };
        }
        let _ = termios::tcflush(port.fd(), termios::FlushArg::TCIFLUSH);
        Ok(port)
    }

    fn fd(&self) -> BorrowedFd<'_> {
        // SAFETY: the port is open as long as `self` lives.
        unsafe { BorrowedFd::borrow_raw(self.0.as_raw_fd()) }
    }

    pub(crate) fn poll_handle(&self) -> Option<PollHandle> {
        poll_handle(&self.0)
    }

    /// Reads what has arrived, waiting at most `timeout` for the first byte.
    pub(crate) fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        if !timeout.is_zero() {
            wait(&[(self.poll_handle(), Interest::READ)], timeout)?;
        }
        match nix::unistd::read(self.fd(), buffer) {
            Ok(0) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the port is gone")),
            Ok(bytes) => Ok(bytes),
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(0),
            Err(e) => Err(e.into()),
        }
    }

    /// Holds the line low for so long.
    pub(crate) fn send_break(&self, duration: Duration) -> Result<(), serialport::Error> {
        self.0.set_break()?;
        std::thread::sleep(duration);
        self.0.clear_break()
    }

    /// Writes as much as the port accepts now.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match nix::unistd::write(self.fd(), bytes) {
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(0),
            other => other.map_err(io::Error::from),
        }
    }
}

/// Whether a path is that of a pseudo-terminal, or leads to one.
pub(crate) fn is_pseudo_terminal(path: &str) -> bool {
    let device = std::fs::canonicalize(path).unwrap_or_default();
    let is_of_macos = device.parent() == Some(Path::new("/dev"))
        && device.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ttys"));
    device.starts_with(Path::new("/dev/pts")) || cfg!(target_os = "macos") && is_of_macos
}

fn set_nonblocking(fd: impl AsFd) -> Result<(), Errno> {
    fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map(drop)
}

/// Opens a device file, or a FIFO that somebody reads, for writes that wait.
pub(crate) fn open_to_card(path: &str) -> io::Result<File> {
    let file = OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    fcntl(&file, FcntlArg::F_SETFL(OFlag::empty()))?;
    Ok(file)
}

/// A FIFO for each direction; they are removed when this is dropped. A read of 0 bytes means that there is no client.
pub(crate) struct Fifos {
    paths: [PathBuf; 2],
    from_client: File,
    /// Open for reading too, so that it can be opened before there is a client.
    to_client: File,
}

/// Makes two FIFOs, which are not waited for. One that is there already is used.
pub(crate) fn open_fifos(paths: [PathBuf; 2]) -> io::Result<Fifos> {
    let make = |path: &PathBuf| match mkfifo(path, Mode::S_IRUSR | Mode::S_IWUSR) {
        Err(Errno::EEXIST) if std::fs::metadata(path)?.file_type().is_fifo() => Ok(()),
        other => other.map_err(io::Error::from),
    };
    paths.iter().try_for_each(make)?;
    let open = |path, write| OpenOptions::new().read(true).write(write).custom_flags(libc::O_NONBLOCK).open(path);
    let (from_client, to_client) = (open(&paths[0], false)?, open(&paths[1], true)?);
    Ok(Fifos { paths, from_client, to_client })
}

impl Fifos {
    /// Handles to poll for reading and for writing.
    pub(crate) fn handles(&self) -> [Option<PollHandle>; 2] {
        [poll_handle(&self.from_client), poll_handle(&self.to_client)]
    }
}

impl Read for Fifos {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.from_client.read(buffer)
    }
}

impl Write for Fifos {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to_client.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to_client.flush()
    }
}

impl Drop for Fifos {
    fn drop(&mut self) {
        self.paths.iter().for_each(|path| drop(std::fs::remove_file(path)));
    }
}

/// Reads from a non-blocking socket, waiting at most `timeout` for the first byte.
pub(crate) fn read_tcp(stream: &mut TcpStream, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
    wait(&[(poll_handle(stream), Interest::READ)], timeout)?;
    stream.read(buffer)
}

/// A pseudo-terminal in raw mode: its master side, non-blocking, and the path of its slave side.
pub(crate) fn open_pty() -> io::Result<(File, PathBuf)> {
    let pty = openpty(None, None)?;
    let mut settings = termios::tcgetattr(&pty.slave)?;
    termios::cfmakeraw(&mut settings);
    termios::tcsetattr(&pty.slave, termios::SetArg::TCSANOW, &settings)?;
    let path = nix::unistd::ttyname(&pty.slave)?;
    set_nonblocking(&pty.master)?;
    // The slave side is closed here, so reading from the master fails while there is no client.
    Ok((pty.master.into(), path))
}
