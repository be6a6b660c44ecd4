//! A simple reference encoder and decoder of frames.

use hayasashi_spec::{frame::*, word_frame::*};

const CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// Header, payload and checksum without stuffing.
pub fn plain(opcode: u8, sequence: u16, count: u16, payload: &[u8]) -> Vec<u8> {
    let header = Header { opcode, status: 0, sequence, count, length: payload.len() as u16 };
    let mut bytes = [bytemuck::bytes_of(&header), payload].concat();
    bytes.extend(CRC.checksum(&bytes).to_le_bytes());
    bytes
}

/// Adds stuffing and delimiters.
pub fn stuff(plain: &[u8]) -> Vec<u8> {
    let mut out = vec![END];
    for &byte in plain {
        match byte {
            END => out.extend([ESC, ESC_END]),
            ESC => out.extend([ESC, ESC_ESC]),
            other => out.push(other),
        }
    }
    out.push(END);
    out
}

/// A complete request frame.
pub fn frame(opcode: u8, sequence: u16, count: u16, payload: &[u8]) -> Vec<u8> {
    stuff(&plain(opcode, sequence, count, payload))
}

/// The answers in a byte stream.
///
/// # Panics
/// If a frame is damaged.
pub fn frames(bytes: &[u8]) -> Vec<(Header, Vec<u8>)> {
    let mut answers = Vec::new();
    for raw in bytes.split(|&b| b == END).filter(|raw| !raw.is_empty()) {
        let mut plain = Vec::new();
        let mut raw = raw.iter();
        while let Some(&byte) = raw.next() {
            plain.push(match byte {
                ESC => match raw.next() {
                    Some(&ESC_END) => END,
                    Some(&ESC_ESC) => ESC,
                    other => panic!("ESC is followed by {other:02X?}"),
                },
                other => other,
            });
        }
        let (body, sum) =
            plain.split_at(plain.len().checked_sub(CRC_BYTES).expect("a frame shorter than its checksum"));
        assert_eq!(CRC.checksum(body).to_le_bytes(), sum, "checksum of {body:02X?}");
        let header: Header = bytemuck::pod_read_unaligned(&body[..HEADER_BYTES]);
        assert_eq!(header.length as usize, body.len() - HEADER_BYTES, "length field of {header:?}");
        answers.push((header, body[HEADER_BYTES..].to_vec()));
    }
    answers
}

/// Header, payload and trailer in words.
pub fn word_frame(opcode: u8, sequence: u16, count: u16, payload: &[u8]) -> Vec<u8> {
    let header = Header { opcode, status: 0, sequence, count, length: payload.len() as u16 };
    let mut bytes = [bytemuck::bytes_of(&header), payload].concat();
    bytes.resize(bytes.len().next_multiple_of(WORD_BYTES), 0);
    bytes.extend(CRC.checksum(&bytes).to_le_bytes());
    bytes.extend(TRAILER_MARK.to_le_bytes());
    bytes
}

/// Filler words.
pub fn fillers(words: usize) -> Vec<u8> {
    vec![END; WORD_BYTES * words]
}

/// The answers in a stream of words.
///
/// # Panics
/// If a frame is damaged or incomplete.
pub fn word_frames(mut bytes: &[u8]) -> Vec<(Header, Vec<u8>)> {
    let mut answers = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk::<WORD_BYTES>() {
        bytes = rest;
        if *head == FILLER.to_le_bytes() {
            continue;
        }
        let header: Header = bytemuck::pod_read_unaligned(head);
        let (payload, rest) = rest.split_at(WORD_BYTES * payload_words(header.length.into()));
        let (trailer, rest) = rest.split_at(WORD_BYTES);
        let checksum = CRC.checksum(&[head, payload].concat()).to_le_bytes();
        assert_eq!(trailer, [checksum, TRAILER_MARK.to_le_bytes()].concat(), "trailer of {header:?}");
        let (payload, padding) = payload.split_at(header.length.into());
        assert!(padding.iter().all(|&byte| byte == 0), "the padding of {header:?} is {padding:02X?}");
        answers.push((header, payload.to_vec()));
        bytes = rest;
    }
    assert!(bytes.is_empty(), "{} bytes of a word", bytes.len());
    answers
}

/// The frames of a byte stream in words.
///
/// # Panics
/// If a frame is damaged.
pub fn in_words(bytes: &[u8]) -> Vec<u8> {
    let frames = frames(bytes).into_iter();
    frames.flat_map(|(header, payload)| word_frame(header.opcode, header.sequence, header.count, &payload)).collect()
}
