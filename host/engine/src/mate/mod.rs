//! The mate solver: searches for a mate by checks alone. Another searches for brinkmates.
//!
//! * [`Solver`]: the entry point
//! * `dfpn`: depth-first proof-number search, with `table`, `hands` and `moves`
//! * `solution`: the strategy of the attacker from a proof
//! * [`mate_in_1`], [`mate_in_3`]: for leaves of other searches
//! * [`ProofNumberTree`]: proof-number search as first published, for comparison
//! * [`BrinkmateSolver`]: mates that begin with threats
//! * [`verify`]: replays a strategy by the rules

mod brinkmate;
mod dfpn;
mod hands;
mod moves;
mod proof_number;
mod short_mates;
mod solution;
mod solver;
mod table;
mod verify;

pub use brinkmate::{Brinkmate, BrinkmateAnswer, BrinkmateSolver};
pub use proof_number::ProofNumberTree;
pub use short_mates::{mate_in_1, mate_in_3};
pub use solution::Strategy;
pub use solver::{Mate, MateAnswer, MateLimits, MateOutcome, Solver, MAX_PLIES};
pub use verify::{verify, StrategyError, Verified};
