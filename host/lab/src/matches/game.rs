//! One game between two engines.

use super::{
    engine::{Best, EngineProcess, EngineReply, Lost, Pace},
    openings::Opening,
};
use hayasashi_engine::search::{GamePath, Repeated};
use hayasashi_shogi::rules::{Color, Declaration, DeclarationRule, Move};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// When the match ends a game, rather than the engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// Plies, opening included, after which a game is drawn.
    pub max_plies: usize,
    /// A side that tells at most minus this many centipawns, while the other tells at least this many, is losing; 0
    /// for never.
    pub resign_score: i32,
    /// It loses after so many moves in a row of each side.
    pub resign_moves: usize,
    /// By which rule a win may be declared.
    pub rule: DeclarationRule,
    /// How much later than allowed an answer may come.
    pub grace: Duration,
    /// How long an answer may take where no time is set.
    pub patience: Duration,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The loser has no legal move.
    NoMove,
    /// The loser resigned.
    Resigned,
    /// Both sides told scores as [`Adjudication::resign_score`] says.
    Adjudicated,
    /// The fourth occurrence of a position.
    Repetition,
    /// The same, and the loser gave check all the time.
    PerpetualCheck,
    /// The winner declared.
    Declared,
    /// The loser declared without the right to.
    WrongDeclaration,
    /// The loser's move, as it was written, is not legal.
    IllegalMove(String),
    /// The loser's time was up.
    Time,
    /// The loser's process ended.
    Ended,
    /// The loser's process did not answer.
    Silent,
    /// [`Adjudication::max_plies`].
    MaxPlies,
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Ending::NoMove => "no legal move",
            Ending::Resigned => "resignation",
            Ending::Adjudicated => "adjudication by score",
            Ending::Repetition => "repetition",
            Ending::PerpetualCheck => "perpetual check",
            Ending::Declared => "declaration",
            Ending::WrongDeclaration => "wrong declaration",
            Ending::IllegalMove(text) => return write!(f, "illegal move `{text}`"),
            Ending::Time => "time",
            Ending::Ended => "engine ended",
            Ending::Silent => "engine silent",
            Ending::MaxPlies => "max plies",
        })
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// `None` for a draw.
    pub winner: Option<Color>,
    /// Why it ended.
    pub ending: Ending,
    /// The moves after the opening.
    pub moves: Vec<Move>,
}

/// A side's clock. Only [`Pace::Clock`] keeps anything from move to move.
struct Clock {
    pace: Pace,
    left: Duration,
}

impl Clock {
    fn new(pace: Pace) -> Clock {
        let left = if let Pace::Clock { main, .. } = pace { main } else { Duration::ZERO };
        Clock { pace, left }
    }

    /// Time for the next move, if there is a limit.
    fn allowed(&self) -> Option<Duration> {
        match self.pace {
            Pace::Move(time) => Some(time),
            Pace::Clock { byoyomi, .. } => Some(self.left + byoyomi),
            _ => None,
        }
    }

    /// Takes the time of a move.
    fn take(&mut self, elapsed: Duration) {
        if let Pace::Clock { increment, .. } = self.pace {
            self.left = self.left.saturating_sub(elapsed) + increment;
        }
    }
}

/// What follows `go `, for the clocks of Black and White.
fn go(pace: Pace, clocks: &[Clock; 2]) -> String {
    match pace {
        Pace::Nodes(nodes) => format!("nodes {nodes}"),
        Pace::Depth(depth) => format!("depth {depth}"),
        Pace::Move(time) => format!("movetime {}", time.as_millis()),
        Pace::Clock { increment, byoyomi, .. } => {
            let [black, white] = [0, 1].map(|c| clocks[c].left.as_millis());
            let mut text = format!("btime {black} wtime {white}");
            // Some engines take an increment of zero together with byoyomi for a contradiction.
            if !increment.is_zero() {
                text += &format!(" binc {0} winc {0}", increment.as_millis());
            }
            if increment.is_zero() || !byoyomi.is_zero() {
                text += &format!(" byoyomi {}", byoyomi.as_millis());
            }
            text
        }
    }
}

/// Counts how long both sides have agreed on who is losing.
#[derive(Default)]
struct Agreement {
    scores: Vec<i32>,
}

impl Agreement {
    /// Takes the mover's score; whether the mover has lost by it (`Some(true)`), or won (`Some(false)`).
    fn hear(&mut self, score: Option<i32>, by: &Adjudication) -> Option<bool> {
        let Some(score) = score.filter(|_| by.resign_score > 0) else {
            self.scores.clear();
            return None;
        };
        self.scores.push(score);
        let last = self.scores.iter().rev().take(2 * by.resign_moves.max(1));
        // Every second score is the mover's.
        let agreed = |lost: bool| {
            let sign = if lost { -1 } else { 1 };
            let mut last = last.clone().enumerate();
            last.all(|(i, &s)| if i % 2 == 0 { sign * s >= by.resign_score } else { sign * s <= -by.resign_score })
        };
        if self.scores.len() < 2 * by.resign_moves.max(1) {
            return None;
        }
        [true, false].into_iter().find(|&lost| agreed(lost))
    }
}

/// Plays a game; `engines` and `paces` are Black's and White's. `None` when interrupted.
pub fn play(
    engines: [&mut EngineProcess; 2],
    paces: [Pace; 2],
    opening: &Opening,
    by: &Adjudication,
    interrupt: &AtomicBool,
) -> Option<Played> {
    let mut path = GamePath::new(opening.command.start.clone());
    opening.command.moves.iter().for_each(|&mv| path.do_move(mv));
    let mut clocks = paces.map(Clock::new);
    let mut agreement = Agreement::default();
    let mut moves = Vec::new();
    for color in Color::ALL {
        if let Err(lost) = engines[color.index()].new_game(interrupt) {
            return Some(Played { winner: Some(color.opponent()), ending: ending(lost)?, moves });
        }
    }
    let (winner, ending) = loop {
        let mover = path.side_to_move();
        let other = Some(mover.opponent());
        match path.game_end() {
            Some(Repeated::Draw) => break (None, Ending::Repetition),
            Some(Repeated::Win) => break (Some(mover), Ending::PerpetualCheck),
            Some(Repeated::Loss) => break (other, Ending::PerpetualCheck),
            None => {}
        }
        if !path.has_legal_move() {
            break (other, Ending::NoMove);
        }
        if opening.command.moves.len() + moves.len() >= by.max_plies {
            break (None, Ending::MaxPlies);
        }
        let clock = &clocks[mover.index()];
        let allowed = clock.allowed();
        let patience = allowed.map_or(by.patience, |time| time + by.grace + Duration::from_secs(1));
        let question = go(clock.pace, &clocks);
        let answer = engines[mover.index()].think(&opening.usi(&moves), &question, patience, interrupt);
        let EngineReply { best, score, elapsed, .. } = match answer {
            Ok(answer) => answer,
            Err(lost) => break (other, ending(lost)?),
        };
        if allowed.is_some_and(|time| elapsed > time + by.grace) {
            break (other, Ending::Time);
        }
        clocks[mover.index()].take(elapsed);
        let text = match best {
            Best::Resign => break (other, Ending::Resigned),
            Best::Win => match path.declaration(by.rule) {
                Declaration::Win => break (Some(mover), Ending::Declared),
                Declaration::Draw => break (None, Ending::Declared),
                Declaration::NotAllowed => break (other, Ending::WrongDeclaration),
            },
            Best::Move(text) => text,
        };
        let Some(mv) = Move::from_usi(&text).filter(|&mv| path.is_legal(mv)) else {
            break (other, Ending::IllegalMove(text));
        };
        match agreement.hear(score, by) {
            Some(true) => break (other, Ending::Adjudicated),
            Some(false) => break (Some(mover), Ending::Adjudicated),
            None => {}
        }
        path.do_move(mv);
        moves.push(mv);
    };
    // An engine that was killed together with the match has not lost.
    if interrupt.load(Ordering::Relaxed) {
        return None;
    }
    for (engine, color) in engines.into_iter().zip(Color::ALL) {
        engine.game_over(match winner {
            None => "draw",
            Some(winner) if winner == color => "win",
            Some(_) => "lose",
        });
    }
    Some(Played { winner, ending, moves })
}

/// How a lost engine ends its game; `None` when it is the match that was interrupted.
fn ending(lost: Lost) -> Option<Ending> {
    match lost {
        Lost::Ended => Some(Ending::Ended),
        Lost::Silent => Some(Ending::Silent),
        Lost::Interrupted => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY: Adjudication = Adjudication {
        max_plies: 10,
        resign_score: 1000,
        resign_moves: 2,
        rule: DeclarationRule::Points27,
        grace: Duration::ZERO,
        patience: Duration::ZERO,
    };

    fn verdicts(scores: &[i32]) -> Vec<Option<bool>> {
        let mut agreement = Agreement::default();
        scores.iter().map(|&s| agreement.hear(Some(s), &BY)).collect()
    }

    #[test]
    fn a_game_is_given_up_when_both_agree() {
        assert_eq!(verdicts(&[1500, -1200, 1400, -1300]), [None, None, None, Some(true)]);
        assert_eq!(verdicts(&[-1500, 1200, -1400, 1300]), [None, None, None, Some(false)]);
        assert_eq!(verdicts(&[1500, -1200, 900, -1300]), [None; 4]);
        assert_eq!(verdicts(&[1500, 1200, 1500, 1300]), [None; 4]);
        let mut silent = Agreement::default();
        assert_eq!([Some(2000), Some(-2000), None, Some(-2000)].map(|s| silent.hear(s, &BY)), [None; 4]);
    }

    #[test]
    fn clocks_run_down_and_gain_their_increment() {
        let ms = Duration::from_millis;
        let pace = Pace::Clock { main: ms(1000), increment: ms(100), byoyomi: ms(0) };
        let mut clock = Clock::new(pace);
        assert_eq!(clock.allowed(), Some(ms(1000)));
        clock.take(ms(300));
        assert_eq!(clock.left, ms(800));
        assert_eq!(go(pace, &[clock, Clock::new(pace)]), "btime 800 wtime 1000 binc 100 winc 100");
        let pace = Pace::Clock { main: ms(0), increment: ms(0), byoyomi: ms(50) };
        let mut clock = Clock::new(pace);
        clock.take(ms(30));
        assert_eq!(clock.allowed(), Some(ms(50)));
        assert_eq!(go(pace, &[clock, Clock::new(pace)]), "btime 0 wtime 0 byoyomi 50");
    }
}
