//! Back ends compared byte by byte on the same positions.

use crate::{
    load_evaluation_if_supported, view, AccelError, CoProcessor, Evaluation, Expansion, LegalMoves, MoveCount,
    PositionResult, Request, Response, Responses,
};
use hayasashi_model::evaluate;
use hayasashi_shogi::rules::Position;
use hayasashi_spec::{
    moves::MoveRecord,
    opcode::{Opcode, Status},
    perft::{Sums, SUMS_BYTES},
    position::PositionImage,
};
use serde_json::json;
use std::{collections::VecDeque, fmt};

/// Positions that are best compared with one call of [`Verifier::compare`].
pub const CHUNK: usize = 248;
/// Plies of the walks that are compared.
const WALK_DEPTH: u8 = 2;
/// Walks that each back end has at a time.
const WALKS: usize = 8;
/// The bytes that `ECHO` must return: those that are stuffed, and others.
const ECHO: [u8; 8] = [0xC0, 0xDB, 0xDC, 0xDD, 0x00, 0xFF, 0x55, 0xAA];

/// An opcode that is not compared, because a back end lacks it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SkippedOpcode {
    /// The opcode.
    pub opcode: Opcode,
    /// The first back end without it.
    pub backend: String,
}

/// Two or more back ends with the same evaluation, compared on any number of positions.
pub struct Verifier<'a> {
    chips: Vec<&'a dyn CoProcessor>,
    opcodes: Vec<Opcode>,
    skipped: Vec<SkippedOpcode>,
}

impl<'a> Verifier<'a> {
    /// Loads the evaluation into all back ends at the same time, since a simulated chip takes seconds for it. `COUNT`,
    /// `GENERATE`, `EVALUATE`, `EXPAND` and `PERFT` (two plies) are compared where all back ends have them.
    ///
    /// # Errors
    /// A back end fails, rejects the evaluation, or does not return the bytes of an `ECHO`.
    ///
    /// # Panics
    /// If a back end panics.
    pub fn new(chips: &[&'a dyn CoProcessor], evaluation: &evaluate::Evaluation) -> Result<Verifier<'a>, AccelError> {
        std::thread::scope(|scope| {
            let load = |chip| move || load_evaluation_if_supported(chip, evaluation);
            let mut loads = Vec::new();
            for &chip in chips {
                loads.push(scope.spawn(load(chip)));
            }
            loads.into_iter().try_for_each(|load| load.join().expect("a back end panicked"))
        })?;
        for chip in chips {
            if chip.echo(&ECHO)? != ECHO {
                let reason = "`ECHO` does not return the bytes that were sent";
                return Err(AccelError::malformed(chip.name(), Opcode::Echo, reason));
            }
        }
        let mut verifier = Verifier { chips: chips.to_vec(), opcodes: Vec::new(), skipped: Vec::new() };
        for opcode in [Opcode::Count, Opcode::Generate, Opcode::Evaluate, Opcode::Expand, Opcode::Perft] {
            match verifier.chip_without(opcode)? {
                None => verifier.opcodes.push(opcode),
                Some(chip) => verifier.skipped.push(SkippedOpcode { opcode, backend: chip.name() }),
            }
        }
        Ok(verifier)
    }

    fn chip_without(&self, opcode: Opcode) -> Result<Option<&'a dyn CoProcessor>, AccelError> {
        for &chip in &self.chips {
            if !chip.answers(opcode)? {
                return Ok(Some(chip));
            }
        }
        Ok(None)
    }

    /// The opcodes that are compared.
    pub fn opcodes(&self) -> &[Opcode] {
        &self.opcodes
    }

    /// The opcodes that are not compared.
    pub fn skipped(&self) -> &[SkippedOpcode] {
        &self.skipped
    }

    /// The differences of each back end from the first one, by opcode and then in the order of the positions.
    ///
    /// # Errors
    /// A back end fails.
    pub fn compare(&self, positions: &[Position]) -> Result<Vec<Difference>, AccelError> {
        let mut differences = Vec::new();
        for &opcode in &self.opcodes {
            let most = if opcode == Opcode::Perft { WALKS } else { CHUNK };
            for some in positions.chunks(most) {
                differences.extend(compare(&self.chips, opcode, some)?);
            }
        }
        Ok(differences)
    }
}

/// Two different answers to the same request.
pub struct Difference {
    /// The request.
    pub opcode: Opcode,
    /// The position.
    pub position: Position,
    /// The names of the back ends, and their answers.
    pub answers: [(String, Response); 2],
}

/// Compares back ends on each position with one opcode; all work at the same time. Returns the differences of each from
/// the first, in the order of the positions.
///
/// # Errors
/// A back end fails.
///
/// # Panics
/// Never: there is a ticket for each batch.
pub fn compare(
    chips: &[&dyn CoProcessor],
    opcode: Opcode,
    positions: &[Position],
) -> Result<Vec<Difference>, AccelError> {
    let images: Vec<PositionImage> = positions.iter().map(view::image).collect();
    let batch_size = match opcode {
        Opcode::Perft => 1,
        _ => chips.iter().map(|chip| chip.max_batch()).min().unwrap_or(1).max(1),
    };
    let request = |batch: &[PositionImage]| match opcode {
        Opcode::Perft => Request::perft(&batch[0], WALK_DEPTH, 0),
        _ => Request::batch(opcode, batch),
    };
    // Everything is submitted before the first wait.
    let mut tickets = Vec::new();
    for chip in chips {
        let batches = images.chunks(batch_size).map(|batch| chip.submit(request(batch)));
        tickets.push(batches.collect::<VecDeque<_>>());
    }
    let mut differences = Vec::new();
    for batch in positions.chunks(batch_size) {
        let answers = tickets
            .iter_mut()
            .map(|of_chip| of_chip.pop_front().expect("a ticket for each batch").wait())
            .collect::<Result<Vec<Responses>, _>>()?;
        for (index, position) in batch.iter().enumerate() {
            // A request refused as a whole has one answer.
            let answer = |answers: &Responses| answers.get(index).or(answers.last()).cloned();
            let mut answers = chips.iter().zip(&answers).filter_map(|(chip, a)| Some((chip.name(), answer(a)?)));
            let Some(first) = answers.next() else { continue };
            for other in answers {
                if (first.1.status, comparable(opcode, &first.1)) != (other.1.status, comparable(opcode, &other.1)) {
                    let answers = [first.clone(), other];
                    differences.push(Difference { opcode, position: position.clone(), answers });
                }
            }
        }
    }
    Ok(differences)
}

/// The part of an answer's payload that all chips have in common: a walk's clocks differ.
fn comparable(opcode: Opcode, answer: &Response) -> &[u8] {
    match (opcode, &answer.payload[..]) {
        (Opcode::Perft, sums) if sums.len() == SUMS_BYTES => &sums[..SUMS_BYTES - size_of::<u64>()],
        (_, payload) => payload,
    }
}

impl Difference {
    /// The difference as one JSON object.
    pub fn to_json(&self) -> serde_json::Value {
        let describe =
            |(name, answer): &(String, Response)| json!({ "backend": name, "answer": self.describe(answer) });
        json!({
            "request": self.opcode.name(), "sfen": self.position.to_sfen(),
            "answers": self.answers.each_ref().map(describe), "first_difference": self.first_move(),
        })
    }

    /// An answer in words.
    fn describe(&self, answer: &Response) -> String {
        let status = Status::from_code(answer.status);
        let payload = &answer.payload;
        let unreadable = |e: String| format!("unreadable ({e}): {payload:02x?}");
        match (status, self.opcode) {
            (Some(Status::Ok), Opcode::Generate) => LegalMoves::decode(payload).map_or_else(unreadable, |g| {
                let moves: Vec<String> = g.moves.iter().map(|r| self.usi(r)).collect();
                format!("{} moves, flags {:#x}: {}", g.count.moves, g.count.flags, moves.join(" "))
            }),
            (Some(Status::Ok), Opcode::Count) => MoveCount::decode(payload)
                .map_or_else(unreadable, |c| format!("{} moves, flags {:#x}", c.moves, c.flags)),
            (Some(Status::Ok), Opcode::Evaluate) => {
                Evaluation::decode(payload).map_or_else(unreadable, |e| format!("{} centipawns", e.score))
            }
            (Some(Status::Ok), Opcode::Expand) => Expansion::decode(payload).map_or_else(unreadable, |e| {
                let each = |(r, score): (&MoveRecord, &i16)| format!("{} {:#x} {score}", self.usi(r), r.flags);
                let moves: Vec<String> = e.moves.iter().zip(&e.scores).map(each).collect();
                format!("{} moves, flags {:#x}: {}", e.count.moves, e.count.flags, moves.join(", "))
            }),
            (Some(Status::Ok), Opcode::Perft) => match bytemuck::try_pod_read_unaligned::<Sums>(payload) {
                Ok(sums) => format!("{} leaves, {} expansions", sums.nodes, sums.expansions),
                Err(e) => unreadable(e.to_string()),
            },
            (Some(status), _) => format!("{} {payload:02x?}", status.name()),
            (None, _) => format!("status 0x{:02X} {payload:02x?}", answer.status),
        }
    }

    /// A move in USI notation, or its bits where a field is out of range.
    fn usi(&self, record: &MoveRecord) -> String {
        match view::to_move(record.mv, self.position.side_to_move()) {
            Some(mv) => mv.to_usi(),
            None => format!("0x{:04x}", record.mv.0),
        }
    }

    /// The first move where two move lists differ.
    fn first_move(&self) -> Option<String> {
        if self.opcode != Opcode::Generate {
            return None;
        }
        let [a, b] = self.answers.each_ref().map(|(_, a)| LegalMoves::decode(&a.payload).ok());
        let (a, b) = (a?.moves, b?.moves);
        let at = (0..a.len().max(b.len())).find(|&i| a.get(i) != b.get(i))?;
        let describe = |r: Option<&MoveRecord>| {
            r.map_or("none".into(), |r| format!("{} flags {:#04x} kinds {:#04x}", self.usi(r), r.flags, r.kinds))
        };
        Some(format!("move {}: {} against {}", at + 1, describe(a.get(at)), describe(b.get(at))))
    }
}

/// The difference as text in several lines.
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} differs\n  sfen  {}", self.opcode.name(), self.position.to_sfen())?;
        for (name, answer) in &self.answers {
            write!(f, "\n  {name:5} {}", self.describe(answer))?;
        }
        match self.first_move() {
            Some(first) => write!(f, "\n  first difference: {first}"),
            None => Ok(()),
        }
    }
}
