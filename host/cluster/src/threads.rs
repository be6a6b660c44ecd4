//! Ranks that are threads of this process.

use super::{ClusterError, Ranks};
use std::sync::mpsc::{channel, Receiver, Sender};

/// A rank that is a thread.
struct ThreadRank {
    rank: usize,
    /// To each rank.
    to: Vec<Sender<Vec<u64>>>,
    /// From each rank.
    from: Vec<Receiver<Vec<u64>>>,
}

impl Ranks for ThreadRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.to.len()
    }

    fn exchange(&self, to: &[Vec<u64>]) -> Result<Vec<u64>, ClusterError> {
        for (rank, (sender, words)) in self.to.iter().zip(to).enumerate() {
            sender.send(words.clone()).map_err(|_| ClusterError::Lost(rank))?;
        }
        let mut all = Vec::new();
        for (rank, receiver) in self.from.iter().enumerate() {
            all.extend(receiver.recv().map_err(|_| ClusterError::Lost(rank))?);
        }
        Ok(all)
    }
}

/// Runs `work` on this many ranks; returns what rank 0, which is this thread, has returned.
///
/// # Errors
/// The error of rank 0, which is that another rank has ended if that one failed; or a thread that cannot be started.
pub fn run<T>(count: usize, work: &(dyn Fn(&dyn Ranks) -> Result<T, ClusterError> + Sync)) -> Result<T, ClusterError> {
    let mut ranks: Vec<ThreadRank> =
        (0..count).map(|rank| ThreadRank { rank, to: Vec::new(), from: Vec::new() }).collect();
    for to in 0..count {
        for from in 0..count {
            let (sender, receiver) = channel();
            ranks[from].to.push(sender);
            ranks[to].from.push(receiver);
        }
    }
    std::thread::scope(|scope| {
        let mut ranks = ranks.into_iter();
        let first = ranks.next();
        for other in ranks {
            let rank = other.rank;
            let started = std::thread::Builder::new().name(format!("rank {rank}")).spawn_scoped(scope, move || {
                // Its failure ends its channels, and with them the others.
                let _ = work(&other);
            });
            started.map_err(|reason| ClusterError::Thread { rank, reason })?;
        }
        first.map_or(Err(ClusterError::Lost(0)), |first| work(&first))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_arrive_in_the_order_of_the_ranks() {
        for count in [1, 2, 5] {
            let gathered = run(count, &|ranks| {
                let own = ranks.rank() as u64;
                // To rank r come 10 * sender + r, r times.
                let to: Vec<Vec<u64>> = (0..ranks.count() as u64).map(|r| vec![10 * own + r; r as usize]).collect();
                let got = ranks.exchange(&to)?;
                let expected: Vec<u64> =
                    (0..ranks.count() as u64).flat_map(|from| vec![10 * from + own; own as usize]).collect();
                ranks.gather((got == expected) as u64)
            });
            assert_eq!(gathered.unwrap(), vec![1; count]);
        }
    }

    #[test]
    fn a_failure_ends_all() {
        let failed = run(3, &|ranks| match ranks.rank() {
            1 => Err(ClusterError::Message(0)),
            _ => ranks.gather(0),
        });
        assert!(matches!(failed, Err(ClusterError::Lost(1))));
    }
}
