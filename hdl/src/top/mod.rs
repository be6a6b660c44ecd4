//! What is put on a device: the chip behind its byte port, and the chip behind a UART.

pub mod chip;
pub mod config;
pub mod uart_chip;
