//! A chip in this process, offered to other processes: on a pseudo-terminal, which looks like the serial port of a
//! board, on two FIFOs, which look like the device files of a card on PCIe, or on a TCP socket.
//!
//! It serves one client at a time, and takes its bytes at once, whatever an earlier client has left. Answers that come
//! out before the next client connects are dropped; the others reach it, and its handshake skips them.

mod relay;

use crate::{
    platform::{self, Interest, PollHandle},
    transport::{FROM_CARD, TO_CARD},
    StreamChip,
};
use relay::{relay, work_without_client, RelayEnd};
use std::{
    collections::VecDeque,
    fs, io,
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
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
    /// The FIFOs cannot be made.
    #[error("cannot make the FIFOs `{card}{TO_CARD}` and `{card}{FROM_CARD}`: {error}; hint: name a path in a folder that you may write to, where there are no such files", card = card.display())]
    Fifos {
        /// The path without their ends.
        card: PathBuf,
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
/// How long a second client waits for the first one to leave before its connection is closed.
const QUEUE_WAIT: Duration = Duration::from_secs(1);

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
    let handles = [platform::poll_handle(&master); 2];
    serve_clients(chip, &mut master, handles, stop)
}

/// Serves the chip on two FIFOs until `stop` is set, as a card on PCIe is served by the device files of its driver: for
/// `/tmp/card` those are `/tmp/card_h2c_0` and `/tmp/card_c2h_0`. Calls `announce` once they can be opened. Any number of clients
/// can follow each other. The chip is one behind its word port.
///
/// # Errors
/// The FIFOs cannot be made, or the chip is lost. On systems other than Unix always an error.
pub fn serve_fifos(
    chip: &mut dyn StreamChip,
    card: &Path,
    stop: &AtomicBool,
    announce: &mut dyn FnMut(&Path),
) -> Result<(), ServeError> {
    let with = |end| PathBuf::from(format!("{}{end}", card.display()));
    let failed = |error| ServeError::Fifos { card: card.into(), error };
    let mut fifos = platform::open_fifos([with(TO_CARD), with(FROM_CARD)]).map_err(failed)?;
    announce(card);
    let handles = fifos.handles();
    serve_clients(chip, &mut fifos, handles, stop)
}

/// Serves one client after the other, who come over the same files.
fn serve_clients(
    chip: &mut dyn StreamChip,
    client: &mut (impl io::Read + io::Write),
    handles: [Option<PollHandle>; 2],
    stop: &AtomicBool,
) -> Result<(), ServeError> {
    while relay(chip, client, handles, stop, &mut || {})? == RelayEnd::Disconnected {
        if !work_without_client(chip)? {
            std::thread::sleep(CLIENT_POLL);
        }
    }
    Ok(())
}

/// Serves the chip on a TCP address (`127.0.0.1:0` takes any free port) until `stop` is set. Calls `announce` with the
/// address. The next client is served when the previous one has closed its connection; one that has waited a second for
/// that is turned away.
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
    let mut queue = VecDeque::new();
    while !stop.load(Ordering::Relaxed) {
        accept(&listener, &mut queue);
        match queue.pop_front() {
            Some(Waiting { mut stream, client, .. }) => {
                tracing::info!("{client} connected");
                let handles = [platform::poll_handle(&stream); 2];
                relay(chip, &mut stream, handles, stop, &mut || {
                    accept(&listener, &mut queue);
                    queue.retain(|waiting: &Waiting| waiting.since.elapsed() < QUEUE_WAIT);
                })?;
                tracing::info!("{client} disconnected");
            }
            None if work_without_client(chip)? => {}
            None => {
                let _ = platform::wait(&[(platform::poll_handle(&listener), Interest::READ)], STOP_POLL);
            }
        }
    }
    Ok(())
}

/// A client that waits until the one before it has left.
struct Waiting {
    stream: TcpStream,
    client: SocketAddr,
    since: Instant,
}

/// Accepts the clients that have connected. One that cannot be accepted is dropped; the next one may work.
fn accept(listener: &TcpListener, queue: &mut VecDeque<Waiting>) {
    while let Ok((stream, client)) = listener.accept() {
        if stream.set_nonblocking(true).and_then(|()| stream.set_nodelay(true)).is_ok() {
            queue.push_back(Waiting { stream, client, since: Instant::now() });
        }
    }
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
