//! The byte protocol of the chip: frames, requests, UART, AXI-Stream.

mod axi_stream;
mod chip;
mod protocol;
mod reset;
mod uart;
mod words;
