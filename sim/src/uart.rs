//! Serial lines, bit by bit, and the chip behind one.

use crate::Stepper;
use hayasashi_hdl::{config::ChipConfig, link::baud::BaudError, top::uart_chip::UartChip};
use std::collections::VecDeque;

/// Sends bytes on a line (8N1), one level for each clock of the receiver.
pub struct LineWriter {
    clocks_per_bit: f64,
    queue: VecDeque<u8>,
    /// The frame on the line, start bit first, and clocks since its start.
    current: Option<(u16, f64)>,
    phase: f64,
}

impl LineWriter {
    /// `clocks_per_bit` may be fractional; `phase` in 0..1 is the delay of the edges in clocks.
    pub fn new(clocks_per_bit: f64, phase: f64) -> Self {
        LineWriter { clocks_per_bit, queue: VecDeque::new(), current: None, phase }
    }

    /// Queues bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.queue.extend(bytes);
    }

    /// Whether all bytes are sent.
    pub fn idle(&self) -> bool {
        self.queue.is_empty() && self.current.is_none()
    }

    /// The level in the next clock.
    pub fn level(&mut self) -> bool {
        if self.current.is_none() {
            self.current = self.queue.pop_front().map(|byte| ((byte as u16) << 1 | 1 << 9, self.phase));
        }
        let Some((bits, time)) = &mut self.current else { return true };
        let level = *bits >> ((*time / self.clocks_per_bit) as u32).min(9) & 1 != 0;
        *time += 1.0;
        if *time >= 10.0 * self.clocks_per_bit {
            self.phase = *time - 10.0 * self.clocks_per_bit;
            self.current = None;
        }
        level
    }
}

/// Receives bytes from a line, as an ideal receiver with its own clock.
pub struct LineReader {
    clocks_per_bit: f64,
    /// Clocks since the start bit's edge and bits taken so far.
    current: Option<(f64, u32, u16)>,
    /// The bytes received.
    pub bytes: Vec<u8>,
    /// Number of bytes with a wrong start or stop bit.
    pub framing_errors: usize,
}

impl LineReader {
    /// A receiver for this bit length in clocks.
    pub fn new(clocks_per_bit: f64) -> Self {
        LineReader { clocks_per_bit, current: None, bytes: Vec::new(), framing_errors: 0 }
    }

    /// Takes the level in one clock.
    pub fn sample(&mut self, level: bool) {
        if self.current.is_none() && !level {
            self.current = Some((0.5, 0, 0));
        }
        let Some((time, count, bits)) = &mut self.current else { return };
        if *time >= (*count as f64 + 0.5) * self.clocks_per_bit {
            *bits |= (level as u16) << *count;
            *count += 1;
        }
        *time += 1.0;
        if *count == 10 {
            let bits = *bits;
            if bits & 1 == 0 && bits >> 9 == 1 {
                self.bytes.push((bits >> 1) as u8);
            } else {
                self.framing_errors += 1;
            }
            self.current = None;
        }
    }
}

/// The chip behind its UART, with a far end whose clock may differ.
pub struct UartLine {
    stepper: Stepper<UartChip>,
    writer: LineWriter,
    reader: LineReader,
    /// The far end sends a break.
    pub is_broken: bool,
}

impl UartLine {
    /// `mismatch` is the relative error of the far end's clock, such as 0.02.
    ///
    /// # Errors
    /// A baud rate that the clock cannot produce.
    pub fn new(chip: &ChipConfig, mismatch: f64) -> Result<Self, BaudError> {
        let clocks_per_bit = chip.clock_hz as f64 / chip.baud_hz as f64 * (1.0 + mismatch);
        Ok(UartLine {
            stepper: Stepper::new(UartChip::new(chip)?),
            writer: LineWriter::new(clocks_per_bit, 0.3),
            reader: LineReader::new(clocks_per_bit),
            is_broken: false,
        })
    }

    /// Queues bytes for the chip.
    pub fn push(&mut self, bytes: &[u8]) {
        self.writer.push(bytes);
    }

    /// Sets the reset of the chip.
    pub fn set_reset(&mut self, reset: bool) {
        self.stepper.block.reset.next = reset;
    }

    /// Runs one clock of the chip.
    pub fn step(&mut self) {
        self.stepper.block.rx.next = self.writer.level() & !self.is_broken;
        self.stepper.settle();
        self.reader.sample(self.stepper.block.tx.val());
        self.stepper.rise();
    }

    /// Appends the bytes that the chip has sent since the last call.
    pub fn pull(&mut self, into: &mut Vec<u8>) {
        into.append(&mut self.reader.bytes);
    }

    /// Number of bytes that the far end received with a wrong start or stop bit.
    pub fn framing_errors(&self) -> usize {
        self.reader.framing_errors
    }

    /// Number of clocks so far.
    pub fn clocks(&self) -> u64 {
        self.stepper.clocks()
    }
}
