//! The one trait of all back ends.

use super::{
    driver::parse_info, AccelError, Counted, Evaluated, Generated, Parse, Pending, PositionError, Request,
    RequestOutcome, Simulated, Ticket, Walked,
};
use hayasashi_spec::{
    frame::MAX_BATCH,
    opcode::{Opcode, Status},
    perft::Sums,
    position::PositionImage,
    registers::Info,
};

/// One result for each position of a batch, in the order of the positions.
pub type Results<T> = Result<Vec<Result<T, PositionError>>, AccelError>;

/// A back end whose answers the host can compute by a function call, without requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direct {
    /// The software model.
    Model,
    /// The engine's own rules.
    Rules,
}

/// A place where requests are answered. All answer a request by the same bytes.
///
/// A search thread submits (`submit_…`), does something else, and collects; the other methods submit and wait. An
/// implementation provides `name` and `submit` only.
pub trait CoProcessor: Send + Sync {
    /// Where the answers come from: `model`, `/dev/ttyUSB0@3000000`, …
    fn name(&self) -> String;

    /// Sends a request, well-formed or not, without waiting for anything. Requests of one thread are answered in
    /// order; its payload must not exceed [`hayasashi_spec::frame::MAX_REQUEST_PAYLOAD`].
    fn submit(&self, request: Request) -> Ticket;

    /// Positions in the largest request.
    fn max_batch(&self) -> usize {
        MAX_BATCH
    }

    /// What gives the same answers in this process without a request.
    fn direct(&self) -> Option<Direct> {
        None
    }

    /// What the chip has done so far, where it is simulated in this process.
    fn simulated(&self) -> Option<Simulated> {
        None
    }

    /// Submits and waits: the answers byte by byte.
    fn request(&self, request: Request) -> RequestOutcome {
        self.submit(request).wait()
    }

    /// The information registers.
    fn info(&self) -> Result<Info, AccelError> {
        parse_info(&self.name(), &self.request(Request::new(Opcode::Info, []))?)
    }

    /// Sends bytes there and back.
    fn echo(&self, bytes: &[u8]) -> Result<Vec<u8>, AccelError> {
        let mut answers = self.request(Request::new(Opcode::Echo, bytes))?;
        let answer = answers.swap_remove(0);
        match Status::from_code(answer.status) {
            Some(Status::Ok) => Ok(answer.payload),
            status => Err(super::table::unexpected(&self.name(), Opcode::Echo, answer.status, status)),
        }
    }

    /// Loads an evaluation table (a whole table file), and returns when the chip says that it is in use. `EVALUATE`
    /// requests that are in flight meanwhile see the table before, none, or the new one.
    fn load_table(&self, table: &[u8]) -> Result<(), AccelError> {
        super::table::load(self, table)
    }

    /// Lets the chip itself count the leaves `depth` plies (1 to [`hayasashi_spec::perft::MAX_DEPTH`]) below a position. Some
    /// ten times a second `watch` is told how far it has come, and says whether to go on.
    fn perft(
        &self,
        position: &PositionImage,
        depth: u8,
        watch: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Result<Walked, PositionError>, AccelError> {
        super::perft::perft(self, position, depth, watch)
    }

    /// Submits a batch of any size for the legal moves of each position.
    fn submit_generate(&self, positions: &[PositionImage]) -> Pending<Generated> {
        submit(self, positions)
    }

    /// Submits a batch of any size for the number of legal moves of each position.
    fn submit_count(&self, positions: &[PositionImage]) -> Pending<Counted> {
        submit(self, positions)
    }

    /// Whether the chip has all of these `CAP_…` bits.
    fn has(&self, capabilities: u32) -> Result<bool, AccelError> {
        Ok(self.info()?.capabilities & capabilities == capabilities)
    }

    /// Submits a batch of any size for the static evaluation of each position.
    fn submit_evaluate(&self, positions: &[PositionImage]) -> Pending<Evaluated> {
        submit(self, positions)
    }

    /// The legal moves of each position.
    fn generate(&self, positions: &[PositionImage]) -> Results<Generated> {
        self.submit_generate(positions).wait()
    }

    /// The number of legal moves of each position.
    fn count(&self, positions: &[PositionImage]) -> Results<Counted> {
        self.submit_count(positions).wait()
    }

    /// The static evaluation of each position.
    fn evaluate(&self, positions: &[PositionImage]) -> Results<Evaluated> {
        self.submit_evaluate(positions).wait()
    }
}

fn submit<T: Parse, C: CoProcessor + ?Sized>(chip: &C, positions: &[PositionImage]) -> Pending<T> {
    let batches = positions.chunks(chip.max_batch().clamp(1, MAX_BATCH));
    let tickets = batches.map(|b| (b.len(), chip.submit(Request::batch(T::OPCODE, b)))).collect();
    Pending::new(chip.name(), tickets)
}

impl<C: CoProcessor + ?Sized> CoProcessor for std::sync::Arc<C> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn submit(&self, request: Request) -> Ticket {
        (**self).submit(request)
    }

    fn max_batch(&self) -> usize {
        (**self).max_batch()
    }

    fn direct(&self) -> Option<Direct> {
        (**self).direct()
    }

    fn simulated(&self) -> Option<Simulated> {
        (**self).simulated()
    }

    fn load_table(&self, table: &[u8]) -> Result<(), AccelError> {
        (**self).load_table(table)
    }
}
