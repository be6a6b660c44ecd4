//! The software model as a back end, called directly.

use crate::{AccelError, CoProcessor, Direct, Request, Response, Responses, Ticket};
use hayasashi_model::{
    link::{dispatcher::Dispatcher, frame::Frame},
    perft::Walk,
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
/// threads can do so at the same time. Only `PERFT` runs in a thread of its own.
#[derive(Default)]
pub struct ModelBackend {
    dispatcher: Mutex<Dispatcher>,
    /// Perft walks that are running, and some that have ended.
    walks: Mutex<Vec<Weak<Walk>>>,
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

    /// Checksum of the present evaluation table, if there is one.
    pub fn table_checksum(&self) -> Option<u32> {
        self.dispatcher.lock().unwrap().model().table().map(|t| t.header().checksum)
    }

    /// Answers a request as the chip does.
    pub fn answer(&self, request: &Request) -> Responses {
        use Opcode::*;
        match Opcode::from_code(request.opcode) {
            Some(opcode @ (Generate | Count | Evaluate)) if request.has_valid_length() => {
                let model = self.model();
                match model.has(opcode) {
                    true => self.batch(&model, opcode, request),
                    false => self.dispatch(request),
                }
            }
            Some(Perft) if request.has_valid_length() && self.model().has(Perft) => {
                vec![answer_walk(&self.model(), request, &self.start_walk())]
            }
            Some(Cancel) if request.has_valid_length() => {
                let walks = std::mem::take(&mut *self.walks.lock().unwrap());
                walks.iter().filter_map(Weak::upgrade).for_each(|walk| walk.cancel());
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

    fn start_walk(&self) -> Arc<Walk> {
        self.frames.fetch_add(1, Ordering::Relaxed);
        let walk = Arc::new(Walk::default());
        let mut walks = self.walks.lock().unwrap();
        walks.retain(|walk| walk.strong_count() > 0);
        walks.push(Arc::downgrade(&walk));
        walk
    }

    fn submit_walk(&self, request: Request) -> Ticket {
        let (walk, model) = (self.start_walk(), self.model());
        let (ticket, slot) = Ticket::open();
        let (thread_walk, thread_slot, sent) = (walk.clone(), slot.clone(), request.clone());
        let run = move || thread_slot.complete(Ok(vec![answer_walk(&model, &sent, &thread_walk)]));
        if std::thread::Builder::new().name("walk".into()).spawn(run).is_err() {
            // No thread is left, so the caller waits.
            slot.complete(Ok(vec![answer_walk(&self.model(), &request, &walk)]));
        }
        ticket.with_progress_of(walk)
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

fn answer_walk(model: &Model, request: &Request, walk: &Walk) -> Response {
    let mut payload = Vec::new();
    let status = model.perft(&request.payload, walk, &mut payload) as u8;
    Response { opcode: request.opcode | ANSWER, status, index: 0, payload }
}

impl CoProcessor for ModelBackend {
    fn name(&self) -> String {
        "model".into()
    }

    fn direct(&self) -> Option<Direct> {
        Some(Direct::Model)
    }

    fn submit(&self, request: Request) -> Ticket {
        if request.opcode == Opcode::Perft as u8 && request.has_valid_length() && self.model().has(Opcode::Perft) {
            return self.submit_walk(request);
        }
        Ticket::ready(match request.payload.len() {
            bytes if bytes > MAX_REQUEST_PAYLOAD => Err(AccelError::TooLong { bytes }),
            _ => Ok(self.answer(&request)),
        })
    }
}
