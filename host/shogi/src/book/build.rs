//! A book from games: the number of times that each move was played in each position.

use super::HEADER;
use crate::{records::RecordedGame, rules::Move};
use std::{
    collections::HashMap,
    io::{self, Write},
};

/// Counts the moves of games.
#[derive(Debug)]
pub struct Builder {
    plies: usize,
    /// By [`crate::rules::Position::key`].
    positions: HashMap<u64, Entry>,
}

/// A position of the games.
#[derive(Debug)]
struct Entry {
    /// The lowest move number with which it occurred, and its SFEN with that number.
    ply: u16,
    sfen: String,
    moves: Vec<PlayedMove>,
}

#[derive(Clone, Copy, Debug)]
struct PlayedMove {
    mv: Move,
    count: u64,
    /// Key of the position after the move.
    next: u64,
}

/// Size of a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookSize {
    /// Positions.
    pub positions: usize,
    /// Moves of all positions.
    pub moves: usize,
}

impl Builder {
    /// A book of the first `plies` moves of each game.
    pub fn new(plies: usize) -> Builder {
        Builder { plies, positions: HashMap::new() }
    }

    /// Counts the moves of a game.
    pub fn add(&mut self, game: &RecordedGame) {
        let mut pos = game.start.clone();
        for &mv in game.moves.iter().take(self.plies) {
            let new = || Entry { ply: u16::MAX, sfen: String::new(), moves: Vec::new() };
            let entry = self.positions.entry(pos.key()).or_insert_with(new);
            if pos.ply() < entry.ply || entry.sfen.is_empty() {
                (entry.ply, entry.sfen) = (pos.ply(), pos.to_sfen());
            }
            pos.do_move(mv);
            match entry.moves.iter_mut().find(|played| played.mv == mv) {
                Some(played) => played.count += 1,
                None => entry.moves.push(PlayedMove { mv, count: 1, next: pos.key() }),
            }
        }
    }

    /// The moves of a position that were played at least `min_count` times, most played first.
    fn moves(&self, key: u64, min_count: u64) -> Vec<PlayedMove> {
        let all = self.positions.get(&key).into_iter().flat_map(|entry| &entry.moves);
        let mut moves: Vec<PlayedMove> = all.filter(|played| played.count >= min_count).copied().collect();
        moves.sort_by_cached_key(|played| (std::cmp::Reverse(played.count), played.mv.to_usi()));
        moves
    }

    /// Writes the moves that were played at least `min_count` times. The order of the games does not matter. Positions are
    /// sorted by their text, because some programs search the file by bisection.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write(&self, min_count: u64, out: &mut impl Write) -> io::Result<BookSize> {
        writeln!(out, "{HEADER}")?;
        let mut order: Vec<(&str, u64)> = self.positions.iter().map(|(&key, e)| (e.sfen.as_str(), key)).collect();
        order.sort_unstable();
        let mut size = BookSize::default();
        for (sfen, key) in order {
            let moves = self.moves(key, min_count);
            if moves.is_empty() {
                continue;
            }
            writeln!(out, "sfen {sfen}")?;
            for PlayedMove { mv, count, next } in &moves {
                let reply = self.moves(*next, min_count).first().map_or("none".into(), |reply| reply.mv.to_usi());
                writeln!(out, "{mv} {reply} 0 0 {count}")?;
            }
            size.positions += 1;
            size.moves += moves.len();
        }
        Ok(size)
    }

    /// Positions counted so far.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Book, *};
    use crate::{records::GameCollection, rules::Position};

    fn book(games: &[&str], plies: usize, min_count: u64) -> (String, BookSize) {
        let mut builder = Builder::new(plies);
        let mut collection = GameCollection::default();
        collection.take("games.usi".as_ref(), games.join("\n").as_bytes());
        assert_eq!((collection.games.len(), collection.faults), (games.len(), vec![]));
        collection.games.iter().for_each(|game| builder.add(game));
        let mut text = Vec::new();
        let written = builder.write(min_count, &mut text).unwrap();
        (String::from_utf8(text).unwrap(), written)
    }

    const GAMES: [&str; 4] = [
        "startpos moves 7g7f 3c3d 2g2f",
        "startpos moves 7g7f 8c8d",
        "startpos moves 2g2f 3c3d 7g7f 8c8d",
        "startpos moves 7g7f 3c3d 6g6f",
    ];

    #[test]
    fn moves_are_counted_with_the_most_frequent_reply() {
        let (text, written) = book(&GAMES, 3, 1);
        let start = Position::startpos().to_sfen();
        assert!(text.contains(&format!("sfen {start}\n7g7f 3c3d 0 0 3\n2g2f 3c3d 0 0 1\n")), "{text}");
        assert_eq!(written, BookSize { positions: 5, moves: 8 });
        let order: Vec<&str> = text.lines().filter(|l| l.starts_with("sfen")).collect();
        assert!(order.is_sorted(), "{text}");
        // The fourth move is beyond the limit; with it, two games reach one position.
        assert_eq!(text.matches("8c8d").count(), 1, "{text}");
        assert!(book(&GAMES, 4, 1).0.contains("\n2g2f 8c8d 0 0 1\n"));
        let read = Book::from_lines(text.as_bytes(), std::path::Path::new("x")).unwrap();
        assert_eq!((read.len(), read.choose(&Position::startpos(), &[], None).unwrap().count), (5, 3));
        let mut other = GAMES;
        other.reverse();
        assert_eq!(book(&other, 3, 1).0, text, "the order of the games does not matter");
    }

    #[test]
    fn rare_moves_are_left_out() {
        let (text, written) = book(&GAMES, 3, 2);
        assert_eq!(written, BookSize { positions: 2, moves: 2 });
        assert!(text.contains("7g7f 3c3d 0 0 3\n") && text.contains("3c3d none 0 0 2\n"), "{text}");
        assert_eq!(book(&GAMES, 3, 9).0, format!("{HEADER}\n"));
        assert_eq!(book(&GAMES, 0, 1).1, BookSize::default());
    }
}
