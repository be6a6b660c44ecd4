//! RustHDL's simulation of the chip behind a port.

use crate::{Port, SimulatedChip, Stepper};
use hayasashi_hdl::{
    config::ChipConfig,
    top::{axi_stream::AxiStream64, chip::Chip, word_chip::WordChip},
};
use hayasashi_spec::word_frame::{Framing, WORD_BYTES};
use std::{
    collections::VecDeque,
    io::{self, Read, Write},
};

/// Clocks after which a `read` without a byte fails with `WouldBlock`.
const READ_CLOCKS: u64 = 100_000;

/// The chip behind its byte port.
pub type RtlChip = RtlTop<Chip>;
/// The chip behind its word port.
pub type RtlWordChip = RtlTop<WordChip>;
/// The chip behind AXI-Stream of 64 bits, with its answers in packets.
pub type RtlPacketChip = RtlTop<AxiStream64>;

/// A RustHDL chip as a stream of at most one byte, or one word, per clock in each direction.
pub struct RtlTop<T: Port> {
    stepper: Stepper<T>,
    to_chip: VecDeque<u8>,
    from_chip: VecDeque<u8>,
    /// Whether the port accepts what the chip sends.
    pub tx_ready: bool,
}

impl<T: Port> Default for RtlTop<T> {
    fn default() -> Self {
        Self::new(&ChipConfig::default())
    }
}

impl<T: Port> RtlTop<T> {
    /// A chip of this configuration, after reset.
    pub fn new(chip: &ChipConfig) -> Self {
        RtlTop {
            stepper: Stepper::new(T::of(chip)),
            to_chip: VecDeque::new(),
            from_chip: VecDeque::new(),
            tx_ready: true,
        }
    }

    /// Runs one clock.
    pub fn step(&mut self) {
        let offered = self.offered();
        self.stepper.block.drive(offered, self.tx_ready);
        self.stepper.settle();
        let unit_bytes = T::FRAMING.unit_bytes();
        if let Some(sent) = self.stepper.block.sent().filter(|_| self.tx_ready) {
            self.from_chip.extend(&sent.to_le_bytes()[..unit_bytes]);
        }
        if offered.is_some() && self.stepper.block.is_ready() {
            self.to_chip.drain(..unit_bytes);
        }
        self.stepper.rise();
    }

    /// The next unit for the chip, if all its bytes are queued.
    fn offered(&self) -> Option<u64> {
        let unit_bytes = T::FRAMING.unit_bytes();
        let mut unit = [0; WORD_BYTES];
        (self.to_chip.len() >= unit_bytes).then(|| {
            unit.iter_mut().zip(&self.to_chip).take(unit_bytes).for_each(|(byte, from)| *byte = *from);
            u64::from_le_bytes(unit)
        })
    }

    /// Number of evaluations of the whole chip so far.
    pub fn passes(&self) -> u64 {
        self.stepper.passes()
    }

    /// Writes a waveform file (VCD) from here on.
    pub fn record(&mut self, to: impl Write + Send + 'static) {
        self.stepper.record(to);
    }

    /// Ends the waveform file.
    pub fn stop_recording(&mut self) {
        self.stepper.stop_recording();
    }
}

impl<T: Port> SimulatedChip for RtlTop<T> {
    const STEP_CLOCKS: u32 = 64;

    fn name(&self) -> &'static str {
        match T::FRAMING {
            Framing::Slip => "rtl",
            Framing::Words => "rtl:words",
        }
    }

    fn framing(&self) -> Framing {
        T::FRAMING
    }

    fn push(&mut self, bytes: &[u8]) {
        self.to_chip.extend(bytes);
    }

    fn pending(&self) -> usize {
        self.to_chip.len()
    }

    fn run(&mut self, clocks: u32) -> io::Result<()> {
        (0..clocks).for_each(|_| self.step());
        Ok(())
    }

    fn pull(&mut self, into: &mut Vec<u8>) {
        into.extend(self.from_chip.drain(..));
    }

    fn reset(&mut self) -> io::Result<()> {
        self.to_chip.clear();
        self.stepper.block.set_reset(true);
        self.step();
        self.stepper.block.set_reset(false);
        while !self.stepper.block.is_ready() {
            self.step();
        }
        self.from_chip.clear();
        Ok(())
    }

    fn clocks(&self) -> u64 {
        self.stepper.clocks()
    }
}

impl<T: Port> Read for RtlTop<T> {
    /// Steps until the chip sends a byte; `WouldBlock` after 100,000 clocks without one.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let start = self.clocks();
        while self.from_chip.is_empty() && !into.is_empty() {
            if self.clocks() - start > READ_CLOCKS {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            self.step();
        }
        let count = into.len().min(self.from_chip.len());
        for slot in &mut into[..count] {
            *slot = self.from_chip.pop_front().unwrap();
        }
        Ok(count)
    }
}

impl<T: Port> Write for RtlTop<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes);
        Ok(bytes.len())
    }

    /// Steps until the chip has taken all bytes.
    fn flush(&mut self) -> io::Result<()> {
        while !self.to_chip.is_empty() {
            self.step();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of the chip, each with its clock, after a frame that is refused.
    fn answer(record: bool) -> Vec<(u64, u8)> {
        let mut chip = RtlChip::default();
        if record {
            chip.record(io::sink());
        }
        chip.push(&[0xC0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xC0]);
        let (mut answer, mut bytes) = (Vec::new(), Vec::new());
        for _ in 0..60 {
            chip.step();
            chip.pull(&mut bytes);
            answer.extend(bytes.drain(..).map(|byte| (chip.clocks(), byte)));
        }
        answer
    }

    /// While waves are written the clock is high for half of its period, else for one pass of the simulation.
    #[test]
    fn recording_changes_nothing() {
        let plain = answer(false);
        assert!(plain.len() >= 14, "{plain:?}");
        assert_eq!(plain, answer(true));
    }
}
