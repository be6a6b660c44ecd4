//! Finds out when a simulated block is at rest: another clock would leave everything in it as it is.
//!
//! A block whose inputs stay and whose wires were the same at several rising edges in a row is at rest: registers keep their
//! values, memories are written with what they hold already, if at all, and have shown what they hold. Nothing of this reaches the
//! Verilog.

use rust_hdl::prelude::*;
use std::hash::{DefaultHasher, Hasher};

/// Equal looks in a row that show rest: a write to a memory is read a clock later, and an answer may wait for another.
const LOOKS: u32 = 4;
/// Clocks before the first look.
const FIRST_WAIT: u32 = 16;
/// Most clocks between looks at a block that is busy. A look takes about as long as a few clocks.
const LONGEST_WAIT: u32 = 512;

/// Whether a block is at rest.
pub struct Rest {
    /// Clocks up to the next look.
    left: u32,
    wait: u32,
    /// Equal looks so far, and what they saw.
    looks: u32,
    seen: u64,
}

impl Default for Rest {
    fn default() -> Self {
        Rest { left: FIRST_WAIT, wait: FIRST_WAIT, looks: 0, seen: 0 }
    }
}

impl Rest {
    /// It is at rest.
    pub fn asleep(&self) -> bool {
        self.looks == LOOKS
    }

    /// An input has changed.
    pub fn wake(&mut self) {
        if self.asleep() {
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
    }

    fn busy(&mut self) {
        self.wait = (2 * self.wait).min(LONGEST_WAIT);
        (self.left, self.looks) = (self.wait, 0);
    }
}

/// A hash of all wires of a block.
fn fingerprint(block: &dyn Block) -> u64 {
    let mut wires = Wires(DefaultHasher::new());
    block.accept("block", &mut wires);
    wires.0.finish()
}

struct Wires(DefaultHasher);

impl Wires {
    fn add(&mut self, value: VCDValue) {
        match value {
            VCDValue::Single(bit) => self.0.write_u8(bit as u8),
            VCDValue::Vector(bits) => self.0.write(&bits.into_iter().map(|bit| bit as u8).collect::<Vec<_>>()),
            VCDValue::String(text) => self.0.write(text.as_bytes()),
            VCDValue::Composite(parts) => parts.into_iter().for_each(|part| self.add(*part)),
        }
    }
}

impl Probe for Wires {
    fn visit_atom(&mut self, _: &str, signal: &dyn Atom) {
        self.add(signal.vcd());
    }
}
