//! The byte protocol as the chip speaks it: frames, requests, UART, AXI-Stream.

mod axi_stream;
mod chip;
mod protocol;
mod uart;
