//! The software model as a back end, called directly.

use crate::{long_request::LongRequest, AccelError, CoProcessor, Direct, Request, Response, Responses, Ticket};
use hayasashi_model::{
    evaluate::Evaluation,
    link::{dispatcher::Dispatcher, frame::Frame},
    Model,
};
use hayasashi_spec::{
    frame::{Header, MAX_REQUEST_PAYLOAD},
    opcode::{Opcode, Status, ANSWER},
    position::{PositionImage, IMAGE_BYTES},
    registers::Info,
};
use std::sync::{
    atomic::{AtomicU32, Ordering},
    Arc, Mutex, Weak,
};

/// The software model, called directly. The thread that submits a request answers it before `submit` returns; several
/// threads can do so at the same time. Only `PERFT` and `SEARCH` run in threads of their own.
#[derive(Default)]
pub struct ModelBackend {
    dispatcher: Mutex<Dispatcher>,
    /// Requests that take long, and some that have ended.
    running: Mutex<Vec<Weak<LongRequest>>>,
    /// Requests and positions answered without the dispatcher, for the counters of `INFO`.
    frames: AtomicU32,
    positions: AtomicU32,
}

impl ModelBackend {
    /// A model without an evaluation table.
    pub fn new() -> ModelBackend {
        ModelBackend::default()
    }

    /// This model.
    pub fn with_model(model: Model) -> ModelBackend {
        ModelBackend { dispatcher: Mutex::new(Dispatcher::new(model)), ..ModelBackend::default() }
    }

    /// A copy with the same evaluation table and counters.
    pub fn fork(&self) -> ModelBackend {
        ModelBackend { dispatcher: Mutex::new(self.dispatcher.lock().unwrap().clone()), ..ModelBackend::default() }
    }

    /// The model with its present evaluation table.
    pub fn model(&self) -> Model {
        self.dispatcher.lock().unwrap().model().clone()
    }

    /// Checksum of the present evaluation table or network, if there is one.
    pub fn table_checksum(&self) -> Option<u32> {
        self.dispatcher.lock().unwrap().model().evaluation().map(Evaluation::checksum)
    }

    /// Answers a request as the chip does.
    pub fn answer(&self, request: &Request) -> Responses {
        use Opcode::*;
        if let Some(work) = self.start(request) {
            return vec![answer_long(&self.model(), request, &work)];
        }
        match Opcode::from_code(request.opcode) {
            Some(opcode @ (Generate | Count | Evaluate)) if request.has_valid_length() => {
                let model = self.model();
                match model.has(opcode) {
                    true => self.batch(&model, opcode, request),
                    false => self.dispatch(request),
                }
            }
            Some(Cancel) if request.has_valid_length() => {
                let running = std::mem::take(&mut *self.running.lock().unwrap());
                running.iter().filter_map(Weak::upgrade).for_each(|work| work.cancel());
                self.dispatch(request)
            }
            Some(Info) if request.has_valid_length() => vec![self.with_counters(self.dispatch(request).swap_remove(0))],
            _ => self.dispatch(request),
        }
    }

    fn batch(&self, model: &Model, opcode: Opcode, request: &Request) -> Responses {
        let answer = |(index, bytes): (usize, &[u8])| {
            let image: PositionImage = bytemuck::pod_read_unaligned(bytes);
            let mut payload = Vec::new();
            let status = model.answer(opcode, &image, &mut payload);
            self.positions.fetch_add((status == Status::Ok) as u32, Ordering::Relaxed);
            Response { opcode: request.opcode | ANSWER, status: status as u8, index: index as u16, payload }
        };
        self.frames.fetch_add(1, Ordering::Relaxed);
        request.payload.chunks_exact(IMAGE_BYTES).enumerate().map(answer).collect()
    }

    /// Registers a request that takes long, if this is a good one.
    fn start(&self, request: &Request) -> Option<Arc<LongRequest>> {
        let opcode = Opcode::from_code(request.opcode)?;
        let mut dispatcher = self.dispatcher.lock().unwrap();
        if !request.has_valid_length() || !dispatcher.model().has(opcode) {
            return None;
        }
        let work = LongRequest::new(opcode, &mut dispatcher)?;
        drop(dispatcher);
        self.frames.fetch_add(1, Ordering::Relaxed);
        let work = Arc::new(work);
        let mut running = self.running.lock().unwrap();
        running.retain(|work| work.strong_count() > 0);
        running.push(Arc::downgrade(&work));
        Some(work)
    }

    fn submit_long(&self, request: Request, work: Arc<LongRequest>) -> Ticket {
        let model = self.model();
        let (ticket, slot) = Ticket::open();
        let (thread_work, thread_slot, sent) = (work.clone(), slot.clone(), request.clone());
        let run = move || thread_slot.complete(Ok(vec![answer_long(&model, &sent, &thread_work)]));
        if std::thread::Builder::new().name("model".into()).spawn(run).is_err() {
            // No thread is left, so the caller waits.
            slot.complete(Ok(vec![answer_long(&self.model(), &request, &work)]));
        }
        ticket.with_progress_of(work)
    }

    fn dispatch(&self, request: &Request) -> Responses {
        let header = Header {
            opcode: request.opcode,
            count: request.count,
            length: request.payload.len() as u16,
            ..Header::default()
        };
        let mut answers = Vec::new();
        let frame = Frame { header, payload: &request.payload };
        self.dispatcher.lock().unwrap().frame(Ok(frame), |header, payload| {
            let Header { opcode, status, count: index, .. } = header;
            answers.push(Response { opcode, status, index, payload: payload.into() });
        });
        answers
    }

    /// Adds the requests answered without the dispatcher to the counters of `INFO`.
    fn with_counters(&self, mut answer: Response) -> Response {
        let mut info: Info = bytemuck::pod_read_unaligned(&answer.payload);
        info.frames = info.frames.wrapping_add(self.frames.load(Ordering::Relaxed));
        info.positions = info.positions.wrapping_add(self.positions.load(Ordering::Relaxed));
        answer.payload = bytemuck::bytes_of(&info).to_vec();
        answer
    }
}

fn answer_long(model: &Model, request: &Request, work: &LongRequest) -> Response {
    let (status, payload) = work.run(model, &request.payload);
    Response { opcode: request.opcode | ANSWER, status: status as u8, index: 0, payload }
}

impl CoProcessor for ModelBackend {
    fn name(&self) -> String {
        "model".into()
    }

    fn direct(&self) -> Option<Direct> {
        Some(Direct::Model)
    }

    fn submit(&self, request: Request) -> Ticket {
        if let Some(work) = self.start(&request) {
            return self.submit_long(request, work);
        }
        Ticket::ready(match request.payload.len() {
            bytes if bytes > MAX_REQUEST_PAYLOAD => Err(AccelError::TooLong { bytes }),
            _ => Ok(self.answer(&request)),
        })
    }
}
