//! The chip as Verilog text: module `top`, or a release with a name of its own.

pub mod names;

use crate::config::ChipConfig;
use crate::link::baud::BaudError;
use crate::network::skipping;
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

/// [`chip`] for a simulator that computes every wire in every clock: the networks, which are most of the chip, are
/// passed over in clocks in which their inputs do not change, and population counts are `$countones`. Clock for clock it
/// does what [`chip`] does.
pub fn chip_for_simulation(config: &ChipConfig) -> String {
    skipping(|| chip(config))
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
    let clock = "    input wire  aclk;\n";
    let attributes = "    (* X_INTERFACE_INFO = \"xilinx.com:signal:clock:1.0 aclk CLK\", \
         X_INTERFACE_PARAMETER = \"ASSOCIATED_BUSIF s_axis:m_axis, ASSOCIATED_RESET aresetn\" *)\n";
    let reset = "    input wire  aresetn;\n";
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
/// If an input of the block or of one inside it has no driver.
pub fn of(mut block: impl Block) -> String {
    block.connect_all();
    generate_verilog(&block)
}
