//! The Hayasashi gateware, written in RustHDL.
//!
//! # Tour
//!
//! A request is a frame with positions. The frame comes in as bytes or as words; each position goes to a unit, and its answer goes
//! out as a frame of its own.
//!
//! ```text
//!                   +--------------------------------------------------------------+
//!                   |  link                                                        |
//!     top, axi      |                              +-> payload_buffer ---+         |
//!   rx 8  =========>|  slip_decoder -> receiver ---+                     v         |
//!   (UART, AXI,     |                              +-> descriptor_queue -> dispatcher
//!    a board)       |                                                    |  |      |
//!   tx 8  <=========|  slip_encoder <- transmitter <- answer_sender <----+  |      |
//!                   +----------------------------------------^--------------|------+
//!   rx 64, tx 64: word_receiver, word_transmitter instead    |              |  a position, eight bytes a clock
//!                                              answers, in the order        v
//!     +------------------------+                of the positions  +----------------+
//!     | perft::walk_controller |        +----------------+        | top::units     |
//!     | starts the walkers     |<------>| movegen::unit  |...     +----------------+
//!     +------------------------+        |  perft::walker |<------>| evaluate::unit |
//!                                       +----------------+        +----------------+
//! ```
//!
//! Up to four requested positions are under way in the first unit: while the moves of one are made, the next ones are counted
//! ([`movegen::request_control`]).
//!
//! Inside a move generation unit, one position enters the pipeline in each clock, and nothing waits:
//!
//! ```text
//!   walker -> fetch -> groups -> pick -> load -> trace -> origin -> make_move --+
//!     ^                  ^        ^       ^                                     |
//!     |                  |     orders  positions <------------------------------+
//!     |                  |        ^                                             v
//!     +------------- bank         +-- count <- targets <- arrivals <- legality <- rays <- entry
//!                     ^                |          |
//!                     +----- keep -----|----------+
//!                                      v
//!                                  condense -> total -> results
//! ```
//!
//! Inside the evaluation unit:
//!
//! ```text
//!   spot -> kings -> views -> weights ---------> difference -> partial -> placement -> score -> clamp -> scores
//!               \--> pieces -> couple -----------/
//!               \--> hands -> hands_value ------/
//! ```
//!
//! | to read | file |
//! |---|---|
//! | what the host and the chip agree on | `hdl/spec` |
//! | the chip, its variants and its boards | [`top`], [`axi`], [`optional`] |
//! | bytes, frames, requests | [`link`]; who does what: [`link::dispatcher`] |
//! | a position on wires, and why it cannot occur | [`position`] |
//! | rays, checks, pins | [`attacks`] |
//! | all legal moves; the moves one by one; the position after a move | [`movegen`], first [`movegen::unit`] and [`movegen::operation`] |
//! | walks over a tree of moves | [`perft`] |
//! | the score of a position | [`evaluate`], first [`evaluate::unit`] |
//! | a search by the chip | [`search`] |
//! | combinational networks as Rust functions; a block RAM | [`mod@network`]; [`rows_of_zeros`] |
//! | the Verilog of the chip | [`verilog`]; fast simulation: [`lazy`] |
//! | how to write a block | `hdl/WRITING_A_BLOCK.md` |
//! | proofs | `hdl/formal` |
//!
//! # Symbols
//!
//! Each block's file begins with its symbol. Inputs are on the left, outputs on the right; `->` is one wire, and `=>` is a
//! bus with its width behind its name: `board 447`, or `moves 20 x 81` for 20 planes of 81 squares. Every block has an input
//! `clock`, whether it is drawn or not. Registers start at zero, from configuration.
//!
//! # Reset
//!
//! Control blocks (kernels with states, pointers or counters that outlive a request) have an input `reset`, drawn or not: an `if` at
//! the end of the kernel. Networks and data have none. [`top::reset_hold`] holds the chip's reset until the pipelines are empty; a unit
//! must be held as long. A block that each request, frame or byte puts in order again needs none.

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
mod rest;
pub mod rows_of_zeros;
pub mod search;
pub mod top;
pub mod verilog;

/// `hdl/WRITING_A_BLOCK.md`, whose examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../WRITING_A_BLOCK.md")]
pub struct WritingABlock;
