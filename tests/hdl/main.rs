//! The gateware in simulation, as emitted Verilog, and by proof.

mod board_tops;
mod correction;
mod evaluate;
mod faults;
mod formal;
mod lazy;
mod leaves;
mod movegen;
mod netlist;
mod only_searches;
mod perft;
mod readings;
mod search;
mod smaller_chips;
mod text;
mod verilog;
mod visits;
