//! The software model as a stream of bytes or words.

use super::{whole_units, StreamChip};
use hayasashi_model::{
    link::{
        dispatcher::Dispatcher,
        frame::{Frame, FrameError},
        framing::{encode, Receiver as FrameReceiver},
    },
    perft::Walk,
    Model,
};
use hayasashi_spec::{
    frame::{Header, ENTRY_BYTES, MAX_REQUEST_PAYLOAD},
    opcode::{Opcode, Status, ANSWER},
    perft::PerftHead,
    word_frame::Framing,
};
use std::{
    collections::VecDeque,
    io,
    sync::{
        mpsc::{channel, Receiver, RecvTimeoutError},
        Arc,
    },
    time::{Duration, Instant},
};

/// No request bytes are accepted while more than this many bytes of answers wait to be pulled, or of requests for a walk to
/// end.
const WAITING_BYTES: usize = 1 << 16;
/// Bytes accepted at a time, so that a call returns soon.
const PUSH_BYTES: usize = 512;
/// How long a call of [`StreamChip::step`] waits for the end of a walk.
const WALK_STEP: Duration = Duration::from_micros(500);
/// Time between two reports of a walk, if its request asks for reports. The model has no clocks to count.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// The software model behind its byte port or its word port. A walk runs in threads of its own, so that the stream goes on meanwhile.
pub struct ModelStream {
    framing: Framing,
    receiver: FrameReceiver,
    dispatcher: Dispatcher,
    walk: Option<RunningWalk>,
    /// Frames that have arrived during a walk.
    waiting: VecDeque<Arrived>,
    waiting_bytes: usize,
    answers: Vec<u8>,
    pulled: usize,
}

/// A frame from the host, good or bad.
type Arrived = Result<(Header, Vec<u8>), FrameError>;

/// Bytes that a frame counts for while it waits.
fn waiting_bytes(frame: &Arrived) -> usize {
    ENTRY_BYTES + frame.as_ref().map_or(0, |(_, payload)| payload.len())
}

fn is_cancel(frame: &Arrived) -> bool {
    frame.as_ref().is_ok_and(|(header, payload)| header.opcode == Opcode::Cancel as u8 && payload.is_empty())
}

/// A walk that is not answered yet.
struct RunningWalk {
    request: Header,
    walk: Arc<Walk>,
    outcome: Receiver<(Status, Vec<u8>)>,
    /// When to report progress next; `None` without reports.
    next_report: Option<Instant>,
}

impl Default for ModelStream {
    fn default() -> ModelStream {
        ModelStream::with_model(Model::default())
    }
}

impl ModelStream {
    /// A model that has just been switched on.
    pub fn new() -> ModelStream {
        ModelStream::default()
    }

    /// A byte stream with another model, for instance one without an evaluator.
    pub fn with_model(model: Model) -> ModelStream {
        ModelStream::behind(Framing::Slip, model)
    }

    /// A model behind the port with these frames.
    pub fn behind(framing: Framing, model: Model) -> ModelStream {
        ModelStream {
            framing,
            receiver: FrameReceiver::new(framing, MAX_REQUEST_PAYLOAD),
            dispatcher: Dispatcher::new(model),
            walk: None,
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            answers: Vec::new(),
            pulled: 0,
        }
    }

    /// Takes a frame: answers it or, during a walk, keeps it. A `CANCEL` ends the walk and those that wait.
    fn take(&mut self, frame: Arrived) {
        let Some(running) = &self.walk else { return self.answer(frame) };
        if is_cancel(&frame) {
            running.walk.cancel();
        }
        self.waiting_bytes += waiting_bytes(&frame);
        self.waiting.push_back(frame);
    }

    fn answer(&mut self, frame: Arrived) {
        let (framing, answers) = (self.framing, &mut self.answers);
        let (header, payload) = match frame {
            Ok(frame) => frame,
            Err(error) => {
                let answer = |header, payload: &[u8]| encode(framing, header, payload, answers);
                return self.dispatcher.frame(Err(error), answer);
            }
        };
        let is_walk = header.opcode == Opcode::Perft as u8
            && self.dispatcher.model().has(Opcode::Perft)
            && Opcode::Perft.accepts(header.count, payload.len());
        if is_walk {
            return self.start_walk(header, payload);
        }
        let frame = Frame { header, payload: &payload };
        self.dispatcher.frame(Ok(frame), |header, payload| encode(framing, header, payload, answers));
    }

    fn start_walk(&mut self, request: Header, payload: Vec<u8>) {
        let walk = Arc::new(Walk::default());
        if self.waiting.iter().any(is_cancel) {
            walk.cancel();
        }
        let head: PerftHead = bytemuck::pod_read_unaligned(&payload[..size_of::<PerftHead>()]);
        let next_report = (head.interval > 0).then(|| Instant::now() + REPORT_INTERVAL);
        let (send, outcome) = channel();
        let (model, for_thread) = (self.dispatcher.model().clone(), walk.clone());
        let run = move || {
            let mut sums = Vec::new();
            let status = model.perft(&payload, &for_thread, &mut sums);
            // The stream may have gone.
            let _ = send.send((status, sums));
        };
        self.dispatcher.count_frame();
        // Without a thread there is no outcome, and `step` reports the loss of the chip.
        let _ = std::thread::Builder::new().name("walk".into()).spawn(run);
        self.walk = Some(RunningWalk { request, walk, outcome, next_report });
    }

    fn report(&mut self, request: Header, status: Status, payload: &[u8]) {
        let header = Header {
            opcode: request.opcode | ANSWER,
            status: status as u8,
            sequence: request.sequence,
            ..Header::default()
        };
        encode(self.framing, header, payload, &mut self.answers);
    }

    /// The walk has ended: answers it, and the requests that have waited for that.
    fn end_walk(&mut self, status: Status, payload: &[u8]) {
        if let Some(ended) = self.walk.take() {
            self.report(ended.request, status, payload);
        }
        while self.walk.is_none() {
            let Some(frame) = self.waiting.pop_front() else { break };
            self.waiting_bytes -= waiting_bytes(&frame);
            self.answer(frame);
        }
    }
}

impl StreamChip for ModelStream {
    fn name(&self) -> String {
        match self.framing {
            Framing::Slip => "model-stream".into(),
            Framing::Words => "model-stream:words".into(),
        }
    }

    fn framing(&self) -> Framing {
        self.framing
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        if self.answers.len() - self.pulled + self.waiting_bytes > WAITING_BYTES {
            return 0;
        }
        let taken = whole_units(self.framing, bytes.len().min(PUSH_BYTES));
        let mut frames = Vec::new();
        self.receiver.push(&bytes[..taken], |frame| frames.push(frame.map(|f| (f.header, f.payload.to_vec()))));
        frames.into_iter().for_each(|frame| self.take(frame));
        taken
    }

    fn step(&mut self) -> io::Result<bool> {
        let Some(running) = &mut self.walk else { return Ok(false) };
        match running.outcome.recv_timeout(WALK_STEP) {
            Ok((status, payload)) => self.end_walk(status, &payload),
            Err(RecvTimeoutError::Timeout) => {
                if running.next_report.is_some_and(|at| Instant::now() >= at) {
                    running.next_report = Some(Instant::now() + REPORT_INTERVAL);
                    let (request, sums) = (running.request, running.walk.sums());
                    self.report(request, Status::Progress, bytemuck::bytes_of(&sums));
                }
            }
            Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("the walk has no thread")),
        }
        Ok(self.walk.is_some())
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        let bytes = whole_units(self.framing, buffer.len().min(self.answers.len() - self.pulled));
        buffer[..bytes].copy_from_slice(&self.answers[self.pulled..][..bytes]);
        self.pulled += bytes;
        if self.pulled == self.answers.len() {
            self.answers.clear();
            self.pulled = 0;
        }
        bytes
    }
}

impl Drop for ModelStream {
    /// Ends the threads of a walk.
    fn drop(&mut self) {
        if let Some(running) = &self.walk {
            running.walk.cancel();
        }
    }
}
