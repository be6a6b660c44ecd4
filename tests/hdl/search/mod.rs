//! The blocks of the search in RustHDL's simulation against the functions of the model, and their Verilog under Icarus.

pub mod bench;
mod controller;
mod decisions;
mod exchange;
mod memories;
mod picker;
pub mod situations;
mod unit;
