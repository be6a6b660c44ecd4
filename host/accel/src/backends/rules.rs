//! The engine's own rules of shogi as a back end: a simple reference for the others.
//!
//! It shares only the contract with the software model. Moves come from [`hayasashi_shogi::rules`] and are sorted into
//! canonical order. The score is the sum over the squares that [`hayasashi_spec::table`] defines.

use crate::{table_header, view, AccelError, CoProcessor, Direct, Request, Response, Responses, Ticket};
use hayasashi_shogi::rules::{Color, Move, MoveList, PieceKind, Position, SfenError, Square};
use hayasashi_spec::{
    moves::*,
    opcode::{Opcode, Status, ANSWER, RESULT_CHECK, RESULT_UCHIFUZUME},
    piece::*,
    position::{Fault, Owner, PositionImage, IMAGE_BYTES},
    registers::{Info, CAP_EVALUATE, CAP_MOVEGEN},
    table::*,
};
use std::sync::RwLock;

/// The rules as a back end. It reports only the first fault of an impossible position, and has neither `PERFT` nor `SEARCH`.
#[derive(Default)]
pub struct RulesBackend {
    table: RwLock<Option<Vec<u8>>>,
}

impl CoProcessor for RulesBackend {
    fn name(&self) -> String {
        "rules".into()
    }

    fn direct(&self) -> Option<Direct> {
        Some(Direct::Rules)
    }

    fn submit(&self, request: Request) -> Ticket {
        Ticket::ready(Ok(self.answers(&request)))
    }

    fn load_table(&self, table: &[u8]) -> Result<(), AccelError> {
        let header = table_header("rules", table)?;
        if header.format != TABLE_FORMAT {
            let reason = format!("format {} instead of {TABLE_FORMAT}", header.format);
            return Err(AccelError::Table { target: "rules".into(), reason });
        }
        *self.table.write().unwrap() = Some(table.to_vec());
        Ok(())
    }
}

impl RulesBackend {
    fn answers(&self, request: &Request) -> Responses {
        use Opcode::*;
        let opcode = Opcode::from_code(request.opcode);
        let answer = |index: usize, status: Status, payload| Response {
            opcode: request.opcode | ANSWER,
            status: status as u8,
            index: index as u16,
            payload,
        };
        let one = |status, payload| vec![answer(0, status, payload)];
        match opcode {
            None | Some(LoadTable | Perft | Search | Cancel) => one(Status::BadOpcode, Vec::new()),
            Some(_) if !request.has_valid_length() => one(Status::BadLength, Vec::new()),
            Some(Echo) => one(Status::Ok, request.payload.clone()),
            Some(Info) => one(Status::Ok, bytemuck::bytes_of(&self.registers()).to_vec()),
            Some(opcode) => {
                let images = request.payload.chunks_exact(IMAGE_BYTES).map(bytemuck::pod_read_unaligned);
                let each = |(index, image): (usize, PositionImage)| match self.answer_position(opcode, &image) {
                    Ok(payload) => answer(index, Status::Ok, payload),
                    Err((status, payload)) => answer(index, status, payload),
                };
                images.enumerate().map(each).collect()
            }
        }
    }

    fn registers(&self) -> Info {
        let table = self.table.read().unwrap();
        let header = table.as_ref().and_then(|t| table_header("rules", t).ok());
        Info {
            magic: hayasashi_spec::MAGIC,
            protocol: hayasashi_spec::PROTOCOL_VERSION,
            capabilities: CAP_MOVEGEN | CAP_EVALUATE,
            table_loaded: header.is_some() as u32,
            table_version: header.map_or(0, |h| h.version),
            table_checksum: header.map_or(0, |h| h.checksum),
            ..Info::default()
        }
    }

    fn answer_position(&self, opcode: Opcode, image: &PositionImage) -> Result<Vec<u8>, (Status, Vec<u8>)> {
        let table = self.table.read().unwrap();
        if opcode.needs_table() && table.is_none() {
            return Err((Status::NoTable, Vec::new()));
        }
        let impossible = |fault: Fault| (Status::Position, (fault as u32).to_le_bytes().to_vec());
        let pos = position_of(image).map_err(impossible)?;
        if let (Opcode::Evaluate, Some(table)) = (opcode, table.as_ref()) {
            return Ok((score(table, image) as u16 as u32).to_le_bytes().to_vec());
        }
        let mut records = records(&pos);
        let mut flags = 0;
        if pos.in_check() {
            flags |= RESULT_CHECK;
        }
        if excludes_pawn_drop_mate(&pos) {
            flags |= RESULT_UCHIFUZUME;
        }
        let mut payload = [(records.len() as u16).to_le_bytes(), flags.to_le_bytes()].concat();
        match (opcode, table.as_ref()) {
            (Opcode::Generate, _) => payload.extend_from_slice(bytemuck::cast_slice(&records)),
            (Opcode::Expand, Some(table)) => {
                let scores: Vec<i16> = records.iter_mut().map(|record| expand(table, &pos, record)).collect();
                payload.extend_from_slice(bytemuck::cast_slice(&records));
                payload.extend_from_slice(bytemuck::cast_slice(&scores));
            }
            _ => {}
        }
        Ok(payload)
    }
}

/// The position of an image with the mover as Black, converted by way of its SFEN.
pub(crate) fn position_of(image: &PositionImage) -> Result<Position, Fault> {
    const LETTERS: &[u8; 9] = b" PLNSGBRK";
    let letter = |code: u8| {
        let kind = code & !THEIRS;
        let letter = LETTERS[if kind > KING { (kind & !PROMOTED) as usize } else { kind as usize }] as char;
        let letter = if code & THEIRS != 0 { letter.to_ascii_lowercase() } else { letter };
        format!("{}{letter}", if kind > KING { "+" } else { "" })
    };
    let mut sfen = String::new();
    for rank in 0..SIDE {
        for file in (0..SIDE).rev() {
            match image.piece(square(file, rank)) {
                EMPTY => sfen.push('1'),
                code if code & !THEIRS == NO_KIND || code == THEIRS => return Err(Fault::Encoding),
                code => sfen.push_str(&letter(code)),
            }
        }
        sfen.push(if rank + 1 < SIDE { '/' } else { ' ' });
    }
    sfen.push_str("b ");
    let mut hands = String::new();
    for (owner, side) in [(Owner::Mover, 0), (Owner::Theirs, THEIRS)] {
        for kind in PAWN..=ROOK {
            match image.hand(owner, kind) {
                0 => {}
                count => hands.push_str(&format!("{count}{}", letter(kind | side))),
            }
        }
    }
    sfen.push_str(if hands.is_empty() { "-" } else { &hands });
    sfen.push_str(" 1");
    Position::from_sfen(&sfen).map_err(|error| match error {
        SfenError::TooMany { .. } | SfenError::Kings { .. } => Fault::TooMany,
        SfenError::Nifu { .. } => Fault::TwoPawns,
        SfenError::Dead { .. } => Fault::Dead,
        SfenError::Hands { .. } => Fault::TooMany,
        _ => Fault::Capturable,
    })
}

/// The legal moves of a position with Black to move, in canonical order.
fn records(pos: &Position) -> Vec<MoveRecord> {
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    let mut records: Vec<_> = moves.iter().map(|&mv| record(pos, mv)).collect();
    records.sort_by_key(|(order, _)| *order);
    records.into_iter().map(|(_, record)| record).collect()
}

/// The score of the position after a move, for the side then to move; marks the move if it mates.
fn expand(table: &[u8], pos: &Position, record: &mut MoveRecord) -> i16 {
    let mv = view::to_move(record.mv, Color::Black).expect("it is a legal move");
    let mut child = pos.clone();
    child.do_move(mv);
    if child.in_check() {
        let mut answers = MoveList::new();
        child.legal_moves(&mut answers);
        record.flags |= if answers.is_empty() { FLAG_MATE } else { 0 };
    }
    score(table, &view::image(&child))
}

/// A move with its sort key in the canonical order: class, plane, destination.
fn record(pos: &Position, mv: Move) -> ((Class, u8, u8), MoveRecord) {
    let mv16 = view::from_move(mv, Color::Black);
    let captured = pos.piece_on(mv.to()).map_or(0, |p| p.kind().code());
    let check = if pos.gives_check(mv) { FLAG_CHECK } else { 0 };
    let (class, plane, moved, flags) = match (mv.from(), mv.dropped()) {
        (Some(from), _) => {
            let moved = pos.piece_on(from).map_or(0, |p| p.kind().code());
            let plane = direction(from, mv.to()) as u8;
            let (class, flags) = match (captured != 0, mv.is_promotion()) {
                (true, true) => (Class::CapturePromote, FLAG_CAPTURE | FLAG_PROMOTE),
                (true, false) => (Class::Capture, FLAG_CAPTURE),
                (false, true) => (Class::Promote, FLAG_PROMOTE),
                (false, false) => (Class::Quiet, 0),
            };
            (class, plane, moved, flags)
        }
        (None, kind) => {
            let kind = kind.map_or(0, PieceKind::code);
            (Class::Drop, kind, kind, FLAG_DROP)
        }
    };
    let record = MoveRecord { mv: mv16, flags: flags | check, kinds: moved | captured << 4 };
    ((class, plane, mv16.to()), record)
}

/// The direction of a move between two squares.
fn direction(from: Square, to: Square) -> Direction {
    let (files, ranks) = (to.file() as i8 - from.file() as i8, to.rank() as i8 - from.rank() as i8);
    let jump = files.abs() == 1 && ranks == -2;
    let step = if jump { (files, ranks) } else { (files.signum(), ranks.signum()) };
    Direction::ALL.into_iter().find(|d| d.step() == step).expect("every move has one of ten directions")
}

/// Whether a pawn drop in front of the enemy king is illegal only because it would be mate.
fn excludes_pawn_drop_mate(pos: &Position) -> bool {
    let Some(king) = pos.king_square(Color::White) else { return false };
    let Some(to) = Square::from_file_rank(king.file(), king.rank() + 1) else { return false };
    let Some(drop) = Move::drop(PieceKind::Pawn, to) else { return false };
    let has_pawn = pos.hand(Color::Black).has(PieceKind::Pawn);
    let nifu = Square::all()
        .filter(|s| s.file() == to.file())
        .any(|s| pos.piece_on(s).is_some_and(|p| p.color() == Color::Black && p.kind() == PieceKind::Pawn));
    if !has_pawn || nifu || pos.piece_on(to).is_some() || pos.is_legal(drop) {
        return false;
    }
    // Hand, file and square allow it, so it is mate or leaves the own king in check.
    let mut after = pos.clone();
    after.do_move(drop);
    !pos.king_square(Color::Black).is_some_and(|own| after.is_attacked(own, Color::White, after.occupied()))
}

/// The static evaluation, as the contract defines it.
fn score(table: &[u8], image: &PositionImage) -> i16 {
    let header: TableHeader = bytemuck::pod_read_unaligned(&table[..size_of::<TableHeader>()]);
    let weight = |slot, row, code| {
        let at = size_of::<TableHeader>() + 2 * weight_index(slot, row, code);
        i16::from_le_bytes([table[at], table[at + 1]]) as i32
    };
    let turned = |s: usize| match image.piece(turn(s)) {
        EMPTY => EMPTY,
        code => code ^ THEIRS,
    };
    let straight = |s: usize| image.piece(s);
    let placement = |piece: &dyn Fn(usize) -> u8, owner: Owner| -> i32 {
        let king = (0..SQUARES).find(|&s| piece(s) == KING);
        let exchanged = king.is_some_and(|k| k >= ROW_NO_KING);
        let row = king.map_or(ROW_NO_KING, |k| if exchanged { mirror(k) } else { k });
        let mirrored = |s| if exchanged { mirror(s) } else { s };
        let board: i32 = (0..SQUARES).map(|s| weight(mirrored(s), row, piece(s) as usize)).sum();
        let hand: i32 =
            (0..HAND_KINDS).map(|k| weight(SQUARES + k, row, image.hand(owner, k as u8 + 1) as usize)).sum();
        board + hand
    };
    let material = |piece: &dyn Fn(usize) -> u8, owner: Owner| -> i32 {
        let own = (0..SQUARES).map(piece).filter(|code| code & THEIRS == 0);
        let board: i32 = own.map(|code| header.board_value[code as usize] as i32).sum();
        let hand: i32 =
            (0..HAND_KINDS).map(|k| header.hand_value[k] as i32 * image.hand(owner, k as u8 + 1) as i32).sum();
        board + hand
    };
    let total = material(&straight, Owner::Mover) - material(&turned, Owner::Theirs)
        + placement(&straight, Owner::Mover)
        - placement(&turned, Owner::Theirs)
        + header.tempo as i32;
    total.clamp(-SCORE_LIMIT, SCORE_LIMIT) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelBackend;
    use hayasashi_model::evaluate::first_table;

    #[test]
    fn agrees_with_the_model() {
        let (rules, model) = (RulesBackend::default(), ModelBackend::new());
        let table = first_table().to_bytes();
        rules.load_table(&table).unwrap();
        model.load_table(&table).unwrap();
        for sfen in [
            hayasashi_shogi::rules::STARTPOS_SFEN,
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "8k/9/8S/9/9/9/9/9/K8 b P 1",
            "7nk/9/7GP/9/9/9/9/9/9 b Pr2b3g4s3n4l16p 1",
        ] {
            let image = view::image(&Position::from_sfen(sfen).unwrap());
            for opcode in [Opcode::Generate, Opcode::Count, Opcode::Evaluate, Opcode::Expand] {
                let request = Request::batch(opcode, &[image]);
                assert_eq!(rules.request(request.clone()), model.request(request), "{sfen} {}", opcode.name());
            }
        }
    }
}
