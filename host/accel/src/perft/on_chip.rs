//! Perft by the chip itself.

use super::PerftError;
use crate::{
    link::decode_faults, view, workers::share, AccelError, CoProcessor, PositionError, Progress, Request, Ticket,
};
use hayasashi_shogi::rules::{Move, MoveList, Position};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    perft::{Sums, MAX_INTERVAL, MIN_INTERVAL},
    position::PositionImage,
    registers::BOARD_SIMULATION,
};
use std::{
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        Mutex, PoisonError,
    },
    time::Duration,
};

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

/// The least depth in plies at which [`walk`] asks for each subtree by itself. Below it the chip's pauses between subtrees
/// would count.
const SPLIT_DEPTH: u8 = 5;

/// The result of [`walk`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walked {
    /// The sums of all subtrees, and whether they are complete.
    pub result: PerftResult,
    /// The leaves by the back end that counted them, in the order in which they first answered.
    pub leaves_by: Vec<(String, u64)>,
}

impl Walked {
    fn add(&mut self, backend: String, part: PerftResult) {
        self.result =
            PerftResult { sums: sum(self.result.sums, part.sums), complete: self.result.complete && part.complete };
        match self.leaves_by.iter_mut().find(|(name, _)| *name == backend) {
            Some((_, leaves)) => *leaves += part.sums.nodes,
            None => self.leaves_by.push((backend, part.sums.nodes)),
        }
    }
}

/// Lets the chip count the leaves `depth` plies (1 to [`hayasashi_spec::perft::MAX_DEPTH`]) below a position, from 5 plies
/// on each root move by itself, as many at a time as the back end has chips: if one is lost, what it has counted is kept and another
/// back end counts the rest. `watch` is as in [`CoProcessor::perft`].
///
/// # Errors
/// The back end fails, or rejects a position of the tree.
pub fn walk(
    chip: &dyn CoProcessor,
    pos: &Position,
    depth: u8,
    watch: &mut dyn FnMut(Sums) -> bool,
) -> Result<Walked, PerftError> {
    let mut moves = MoveList::new();
    let roots: Vec<PositionImage> = match depth < SPLIT_DEPTH {
        true => vec![view::image(pos)],
        false => {
            pos.legal_moves(&mut moves);
            moves.iter().map(|&mv| view::image(&after(pos, mv))).collect()
        }
    };
    let plies = if depth < SPLIT_DEPTH { depth } else { depth - 1 };
    let counted = Mutex::new(vec![Sums::default(); roots.len()]);
    let set = |at: usize, sums| counted.lock().unwrap_or_else(PoisonError::into_inner)[at] = sums;
    let goes_on = AtomicBool::new(true);
    let count = |(at, root): (usize, &PositionImage)| {
        let part = chip.perft(root, plies, &mut |sums| {
            set(at, sums);
            goes_on.load(Relaxed)
        });
        if let Ok(Ok(part)) = &part {
            set(at, part.sums);
        }
        part
    };
    let mut walked = Walked { result: PerftResult { sums: Sums::default(), complete: true }, leaves_by: Vec::new() };
    let (mut ended, mut failure) = (0, None);
    let threads = chip.at_once().min(roots.len());
    let items = roots.iter().enumerate();
    share("walk", items, threads, &|| goes_on.load(Relaxed), &count, WATCH_INTERVAL, &mut |part| {
        ended += usize::from(part.is_some());
        match part.map(|part| part.map_err(PerftError::from).and_then(|part| part.map_err(PerftError::from))) {
            Some(Ok(part)) => walked.add(chip.name(), part),
            Some(Err(error)) => failure = failure.take().or(Some(error)),
            None => {}
        }
        let sums = counted.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().fold(Sums::default(), sum);
        if !watch(sums) || failure.is_some() {
            goes_on.store(false, Relaxed);
        }
    });
    walked.result.complete &= ended == roots.len();
    failure.map_or(Ok(walked), Err)
}

fn after(pos: &Position, mv: Move) -> Position {
    let mut after = pos.clone();
    after.do_move(mv);
    after
}

fn sum(a: Sums, b: Sums) -> Sums {
    Sums { nodes: a.nodes + b.nodes, expansions: a.expansions + b.expansions, clocks: a.clocks + b.clocks }
}

/// [`CoProcessor::perft`].
pub(crate) fn on_chip<C: CoProcessor + ?Sized>(
    chip: &C,
    position: &PositionImage,
    depth: u8,
    watch: &mut dyn FnMut(Sums) -> bool,
) -> Result<Result<PerftResult, PositionError>, AccelError> {
    let info = chip.identity()?;
    let interval = match (info.board, info.clock_hz) {
        (BOARD_SIMULATION, _) | (_, 0) => SIMULATION_INTERVAL,
        (_, hz) => ((hz / REPORTS_HZ).max(1).ilog2() as u8).clamp(MIN_INTERVAL, MAX_INTERVAL),
    };
    let ticket = chip.submit(Request::perft(position, depth, interval));
    let mut cancel: Option<Ticket> = None;
    while !ticket.wait_for(WATCH_INTERVAL) {
        let continues = watch(match ticket.progress() {
            Some(Progress::Walk(sums)) => sums,
            _ => Sums::default(),
        });
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
