//! The simulated chip as a stream of bytes or words.
//!
//! RustHDL's own test benches run in threads. Stepping the blocks from one thread is one to two orders of magnitude faster.
//! [`RtlChip`] is the chip behind its byte port, [`RtlWordChip`] behind its word port, [`RtlPacketChip`] behind
//! AXI-Stream; [`UartLine`] is the chip behind its UART, bit by bit. [`VerilogChip`] is the Verilog emitted for a chip behind a port, compiled by Verilator.

mod port;
mod rtl;
mod stepper;
mod uart;
pub mod verilog;

pub use port::Port;
pub use rtl::{RtlChip, RtlPacketChip, RtlTop, RtlWordChip};
pub use stepper::{Clocked, Stepper};
pub use uart::{LineReader, LineWriter, UartLine};
pub use verilog::VerilogChip;

use hayasashi_spec::word_frame::Framing;
use std::io;

/// A simulated chip behind its byte port or its word port.
pub trait SimulatedChip {
    /// Number of clocks that is efficient in one [`SimulatedChip::run`].
    const STEP_CLOCKS: u32;

    /// Name in messages.
    fn name(&self) -> &'static str;

    /// The frames that its port speaks.
    fn framing(&self) -> Framing;

    /// Queues bytes for the chip, which takes at most one, or one word, in each clock.
    fn push(&mut self, bytes: &[u8]);

    /// Number of queued bytes.
    fn pending(&self) -> usize;

    /// Runs at most this number of clocks.
    ///
    /// # Errors
    /// The simulation has ended.
    fn run(&mut self, clocks: u32) -> io::Result<()>;

    /// Appends the bytes that the chip has sent since the last call.
    fn pull(&mut self, into: &mut Vec<u8>);

    /// Resets the chip: a clock of `reset`, then as many as the reset lasts. Bytes that are queued or were not pulled are lost.
    ///
    /// # Errors
    /// The simulation has ended.
    fn reset(&mut self) -> io::Result<()>;

    /// Number of clocks so far.
    fn clocks(&self) -> u64;
}
