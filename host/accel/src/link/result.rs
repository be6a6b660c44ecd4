//! Results of positions, decoded from answer frames.

use super::Response;
use crate::AccelError;
use hayasashi_spec::{
    moves::{Move16, MoveCount, MoveRecord, DROP_FROM, MAX_MOVES},
    opcode::{Opcode, Status, RESULT_BYTES},
    piece::{HAND_KINDS, SQUARES},
    position::Fault,
    table::SCORE_LIMIT,
};
use thiserror::Error;

/// The result of `GENERATE`: the legal moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMoves {
    /// The result header.
    pub count: MoveCount,
    /// The legal moves in canonical order.
    pub moves: Vec<MoveRecord>,
}

/// The result of `EXPAND`: the legal moves, and the static evaluation of the position after each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The result header.
    pub count: MoveCount,
    /// The legal moves in canonical order; their flags also tell which ones mate.
    pub moves: Vec<MoveRecord>,
    /// For each move, the score of the position after it: centipawns for the side then to move.
    pub scores: Vec<i16>,
}

/// The result of `EVALUATE`: the static evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Evaluation {
    /// Centipawns for the mover.
    pub score: i16,
}

/// Why one position has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The position cannot occur; the word is the union of [`Fault`] bits.
    #[error("the position cannot occur: {}; hint: check its SFEN", fault_words(*.faults))]
    Impossible {
        /// The fault bits.
        faults: u32,
    },
    /// No evaluation table is loaded.
    #[error("no evaluation table is loaded; hint: load one first (`load_table`)")]
    NoTable,
    /// A status that this program does not expect for a position.
    #[error("unexpected status 0x{status:02X} for a position; hint: the gateware is newer than this program, or lacks this function")]
    Status {
        /// As received.
        status: u8,
    },
}

/// Fault bits in words, separated by semicolons.
pub fn fault_words(faults: u32) -> String {
    let mut words: Vec<String> =
        Fault::ALL.iter().filter(|f| faults & **f as u32 != 0).map(|f| f.text().to_string()).collect();
    let unknown = faults & !Fault::ALL.iter().fold(0, |bits, f| bits | *f as u32);
    if unknown != 0 || faults == 0 {
        words.push(format!("unknown fault bits 0x{unknown:X}"));
    }
    words.join("; ")
}

/// The result of one position.
pub trait PositionResult: Sized {
    /// The request that asks for it.
    const OPCODE: Opcode;

    /// Decodes the payload of an `OK` answer.
    ///
    /// # Errors
    /// What is wrong with the payload.
    fn decode(payload: &[u8]) -> Result<Self, String>;
}

fn halves(payload: &[u8]) -> Result<(u16, u16), String> {
    match payload {
        [a, b, c, d] => Ok((u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d]))),
        _ => Err(format!("{} bytes instead of 4", payload.len())),
    }
}

impl PositionResult for MoveCount {
    const OPCODE: Opcode = Opcode::Count;

    fn decode(payload: &[u8]) -> Result<MoveCount, String> {
        let (moves, flags) = halves(payload)?;
        match moves as usize <= MAX_MOVES {
            true => Ok(MoveCount { moves, flags }),
            false => Err(format!("{moves} legal moves, where no position has more than {MAX_MOVES}")),
        }
    }
}

impl PositionResult for LegalMoves {
    const OPCODE: Opcode = Opcode::Generate;

    fn decode(payload: &[u8]) -> Result<LegalMoves, String> {
        let count = MoveCount::decode(payload.get(..RESULT_BYTES).ok_or("no result header")?)?;
        let records = &payload[RESULT_BYTES..];
        if records.len() != 4 * count.moves as usize {
            return Err(format!("{} bytes of move records for {} moves", records.len(), count.moves));
        }
        let moves: Vec<MoveRecord> = records.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect();
        match moves.iter().find(|record| !is_move(record.mv)) {
            None => Ok(LegalMoves { count, moves }),
            Some(record) => Err(format!("0x{:04X} is no move: a field is out of range", record.mv.0)),
        }
    }
}

impl PositionResult for Expansion {
    const OPCODE: Opcode = Opcode::Expand;

    fn decode(payload: &[u8]) -> Result<Expansion, String> {
        let count = MoveCount::decode(payload.get(..RESULT_BYTES).ok_or("no result header")?)?;
        let moves = count.moves as usize;
        if payload.len() != RESULT_BYTES + (4 + 2) * moves {
            return Err(format!("{} bytes for {moves} moves with scores", payload.len()));
        }
        let (list, scores) = payload.split_at(RESULT_BYTES + 4 * moves);
        let LegalMoves { count, moves } = LegalMoves::decode(list)?;
        let scores: Vec<i16> = scores.chunks_exact(2).map(bytemuck::pod_read_unaligned).collect();
        match scores.iter().find(|score| (**score as i32).abs() > SCORE_LIMIT) {
            None => Ok(Expansion { count, moves, scores }),
            Some(score) => Err(format!("a score of {score} centipawns")),
        }
    }
}

/// Whether every field of a move is in range.
fn is_move(mv: Move16) -> bool {
    let from = mv.from() as usize;
    let is_drop = from >= DROP_FROM as usize;
    (mv.to() as usize) < SQUARES && from < SQUARES + HAND_KINDS && mv.0 >> 15 == 0 && !(is_drop && mv.promotes())
}

impl PositionResult for Evaluation {
    const OPCODE: Opcode = Opcode::Evaluate;

    fn decode(payload: &[u8]) -> Result<Evaluation, String> {
        halves(payload).map(|(score, _)| Evaluation { score: score as i16 })
    }
}

/// Decodes one answer of a batch.
///
/// # Errors
/// The outer error is that of the back end, the inner one that of the position.
pub fn decode_result<T: PositionResult>(
    target: &str,
    answer: &Response,
) -> Result<Result<T, PositionError>, AccelError> {
    let malformed = |reason| AccelError::malformed(target, T::OPCODE, reason);
    match Status::from_code(answer.status) {
        Some(Status::Ok) => T::decode(&answer.payload).map(Ok).map_err(malformed),
        Some(Status::Position) => decode_faults(&answer.payload).map(Err).map_err(malformed),
        Some(Status::NoTable) if T::OPCODE.needs_table() => Ok(Err(PositionError::NoTable)),
        None => Ok(Err(PositionError::Status { status: answer.status })),
        Some(Status::BadOpcode | Status::BadLength | Status::Busy | Status::BadCrc) => {
            Err(AccelError::from_status(target, T::OPCODE, answer.status))
        }
        Some(status) => Err(malformed(format!("{} is no status of a position", status.name()))),
    }
}

/// Decodes the payload of a `POSITION` answer.
pub(crate) fn decode_faults(payload: &[u8]) -> Result<PositionError, String> {
    match *payload {
        [a, b, c, d] => Ok(PositionError::Impossible { faults: u32::from_le_bytes([a, b, c, d]) }),
        _ => Err(format!("{} bytes of fault bits instead of 4", payload.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_bits_have_words() {
        assert_eq!(fault_words(1 << 2 | 1 << 3), format!("{}; {}", Fault::TwoPawns.text(), Fault::Dead.text()));
        assert_eq!(fault_words(1 << 9), "unknown fault bits 0x200");
    }

    #[test]
    fn the_length_of_a_move_list_must_match_its_header() {
        assert!(LegalMoves::decode(&[1, 0, 0, 0]).is_err());
        let one = LegalMoves::decode(&[1, 0, 1, 0, 5, 0, 0, 1]).unwrap();
        assert!(one.count.in_check() && one.moves.len() == 1 && one.moves[0].mv.to() == 5);
    }

    #[test]
    fn fields_out_of_range_are_no_move() {
        for (mv, allowed) in [
            (Move16::board(80, 80, true), true),
            (Move16::drop(7, 80), true),
            (Move16::drop(8, 0), false),
            (Move16::board(0, 81, false), false),
            (Move16(Move16::drop(1, 0).0 | 1 << 14), false),
            (Move16(1 << 15), false),
        ] {
            let bytes = [&[1, 0, 0, 0], &mv.0.to_le_bytes()[..], &[0, 1]].concat();
            assert_eq!(LegalMoves::decode(&bytes).is_ok(), allowed, "{mv:?}");
        }
        assert!(MoveCount::decode(&[0xFF, 0xFF, 0, 0]).is_err());
    }
}
