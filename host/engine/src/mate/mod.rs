//! The mate solver: is there a mate by checks alone, and how does it go?
//!
//! * [`Solver`]: the way in
//! * `dfpn`: depth-first proof-number search; `table`, `hands`, `moves` serve it
//! * `solution`: the attacker's strategy from a proof
//! * [`mate_in_1`], [`mate_in_3`]: for leaves of other searches
//! * [`ProofNumberTree`]: proof-number search as first published, to compare with
//! * [`verify`]: replays a strategy by the rules

mod dfpn;
mod hands;
mod moves;
mod proof_number;
mod short_mates;
mod solution;
mod solver;
mod table;
mod verify;

pub use proof_number::ProofNumberTree;
pub use short_mates::{mate_in_1, mate_in_3};
pub use solution::Strategy;
pub use solver::{Mate, MateAnswer, MateLimits, MateOutcome, Solver, MAX_PLIES};
pub use verify::{verify, StrategyError, Verified};
