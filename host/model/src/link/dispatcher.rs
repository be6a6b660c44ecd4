//! Answers requests. Mirrors `hdl/src/link/dispatcher.rs`.

use super::frame::{Frame, FrameError};
use super::registers::{info, Counters};
use crate::evaluate::{Loader, PartError};
use crate::{
    perft::Walk,
    search::{Searches, Searching},
    Model,
};
use hayasashi_spec::frame::Header;
use hayasashi_spec::opcode::{Opcode, Status, ANSWER};
use hayasashi_spec::position::{PositionImage, IMAGE_BYTES};
use hayasashi_spec::registers::CAP_NETWORK;
use hayasashi_spec::table::OFFSET_BYTES;
use std::sync::Arc;

/// The chip behind its frames. It answers at once: its request buffer is never full, and a `PERFT` or a `SEARCH` is answered
/// without `PROGRESS`, before any `CANCEL` can arrive.
#[derive(Clone, Debug)]
pub struct Dispatcher {
    model: Model,
    loader: Loader,
    counters: Counters,
    searches: Searches,
    /// Payload of the current answer.
    payload: Vec<u8>,
}

impl Default for Dispatcher {
    /// A chip with all capabilities, after reset.
    fn default() -> Dispatcher {
        Dispatcher::new(Model::default())
    }
}

impl Dispatcher {
    /// A chip after reset, with `model`'s table.
    pub fn new(model: Model) -> Dispatcher {
        Dispatcher {
            loader: Loader::new(model.capabilities() & CAP_NETWORK != 0),
            model,
            counters: Counters::default(),
            searches: Searches::default(),
            payload: Vec::new(),
        }
    }

    /// The co-processor inside.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The search of a request, behind those before it.
    pub fn begin_search(&mut self) -> Arc<Searching> {
        self.searches.begin()
    }

    /// Counts a frame that is answered without this dispatcher.
    pub fn count_frame(&mut self) {
        self.counters.frames = self.counters.frames.wrapping_add(1);
    }

    /// Answers a request frame, good or bad: calls `answer` with header (its `length` is set) and payload.
    pub fn frame(&mut self, frame: Result<Frame, FrameError>, mut answer: impl FnMut(Header, &[u8])) {
        match frame {
            Ok(frame) => {
                self.count_frame();
                self.request(frame, &mut answer);
            }
            Err(error) => {
                self.counters.bad_frames = self.counters.bad_frames.wrapping_add(1);
                answer(answer_header(error.header(), error.status(), 0, 0), &[]);
            }
        }
    }

    fn request(&mut self, Frame { header, payload }: Frame, answer: &mut impl FnMut(Header, &[u8])) {
        self.payload.clear();
        let status = match Opcode::from_code(header.opcode) {
            None => Status::BadOpcode,
            Some(opcode) if !self.model.has(opcode) => Status::BadOpcode,
            Some(opcode) if !opcode.accepts(header.count, payload.len()) => Status::BadLength,
            Some(Opcode::Info) => {
                let info = info(&self.model, self.counters);
                self.payload.extend(bytemuck::bytes_of(&info));
                Status::Ok
            }
            Some(Opcode::Echo) => {
                self.payload.extend(payload);
                Status::Ok
            }
            Some(Opcode::LoadTable) => self.load(payload),
            Some(Opcode::Cancel) => Status::Ok,
            Some(Opcode::Perft) => self.model.perft(payload, &Walk::default(), &mut self.payload),
            Some(Opcode::Search) => {
                let search = self.begin_search();
                self.model.search(payload, &search, &mut self.payload)
            }
            Some(opcode @ (Opcode::Generate | Opcode::Count | Opcode::Evaluate | Opcode::Expand)) => {
                return self.batch(opcode, header, payload, answer);
            }
        };
        answer(answer_header(header, status, 0, self.payload.len()), &self.payload);
    }

    fn load(&mut self, payload: &[u8]) -> Status {
        let (offset, part) = payload.split_at(OFFSET_BYTES);
        let offset = u32::from_le_bytes(offset.try_into().expect("the part has an offset"));
        let (status, word) = match self.loader.part(offset, part) {
            Ok((next, evaluation)) => {
                if evaluation.is_some() || offset == 0 {
                    self.model.set_evaluation(evaluation);
                }
                (Status::Ok, next)
            }
            Err(PartError::Sequence { expected, .. }) => (Status::TableSequence, expected),
            Err(PartError::Content(_)) => {
                self.model.set_evaluation(None);
                return Status::TableContent;
            }
        };
        self.payload.extend(word.to_le_bytes());
        status
    }

    fn batch(&mut self, opcode: Opcode, header: Header, payload: &[u8], answer: &mut impl FnMut(Header, &[u8])) {
        for (index, bytes) in payload.chunks_exact(IMAGE_BYTES).enumerate() {
            let mut image = PositionImage::default();
            image.bytes.copy_from_slice(bytes);
            self.payload.clear();
            let status = self.model.answer(opcode, &image, &mut self.payload);
            if status == Status::Ok {
                self.counters.positions = self.counters.positions.wrapping_add(1);
            }
            answer(answer_header(header, status, index as u16, self.payload.len()), &self.payload);
        }
    }
}

fn answer_header(request: Header, status: Status, index: u16, length: usize) -> Header {
    Header {
        opcode: request.opcode | ANSWER,
        status: status as u8,
        sequence: request.sequence,
        count: index,
        length: length as u16,
    }
}
