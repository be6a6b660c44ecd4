//! The software model as a back end: by call, and as a byte stream.

use super::{AccelError, CoProcessor, Direct, Request, Response, Responses, StreamChip, Ticket};
use hayasashi_model::{
    link::{dispatcher::Dispatcher, frame::Frame},
    perft::Walk,
    top::Chip,
    Model,
};
use hayasashi_spec::{
    frame::{Header, MAX_REQUEST_PAYLOAD},
    opcode::{Opcode, Status, ANSWER},
    position::{PositionImage, IMAGE_BYTES},
    registers::Info,
};
use std::{
    io,
    sync::{
        atomic::{AtomicU32, Ordering},
        Arc, Mutex, Weak,
    },
};

/// The software model, called directly. A request is answered in the thread that submits it, before `submit`
/// returns; batches of several threads are worked on at the same time. Only `PERFT` has threads of its own.
#[derive(Default)]
pub struct ModelBackend {
    dispatcher: Mutex<Dispatcher>,
    /// Walks under way, and some that have ended.
    walks: Mutex<Vec<Weak<Walk>>>,
    /// Requests and positions that did not go through the dispatcher.
    frames: AtomicU32,
    positions: AtomicU32,
}

impl ModelBackend {
    /// A model without an evaluation table.
    pub fn new() -> ModelBackend {
        ModelBackend::default()
    }

    /// A model that is used with `model`'s evaluation table.
    pub fn with_model(model: Model) -> ModelBackend {
        ModelBackend { dispatcher: Mutex::new(Dispatcher::new(model)), ..ModelBackend::default() }
    }

    /// Another one in the same state.
    pub fn fork(&self) -> ModelBackend {
        ModelBackend { dispatcher: Mutex::new(self.dispatcher.lock().unwrap().clone()), ..ModelBackend::default() }
    }

    /// The model with its present table.
    pub fn model(&self) -> Model {
        self.dispatcher.lock().unwrap().model().clone()
    }

    /// Checksum of the table in use.
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
                vec![answer_walk(&self.model(), request, &self.begin_walk())]
            }
            Some(Cancel) if request.has_valid_length() => {
                let walks = std::mem::take(&mut *self.walks.lock().unwrap());
                walks.iter().filter_map(Weak::upgrade).for_each(|walk| walk.cancel());
                self.dispatch(request)
            }
            Some(Info) if request.has_valid_length() => vec![self.count_in(self.dispatch(request).swap_remove(0))],
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

    fn begin_walk(&self) -> Arc<Walk> {
        self.frames.fetch_add(1, Ordering::Relaxed);
        let walk = Arc::new(Walk::default());
        let mut walks = self.walks.lock().unwrap();
        walks.retain(|walk| walk.strong_count() > 0);
        walks.push(Arc::downgrade(&walk));
        walk
    }

    fn submit_walk(&self, request: Request) -> Ticket {
        let (walk, model) = (self.begin_walk(), self.model());
        let (ticket, slot) = Ticket::open();
        let (of_thread, thread_slot, sent) = (walk.clone(), slot.clone(), request.clone());
        let work = move || thread_slot.fill(Ok(vec![answer_walk(&model, &sent, &of_thread)]));
        if std::thread::Builder::new().name("walk".into()).spawn(work).is_err() {
            // Short of threads: then the caller waits.
            slot.fill(Ok(vec![answer_walk(&self.model(), &request, &walk)]));
        }
        ticket.watching(walk)
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

    /// Adds to the counters of `INFO` what the dispatcher has not seen.
    fn count_in(&self, mut answer: Response) -> Response {
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

/// The software model behind the byte protocol: a virtual board.
#[derive(Default)]
pub struct SoftwareStream {
    chip: Chip,
    answers: Vec<u8>,
    pulled: usize,
}

/// No request is taken while this many bytes of answers are to be pulled.
const ANSWER_BYTES: usize = 1 << 16;
/// Bytes taken at a time, so that nobody waits long for one call.
const PUSH_BYTES: usize = 512;

impl SoftwareStream {
    /// A virtual board that has just been switched on.
    pub fn new() -> SoftwareStream {
        SoftwareStream::default()
    }

    /// A virtual board with another model, for instance one without an evaluator.
    pub fn with_model(model: Model) -> SoftwareStream {
        SoftwareStream { chip: Chip::new(model), ..SoftwareStream::default() }
    }
}

impl StreamChip for SoftwareStream {
    fn name(&self) -> String {
        "model-stream".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        if self.answers.len() - self.pulled > ANSWER_BYTES {
            return 0;
        }
        let taken = bytes.len().min(PUSH_BYTES);
        self.chip.push(&bytes[..taken]);
        taken
    }

    fn step(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        if self.pulled == self.answers.len() {
            self.answers = self.chip.pull();
            self.pulled = 0;
        }
        let bytes = buffer.len().min(self.answers.len() - self.pulled);
        buffer[..bytes].copy_from_slice(&self.answers[self.pulled..][..bytes]);
        self.pulled += bytes;
        bytes
    }
}
