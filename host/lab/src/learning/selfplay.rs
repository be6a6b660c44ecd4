//! Self-play games, with a search score for every position and the result.
//!
//! A game is a function of the settings and of its number, so that an interrupted run can resume: the file has one line for each
//! finished game, in the format of [`hayasashi_shogi::records`], and the missing games are played. When all are, the lines are put
//! in the order of the games, so that the file does not depend on the number of threads.

use super::{checkpoint, LearnError};
use crate::{
    matches::{journal::complete_length, openings::Opening},
    parts::Part,
};
use hayasashi_accel::ModelBackend;
use hayasashi_engine::search::{
    score::MATE, Algorithm, Decision, GamePath, MoveSource, Repeated, SearchLimits, Searcher,
};
use hayasashi_engine::Control;
use hayasashi_model::evaluate::Evaluation;
use hayasashi_shogi::{
    random::Random,
    rules::{Color, MoveList, PositionCommand},
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

/// Size of the transposition table in mebibytes; enough for a few thousand nodes.
const HASH_MIB: usize = 2;
/// Openings are truncated to a random length of at least this many plies, for more variety.
const MIN_OPENING_PLIES: usize = 4;
/// Maximum number of random moves after the opening.
const MAX_RANDOM_MOVES: usize = 3;
/// Length in plies at which a game is drawn.
const MAX_PLIES: usize = 320;
/// A game is adjudicated when this many consecutive searches report at least this score for the same side: `(score, searches)`.
const ADJUDICATION: (i32, usize) = (2500, 5);

/// The settings of self-play.
pub struct SelfPlay {
    /// What both players evaluate by.
    pub evaluation: Evaluation,
    /// Openings.
    pub openings: Vec<Opening>,
    /// Nodes for each move.
    pub nodes: u64,
    /// Whether the model searches by itself (`SEARCH`), in place of the engine.
    pub by_chip: bool,
    /// Total number of games.
    pub games: u64,
    /// The share of the games that is played here.
    pub part: Part,
    /// Seed of the openings and random moves.
    pub seed: u64,
    /// Games played at the same time.
    pub threads: usize,
}

impl SelfPlay {
    /// The numbers of the games that are played here.
    pub fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        self.part.items(self.games as usize).map(|game| game as u64)
    }

    /// First line of the file, which identifies the settings.
    fn heading(&self) -> String {
        let checksum = self.evaluation.checksum();
        let (nodes, seed, openings) = (self.nodes, self.seed, self.openings.len());
        // A heading of the engine's search is that of earlier versions.
        let search = if self.by_chip { ", searched by the chip" } else { "" };
        format!("# self-play: table {checksum:#010x}, {nodes} nodes a move, seed {seed}, {openings} openings{search}")
    }

    /// Plays the games that are missing in `file`, until all are finished or `stop` is set. Passes the number of finished games to
    /// `on_game`.
    ///
    /// # Errors
    /// A file that cannot be read or written, or that has games of other settings.
    pub fn play(&self, file: &FilePath, stop: &AtomicBool, on_game: &(dyn Fn(u64) + Sync)) -> Result<(), LearnError> {
        let (out, played) = self.open(file)?;
        let missing: Vec<u64> = self.numbers().filter(|game| !played.contains(game)).collect();
        let (next, done) = (AtomicU64::new(0), AtomicU64::new((self.numbers().count() - missing.len()) as u64));
        on_game(done.load(Ordering::Relaxed));
        let out = Mutex::new(out);
        let failure = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    let chip = Arc::new(ModelBackend::new());
                    let mut searcher = Searcher::new(MoveSource::direct(chip, self.evaluation.clone()), HASH_MIB);
                    if self.by_chip {
                        searcher.settings.algorithm = Algorithm::Chip;
                    }
                    while !stop.load(Ordering::Relaxed) {
                        let at = next.fetch_add(1, Ordering::Relaxed) as usize;
                        let Some(&game) = missing.get(at) else { break };
                        let Some(line) = self.game(&mut searcher, game, stop) else { break };
                        let mut out = out.lock().expect("no thread panics while it writes");
                        if let Err(reason) = out.write_all(line.as_bytes()) {
                            let error = LearnError::File { verb: "write", file: file.into(), reason };
                            failure.lock().expect("no thread panics while it holds the lock").get_or_insert(error);
                            break;
                        }
                        on_game(done.fetch_add(1, Ordering::Relaxed) + 1);
                    }
                });
            }
        });
        if let Some(failure) = failure.into_inner().expect("no thread panics while it holds the lock") {
            return Err(failure);
        }
        match done.load(Ordering::Relaxed) == self.numbers().count() as u64 {
            true => put_in_order(file),
            false => Ok(()),
        }
    }

    /// Opens the file for appending, removes an incomplete last line, and returns the numbers of the finished games.
    fn open(&self, file: &FilePath) -> Result<(File, BTreeSet<u64>), LearnError> {
        let failed = |verb| move |reason| LearnError::File { verb, file: file.into(), reason };
        let text = match std::fs::read_to_string(file) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            text => text.map_err(failed("read"))?,
        };
        let complete = complete_length(text.as_bytes());
        let mut out = File::options().create(true).append(true).open(file).map_err(failed("open"))?;
        out.set_len(complete as u64).map_err(failed("write"))?;
        let mut lines = text[..complete].lines();
        match lines.next() {
            None => writeln!(out, "{}", self.heading()).map_err(failed("write"))?,
            Some(found) if found == self.heading() => {}
            Some(found) => {
                let (found, expected) = (found.to_string(), self.heading());
                return Err(LearnError::OtherSelfPlay { file: file.into(), found, expected });
            }
        }
        Ok((out, lines.filter_map(game_number).collect()))
    }

    /// Plays a game and returns its line; `None` when stopped.
    fn game(&self, searcher: &mut Searcher, game: u64, stop: &AtomicBool) -> Option<String> {
        searcher.clear();
        let mut random = Random::new(self.seed, game);
        let opening = &self.openings[random.below(self.openings.len())].command;
        let length = opening.moves.len();
        let plies = if length <= MIN_OPENING_PLIES {
            length
        } else {
            MIN_OPENING_PLIES + random.below(length - MIN_OPENING_PLIES + 1)
        };
        let mut path = GamePath::new(opening.start.clone());
        opening.moves[..plies].iter().for_each(|&mv| path.do_move(mv));
        for _ in 0..random.below(MAX_RANDOM_MOVES + 1) {
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
        let start = Opening { command: PositionCommand { moves: Vec::new(), ..opening.clone() } };
        let moves: Vec<_> = path.moves().collect();
        let none = std::iter::repeat_n("-".to_string(), unscored);
        let scores: Vec<String> = none.chain(scores.iter().map(i32::to_string)).collect();
        Some(format!("{result}\t{}\t{}\tgame {game}\n", start.usi(&moves), scores.join(" ")))
    }
}

/// The number of the game of a line.
pub(crate) fn game_number(line: &str) -> Option<u64> {
    line.rsplit_once("\tgame ").and_then(|(_, number)| number.parse().ok())
}

/// Sorts the lines by their games, with the heading before them.
fn put_in_order(file: &FilePath) -> Result<(), LearnError> {
    let failed = |reason| LearnError::File { verb: "read", file: file.into(), reason };
    let text = std::fs::read_to_string(file).map_err(failed)?;
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.is_sorted_by_key(|line| game_number(line.trim_end())) {
        return Ok(());
    }
    lines.sort_by_key(|line| game_number(line.trim_end()));
    checkpoint::replace(file, lines.concat().as_bytes())
}

/// The winner by adjudication. `last` is the side of the last score.
fn decided(scores: &[i32], last: Color) -> Option<Color> {
    let (limit, count) = ADJUDICATION;
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
        SelfPlay {
            evaluation: first_table().into(),
            openings,
            nodes: 60,
            by_chip: false,
            games,
            part: Part::WHOLE,
            seed: 5,
            threads: 1,
        }
    }

    #[test]
    fn a_game_is_adjudicated_when_both_scores_agree() {
        assert_eq!(decided(&[-3000, 3000, -3000, 3000, -3000], Color::Black), Some(Color::White));
        assert_eq!(decided(&[3000, -3000, 3000, -3000, 3000], Color::Black), Some(Color::Black));
        assert_eq!(decided(&[3000, 3000, 3000, -3000, 3000], Color::Black), None);
        assert_eq!(decided(&[3000; 4], Color::Black), None);
    }

    #[test]
    fn an_interrupted_run_resumes() {
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
        // Threads finish games out of turn.
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        std::fs::write(&broken, [lines[0], lines[3], lines[1]].concat()).unwrap();
        setting(3).play(&broken, &stop, &|_| {}).unwrap();
        assert_eq!(std::fs::read_to_string(&broken).unwrap(), text);
        let other = SelfPlay { nodes: 61, ..setting(3) };
        assert!(matches!(other.play(&broken, &stop, &|_| {}), Err(LearnError::OtherSelfPlay { .. })));
        std::fs::remove_dir_all(&dir).unwrap();
    }

    /// The chip's search gives the same games in every run, and other ones than the engine's.
    #[test]
    fn the_chip_may_search() {
        let dir = std::env::temp_dir().join(format!("hayasashi-selfplay-chip-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let play = |name: &str, by_chip: bool| {
            let (file, setting) = (dir.join(name), SelfPlay { by_chip, ..setting(1) });
            setting.play(&file, &AtomicBool::new(false), &|_| {}).unwrap();
            std::fs::read_to_string(&file).unwrap()
        };
        let games = play("one.usi", true);
        assert!(games.starts_with("# self-play: ") && games.lines().next().unwrap().ends_with("searched by the chip"));
        assert_eq!(games, play("other.usi", true));
        assert_ne!(games.lines().nth(1), play("engine.usi", false).lines().nth(1));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
