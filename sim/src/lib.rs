//! The simulated chip as a byte stream.
//!
//! RustHDL's own test benches run in threads; here blocks are stepped by hand, which is one to two orders of magnitude
//! faster. [`RtlChip`] is the chip behind its byte port; [`UartLine`] is the chip behind its UART, bit by bit.

mod rtl;
mod stepper;
mod uart;

pub use rtl::RtlChip;
pub use stepper::{Clocked, Stepper};
pub use uart::{LineReader, LineWriter, UartLine};
