//! The chip behind a UART.
//!
//! ```text
//!        ┌───────────┐
//!  rx ──▶│ uart_chip ├──▶ tx
//!        └───────────┘
//! ```
//!
//! Handshake: 8N1 at `ChipConfig::baud_hz`. Latency, throughput: the line's. Model: none (below the byte stream).
//! A byte with a framing error is dropped; the frame's checksum tells.
//! Absent: flow control (the receiver never stalls).

use super::chip::Chip;
use crate::config::ChipConfig;
use crate::link::{baud, uart_rx::UartRx, uart_tx::UartTx};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct UartChip {
    pub clock: Signal<In, Clock>,
    pub rx: Signal<In, Bit>,
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
