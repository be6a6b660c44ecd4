//! Reads the books of ShogiGUI (SBK): a message in Protocol Buffers' wire format.
//!
//! ```text
//! book      3: state, repeated
//! state     1: number, 7: SFEN (of the first position; the others follow from the moves), 9: move, repeated
//! move      1: code, 2: score in centipawns, 3: weight, 4: number of the next state
//! ```
//!
//! A move's code has the origin's rank and file in bits 0–3 and 4–7 (0 for a drop), the destination's in bits 8–11 and
//! 12–15, a promotion in bit 19, the kind in bits 24–27.

use super::{Book, BookMove};
use crate::rules::{Move, PieceKind, Position, Square};
use std::collections::{HashMap, VecDeque};

/// Codes of the kinds in hand, from 1.
const DROPPED: [PieceKind; 7] = PieceKind::HAND;

/// Fields of a message.
struct Fields<'a>(&'a [u8]);

/// A field: a number, or bytes.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Fields<'a> {
    fn varint(&mut self) -> Result<u64, String> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or("it is cut off")?;
            self.0 = rest;
            value |= ((byte & 0x7F) as u64) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number is too long".into())
    }

    fn bytes(&mut self, length: u64) -> Result<&'a [u8], String> {
        let length = usize::try_from(length).ok().filter(|&length| length <= self.0.len()).ok_or("it is cut off")?;
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        Ok(bytes)
    }

    /// The next field with its number; `None` at the end.
    fn next(&mut self) -> Result<Option<(u64, Field<'a>)>, String> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let value = match tag & 7 {
            0 => Field::Number(self.varint()?),
            1 => Field::Bytes(self.bytes(8)?),
            2 => {
                let length = self.varint()?;
                Field::Bytes(self.bytes(length)?)
            }
            5 => Field::Bytes(self.bytes(4)?),
            kind => return Err(format!("a field has the unknown type {kind}")),
        };
        Ok(Some((tag >> 3, value)))
    }
}

#[derive(Default)]
struct State {
    number: Option<i32>,
    sfen: Option<String>,
    moves: Vec<StateMove>,
}

#[derive(Default)]
struct StateMove {
    code: u32,
    score: i32,
    weight: i32,
    next: Option<i32>,
}

/// The book in these bytes; the error says what is wrong with them.
pub(super) fn read(bytes: &[u8]) -> Result<Book, String> {
    let mut states = Vec::new();
    let mut fields = Fields(bytes);
    while let Some((number, field)) = fields.next()? {
        if let (3, Field::Bytes(bytes)) = (number, field) {
            let wrong = |reason: String| format!("state {}: {reason}", states.len() + 1);
            let read = state(bytes).map_err(wrong)?;
            states.push(read);
        }
    }
    if states.is_empty() {
        return Err("it has no positions; hint: it is a book of ShogiGUI".into());
    }
    Ok(Book::of(walk(&states)?))
}

fn state(bytes: &[u8]) -> Result<State, String> {
    let (mut state, mut fields) = (State::default(), Fields(bytes));
    while let Some(field) = fields.next()? {
        match field {
            (1, Field::Number(number)) => state.number = Some(number as i32),
            (7, Field::Bytes(sfen)) => state.sfen = Some(String::from_utf8_lossy(sfen).into_owned()),
            (9, Field::Bytes(bytes)) => {
                let (mut mv, mut fields) = (StateMove::default(), Fields(bytes));
                while let Some((number, field)) = fields.next()? {
                    match (number, field) {
                        (1, Field::Number(code)) => mv.code = code as u32,
                        (2, Field::Number(score)) => mv.score = score as i32,
                        (3, Field::Number(weight)) => mv.weight = weight as i32,
                        (4, Field::Number(next)) => mv.next = Some(next as i32),
                        _ => {}
                    }
                }
                state.moves.push(mv);
            }
            _ => {}
        }
    }
    Ok(state)
}

/// Follows the moves from the states whose positions are known. States that are not reached are left out.
fn walk(states: &[State]) -> Result<HashMap<u64, Vec<BookMove>>, String> {
    let numbered = states.iter().enumerate().filter_map(|(at, state)| Some((state.number?, at)));
    let by_number: HashMap<i32, usize> = numbered.collect();
    let mut is_seen = vec![false; states.len()];
    let mut positions: HashMap<u64, Vec<BookMove>> = HashMap::new();
    for root in 0..states.len() {
        let pos = match &states[root].sfen {
            Some(sfen) => Position::from_sfen(sfen).map_err(|error| format!("state {}: {error}", root + 1))?,
            None if root == 0 => Position::startpos(),
            None => continue,
        };
        let mut queue = VecDeque::new();
        if !std::mem::replace(&mut is_seen[root], true) {
            queue.push_back((root, pos));
        }
        while let Some((at, pos)) = queue.pop_front() {
            for mv in &states[at].moves {
                let Some(played) = decode(mv.code).filter(|&played| pos.is_legal(played)) else {
                    return Err(format!(
                        "state {}: the move {:#010x} is illegal in {}",
                        at + 1,
                        mv.code,
                        pos.to_sfen()
                    ));
                };
                let known = positions.entry(pos.key()).or_default();
                if known.iter().all(|m| m.mv != played) {
                    let count = mv.weight.max(0) as u64;
                    known.push(BookMove { mv: played, reply: None, score: mv.score, depth: 0, count });
                }
                let next = mv.next.and_then(|number| by_number.get(&number).copied());
                if let Some(next) = next.filter(|&next| !std::mem::replace(&mut is_seen[next], true)) {
                    let mut after = pos.clone();
                    after.do_move(played);
                    queue.push_back((next, after));
                }
            }
        }
    }
    Ok(positions)
}

fn decode(code: u32) -> Option<Move> {
    let part = |shift: u32, bits: u32| (code >> shift & ((1 << bits) - 1)) as u8;
    let square = |file: u8, rank: u8| Square::from_file_rank(file.checked_sub(1)?, rank.checked_sub(1)?);
    let to = square(part(12, 4), part(8, 4))?;
    match (part(4, 4), part(0, 4)) {
        (0, 0) => Move::drop(*DROPPED.get((part(24, 4) as usize).checked_sub(1)?)?, to),
        (file, rank) => Some(Move::board(square(file, rank)?, to, part(19, 1) == 1)),
    }
}
