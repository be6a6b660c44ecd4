//! One USI engine made of several: a leader speaks to the GUI, and members, which are USI engines too, search for it.
//!
//! * [`team`]: the members: threads of this process, programs, or ranks of MPI
//! * [`leader`]: the engine that the GUI sees; `running`: its search; `work`: it hands out jobs, watches the time, and gives the work of lost
//!   members to others
//! * [`strategy`]: how members share a search: `consultation`, `splitting` (alpha-beta) or `softmax`
//! * `entries`: table entries on their way from each member to the others
//! * [`job`]: a search that a member is asked for, and what it has found
//!
//! A member that does not answer costs the leader 100 ms of a move at most, and is asked again when it answers.

pub mod consultation;
mod entries;
pub mod job;
pub mod leader;
mod running;
pub mod softmax;
pub mod splitting;
pub mod strategy;
pub mod team;
mod work;
