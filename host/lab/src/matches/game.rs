//! One game between two engines.

use super::{
    engine::{BestMove, EngineFailure, EngineProcess, EngineReply, MoveLimit},
    openings::Opening,
    virtual_time::Allowed,
};
use hayasashi_engine::search::{GamePath, Repeated};
use hayasashi_shogi::rules::{Color, Declaration, DeclarationRule, Move};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// When the match itself ends a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// Length in plies, opening included, at which a game is drawn.
    pub max_plies: usize,
    /// A game is adjudicated when the loser reports a score of at most minus this many centipawns and the winner at least this
    /// many; 0 turns adjudication off.
    pub resign_score: i32,
    /// Consecutive moves of each side that must have such scores.
    pub resign_moves: usize,
    /// The rule by which a win may be declared.
    pub rule: DeclarationRule,
    /// Time by which a reply may exceed its time limit.
    pub grace: Duration,
    /// Time limit of a reply where the search limit has no time.
    pub reply_timeout: Duration,
}

/// Why a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The loser has no legal move.
    NoMove,
    /// The loser resigned.
    Resigned,
    /// The scores of both sides met [`Adjudication::resign_score`].
    Adjudicated,
    /// The fourth occurrence of a position.
    Repetition,
    /// The fourth occurrence, with every move of the loser a check.
    PerpetualCheck,
    /// The winner declared a win by entering king.
    Declared,
    /// The loser declared a win without meeting the conditions.
    WrongDeclaration,
    /// The loser's move is illegal; the text is the engine's.
    IllegalMove(String),
    /// The loser ran out of time.
    Time,
    /// The loser's process exited.
    Exited,
    /// The loser's process did not reply.
    NoReply,
    /// The game reached [`Adjudication::max_plies`].
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
            Ending::Exited => "engine ended",
            Ending::NoReply => "engine silent",
            Ending::MaxPlies => "max plies",
        })
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// `None` for a draw.
    pub winner: Option<Color>,
    /// Why it ended.
    pub ending: Ending,
    /// The moves after the opening.
    pub moves: Vec<Move>,
}

/// A side's clock. Only [`MoveLimit::Clock`] carries time from move to move.
struct Clock {
    limit: MoveLimit,
    left: Duration,
}

impl Clock {
    fn new(limit: MoveLimit) -> Clock {
        let left = if let MoveLimit::Clock { main, .. } = limit { main } else { Duration::ZERO };
        Clock { limit, left }
    }

    /// Time limit of the next move, if there is one.
    fn allowed(&self) -> Option<Duration> {
        match self.limit {
            MoveLimit::Move(time) => Some(time),
            MoveLimit::Clock { byoyomi, .. } => Some(self.left + byoyomi),
            _ => None,
        }
    }

    /// Subtracts the time of a move and adds the increment.
    fn take(&mut self, elapsed: Duration) {
        if let MoveLimit::Clock { increment, .. } = self.limit {
            self.left = self.left.saturating_sub(elapsed) + increment;
        }
    }
}

/// The arguments of `go` after so many moves; `clocks` are Black's and White's.
fn go(limit: MoveLimit, clocks: &[Clock; 2], played: usize) -> String {
    match limit {
        MoveLimit::Nodes(nodes) => format!("nodes {nodes}"),
        MoveLimit::Depth(depth) => format!("depth {depth}"),
        MoveLimit::Move(time) => format!("movetime {}", time.as_millis()),
        MoveLimit::Virtual(time, hardware) => match hardware.allowed(time, played) {
            // A step makes one move or none, so that this many nodes are no further limit.
            Allowed::Nodes(number) | Allowed::Steps(number) => format!("nodes {number}"),
        },
        MoveLimit::Clock { increment, byoyomi, .. } => {
            let [black, white] = [0, 1].map(|c| clocks[c].left.as_millis());
            let mut text = format!("btime {black} wtime {white}");
            // Some engines reject an increment of zero combined with byoyomi.
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

/// Detects that both sides have reported the same winner for long enough.
#[derive(Default)]
struct ScoreAgreement {
    scores: Vec<i32>,
}

impl ScoreAgreement {
    /// Adds the mover's score. `Some(true)`: the game is adjudicated as lost for the mover; `Some(false)`: as won.
    fn add(&mut self, score: Option<i32>, by: &Adjudication) -> Option<bool> {
        let Some(score) = score.filter(|_| by.resign_score > 0) else {
            self.scores.clear();
            return None;
        };
        self.scores.push(score);
        let last = self.scores.iter().rev().take(2 * by.resign_moves.max(1));
        // The scores alternate between the sides; the last one is the mover's.
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

/// Plays a game; `engines` and `limits` are Black's and White's. `None` when interrupted.
pub fn play(
    engines: [&mut EngineProcess; 2],
    limits: [MoveLimit; 2],
    opening: &Opening,
    by: &Adjudication,
    interrupt: &AtomicBool,
) -> Option<FinishedGame> {
    for color in Color::ALL {
        if let Err(failure) = engines[color.index()].new_game(interrupt) {
            let winner = Some(color.opponent());
            return Some(FinishedGame { winner, ending: ending(failure)?, moves: Vec::new() });
        }
    }
    let mut path = GamePath::new(opening.command.start.clone());
    opening.command.moves.iter().for_each(|&mv| path.do_move(mv));
    let clocks = limits.map(Clock::new);
    let mut game = Game { path, clocks, agreement: ScoreAgreement::default(), moves: Vec::new(), opening, by };
    let (winner, ending) = loop {
        if let Some(end) = game.end_by_rule() {
            break end;
        }
        let mover = game.path.side_to_move();
        if let Some(end) = game.play_move(engines[mover.index()], interrupt)? {
            break end;
        }
    };
    // An engine that was interrupted together with the match has not lost.
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
    Some(FinishedGame { winner, ending, moves: game.moves })
}

/// The winner, if there is one, and the ending.
type End = (Option<Color>, Ending);

/// A game in progress.
struct Game<'a> {
    path: GamePath,
    clocks: [Clock; 2],
    agreement: ScoreAgreement,
    /// The moves after the opening.
    moves: Vec<Move>,
    opening: &'a Opening,
    by: &'a Adjudication,
}

impl Game<'_> {
    /// The end of the game in the current position, before a move.
    fn end_by_rule(&self) -> Option<End> {
        let mover = self.path.side_to_move();
        let other = Some(mover.opponent());
        match self.path.game_end() {
            Some(Repeated::Draw) => return Some((None, Ending::Repetition)),
            Some(Repeated::Win) => return Some((Some(mover), Ending::PerpetualCheck)),
            Some(Repeated::Loss) => return Some((other, Ending::PerpetualCheck)),
            None => {}
        }
        if !self.path.has_legal_move() {
            return Some((other, Ending::NoMove));
        }
        let plies = self.opening.command.moves.len() + self.moves.len();
        (plies >= self.by.max_plies).then_some((None, Ending::MaxPlies))
    }

    /// Plays one move of the side to move, or returns the end of the game. `None` when interrupted.
    fn play_move(&mut self, engine: &mut EngineProcess, interrupt: &AtomicBool) -> Option<Option<End>> {
        let mover = self.path.side_to_move();
        let other = Some(mover.opponent());
        let clock = &self.clocks[mover.index()];
        let allowed = clock.allowed();
        let timeout = allowed.map_or(self.by.reply_timeout, |time| time + self.by.grace + Duration::from_secs(1));
        let played = self.path.moves().count();
        let arguments = go(clock.limit, &self.clocks, played);
        if let MoveLimit::Virtual(time, hardware) = clock.limit {
            if let Allowed::Steps(steps) = hardware.allowed(time, played) {
                engine.set_option("ChipSteps", steps);
            }
        }
        let reply = engine.search(&self.opening.usi(&self.moves), &arguments, timeout, interrupt);
        let EngineReply { best, score, elapsed, .. } = match reply {
            Ok(reply) => reply,
            Err(failure) => return Some(Some((other, ending(failure)?))),
        };
        if allowed.is_some_and(|time| elapsed > time + self.by.grace) {
            return Some(Some((other, Ending::Time)));
        }
        self.clocks[mover.index()].take(elapsed);
        Some(self.accept(best, score).err())
    }

    /// Plays the move of a reply; the end of the game as an error.
    fn accept(&mut self, best: BestMove, score: Option<i32>) -> Result<(), End> {
        let mover = self.path.side_to_move();
        let other = Some(mover.opponent());
        let text = match best {
            BestMove::Resign => return Err((other, Ending::Resigned)),
            BestMove::Win => {
                return Err(match self.path.declaration(self.by.rule) {
                    Declaration::Win => (Some(mover), Ending::Declared),
                    Declaration::Draw => (None, Ending::Declared),
                    Declaration::NotAllowed => (other, Ending::WrongDeclaration),
                })
            }
            BestMove::Move(text) => text,
        };
        let Some(mv) = Move::from_usi(&text).filter(|&mv| self.path.is_legal(mv)) else {
            return Err((other, Ending::IllegalMove(text)));
        };
        match self.agreement.add(score, self.by) {
            Some(true) => return Err((other, Ending::Adjudicated)),
            Some(false) => return Err((Some(mover), Ending::Adjudicated)),
            None => {}
        }
        self.path.do_move(mv);
        self.moves.push(mv);
        Ok(())
    }
}

/// The ending of a game whose engine failed; `None` when the match was interrupted.
fn ending(failure: EngineFailure) -> Option<Ending> {
    match failure {
        EngineFailure::Exited => Some(Ending::Exited),
        EngineFailure::NoReply => Some(Ending::NoReply),
        EngineFailure::Interrupted => None,
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
        reply_timeout: Duration::ZERO,
    };

    fn verdicts(scores: &[i32]) -> Vec<Option<bool>> {
        let mut agreement = ScoreAgreement::default();
        scores.iter().map(|&s| agreement.add(Some(s), &BY)).collect()
    }

    #[test]
    fn a_game_is_adjudicated_when_both_scores_agree() {
        assert_eq!(verdicts(&[1500, -1200, 1400, -1300]), [None, None, None, Some(true)]);
        assert_eq!(verdicts(&[-1500, 1200, -1400, 1300]), [None, None, None, Some(false)]);
        assert_eq!(verdicts(&[1500, -1200, 900, -1300]), [None; 4]);
        assert_eq!(verdicts(&[1500, 1200, 1500, 1300]), [None; 4]);
        let mut silent = ScoreAgreement::default();
        assert_eq!([Some(2000), Some(-2000), None, Some(-2000)].map(|s| silent.add(s, &BY)), [None; 4]);
    }

    #[test]
    fn clocks_run_down_and_add_their_increment() {
        let ms = Duration::from_millis;
        let limit = MoveLimit::Clock { main: ms(1000), increment: ms(100), byoyomi: ms(0) };
        let mut clock = Clock::new(limit);
        assert_eq!(clock.allowed(), Some(ms(1000)));
        clock.take(ms(300));
        assert_eq!(clock.left, ms(800));
        assert_eq!(go(limit, &[clock, Clock::new(limit)], 0), "btime 800 wtime 1000 binc 100 winc 100");
        let limit = MoveLimit::Clock { main: ms(0), increment: ms(0), byoyomi: ms(50) };
        let mut clock = Clock::new(limit);
        clock.take(ms(30));
        assert_eq!(clock.allowed(), Some(ms(50)));
        assert_eq!(go(limit, &[clock, Clock::new(limit)], 0), "btime 0 wtime 0 byoyomi 50");
    }
}
