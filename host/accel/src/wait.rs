//! Waiting on file descriptors.

use nix::libc;
use std::{io, os::fd::RawFd, time::Duration};

/// Waits until one of `fds` can be read (or is in error), at most for `timeout`. Gives which can.
pub(super) fn readable(fds: &[RawFd], timeout: Duration) -> io::Result<Vec<bool>> {
    let ready = ready(&fds.iter().map(|fd| (*fd, libc::POLLIN)).collect::<Vec<_>>(), timeout)?;
    Ok(ready.into_iter().map(|events| events != 0).collect())
}

/// Waits for any of the given events, at most for `timeout`. Gives the events of each descriptor.
pub(super) fn ready(fds: &[(RawFd, i16)], timeout: Duration) -> io::Result<Vec<i16>> {
    let mut polled: Vec<libc::pollfd> =
        fds.iter().map(|(fd, events)| libc::pollfd { fd: *fd, events: *events, revents: 0 }).collect();
    let milliseconds = timeout.as_micros().div_ceil(1000).min(i32::MAX as u128) as i32;
    // SAFETY: the pointer and the length are those of a live vector.
    let result = unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, milliseconds) };
    if result < 0 {
        let e = io::Error::last_os_error();
        return if is_transient(&e) { Ok(vec![0; fds.len()]) } else { Err(e) };
    }
    Ok(polled.iter().map(|p| p.revents).collect())
}

/// Whether an I/O error only means "not now".
pub(super) fn is_transient(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted | io::ErrorKind::TimedOut)
}
