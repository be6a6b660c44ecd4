//! The mate solver: is there a mate by checks alone, and how does it go?
//!
//! * [`Solver`]: the way in
//! * [`dfpn`]: depth-first proof-number search; [`table`], [`hands`], [`moves`] serve it
//! * [`solution`]: the attacker's strategy from a proof
//! * [`verify`]: replays a strategy by the rules

mod dfpn;
mod hands;
mod moves;
mod solution;
mod solver;
mod table;
mod verify;

pub use solution::Strategy;
pub use solver::{Answer, Limits, Mate, Outcome, Solver, MAX_PLIES};
pub use table::Place;
pub use verify::{verify, Flaw, Verified};
