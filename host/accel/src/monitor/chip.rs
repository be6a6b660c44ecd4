//! A back end that is watched.

use super::{counters::Counters, Journal, Monitor};
use crate::{
    backends::position_of, verify::Difference, AccelError, CoProcessor, Direct, ModelBackend, PerftResult,
    PositionError, Request, Response, Responses, SearchRequest, SearchResult, SimulationStatistics, Ticket,
};
use hayasashi_model::{evaluate::Evaluation, Model};
use hayasashi_spec::{
    opcode::{Opcode, Status},
    perft::Sums,
    position::{PositionImage, IMAGE_BYTES},
    registers::Info,
    search::Found,
};
use std::sync::{Arc, Mutex, PoisonError};

/// A back end that counts its requests and checks some of them against the model. It answers as the back end does, right or
/// wrong.
pub struct MonitoredChip {
    chip: Arc<dyn CoProcessor>,
    monitor: Monitor,
    /// The model, with the table or network that was loaded through this back end.
    model: Mutex<Arc<ModelBackend>>,
    /// Ends with this back end.
    _journal: Option<Journal>,
}

impl MonitoredChip {
    pub(super) fn new(chip: Arc<dyn CoProcessor>, monitor: Monitor, journal: Option<Journal>) -> MonitoredChip {
        MonitoredChip { chip, monitor, model: Mutex::new(Arc::new(ModelBackend::new())), _journal: journal }
    }

    /// The model to check this request with, if it is one of those that are checked.
    fn checker(&self, request: &Request, number: u64) -> Option<Arc<ModelBackend>> {
        let opcode = Opcode::from_code(request.opcode)?;
        let every = self.monitor.check_every;
        let is_checked = every > 0 && number.is_multiple_of(every) && opcode.is_batch();
        is_checked.then(|| self.model.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Gives the model the evaluation too. Requests in flight keep the model as it was when they were submitted.
    fn set_model(&self, evaluation: Evaluation) {
        let model = ModelBackend::with_model(Model::with_evaluation(evaluation));
        *self.model.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(model);
    }
}

/// Counts the end of a request when it is dropped.
struct InFlight(Arc<Counters>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.ended();
    }
}

impl CoProcessor for MonitoredChip {
    fn name(&self) -> String {
        self.chip.name()
    }

    fn submit(&self, request: Request) -> Ticket {
        let counters = self.monitor.counters.clone();
        let number = counters.submitted(&request);
        let checker = self.checker(&request, number);
        let name = self.chip.name();
        let in_flight = InFlight(counters.clone());
        self.chip.submit(request.clone()).then(move |outcome| {
            drop(in_flight);
            counters.answered(&request, outcome.as_ref().ok());
            if let (Some(model), Ok(answers)) = (checker, &outcome) {
                if let Some(difference) = check(&name, &model, &request, answers) {
                    if let Some(text) = &difference {
                        tracing::error!("{text}");
                    }
                    counters.checked(difference);
                }
            }
            outcome
        })
    }

    fn max_batch(&self) -> usize {
        self.chip.max_batch()
    }

    fn direct(&self) -> Option<Direct> {
        self.chip.direct()
    }

    fn at_once(&self) -> usize {
        self.chip.at_once()
    }

    fn info(&self) -> Result<Info, AccelError> {
        self.monitor.counters.submitted(&Request::new(Opcode::Info, []));
        let _in_flight = InFlight(self.monitor.counters.clone());
        self.chip.info()
    }

    fn identity(&self) -> Result<Info, AccelError> {
        self.chip.identity()
    }

    fn load_table(&self, table: &[u8]) -> Result<(), AccelError> {
        if let Ok(evaluation) = Evaluation::from_bytes(table) {
            self.set_model(evaluation);
        }
        self.chip.load_table(table)
    }

    /// The requests that are checked have the table's scores in any case, so the model gets the whole evaluation.
    fn set_evaluation(&self, evaluation: &Evaluation) -> Result<(), AccelError> {
        self.set_model(evaluation.clone());
        self.chip.set_evaluation(evaluation)
    }

    fn perft(
        &self,
        position: &PositionImage,
        depth: u8,
        watch: &mut dyn FnMut(Sums) -> bool,
    ) -> Result<Result<PerftResult, PositionError>, AccelError> {
        let request = Request::perft(position, depth, 0);
        self.monitor.counters.submitted(&request);
        let _in_flight = InFlight(self.monitor.counters.clone());
        self.chip.perft(position, depth, watch)
    }

    fn search(
        &self,
        request: &SearchRequest,
        watch: &mut dyn FnMut(Found) -> bool,
    ) -> Result<Result<SearchResult, PositionError>, AccelError> {
        self.monitor.counters.submitted(&request.request(0));
        let _in_flight = InFlight(self.monitor.counters.clone());
        self.chip.search(request, watch)
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        self.chip.simulation_statistics()
    }
}

/// The first difference between these answers and the model's, in words; the outer `None` where they cannot be compared,
/// because the model lacks the table.
fn check(name: &str, model: &ModelBackend, request: &Request, answers: &Responses) -> Option<Option<String>> {
    let right = model.answer(request);
    if right.iter().any(|answer| answer.status == Status::NoTable as u8) {
        return None;
    }
    let images = request.payload.chunks_exact(IMAGE_BYTES).map(bytemuck::pod_read_unaligned::<PositionImage>);
    let mut differences = images.enumerate().filter_map(|(index, image)| {
        // A request refused as a whole has one answer.
        let [expected, found] = [&right, answers].map(|all| all.get(index).or(all.last()));
        let (expected, found) = (expected?, found?);
        let equal = (expected.status, &expected.payload) == (found.status, &found.payload);
        (!equal).then(|| describe(name, request.opcode, &image, expected, found))
    });
    Some(differences.next())
}

fn describe(name: &str, opcode: u8, image: &PositionImage, expected: &Response, found: &Response) -> String {
    match (Opcode::from_code(opcode), position_of(image)) {
        (Some(opcode), Ok(position)) => {
            let answers = [("model".into(), expected.clone()), (name.into(), found.clone())];
            Difference { opcode, position, answers }.to_string()
        }
        _ => format!(
            "opcode 0x{opcode:02x} differs for the position {:02x?}: model {:02x?}, {name} {:02x?}",
            image.bytes, expected.payload, found.payload
        ),
    }
}
