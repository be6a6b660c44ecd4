//! Work that several ranks share by messages: threads of this process, or with the feature `mpi` processes that `mpirun` starts.
//!
//! * [`ranks`]: what ranks can do together; [`threads`] and `mpi` start them
//! * [`usi`]: a USI engine made of several
//! * [`mod@perft`]: perft with its transpositions, each position at the rank that owns it

#[cfg(feature = "mpi")]
pub mod mpi;
pub mod perft;
pub mod ranks;
pub mod threads;
pub mod usi;

pub use ranks::{Alone, ClusterError, Ranks};
