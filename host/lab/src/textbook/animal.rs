//! Animal shogi (どうぶつしょうぎ), on 3 × 4 squares, as a game of the textbook searches.

use super::{Deterministic, Game, ParseError, Turn};
use crate::endgame::{AnimalMove, AnimalPosition, Kind, Material};
use std::{
    fmt::{self, Write},
    str::FromStr,
};

/// Letters of the kinds, in the order of [`Kind::ALL`]; upper case for the first player, who is Max.
const LETTERS: &str = "LGECH";
const START: &str = "gle/.c./.C./ELG b -";

/// A position. The first player is Max. Repetition is not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Animal {
    /// In the view of the side to move.
    position: AnimalPosition,
    second_to_move: bool,
}

impl Default for Animal {
    fn default() -> Self {
        Animal { position: Material::WHOLE.start(), second_to_move: false }
    }
}

impl Animal {
    /// A position in the view of the side to move, as the first player's.
    pub fn new(position: AnimalPosition) -> Animal {
        Animal { position, second_to_move: false }
    }

    /// The position in the view of the side to move.
    pub fn position(&self) -> &AnimalPosition {
        &self.position
    }

    fn absolute(&self) -> AnimalPosition {
        if self.second_to_move {
            self.position.turned()
        } else {
            self.position
        }
    }
}

/// A letter of the side's case.
fn letter(side: usize, kind: usize) -> char {
    let letter = LETTERS.as_bytes()[kind] as char;
    if side == 0 {
        letter
    } else {
        letter.to_ascii_lowercase()
    }
}

/// Side and kind of a letter.
fn piece(letter: char) -> Option<(usize, usize)> {
    let kind = LETTERS.find(letter.to_ascii_uppercase())?;
    Some((letter.is_ascii_lowercase() as usize, kind))
}

impl fmt::Display for Animal {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let AnimalPosition { pieces, hands } = self.absolute();
        for at in 0..12 {
            if at > 0 && at % 3 == 0 {
                f.write_char('/')?;
            }
            let on = |&(side, kind): &(usize, usize)| pieces[side][kind] >> at & 1 == 1;
            let piece = (0..2).flat_map(|side| (0..5).map(move |kind| (side, kind))).find(on);
            f.write_char(piece.map_or('.', |(side, kind)| letter(side, kind)))?;
        }
        f.write_str(if self.second_to_move { " w " } else { " b " })?;
        let held = (0..2).flat_map(|side| (0..3).map(move |kind| (side, kind)));
        let held: String =
            held.flat_map(|(side, kind)| (0..hands[side][kind]).map(move |_| letter(side, kind + 1))).collect();
        f.write_str(if held.is_empty() { "-" } else { &held })
    }
}

impl FromStr for Animal {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse(text).ok_or_else(|| ParseError {
            game: "animal shogi",
            text: text.into(),
            hint: format!(
                "give four ranks from the second player's side, the side to move and the pieces in hand, as in `{START}`; both \
                 lions, and two or none of each other kind (a hen counts as a chick); lower case is the second player"
            ),
        })
    }
}

fn parse(text: &str) -> Option<Animal> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let &[board, side, held] = fields.as_slice() else { return None };
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != 4 || ranks.iter().any(|rank| rank.chars().count() != 3) {
        return None;
    }
    let mut position = AnimalPosition { pieces: [[0; 5]; 2], hands: [[0; 3]; 2] };
    for (at, letter) in ranks.concat().chars().enumerate().filter(|&(_, letter)| letter != '.') {
        let (side, kind) = piece(letter)?;
        position.pieces[side][kind] |= 1 << at;
    }
    for letter in held.chars().filter(|_| held != "-") {
        let (side, kind @ 1..=3) = piece(letter)? else { return None };
        let held = &mut position.hands[side][kind - 1];
        *held = (*held + 1).min(3);
    }
    Material::of(&position)?;
    let second_to_move = match side {
        "b" => false,
        "w" => true,
        _ => return None,
    };
    Some(Animal { position: if second_to_move { position.turned() } else { position }, second_to_move })
}

/// A move, written as `b3b2` or `C*b2`: files a to c from the first player's left, ranks 1 to 4 from the second player's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnimalGameMove {
    mv: AnimalMove,
    second_to_move: bool,
}

impl AnimalGameMove {
    /// The move in the view of the side that makes it.
    pub fn seen_by_mover(&self) -> AnimalMove {
        self.mv
    }
}

impl fmt::Display for AnimalGameMove {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let square = |at: u8| {
            let at = if self.second_to_move { 11 - at } else { at };
            format!("{}{}", (b'a' + at % 3) as char, at / 3 + 1)
        };
        match self.mv {
            AnimalMove::Step(_, from, to) => write!(f, "{}{}", square(from), square(to)),
            AnimalMove::Drop(kind, to) => {
                let kind = Kind::IN_HAND[kind as usize];
                write!(f, "{}*{}", letter(0, kind as usize), square(to))
            }
        }
    }
}

impl Game for Animal {
    type Move = AnimalGameMove;
    const MAX_VALUE: i32 = 1;

    fn turn(&self) -> Turn {
        if self.second_to_move {
            Turn::Min
        } else {
            Turn::Max
        }
    }

    fn moves(&self) -> Vec<AnimalGameMove> {
        let mut moves = Vec::new();
        self.position.moves(&mut moves);
        moves.into_iter().map(|mv| AnimalGameMove { mv, second_to_move: self.second_to_move }).collect()
    }

    fn after(&self, mv: &AnimalGameMove) -> Animal {
        Animal { position: self.position.after(mv.mv), second_to_move: !self.second_to_move }
    }

    /// ±1 where the game is over: the side to move has lost its lion, or the other lion has come to its home rank and cannot be captured.
    /// 0 elsewhere.
    fn value(&self) -> i32 {
        match (self.position.is_lost(), self.second_to_move) {
            (false, _) => 0,
            (true, false) => -1,
            (true, true) => 1,
        }
    }
}

impl Deterministic for Animal {}
