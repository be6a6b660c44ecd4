//! The Hayasashi gateware, written in RustHDL.

pub mod attacks;
pub mod movegen;
pub mod network;
pub mod position;
