//! Static evaluation by king-relative tables. Mirrors `hdl/src/evaluate/`.

mod default;
mod first;
mod score;
mod table;

pub use default::{default_table, DEFAULT_TABLE_CHECKSUM};
pub use first::{first_table, FIRST_TABLE_CHECKSUM};
pub use table::{EvalTable, EvalTableError, Loader, PartError};
