//! The trait of all back ends.

use crate::{
    link::parse_info, AccelError, Evaluation, Expansion, LegalMoves, MoveCount, PendingBatch, PerftResult,
    PositionError, PositionResult, Request, RequestOutcome, SearchRequest, SearchResult, SimulationStatistics, Ticket,
};
use hayasashi_model::evaluate;
use hayasashi_spec::{
    frame::MAX_BATCH,
    opcode::{Opcode, Status},
    perft::Sums,
    position::PositionImage,
    registers::Info,
    search::Found,
};

/// One result for each position of a batch, in the order of the positions.
pub type Results<T> = Result<Vec<Result<T, PositionError>>, AccelError>;

/// A back end whose answers the host can compute with a function call, without requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direct {
    /// The software model.
    Model,
    /// The engine's own rules.
    Rules,
}

/// A back end. All back ends answer a request with the same bytes.
///
/// The methods `submit_…` return at once, and the results are waited for later; the other methods submit and wait. An
/// implementation needs only `name` and `submit`.
///
/// # Errors
/// Every method that waits returns an [`AccelError`] if the back end fails, and [`AccelError::MissingCapability`] if the
/// chip was built without the function.
pub trait CoProcessor: Send + Sync {
    /// Names the back end in messages: `model`, `serial:/dev/ttyUSB0@3000000`, …
    fn name(&self) -> String;

    /// Submits a request, well-formed or not, and returns at once. The requests of one thread are answered in order. The
    /// payload must not exceed [`hayasashi_spec::frame::MAX_REQUEST_PAYLOAD`].
    fn submit(&self, request: Request) -> Ticket;

    /// Submits requests one after the other. A simulated chip gets them all before its next clock, so that the clocks between its
    /// answers do not depend on how fast this thread is.
    fn submit_all(&self, requests: Vec<Request>) -> Vec<Ticket> {
        requests.into_iter().map(|request| self.submit(request)).collect()
    }

    /// Positions in the largest request.
    fn max_batch(&self) -> usize {
        MAX_BATCH
    }

    /// `PERFT` requests that are worked on at the same time.
    fn at_once(&self) -> usize {
        1
    }

    /// Which function of this process computes the same answers without a request, if one does.
    fn direct(&self) -> Option<Direct> {
        None
    }

    /// Clocks and time of the simulation so far, where the chip is simulated in this process.
    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        None
    }

    /// Submits a request and waits for its answers.
    fn request(&self, request: Request) -> RequestOutcome {
        self.submit(request).wait()
    }

    /// The information registers.
    fn info(&self) -> Result<Info, AccelError> {
        parse_info(&self.name(), &self.request(Request::new(Opcode::Info, []))?)
    }

    /// Registers that never change: what the chip is, and what it can do. Counters and the table's registers are those of an
    /// earlier time. A chip that works on a request that takes long answers this at once.
    fn identity(&self) -> Result<Info, AccelError> {
        self.info()
    }

    /// Sends bytes that the chip returns.
    fn echo(&self, bytes: &[u8]) -> Result<Vec<u8>, AccelError> {
        let mut answers = self.request(Request::new(Opcode::Echo, bytes))?;
        let answer = answers.swap_remove(0);
        match answer.status == Status::Ok as u8 {
            true => Ok(answer.payload),
            false => Err(AccelError::from_status(self.name(), Opcode::Echo, answer.status)),
        }
    }

    /// Loads a whole file of an evaluation table or of a network with as many units as a chip takes, and returns when the chip
    /// reports it as loaded. `EVALUATE` requests in flight meanwhile use the previous table, none, or the new one.
    fn load_table(&self, table: &[u8]) -> Result<(), AccelError> {
        crate::table::load(self, table)
    }

    /// Makes this the chip's evaluation: the network, or the table alone if the chip takes no networks. It is loaded unless the
    /// chip already has it.
    fn set_evaluation(&self, evaluation: &evaluate::Evaluation) -> Result<(), AccelError> {
        let info = self.info()?;
        let evaluation = evaluation.for_chip(info.capabilities);
        if info.table_loaded == 1 && info.table_checksum == evaluation.checksum() {
            return Ok(());
        }
        self.load_table(&evaluation.to_bytes())
    }

    /// Lets the chip itself count the leaves `depth` plies (1 to [`hayasashi_spec::perft::MAX_DEPTH`]) below a position. About
    /// ten times a second it calls `watch` with the progress; `watch` returns whether to continue.
    fn perft(
        &self,
        position: &PositionImage,
        depth: u8,
        watch: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Result<PerftResult, PositionError>, AccelError> {
        crate::perft::on_chip(self, position, depth, watch)
    }

    /// Lets the chip itself search a position, with the table that the request wants or the largest that the chip has. Every few milliseconds it calls `watch` with the answer so far; `watch` returns
    /// whether to continue.
    fn search(
        &self,
        request: &SearchRequest,
        watch: &mut dyn FnMut(Found) -> bool,
    ) -> Result<Result<SearchResult, PositionError>, AccelError> {
        crate::search::on_chip(self, request, watch)
    }

    /// Submits a batch of any size for the legal moves of each position.
    fn submit_generate(&self, positions: &[PositionImage]) -> PendingBatch<LegalMoves> {
        submit(self, positions)
    }

    /// Submits a batch of any size for the number of legal moves of each position.
    fn submit_count(&self, positions: &[PositionImage]) -> PendingBatch<MoveCount> {
        submit(self, positions)
    }

    /// Whether the chip has all of these `CAP_…` bits. For a request, ask [`CoProcessor::answers`].
    fn has(&self, capabilities: u32) -> Result<bool, AccelError> {
        Ok(self.identity()?.capabilities & capabilities == capabilities)
    }

    /// Whether the chip has this opcode.
    fn answers(&self, opcode: Opcode) -> Result<bool, AccelError> {
        Ok(opcode.lacks(self.identity()?.capabilities) == 0)
    }

    /// Submits a batch of any size for the static evaluation of each position.
    fn submit_evaluate(&self, positions: &[PositionImage]) -> PendingBatch<Evaluation> {
        submit(self, positions)
    }

    /// Submits a batch of any size for the legal moves of each position and the scores of the positions after them.
    fn submit_expand(&self, positions: &[PositionImage]) -> PendingBatch<Expansion> {
        submit(self, positions)
    }

    /// The legal moves of each position.
    fn generate(&self, positions: &[PositionImage]) -> Results<LegalMoves> {
        self.submit_generate(positions).wait()
    }

    /// The number of legal moves of each position.
    fn count(&self, positions: &[PositionImage]) -> Results<MoveCount> {
        self.submit_count(positions).wait()
    }

    /// The static evaluation of each position.
    fn evaluate(&self, positions: &[PositionImage]) -> Results<Evaluation> {
        self.submit_evaluate(positions).wait()
    }

    /// The legal moves of each position, and the scores of the positions after them.
    fn expand(&self, positions: &[PositionImage]) -> Results<Expansion> {
        self.submit_expand(positions).wait()
    }
}

fn submit<T: PositionResult, C: CoProcessor + ?Sized>(chip: &C, positions: &[PositionImage]) -> PendingBatch<T> {
    let batches = positions.chunks(chip.max_batch().clamp(1, MAX_BATCH));
    let tickets = batches.map(|b| (b.len(), chip.submit(Request::batch(T::OPCODE, b)))).collect();
    PendingBatch::new(chip.name(), tickets)
}

impl<C: CoProcessor + ?Sized> CoProcessor for std::sync::Arc<C> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn submit(&self, request: Request) -> Ticket {
        (**self).submit(request)
    }

    fn submit_all(&self, requests: Vec<Request>) -> Vec<Ticket> {
        (**self).submit_all(requests)
    }

    fn max_batch(&self) -> usize {
        (**self).max_batch()
    }

    fn at_once(&self) -> usize {
        (**self).at_once()
    }

    fn direct(&self) -> Option<Direct> {
        (**self).direct()
    }

    fn info(&self) -> Result<Info, AccelError> {
        (**self).info()
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        (**self).simulation_statistics()
    }

    fn load_table(&self, table: &[u8]) -> Result<(), AccelError> {
        (**self).load_table(table)
    }

    fn set_evaluation(&self, evaluation: &evaluate::Evaluation) -> Result<(), AccelError> {
        (**self).set_evaluation(evaluation)
    }

    fn perft(
        &self,
        position: &PositionImage,
        depth: u8,
        watch: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Result<PerftResult, PositionError>, AccelError> {
        (**self).perft(position, depth, watch)
    }

    fn identity(&self) -> Result<Info, AccelError> {
        (**self).identity()
    }

    fn search(
        &self,
        request: &SearchRequest,
        watch: &mut dyn FnMut(Found) -> bool,
    ) -> Result<Result<SearchResult, PositionError>, AccelError> {
        (**self).search(request, watch)
    }
}
