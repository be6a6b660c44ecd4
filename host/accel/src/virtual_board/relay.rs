//! Bytes between one client and the chip.

use super::{ServeError, STOP_POLL};
use crate::{
    platform::{self, Interest},
    PollHandle, StreamChip,
};
use std::{
    io::{self, Read, Write},
    sync::atomic::{AtomicBool, Ordering},
};

/// No more answers are taken from the chip while this many bytes wait for the client.
const AHEAD_BYTES: usize = 1 << 16;

/// Why a relay ended.
#[derive(PartialEq)]
pub(super) enum RelayEnd {
    /// The client disconnected.
    Disconnected,
    /// `stop` was set.
    Stopped,
}

/// Carries bytes between a non-blocking client and the chip until the client disconnects or `stop` is set.
pub(super) fn relay(
    chip: &mut dyn StreamChip,
    client: &mut (impl Read + Write),
    handle: Option<PollHandle>,
    stop: &AtomicBool,
) -> Result<RelayEnd, ServeError> {
    let (mut to_chip, mut to_client): (Vec<u8>, Vec<u8>) = Default::default();
    let mut buffer = [0; 4096];
    loop {
        if stop.load(Ordering::Relaxed) {
            return Ok(RelayEnd::Stopped);
        }
        let mut moved = false;
        if to_chip.is_empty() {
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
            let interest = Interest { read: to_chip.is_empty(), write: !to_client.is_empty() };
            let _ = platform::wait(&[(handle, interest)], STOP_POLL);
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

/// Drops the answers to a client that has disconnected.
pub(super) fn discard_output(chip: &mut dyn StreamChip) -> Result<(), ServeError> {
    let mut buffer = [0; 4096];
    loop {
        let bytes = chip.pull(&mut buffer);
        if bytes == 0 && !chip.step().map_err(ServeError::Chip)? {
            return Ok(());
        }
    }
}
