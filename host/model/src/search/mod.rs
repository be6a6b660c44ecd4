//! The search of a position by one walker, step by step.
//!
//! ```text
//!             +------------------- walker -------------------+
//!   spot ---> | enter -> order -> judge -> child -> (a move)  |
//!   table --> |                                               |
//!   path ---> | returned <- (a score) <- finish   iteration   |
//!             +-----------------------------------------------+
//! ```
//!
//! The decisions are functions of a node and of what is known about a position or a move; the gateware has a block for each.

pub mod child;
pub mod enter;
pub mod exchange;
pub mod history;
pub mod iteration;
pub mod judge;
pub mod keys;
pub mod node;
pub mod order;
pub mod path;
pub mod reduction;
pub mod returned;
mod searching;
pub mod spot;
pub mod table;
mod walker;

pub use searching::{Searches, Searching};
pub use walker::Walker;
