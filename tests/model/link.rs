//! The software chip as a byte stream: every status and every counter.

use hayasashi_model::evaluate::first_table;
use hayasashi_model::link::frame::{encode_frame, Decoder, FrameError};
use hayasashi_model::movegen::{count, generate, make_move};
use hayasashi_model::position::Position;
use hayasashi_model::top::Chip;
use hayasashi_model::Model;
use hayasashi_spec::frame::*;
use hayasashi_spec::moves::{MoveRecord, FLAG_CHECK, FLAG_MATE};
use hayasashi_spec::opcode::{Opcode, Status, ANSWER, RESULT_BYTES};
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{Fault, PositionImage};
use hayasashi_spec::registers::{Info, CAP_EVALUATE, CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT, CAP_SEARCH, REGISTERS};
use hayasashi_spec::search::MAX_TABLE_BITS;
use hayasashi_spec::table::{CHECKSUM_FROM, TABLE_BYTES};
use hayasashi_spec::{MAGIC, PROTOCOL_VERSION};
use hayasashi_tests::{data_lines, image_from_sfen};
use std::collections::HashSet;
use std::sync::Arc;

pub(super) const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MOST: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// An answer frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    pub(super) opcode: u8,
    pub(super) status: Status,
    pub(super) sequence: u16,
    pub(super) index: u16,
    pub(super) payload: Vec<u8>,
}

pub(super) fn answers(bytes: &[u8]) -> Vec<Answer> {
    let mut out = Vec::new();
    Decoder::new(MAX_ANSWER_PAYLOAD).push(bytes, |frame| {
        let frame = frame.expect("a chip sends good frames");
        let Header { opcode, status, sequence, count, .. } = frame.header;
        let status = Status::from_code(status).expect("a chip sends known statuses");
        out.push(Answer { opcode, status, sequence, index: count, payload: frame.payload.to_vec() });
    });
    out
}

pub(super) fn send(chip: &mut Chip, bytes: &[u8]) -> Vec<Answer> {
    chip.push(bytes);
    answers(&chip.pull())
}

pub(super) fn request(opcode: Opcode, count: u16, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_frame(Header { opcode: opcode as u8, status: 0, sequence: 0xC0DB, count, length: 0 }, payload, &mut bytes);
    bytes
}

/// Sends a request that has one answer; returns its status and payload.
fn ask(chip: &mut Chip, opcode: Opcode, count: u16, payload: &[u8]) -> (Status, Vec<u8>) {
    let answers = send(chip, &request(opcode, count, payload));
    let [answer] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!((answer.opcode, answer.sequence, answer.index), (opcode as u8 | ANSWER, 0xC0DB, 0));
    (answer.status, answer.payload.clone())
}

fn info(chip: &mut Chip) -> Info {
    let (status, payload) = ask(chip, Opcode::Info, 0, &[]);
    assert_eq!((status, payload.len()), (Status::Ok, 4 * REGISTERS));
    bytemuck::pod_read_unaligned(&payload)
}

fn part(offset: u32, bytes: &[u8]) -> Vec<u8> {
    [&offset.to_le_bytes(), bytes].concat()
}

fn load(chip: &mut Chip, offset: u32, bytes: &[u8]) -> (Status, Vec<u8>) {
    ask(chip, Opcode::LoadTable, 0, &part(offset, bytes))
}

fn load_all(chip: &mut Chip, bytes: &[u8]) {
    for (i, chunk) in bytes.chunks(1999).enumerate() {
        let at = 1999 * i + chunk.len();
        let next = if at == TABLE_BYTES { 0 } else { at as u32 };
        assert_eq!(load(chip, 1999 * i as u32, chunk), (Status::Ok, next.to_le_bytes().to_vec()));
    }
}

/// A frame of exactly these bytes with a correct checksum.
pub(super) fn frame_of(bytes: &[u8]) -> Vec<u8> {
    let checksum = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(bytes).to_le_bytes();
    let mut out = vec![END];
    for &byte in bytes.iter().chain(&checksum) {
        match byte {
            END => out.extend([ESC, ESC_END]),
            ESC => out.extend([ESC, ESC_ESC]),
            _ => out.push(byte),
        }
    }
    out.push(END);
    out
}

#[test]
fn the_registers_say_what_the_chip_is() {
    let mut chip = Chip::default();
    let first = info(&mut chip);
    let expect = Info {
        magic: MAGIC,
        protocol: PROTOCOL_VERSION,
        capabilities: CAP_MOVEGEN | CAP_EVALUATE | CAP_PERFT | CAP_SEARCH | CAP_NETWORK,
        buffer_bytes: BUFFER_BYTES as u32,
        max_batch: MAX_BATCH as u32,
        frames: 1,
        search_table_bits: MAX_TABLE_BITS as u32,
        ..Info::default()
    };
    assert_eq!(first, expect);
    load_all(&mut chip, &first_table().to_bytes());
    let (image, _) = image_from_sfen(START);
    let mut bad = image;
    bad.set_piece(40, KING);
    send(&mut chip, &request(Opcode::Count, 3, &[image.bytes, bad.bytes, image.bytes].concat()));
    send(&mut chip, &[END, 1, END]);
    send(&mut chip, &frame_of(&[0x77, 0, 0, 0, 0, 0, 0, 0]));
    let parts = TABLE_BYTES.div_ceil(1999) as u32;
    let header = *first_table().header();
    let expect = Info {
        table_loaded: 1,
        table_version: header.version,
        table_checksum: header.checksum,
        frames: 1 + parts + 3,
        bad_frames: 1,
        positions: 2,
        ..expect
    };
    assert_eq!(info(&mut chip), expect);
}

#[test]
fn every_status_but_busy_is_reached() {
    let mut chip = Chip::default();
    let mut seen = HashSet::new();
    let (image, _) = image_from_sfen(START);
    let mut impossible = image;
    impossible.set_piece(40, KING);
    let table = first_table().to_bytes();

    let mut check = |answer: (Status, Vec<u8>), expect: Status, payload: &[u8]| {
        assert_eq!(answer, (expect, payload.to_vec()));
        seen.insert(expect);
    };
    check(ask(&mut chip, Opcode::Echo, 9, b"\xC0\xDB\xDC\xDD"), Status::Ok, b"\xC0\xDB\xDC\xDD");
    check(ask(&mut chip, Opcode::Echo, 0, &[0xC0; 2048]), Status::Ok, &[0xC0; 2048]);
    check(ask(&mut chip, Opcode::Info, 0, b"x"), Status::BadLength, &[]);
    check(ask(&mut chip, Opcode::LoadTable, 0, b"abc"), Status::BadLength, &[]);
    for opcode in [Opcode::Count, Opcode::Generate, Opcode::Evaluate, Opcode::Expand] {
        check(ask(&mut chip, opcode, 0, &[]), Status::BadLength, &[]);
        check(ask(&mut chip, opcode, 2, &image.bytes), Status::BadLength, &[]);
        check(ask(&mut chip, opcode, 0, &image.bytes), Status::BadLength, &[]);
        check(ask(&mut chip, opcode, 1, &image.bytes[1..]), Status::BadLength, &[]);
    }
    check(ask(&mut chip, Opcode::Evaluate, 1, &impossible.bytes), Status::NoTable, &[]);
    check(ask(&mut chip, Opcode::Expand, 1, &image.bytes), Status::NoTable, &[]);
    let faults = (Fault::TooMany as u32).to_le_bytes();
    check(ask(&mut chip, Opcode::Count, 1, &impossible.bytes), Status::Position, &faults);
    check(ask(&mut chip, Opcode::Generate, 1, &impossible.bytes), Status::Position, &faults);
    check(load(&mut chip, 5, b""), Status::TableSequence, &[0; 4]);
    check(load(&mut chip, 0, b"no table"), Status::TableContent, &[]);
    load_all(&mut chip, &table);
    check(ask(&mut chip, Opcode::Evaluate, 1, &impossible.bytes), Status::Position, &faults);
    check(ask(&mut chip, Opcode::Expand, 1, &impossible.bytes), Status::Position, &faults);
    check(ask(&mut chip, Opcode::Evaluate, 1, &image.bytes), Status::Ok, &[15, 0, 0, 0]);
    check(ask(&mut chip, Opcode::Perft, 1, &[&[9, 0, 0, 0], &image.bytes[..]].concat()), Status::Range, &[]);

    let mut one = |bytes: &[u8]| {
        let answers = send(&mut chip, bytes);
        let [answer] = &answers[..] else { panic!("{answers:?}") };
        assert_eq!((answer.index, answer.payload.len()), (0, 0));
        seen.insert(answer.status);
        (answer.opcode, answer.status, answer.sequence)
    };
    // Unknown opcodes, the answer bit in a request too.
    assert_eq!(one(&frame_of(&[0x05, 0, 1, 2, 0, 0, 0, 0])), (0x85, Status::BadOpcode, 0x0201));
    assert_eq!(one(&frame_of(&[0x82, 0, 1, 2, 0, 0, 0, 0])), (0x82, Status::BadOpcode, 0x0201));
    // Too short: missing header bytes count as zero, whatever the checksum.
    assert_eq!(one(&[END, 0x02, 0, 7, END]), (0x82, Status::BadLength, 7));
    assert_eq!(one(&[END, 0x02, 0, 7, 1, 9, 9, 9, 9, 9, 9, 9, END]), (0x82, Status::BadLength, 0x0107));
    assert_eq!(one(&[ESC, END]), (0x80, Status::BadLength, 0));
    assert_eq!(one(&[ESC, 0x02, 0x02, END]), (0x82, Status::BadLength, 0));
    // A length field that is wrong, or a frame longer than any.
    assert_eq!(one(&frame_of(&[0x02, 0, 3, 0, 0, 0, 1, 0])), (0x82, Status::BadLength, 3));
    let mut long = vec![0; HEADER_BYTES + MAX_REQUEST_PAYLOAD + 1];
    long[..8].copy_from_slice(&[0x02, 0, 3, 0, 0, 0, 1, 8]);
    assert_eq!(one(&frame_of(&long)), (0x82, Status::BadLength, 3));
    long.resize(100_000, 7);
    assert_eq!(one(&frame_of(&long)), (0x82, Status::BadLength, 3));
    // A wrong checksum, escapes that are wrong.
    let good = frame_of(&[0x02, 0, 3, 0, 0, 0, 1, 0, 9]);
    let mut damaged = good.clone();
    damaged[9] ^= 1;
    assert_eq!(one(&damaged), (0x82, Status::BadCrc, 3));
    let mut broken = good.clone();
    broken.splice(5..5, [ESC, 0x55]);
    assert_eq!(one(&broken), (0x82, Status::BadCrc, 3));
    let mut broken = good.clone();
    broken.insert(good.len() - 1, ESC);
    assert_eq!(one(&broken), (0x82, Status::BadCrc, 3));
    // And the chip is still in step.
    assert_eq!(one_echo(&mut chip), Status::Ok);

    // Those of a walk in progress are looked at where walks are (`perft.rs`).
    let elsewhere = [Status::Busy, Status::Progress, Status::Cancelled];
    let all: HashSet<_> = Status::ALL.iter().copied().filter(|s| !elsewhere.contains(s)).collect();
    assert_eq!(seen, all);
}

pub(super) fn one_echo(chip: &mut Chip) -> Status {
    ask(chip, Opcode::Echo, 0, b"still there?").0
}

#[test]
fn a_batch_has_an_answer_for_each_position() {
    let mut chip = Chip::new(Model::with_evaluation(Arc::new(first_table())));
    let (start, most) = (image_from_sfen(START).0, image_from_sfen(MOST).0);
    let mut bad = start;
    bad.bytes[63] = 1;
    let images: Vec<PositionImage> = (0..MAX_BATCH).map(|i| [start, bad, most][i % 3]).collect();
    let payload: Vec<u8> = images.iter().flat_map(|image| image.bytes).collect();
    for opcode in [Opcode::Count, Opcode::Generate, Opcode::Evaluate, Opcode::Expand] {
        let got = send(&mut chip, &request(opcode, MAX_BATCH as u16, &payload));
        let expect = chip.model().request(opcode, &images);
        assert_eq!(got.len(), MAX_BATCH);
        for (i, (got, expect)) in got.iter().zip(expect).enumerate() {
            assert_eq!((got.index as usize, got.status, &got.payload), (i, expect.status, &expect.payload));
        }
    }
    let records = &chip.model().request(Opcode::Generate, &[most])[0].payload;
    assert_eq!(records.len(), RESULT_BYTES + 4 * 593);
    assert_eq!(records[..RESULT_BYTES], [(593 % 256) as u8, (593 / 256) as u8, 0, 0]);
    let first: MoveRecord = bytemuck::pod_read_unaligned(&records[4..8]);
    assert_eq!(first.moved(), most.piece(first.mv.from() as usize));
    // An expansion adds a score for each move: that of the position after it.
    let expanded = &chip.model().request(Opcode::Expand, &[most])[0].payload;
    let (list, scores) = expanded.split_at(RESULT_BYTES + 4 * 593);
    assert!(scores.len() == 2 * 593 && expanded.len() <= MAX_ANSWER_PAYLOAD);
    let unmated = |bytes: &[u8]| {
        let record: MoveRecord = bytemuck::pod_read_unaligned(bytes);
        MoveRecord { flags: record.flags & !FLAG_MATE, ..record }
    };
    let records: Vec<MoveRecord> = records[RESULT_BYTES..].chunks(4).map(bytemuck::pod_read_unaligned).collect();
    assert_eq!(list[RESULT_BYTES..].chunks(4).map(unmated).collect::<Vec<_>>(), records);
}

/// `answer_words` of the gateware relies on it: a pawn drop that parries a check and would be mate is never the only answer to that
/// check, because the checking piece can be taken.
#[test]
fn a_check_is_never_mate_for_want_of_a_mating_pawn_drop() {
    let (mut checks, mut mates) = (0, 0);
    for line in data_lines("rules/uchifuzume.tsv").into_iter().chain(data_lines("rules/legal_moves.tsv")) {
        let (image, _) = image_from_sfen(line.split('\t').next().unwrap());
        let position = Position::from(&image);
        if position.faults() != 0 {
            continue;
        }
        let mut moves = Vec::new();
        generate(&position, &mut moves);
        for record in moves.iter().filter(|record| record.flags & FLAG_CHECK != 0) {
            let answers = count(&make_move(&position, record.mv));
            checks += 1;
            mates += (answers.moves == 0) as u32;
            assert!(answers.moves > 0 || !answers.excludes_pawn_drop_mate(), "{line}: {:?}", record.mv);
        }
    }
    assert!(checks > 10_000 && mates > 100, "{checks} checks, {mates} mates");
}

#[test]
fn a_table_is_loaded_only_when_it_is_whole() {
    let mut chip = Chip::default();
    let (image, _) = image_from_sfen(START);
    let table = first_table().to_bytes();
    let loaded = |chip: &mut Chip| {
        let info = info(chip);
        let (status, _) = ask(chip, Opcode::Evaluate, 1, &image.bytes);
        assert_eq!(info.table_loaded == 1, status == Status::Ok);
        assert_eq!(info.table_loaded == 1, info.table_version != 0);
        status == Status::Ok
    };
    load_all(&mut chip, &table);
    assert!(loaded(&mut chip));
    // A part out of sequence leaves the table loaded; starting over does not, even by an empty part.
    assert_eq!(load(&mut chip, 7, b""), (Status::TableSequence, vec![0; 4]));
    assert!(loaded(&mut chip));
    assert_eq!(load(&mut chip, 0, b""), (Status::Ok, vec![0; 4]));
    assert!(!loaded(&mut chip));
    // Partly loaded.
    load_all(&mut chip, &table);
    assert_eq!(load(&mut chip, 0, &table[..10]), (Status::Ok, vec![10, 0, 0, 0]));
    assert!(!loaded(&mut chip));
    assert_eq!(load(&mut chip, 11, &table[11..20]), (Status::TableSequence, vec![10, 0, 0, 0]));
    assert_eq!(load(&mut chip, 10, &table[10..20]), (Status::Ok, vec![20, 0, 0, 0]));
    // Wrong content: the next part has to start over.
    load_all(&mut chip, &table);
    let mut wrong = table.clone();
    wrong[65] = 0x7F;
    assert_eq!(load(&mut chip, 0, &wrong[..65]).0, Status::Ok);
    assert_eq!(load(&mut chip, 65, &wrong[65..66]), (Status::TableContent, vec![]));
    assert_eq!(load(&mut chip, 66, &wrong[66..67]), (Status::TableSequence, vec![0; 4]));
    assert!(!loaded(&mut chip));
    // Bytes behind the end.
    let body = TABLE_BYTES - 10;
    for (i, chunk) in table[..body].chunks(2000).enumerate() {
        assert_eq!(load(&mut chip, 2000 * i as u32, chunk).0, Status::Ok);
    }
    assert_eq!(load(&mut chip, body as u32, &[&table[body..], b"x"].concat()), (Status::TableContent, vec![]));
    assert!(!loaded(&mut chip));
    // A wrong checksum is seen with the last byte.
    let mut wrong = table.clone();
    wrong[CHECKSUM_FROM + 10] ^= 1;
    for (i, chunk) in wrong[..body].chunks(2000).enumerate() {
        assert_eq!(load(&mut chip, 2000 * i as u32, chunk).0, Status::Ok);
    }
    assert_eq!(load(&mut chip, body as u32, &wrong[body..]), (Status::TableContent, vec![]));
    assert!(!loaded(&mut chip));
    load_all(&mut chip, &table);
    assert!(loaded(&mut chip));
}

#[test]
fn errors_end_with_a_hint() {
    let header = Header::default();
    for error in [
        FrameError::TooShort { header, bytes: 3 },
        FrameError::TooLong { header, limit: 2048 },
        FrameError::Damaged { header },
        FrameError::Length { header, bytes: 3 },
    ] {
        assert!(error.to_string().contains("; hint: "), "no hint: {error}");
    }
}
