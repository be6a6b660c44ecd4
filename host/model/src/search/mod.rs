//! The search of a position by one walker, step by step. There is no gateware for it yet.

mod decide;
mod exchange;
mod keys;
mod node;
mod order;
mod path;
mod searching;
mod spot;
mod table;
mod walker;

pub use searching::Searching;
pub use walker::Walker;
