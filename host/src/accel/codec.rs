//! Frames on a byte stream, from the host's side.

use hayasashi_spec::frame::*;

/// The CRC of frames.
const CRC: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);

/// Appends a frame to `out`; `header.length` is set here.
pub fn encode(mut header: Header, payload: &[u8], out: &mut Vec<u8>) {
    header.length = payload.len() as u16;
    let mut digest = CRC.digest();
    digest.update(bytemuck::bytes_of(&header));
    digest.update(payload);
    let checksum = digest.finalize().to_le_bytes();
    out.push(END);
    for &byte in bytemuck::bytes_of(&header).iter().chain(payload).chain(&checksum) {
        match byte {
            END => out.extend([ESC, ESC_END]),
            ESC => out.extend([ESC, ESC_ESC]),
            other => out.push(other),
        }
    }
    out.push(END);
}

/// Finds frames in a byte stream.
#[derive(Default)]
pub struct Decoder {
    frame: Vec<u8>,
    escaped: bool,
    bad: bool,
}

impl Decoder {
    /// Takes one byte. A whole, undamaged frame gives its header and payload; a damaged one gives `Err`.
    pub fn push(&mut self, byte: u8) -> Option<Result<(Header, Vec<u8>), ()>> {
        if byte == END {
            return self.end();
        }
        let plain = match (std::mem::take(&mut self.escaped), byte) {
            (false, ESC) => {
                self.escaped = true;
                return None;
            }
            (false, other) => other,
            (true, ESC_END) => END,
            (true, ESC_ESC) => ESC,
            (true, _) => {
                self.bad = true;
                return None;
            }
        };
        if self.frame.len() < HEADER_BYTES + MAX_ANSWER_PAYLOAD + CRC_BYTES {
            self.frame.push(plain);
        } else {
            self.bad = true;
        }
        None
    }

    fn end(&mut self) -> Option<Result<(Header, Vec<u8>), ()>> {
        let bad = std::mem::take(&mut self.bad) | std::mem::take(&mut self.escaped);
        let frame = std::mem::take(&mut self.frame);
        if frame.is_empty() && !bad {
            return None;
        }
        if bad || frame.len() < HEADER_BYTES + CRC_BYTES {
            return Some(Err(()));
        }
        let (body, checksum) = frame.split_at(frame.len() - CRC_BYTES);
        let header: Header = bytemuck::pod_read_unaligned(&body[..HEADER_BYTES]);
        let sound = CRC.checksum(body).to_le_bytes() == checksum && header.length as usize == body.len() - HEADER_BYTES;
        Some(if sound { Ok((header, body[HEADER_BYTES..].to_vec())) } else { Err(()) })
    }
}
