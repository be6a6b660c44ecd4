//! Binary books that the crate `rsshogi` has written are read as they were.

use super::{sbk, ybb, Book};
use crate::{
    random::Random,
    rules::{MoveList, Position},
};
use rsshogi::book::{
    BookCandidate, BookDatabase, BookDatabaseEntry, BookEntryMetadata, BookMoveMetadata, BookPosition, SbkMoveMetadata,
    SbkWriteOptions, YbbWriteOptions,
};
use std::{collections::HashMap, fs};

/// A move with its score and its count.
type PlayedMove = (String, i32, u64);
/// A position with its moves.
type Entry = (Position, Vec<PlayedMove>);

/// Positions of random games, each with the move that was played and another, with scores and weights.
fn positions() -> Vec<Entry> {
    let mut random = Random::new(11, 3);
    let (mut seen, mut found) = (HashMap::new(), Vec::new());
    for _ in 0..3 {
        let mut pos = Position::startpos();
        for ply in 0..120 {
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            if moves.len() < 2 {
                break;
            }
            let first = random.below(moves.len());
            let second = (first + 1 + random.below(moves.len() - 1)) % moves.len();
            if seen.insert(pos.key(), ()).is_none() {
                let of = |at: usize, count| (moves[at].to_usi(), ply * 3 - 100, count);
                found.push((pos.clone(), vec![of(first, 9), of(second, 4)]));
            }
            pos.do_move(moves[first]);
        }
    }
    found
}

fn database(positions: &[Entry]) -> BookDatabase {
    let entry = |(pos, moves): &Entry| {
        let candidate = |(usi, score, count): &PlayedMove| {
            let mv = rsshogi::types::Move::from_usi(usi).unwrap();
            let metadata = BookMoveMetadata::from_sbk(SbkMoveMetadata::new(0, Some(*score), Some(*count as i32), None));
            BookCandidate::new(mv, None, Some(*score), Some(7), Some(*count as i32), Some(*count), metadata)
        };
        let position = BookPosition::from_sfen(&pos.to_sfen(), Some(pos.ply().into())).unwrap();
        let metadata = BookEntryMetadata::from_yaneuraou(pos.ply().into(), String::new());
        BookDatabaseEntry::new(position, moves.iter().map(candidate).collect(), metadata)
    };
    BookDatabase::try_from_entries(positions.iter().map(entry).collect()).unwrap()
}

fn check(book: &Book, positions: &[Entry], has_counts: bool) {
    assert_eq!(book.len(), positions.len());
    for (pos, moves) in positions {
        let mut read: Vec<PlayedMove> =
            book.moves(pos).map(|m| (m.mv.to_usi(), m.score, if has_counts { m.count } else { 0 })).collect();
        let mut expected: Vec<PlayedMove> =
            moves.iter().map(|(mv, score, count)| (mv.clone(), *score, if has_counts { *count } else { 0 })).collect();
        read.sort();
        expected.sort();
        assert_eq!(read, expected, "{}", pos.to_sfen());
    }
}

/// Every beginning of the bytes, and bytes with one of them changed, are a book or an error.
fn damage(bytes: &[u8], read: fn(&[u8]) -> Result<Book, String>) {
    for length in (0..bytes.len()).step_by(37) {
        let _ = read(&bytes[..length]);
    }
    assert!(read(&bytes[..bytes.len() - 1]).is_err());
    let mut random = Random::new(3, 9);
    for _ in 0..300 {
        let mut bytes = bytes.to_vec();
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
        let _ = read(&bytes);
    }
}

#[test]
fn books_of_yaneuraou_are_read() {
    let positions = positions();
    for depth in [true, false] {
        let mut out = std::io::Cursor::new(Vec::new());
        let options = YbbWriteOptions::new().with_depth(depth).with_allow_lossy(true);
        database(&positions).write_ybb(&mut out, &options).unwrap();
        let bytes = out.into_inner();
        let book = ybb::read(&bytes).unwrap();
        check(&book, &positions, false);
        assert!(book.moves(&positions[0].0).all(|m| m.depth == if depth { 7 } else { 0 }));
        damage(&bytes, ybb::read);
    }
}

#[test]
fn books_of_shogigui_are_read() {
    let positions = positions();
    let bytes = database(&positions).to_sbk_bytes(&SbkWriteOptions::new()).unwrap();
    check(&sbk::read(&bytes).unwrap(), &positions, true);
    damage(&bytes, sbk::read);
    assert!(sbk::read(b"").unwrap_err().contains("no positions"));
}

#[test]
fn the_format_of_a_file_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let positions = positions();
    let database = database(&positions);
    let sbk = folder.path().join("Book.SBK");
    fs::write(&sbk, database.to_sbk_bytes(&SbkWriteOptions::new()).unwrap()).unwrap();
    check(&Book::open(&sbk).unwrap(), &positions, true);
    let mut out = std::io::Cursor::new(Vec::new());
    database.write_ybb(&mut out, &YbbWriteOptions::new().with_allow_lossy(true)).unwrap();
    let ybb = folder.path().join("book.db");
    fs::write(&ybb, &out.get_ref()[..500]).unwrap();
    let error = Book::open(&ybb).unwrap_err().to_string();
    assert!(error.contains("book.db`: the index of") && error.contains("; hint: "), "{error}");
    fs::write(&ybb, out.into_inner()).unwrap();
    check(&Book::open(&ybb).unwrap(), &positions, false);
}
