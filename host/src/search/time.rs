//! Limits of a search and the time to spend on a move.

use std::time::Duration;

/// What ends a search. Without any limit it ends at [`super::MAX_PLY`] or when it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes to search at most. The search is exactly repeatable under this limit and that of depth.
    pub nodes: Option<u64>,
    /// Iterations to make at most.
    pub depth: Option<u32>,
    /// Time to use.
    pub time: Option<TimeControl>,
    /// Keep on until stopped, even when a mate is found or one move alone is legal.
    pub infinite: bool,
}

/// The time given for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// This time, used up.
    Exact(Duration),
    /// A game clock.
    Clock(Clock),
}

/// The mover's game clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub left: Duration,
    /// Added to the time left after each move.
    pub increment: Duration,
    /// Time for each move once nothing is left.
    pub byoyomi: Duration,
}

/// When to stop, counted from the start of the search (or from `ponderhit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration is begun after this time.
    pub soft: Duration,
    /// The search is broken off at this time.
    pub hard: Duration,
}

/// Moves that the rest of the game is expected to take.
const MOVES_TO_GO: u32 = 40;
/// What no margin takes away.
const LEAST: Duration = Duration::from_millis(5);

impl TimeControl {
    /// The budget under this control, where `margin` is kept back for the way to the GUI and back.
    ///
    /// With byoyomi alone (or with a clock smaller than it) the whole period is used, as nothing is carried over.
    pub fn budget(self, margin: Duration) -> Budget {
        match self {
            TimeControl::Exact(time) => {
                let time = time.saturating_sub(margin).max(LEAST);
                Budget { soft: time, hard: time }
            }
            TimeControl::Clock(clock) => {
                let most = (clock.left + clock.increment + clock.byoyomi).saturating_sub(margin).max(LEAST);
                // An increment that is added after the move cannot be used for it when nothing else is left.
                let most = if clock.byoyomi.is_zero() && !clock.left.is_zero() {
                    most.min(clock.left.saturating_sub(margin).max(LEAST))
                } else {
                    most
                };
                if clock.left <= clock.byoyomi {
                    return Budget { soft: most, hard: most };
                }
                let share = clock.left / MOVES_TO_GO + clock.increment * 3 / 4 + clock.byoyomi * 3 / 4;
                let hard = (share * 4).max(clock.byoyomi).min(most);
                Budget { soft: share.min(hard), hard }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    fn clock(left: u64, increment: u64, byoyomi: u64) -> Budget {
        TimeControl::Clock(Clock { left: ms(left), increment: ms(increment), byoyomi: ms(byoyomi) }).budget(ms(100))
    }

    #[test]
    fn exact_time_less_margin() {
        assert_eq!(TimeControl::Exact(ms(1000)).budget(ms(100)), Budget { soft: ms(900), hard: ms(900) });
        assert_eq!(TimeControl::Exact(ms(50)).budget(ms(100)).hard, LEAST);
    }

    #[test]
    fn byoyomi_is_used_up() {
        assert_eq!(clock(0, 0, 1000), Budget { soft: ms(900), hard: ms(900) });
    }

    #[test]
    fn never_more_than_the_clock() {
        for (left, increment, byoyomi) in [(60_000, 0, 0), (500, 0, 0), (300, 5_000, 0), (60_000, 1_000, 0)] {
            let b = clock(left, increment, byoyomi);
            assert!(b.hard + ms(100) <= ms(left) && b.soft <= b.hard, "{left} {increment} {b:?}");
        }
        let b = clock(60_000, 0, 10_000);
        assert!(b.soft >= ms(8_000) && b.hard >= ms(10_000) && b.hard <= ms(69_900), "{b:?}");
    }
}
