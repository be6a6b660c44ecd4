//! What differs between Unix and other systems: waiting for several byte streams, serial ports, pseudo-terminals.
//!
//! On Unix the driver polls file descriptors, and a submission wakes it through a socket pair. Elsewhere reads have
//! timeouts, and while requests are in flight the driver looks for new submissions once a millisecond. Pseudo-terminals
//! exist on Unix only.

#[cfg(unix)]
mod device_pair;
#[cfg(unix)]
mod litepcie;
#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
use other as system;
#[cfg(unix)]
use unix as system;

#[cfg(unix)]
pub(crate) use device_pair::DevicePair;
#[cfg(unix)]
pub(crate) use litepcie::LitePcieFile;
#[cfg(not(unix))]
pub(crate) use other::{DevicePair, LitePcieFile};
pub use system::PollHandle;
pub(crate) use system::{
    is_pseudo_terminal, open_fifos, open_pty, open_to_card, poll_handle, read_tcp, symlink, wait, wake_pair,
    NativeSerial, WakeReceiver, WakeSender,
};

use std::io;

/// The events of a byte stream that [`wait`] waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interest {
    pub(crate) read: bool,
    pub(crate) write: bool,
}

impl Interest {
    pub(crate) const READ: Interest = Interest { read: true, write: false };
}

/// Whether an I/O error only means "not now".
pub(crate) fn is_transient(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted | io::ErrorKind::TimedOut)
}
