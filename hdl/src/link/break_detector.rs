//! Finds a break on a serial line: the line is low for much longer than any byte takes.
//!
//! ```text
//!            +---------------+
//!   clock   -> BreakDetector -> found
//!   low     ->               |
//!            +---------------+
//! ```
//!
//! Handshake: `found` rises when the line has been `low` for [`BREAK_MILLISECONDS`] (and for [`BREAK_BITS`] bits, at rates below
//! 10,000 baud), and falls when the line is high again.
//! Latency: one clock. Cost: 24 flip-flops. Model: none (below the byte stream). Absent: what a break means (`top::uart_chip`).
//! Throughput: a break each time.

use rust_hdl::prelude::*;

/// Milliseconds after which a low line is a break.
pub const BREAK_MILLISECONDS: u32 = 2;
/// Bits after which it may be one: a byte with its start bit has nine that are low.
pub const BREAK_BITS: u32 = 20;
/// Bits of the counter.
const COUNT_BITS: usize = 24;

/// Finds breaks.
#[derive(LogicBlock)]
pub struct BreakDetector {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The line is low.
    pub low: Signal<In, Bit>,
    /// It has been low for long.
    pub found: Signal<Out, Bit>,
    clocks: DFF<Bits<COUNT_BITS>>,
    long: Constant<Bits<COUNT_BITS>>,
}

impl BreakDetector {
    /// With this clock and rate.
    pub fn new(clock_hz: u32, baud_hz: u32) -> Self {
        BreakDetector {
            clock: Default::default(),
            low: Default::default(),
            found: Default::default(),
            clocks: Default::default(),
            long: Constant::new((break_clocks(clock_hz, baud_hz) as u64).into()),
        }
    }
}

/// Clocks after which a low line is a break, at most what the detector can count.
pub fn break_clocks(clock_hz: u32, baud_hz: u32) -> u32 {
    let bits = BREAK_BITS as u64 * clock_hz as u64 / baud_hz.max(1) as u64;
    let time = clock_hz as u64 * BREAK_MILLISECONDS as u64 / 1000;
    bits.max(time).min((1 << COUNT_BITS) - 1) as u32
}

impl Logic for BreakDetector {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, clocks);
        self.found.next = self.clocks.q.val() == self.long.val();
        if !self.low.val() {
            self.clocks.d.next = 0.into();
        } else if self.clocks.q.val() != self.long.val() {
            self.clocks.d.next = self.clocks.q.val() + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slowest rate that `baud::divisor` allows has 20 bits in less than the counter holds.
    #[test]
    fn a_break_is_longer_than_any_byte() {
        assert_eq!(break_clocks(60_000_000, 3_000_000), 120_000);
        for (clock_hz, baud_hz) in
            [(100_000_000, 1_200), (100_000_000, 9_600), (25_000_000, 300), (12_000_000, 115_200)]
        {
            let clocks = break_clocks(clock_hz, baud_hz) as u64;
            assert!(clocks * baud_hz as u64 >= 10 * clock_hz as u64, "{clock_hz} Hz, {baud_hz} baud");
        }
    }
}
