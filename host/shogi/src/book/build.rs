//! Making a book from games: how often each move was played in each position.

use super::MAGIC;
use crate::rules::{Move, PositionCommand};
use std::{
    collections::HashMap,
    io::{self, Write},
};

/// Counts the moves of games.
#[derive(Debug)]
pub struct Builder {
    plies: usize,
    positions: HashMap<u64, Entry>,
}

/// A position of the games.
#[derive(Debug)]
struct Entry {
    /// The least move number with which it occurred.
    ply: u16,
    sfen: String,
    moves: Vec<Played>,
}

#[derive(Clone, Copy, Debug)]
struct Played {
    mv: Move,
    count: u64,
    /// Key of the position after the move.
    next: u64,
}

/// How much a book has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Positions.
    pub positions: usize,
    /// Moves of all positions.
    pub moves: usize,
}

impl Builder {
    /// A book of the first so many moves of each game.
    pub fn new(plies: usize) -> Builder {
        Builder { plies, positions: HashMap::new() }
    }

    /// Counts the moves of a game.
    pub fn add(&mut self, game: &PositionCommand) {
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
                None => entry.moves.push(Played { mv, count: 1, next: pos.key() }),
            }
        }
    }

    /// The moves of a position that were played at least so often, most played first.
    fn moves(&self, key: u64, min_count: u64) -> Vec<Played> {
        let all = self.positions.get(&key).into_iter().flat_map(|entry| &entry.moves);
        let mut moves: Vec<Played> = all.filter(|played| played.count >= min_count).copied().collect();
        moves.sort_by_cached_key(|played| (std::cmp::Reverse(played.count), played.mv.to_usi()));
        moves
    }

    /// Writes the moves that were played at least so often. The same games in any order make the same book; positions
    /// are in the order of their text, as programs want it that search in the file.
    pub fn write(&self, min_count: u64, out: &mut impl Write) -> io::Result<Written> {
        writeln!(out, "{MAGIC} 1.00")?;
        let mut order: Vec<(&str, u64)> = self.positions.iter().map(|(&key, e)| (e.sfen.as_str(), key)).collect();
        order.sort_unstable();
        let mut written = Written::default();
        for (sfen, key) in order {
            let moves = self.moves(key, min_count);
            if moves.is_empty() {
                continue;
            }
            writeln!(out, "sfen {sfen}")?;
            for Played { mv, count, next } in &moves {
                let reply = self.moves(*next, min_count).first().map_or("none".into(), |reply| reply.mv.to_usi());
                writeln!(out, "{mv} {reply} 0 0 {count}")?;
            }
            written.positions += 1;
            written.moves += moves.len();
        }
        Ok(written)
    }

    /// Positions counted so far.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Book, *};
    use crate::rules::Position;

    fn book(games: &[&str], plies: usize, min_count: u64) -> (String, Written) {
        let mut builder = Builder::new(plies);
        games.iter().for_each(|game| builder.add(&PositionCommand::parse(game).unwrap()));
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
    fn moves_are_counted_and_answers_found() {
        let (text, written) = book(&GAMES, 3, 1);
        let start = Position::startpos().to_sfen();
        assert!(text.contains(&format!("sfen {start}\n7g7f 3c3d 0 0 3\n2g2f 3c3d 0 0 1\n")), "{text}");
        assert_eq!(written, Written { positions: 5, moves: 8 });
        let order: Vec<&str> = text.lines().filter(|l| l.starts_with("sfen")).collect();
        assert!(order.is_sorted(), "{text}");
        // The fourth move is beyond the limit; with it, two ways lead to one position.
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
        assert_eq!(written, Written { positions: 2, moves: 2 });
        assert!(text.contains("7g7f 3c3d 0 0 3\n") && text.contains("3c3d none 0 0 2\n"), "{text}");
        assert_eq!(book(&GAMES, 3, 9).0, format!("{MAGIC} 1.00\n"));
        assert_eq!(book(&GAMES, 0, 1).1, Written::default());
    }
}
