//! Reads a book, line by line.

use super::{sbk, ybb, Book, BookError, BookMove, MAGIC};
use crate::{
    rules::{Move, Position},
    text::excerpt,
};
use std::{
    collections::HashMap,
    fs::File,
    io::{BufRead, BufReader, Read},
    path::Path,
};

/// Words that some books have in the place of a move.
const NO_MOVES: [&str; 4] = ["none", "None", "resign", "win"];

impl Book {
    /// Reads a file: text (YANEURAOU-DB2016), YaneuraOu's binary format (YBB), or, if its name ends in `.sbk`, a book of
    /// ShogiGUI.
    ///
    /// # Errors
    /// A file that cannot be read, is not a book, or has a line with a faulty position, an illegal move, or a value that is
    /// not a number; the error names the line. Fields after the move may be missing.
    pub fn open(file: &Path) -> Result<Book, BookError> {
        let failed = |reason| BookError::Read { file: file.into(), reason };
        let mut reader = BufReader::new(File::open(file).map_err(failed)?);
        let is_ybb = reader.fill_buf().map_err(failed)?.starts_with(ybb::MAGIC);
        let is_sbk = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sbk"));
        if !is_ybb && !is_sbk {
            return Book::from_lines(reader, file);
        }
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).map_err(failed)?;
        let book = if is_ybb { ybb::read(&bytes) } else { sbk::read(&bytes) };
        book.map_err(|reason| BookError::Binary { file: file.into(), reason })
    }

    /// A book of these moves.
    pub(super) fn of(mut positions: HashMap<u64, Vec<BookMove>>) -> Book {
        positions.retain(|_, moves| !moves.is_empty());
        for moves in positions.values_mut() {
            moves.sort_by_key(|m| std::cmp::Reverse((m.count, m.score)));
        }
        Book { positions }
    }

    /// Reads the text of a book; errors name `file`.
    ///
    /// # Errors
    /// As [`Book::open`].
    pub fn from_lines(mut text: impl BufRead, file: &Path) -> Result<Book, BookError> {
        let mut reader = Reader { positions: HashMap::new(), current: None, has_header: false };
        let mut bytes = Vec::new();
        for number in 1.. {
            bytes.clear();
            let length =
                text.read_until(b'\n', &mut bytes).map_err(|reason| BookError::Read { file: file.into(), reason })?;
            if length == 0 {
                break;
            }
            let line = String::from_utf8_lossy(&bytes);
            let line = line.trim_start_matches('\u{FEFF}').trim();
            if !reader.has_header && !line.is_empty() && !line.starts_with(MAGIC) {
                return Err(BookError::NoBook { file: file.into(), found: excerpt(line) });
            }
            reader.line(line).map_err(|reason| BookError::Line { file: file.into(), line: number, reason })?;
        }
        if !reader.has_header {
            return Err(BookError::NoBook { file: file.into(), found: String::new() });
        }
        Ok(Book::of(reader.positions))
    }
}

struct Reader {
    positions: HashMap<u64, Vec<BookMove>>,
    /// The position of the next moves.
    current: Option<Position>,
    has_header: bool,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
            self.has_header |= !line.is_empty();
            return Ok(());
        }
        if let Some(sfen) = line.strip_prefix("sfen ") {
            let pos = Position::from_sfen(sfen).map_err(|e| e.to_string())?;
            self.positions.entry(pos.key()).or_default();
            self.current = Some(pos);
            return Ok(());
        }
        let Some(pos) = &mut self.current else {
            return Err(format!("`{}` before the first position; hint: positions begin with `sfen`", excerpt(line)));
        };
        let mut fields = line.split_ascii_whitespace();
        let text = fields.next().unwrap_or("");
        if NO_MOVES.contains(&text) {
            return Ok(());
        }
        let mv = legal(pos, text)?;
        let reply = match fields.next().filter(|text| !NO_MOVES.contains(text)) {
            None => None,
            Some(text) => {
                let undo = pos.do_move(mv);
                let reply = legal(pos, text);
                pos.undo_move(mv, undo);
                Some(reply?)
            }
        };
        let score = number(fields.next(), "score", 0)?;
        let depth = number(fields.next(), "depth", 0)?;
        let count = number(fields.next(), "count", 1)?;
        let moves = self.positions.entry(pos.key()).or_default();
        // Of several lines with the same move, the first counts.
        if moves.iter().all(|m| m.mv != mv) {
            moves.push(BookMove { mv, reply, score, depth, count });
        }
        Ok(())
    }
}

fn legal(pos: &Position, text: &str) -> Result<Move, String> {
    let mv = Move::from_usi(text)
        .ok_or_else(|| format!("`{}` is not a move; hint: moves are 7g7f, 8h2b+ or P*5e", excerpt(text)))?;
    match pos.is_legal(mv) {
        true => Ok(mv),
        false => Err(format!("`{text}` is illegal in {}", pos.to_sfen())),
    }
}

fn number<T: std::str::FromStr>(field: Option<&str>, name: &str, missing: T) -> Result<T, String> {
    field.map_or(Ok(missing), |text| {
        text.parse().map_err(|_| format!("the {name} `{}` is not a whole number", excerpt(text)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - ";

    fn read(text: &str) -> Result<Book, BookError> {
        Book::from_lines(text.as_bytes(), Path::new("my.db"))
    }

    fn moves(book: &Book) -> Vec<String> {
        book.moves(&Position::startpos()).map(|m| format!("{} {} {}", m.mv, m.count, m.score)).collect()
    }

    #[test]
    fn positions_and_moves_are_read() {
        let text = format!(
            "\u{FEFF}{MAGIC} 1.00\r\n# NOTE: made by hand\r\n{START}1\r\n2g2f 8c8d 12 30 5\r\n7g7f none 40 30 9 more\n\
             // another remark\n\n5g5f\nresign none 0 0 100\n{START}3\n7g7f 3c3d 0 0 50\n9g9f none 15\n2h7h none 1 2\n"
        );
        let book = read(&text).unwrap();
        // The first of two equal moves counts; where counts are equal, the score decides.
        assert_eq!(moves(&book), ["7g7f 9 40", "2g2f 5 12", "9g9f 1 15", "2h7h 1 1", "5g5f 1 0"]);
        assert_eq!(book.len(), 1);
        let start = Position::startpos();
        let rapid = *book.moves(&start).nth(1).unwrap();
        assert_eq!((rapid.depth, book.reply(&start, &rapid).unwrap().to_usi()), (30, "8c8d".to_string()));
        let first = *book.moves(&start).next().unwrap();
        assert_eq!(book.reply(&start, &first), None);
    }

    #[test]
    fn a_missing_reply_is_taken_from_the_next_position() {
        let after = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
        let book = read(&format!("{MAGIC} 1.00\n{START}1\n7g7f\n{after}\n8c8d none 0 0 3\n3c3d none 0 0 4\n")).unwrap();
        let start = Position::startpos();
        let first = *book.moves(&start).next().unwrap();
        assert_eq!(book.reply(&start, &first).unwrap().to_usi(), "3c3d");
    }

    #[test]
    fn errors_name_file_and_line() {
        for (text, expected) in [
            (String::new(), "`my.db` begins with ``; hint: a book begins with"),
            ("\n7g7f\n".into(), "`my.db` begins with `7g7f`"),
            (format!("{MAGIC}\n7g7f\n"), "my.db:2: `7g7f` before the first position"),
            (format!("{MAGIC}\nsfen 9/9 b - 1\n"), "my.db:2: the board `9/9`"),
            (format!("{MAGIC}\n{START}1\n7g7e\n"), "my.db:3: `7g7e` is illegal in lnsg"),
            (format!("{MAGIC}\n{START}1\n\u{1F600}\n"), "my.db:3: `\u{1F600}` is not a move"),
            (format!("{MAGIC}\n{START}1\n7g7f 7g7f\n"), "my.db:3: `7g7f` is illegal in lnsg"),
            (format!("{MAGIC}\n{START}1\n7g7f 3c3d x\n"), "my.db:3: the score `x` is not a whole number"),
            (format!("{MAGIC}\n{START}1\n7g7f 3c3d 0 0 -3\n"), "my.db:3: the count `-3` is not a whole number"),
        ] {
            let error = read(&text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        assert!(Book::from_lines(&b"#YANEURAOU-DB2016\n\xff\xfe\n"[..], Path::new("x")).is_err());
        assert!(Book::open(Path::new("/no/such/book")).unwrap_err().to_string().contains("cannot read the book"));
    }
}
