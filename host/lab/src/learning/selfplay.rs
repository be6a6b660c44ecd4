//! Self-play: games of the engine against itself, every position labelled with the score of a search and the result.
//!
//! A game is a function of the settings and its number, so that a run that was killed goes on where it was: the file has
//! a line for each finished game, as [`hayasashi_shogi::records`] reads it, and what is missing is played.

use super::LearnError;
use crate::matches::openings::Opening;
use hayasashi_accel::ModelBackend;
use hayasashi_engine::search::{score::MATE, Decision, GamePath, MoveSource, Repeated, SearchLimits, Searcher};
use hayasashi_engine::Control;
use hayasashi_model::{evaluate::EvalTable, Model};
use hayasashi_shogi::{
    random::Random,
    rules::{Color, MoveList},
};
use std::{
    collections::BTreeSet,
    fs::File,
    io::Write,
    path::Path as FilePath,
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        Arc, Mutex,
    },
};

/// Mebibytes of a player's transposition table: a few thousand nodes do not fill it.
const HASH_MIB: usize = 2;
/// An opening is broken off after at least so many plies, so that more different games begin.
const LEAST_OPENING: usize = 4;
/// At most so many random moves follow the opening.
const RANDOM_MOVES: usize = 3;
/// A game that has gone on so long is drawn.
const MAX_PLIES: usize = 320;
/// A side is given up when so many searches in a row tell this score, whoever is to move.
const DECIDED: (i32, usize) = (2500, 5);

/// What is played.
pub struct SelfPlay {
    /// The evaluation of both players.
    pub table: Arc<EvalTable>,
    /// Where games begin.
    pub openings: Vec<Opening>,
    /// Nodes for each move.
    pub nodes: u64,
    /// Games to play in all.
    pub games: u64,
    /// Another seed gives other games.
    pub seed: u64,
    /// Games played at a time.
    pub threads: usize,
}

impl SelfPlay {
    /// First line of the file: games of other settings must not be mixed with these.
    fn heading(&self) -> String {
        let checksum = self.table.header().checksum;
        let (nodes, seed, openings) = (self.nodes, self.seed, self.openings.len());
        format!("# self-play: table {checksum:#010x}, {nodes} nodes a move, seed {seed}, {openings} openings")
    }

    /// Plays the games that `file` does not have yet, until all are there or `stop` is set. `tell` hears of each that
    /// is there, how many there are.
    ///
    /// # Errors
    /// A file that cannot be read or written, or has games of other settings.
    pub fn play(&self, file: &FilePath, stop: &AtomicBool, tell: &(dyn Fn(u64) + Sync)) -> Result<(), LearnError> {
        let (out, mut played) = self.open(file)?;
        played.retain(|&game| game < self.games);
        tell(played.len() as u64);
        let missing: Vec<u64> = (0..self.games).filter(|game| !played.contains(game)).collect();
        let (next, done) = (AtomicU64::new(0), AtomicU64::new(played.len() as u64));
        let out = Mutex::new(out);
        let failure = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    let chip = Arc::new(ModelBackend::with_model(Model::with_table(self.table.clone())));
                    let mut searcher = Searcher::new(MoveSource::direct(chip, self.table.clone()), HASH_MIB);
                    while !stop.load(Ordering::Relaxed) {
                        let at = next.fetch_add(1, Ordering::Relaxed) as usize;
                        let Some(&game) = missing.get(at) else { break };
                        let Some(line) = self.game(&mut searcher, game, stop) else { break };
                        let mut out = out.lock().expect("no thread panics while it writes");
                        if let Err(reason) = out.write_all(line.as_bytes()) {
                            let error = LearnError::File { verb: "write", file: file.into(), reason };
                            failure.lock().expect("nor here").get_or_insert(error);
                            break;
                        }
                        tell(done.fetch_add(1, Ordering::Relaxed) + 1);
                    }
                });
            }
        });
        failure.into_inner().expect("nor here").map_or(Ok(()), Err)
    }

    /// Opens the file for more games, without the line that a kill may have left unfinished; gives the games it has.
    fn open(&self, file: &FilePath) -> Result<(File, BTreeSet<u64>), LearnError> {
        let failed = |verb| move |reason| LearnError::File { verb, file: file.into(), reason };
        let text = match std::fs::read_to_string(file) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.map_err(failed("read"))?,
        };
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut out = File::options().create(true).append(true).open(file).map_err(failed("open"))?;
        out.set_len(whole as u64).map_err(failed("write"))?;
        let mut lines = text[..whole].lines();
        match lines.next() {
            None => writeln!(out, "{}", self.heading()).map_err(failed("write"))?,
            Some(found) if found == self.heading() => {}
            Some(found) => {
                let (found, expected) = (found.to_string(), self.heading());
                return Err(LearnError::OtherSelfPlay { file: file.into(), found, expected });
            }
        }
        let number = |line: &str| line.rsplit_once("\tgame ").and_then(|(_, number)| number.parse().ok());
        Ok((out, lines.filter_map(number).collect()))
    }

    /// Plays a game; its line, or `None` when stopped.
    fn game(&self, searcher: &mut Searcher, game: u64, stop: &AtomicBool) -> Option<String> {
        searcher.clear();
        let mut random = Random::new(self.seed, game);
        let opening = &self.openings[random.below(self.openings.len())].command;
        let most = opening.moves.len();
        let plies = if most <= LEAST_OPENING { most } else { LEAST_OPENING + random.below(most - LEAST_OPENING + 1) };
        let mut path = GamePath::new(opening.start.clone());
        opening.moves[..plies].iter().for_each(|&mv| path.do_move(mv));
        for _ in 0..random.below(RANDOM_MOVES + 1) {
            let mut moves = MoveList::new();
            path.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            path.do_move(moves[random.below(moves.len())]);
        }
        let unscored = path.moves().count();
        let limits = SearchLimits { nodes: Some(self.nodes), ..SearchLimits::default() };
        let mut scores: Vec<i32> = Vec::new();
        let winner = loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let mover = path.side_to_move();
            match path.game_end() {
                Some(Repeated::Draw) => break None,
                Some(Repeated::Win) => break Some(mover),
                Some(Repeated::Loss) => break Some(mover.opponent()),
                None if unscored + scores.len() >= MAX_PLIES => break None,
                None => {}
            }
            let outcome = searcher.search(&path, &limits, &[], &Control::default(), &mut |_| {});
            let mv = match outcome.decision {
                Decision::Move(mv, _) => mv,
                Decision::Declare => break Some(mover),
                Decision::Resign => break Some(mover.opponent()),
            };
            path.do_move(mv);
            scores.push(outcome.report.score.clamp(-MATE, MATE));
            if let Some(winner) = decided(&scores, mover) {
                break Some(winner);
            }
        };
        let result = match winner {
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
            None => "draw",
        };
        let start =
            Opening { command: hayasashi_shogi::rules::PositionCommand { moves: Vec::new(), ..opening.clone() } };
        let moves: Vec<_> = path.moves().collect();
        let none = std::iter::repeat_n("-".to_string(), unscored);
        let scores: Vec<String> = none.chain(scores.iter().map(i32::to_string)).collect();
        Some(format!("{result}\t{}\t{}\tgame {game}\n", start.usi(&moves), scores.join(" ")))
    }
}

/// Who wins, where both have seen it for long enough; `last` made the last of the moves that the scores belong to.
fn decided(scores: &[i32], last: Color) -> Option<Color> {
    let (limit, count) = DECIDED;
    if scores.len() < count {
        return None;
    }
    let of_last = |wins: bool| {
        let sign = if wins { 1 } else { -1 };
        let mut recent = scores.iter().rev().take(count).enumerate();
        recent.all(|(i, &s)| if i % 2 == 0 { sign * s >= limit } else { sign * s <= -limit })
    };
    match (of_last(true), of_last(false)) {
        (true, _) => Some(last),
        (_, true) => Some(last.opponent()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_model::evaluate::first_table;

    fn setting(games: u64) -> SelfPlay {
        let openings = vec![Opening::parse("startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e").unwrap()];
        SelfPlay { table: Arc::new(first_table()), openings, nodes: 60, games, seed: 5, threads: 1 }
    }

    #[test]
    fn a_game_is_decided_when_both_say_so() {
        assert_eq!(decided(&[-3000, 3000, -3000, 3000, -3000], Color::Black), Some(Color::White));
        assert_eq!(decided(&[3000, -3000, 3000, -3000, 3000], Color::Black), Some(Color::Black));
        assert_eq!(decided(&[3000, 3000, 3000, -3000, 3000], Color::Black), None);
        assert_eq!(decided(&[3000; 4], Color::Black), None);
    }

    #[test]
    fn games_go_on_after_a_kill() {
        let dir = std::env::temp_dir().join(format!("hayasashi-selfplay-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let (whole, broken) = (dir.join("whole.usi"), dir.join("broken.usi"));
        let stop = AtomicBool::new(false);
        setting(3).play(&whole, &stop, &|_| {}).unwrap();
        let text = std::fs::read_to_string(&whole).unwrap();
        assert_eq!(text.lines().count(), 4);
        std::fs::write(&broken, &text[..text.len() - 7]).unwrap();
        setting(3).play(&broken, &stop, &|_| {}).unwrap();
        assert_eq!(std::fs::read_to_string(&broken).unwrap(), text);
        let other = SelfPlay { nodes: 61, ..setting(3) };
        assert!(matches!(other.play(&broken, &stop, &|_| {}), Err(LearnError::OtherSelfPlay { .. })));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
