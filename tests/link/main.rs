//! The byte protocol of the chip: frames, requests, UART, AXI-Stream.

mod axi_stream;
mod chip;
mod litepcie;
mod protocol;
mod reset;
mod search;
mod uart;
mod words;
mod xdma_stream;
