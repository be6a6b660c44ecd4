//! A search that a member is asked for, and what it has found so far.

use hayasashi_engine::search::score::{LONGEST_MATE, MATE};
use hayasashi_shogi::rules::Move;
use std::fmt::Write;

/// A search of a position below that of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// The moves from the position of the game.
    pub line: Vec<Move>,
    /// Only these moves in that position (empty: all).
    pub only: Vec<Move>,
    /// Most plies.
    pub depth: Option<u32>,
    /// Most nodes.
    pub nodes: Option<u64>,
}

impl Job {
    /// The arguments of `go`. Without limits the search goes on until `stop`.
    pub fn go(&self) -> String {
        let mut go = String::new();
        let write = |go: &mut String, parts: std::fmt::Arguments<'_>| {
            go.push_str(if go.is_empty() { "" } else { " " });
            let _ = go.write_fmt(parts);
        };
        if let Some(depth) = self.depth {
            write(&mut go, format_args!("depth {depth}"));
        }
        if let Some(nodes) = self.nodes {
            write(&mut go, format_args!("nodes {nodes}"));
        }
        if go.is_empty() {
            go.push_str("infinite");
        }
        if !self.only.is_empty() {
            go.push_str(" searchmoves");
            self.only.iter().for_each(|mv| write(&mut go, format_args!("{mv}")));
        }
        go
    }
}

/// A line of moves and its score for the mover of the searched position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScoredLine {
    /// Centipawns, or a mate as in [`hayasashi_engine::search::score`].
    pub score: i32,
    /// The moves.
    pub pv: Vec<Move>,
}

/// The decision of a `bestmove` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Best {
    /// A move, and the expected reply.
    Move(Move, Option<Move>),
    /// The member resigns.
    Resign,
    /// The member declares a win by entering king.
    Win,
}

/// What a member has reported of its search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The lines by their numbers (`multipv`), the first one first.
    pub lines: Vec<ScoredLine>,
    /// Depth of the first line.
    pub depth: u32,
    /// The score of the first line at the depth before.
    before: Option<i32>,
    /// Nodes.
    pub nodes: u64,
    /// The decision, at the end of the search.
    pub best: Option<Best>,
}

impl Found {
    /// Reads an `info` or `bestmove` line; other lines change nothing.
    pub fn read(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("info") => self.read_info(words),
            Some("bestmove") => {
                let mv = |text: Option<&str>| text.and_then(Move::from_usi);
                self.best = match words.next() {
                    Some("resign") => Some(Best::Resign),
                    Some("win") => Some(Best::Win),
                    text => mv(text).map(|best| Best::Move(best, mv(words.nth(1)))),
                };
            }
            _ => {}
        }
    }

    fn read_info(&mut self, mut words: std::str::SplitAsciiWhitespace<'_>) {
        let (mut number, mut depth, mut score, mut pv) = (1, None, None, Vec::new());
        while let Some(word) = words.next() {
            let mut value = || words.next().and_then(|text| text.parse().ok());
            match word {
                "string" => return,
                "multipv" => number = value().unwrap_or(1) as usize,
                "depth" => depth = value().map(|depth| depth as u32),
                "nodes" => self.nodes = value().unwrap_or(self.nodes),
                "score" => score = words.next().zip(words.next()).and_then(|(kind, value)| read_score(kind, value)),
                "pv" => pv = words.by_ref().map_while(Move::from_usi).collect(),
                _ => {}
            }
        }
        let Some(score) = score.filter(|_| (1..=self.lines.len() + 1).contains(&number)) else { return };
        if number > self.lines.len() {
            self.lines.push(ScoredLine::default());
        }
        // A line without moves repeats the score of the one before.
        let line = &mut self.lines[number - 1];
        if number == 1 && depth.is_some_and(|depth| depth > self.depth) && self.depth > 0 {
            self.before = Some(line.score);
        }
        line.score = score;
        if !pv.is_empty() {
            line.pv = pv;
        }
        if number == 1 {
            self.depth = depth.unwrap_or(self.depth);
        }
    }

    /// The score of the first line.
    pub fn score(&self) -> Option<i32> {
        self.lines.first().map(|line| line.score)
    }

    /// The mean of the scores of the last two depths. Scores at odd and even depths differ: the side that has made the last move of a line
    /// has made one more. So the scores of lines of different lengths cannot be compared, their means can. Mates stay as they are.
    pub fn steady_score(&self) -> Option<i32> {
        let score = self.score()?;
        let is_mate = |score: i32| score.abs() > LONGEST_MATE;
        Some(
            self.before
                .filter(|&before| !is_mate(before) && !is_mate(score))
                .map_or(score, |before| (before + score) / 2),
        )
    }

    /// The move that the member plays, or would play now.
    pub fn best_move(&self) -> Option<Move> {
        match self.best {
            Some(Best::Move(best, _)) => Some(best),
            Some(_) => None,
            None => self.lines.first().and_then(|line| line.pv.first().copied()),
        }
    }

    /// The line of the move that the member plays, from that move on.
    pub fn line(&self) -> Vec<Move> {
        let first = self.lines.first().map(|line| line.pv.clone()).unwrap_or_default();
        match self.best {
            Some(Best::Move(best, reply)) if first.first() != Some(&best) => {
                std::iter::once(best).chain(reply).collect()
            }
            _ => first,
        }
    }
}

/// `cp 35`, `mate 3`, `mate -2`; `mate +` and `mate -` are mates of unknown length.
fn read_score(kind: &str, value: &str) -> Option<i32> {
    match (kind, value) {
        ("cp", _) => value.parse::<i32>().ok().map(|score| score.clamp(-LONGEST_MATE, LONGEST_MATE)),
        ("mate", "+") => Some(LONGEST_MATE + 1),
        ("mate", "-") => Some(-LONGEST_MATE - 1),
        ("mate", _) => {
            let plies = value.parse::<i32>().ok()?;
            let far = plies.abs().min(MATE - LONGEST_MATE - 1);
            Some(if value.starts_with('-') { far - MATE } else { MATE - far })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').filter_map(Move::from_usi).collect()
    }

    #[test]
    fn reports_are_read() {
        let mut found = Found::default();
        found.read("info depth 5 seldepth 9 multipv 1 score cp -35 nodes 1000 nps 5 time 3 pv 7g7f 3c3d");
        found.read("info depth 5 multipv 2 score mate -4 nodes 1200 pv 2g2f");
        found.read("info string score cp 99");
        found.read("info depth 6 multipv 4 score cp 1");
        let first = ScoredLine { score: -35, pv: moves("7g7f 3c3d") };
        assert_eq!(found.lines, [first, ScoredLine { score: 4 - MATE, pv: moves("2g2f") }]);
        assert_eq!((found.depth, found.nodes, found.best_move()), (5, 1200, Move::from_usi("7g7f")));
        found.read("bestmove 2g2f ponder 8c8d");
        assert_eq!((found.best_move(), found.line()), (Move::from_usi("2g2f"), moves("2g2f 8c8d")));
        found.read("bestmove resign");
        assert_eq!((found.best, found.best_move()), (Some(Best::Resign), None));
    }

    #[test]
    fn scores_are_read() {
        let of = |text: &str| text.split_once(' ').and_then(|(kind, value)| read_score(kind, value));
        assert_eq!(of("cp 12"), Some(12));
        assert_eq!(of("cp 99999"), Some(LONGEST_MATE));
        assert_eq!(of("mate 3"), Some(MATE - 3));
        assert_eq!(of("mate -0"), Some(-MATE));
        assert_eq!(of("mate -"), Some(-LONGEST_MATE - 1));
        assert_eq!([of("mate x"), of("lower 3")], [None, None]);
    }

    #[test]
    fn jobs_become_arguments_of_go() {
        assert_eq!(Job::default().go(), "infinite");
        let job = Job { depth: Some(4), nodes: Some(500), only: moves("7g7f 2g2f"), ..Job::default() };
        assert_eq!(job.go(), "depth 4 nodes 500 searchmoves 7g7f 2g2f");
    }
}
