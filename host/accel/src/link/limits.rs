//! Timeouts and counters of a connection.

use hayasashi_spec::frame::BUFFER_BYTES;
use std::time::Duration;

/// Timeouts and limits of a [`Connection`](super::Connection).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkLimits {
    /// Bytes of the chip's request buffer.
    pub credit_bytes: usize,
    /// Longest silence of the chip while requests are in flight.
    pub reply_timeout: Duration,
    /// Consecutive timeouts after which the chip counts as lost.
    pub max_timeouts: u32,
    /// Transmissions of one request, without a new answer to it, after which it fails.
    pub max_attempts: u32,
    /// Delay after a `BUSY` answer.
    pub busy_delay: Duration,
}

impl Default for LinkLimits {
    fn default() -> LinkLimits {
        LinkLimits {
            credit_bytes: BUFFER_BYTES,
            reply_timeout: Duration::from_secs(1),
            max_timeouts: 3,
            max_attempts: 20,
            busy_delay: Duration::from_millis(2),
        }
    }
}

/// Counters of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkStatistics {
    /// Request frames sent, retransmissions included.
    pub sent: u64,
    /// Answer frames accepted.
    pub answers: u64,
    /// Requests sent again.
    pub retransmitted: u64,
    /// Answer frames dropped: duplicates, or answers to unknown requests.
    pub stale: u64,
    /// Damaged frames received.
    pub damaged: u64,
    /// `BUSY` answers.
    pub busy: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Most credit in use at any time, in bytes.
    pub peak_credit_bytes: usize,
}
