//! Requests, answers, and what they mean.

use super::AccelError;
use hayasashi_model::perft::Walk;
use hayasashi_spec::{
    frame::MAX_BATCH,
    moves::MoveRecord,
    opcode::{Opcode, Status, RESULT_BYTES, RESULT_CHECK, RESULT_UCHIFUZUME},
    perft::{PerftHead, Sums, PERFT_BYTES},
    position::{Fault, PositionImage, IMAGE_BYTES},
};
use std::{
    sync::{Arc, Condvar, Mutex},
    time::Duration,
};
use thiserror::Error;

/// A request as it goes on the link, without its sequence number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// Opcode byte; need not be one that exists.
    pub opcode: u8,
    /// Positions in the batch, 0 for requests without positions.
    pub count: u16,
    /// The payload, at most [`hayasashi_spec::frame::MAX_REQUEST_PAYLOAD`] bytes.
    pub payload: Vec<u8>,
}

impl Request {
    /// A request without positions.
    pub fn new(opcode: Opcode, payload: impl Into<Vec<u8>>) -> Request {
        Request { opcode: opcode as u8, count: 0, payload: payload.into() }
    }

    /// One batch of at most [`MAX_BATCH`] positions.
    pub fn batch(opcode: Opcode, positions: &[PositionImage]) -> Request {
        debug_assert!(positions.len() <= MAX_BATCH);
        let payload = bytemuck::cast_slice(positions).to_vec();
        Request { opcode: opcode as u8, count: positions.len() as u16, payload }
    }

    /// A walk of `depth` plies below a position, with an answer `PROGRESS` each `2^interval` clocks (0: none).
    pub fn perft(position: &PositionImage, depth: u8, interval: u8) -> Request {
        let head = PerftHead { depth, interval, ..PerftHead::default() };
        Request::new(Opcode::Perft, [bytemuck::bytes_of(&head), bytemuck::bytes_of(position)].concat())
    }

    /// How many frames answer this request if the chip takes it: one for each position of a well-formed batch,
    /// else one (those that tell of progress are none).
    pub fn answers(&self) -> usize {
        if self.is_batch() && self.has_valid_length() {
            self.count as usize
        } else {
            1
        }
    }

    fn is_batch(&self) -> bool {
        use Opcode::*;
        matches!(Opcode::from_code(self.opcode), Some(Generate | Count | Evaluate))
    }

    /// Whether the payload suits the opcode; if not, `BAD_LENGTH` is the chip's right answer.
    pub fn has_valid_length(&self) -> bool {
        let bytes = self.payload.len();
        match Opcode::from_code(self.opcode) {
            Some(Opcode::Info | Opcode::Cancel) => bytes == 0,
            Some(Opcode::Perft) => bytes == PERFT_BYTES,
            Some(Opcode::LoadTable) => bytes >= 4,
            Some(Opcode::Generate | Opcode::Count | Opcode::Evaluate) => {
                self.count > 0 && bytes == IMAGE_BYTES * self.count as usize
            }
            Some(Opcode::Echo) | None => true,
        }
    }
}

/// An answer frame without its sequence number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Response {
    /// Opcode byte of the frame, [`hayasashi_spec::opcode::ANSWER`] included.
    pub opcode: u8,
    /// Status byte.
    pub status: u8,
    /// Index in the batch.
    pub index: u16,
    /// The payload.
    pub payload: Vec<u8>,
}

/// The answers to one request, in order: one, or one for each position.
pub type Responses = Vec<Response>;
/// How a request went.
pub type RequestOutcome = Result<Responses, AccelError>;

/// What `GENERATE` says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The result header.
    pub count: Counted,
    /// The legal moves in canonical order.
    pub moves: Vec<MoveRecord>,
}

/// What `COUNT` says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Number of legal moves.
    pub moves: u16,
    /// `RESULT_…` bits.
    pub flags: u16,
}

impl Counted {
    /// Whether the mover is in check.
    pub fn in_check(self) -> bool {
        self.flags & RESULT_CHECK != 0
    }

    /// Whether a pawn drop is excluded because it would be mate.
    pub fn excludes_pawn_drop_mate(self) -> bool {
        self.flags & RESULT_UCHIFUZUME != 0
    }
}

/// What `EVALUATE` says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evaluated {
    /// Centipawns for the mover.
    pub score: i16,
}

/// Why one position has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The position cannot occur; the word is the union of [`Fault`] bits.
    #[error("the position cannot occur: {}; hint: check the SFEN it was made from", fault_words(*.faults))]
    Impossible {
        /// The fault bits.
        faults: u32,
    },
    /// No evaluation table is loaded.
    #[error("no evaluation table is loaded; hint: load one first (`load_table`)")]
    NoTable,
    /// Another status, which this program does not expect for a position.
    #[error(
        "status 0x{status:02X} for a position; hint: the gateware is newer than this program, or lacks this function"
    )]
    Status {
        /// As received.
        status: u8,
    },
}

/// Fault bits in words, separated by semicolons.
pub fn fault_words(faults: u32) -> String {
    let mut words: Vec<String> =
        Fault::ALL.iter().filter(|f| faults & **f as u32 != 0).map(|f| f.text().to_string()).collect();
    let unknown = faults & !Fault::ALL.iter().fold(0, |bits, f| bits | *f as u32);
    if unknown != 0 || faults == 0 {
        words.push(format!("unknown fault bits 0x{unknown:X}"));
    }
    words.join("; ")
}

/// A result that an answer frame can hold.
pub trait Parse: Sized {
    /// The request that asks for it.
    const OPCODE: Opcode;
    /// Reads the payload of an `OK` answer; the error says what is wrong with it.
    fn parse(payload: &[u8]) -> Result<Self, String>;
}

fn halves(payload: &[u8]) -> Result<(u16, u16), String> {
    match payload {
        [a, b, c, d] => Ok((u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]))),
        _ => Err(format!("{} bytes instead of 4", payload.len())),
    }
}

impl Parse for Counted {
    const OPCODE: Opcode = Opcode::Count;

    fn parse(payload: &[u8]) -> Result<Counted, String> {
        halves(payload).map(|(moves, flags)| Counted { moves, flags })
    }
}

impl Parse for Generated {
    const OPCODE: Opcode = Opcode::Generate;

    fn parse(payload: &[u8]) -> Result<Generated, String> {
        let count = Counted::parse(payload.get(..RESULT_BYTES).ok_or("no result header")?)?;
        let records = &payload[RESULT_BYTES..];
        if records.len() != 4 * count.moves as usize {
            return Err(format!("{} bytes of move records for {} moves", records.len(), count.moves));
        }
        Ok(Generated { count, moves: records.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect() })
    }
}

impl Parse for Evaluated {
    const OPCODE: Opcode = Opcode::Evaluate;

    fn parse(payload: &[u8]) -> Result<Evaluated, String> {
        halves(payload).map(|(score, _)| Evaluated { score: score as i16 })
    }
}

/// Reads one answer of a batch.
pub fn parse_position<T: Parse>(target: &str, answer: &Response) -> Result<Result<T, PositionError>, AccelError> {
    let opcode = T::OPCODE as u8;
    let malformed = |reason| AccelError::Malformed { target: target.into(), opcode, reason };
    match Status::from_code(answer.status) {
        Some(Status::Ok) => T::parse(&answer.payload).map(Ok).map_err(malformed),
        Some(Status::Position) => match answer.payload[..] {
            [a, b, c, d] => Ok(Err(PositionError::Impossible { faults: u32::from_le_bytes([a, b, c, d]) })),
            _ => Err(malformed(format!("{} bytes of fault bits instead of 4", answer.payload.len()))),
        },
        Some(Status::NoTable) => Ok(Err(PositionError::NoTable)),
        Some(Status::BadOpcode) if T::OPCODE == Opcode::Evaluate => {
            Err(AccelError::NoEvaluator { target: target.into() })
        }
        Some(Status::BadOpcode) if T::OPCODE == Opcode::Generate => {
            Err(AccelError::NoMovegen { target: target.into() })
        }
        Some(status @ (Status::BadOpcode | Status::BadLength | Status::Busy | Status::BadCrc)) => {
            Err(AccelError::Refused { target: target.into(), opcode, status })
        }
        _ => Ok(Err(PositionError::Status { status: answer.status })),
    }
}

/// A place for an outcome that is still to come.
#[derive(Debug, Default)]
pub(super) struct Slot {
    outcome: Mutex<Option<RequestOutcome>>,
    filled: Condvar,
    progress: Mutex<Option<Sums>>,
}

impl Slot {
    pub(super) fn fill(&self, outcome: RequestOutcome) {
        *self.outcome.lock().unwrap() = Some(outcome);
        self.filled.notify_all();
    }

    pub(super) fn show(&self, progress: Sums) {
        *self.progress.lock().unwrap() = Some(progress);
    }
}

/// A submitted request: [`poll`](Ticket::poll) it now and then, or [`wait`](Ticket::wait) for it.
///
/// A ticket may be handed to another thread. A dropped ticket does not cancel its request.
#[must_use = "the answers come through the ticket"]
pub struct Ticket {
    slot: Arc<Slot>,
    finish: Option<Box<dyn FnOnce(RequestOutcome) -> RequestOutcome + Send>>,
    walk: Option<Arc<Walk>>,
}

impl Ticket {
    /// A ticket whose outcome is known already.
    pub fn ready(outcome: RequestOutcome) -> Ticket {
        let slot = Slot { outcome: Mutex::new(Some(outcome)), ..Slot::default() };
        Ticket { slot: Arc::new(slot), finish: None, walk: None }
    }

    pub(super) fn open() -> (Ticket, Arc<Slot>) {
        let slot = Arc::new(Slot::default());
        (Ticket { slot: slot.clone(), finish: None, walk: None }, slot)
    }

    /// Runs `finish` on the outcome, in the thread that collects it.
    pub fn then(self, finish: impl FnOnce(RequestOutcome) -> RequestOutcome + Send + 'static) -> Ticket {
        let earlier = self.finish;
        let both = move |outcome| finish(earlier.into_iter().fold(outcome, |o, f| f(o)));
        Ticket { slot: self.slot, finish: Some(Box::new(both)), walk: self.walk }
    }

    /// Whether [`wait`](Ticket::wait) would not wait for the chip.
    pub fn poll(&self) -> bool {
        self.slot.outcome.lock().unwrap().is_some()
    }

    /// How far a walk has come, as far as it is known.
    pub fn progress(&self) -> Option<Sums> {
        let told = *self.slot.progress.lock().unwrap();
        self.walk.as_ref().map(|walk| walk.sums()).or(told)
    }

    /// The request is this walk in this process.
    pub(super) fn watching(self, walk: Arc<Walk>) -> Ticket {
        Ticket { walk: Some(walk), ..self }
    }

    /// Waits for the outcome, but no longer than this. Gives whether it has come.
    pub fn wait_for(&self, longest: Duration) -> bool {
        let held = self.slot.outcome.lock().unwrap();
        self.slot.filled.wait_timeout_while(held, longest, |o| o.is_none()).unwrap().0.is_some()
    }

    /// The outcome, when it has come.
    pub fn wait(self) -> RequestOutcome {
        let outcome = {
            let held = self.slot.outcome.lock().unwrap();
            self.slot.filled.wait_while(held, |o| o.is_none()).unwrap().take().unwrap()
        };
        match self.finish {
            Some(finish) => finish(outcome),
            None => outcome,
        }
    }
}

/// A submitted batch of any size, of which each position will have a `T`.
#[must_use = "the results come through `wait`"]
pub struct Pending<T> {
    target: String,
    tickets: Vec<(usize, Ticket)>,
    result: std::marker::PhantomData<fn() -> T>,
}

impl<T: Parse> Pending<T> {
    pub(super) fn new(target: String, tickets: Vec<(usize, Ticket)>) -> Pending<T> {
        Pending { target, tickets, result: std::marker::PhantomData }
    }

    /// Whether [`wait`](Pending::wait) would not wait for the chip.
    pub fn poll(&self) -> bool {
        self.tickets.iter().all(|(_, t)| t.poll())
    }

    /// One result for each position, in the order of the positions.
    pub fn wait(self) -> Result<Vec<Result<T, PositionError>>, AccelError> {
        let mut results = Vec::new();
        let mut failure = None;
        // Collect all, so that no request is left behind when one fails.
        for (positions, ticket) in self.tickets {
            match ticket.wait().and_then(|answers| parse_batch(&self.target, positions, &answers)) {
                Ok(batch) => results.extend(batch),
                Err(e) => failure = failure.or(Some(e)),
            }
        }
        failure.map_or(Ok(results), Err)
    }
}

fn parse_batch<T: Parse>(
    target: &str,
    positions: usize,
    answers: &[Response],
) -> Result<Vec<Result<T, PositionError>>, AccelError> {
    let batch = answers.iter().map(|a| parse_position(target, a)).collect::<Result<Vec<_>, _>>()?;
    if batch.len() != positions {
        let reason = format!("{} answers to {positions} positions", batch.len());
        return Err(AccelError::Malformed { target: target.into(), opcode: T::OPCODE as u8, reason });
    }
    Ok(batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_in_words() {
        assert_eq!(fault_words(1 << 2 | 1 << 3), format!("{}; {}", Fault::TwoPawns.text(), Fault::Dead.text()));
        assert_eq!(fault_words(1 << 9), "unknown fault bits 0x200");
    }

    #[test]
    fn a_move_list_must_have_the_length_it_says() {
        assert!(Generated::parse(&[1, 0, 0, 0]).is_err());
        let one = Generated::parse(&[1, 0, 1, 0, 5, 0, 0, 1]).unwrap();
        assert!(one.count.in_check() && one.moves.len() == 1 && one.moves[0].mv.to() == 5);
    }

    #[test]
    fn tickets_finish_in_order() {
        let t = Ticket::ready(Ok(vec![])).then(|_| Err(AccelError::TooLong { bytes: 1 })).then(|o| {
            assert!(o.is_err());
            Ok(vec![])
        });
        assert!(t.poll());
        assert_eq!(t.wait(), Ok(vec![]));
    }
}
