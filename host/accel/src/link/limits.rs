//! Timeouts and counters of a connection.

use hayasashi_spec::frame::BUFFER_BYTES;
use std::time::Duration;

/// Timeouts and limits of a [`Connection`](super::Connection).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkLimits {
    /// Bytes of the chip's request buffer.
    pub credit_bytes: usize,
    /// Longest time without progress while requests are in flight; then they are sent again.
    pub reply_timeout: Duration,
    /// Timeouts without progress after which the chip counts as lost.
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
            // On a noisy line, refusals of a long request follow each other quickly.
            max_attempts: 100,
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
    /// Answer frames that brought no request forward: duplicates, or answers to unknown requests.
    pub stale: u64,
    /// Damaged frames received.
    pub damaged: u64,
    /// Requests that the chip received damaged.
    pub refused: u64,
    /// Reply timeouts.
    pub timeouts: u64,
    /// `BUSY` answers.
    pub busy: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Most credit in use at any time, in bytes.
    pub peak_credit_bytes: usize,
}

impl LinkStatistics {
    /// Frames damaged by the line, in both directions.
    pub fn damage(&self) -> u64 {
        self.damaged + self.refused
    }
}
