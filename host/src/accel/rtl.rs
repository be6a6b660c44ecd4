//! The simulated gateware in this process: every clock of every register, some thousand clocks a second.

use super::StreamChip;
use hayasashi_sim::RtlChip;
use std::time::Duration;

/// Clocks of one step.
const STEP_CLOCKS: u64 = 64;
/// Clocks without a byte in or out after which the chip is taken to be idle. No answer takes that long.
const QUIET_CLOCKS: u64 = 20_000;
/// Bytes that may wait to go into the chip.
const AHEAD_BYTES: usize = 4096;

/// The RustHDL chip as a byte stream.
pub struct RtlStream {
    chip: RtlChip,
    answers: Vec<u8>,
    last_byte: u64,
}

impl RtlStream {
    /// A chip that has just been switched on.
    pub fn new() -> RtlStream {
        RtlStream::with_chip(RtlChip::default())
    }

    /// Another simulated chip, for instance one that records a waveform file.
    pub fn with_chip(chip: RtlChip) -> RtlStream {
        RtlStream { last_byte: chip.clocks(), chip, answers: Vec::new() }
    }

    /// Clocks so far.
    pub fn clocks(&self) -> u64 {
        self.chip.clocks()
    }
}

impl Default for RtlStream {
    fn default() -> RtlStream {
        RtlStream::new()
    }
}

impl StreamChip for RtlStream {
    fn name(&self) -> String {
        "rtl".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        let taken = bytes.len().min(AHEAD_BYTES.saturating_sub(self.chip.pending()));
        if taken > 0 {
            self.chip.push(&bytes[..taken]);
            self.last_byte = self.chip.clocks();
        }
        taken
    }

    fn step(&mut self) -> bool {
        if self.chip.pending() == 0 && self.chip.clocks() - self.last_byte > QUIET_CLOCKS {
            return false;
        }
        let before = self.answers.len();
        for _ in 0..STEP_CLOCKS {
            self.chip.step();
        }
        self.chip.pull(&mut self.answers);
        if self.chip.pending() > 0 || self.answers.len() > before {
            self.last_byte = self.chip.clocks();
        }
        true
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        let bytes = self.answers.len().min(buffer.len());
        buffer[..bytes].copy_from_slice(&self.answers[..bytes]);
        self.answers.drain(..bytes);
        bytes
    }

    fn patience(&self) -> Duration {
        Duration::from_secs(60)
    }
}
