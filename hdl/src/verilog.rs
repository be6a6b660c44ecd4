//! The chip as Verilog text: module `top`, or a release with a name of its own.
//!
//! RustHDL gives the tree of blocks, their signals and the syntax trees of their kernels; the text is written here. A
//! register or memory is written in the module of the block around it, under its name in the source. Every expression is as
//! wide as its value, so that linters have nothing to say. What nothing reads is read by a wire `unused`.
//!
//! ```text
//!   block -> modules -> kernel, operators -> drivers -> body -> text
//!               \-> primitive: registers, memories, absent blocks
//! ```

mod body;
mod drivers;
mod expression;
mod kernel;
mod modules;
pub mod names;
mod operators;
mod ports;
mod primitive;
mod text;

use crate::config::ChipConfig;
use crate::link::baud::BaudError;
use crate::top::{
    axi_stream::{AxiStream64, AxiStream8},
    board::{BoardConfig, BoardError},
    board_top::BoardTop,
    chip::Chip,
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

/// Top module of [`axi_stream_8`]; all other modules' names begin with it.
pub const AXI_STREAM_8: &str = "hayasashi_axis8";
/// Top module of [`axi_stream_64`]; all other modules' names begin with it.
pub const AXI_STREAM_64: &str = "hayasashi_axis64";

/// The chip behind AXI-Stream of one byte.
pub fn axi_stream_8(config: &ChipConfig) -> String {
    release(&of(AxiStream8::new(config)), AXI_STREAM_8)
}

/// The chip behind AXI-Stream of eight bytes.
pub fn axi_stream_64(config: &ChipConfig) -> String {
    release(&of(AxiStream64::new(config)), AXI_STREAM_64)
}

/// With the release's names, and with the attributes by which Vivado's IP integrator joins clock, reset and streams.
fn release(verilog: &str, name: &str) -> String {
    let clock = "    input wire aclk,\n";
    let attributes = "    (* X_INTERFACE_INFO = \"xilinx.com:signal:clock:1.0 aclk CLK\", \
         X_INTERFACE_PARAMETER = \"ASSOCIATED_BUSIF s_axis:m_axis, ASSOCIATED_RESET aresetn\" *)\n";
    let reset = "    input wire aresetn,\n";
    let polarity = "    (* X_INTERFACE_INFO = \"xilinx.com:signal:reset:1.0 aresetn RST\", \
         X_INTERFACE_PARAMETER = \"POLARITY ACTIVE_LOW\" *)\n";
    names::released(verilog, name).replacen(clock, &format!("{attributes}{clock}"), 1).replacen(
        reset,
        &format!("{polarity}{reset}"),
        1,
    )
}

/// Any block. It must be new: what simulation has left in a RAM would become its initial contents.
///
/// # Panics
/// If an input of the block or of one inside it has no driver, or something in it cannot be written; the message has the
/// path of its module.
pub fn of(mut block: impl Block) -> String {
    block.connect_all();
    check_all(&block).unwrap_or_else(|error| panic!("{error:?}"));
    modules::tree(&block, names::TOP).and_then(|tree| text::design(&tree)).unwrap_or_else(|error| panic!("{error}"))
}
