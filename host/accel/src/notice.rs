//! What the user is told of a board that comes and goes.

use super::AccelError;
use std::{fmt, sync::Arc};

/// What the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The board is lost; the model answers from now on.
    Lost {
        /// The board.
        target: String,
        /// Why.
        error: AccelError,
    },
    /// The board has forgotten its evaluation table (a reset); the model answers until it has it again.
    TableLost {
        /// The board.
        target: String,
    },
    /// The board does not take the evaluation table; the model evaluates, the board does the rest.
    TableRefused {
        /// The board.
        target: String,
        /// Why.
        error: AccelError,
    },
    /// The board answers again.
    Back {
        /// The board.
        target: String,
        /// Whether the evaluation table had to be loaded again.
        table_reloaded: bool,
    },
    /// Something answers in the board's place that cannot be used, for instance another gateware.
    Unusable {
        /// The board.
        target: String,
        /// Why.
        error: AccelError,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Lost { target, error } => write!(f, "{target} is lost, the software model goes on: {error}"),
            Notice::TableLost { target } => {
                write!(f, "{target} was reset and has no evaluation table; the software model goes on until it has")
            }
            Notice::TableRefused { target, error } => write!(f, "the software model evaluates for {target}: {error}"),
            Notice::Back { target, table_reloaded: true } => write!(f, "{target} is back, its table loaded again"),
            Notice::Back { target, table_reloaded: false } => write!(f, "{target} is back"),
            Notice::Unusable { target, error } => write!(f, "{target} has not come back: {error}"),
        }
    }
}

/// Called with each notice, from whichever thread finds out; must not call the back end.
pub type Notify = Arc<dyn Fn(&Notice) + Send + Sync>;
