//! What is put on a device: the chip behind its byte port, the chip behind a UART, and that on a board.

pub mod activity;
pub mod axi_stream;
pub mod board;
pub mod board_top;
pub mod chip;
pub mod clocking;
pub mod family;
pub mod parameter;
pub mod pll;
pub mod reset_hold;
pub mod uart_chip;
pub mod units;
pub mod word_chip;
