//! The link: frames on a byte stream, requests in order, answers in order.
//!
//! ```text
//! rx bytes ─ receiver ─┬─ payload_buffer ──────┐
//!    (slip_decoder,    └─ descriptor_queue ─ dispatcher ─ transmitter ─ tx bytes
//!     crc32)                                │   │   │      (crc32, slip_encoder)
//!                                   registers  units' ports
//! ```

pub mod baud;
pub mod crc32;
pub mod descriptor_queue;
pub mod dispatcher;
pub mod endpoint;
pub mod opcodes;
pub mod payload_buffer;
pub mod receiver;
pub mod registers;
pub mod slice;
pub mod slip_decoder;
pub mod slip_encoder;
pub mod transmitter;
pub mod uart_rx;
pub mod uart_tx;
