//! The Universal Shogi Interface (Tord Romstad's USI): the engine's side of it.
//!
//! * [`command`]: lines to commands
//! * [`options`]: what the GUI may set
//! * [`engine`]: the state between commands, and the thread that searches
//!
//! Standard output belongs to the protocol. A line that is not understood is answered by `info string …`, logged, and
//! otherwise ignored.

pub mod command;
pub mod engine;
pub mod options;

pub use engine::run;
pub use options::{OptionError, Options};
