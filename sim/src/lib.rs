//! The simulated chip as a byte stream.
//!
//! RustHDL's own test benches run in threads; here blocks are stepped by hand, which is one to two orders of magnitude
//! faster. [`RtlChip`] is the chip behind its byte port; [`UartLine`] is the chip behind its UART, bit by bit.
//! [`VerilogChip`] is the Verilog emitted for the former, compiled by Verilator.

mod rtl;
mod stepper;
mod uart;
pub mod verilog;

pub use rtl::RtlChip;
pub use stepper::{Clocked, Stepper};
pub use uart::{LineReader, LineWriter, UartLine};
pub use verilog::VerilogChip;

use std::io;

/// A simulated chip behind its byte port.
pub trait SimulatedChip {
    /// For messages.
    const NAME: &'static str;
    /// Clocks that are well run together.
    const STEP_CLOCKS: u32;

    /// Bytes for the chip, one for each of the next clocks.
    fn push(&mut self, bytes: &[u8]);

    /// Bytes that wait to go into the chip.
    fn pending(&self) -> usize;

    /// At most so many clocks.
    fn run(&mut self, clocks: u32) -> io::Result<()>;

    /// Appends the bytes that came since the last call.
    fn pull(&mut self, into: &mut Vec<u8>);

    /// Clocks so far.
    fn clocks(&self) -> u64;
}
