//! Static evaluation by king-relative tables. Mirrors `hdl/src/evaluate/`.

mod first;
mod score;
mod table;

pub use first::{first_table, FIRST_TABLE_CHECKSUM};
pub use table::{Loader, PartError, Table, TableError};
