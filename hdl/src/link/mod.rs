//! The link: frames on a stream of bytes or words, requests in order, answers in order.
//!
//! ```text
//! rx bytes - receiver -+- payload_buffer ---+- server: dispatcher -------- answer_sender - transmitter - tx bytes
//!    (slip_decoder,    +- descriptor_queue -/     (request_decoder,        (answer_queue,   (crc32,
//!     crc32,                                       table_writer,            registers)       slip_encoder)
//!     header_parser,                               position_loader,
//!     buffer_usage)                                long_starter,
//!                                                  long_requests)
//!
//! rx words - word_receiver ------------------- server ------------------------ word_transmitter - tx words
//!    (word_crc32, and the same buffers)                                          (word_crc32)
//! ```
//!
//! Inside, a payload is words of eight bytes; only what is outside `server` knows frames.

pub mod answer_queue;
pub mod answer_sender;
pub mod baud;
pub mod break_detector;
pub mod buffer_usage;
pub mod crc32;
pub mod descriptor_queue;
pub mod dispatcher;
pub mod dispatcher_state;
pub mod endpoint;
pub mod header_parser;
pub mod long_requests;
pub mod long_starter;
pub mod payload_buffer;
pub mod position_loader;
pub mod receiver;
pub mod registers;
pub mod report_timer;
pub mod request_decoder;
pub mod request_head;
pub mod server;
pub mod skid_buffer;
pub mod slip_decoder;
pub mod slip_encoder;
pub mod synchroniser;
pub mod table_writer;
pub mod transmitter;
pub mod uart_rx;
pub mod uart_tx;
pub mod word_buffer;
pub mod word_crc32;
pub mod word_endpoint;
pub mod word_receiver;
pub mod word_transmitter;
