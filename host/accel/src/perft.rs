//! A walk over the tree below a position, by the chip itself.

use super::{AccelError, CoProcessor, PositionError, Request, Ticket};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    perft::{Sums, MAX_INTERVAL, MIN_INTERVAL},
    position::PositionImage,
    registers::BOARD_SIMULATION,
};
use std::time::Duration;

/// A simulated chip tells of its progress after 2 to the power of this many clocks.
const SIMULATED_INTERVAL: u8 = 12;
/// A board four times a second, about.
const REPORTS_HZ: u32 = 4;
/// How often the caller is asked whether to go on.
const ASK: Duration = Duration::from_millis(100);

/// What a walk counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walked {
    /// Leaves, expansions, clocks.
    pub sums: Sums,
    /// All is counted; otherwise the walk was ended early.
    pub complete: bool,
}

/// [`CoProcessor::perft`].
pub(super) fn perft<C: CoProcessor + ?Sized>(
    chip: &C,
    position: &PositionImage,
    depth: u8,
    watch: &mut dyn FnMut(Sums) -> bool,
) -> Result<Result<Walked, PositionError>, AccelError> {
    let info = chip.info()?;
    let interval = match (info.board, info.clock_hz) {
        (BOARD_SIMULATION, _) | (_, 0) => SIMULATED_INTERVAL,
        (_, hz) => ((hz / REPORTS_HZ).max(1).ilog2() as u8).clamp(MIN_INTERVAL, MAX_INTERVAL),
    };
    let ticket = chip.submit(Request::perft(position, depth, interval));
    let mut cancel: Option<Ticket> = None;
    while !ticket.wait_for(ASK) {
        let goes_on = watch(ticket.progress().unwrap_or_default());
        // A request whose answer was lost is sent again, behind its cancellation: then it takes another.
        if !goes_on && cancel.as_ref().is_none_or(Ticket::poll) {
            cancel = Some(chip.submit(Request::new(Opcode::Cancel, [])));
        }
    }
    let outcome = ticket.wait();
    // So that nothing is in flight when this returns; whether it came through does not matter any more.
    cancel.map(|ticket| ticket.wait().ok());
    let answer = outcome?.swap_remove(0);
    let (target, opcode) = (chip.name(), Opcode::Perft as u8);
    let wrong = |what| {
        let reason = format!("{} bytes {what}", answer.payload.len());
        AccelError::Malformed { target: target.clone(), opcode, reason }
    };
    match Status::from_code(answer.status) {
        Some(status @ (Status::Ok | Status::Cancelled)) => {
            let sums = bytemuck::try_pod_read_unaligned(&answer.payload).map_err(|_| wrong("of sums"))?;
            Ok(Ok(Walked { sums, complete: status == Status::Ok }))
        }
        Some(Status::Position) => {
            let faults = bytemuck::try_pod_read_unaligned(&answer.payload).map_err(|_| wrong("of fault bits"))?;
            Ok(Err(PositionError::Impossible { faults }))
        }
        Some(Status::BadOpcode) => Err(AccelError::NoPerft { target }),
        Some(status) => Err(AccelError::Refused { target, opcode, status }),
        None => Err(wrong("with an unknown status")),
    }
}
