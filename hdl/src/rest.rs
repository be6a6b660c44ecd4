//! Finds out when a simulated block is at rest: another clock would leave everything in it as it is.
//!
//! A block whose inputs stay and whose wires were the same at several rising edges in a row is at rest: registers keep their
//! values, memories are written with what they hold already, if at all, and have shown what they hold. Nothing of this reaches the
//! Verilog.

use rust_hdl::prelude::*;

/// Equal looks in a row that show rest: a write to a memory is read a clock later, and an answer may wait for another.
const LOOKS: u32 = 4;
/// Clocks before the first look.
const FIRST_WAIT: u32 = 16;
/// Most clocks between looks at a block that is busy. A look takes about as long as a few clocks.
const LONGEST_WAIT: u32 = 512;

/// Whether a block is at rest.
pub struct Rest {
    asleep: bool,
    /// Clocks up to the next look.
    left: u32,
    wait: u32,
    /// Equal looks so far, and what they saw.
    looks: u32,
    seen: u64,
}

impl Default for Rest {
    fn default() -> Self {
        Rest { asleep: false, left: FIRST_WAIT, wait: FIRST_WAIT, looks: 0, seen: 0 }
    }
}

impl Rest {
    /// It is at rest.
    pub fn asleep(&self) -> bool {
        self.asleep
    }

    /// An input has changed.
    pub fn wake(&mut self) {
        if self.asleep {
            *self = Rest::default();
        } else if self.looks > 0 {
            self.busy();
        }
    }

    /// Just before a rising edge of the settled block, whose inputs have not changed.
    pub fn look(&mut self, block: &dyn Block) {
        if self.left > 0 {
            self.left -= 1;
            return;
        }
        let seen = fingerprint(block);
        if self.looks > 0 && seen != self.seen {
            self.busy();
            return;
        }
        self.seen = seen;
        self.looks += 1;
        self.asleep = self.looks == LOOKS;
    }

    fn busy(&mut self) {
        self.wait = (2 * self.wait).min(LONGEST_WAIT);
        (self.left, self.looks) = (self.wait, 0);
    }
}

/// A hash of all wires of a block.
fn fingerprint(block: &dyn Block) -> u64 {
    let mut hash = Fingerprint(0);
    block.accept("block", &mut hash);
    hash.0
}

struct Fingerprint(u64);

impl Fingerprint {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn value(&mut self, value: VCDValue) {
        match value {
            VCDValue::Single(bit) => self.add(bit as u64),
            VCDValue::Vector(bits) => bits.chunks(32).for_each(|bits| {
                self.add(bits.iter().fold(1, |word, &bit| word << 2 | bit as u64));
            }),
            VCDValue::String(text) => text.bytes().for_each(|byte| self.add(byte as u64)),
            VCDValue::Composite(parts) => parts.into_iter().for_each(|part| self.value(*part)),
        }
    }
}

impl Probe for Fingerprint {
    fn visit_atom(&mut self, _: &str, signal: &dyn Atom) {
        self.value(signal.vcd());
    }
}
