//! A chip in this process, offered to other processes: on a pseudo-terminal, which looks like the serial port of a
//! board, or on a TCP socket.
//!
//! It serves one client at a time. Answers to a client that has disconnected are dropped.

mod relay;

use crate::{
    platform::{self, Interest},
    StreamChip,
};
use relay::{discard_output, relay, RelayEnd};
use std::{
    fs, io,
    net::{SocketAddr, TcpListener},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use thiserror::Error;

/// Why a chip cannot be served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// A pseudo-terminal cannot be created.
    #[error("cannot create a pseudo-terminal: {0}; hint: check that /dev/pts is mounted, or serve a TCP port instead")]
    Pty(io::Error),
    /// The symbolic link cannot be made.
    #[error("cannot link `{link}` to the pseudo-terminal: {error}; hint: name a path that does not exist yet, in a folder that you may write to")]
    Link {
        /// Its path.
        link: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on `{address}`: {error}; hint: check whether another program uses this port")]
    Listen {
        /// As given.
        address: String,
        /// The cause.
        error: io::Error,
    },
    /// The chip itself is lost.
    #[error("the chip is lost: {0}; hint: start the command again")]
    Chip(io::Error),
}

/// How often `stop` is checked while no bytes move.
const STOP_POLL: Duration = Duration::from_millis(20);
/// Pause before the next look for a client of a pseudo-terminal.
const CLIENT_POLL: Duration = Duration::from_millis(2);

/// Serves the chip on a pseudo-terminal until `stop` is set. Calls `announce` with its path once it can be opened. If
/// `link` is given, it is a symbolic link to that path meanwhile. Any number of clients can follow each other.
///
/// # Errors
/// The pseudo-terminal or the link cannot be made, or the chip is lost. On systems other than Unix always an error.
pub fn serve_pty(
    chip: &mut dyn StreamChip,
    link: Option<&Path>,
    stop: &AtomicBool,
    announce: &mut dyn FnMut(&Path),
) -> Result<(), ServeError> {
    let (mut master, path) = platform::open_pty().map_err(ServeError::Pty)?;
    let _link = link.map(|l| Link::new(&path, l)).transpose()?;
    announce(&path);
    let handle = platform::poll_handle(&master);
    while relay(chip, &mut master, handle, stop)? == RelayEnd::Disconnected {
        discard_output(chip)?;
        std::thread::sleep(CLIENT_POLL);
    }
    Ok(())
}

/// Serves the chip on a TCP address (`127.0.0.1:0` takes any free port) until `stop` is set. Calls `announce` with the
/// address. The next client is accepted when the previous one has closed its connection.
///
/// # Errors
/// The address cannot be listened on, or the chip is lost.
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
            Ok((mut stream, client)) => {
                tracing::info!("{client} connected");
                discard_output(chip)?;
                let ready = stream.set_nonblocking(true).and_then(|()| stream.set_nodelay(true));
                if ready.is_ok() {
                    let handle = platform::poll_handle(&stream);
                    relay(chip, &mut stream, handle, stop)?;
                }
                tracing::info!("{client} disconnected");
            }
            Err(_) => {
                // No client, or one that could not be accepted; the next one may work.
                let _ = platform::wait(&[(platform::poll_handle(&listener), Interest::READ)], STOP_POLL);
                discard_output(chip)?;
            }
        }
    }
    Ok(())
}

/// A symbolic link that is removed when this is dropped.
struct Link(PathBuf);

impl Link {
    fn new(target: &Path, link: &Path) -> Result<Link, ServeError> {
        let failed = |error| ServeError::Link { link: link.into(), error };
        // Only a link is replaced, never a file.
        if fs::symlink_metadata(link).is_ok_and(|m| m.is_symlink()) {
            fs::remove_file(link).map_err(failed)?;
        }
        platform::symlink(target, link).map_err(failed)?;
        Ok(Link(link.into()))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
