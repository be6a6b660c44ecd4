//! The Hayasashi gateware, written in RustHDL.

pub mod attacks;
pub mod axi;
pub mod config;
pub mod constants;
pub mod evaluate;
pub mod lazy;
pub mod link;
pub mod movegen;
pub mod network;
pub mod optional;
pub mod perft;
pub mod ports;
pub mod position;
pub mod top;
pub mod verilog;
