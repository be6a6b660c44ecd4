//! The chip behind a UART.
//!
//! ```text
//!           +----------+
//!   clock  -> UartChip -> tx
//!   rx     ->          |
//!           +----------+
//! ```
//!
//! Handshake: 8N1 at `ChipConfig::baud_hz`. A byte with a framing error is dropped; the frame's checksum tells.
//! Latency, throughput: the line's. Cost: the chip's and 78 flip-flops. Model: none (below the byte stream).
//! Absent: flow control (the receiver never stalls).

use super::chip::Chip;
use crate::config::ChipConfig;
use crate::link::{baud, uart_rx::UartRx, uart_tx::UartTx};
use rust_hdl::prelude::*;

/// The chip behind a UART.
#[derive(LogicBlock)]
pub struct UartChip {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The line to the chip, high when idle.
    pub rx: Signal<In, Bit>,
    /// The line from the chip.
    pub tx: Signal<Out, Bit>,
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
            rx: Default::default(),
            tx: Default::default(),
            uart_rx: UartRx::new(divisor),
            uart_tx: UartTx::new(divisor),
            chip: Chip::new(chip),
        })
    }
}

impl Logic for UartChip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, uart_rx, uart_tx, chip);
        self.uart_rx.line.next = self.rx.val();
        self.chip.bytes.rx_valid.next = self.uart_rx.valid.val();
        self.chip.bytes.rx_data.next = self.uart_rx.data.val();
        self.uart_tx.valid.next = self.chip.bytes.tx_valid.val();
        self.uart_tx.data.next = self.chip.bytes.tx_data.val();
        self.chip.bytes.tx_ready.next = self.uart_tx.ready.val();
        self.tx.next = self.uart_tx.line.val();
    }
}
