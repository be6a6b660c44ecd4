//! The Hayasashi gateware, written in RustHDL.

pub mod evaluate;
pub mod link;
pub mod movegen;
pub mod top;
