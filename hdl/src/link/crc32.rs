//! CRC-32 (ISO-HDLC) of a stream of bytes.
//!
//! ```text
//!             +-------+
//!   clock    ->       => checksum 32
//!   clear    -> Crc32 |
//!   valid    ->       |
//!   data 8   =>       |
//!             +-------+
//! ```
//!
//! Handshake: a byte is taken in each clock with `valid`; `clear` starts over and wins over `valid`.
//! Latency: `checksum` is that of all bytes taken before this clock. Throughput: one byte a clock.
//! Cost: 32 flip-flops. The register holds the sum with its final XOR, so that zero, the power-on state, is the start.
//! Method: eight steps of the shift register at once; each bit that leaves adds a constant.
//! Model: `model/link` (the `crc` crate). Proof: `hdl/formal/crc32`. Absent: other polynomials; a reset (`clear` does it).

use hayasashi_spec::frame::CRC_POLYNOMIAL;
use rust_hdl::prelude::*;

/// CRC-32 of a stream of bytes.
#[derive(LogicBlock)]
pub struct Crc32 {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Start over; wins over `valid`.
    pub clear: Signal<In, Bit>,
    /// A byte is taken in this clock.
    pub valid: Signal<In, Bit>,
    /// Its value.
    pub data: Signal<In, Bits<8>>,
    /// The CRC as it stands in a frame.
    pub checksum: Signal<Out, Bits<32>>,
    sum: DFF<Bits<32>>,
    leaving: Signal<Local, Bits<8>>,
    shifted: Signal<Local, Bits<32>>,
    /// What bit `i` of the byte that leaves adds.
    fold: [Constant<Bits<32>>; 8],
}

impl Default for Crc32 {
    fn default() -> Self {
        Crc32 {
            clock: Default::default(),
            clear: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            checksum: Default::default(),
            sum: Default::default(),
            leaving: Default::default(),
            shifted: Default::default(),
            fold: std::array::from_fn(|bit| Constant::new((fold(bit) as u64).into())),
        }
    }
}

/// The register after eight steps from a single one at `bit`.
fn fold(bit: usize) -> u32 {
    (0..8).fold(1 << bit, |sum: u32, _| if sum & 1 != 0 { sum >> 1 ^ CRC_POLYNOMIAL } else { sum >> 1 })
}

impl Logic for Crc32 {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sum);
        self.checksum.next = self.sum.q.val();
        self.leaving.next = 0.into();
        self.shifted.next = 0.into();
        if self.clear.val() {
            self.sum.d.next = 0.into();
        } else if self.valid.val() {
            self.leaving.next = bit_cast::<8, 32>(!self.sum.q.val()) ^ self.data.val();
            self.shifted.next = !self.sum.q.val() >> 8;
            for i in 0..8 {
                if self.leaving.val().get_bit(i) {
                    self.shifted.next = self.shifted.val() ^ self.fold[i].val();
                }
            }
            self.sum.d.next = !self.shifted.val();
        }
    }
}
