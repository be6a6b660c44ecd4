//! Training on several ranks: each does its share of the work, and all get the results of all in the same order, so that every rank
//! makes the same steps and the numbers do not depend on how many there are.

use super::{objective::LossStats, LearnError};
use hayasashi_cluster::{ClusterError, Ranks};

/// Words of [`LossStats`] in a message.
const STATS_WORDS: usize = 5;

/// A result that ranks send each other. All of one kind have the same length in words.
pub(super) trait Message: Sized {
    /// Appends the words.
    fn write(&self, words: &mut Vec<u64>);

    /// Its words.
    fn read(words: &[u64]) -> Option<Self>;
}

impl Message for LossStats {
    fn write(&self, words: &mut Vec<u64>) {
        words.extend([self.loss.to_bits(), self.positions, self.ranked, self.first, self.first_three]);
    }

    fn read(words: &[u64]) -> Option<LossStats> {
        let &[loss, positions, ranked, first, first_three] = words else { return None };
        Some(LossStats { loss: f64::from_bits(loss), positions, ranked, first, first_three })
    }
}

/// Sums of losses, and their gradient.
impl Message for (LossStats, Vec<f32>) {
    fn write(&self, words: &mut Vec<u64>) {
        self.0.write(words);
        words.extend(self.1.iter().map(|slope| u64::from(slope.to_bits())));
    }

    fn read(words: &[u64]) -> Option<(LossStats, Vec<f32>)> {
        let (stats, slopes) = words.split_at_checked(STATS_WORDS)?;
        Some((LossStats::read(stats)?, slopes.iter().map(|&slope| f32::from_bits(slope as u32)).collect()))
    }
}

/// The pieces of work of a rank, of so many in all: every `ranks.count()`-th.
pub(super) fn own(ranks: &dyn Ranks, pieces: usize) -> impl Iterator<Item = usize> {
    (ranks.rank()..pieces).step_by(ranks.count())
}

/// The results of all pieces in their order, from those of [`own`].
pub(super) fn all<T: Message>(ranks: &dyn Ranks, pieces: usize, own_results: Vec<T>) -> Result<Vec<T>, LearnError> {
    if ranks.count() == 1 {
        return Ok(own_results);
    }
    let mut words = Vec::new();
    own_results.iter().for_each(|result| result.write(&mut words));
    let words = ranks.share(&words)?;
    let broken = || ClusterError::Message(words.len() * 8);
    let length = words.len() / pieces.max(1);
    let mut results: Vec<Option<T>> = (0..pieces).map(|_| None).collect();
    let order = (0..ranks.count()).flat_map(|rank| (rank..pieces).step_by(ranks.count()));
    for (at, words) in order.zip(words.chunks_exact(length.max(1))) {
        results[at] = T::read(words);
    }
    let results: Option<Vec<T>> = results.into_iter().collect();
    Ok(results.ok_or_else(broken)?)
}

/// The bytes of rank 0, on every rank.
pub(super) fn of_first(ranks: &dyn Ranks, bytes: &[u8]) -> Result<Vec<u8>, LearnError> {
    let mut words = Vec::new();
    if ranks.rank() == 0 {
        words.push(bytes.len() as u64);
        words.extend(bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        }));
    }
    let words = ranks.share(&words)?;
    let broken = ClusterError::Message(words.len() * 8);
    let Some((&length, words)) = words.split_first() else { return Err(broken.into()) };
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    if bytes.len() < length as usize {
        return Err(broken.into());
    }
    bytes.truncate(length as usize);
    Ok(bytes)
}
