//! The counters of a monitor.

use super::Totals;
use crate::{FailoverEvent, Request, Responses};
use hayasashi_spec::{
    frame::{CRC_BYTES, HEADER_BYTES},
    opcode::Status,
};
use std::sync::{
    atomic::{AtomicU64, Ordering::Relaxed},
    Mutex, PoisonError,
};

/// Bytes of a frame around its payload: delimiters, header, checksum. Stuffed bytes are not counted.
const FRAME_BYTES: u64 = (2 + HEADER_BYTES + CRC_BYTES) as u64;

#[derive(Default)]
pub(super) struct Counters {
    requests: AtomicU64,
    ended: AtomicU64,
    failed: AtomicU64,
    positions: AtomicU64,
    bytes_to_chip: AtomicU64,
    bytes_from_chip: AtomicU64,
    losses: AtomicU64,
    checked: AtomicU64,
    differences: AtomicU64,
    /// The first difference, in words.
    first_difference: Mutex<Option<String>>,
}

impl Counters {
    /// Counts a request, and returns its number, from 1 on.
    pub(super) fn submitted(&self, request: &Request) -> u64 {
        self.bytes_to_chip.fetch_add(FRAME_BYTES + request.payload.len() as u64, Relaxed);
        self.requests.fetch_add(1, Relaxed) + 1
    }

    /// Counts the end of a request: its answers were collected, or nobody waits for them any longer.
    pub(super) fn ended(&self) {
        self.ended.fetch_add(1, Relaxed);
    }

    pub(super) fn answered(&self, request: &Request, answers: Option<&Responses>) {
        let Some(answers) = answers else {
            self.failed.fetch_add(1, Relaxed);
            return;
        };
        let bytes = answers.iter().map(|answer| FRAME_BYTES + answer.payload.len() as u64).sum();
        self.bytes_from_chip.fetch_add(bytes, Relaxed);
        if request.count > 0 {
            let positions = answers.iter().filter(|answer| answer.status == Status::Ok as u8).count();
            self.positions.fetch_add(positions as u64, Relaxed);
        }
    }

    pub(super) fn event(&self, event: &FailoverEvent) {
        if matches!(event, FailoverEvent::Lost { .. }) {
            self.losses.fetch_add(1, Relaxed);
        }
    }

    /// Counts a checked request and its difference.
    pub(super) fn checked(&self, difference: Option<String>) {
        self.checked.fetch_add(1, Relaxed);
        if let Some(difference) = difference {
            self.differences.fetch_add(1, Relaxed);
            self.first_difference.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(difference);
        }
    }

    pub(super) fn totals(&self) -> Totals {
        let ended = self.ended.load(Relaxed);
        let requests = self.requests.load(Relaxed);
        Totals {
            requests,
            in_flight: requests.saturating_sub(ended),
            failed: self.failed.load(Relaxed),
            positions: self.positions.load(Relaxed),
            bytes_to_chip: self.bytes_to_chip.load(Relaxed),
            bytes_from_chip: self.bytes_from_chip.load(Relaxed),
            losses: self.losses.load(Relaxed),
            checked: self.checked.load(Relaxed),
            differences: self.differences.load(Relaxed),
            first_difference: self.first_difference.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}
