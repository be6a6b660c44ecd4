//! Requests and answers, and how they travel.
//!
//! | module | contents |
//! |---|---|
//! | [`request`] | a request and its answer frames |
//! | [`result`] | the result of a position, decoded from an answer |
//! | [`ticket`] | a submitted request whose answers come later |
//! | [`connection`] | which requests are in flight; no I/O |
//! | [`driver`] | a connection over a transport |

mod connection;
mod driver;
mod limits;
mod request;
mod result;
mod ticket;

pub use connection::{Connection, RequestId};
pub(crate) use driver::parse_info;
pub use driver::Driver;
pub use hayasashi_spec::moves::MoveCount;
pub use limits::{LinkLimits, LinkStatistics};
pub use request::{Request, RequestOutcome, Response, Responses};
pub(crate) use result::decode_faults;
pub use result::{decode_result, fault_words, Evaluation, Expansion, LegalMoves, PositionError, PositionResult};
pub(crate) use ticket::ReplySlot;
pub use ticket::{PendingBatch, Ticket};
