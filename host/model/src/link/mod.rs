//! The chip's end of the link: frames on a stream of bytes or words, requests in order, answers in order. Mirrors `hdl/src/link/`.

pub mod dispatcher;
pub mod frame;
pub mod framing;
pub mod registers;
pub mod slip_decoder;
pub mod slip_encoder;
pub mod word_frame;
