//! The software chip as a byte stream: every status, every counter, and any damage to the bytes.

use hayasashi_model::evaluate::first_table;
use hayasashi_model::link::frame::{encode_frame, Decoder, FrameError};
use hayasashi_model::top::Chip;
use hayasashi_model::Model;
use hayasashi_spec::frame::*;
use hayasashi_spec::moves::MoveRecord;
use hayasashi_spec::opcode::{Opcode, Status, ANSWER, RESULT_BYTES};
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{Fault, PositionImage};
use hayasashi_spec::registers::{Info, CAP_EVALUATE, CAP_MOVEGEN, CAP_PERFT, REGISTERS};
use hayasashi_spec::table::{CHECKSUM_FROM, TABLE_BYTES};
use hayasashi_spec::{MAGIC, PROTOCOL_VERSION};
use hayasashi_tests::image_from_sfen;
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MOST: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// An answer frame.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Answer {
    opcode: u8,
    status: Status,
    sequence: u16,
    index: u16,
    payload: Vec<u8>,
}

fn answers(bytes: &[u8]) -> Vec<Answer> {
    let mut out = Vec::new();
    Decoder::new(MAX_ANSWER_PAYLOAD).push(bytes, |frame| {
        let frame = frame.expect("a chip sends good frames");
        let Header { opcode, status, sequence, count, .. } = frame.header;
        let status = Status::from_code(status).expect("a chip sends known statuses");
        out.push(Answer { opcode, status, sequence, index: count, payload: frame.payload.to_vec() });
    });
    out
}

fn send(chip: &mut Chip, bytes: &[u8]) -> Vec<Answer> {
    chip.push(bytes);
    answers(&chip.pull())
}

fn request(opcode: Opcode, count: u16, payload: &[u8]) -> Vec<u8> {
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
fn frame_of(bytes: &[u8]) -> Vec<u8> {
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
        capabilities: CAP_MOVEGEN | CAP_EVALUATE | CAP_PERFT,
        buffer_bytes: BUFFER_BYTES as u32,
        max_batch: MAX_BATCH as u32,
        frames: 1,
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
    for opcode in [Opcode::Count, Opcode::Generate, Opcode::Evaluate] {
        check(ask(&mut chip, opcode, 0, &[]), Status::BadLength, &[]);
        check(ask(&mut chip, opcode, 2, &image.bytes), Status::BadLength, &[]);
        check(ask(&mut chip, opcode, 0, &image.bytes), Status::BadLength, &[]);
        check(ask(&mut chip, opcode, 1, &image.bytes[1..]), Status::BadLength, &[]);
    }
    check(ask(&mut chip, Opcode::Evaluate, 1, &impossible.bytes), Status::NoTable, &[]);
    let faults = (Fault::TooMany as u32).to_le_bytes();
    check(ask(&mut chip, Opcode::Count, 1, &impossible.bytes), Status::Position, &faults);
    check(ask(&mut chip, Opcode::Generate, 1, &impossible.bytes), Status::Position, &faults);
    check(load(&mut chip, 5, b""), Status::TableSequence, &[0; 4]);
    check(load(&mut chip, 0, b"no table"), Status::TableContent, &[]);
    load_all(&mut chip, &table);
    check(ask(&mut chip, Opcode::Evaluate, 1, &impossible.bytes), Status::Position, &faults);
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

fn one_echo(chip: &mut Chip) -> Status {
    ask(chip, Opcode::Echo, 0, b"still there?").0
}

#[test]
fn a_batch_has_an_answer_for_each_position() {
    let mut chip = Chip::new(Model::with_table(Arc::new(first_table())));
    let (start, most) = (image_from_sfen(START).0, image_from_sfen(MOST).0);
    let mut bad = start;
    bad.bytes[63] = 1;
    let images: Vec<PositionImage> = (0..MAX_BATCH).map(|i| [start, bad, most][i % 3]).collect();
    let payload: Vec<u8> = images.iter().flat_map(|image| image.bytes).collect();
    for opcode in [Opcode::Count, Opcode::Generate, Opcode::Evaluate] {
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
        assert!(error.to_string().contains([';', '?']), "no hint: {error}");
    }
}

/// Some well-formed and some malformed requests, as bytes.
fn traffic() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let opcode = prop_oneof![Just(1u8), Just(2), Just(2), Just(3), Just(0x10), Just(0x11), Just(0x12), any::<u8>()];
    let image = image_from_sfen(START).0.bytes.to_vec();
    let payload = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        proptest::collection::vec(prop_oneof![Just(END), Just(ESC), Just(ESC_END), Just(ESC_ESC)], 0..40),
        Just(image.clone()),
        Just([image.clone(), image].concat()),
    ];
    let one = (opcode, any::<u16>(), 0u16..4, payload).prop_map(|(opcode, sequence, count, payload)| {
        let mut bytes = Vec::new();
        encode_frame(Header { opcode, status: 0, sequence, count, length: 0 }, &payload, &mut bytes);
        bytes
    });
    proptest::collection::vec(one, 1..8)
}

/// The answers of a new chip to these bytes, pushed at once.
fn whole(bytes: &[u8]) -> Vec<u8> {
    let mut chip = Chip::default();
    chip.push(bytes);
    chip.pull()
}

proptest! {
    #[test]
    fn frames_survive_the_line(opcode: u8, status: u8, sequence: u16, count: u16,
                               payload in proptest::collection::vec(any::<u8>(), 0..MAX_REQUEST_PAYLOAD)) {
        let mut bytes = Vec::new();
        let header = Header { opcode, status, sequence, count, length: 0 };
        encode_frame(header, &payload, &mut bytes);
        prop_assert!(bytes[1..bytes.len() - 1].iter().all(|&b| b != END));
        let mut seen = 0;
        Decoder::new(MAX_REQUEST_PAYLOAD).push(&bytes, |frame| {
            let frame = frame.unwrap();
            assert_eq!(frame.header, Header { length: payload.len() as u16, ..header });
            assert_eq!(frame.payload, payload);
            seen += 1;
        });
        prop_assert_eq!(seen, 1);
        let sent = Header { length: payload.len() as u16, ..header };
        prop_assert_eq!(bytes, frame_of(&[bytemuck::bytes_of(&sent), &payload].concat()));
    }

    #[test]
    fn bytes_may_come_in_any_pieces(frames in traffic(), cuts in proptest::collection::vec(1usize..50, 1..20)) {
        let bytes = frames.concat();
        let (mut chip, mut out, mut rest, mut i) = (Chip::default(), Vec::new(), &bytes[..], 0);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(cuts[i % cuts.len()].min(rest.len()));
            chip.push(now);
            let mut some = [0; 7];
            let n = chip.pull_into(&mut some);
            out.extend(&some[..n]);
            (rest, i) = (later, i + 1);
        }
        out.extend(chip.pull());
        prop_assert_eq!(out, whole(&bytes));
    }

    #[test]
    fn garbage_between_frames_harms_no_frame(frames in traffic(),
                                                garbage in proptest::collection::vec(any::<u8>(), 0..60)) {
        let mut chip = Chip::default();
        for frame in frames {
            chip.push(&garbage);
            chip.pull();
            // The first answer may be to the garbage that the frame's own END ends.
            let got = send(&mut chip, &frame);
            let mut alone = Chip::default();
            let expect = send(&mut alone, &frame);
            let behind = &got[got.len() - expect.len()..];
            prop_assert!(got.len() <= expect.len() + 1);
            for (got, expect) in behind.iter().zip(&expect) {
                let fields = |a: &Answer| (a.opcode, a.status, a.sequence);
                prop_assert_eq!(fields(got), fields(expect));
            }
        }
    }

    #[test]
    fn a_truncated_frame_is_answered_as_bad(frames in traffic(), cut in 2usize..100) {
        for frame in frames {
            let cut = cut.min(frame.len() - 1);
            let mut chip = Chip::default();
            let got = send(&mut chip, &[&frame[..cut], &[END]].concat());
            // Cut before its END it is whole.
            if cut < frame.len() - 1 {
                prop_assert_eq!(got.len(), 1);
                prop_assert!(matches!(got[0].status, Status::BadCrc | Status::BadLength), "{:?}", got);
            }
            prop_assert_eq!(one_echo(&mut chip), Status::Ok);
        }
    }

    #[test]
    fn a_frame_sent_twice_is_answered_twice(frames in traffic()) {
        // INFO counts itself, and parts of a table follow each other.
        let repeatable = |frame: &&Vec<u8>| ![Opcode::Info as u8, Opcode::LoadTable as u8].contains(&frame[1]);
        for frame in frames.iter().filter(repeatable) {
            let once = whole(frame);
            prop_assert_eq!(whole(&[&frame[..], frame].concat()), [once.clone(), once].concat());
        }
    }

    #[test]
    fn a_flipped_bit_is_never_taken_for_a_good_frame(payload in proptest::collection::vec(any::<u8>(), 0..100),
                                                      at in any::<prop::sample::Index>(), bit in 0..8) {
        let mut bytes = request(Opcode::Echo, 0, &payload);
        let i = 1 + at.index(bytes.len() - 2);
        bytes[i] ^= 1u8 << bit;
        let mut chip = Chip::default();
        let got = send(&mut chip, &bytes);
        prop_assert!(!got.is_empty());
        for answer in got {
            prop_assert!(matches!(answer.status, Status::BadCrc | Status::BadLength), "{:?}", answer);
        }
        prop_assert_eq!(one_echo(&mut chip), Status::Ok);
    }

    #[test]
    fn any_bytes_leave_the_chip_in_step(bytes in proptest::collection::vec(any::<u8>(), 0..5000)) {
        let mut chip = Chip::default();
        chip.push(&bytes);
        chip.push(&[END]);
        answers(&chip.pull());
        prop_assert_eq!(one_echo(&mut chip), Status::Ok);
    }

    #[test]
    fn any_image_is_answered(bytes in proptest::collection::vec(any::<u8>(), 64)) {
        let model = Model::with_table(Arc::new(first_table()));
        let mut image = PositionImage::default();
        image.bytes.copy_from_slice(&bytes);
        for opcode in Opcode::ALL {
            let answer = model.request(*opcode, &[image]).remove(0);
            prop_assert!(matches!(answer.status, Status::Position | Status::Ok | Status::BadOpcode));
        }
    }
}
