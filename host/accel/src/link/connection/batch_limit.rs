//! How many positions one frame asks for.

use hayasashi_spec::frame::MAX_BATCH;

/// The most positions in one frame. On a noisy line a long request rarely arrives whole. So the limit is halved when no
/// answer to a request arrives, and grows again by an eighth when all do.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchLimit(usize);

impl BatchLimit {
    pub(super) fn new() -> BatchLimit {
        BatchLimit(MAX_BATCH)
    }

    /// The present limit, at least 1.
    pub(super) fn get(self) -> usize {
        self.0
    }

    /// No answer to a request of this many positions has arrived.
    pub(super) fn failed(&mut self, positions: usize) {
        self.0 = self.0.min((positions / 2).max(1));
    }

    /// All answers to a request of this many positions have arrived.
    pub(super) fn succeeded(&mut self, positions: usize) {
        if positions >= self.0 {
            self.0 = (self.0 + self.0 / 8 + 1).min(MAX_BATCH);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_shrinks_to_one_position_and_returns() {
        let mut limit = BatchLimit::new();
        for _ in 0..10 {
            limit.failed(limit.get());
        }
        assert_eq!(limit.get(), 1);
        limit.succeeded(1);
        assert_eq!(limit.get(), 2);
        // A small request says nothing about larger ones.
        limit.succeeded(1);
        assert_eq!(limit.get(), 2);
        for _ in 0..50 {
            limit.succeeded(limit.get());
        }
        assert_eq!(limit.get(), MAX_BATCH);
    }
}
