//! The software chip behind its word port: the same answers as behind its byte port, under any damage to its words.

use super::link::{frame_of, Answer, START};
use hayasashi_model::link::{
    frame::FrameError,
    framing::encode,
    word_frame::{decode_word_frame, encode_fillers, encode_word_frame, WordDecoder},
};
use hayasashi_model::top::Chip;
use hayasashi_model::Model;
use hayasashi_spec::frame::*;
use hayasashi_spec::opcode::{Opcode, Status};
use hayasashi_spec::word_frame::*;
use hayasashi_tests::image_from_sfen;
use proptest::prelude::*;

fn chip() -> Chip {
    Chip::behind(Framing::Words, Model::default())
}

fn request(opcode: u8, sequence: u16, count: u16, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_word_frame(Header { opcode, sequence, count, ..Header::default() }, payload, &mut bytes);
    bytes
}

fn fillers(words: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_fillers(words, &mut bytes);
    bytes
}

/// The answers in these words, one after the other without any word between them.
fn answers(mut bytes: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    while let Some((head, _)) = bytes.split_first_chunk::<WORD_BYTES>() {
        let words = frame_words(header(u64::from_le_bytes(*head)).length.into());
        let (frame, rest) = bytes.split_at(WORD_BYTES * words);
        let frame = decode_word_frame(frame).expect("a chip sends good frames");
        let Header { opcode, status, sequence, count, .. } = frame.header;
        let status = Status::from_code(status).expect("a chip sends known statuses");
        answers.push(Answer { opcode, status, sequence, index: count, payload: frame.payload.to_vec() });
        bytes = rest;
    }
    answers
}

fn send(chip: &mut Chip, bytes: &[u8]) -> Vec<Answer> {
    chip.push(bytes);
    answers(&chip.pull())
}

/// The statuses of the answers, with their sequence numbers.
fn statuses(answers: &[Answer]) -> Vec<(Status, u16)> {
    answers.iter().map(|answer| (answer.status, answer.sequence)).collect()
}

/// The chip is in step: it answers the next request as usual.
fn check_in_step(chip: &mut Chip) {
    let answers = send(chip, &request(Opcode::Echo as u8, 0x1234, 0, b"still there?"));
    assert_eq!(statuses(&answers), [(Status::Ok, 0x1234)]);
    assert_eq!(answers[0].payload, b"still there?");
}

/// What a host sends that opens the port.
fn flush(chip: &mut Chip) {
    chip.push(&fillers(FLUSH_WORDS));
    chip.pull();
}

#[test]
fn a_frame_is_header_payload_and_trailer() {
    let bytes = request(Opcode::Echo as u8, 0x0201, 0, b"abc");
    assert_eq!(bytes[..8], [2, 0, 1, 2, 0, 0, 3, 0]);
    assert_eq!(&bytes[8..16], b"abc\0\0\0\0\0");
    let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&bytes[..16]);
    assert_eq!(bytes[16..], [&crc.to_le_bytes()[..], b"HSYF"].concat());
    assert_eq!(request(4, 1, 0, &[]).len(), 2 * WORD_BYTES);
}

#[test]
fn a_long_header_is_answered_before_its_payload_comes() {
    let mut chip = chip();
    let mut head = request(Opcode::Echo as u8, 9, 0, &[7; MAX_REQUEST_PAYLOAD]);
    assert_eq!(statuses(&send(&mut chip, &head)), [(Status::Ok, 9)]);
    head[6] = 1;
    assert_eq!(statuses(&send(&mut chip, &head[..8])), [(Status::BadLength, 9)]);
    // All up to a filler is skipped.
    assert_eq!(send(&mut chip, &head[8..]), []);
    assert_eq!(send(&mut chip, &request(2, 3, 0, b"not seen")), []);
    chip.push(&fillers(1));
    check_in_step(&mut chip);
}

#[test]
fn a_length_that_does_not_suit_the_opcode_skips_nothing() {
    let mut chip = chip();
    for (opcode, count, payload) in [(0x01, 0, &b"x"[..]), (0x03, 0, b"abc"), (0x11, 2, &[0; 64]), (0x13, 1, &[0; 64])]
    {
        assert_eq!(statuses(&send(&mut chip, &request(opcode, 5, count, payload))), [(Status::BadLength, 5)]);
        check_in_step(&mut chip);
    }
    assert_eq!(statuses(&send(&mut chip, &request(0x77, 5, 0, b""))), [(Status::BadOpcode, 5)]);
    check_in_step(&mut chip);
}

#[test]
fn no_bit_of_a_frame_can_be_wrong() {
    let good = request(Opcode::Echo as u8, 0x5A5A, 0, &[0x0F; 20]);
    for bit in 0..8 * good.len() {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let mut chip = chip();
        chip.push(&bytes);
        chip.push(&fillers(FLUSH_WORDS));
        let answers = answers(&chip.pull());
        assert_eq!(answers.len(), 1, "bit {bit}: {answers:?}");
        assert!(matches!(answers[0].status, Status::BadCrc | Status::BadLength), "bit {bit}: {answers:?}");
        check_in_step(&mut chip);
    }
}

#[test]
fn fillers_end_half_a_frame_of_any_length() {
    for length in [0, 1, 8, 9, 64, 2040, MAX_REQUEST_PAYLOAD] {
        let bytes = request(Opcode::Echo as u8, 1, 0, &vec![END; length]);
        for words in 1..bytes.len() / WORD_BYTES {
            let mut chip = chip();
            let answers = send(&mut chip, &[&bytes[..WORD_BYTES * words], &fillers(FLUSH_WORDS)].concat());
            assert_eq!(statuses(&answers), [(Status::BadCrc, 1)], "{words} words of {length} bytes");
            check_in_step(&mut chip);
        }
    }
}

#[test]
fn errors_of_the_receiver_are_those_of_frames() {
    let mut seen = Vec::new();
    let mut decoder = WordDecoder::new(8);
    let mut damaged = request(2, 1, 0, b"abc");
    damaged[17] ^= 1;
    let bytes = [&damaged[..], &fillers(1), &request(2, 2, 0, &[0; 9])].concat();
    decoder.push(&bytes, |frame| seen.push(frame.unwrap_err()));
    assert!(matches!(seen[..], [FrameError::Damaged { .. }, FrameError::TooLong { limit: 8, .. }]), "{seen:?}");
    assert!(
        decode_word_frame(&[]).is_err() && decode_word_frame(&[0; 8]).is_err() && decode_word_frame(&[0; 9]).is_err()
    );
}

/// Headers and payloads of well-formed and malformed requests.
fn traffic() -> impl Strategy<Value = Vec<(Header, Vec<u8>)>> {
    let opcode = prop_oneof![Just(1u8), Just(2), Just(2), Just(3), Just(0x10), Just(0x11), Just(0x12), any::<u8>()];
    let image = image_from_sfen(START).0.bytes.to_vec();
    let payload = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..200),
        proptest::collection::vec(Just(END), 0..40),
        Just(image.clone()),
        Just([image.clone(), image].concat()),
    ];
    let one = (opcode.prop_filter("a filler", |&opcode| opcode != END), any::<u16>(), 0u16..4, payload);
    proptest::collection::vec(
        one.prop_map(|(opcode, sequence, count, payload)| {
            (Header { opcode, sequence, count, ..Header::default() }, payload)
        }),
        1..8,
    )
}

proptest! {
    #[test]
    fn both_ports_give_the_same_answers(frames in traffic(), gap in 0usize..3) {
        let (mut words, mut bytes) = (chip(), Chip::default());
        for (header, payload) in frames {
            let mut word_frame = fillers(gap);
            encode(Framing::Words, header, &payload, &mut word_frame);
            let sent = Header { length: payload.len() as u16, ..header };
            let expect = super::link::send(&mut bytes, &frame_of(&[bytemuck::bytes_of(&sent), &payload].concat()));
            prop_assert_eq!(send(&mut words, &word_frame), expect);
        }
    }

    #[test]
    fn words_may_come_in_any_pieces(frames in traffic(), cuts in proptest::collection::vec(1usize..50, 1..20)) {
        let mut bytes = Vec::new();
        frames.iter().for_each(|(header, payload)| encode_word_frame(*header, payload, &mut bytes));
        let (mut pieces, mut whole, mut rest, mut i) = (chip(), chip(), &bytes[..], 0);
        let mut out = Vec::new();
        while !rest.is_empty() {
            let (now, later) = rest.split_at(cuts[i % cuts.len()].min(rest.len()));
            pieces.push(now);
            out.extend(pieces.pull());
            (rest, i) = (later, i + 1);
        }
        whole.push(&bytes);
        prop_assert_eq!(out, whole.pull());
    }

    #[test]
    fn any_words_leave_the_chip_in_step(words in proptest::collection::vec(any::<u64>(), 0..700)) {
        let mut chip = chip();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        for answer in send(&mut chip, &bytes) {
            prop_assert!(matches!(answer.status, Status::BadCrc | Status::BadLength), "{:?}", answer);
        }
        flush(&mut chip);
        check_in_step(&mut chip);
    }

    #[test]
    fn lost_and_inserted_words_harm_one_frame(frames in traffic(), at in any::<prop::sample::Index>(), insert in any::<Option<u64>>()) {
        let mut bytes = Vec::new();
        frames.iter().for_each(|(header, payload)| encode_word_frame(*header, payload, &mut bytes));
        let at = WORD_BYTES * at.index(bytes.len() / WORD_BYTES);
        match insert {
            Some(word) => drop(bytes.splice(at..at, word.to_le_bytes())),
            None => drop(bytes.drain(at..at + WORD_BYTES)),
        }
        let mut chip = chip();
        chip.push(&bytes);
        chip.pull();
        flush(&mut chip);
        check_in_step(&mut chip);
    }
}
