//! Back ends: one trait, many places where the chip may be.
//!
//! ```text
//!  CoProcessor ─┬─ Software                          the software model, called directly
//!               ├─ Board ── Driver ── Exchange    requests in flight: sequence numbers, credit, repetition
//!               │              └───── Wire        bytes: SerialWire, TcpWire, ChipWire<a chip in this process>
//!               └─ Resilient ── Board + Software     a board that may be unplugged
//! ```
//!
//! [`open`] chooses by a [`BackendSpec`]. All back ends answer a request by the same bytes, which is why
//! [`Resilient`] may replace one by another in mid-game, and why `verify` may compare them byte by byte.

mod backend;
mod board;
mod coprocessor;
pub mod differences;
mod driver;
mod error;
mod exchange;
mod notice;
mod perft;
mod ports;
mod request;
mod resilient;
mod rules;
mod serial;
pub mod serve;
mod simulated;
mod software;
mod table;
mod tcp;
pub mod view;
mod wait;
mod wire;

pub use backend::{open, open_board, open_chip, open_resilient, BackendSpec, Opened};
pub use board::RemoteChip;
pub use coprocessor::{CoProcessor, Direct, Results};
pub use driver::Driver;
pub use error::AccelError;
pub use exchange::{Exchange, Id, LinkLimits, LinkStatistics};
pub use notice::{Notice, Notify};
pub use perft::Walked;
pub use ports::{ports, ports_below, Port, BOARD_USB_IDS};
pub use request::{
    fault_words, parse_position, Counted, Evaluated, Generated, Parse, Pending, PositionError, Request, RequestOutcome,
    Response, Responses, Ticket,
};
pub use resilient::{Resilient, PROBE_INTERVAL};
pub use rules::RulesBackend;
pub use serial::{SerialWire, DEFAULT_BAUD};
pub use simulated::{RtlStream, Simulated, SimulatedStream, VerilogStream};
pub use software::{ModelBackend, SoftwareStream};
pub use table::{header as table_header, load_table, load_table_if_any};
pub use tcp::TcpWire;
pub use wire::{ChipWire, StreamChip, Wire};
