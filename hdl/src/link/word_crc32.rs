//! CRC-32 (ISO-HDLC) of a stream of words of eight bytes.
//!
//! ```text
//!                +-----------+
//!   clear       ->           => checksum 32
//!   valid       -> WordCrc32 |
//!   data 64     =>           |
//!   checksum_in =>           |     to be wired back from `checksum`
//!                +-----------+
//! ```
//!
//! Handshake: a word is taken in each clock with `valid`, its lowest byte first; `clear` starts over and wins over `valid`.
//! Latency: `checksum` is that of all words taken before this clock. Throughput: one word a clock.
//! Cost: 32 flip-flops. The register holds the sum with its final XOR, so that zero, the power-on state, is the start.
//! Method: each bit of the sum after 64 steps of the shift register is the parity of some bits of the word, to whose low half the old
//! sum has been added.
//! Model: `model/link` (the `crc` crate). Absent: other polynomials; a reset (`clear` does it).

use crate::network;
use crate::network::{Wire, Wires, Word};
use hayasashi_spec::frame::CRC_POLYNOMIAL;
use rust_hdl::prelude::*;

network! {
    /// CRC-32 of a stream of words.
    WordCrc32 = word_crc32(WordCrc32In) -> WordCrc32Out {
        in clear: Wire;
        in valid: Wire;
        in data: Wires<64>;
        in checksum_in: Wires<32>;
        out checksum: Wires<32>;
    }
}

fn word_crc32<W: Word>(inputs: WordCrc32In<W>) -> WordCrc32Out<W> {
    let WordCrc32In { clear, valid, data, checksum_in } = inputs;
    let mixed = W::join(&[data.slice(0, 32) ^ !checksum_in, data.slice(32, 32)]).named("mixed");
    let adds: Vec<u32> = (0..64).map(added_by).collect();
    let bits: Vec<W> = (0..32)
        .map(|bit| {
            let wires: Vec<u8> = (0..64).filter(|&i| adds[i as usize] >> bit & 1 != 0).collect();
            parity(mixed.wires(&wires))
        })
        .collect();
    let next = !W::join(&bits).named("sum");
    WordCrc32Out { checksum: valid.choose(next, checksum_in).when(!clear) }
}

/// What a single one at this bit of a word adds to the register, 64 steps after the word's first bit.
fn added_by(bit: u32) -> u32 {
    (0..64).fold(0, |sum: u32, step| {
        let leaves = sum & 1 ^ u32::from(step == bit);
        sum >> 1 ^ if leaves != 0 { CRC_POLYNOMIAL } else { 0 }
    })
}

/// Whether an odd number of wires is one.
fn parity<W: Word>(word: W) -> W {
    if word.width() == 1 {
        return word;
    }
    let half = word.width() / 2;
    parity(word.slice(0, half)) ^ parity(word.slice(half, word.width() - half))
}
