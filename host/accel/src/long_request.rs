//! Requests that take long: their progress, and the software model at work on one.

use hayasashi_model::{link::dispatcher::Dispatcher, perft::Walk, search::Searching, Model};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    perft::{PerftHead, Sums, SUMS_BYTES},
    search::{Found, SearchHead, FOUND_BYTES},
};
use std::sync::Arc;

/// The payload of a `PROGRESS` answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Of `PERFT`.
    Walk(Sums),
    /// Of `SEARCH`.
    Search(Found),
}

impl Progress {
    /// Reads the payload of an answer to this opcode; `None` if it has another length.
    pub(crate) fn read(opcode: Opcode, payload: &[u8]) -> Option<Progress> {
        match (opcode, payload.len()) {
            (Opcode::Perft, SUMS_BYTES) => Some(Progress::Walk(bytemuck::pod_read_unaligned(payload))),
            (Opcode::Search, FOUND_BYTES) => Some(Progress::Search(bytemuck::pod_read_unaligned(payload))),
            _ => None,
        }
    }

    /// A number that grows while the chip works.
    pub(crate) fn counted(&self) -> u64 {
        match self {
            Progress::Walk(sums) => sums.nodes.saturating_add(sums.expansions),
            Progress::Search(found) => found.nodes.saturating_add(found.steps),
        }
    }

    /// The payload.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Progress::Walk(sums) => bytemuck::bytes_of(sums),
            Progress::Search(found) => bytemuck::bytes_of(found),
        }
    }
}

/// The model at work on a request that takes long.
#[derive(Debug)]
pub(crate) enum LongRequest {
    Walk(Walk),
    Search(Arc<Searching>),
}

impl LongRequest {
    /// The work that this opcode needs, if it takes long; a search behind those of this chip.
    pub fn new(opcode: Opcode, chip: &mut Dispatcher) -> Option<LongRequest> {
        match opcode {
            Opcode::Perft => Some(LongRequest::Walk(Walk::default())),
            Opcode::Search => Some(LongRequest::Search(chip.begin_search())),
            _ => None,
        }
    }

    /// Whether a request of this opcode and payload, whose length is right, asks for reports.
    pub fn reports(opcode: Opcode, payload: &[u8]) -> bool {
        match opcode {
            Opcode::Search => {
                bytemuck::pod_read_unaligned::<SearchHead>(&payload[..size_of::<SearchHead>()]).interval > 0
            }
            _ => bytemuck::pod_read_unaligned::<PerftHead>(&payload[..size_of::<PerftHead>()]).interval > 0,
        }
    }

    pub fn cancel(&self) {
        match self {
            LongRequest::Walk(walk) => walk.cancel(),
            LongRequest::Search(search) => search.cancel(),
        }
    }

    pub fn progress(&self) -> Progress {
        match self {
            LongRequest::Walk(walk) => Progress::Walk(walk.sums()),
            LongRequest::Search(search) => Progress::Search(search.found()),
        }
    }

    /// Does the work: the status and the payload of the last answer.
    pub fn run(&self, model: &Model, request: &[u8]) -> (Status, Vec<u8>) {
        let mut payload = Vec::new();
        let status = match self {
            LongRequest::Walk(walk) => model.perft(request, walk, &mut payload),
            LongRequest::Search(search) => model.search(request, search, &mut payload),
        };
        (status, payload)
    }
}
