//! Back ends of the co-processor: one trait, [`CoProcessor`], for boards, simulations and software.
//!
//! ```text
//!  CoProcessor ─┬─ ModelBackend     the software model, called directly
//!               ├─ RulesBackend     the engine's own rules
//!               ├─ RemoteChip ── Driver ─┬─ Connection   requests in flight: sequence numbers, credit, retransmission
//!               │                        └─ Transport    bytes: serial port, TCP, or a chip in this process
//!               └─ Failover ── RemoteChip + ModelBackend     a board that may be unplugged
//! ```
//!
//! [`open`] opens the back end that a [`BackendSpec`] names. All back ends answer a request with the same bytes. So
//! [`Failover`] can replace a board with the model in the middle of a game, and [`verify`] compares back ends byte by byte.
//!
//! | module | contents |
//! |---|---|
//! | `backends` | the implementations of [`CoProcessor`], and [`BackendSpec`] |
//! | `link` | requests and answers, the connection's state, the driver |
//! | `transport` | byte streams to a chip |
//! | `platform` | what differs between Unix and other systems |
//! | `failover` | a board with the model as its replacement |
//! | [`virtual_board`] | a chip in this process, offered to other processes |
//! | `discovery` | the serial ports of this machine, the baud rate of a board, the cards on PCIe |
//! | `table` | loading an evaluation table or a network |
//! | [`monitor`] | what a back end does while it is in use, and samples of its answers checked |
//! | [`perft`] | counting the leaves of a tree, by the chip or by the host |
//! | [`search`] | the search by the chip itself |
//! | `long_request` | requests that report their progress |
//! | [`verify`], [`selftest`] | comparing back ends, testing a chip |
//! | `workers` | threads that work off one list |
//! | [`view`] | positions and moves between the board and the mover's view |

mod backends;
mod capability;
mod coprocessor;
mod discovery;
mod error;
mod failover;
mod link;
mod long_request;
pub mod monitor;
pub mod perft;
mod platform;
pub mod search;
pub mod selftest;
mod table;
mod transport;
pub mod verify;
pub mod view;
pub mod virtual_board;
mod workers;

pub use backends::{
    open, open_chip, open_remote, open_with_failover, BackendSpec, ModelBackend, OpenedBackend, RemoteChip,
    RulesBackend, Team,
};
pub use capability::Capability;
pub use coprocessor::{CoProcessor, Direct, Results};
pub use discovery::{serial_ports, serial_ports_in, SerialPort, BOARD_USB_IDS};
pub use error::AccelError;
pub use failover::{Failover, FailoverEvent, FailoverListener, PROBE_INTERVAL};
pub use link::{
    decode_result, fault_words, Connection, Driver, Evaluation, Expansion, LegalMoves, LinkLimits, LinkStatistics,
    MoveCount, PendingBatch, PositionError, PositionResult, Request, RequestId, RequestOutcome, Response, Responses,
    Ticket,
};
pub use long_request::Progress;
pub use perft::PerftResult;
pub use platform::PollHandle;
pub use search::{SearchRequest, SearchResult};
pub use table::{load_evaluation_if_supported, table_header};
pub use transport::{
    InProcessTransport, LitePcieDriver, ModelStream, PacketChip, PcieTransport, RtlStream, RtlWordStream,
    SerialTransport, SimulatedStream, SimulationStatistics, StreamChip, TcpTransport, Transport, VerilogStream,
    WordTransport, DEFAULT_BAUD, USUAL_BAUDS,
};
