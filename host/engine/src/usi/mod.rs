//! The Universal Shogi Interface (Tord Romstad's USI), engine side.
//!
//! * [`command`]: reads the lines of the GUI
//! * [`options`], [`option_table`]: the options of the engine
//! * [`engine`]: the state between commands; `thinking`: the search thread
//! * `info`: the lines that report a search
//!
//! Standard output belongs to the protocol. The reply to a line that cannot be obeyed is `info string …`, which is also
//! logged.

pub mod command;
pub mod engine;
mod info;
pub mod option_table;
pub mod options;
mod thinking;

pub use engine::run;
pub use option_table::{OptionKind, UsiOption, OPTIONS};
pub use options::{OptionError, Options};
