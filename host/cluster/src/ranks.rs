//! What the ranks of a run can do together.

use thiserror::Error;

/// Why a run cannot go on.
#[derive(Debug, Error)]
pub enum ClusterError {
    /// Another rank has ended.
    #[error("rank {0} has ended; hint: its own message says why; run the command again")]
    Lost(usize),
    /// A message that no rank of this program sends.
    #[error("a message of {0} bytes is not what a rank sends; hint: start the same program on all machines")]
    Message(usize),
    /// The system refuses another thread.
    #[error("cannot start a thread for rank {rank}: {reason}; hint: ask for fewer ranks")]
    Thread {
        /// The rank.
        rank: usize,
        /// Why.
        reason: std::io::Error,
    },
    /// MPI cannot be used.
    #[error("MPI: {0}; hint: start the program with `mpirun -n N`, once on each rank")]
    Mpi(String),
}

/// One of several ranks that do the same work in step: all call the same functions in the same order.
pub trait Ranks {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// How many there are.
    fn count(&self) -> usize;

    /// Sends to each rank its list of words, and returns what all have sent to this one, in the order of the ranks.
    ///
    /// # Errors
    /// A rank that has ended.
    fn exchange(&self, to: &[Vec<u64>]) -> Result<Vec<u64>, ClusterError>;

    /// The words of all ranks, those of the first rank first.
    ///
    /// # Errors
    /// A rank that has ended.
    fn share(&self, own: &[u64]) -> Result<Vec<u64>, ClusterError> {
        self.exchange(&vec![own.to_vec(); self.count()])
    }

    /// The numbers of all ranks.
    ///
    /// # Errors
    /// A rank that has ended.
    fn gather(&self, own: u64) -> Result<Vec<u64>, ClusterError> {
        self.share(&[own])
    }

    /// The greatest number of all ranks.
    ///
    /// # Errors
    /// A rank that has ended.
    fn max(&self, own: u64) -> Result<u64, ClusterError> {
        Ok(self.gather(own)?.into_iter().max().unwrap_or(own))
    }

    /// Whether it is so on every rank.
    ///
    /// # Errors
    /// A rank that has ended.
    fn all(&self, own: bool) -> Result<bool, ClusterError> {
        Ok(self.max(u64::from(!own))? == 0)
    }
}

/// The only rank of a run without others.
pub struct Alone;

impl Ranks for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn exchange(&self, to: &[Vec<u64>]) -> Result<Vec<u64>, ClusterError> {
        Ok(to.concat())
    }
}
