//! SequenceCounts of three moves (tesuji): a move, its answer, and how it goes on, each by what moves, what it captures, and
//! where it goes seen from the move before. A pawn is dropped, taken, and another dropped in front of the taker: that is
//! one sequence wherever on the board it is played.
//!
//! ```text
//! P* PxP(0,0) P*(0,1)       piece, xcaptured, * dropped or + promotes, (file, rank) from the move before
//! ```
//!
//! Each move has to do with the one before: it goes to, or leaves, a square near where that went. Development on both sides
//! of the board meets often, but is no tesuji.
//!
//! Files and ranks are those of the board as the side sees it that moves first: rank -1 is one square ahead of it. A
//! sequence and its mirror image are the same; the first file that is not 0 is positive.
//!
//! Searches skip over what is known to be played so (tesuji macros); to find the sequences in records, as n-grams weighed by
//! how much more frequent they are than by chance, was Otsuki's idea (Game Programming Workshop).

use super::{category::PIECES, phase::near, PastMove};
use hayasashi_shogi::rules::{Color, Move, PieceKind, Position, Square};
use std::fmt;

/// Moves of a sequence.
pub const LENGTH: usize = 3;
/// Bits of a pattern in the key of a sequence.
const BITS: u32 = 20;

/// A move as part of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pattern {
    /// What moves, before promotion.
    piece: u8,
    /// What it captures; 0 for nothing.
    captured: u8,
    /// 0 moves, 1 promotes, 2 is dropped.
    kind: u8,
    /// From the destination of the move before; 0 for a first move.
    files: i8,
    ranks: i8,
}

impl Pattern {
    /// Of a move that comes from the destination of another, with White's board turned as `view` sees it.
    fn of(mv: Move, piece: u8, captured: u8, before: Option<Square>, view: Color) -> Pattern {
        let kind = if mv.is_drop() { 2 } else { mv.is_promotion() as u8 };
        let (files, ranks) = before.map_or((0, 0), |before| {
            let to = mv.to();
            let files = to.file() as i8 - before.file() as i8;
            let ranks = to.rank() as i8 - before.rank() as i8;
            if view == Color::Black {
                (files, ranks)
            } else {
                (-files, -ranks)
            }
        });
        Pattern { piece, captured, kind, files, ranks }
    }

    /// The same for it and its mirror image, where it stands alone.
    pub fn unmirrored(self) -> Pattern {
        Pattern { files: self.files.abs(), ..self }
    }

    fn bits(self) -> u64 {
        let offset = |n: i8| (n + 8) as u64;
        (((self.piece as u64) << 4 | self.captured as u64) << 2 | self.kind as u64) << 10
            | offset(self.files) << 5
            | offset(self.ranks)
    }

    fn of_bits(bits: u64) -> Pattern {
        let offset = |shift: u32| (bits >> shift & 31) as i8 - 8;
        let code = |shift: u32, mask: u64| (bits >> shift & mask) as u8;
        Pattern { piece: code(16, 15), captured: code(12, 15), kind: code(10, 3), files: offset(5), ranks: offset(0) }
    }

    /// Read from its text.
    fn parse(text: &str) -> Option<Pattern> {
        let (made, place) = match text.strip_suffix(')') {
            Some(rest) => rest.split_once('(')?,
            None => (text, "0,0"),
        };
        let (files, ranks) = place.split_once(',')?;
        let (files, ranks): (i8, i8) = (files.parse().ok()?, ranks.parse().ok()?);
        let (moved, kind) = match (made.strip_suffix('*'), made.strip_suffix('+')) {
            (Some(dropped), _) => (dropped, 2),
            (_, Some(promoting)) => (promoting, 1),
            _ => (made, 0),
        };
        let (piece, captured) =
            moved.split_once('x').map_or((moved, None), |(piece, captured)| (piece, Some(captured)));
        let code = |name: &str| (1..16u8).find(|&code| PIECES[code as usize] == name);
        let captured = captured.map_or(Some(0), code)?;
        let fits = files.abs() <= 8 && ranks.abs() <= 8;
        fits.then_some(Pattern { piece: code(piece)?, captured, kind, files, ranks })
    }
}

impl fmt::Display for Pattern {
    /// Without the place of a first move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PIECES[self.piece as usize])?;
        if self.captured != 0 {
            write!(f, "x{}", PIECES[self.captured as usize])?;
        }
        f.write_str(["", "+", "*"][self.kind as usize])
    }
}

/// A sequence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Sequence([Pattern; LENGTH]);

impl Sequence {
    /// The one of it and its mirror image that stands for both.
    fn of(mut patterns: [Pattern; LENGTH]) -> Sequence {
        if patterns.iter().find(|p| p.files != 0).is_some_and(|p| p.files < 0) {
            patterns.iter_mut().for_each(|p| p.files = -p.files);
        }
        Sequence(patterns)
    }

    /// A number for each sequence.
    pub fn key(self) -> u64 {
        self.0.iter().fold(0, |key, pattern| key << BITS | pattern.bits())
    }

    /// The sequence of a key.
    pub fn of_key(key: u64) -> Sequence {
        let place = |n: usize| Pattern::of_bits(key >> (BITS * (LENGTH - 1 - n) as u32) & ((1 << BITS) - 1));
        Sequence(std::array::from_fn(place))
    }

    /// Its patterns; the first has no place.
    pub fn patterns(self) -> [Pattern; LENGTH] {
        self.0
    }

    /// Read from the texts of its moves.
    pub fn parse(words: &[&str; LENGTH]) -> Option<Sequence> {
        let patterns: Option<Vec<Pattern>> = words.iter().map(|word| Pattern::parse(word)).collect();
        let sequence = Sequence(patterns?.try_into().ok()?);
        (Sequence::of(sequence.0) == sequence).then_some(sequence)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third] = &self.0;
        let place = |p: &Pattern| format!("({},{})", p.files, p.ranks);
        write!(f, "{first} {second}{} {third}{}", place(second), place(third))
    }
}

/// Whether a move goes to, or leaves, a square at most two files and two ranks from another.
fn is_connected(mv: Move, before: Square) -> bool {
    let near = |square: Square| square == before || near(before).contains(square);
    near(mv.to()) || mv.from().is_some_and(near)
}

/// The first two moves of sequences: what the side to move may go on with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SequencePrefix {
    first: Pattern,
    second: Pattern,
    /// Where the second went.
    last: Square,
    view: Color,
    /// The second has to do with the first.
    connected: bool,
}

impl SequencePrefix {
    /// By the last moves before a position, the very last first; `None` if there are not two, or one was a pass.
    pub fn of(pos: &Position, mut past: impl Iterator<Item = PastMove>) -> Option<SequencePrefix> {
        let (second, first) = (past.next()?, past.next()?);
        if second.mv == Move::NONE || first.mv == Move::NONE {
            return None;
        }
        let view = pos.side_to_move();
        let (to, last) = (first.mv.to(), second.mv.to());
        let on = |square| pos.piece_on(square).map(|p| p.kind());
        let now = |kind: PieceKind, mv: Move| if mv.is_promotion() { kind.unpromote().code() } else { kind.code() };
        let moved_first = if to == last { second.captured } else { on(to) }?;
        let code = |captured: Option<PieceKind>| captured.map_or(0, PieceKind::code);
        Some(SequencePrefix {
            first: Pattern::of(first.mv, now(moved_first, first.mv), code(first.captured), None, view),
            second: Pattern::of(second.mv, now(on(last)?, second.mv), code(second.captured), Some(to), view),
            last,
            view,
            connected: is_connected(second.mv, to),
        })
    }

    /// Whether a move makes a tesuji of it: both it and the second have to do with the one before.
    pub fn is_tesuji(&self, mv: Move) -> bool {
        self.connected && is_connected(mv, self.last)
    }

    /// The sequence that a move of the position completes.
    pub fn with(&self, pos: &Position, mv: Move) -> Sequence {
        let third = Pattern::of(mv, pos.moved_kind(mv), pos.captured_kind(mv), Some(self.last), self.view);
        Sequence::of([self.first, self.second, third])
    }
}
