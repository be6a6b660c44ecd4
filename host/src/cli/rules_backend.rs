//! The engine's own rules of shogi as a back end: a second opinion on what the chip and its model answer.
//!
//! Nothing here uses the model's move generator or evaluator; the canonical order, the flags and the score are worked
//! out again from the contract.

use crate::accel::{Answer, CoProcessor, Request, Ticket};
use crate::model::evaluate::Table;
use crate::rules::{Color, Move, MoveList, PieceKind, Position};
use hayasashi_spec::{
    moves::*,
    opcode::*,
    piece::*,
    position::{Fault, Owner, PositionImage, IMAGE_BYTES},
    table::{ROW_NO_KING, SCORE_LIMIT},
};

/// Answers `GENERATE`, `COUNT` and `EVALUATE` by the engine's own rules.
pub struct RulesBackend {
    table: Table,
}

impl RulesBackend {
    pub fn new(table: Table) -> RulesBackend {
        RulesBackend { table }
    }

    fn answer(&self, opcode: Opcode, image: &PositionImage) -> (Status, Vec<u8>) {
        // The image is the mover's view: the mover is Black here.
        let Ok(mut position) = Position::from_sfen(&sfen(image)) else {
            let faults = Fault::ALL.iter().fold(0, |bits, &f| bits | f as u32);
            return (Status::Position, faults.to_le_bytes().to_vec());
        };
        match opcode {
            Opcode::Evaluate => {
                let mut payload = self.score(image).to_le_bytes().to_vec();
                payload.extend([0, 0]);
                (Status::Ok, payload)
            }
            _ => {
                let mut moves = MoveList::new();
                position.legal_moves(&mut moves);
                let mut result = 0;
                if position.in_check() {
                    result |= RESULT_CHECK;
                }
                if excludes_mating_pawn(&mut position, &moves) {
                    result |= RESULT_UCHIFUZUME;
                }
                let mut payload = (moves.len() as u16).to_le_bytes().to_vec();
                payload.extend(result.to_le_bytes());
                if opcode == Opcode::Generate {
                    for record in records(&position, &moves) {
                        payload.extend(bytemuck::bytes_of(&record));
                    }
                }
                (Status::Ok, payload)
            }
        }
    }

    /// The score as `hayasashi_spec::table` defines it, weight by weight.
    fn score(&self, image: &PositionImage) -> i16 {
        let header = self.table.header();
        let mut total = header.tempo as i32;
        for (viewer, sign) in [(Owner::Mover, 1), (Owner::Theirs, -1)] {
            let theirs = viewer == Owner::Theirs;
            let code = |s: usize| {
                let code = image.piece(if theirs { turn(s) } else { s });
                if theirs && code != EMPTY {
                    code ^ THEIRS
                } else {
                    code
                }
            };
            let king = (0..SQUARES).find(|&s| code(s) == KING);
            let mirrored = king.is_some_and(|s| s >= 5 * SIDE);
            let seen = |s: usize| code(if mirrored { mirror(s) } else { s });
            let row = king.map_or(ROW_NO_KING, |s| if mirrored { mirror(s) } else { s });
            let mut side = 0;
            for s in 0..SQUARES {
                side += self.table.weight(s, row, seen(s) as usize) as i32;
                if seen(s) & THEIRS == 0 {
                    side += header.board_value[seen(s) as usize] as i32;
                }
            }
            for k in 0..HAND_KINDS {
                let held = image.hand(viewer, k as u8 + 1);
                side += self.table.weight(SQUARES + k, row, held as usize) as i32;
                side += header.hand_value[k] as i32 * held as i32;
            }
            total += sign * side;
        }
        total.clamp(-SCORE_LIMIT, SCORE_LIMIT) as i16
    }
}

impl CoProcessor for RulesBackend {
    fn name(&self) -> String {
        super::backend::RULES.into()
    }

    fn submit(&self, request: Request) -> Ticket {
        let opcode = Opcode::from_code(request.opcode);
        let answer = |index: usize, status: Status, payload: Vec<u8>| Answer {
            opcode: request.opcode | ANSWER,
            status: status as u8,
            index: index as u16,
            payload,
        };
        let answers = match opcode {
            Some(opcode @ (Opcode::Generate | Opcode::Count | Opcode::Evaluate)) if request.has_valid_length() => {
                request
                    .payload
                    .chunks_exact(IMAGE_BYTES)
                    .enumerate()
                    .map(|(i, bytes)| {
                        let (status, payload) = self.answer(opcode, &bytemuck::pod_read_unaligned(bytes));
                        answer(i, status, payload)
                    })
                    .collect()
            }
            _ => vec![answer(0, Status::BadOpcode, Vec::new())],
        };
        Ticket::ready(Ok(answers))
    }
}

/// The SFEN of an image, with the mover as Black.
fn sfen(image: &PositionImage) -> String {
    const LETTERS: &[u8; 8] = b"PLNSGBRK";
    let mut text = String::new();
    for rank in 0..SIDE {
        let mut empty = 0;
        for file in (0..SIDE).rev() {
            let code = image.piece(square(file, rank));
            let kind = code & !THEIRS;
            if kind == EMPTY {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            let (base, promoted) = if kind > KING { (kind & !PROMOTED, true) } else { (kind, false) };
            if promoted {
                text.push('+');
            }
            let letter = LETTERS[base as usize - 1] as char;
            text.push(if code & THEIRS != 0 { letter.to_ascii_lowercase() } else { letter });
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        if rank < SIDE - 1 {
            text.push('/');
        }
    }
    text += " b ";
    let mut hands = String::new();
    for owner in [Owner::Mover, Owner::Theirs] {
        for kind in (PAWN..=ROOK).rev() {
            let count = image.hand(owner, kind);
            let letter = LETTERS[kind as usize - 1] as char;
            let letter = if owner == Owner::Theirs { letter.to_ascii_lowercase() } else { letter };
            match count {
                0 => {}
                1 => hands.push(letter),
                n => hands += &format!("{n}{letter}"),
            }
        }
    }
    text + if hands.is_empty() { "-" } else { &hands } + " 1"
}

/// Whether the rules leave out a pawn drop only because it would be mate.
fn excludes_mating_pawn(position: &mut Position, moves: &MoveList) -> bool {
    let Some(king) = position.king_square(Color::White) else { return false };
    let to = king.index() + 1;
    if to % SIDE == 0 || position.hand(Color::Black).count(PieceKind::Pawn) == 0 {
        return false;
    }
    let drop = Move::from_bits(Move16::drop(PAWN, to as u8).0).expect("a pawn drop");
    let to = drop.to();
    let file = to.index() / SIDE;
    let pawns = position.pieces(Color::Black, PieceKind::Pawn);
    if moves.contains(&drop) || position.piece_on(to).is_some() || pawns.into_iter().any(|s| s.index() / SIDE == file) {
        return false;
    }
    // Nothing but mate can have excluded it now, unless it leaves the mover's own king in check.
    let undo = position.do_move(drop);
    let own_king_safe = position
        .king_square(Color::Black)
        .is_none_or(|king| !position.is_attacked(king, Color::White, position.occupied()));
    position.undo_move(drop, undo);
    own_king_safe
}

/// Move records in canonical order.
fn records(position: &Position, moves: &MoveList) -> Vec<MoveRecord> {
    let mut keyed: Vec<_> = moves.iter().map(|&mv| record(position, mv)).collect();
    keyed.sort_by_key(|&(key, _)| key);
    keyed.into_iter().map(|(_, record)| record).collect()
}

/// A move's record, and its class, plane and destination.
fn record(position: &Position, mv: Move) -> ((u8, u8, u8), MoveRecord) {
    let bits = Move16(mv.bits());
    let check = if position.gives_check(mv) { FLAG_CHECK } else { 0 };
    if let Some(kind) = bits.dropped() {
        let record = MoveRecord { mv: bits, flags: FLAG_DROP | check, kinds: kind };
        return ((Class::Drop as u8, kind, bits.to()), record);
    }
    let (from, to) = (bits.from() as usize, bits.to() as usize);
    let moved = position.piece_on(mv.from().expect("a board move")).expect("a piece moves").code() & !THEIRS;
    let captured = position.piece_on(mv.to()).map_or(0, |p| p.code() & !THEIRS);
    let files = (to / SIDE) as i32 - (from / SIDE) as i32;
    let ranks = (to % SIDE) as i32 - (from % SIDE) as i32;
    let step = if moved == KNIGHT { (files, ranks) } else { (files.signum(), ranks.signum()) };
    let direction = Direction::ALL.into_iter().find(|d| (d.step().0 as i32, d.step().1 as i32) == step);
    let class = match (captured != 0, bits.promotes()) {
        (true, true) => Class::CapturePromote,
        (true, false) => Class::Capture,
        (false, true) => Class::Promote,
        (false, false) => Class::Quiet,
    };
    let flags =
        (if captured != 0 { FLAG_CAPTURE } else { 0 }) | (if bits.promotes() { FLAG_PROMOTE } else { 0 }) | check;
    let key = (class as u8, direction.expect("a direction of travel") as u8, bits.to());
    (key, MoveRecord { mv: bits, flags, kinds: moved | captured << 4 })
}
