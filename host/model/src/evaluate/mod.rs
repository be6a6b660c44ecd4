//! Static evaluation by king-relative tables. Mirrors `hdl/src/evaluate/`.

mod default;
mod first;
mod loader;
pub mod network;
mod score;
mod sums;
mod table;
mod text;
mod views;

pub use default::{default_table, DEFAULT_TABLE_CHECKSUM};
pub use first::{first_table, FIRST_TABLE_CHECKSUM};
pub use loader::{Loader, PartError};
pub use network::Evaluation;
pub use sums::Sums;
pub use table::{EvalTable, EvalTableError};
pub use text::TextTableError;
