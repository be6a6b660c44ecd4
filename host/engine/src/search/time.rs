//! Limits of a search and the time to spend on a move.

use hayasashi_shogi::rules::Move;
use std::time::Duration;

/// What ends a search. Without any limit it ends at [`super::MAX_PLY`] or when it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
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
    Clock(GameClock),
}

/// The mover's game clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameClock {
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
    /// What the move should take. A search that is not settled takes more, one that is takes less
    /// ([`Budget::is_spent`]), unless it is [`Budget::is_whole`].
    pub soft: Duration,
    /// The search is broken off at this time.
    pub hard: Duration,
}

/// Moves that the rest of the game is expected to take.
const MOVES_TO_GO: u32 = 40;
/// What no margin takes away.
const LEAST: Duration = Duration::from_millis(5);

impl Budget {
    /// Whether all of the time is to be used: nothing that is saved could be used later.
    pub fn is_whole(&self) -> bool {
        self.soft == self.hard
    }

    /// Whether no new iteration should begin, so long after the start.
    pub fn is_spent(&self, clock: Duration, stability: &SearchStability) -> bool {
        let wanted = if self.is_whole() { self.hard } else { self.soft.mul_f64(stability.factor()).min(self.hard) };
        clock >= wanted
    }
}

/// How settled a search is on its move and score, from iteration to iteration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchStability {
    best: Option<Move>,
    /// Changes of the best move; each counts half as much after another iteration.
    changes: f64,
    /// Mean of the scores, later ones weighing more, in centipawns.
    mean: i32,
    /// How far the last score lies below the mean before it.
    fall: i32,
}

/// Scores beyond are all the same: won or lost.
const DECIDED: i32 = 2_000;
/// A fall of the score by so many centipawns, or more, doubles the time.
const GREATEST_FALL: i32 = 150;

impl SearchStability {
    /// Hears of an iteration: its best move, and its score in centipawns.
    pub fn update(&mut self, best: Move, score: i32) {
        let score = score.clamp(-DECIDED, DECIDED);
        let before = self.best.replace(best);
        self.changes = self.changes / 2.0 + if before.is_some_and(|b| b != best) { 1.0 } else { 0.0 };
        if before.is_none() {
            self.mean = score;
        }
        self.fall = (self.mean - score).clamp(0, GREATEST_FALL);
        self.mean += (score - self.mean) / 3;
    }

    /// By what to multiply the time that a move should take before another iteration is begun: 0.4 where the best move
    /// has long been the same, as an iteration takes several times as long as the one before; 1.2 where each iteration
    /// brings another; up to twice that where the score falls.
    pub fn factor(&self) -> f64 {
        (0.4 + 0.4 * self.changes.min(2.0)) * (1.0 + self.fall as f64 / GREATEST_FALL as f64)
    }
}

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
        TimeControl::Clock(GameClock { left: ms(left), increment: ms(increment), byoyomi: ms(byoyomi) }).budget(ms(100))
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

    /// A side's hundred moves of what each should take, and 90 ms lost on the way, within the margin.
    #[test]
    fn a_long_game_is_not_lost_on_time() {
        for (mut left, increment, byoyomi) in [(60_000, 0, 0), (60_000, 1_000, 0), (2_000, 500, 0), (20_000, 0, 1_000)]
        {
            for at in 0..100 {
                let taken = clock(left, increment, byoyomi).soft.as_millis() as u64 + 90;
                assert!(taken <= left + byoyomi, "move {at}: {taken} ms of {left} ms");
                left = (left + increment).saturating_sub(taken);
            }
        }
    }

    #[test]
    fn a_settled_search_ends_sooner_and_a_falling_one_later() {
        let moves: Vec<Move> = ["7g7f", "2g2f"].iter().map(|m| Move::from_usi(m).unwrap()).collect();
        let factor = |iterations: &[(usize, i32)]| {
            let mut stability = SearchStability::default();
            iterations.iter().for_each(|&(mv, score)| stability.update(moves[mv], score));
            stability.factor()
        };
        let settled = factor(&[(0, 30); 8]);
        let changed = factor(&[(0, 30), (0, 30), (1, 30)]);
        let forgotten = factor(&[(0, 30), (1, 30), (1, 30), (1, 30), (1, 30)]);
        let falling = factor(&[(0, 30), (0, 30), (0, -60)]);
        let rising = factor(&[(0, 30), (0, 30), (0, 300)]);
        let restless = factor(&[(0, 0), (1, -50), (0, -100), (1, -400), (0, -32_000)]);
        assert!(settled == 0.4 && rising == settled, "{settled} {rising}");
        assert!(settled < forgotten && forgotten < changed && settled < falling, "{forgotten} {changed} {falling}");
        assert!(restless > changed && restless <= 2.4, "{restless}");
        // Won is won, whether in three plies or in thirteen.
        assert_eq!(factor(&[(0, 31_997), (0, 31_987)]), settled);
        let budget = Budget { soft: ms(1000), hard: ms(4000) };
        let mut stability = SearchStability::default();
        assert!(!budget.is_spent(ms(399), &stability) && budget.is_spent(ms(400), &stability));
        stability.update(moves[0], 0);
        stability.update(moves[1], -500);
        assert!(!budget.is_spent(ms(1599), &stability) && budget.is_spent(ms(1600), &stability));
        // Where nothing is carried over, nothing is saved.
        let whole = Budget { soft: ms(1000), hard: ms(1000) };
        assert!(whole.is_whole() && !whole.is_spent(ms(999), &stability) && whole.is_spent(ms(1000), &stability));
    }
}
