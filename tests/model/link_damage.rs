//! The software chip under any damage to its bytes.

use super::link::{answers, frame_of, one_echo, request, send, Answer, START};
use hayasashi_model::evaluate::first_table;
use hayasashi_model::link::frame::{encode_frame, Decoder};
use hayasashi_model::top::Chip;
use hayasashi_model::Model;
use hayasashi_spec::frame::*;
use hayasashi_spec::opcode::{Opcode, Status};
use hayasashi_spec::position::PositionImage;
use hayasashi_tests::image_from_sfen;
use proptest::prelude::*;
use std::sync::Arc;

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
        let model = Model::with_evaluation(Arc::new(first_table()));
        let mut image = PositionImage::default();
        image.bytes.copy_from_slice(&bytes);
        for opcode in Opcode::ALL {
            let answer = model.request(*opcode, &[image]).remove(0);
            prop_assert!(matches!(answer.status, Status::Position | Status::Ok | Status::BadOpcode));
        }
    }
}
