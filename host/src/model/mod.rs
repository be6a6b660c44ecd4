//! The bit-identical software co-processor; mirrors `hdl/src` name by name.

pub mod attacks;
pub mod movegen;
pub mod position;
