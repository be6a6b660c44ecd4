//! A chip offered to others: as a pseudo-terminal, which looks like a board's serial port, or on a TCP socket.
//!
//! One client at a time is served. Answers to requests of a client that has gone are dropped.

use super::{wait, StreamChip};
use nix::{errno::Errno, libc, pty::openpty, sys::termios};
use std::{
    fs, io,
    net::{SocketAddr, TcpListener},
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
        unix::fs::symlink,
    },
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use thiserror::Error;

/// Why a chip cannot be served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// No pseudo-terminal.
    #[error("cannot make a pseudo-terminal: {0}; hint: is /dev/pts mounted?")]
    Pty(io::Error),
    /// The symbolic link cannot be made.
    #[error("cannot make the link {link} to the pseudo-terminal: {error}; hint: name a path in a folder that you may write to, where no file is")]
    Link {
        /// Its path.
        link: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}; hint: is another program using this port?")]
    Listen {
        /// As given.
        address: String,
        /// Why.
        error: io::Error,
    },
    /// The chip itself is lost.
    #[error("the chip behind the port is lost: {0}; hint: start it again")]
    Chip(io::Error),
}

/// How often `stop` is looked at when nothing moves.
const LOOK: Duration = Duration::from_millis(20);
/// No more is taken from the chip while the client has this much to read.
const AHEAD_BYTES: usize = 1 << 16;

/// Serves the chip as a pseudo-terminal until `stop`. `announce` is told its path when it can be opened, and `link`,
/// if given, is made a symbolic link to it meanwhile. Clients come and go.
pub fn serve_pty(
    chip: &mut dyn StreamChip,
    link: Option<&Path>,
    stop: &AtomicBool,
    announce: &mut dyn FnMut(&Path),
) -> Result<(), ServeError> {
    let failed = |e: Errno| ServeError::Pty(e.into());
    let pty = openpty(None, None).map_err(failed)?;
    let mut settings = termios::tcgetattr(&pty.slave).map_err(failed)?;
    termios::cfmakeraw(&mut settings);
    termios::tcsetattr(&pty.slave, termios::SetArg::TCSANOW, &settings).map_err(failed)?;
    let path = nix::unistd::ttyname(&pty.slave).map_err(failed)?;
    set_nonblocking(&pty.master).map_err(failed)?;
    // With our own slave closed, reading from the master fails while there is no client.
    drop(pty.slave);
    let _link = link.map(|l| Link::new(&path, l)).transpose()?;
    announce(&path);
    while relay(chip, pty.master.as_fd(), stop)? == End::Disconnected {
        drain(chip)?;
        std::thread::sleep(Duration::from_millis(2));
    }
    Ok(())
}

/// Serves the chip on a TCP address (`127.0.0.1:0` takes any free port) until `stop`. `announce` is told the address.
/// The next client is accepted when the one before has closed.
pub fn serve_tcp(
    chip: &mut dyn StreamChip,
    address: &str,
    stop: &AtomicBool,
    announce: &mut dyn FnMut(SocketAddr),
) -> Result<(), ServeError> {
    let failed = |error| ServeError::Listen { address: address.into(), error };
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    announce(listener.local_addr().map_err(failed)?);
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, client)) => {
                tracing::info!("{client} is connected");
                drain(chip)?;
                let ready = stream.set_nonblocking(true).and_then(|()| stream.set_nodelay(true));
                if ready.is_ok() {
                    relay(chip, stream.as_fd(), stop)?;
                }
                tracing::info!("{client} is gone");
            }
            Err(_) => {
                // Also where accepting failed for one client: the next may do better.
                let _ = wait::readable(&[listener.as_raw_fd()], LOOK);
                drain(chip)?;
            }
        }
    }
    Ok(())
}

fn set_nonblocking(fd: &OwnedFd) -> Result<(), Errno> {
    use nix::fcntl::{fcntl, FcntlArg, OFlag};
    fcntl(fd, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map(drop)
}

#[derive(PartialEq)]
enum End {
    Disconnected,
    Stopped,
}

/// Carries bytes between a client and the chip until the client goes.
fn relay(chip: &mut dyn StreamChip, client: BorrowedFd, stop: &AtomicBool) -> Result<End, ServeError> {
    let (mut to_chip, mut to_client): (Vec<u8>, Vec<u8>) = Default::default();
    let mut buffer = [0; 4096];
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(End::Stopped);
        }
        let mut moved = false;
        if to_chip.is_empty() {
            match transfer(nix::unistd::read(client, &mut buffer)) {
                Transfer::Some(bytes) => to_chip.extend_from_slice(&buffer[..bytes]),
                Transfer::NotNow => {}
                Transfer::Ended => return Ok(End::Disconnected),
            }
        }
        if !to_chip.is_empty() {
            let taken = chip.push(&to_chip);
            to_chip.drain(..taken);
            moved |= taken > 0;
        }
        moved |= chip.step().map_err(ServeError::Chip)?;
        while to_client.len() < AHEAD_BYTES {
            let bytes = chip.pull(&mut buffer);
            if bytes == 0 {
                break;
            }
            to_client.extend_from_slice(&buffer[..bytes]);
        }
        if !to_client.is_empty() {
            match transfer(nix::unistd::write(client, &to_client)) {
                Transfer::Some(bytes) => {
                    to_client.drain(..bytes);
                    moved = true;
                }
                Transfer::NotNow => {}
                Transfer::Ended => return Ok(End::Disconnected),
            }
        }
        if !moved {
            let input = if to_chip.is_empty() { libc::POLLIN } else { 0 };
            let output = if to_client.is_empty() { 0 } else { libc::POLLOUT };
            let _ = wait::ready(&[(client.as_raw_fd(), input | output)], LOOK);
        }
    }
}

enum Transfer {
    Some(usize),
    NotNow,
    Ended,
}

/// A pseudo-terminal without a client says `EIO`, a socket gives no bytes.
fn transfer(result: nix::Result<usize>) -> Transfer {
    match result {
        Ok(0) => Transfer::Ended,
        Ok(bytes) => Transfer::Some(bytes),
        Err(Errno::EAGAIN | Errno::EINTR) => Transfer::NotNow,
        Err(_) => Transfer::Ended,
    }
}

/// Drops what the chip still has to say to a client that has gone.
fn drain(chip: &mut dyn StreamChip) -> Result<(), ServeError> {
    let mut buffer = [0; 4096];
    loop {
        let bytes = chip.pull(&mut buffer);
        if bytes == 0 && !chip.step().map_err(ServeError::Chip)? {
            return Ok(());
        }
    }
}

/// A symbolic link that goes when this goes.
struct Link(PathBuf);

impl Link {
    fn new(target: &Path, link: &Path) -> Result<Link, ServeError> {
        let failed = |error| ServeError::Link { link: link.into(), error };
        // Only a link is replaced, never a file.
        if fs::symlink_metadata(link).is_ok_and(|m| m.is_symlink()) {
            fs::remove_file(link).map_err(failed)?;
        }
        symlink(target, link).map_err(failed)?;
        Ok(Link(link.into()))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
