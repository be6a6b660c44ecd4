//! Messages about a board that is lost or comes back.

use crate::AccelError;
use std::{fmt, sync::Arc};

/// A change of which chip answers. In every variant `target` is the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailoverEvent {
    /// The board is lost; the model answers from now on.
    Lost {
        /// The board.
        target: String,
        /// The cause.
        error: AccelError,
    },
    /// The board sent malformed answers; the model answers from now on, and the board is not opened again.
    Faulty {
        /// The board.
        target: String,
        /// The first fault.
        error: AccelError,
    },
    /// The board has lost its evaluation table, after a reset; the model evaluates until the table is loaded again.
    TableLost {
        /// The board.
        target: String,
    },
    /// The board rejects the evaluation table; the model evaluates, the board does the rest.
    TableRejected {
        /// The board.
        target: String,
        /// The cause.
        error: AccelError,
    },
    /// The board answers again.
    Recovered {
        /// The board.
        target: String,
        /// Whether the evaluation table had to be loaded again.
        table_reloaded: bool,
    },
    /// Something answers in place of the board but cannot be used, for instance another gateware.
    Unusable {
        /// The board.
        target: String,
        /// The cause.
        error: AccelError,
    },
}

impl fmt::Display for FailoverEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FailoverEvent::Lost { target, error } => {
                write!(f, "`{target}` is lost, the software model takes over: {error}")
            }
            FailoverEvent::Faulty { target, error } => {
                write!(f, "`{target}` is faulty, the software model replaces it for good: {error}")
            }
            FailoverEvent::TableLost { target } => {
                write!(f, "`{target}` was reset and lost its evaluation table; the software model evaluates until it is loaded again")
            }
            FailoverEvent::TableRejected { target, error } => {
                write!(f, "the software model evaluates instead of `{target}`: {error}")
            }
            FailoverEvent::Recovered { target, table_reloaded: true } => {
                write!(f, "`{target}` is back; its evaluation table was loaded again")
            }
            FailoverEvent::Recovered { target, table_reloaded: false } => write!(f, "`{target}` is back"),
            FailoverEvent::Unusable { target, error } => write!(f, "`{target}` cannot be used: {error}"),
        }
    }
}

/// Called with each event, from any thread. It must not call the back end.
pub type FailoverListener = Arc<dyn Fn(&FailoverEvent) + Send + Sync>;
