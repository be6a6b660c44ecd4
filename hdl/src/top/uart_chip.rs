//! The chip behind a UART.
//!
//! ```text
//!           +----------+
//!   clock  -> UartChip -> tx
//!   reset  ->          |
//!   rx     ->          |
//!           +----------+
//! ```
//!
//! Handshake: 8N1 at `ChipConfig::baud_hz`. A byte with a framing error is dropped; the frame's checksum tells. A break on `rx`
//! ([`crate::link::break_detector`]) resets the chip, and so does `reset`, at any phase. The UART's blocks need no reset: each of
//! their states ends within a byte's time.
//! Latency, throughput: the line's. Cost: the chip's and 104 flip-flops. Model: none (below the byte stream).
//! Absent: flow control (the receiver never stalls).

use super::chip::Chip;
use crate::config::ChipConfig;
use crate::link::{baud, break_detector::BreakDetector, synchroniser::Synchroniser, uart_rx::UartRx, uart_tx::UartTx};
use rust_hdl::prelude::*;

/// The chip behind a UART.
#[derive(LogicBlock)]
pub struct UartChip {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Resets the chip; any phase.
    pub reset: Signal<In, Bit>,
    /// The line to the chip, high when idle.
    pub rx: Signal<In, Bit>,
    /// The line from the chip.
    pub tx: Signal<Out, Bit>,
    resets: Synchroniser,
    breaks: BreakDetector,
    uart_rx: UartRx,
    uart_tx: UartTx,
    chip: Chip,
}

impl UartChip {
    /// Refuses a baud rate that the clock cannot give.
    pub fn new(chip: &ChipConfig) -> Result<Self, baud::BaudError> {
        let divisor = baud::divisor(chip.clock_hz, chip.baud_hz)?;
        Ok(UartChip {
            clock: Default::default(),
            reset: Default::default(),
            rx: Default::default(),
            tx: Default::default(),
            resets: Default::default(),
            breaks: BreakDetector::new(chip.clock_hz, chip.baud_hz),
            uart_rx: UartRx::new(divisor),
            uart_tx: UartTx::new(divisor),
            chip: Chip::new(chip),
        })
    }
}

impl Logic for UartChip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, resets, breaks, uart_rx, uart_tx, chip);
        self.resets.raw.next = self.reset.val();
        self.breaks.low.next = self.uart_rx.line_low.val();
        self.chip.reset.next = self.resets.value.val() | self.breaks.found.val();
        self.uart_rx.line.next = self.rx.val();
        self.chip.bytes.rx_valid.next = self.uart_rx.valid.val();
        self.chip.bytes.rx_data.next = self.uart_rx.data.val();
        self.uart_tx.valid.next = self.chip.bytes.tx_valid.val();
        self.uart_tx.data.next = self.chip.bytes.tx_data.val();
        self.chip.bytes.tx_ready.next = self.uart_tx.ready.val();
        self.tx.next = self.uart_tx.line.val();
    }
}
