//! Requests by function call.

use super::evaluate::{EvalTable, Evaluation};
use super::movegen::{count, expand, generate};
use super::perft::Walk;
use super::position::Position;
use super::search::Searching;
use hayasashi_spec::moves::{MoveCount, MoveRecord};
use hayasashi_spec::opcode::{Opcode, Status};
use hayasashi_spec::perft::{PerftHead, Sums, MAX_DEPTH, MAX_INTERVAL, MIN_INTERVAL, PERFT_HEAD_BYTES};
use hayasashi_spec::position::PositionImage;
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT, CAP_SEARCH};
use hayasashi_spec::search::{SearchHead, PATH_WORD_BYTES, SEARCH_BYTES, SEARCH_HEAD_BYTES};
use std::sync::Arc;

/// The software co-processor. Requests only read it, so any number of threads may share it.
///
/// ```
/// use hayasashi_model::Model;
/// use hayasashi_spec::opcode::{Opcode, Status};
/// use hayasashi_spec::{piece, position::PositionImage};
///
/// let mut image = PositionImage::default();
/// image.set_piece(piece::square(4, 8), piece::KING);
/// let answers = Model::default().request(Opcode::Count, &[image]);
/// assert_eq!((answers[0].status, &answers[0].payload[..]), (Status::Ok, &[5, 0, 0, 0][..]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Model {
    evaluation: Option<Evaluation>,
    /// `CAP_…` bits that it lacks; it answers their requests by `BAD_OPCODE`.
    lacks: u32,
}

/// The answer to one position of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionAnswer {
    /// Status of the answer frame.
    pub status: Status,
    /// The payload of the answer frame.
    pub payload: Vec<u8>,
}

impl Model {
    /// A co-processor with an evaluation table, or a network, loaded. A network has as many units as a chip's, or fewer.
    pub fn with_evaluation(evaluation: impl Into<Evaluation>) -> Model {
        Model { evaluation: Some(evaluation.into()), ..Model::default() }
    }

    /// A chip that was built without these `CAP_…` bits (`units.evaluate = 0` or the like in the board's file). Without an
    /// evaluator it does not search either, and without moves it does not walk: then it only counts, or
    /// [only searches](hayasashi_spec::registers::only_searches).
    pub fn without(lacks: u32) -> Model {
        let search = if lacks & CAP_EVALUATE != 0 { CAP_SEARCH } else { 0 };
        let network = if (lacks | search) & CAP_SEARCH != 0 { CAP_NETWORK } else { 0 };
        let walk = if lacks & CAP_MOVEGEN != 0 { CAP_PERFT } else { 0 };
        Model { lacks: lacks | search | network | walk, ..Model::default() }
    }

    /// `CAP_…` bits.
    pub fn capabilities(&self) -> u32 {
        (CAP_MOVEGEN | CAP_PERFT | CAP_EVALUATE | CAP_SEARCH | CAP_NETWORK) & !self.lacks
    }

    /// Whether the chip has this opcode.
    pub fn has(&self, opcode: Opcode) -> bool {
        opcode.lacks(self.capabilities()) == 0
    }

    /// The evaluation table, if one is loaded.
    pub fn table(&self) -> Option<&Arc<EvalTable>> {
        self.evaluation.as_ref().map(|evaluation| &evaluation.table)
    }

    /// The evaluation table or the network, if one is loaded.
    pub fn evaluation(&self) -> Option<&Evaluation> {
        self.evaluation.as_ref()
    }

    /// Loads an evaluation table or a network, or removes it.
    pub fn set_evaluation(&mut self, evaluation: Option<Evaluation>) {
        self.evaluation = evaluation;
    }

    /// Answers `GENERATE`, `COUNT`, `EVALUATE` or `EXPAND` for each position, with the chip's payload. Other opcodes have no
    /// positions; each position is answered [`Status::BadOpcode`].
    pub fn request(&self, opcode: Opcode, positions: &[PositionImage]) -> Vec<PositionAnswer> {
        let answer = |image| {
            let mut payload = Vec::new();
            let status = self.answer(opcode, image, &mut payload);
            PositionAnswer { status, payload }
        };
        positions.iter().map(answer).collect()
    }

    /// [`Model::request`] for one position; appends the payload to `payload`.
    pub fn answer(&self, opcode: Opcode, image: &PositionImage, payload: &mut Vec<u8>) -> Status {
        match opcode {
            opcode if !self.has(opcode) => return Status::BadOpcode,
            Opcode::Count => match self.count(image) {
                Ok(count) => payload.extend(count.to_bytes()),
                Err(faults) => return reject(faults, payload),
            },
            Opcode::Generate => {
                let mut moves = Vec::new();
                match self.generate(image, &mut moves) {
                    Ok(count) => {
                        payload.extend(count.to_bytes());
                        payload.extend_from_slice(bytemuck::cast_slice(&moves));
                    }
                    Err(faults) => return reject(faults, payload),
                }
            }
            Opcode::Expand => {
                let (mut moves, mut scores) = (Vec::new(), Vec::new());
                match self.expand(image, &mut moves, &mut scores) {
                    None => return Status::NoTable,
                    Some(Err(faults)) => return reject(faults, payload),
                    Some(Ok(count)) => {
                        payload.extend(count.to_bytes());
                        payload.extend_from_slice(bytemuck::cast_slice(&moves));
                        payload.extend_from_slice(bytemuck::cast_slice(&scores));
                    }
                }
            }
            Opcode::Evaluate => match self.evaluate(image) {
                None => return Status::NoTable,
                Some(Err(faults)) => return reject(faults, payload),
                Some(Ok(score)) => payload.extend((score as u16 as u32).to_le_bytes()),
            },
            Opcode::Info | Opcode::Echo | Opcode::LoadTable | Opcode::Cancel | Opcode::Perft | Opcode::Search => {
                return Status::BadOpcode;
            }
        }
        Status::Ok
    }

    /// `PERFT`: counts the leaves and appends the payload of the last answer to `payload`. `request` is a payload of
    /// [`hayasashi_spec::perft::PERFT_BYTES`] bytes.
    pub fn perft(&self, request: &[u8], walk: &Walk, payload: &mut Vec<u8>) -> Status {
        let (head, image) = request.split_at(PERFT_HEAD_BYTES);
        let head: PerftHead = bytemuck::pod_read_unaligned(head);
        let interval = head.interval == 0 || (MIN_INTERVAL..=MAX_INTERVAL).contains(&head.interval);
        if !(1..=MAX_DEPTH).contains(&head.depth) || !interval || head.reserved != [0; 2] {
            return Status::Range;
        }
        match possible(&bytemuck::pod_read_unaligned(image)) {
            Ok(position) => {
                let sums: Sums = walk.count(&position, head.depth);
                payload.extend(bytemuck::bytes_of(&sums));
                if walk.is_cancelled() {
                    Status::Cancelled
                } else {
                    Status::Ok
                }
            }
            Err(faults) => reject(faults, payload),
        }
    }

    /// `SEARCH`: searches, and appends the payload of the last answer to `payload`. `request` is a payload of a length that
    /// [`Opcode::accepts`].
    pub fn search(&self, request: &[u8], searching: &Searching, payload: &mut Vec<u8>) -> Status {
        let (head, rest) = request.split_at(SEARCH_HEAD_BYTES);
        let (image, path) = rest.split_at(SEARCH_BYTES - SEARCH_HEAD_BYTES);
        let head: SearchHead = bytemuck::pod_read_unaligned(head);
        let refused = match (&self.evaluation, possible(&bytemuck::pod_read_unaligned(image))) {
            (None, _) => Status::NoTable,
            _ if !head.is_in_range() => Status::Range,
            (_, Err(faults)) => reject(faults, payload),
            (Some(evaluation), Ok(position)) => {
                let path =
                    path.chunks_exact(PATH_WORD_BYTES).map(bytemuck::pod_read_unaligned::<u64>).map(u64::from_le);
                let (found, ended) = searching.run(head, evaluation.clone(), &position, path);
                payload.extend(bytemuck::bytes_of(&found));
                return if ended { Status::Ok } else { Status::Cancelled };
            }
        };
        searching.refuse();
        refused
    }

    /// `COUNT`: the number of legal moves and `RESULT_…` bits, or the position's fault bits.
    pub fn count(&self, image: &PositionImage) -> Result<MoveCount, u8> {
        Ok(count(&possible(image)?))
    }

    /// `GENERATE`: appends the legal moves in canonical order to `moves`; returns the same as [`Model::count`].
    pub fn generate(&self, image: &PositionImage, moves: &mut Vec<MoveRecord>) -> Result<MoveCount, u8> {
        Ok(generate(&possible(image)?, moves))
    }

    /// `EXPAND`: appends the legal moves as [`Model::generate`] does, with the flag of mate, and to `scores` the score of the
    /// position after each move, for the side then to move; `None` without a table.
    pub fn expand(
        &self,
        image: &PositionImage,
        moves: &mut Vec<MoveRecord>,
        scores: &mut Vec<i16>,
    ) -> Option<Result<MoveCount, u8>> {
        let table = self.table()?;
        Some(possible(image).map(|position| expand(&position, table, moves, scores)))
    }

    /// `EVALUATE`: the score for the mover in centipawns, or the position's fault bits; `None` without a table.
    pub fn evaluate(&self, image: &PositionImage) -> Option<Result<i16, u8>> {
        let table = self.table()?;
        Some(possible(image).map(|position| table.score(&position)))
    }
}

fn possible(image: &PositionImage) -> Result<Position, u8> {
    let position = Position::from(image);
    match position.faults() {
        0 => Ok(position),
        faults => Err(faults),
    }
}

fn reject(faults: u8, payload: &mut Vec<u8>) -> Status {
    payload.extend((faults as u32).to_le_bytes());
    Status::Position
}
