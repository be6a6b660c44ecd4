//! The limits of a search, and the time for a move.

use hayasashi_shogi::rules::Move;
use std::time::Duration;

/// The limits of a search. Without limits it ends at its greatest depth or when it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// Most nodes. Under limits of nodes and depth alone, a search on one thread is repeatable.
    pub nodes: Option<u64>,
    /// Most iterations.
    pub depth: Option<u32>,
    /// Time for the move.
    pub time: Option<TimeControl>,
    /// Search until stopped, even if a mate is found or only one move is legal.
    pub infinite: bool,
}

/// The time given for a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// Use exactly this time.
    Exact(Duration),
    /// A game clock.
    Clock(GameClock),
}

/// The mover's game clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameClock {
    /// Time left.
    pub left: Duration,
    /// Added to the clock after each move.
    pub increment: Duration,
    /// Time for each move after the clock has run out.
    pub byoyomi: Duration,
}

/// The time for a move, from the start of the search or from `ponderhit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The target. An unstable search takes more and a stable one less ([`Budget::is_spent`]), unless the budget
    /// [`is_whole`](Budget::is_whole).
    pub soft: Duration,
    /// The search is aborted at this time.
    pub hard: Duration,
}

/// Expected number of moves until the end of the game.
const MOVES_TO_GO: u32 = 40;
/// Margins that are kept on a clock without need.
const RESERVED_MARGINS: u32 = 3;
/// Least time for a move, whatever the reserve.
const MIN_TIME: Duration = Duration::from_millis(5);

impl Budget {
    /// Whether all of the time is to be used, because time saved is lost.
    pub fn is_whole(&self) -> bool {
        self.soft == self.hard
    }

    /// The budget with this multiple of the target. Where all of the time is used, it stays as it is.
    pub(super) fn scaled(self, factor: f64) -> Budget {
        match self.is_whole() {
            true => self,
            false => Budget { soft: self.soft.mul_f64(factor).min(self.hard), ..self },
        }
    }

    /// Whether no new iteration should start after this time.
    pub fn is_spent(&self, clock: Duration, stability: &SearchStability) -> bool {
        let target = if self.is_whole() { self.hard } else { self.soft.mul_f64(stability.factor()).min(self.hard) };
        clock >= target
    }
}

/// How stable the best move and the score of a search are from iteration to iteration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchStability {
    best: Option<Move>,
    /// Changes of the best move; their weight halves with each iteration.
    changes: f64,
    /// Weighted mean of the scores in centipawns; later ones weigh more.
    mean: i32,
    /// How far the last score is below the previous mean, in centipawns.
    fall: i32,
}

/// Scores beyond this are equal: won or lost.
const DECIDED: i32 = 2_000;
/// A fall of the score by this many centipawns or more doubles the time.
const GREATEST_FALL: i32 = 150;

impl SearchStability {
    /// Records the best move and the score in centipawns of an iteration.
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

    /// The factor of the target time within which another iteration may start: 0.4 while the best move is stable, because
    /// an iteration takes several times as long as the previous one; 1.2 if it changes in each iteration; up to twice
    /// that if the score falls.
    pub fn factor(&self) -> f64 {
        (0.4 + 0.4 * self.changes.min(2.0)) * (1.0 + self.fall as f64 / GREATEST_FALL as f64)
    }
}

impl TimeControl {
    /// The budget under this control; `margin` is held in reserve for the delay of the GUI.
    ///
    /// With byoyomi alone, or less than that on the clock, the whole period is used, because unused time is lost.
    pub fn budget(self, margin: Duration) -> Budget {
        match self {
            TimeControl::Exact(time) => {
                let time = time.saturating_sub(margin).max(MIN_TIME);
                Budget { soft: time, hard: time }
            }
            TimeControl::Clock(clock) => {
                let most = (clock.left + clock.increment + clock.byoyomi).saturating_sub(margin).max(MIN_TIME);
                // The increment is added after the move, so it cannot be used for it.
                let most = if clock.byoyomi.is_zero() && !clock.left.is_zero() {
                    most.min(clock.left.saturating_sub(margin).max(MIN_TIME))
                } else {
                    most
                };
                if clock.left <= clock.byoyomi {
                    return Budget { soft: most, hard: most };
                }
                // A reserve stays on the clock, so that one late answer does not lose a game with small increments.
                let spare = clock.left.saturating_sub(margin * RESERVED_MARGINS);
                let share = spare / MOVES_TO_GO + clock.increment * 3 / 4 + clock.byoyomi * 3 / 4;
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
    fn exact_time_less_the_margin() {
        assert_eq!(TimeControl::Exact(ms(1000)).budget(ms(100)), Budget { soft: ms(900), hard: ms(900) });
        assert_eq!(TimeControl::Exact(ms(50)).budget(ms(100)).hard, MIN_TIME);
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

    #[test]
    fn the_target_is_scaled_within_the_limit() {
        let plain = clock(60_000, 0, 0);
        let scaled = |factor| plain.scaled(factor);
        assert_eq!(scaled(1.0), plain);
        assert!(scaled(0.5).soft < plain.soft && scaled(1.25).soft > plain.soft && scaled(1.25).hard == plain.hard);
        assert_eq!(scaled(100.0).soft, plain.hard);
        assert_eq!(clock(0, 0, 1000).scaled(0.5), clock(0, 0, 1000));
    }

    /// A hundred moves at the target time, each with a delay of 90 ms, which is within the margin.
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
    fn a_stable_search_ends_sooner_and_a_falling_one_later() {
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
        // All wins are equal, whether in three plies or in thirteen.
        assert_eq!(factor(&[(0, 31_997), (0, 31_987)]), settled);
        let budget = Budget { soft: ms(1000), hard: ms(4000) };
        let mut stability = SearchStability::default();
        assert!(!budget.is_spent(ms(399), &stability) && budget.is_spent(ms(400), &stability));
        stability.update(moves[0], 0);
        stability.update(moves[1], -500);
        assert!(!budget.is_spent(ms(1599), &stability) && budget.is_spent(ms(1600), &stability));
        // All of the time is used if unused time is lost.
        let whole = Budget { soft: ms(1000), hard: ms(1000) };
        assert!(whole.is_whole() && !whole.is_spent(ms(999), &stability) && whole.is_spent(ms(1000), &stability));
    }
}
