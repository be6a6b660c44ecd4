//! A chip that answers as the model does, until a test says otherwise.

use hayasashi_accel::{ModelBackend, Request, Responses, StreamChip};
use hayasashi_model::link::frame::{encode_frame, Decoder};
use hayasashi_spec::{
    frame::{Header, MAX_REQUEST_PAYLOAD},
    opcode::Opcode,
};
use std::{
    io,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
        Arc,
    },
    time::Duration,
};

/// What a test sees of the chip, and does to it.
#[derive(Default)]
pub struct Strings {
    /// While set, nothing comes out of the chip.
    pub stalled: AtomicBool,
    /// Requests for results of positions and walks so far.
    pub requests: AtomicUsize,
    /// The chip is lost at the request with this number, if it is not 0.
    pub lost_at: AtomicUsize,
}

/// Changes the answers to a request.
pub type Alter = fn(&Request, &mut Responses);

/// The chip. Its line allows a minute for an answer, as that of a simulation does.
pub struct AlteredChip {
    strings: Arc<Strings>,
    alter: Alter,
    model: ModelBackend,
    decoder: Decoder,
    answers: Vec<u8>,
    lost: bool,
}

impl AlteredChip {
    /// A chip whose answers are altered by `alter`.
    pub fn new(alter: Alter) -> (AlteredChip, Arc<Strings>) {
        let strings = Arc::<Strings>::default();
        let (model, decoder) = (ModelBackend::new(), Decoder::new(MAX_REQUEST_PAYLOAD));
        (AlteredChip { strings: strings.clone(), alter, model, decoder, answers: Vec::new(), lost: false }, strings)
    }

    fn answer(&mut self, header: Header, payload: Vec<u8>) {
        use Opcode::*;
        let request = Request { opcode: header.opcode, count: header.count, payload };
        if matches!(Opcode::from_code(request.opcode), Some(Generate | Count | Evaluate | Perft)) {
            let number = self.strings.requests.fetch_add(1, Relaxed) + 1;
            self.lost |= number == self.strings.lost_at.load(Relaxed);
        }
        let mut answers = self.model.answer(&request);
        (self.alter)(&request, &mut answers);
        for answer in answers {
            let (opcode, status) = (answer.opcode, answer.status);
            let header = Header { opcode, status, sequence: header.sequence, count: answer.index, ..Header::default() };
            encode_frame(header, &answer.payload, &mut self.answers);
        }
    }
}

impl StreamChip for AlteredChip {
    fn name(&self) -> String {
        "altered".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        let mut requests = Vec::new();
        self.decoder.push(bytes, |frame| requests.extend(frame.map(|f| (f.header, f.payload.to_vec()))));
        requests.into_iter().for_each(|(header, payload)| self.answer(header, payload));
        bytes.len()
    }

    fn step(&mut self) -> io::Result<bool> {
        match self.lost {
            true => Err(io::Error::other("unplugged by the test")),
            false => Ok(false),
        }
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        if self.strings.stalled.load(Relaxed) || self.lost {
            return 0;
        }
        let bytes = self.answers.len().min(buffer.len());
        self.answers.drain(..bytes).zip(buffer).for_each(|(byte, place)| *place = byte);
        bytes
    }

    fn reply_timeout(&self) -> Duration {
        Duration::from_secs(60)
    }
}
