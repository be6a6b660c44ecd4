//! What is put on a device: the chip behind its byte port, the chip behind a UART, and that on a board.

pub mod board;
pub mod chip;
pub mod config;
pub mod pll;
pub mod uart_chip;
