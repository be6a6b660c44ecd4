//! Opening books. The text format `YANEURAOU-DB2016`, which many shogi programs read and write, is read and written;
//! YaneuraOu's binary format (YBB) and ShogiGUI's (SBK) are read.
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! # a comment
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 7g7f 3c3d 0 32 57        (move, reply or `none`, score in centipawns, depth in plies, times played)
//! 2g2f none 0 32 41
//! ```
//!
//! * [`Book`]: a book in memory; every move was checked by the rules
//! * [`Builder`]: a book from games ([`crate::records`])
//!
//! The readers and writers of `rsshogi` are not used: their errors name neither line nor text, they do not check moves by
//! the rules, and they need the C library of Zstandard. The tests read books that `rsshogi` has written.

#[cfg(test)]
mod binary_tests;
mod build;
mod read;
mod sbk;
mod ybb;

pub use build::{BookSize, Builder};

use crate::rules::{Move, Position};
use std::{collections::HashMap, io, path::PathBuf};
use thiserror::Error;

/// Beginning of the first line of a book, in any version.
pub const MAGIC: &str = "#YANEURAOU-DB2016";
/// The first line of the books that this program writes.
pub const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The expected reply.
    pub reply: Option<Move>,
    /// Score for the mover in centipawns.
    pub score: i32,
    /// Depth of the search that gave the score, in plies.
    pub depth: i32,
    /// Number of times that it was played.
    pub count: u64,
}

/// Positions and their moves. Move numbers are ignored.
#[derive(Clone, Debug, Default)]
pub struct Book {
    /// By [`Position::key`]; moves sorted by count, then by score, highest first.
    positions: HashMap<u64, Vec<BookMove>>,
}

impl Book {
    /// Number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it has no position.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The moves of a position, best first; none if it is not in the book.
    pub fn moves<'a>(&'a self, pos: &'a Position) -> impl Iterator<Item = &'a BookMove> + 'a {
        // Two positions may have the same key.
        self.positions.get(&pos.key()).into_iter().flatten().filter(|m| pos.is_legal(m.mv))
    }

    /// The move to play, of those in `only` (empty: all): the best, or with 64 random bits any, with a probability
    /// proportional to its count.
    pub fn choose(&self, pos: &Position, only: &[Move], random: Option<u64>) -> Option<BookMove> {
        let allowed = |m: &&BookMove| only.is_empty() || only.contains(&m.mv);
        let mut moves = self.moves(pos).filter(allowed);
        let Some(random) = random else { return moves.next().copied() };
        let moves: Vec<BookMove> = moves.copied().collect();
        let weight = |m: &BookMove| m.count.max(1) as u128;
        let total: u128 = moves.iter().map(weight).sum();
        let mut at = (random as u128 * total) >> 64;
        moves.into_iter().find(|m| {
            let is_chosen = at < weight(m);
            at = at.saturating_sub(weight(m));
            is_chosen
        })
    }

    /// The expected reply to a move: the one given in the book, else the best move of the next position.
    pub fn reply(&self, pos: &Position, chosen: &BookMove) -> Option<Move> {
        let mut after = pos.clone();
        after.do_move(chosen.mv);
        let given = chosen.reply.filter(|&reply| after.is_legal(reply));
        given.or_else(|| self.choose(&after, &[], None).map(|m| m.mv))
    }
}

/// Why a book was refused.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the book `{}`: {reason}; hint: name a file that exists", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's error.
        reason: io::Error,
    },
    /// The file is not a book.
    #[error(
        "`{}` begins with `{found}`; hint: a book begins with `{HEADER}`; `hayasashi book` makes one",
        file.display()
    )]
    NoBook {
        /// The file.
        file: PathBuf,
        /// The beginning of the first line.
        found: String,
    },
    /// A binary book with a fault.
    #[error("the book `{}`: {reason}; hint: copy the file again, or make it again with the program that it is of", file.display())]
    Binary {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A faulty line.
    #[error("{}:{line}: {reason}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(counts: &[(&str, u64)]) -> Book {
        let of = |&(mv, count): &(&str, u64)| BookMove {
            mv: Move::from_usi(mv).unwrap(),
            reply: None,
            score: 0,
            depth: 0,
            count,
        };
        Book { positions: HashMap::from([(Position::startpos().key(), counts.iter().map(of).collect())]) }
    }

    fn chosen(book: &Book, only: &[&str], random: Option<u64>) -> Option<String> {
        let only: Vec<Move> = only.iter().map(|m| Move::from_usi(m).unwrap()).collect();
        book.choose(&Position::startpos(), &only, random).map(|m| m.mv.to_usi())
    }

    #[test]
    fn the_first_move_is_chosen_or_any_by_its_count() {
        let book = book(&[("7g7f", 6), ("2g2f", 2), ("5g5f", 0)]);
        assert_eq!(chosen(&book, &[], None).as_deref(), Some("7g7f"));
        assert_eq!(chosen(&book, &["5g5f", "2g2f"], None).as_deref(), Some("2g2f"));
        assert_eq!(chosen(&book, &["9g9f"], None), None);
        // Nine parts: six, two, and one for a move that was never played.
        let part = u64::MAX / 9 + 1;
        for (at, expected) in [(0, "7g7f"), (5, "7g7f"), (6, "2g2f"), (7, "2g2f"), (8, "5g5f")] {
            assert_eq!(chosen(&book, &[], Some(at * part)).as_deref(), Some(expected), "{at}");
        }
        assert_eq!(chosen(&book, &[], Some(u64::MAX)).as_deref(), Some("5g5f"));
        assert_eq!(chosen(&book, &["9g9f"], Some(1)), None);
        assert_eq!(chosen(&Book::default(), &[], Some(1)), None);
    }

    #[test]
    fn a_move_that_is_not_legal_is_not_played() {
        assert_eq!(chosen(&book(&[("7g7e", 6), ("2g2f", 2)]), &[], None).as_deref(), Some("2g2f"));
    }
}
