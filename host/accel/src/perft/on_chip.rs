//! Perft by the chip itself.

use crate::{link::decode_faults, AccelError, CoProcessor, PositionError, Request, Ticket};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    perft::{Sums, MAX_INTERVAL, MIN_INTERVAL},
    position::PositionImage,
    registers::BOARD_SIMULATION,
};
use std::time::Duration;

/// A simulated chip reports its progress every 2 to the power of this many clocks.
const SIMULATION_INTERVAL: u8 = 12;
/// Progress reports of a board per second, approximately.
const REPORTS_HZ: u32 = 4;
/// Time between two calls of `watch`.
const WATCH_INTERVAL: Duration = Duration::from_millis(100);

/// The result of perft by the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerftResult {
    /// Leaves, expansions, clocks.
    pub sums: Sums,
    /// Whether everything is counted; if not, perft was cancelled.
    pub complete: bool,
}

/// [`CoProcessor::perft`].
pub(crate) fn on_chip<C: CoProcessor + ?Sized>(
    chip: &C,
    position: &PositionImage,
    depth: u8,
    watch: &mut dyn FnMut(Sums) -> bool,
) -> Result<Result<PerftResult, PositionError>, AccelError> {
    let info = chip.info()?;
    let interval = match (info.board, info.clock_hz) {
        (BOARD_SIMULATION, _) | (_, 0) => SIMULATION_INTERVAL,
        (_, hz) => ((hz / REPORTS_HZ).max(1).ilog2() as u8).clamp(MIN_INTERVAL, MAX_INTERVAL),
    };
    let ticket = chip.submit(Request::perft(position, depth, interval));
    let mut cancel: Option<Ticket> = None;
    while !ticket.wait_for(WATCH_INTERVAL) {
        let continues = watch(ticket.progress().unwrap_or_default());
        // A perft request whose answer was lost is sent again after its `CANCEL`, and then needs another one.
        if !continues && cancel.as_ref().is_none_or(Ticket::poll) {
            cancel = Some(chip.submit(Request::new(Opcode::Cancel, [])));
        }
    }
    let outcome = ticket.wait();
    // Nothing stays in flight; the outcome of `CANCEL` no longer matters.
    cancel.map(|ticket| ticket.wait().ok());
    let answer = outcome?.swap_remove(0);
    let malformed = |reason| AccelError::malformed(chip.name(), Opcode::Perft, reason);
    match Status::from_code(answer.status) {
        Some(status @ (Status::Ok | Status::Cancelled)) => {
            let sums = bytemuck::try_pod_read_unaligned(&answer.payload)
                .map_err(|_| malformed(format!("{} bytes of sums", answer.payload.len())))?;
            Ok(Ok(PerftResult { sums, complete: status == Status::Ok }))
        }
        Some(Status::Position) => decode_faults(&answer.payload).map(Err).map_err(malformed),
        _ => Err(AccelError::from_status(chip.name(), Opcode::Perft, answer.status)),
    }
}
