//! Bytes between one client and the chip.

use super::{ServeError, STOP_POLL};
use crate::{
    platform::{self, Interest},
    PollHandle, StreamChip,
};
use std::{
    io::{self, Read, Write},
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// No more bytes are taken from the client while this many wait for the chip, and the other way round.
const AHEAD_BYTES: usize = 1 << 16;

/// Why a relay ended.
#[derive(PartialEq)]
pub(super) enum RelayEnd {
    /// The client disconnected.
    Disconnected,
    /// `stop` was set.
    Stopped,
}

/// Carries bytes between a non-blocking client and the chip until the client disconnects or `stop` is set. The handles are for
/// polling. Calls `idle` every few milliseconds.
pub(super) fn relay(
    chip: &mut dyn StreamChip,
    client: &mut (impl Read + Write),
    [to_read, to_write]: [Option<PollHandle>; 2],
    stop: &AtomicBool,
    idle: &mut dyn FnMut(),
) -> Result<RelayEnd, ServeError> {
    let (mut to_chip, mut to_client): (Vec<u8>, Vec<u8>) = Default::default();
    let mut buffer = [0; 4096];
    let mut last_idle = Instant::now();
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(RelayEnd::Stopped);
        }
        if last_idle.elapsed() >= STOP_POLL {
            idle();
            last_idle = Instant::now();
        }
        let mut moved = false;
        // Read ahead, so that the end of a connection is seen while the chip is busy.
        if to_chip.len() < AHEAD_BYTES {
            match transferred(client.read(&mut buffer)) {
                Transferred::Bytes(bytes) => to_chip.extend_from_slice(&buffer[..bytes]),
                Transferred::NothingYet => {}
                Transferred::Disconnected => return Ok(RelayEnd::Disconnected),
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
            match transferred(client.write(&to_client)) {
                Transferred::Bytes(bytes) => {
                    to_client.drain(..bytes);
                    moved = true;
                }
                Transferred::NothingYet => {}
                Transferred::Disconnected => return Ok(RelayEnd::Disconnected),
            }
        }
        if !moved {
            let read = (to_read, Interest { read: to_chip.len() < AHEAD_BYTES, write: false });
            let write = (to_write, Interest { read: false, write: !to_client.is_empty() });
            let _ = platform::wait(&[read, write], STOP_POLL);
        }
    }
}

/// Outcome of one read or write.
enum Transferred {
    Bytes(usize),
    NothingYet,
    Disconnected,
}

/// A pseudo-terminal without a client fails with `EIO`; a closed socket reads 0 bytes.
fn transferred(result: io::Result<usize>) -> Transferred {
    match result {
        Ok(0) => Transferred::Disconnected,
        Ok(bytes) => Transferred::Bytes(bytes),
        Err(e) if platform::is_transient(&e) => Transferred::NothingYet,
        Err(_) => Transferred::Disconnected,
    }
}

/// Lets the chip go on for a short while with what an earlier client has left, and drops its answers. Returns whether there
/// may be more to do.
pub(super) fn work_without_client(chip: &mut dyn StreamChip) -> Result<bool, ServeError> {
    let more = chip.step().map_err(ServeError::Chip)?;
    let mut buffer = [0; 4096];
    while chip.pull(&mut buffer) > 0 {}
    Ok(more)
}
