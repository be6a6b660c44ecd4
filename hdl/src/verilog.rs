//! The chip as Verilog text, module `top`.

use crate::link::baud::BaudError;
use crate::top::{
    board::{BoardConfig, BoardError},
    board_top::BoardTop,
    chip::Chip,
    config::ChipConfig,
    uart_chip::UartChip,
};
use rust_hdl::prelude::*;

/// The chip behind its byte port.
pub fn chip(config: &ChipConfig) -> String {
    of(Chip::new(config))
}

/// The chip behind a UART.
pub fn uart_chip(config: &ChipConfig) -> Result<String, BaudError> {
    Ok(of(UartChip::new(config)?))
}

/// The chip on a board, with the primitives of the board's family: their definitions are the tool's.
pub fn board(board: &BoardConfig) -> Result<String, BoardError> {
    Ok(of(BoardTop::new(board)?))
}

/// Any block. It must be new: what simulation has left in a RAM would become its initial contents.
///
/// # Panics
/// If an input of the block or of one inside it has no driver.
pub fn of(mut block: impl Block) -> String {
    block.connect_all();
    generate_verilog(&block)
}
