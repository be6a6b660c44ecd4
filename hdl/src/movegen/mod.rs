//! Legal move generation.
//!
//! ```text
//!   unit      the unit that the dispatcher sees
//!   feed      -> pipeline (entry, rays, legality, arrivals, targets, count, condense, total)
//!   bank      -> serialise -> departure -> trace -> origin -> make_move -> feed
//!                kept: the position of these moves
//! ```
//!
//! A position travels with its [`Tag`](crate::position::Tag). Model: `host/model/src/movegen`.

pub mod arrivals;
pub mod bank;
pub mod count;
pub mod entry;
pub mod feed;
pub mod kept;
pub mod make_move;
pub mod move_maker;
pub mod origin;
pub mod pipeline;
pub mod record_buffer;
pub mod request_control;
pub mod serialise;
pub mod tag_decoder;
pub mod targets;
pub mod total;
pub mod trace;
pub mod unit;
