//! The chip's end of the link: frames on a byte stream, requests in order, answers in order. Mirrors `hdl/src/link/`.

pub mod dispatcher;
pub mod frame;
pub mod registers;
pub mod slip_decoder;
pub mod slip_encoder;
