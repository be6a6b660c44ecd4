//! SFEN to position images and moves to USI, written from the contract alone, so that tests of the rules do not use the
//! code under test.

use hayasashi_spec::moves::Move16;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{Owner, PositionImage};

/// SFEN letters of the kinds, pawn first.
const LETTERS: &str = "PLNSGBRK";

fn kind_of(letter: char) -> u8 {
    LETTERS.find(letter.to_ascii_uppercase()).unwrap_or_else(|| panic!("not a piece: {letter}")) as u8 + 1
}

/// The image of an SFEN in the mover's view, and whether Black is the mover. Does not check
/// whether the position can occur.
///
/// # Panics
/// If the SFEN cannot be read.
pub fn image_from_sfen(sfen: &str) -> (PositionImage, bool) {
    let mut fields = sfen.split_whitespace();
    let (board, side, hands) = (fields.next().unwrap(), fields.next().unwrap(), fields.next().unwrap());
    let black = side == "b";
    let theirs = |letter: char| letter.is_ascii_uppercase() != black;
    let mut image = PositionImage::default();

    for (rank, row) in board.split('/').enumerate() {
        let (mut file, mut promoted) = (SIDE, 0);
        for c in row.chars() {
            match c {
                '+' => promoted = PROMOTED,
                '1'..='9' => file -= c as usize - '0' as usize,
                _ => {
                    file -= 1;
                    let absolute = square(file, rank);
                    let at = if black { absolute } else { turn(absolute) };
                    image.set_piece(at, kind_of(c) | promoted | if theirs(c) { THEIRS } else { 0 });
                    promoted = 0;
                }
            }
        }
    }

    let mut count = 0;
    for c in hands.chars().filter(|&c| c != '-') {
        if let Some(digit) = c.to_digit(10) {
            count = 10 * count + digit as u8;
        } else {
            let owner = if theirs(c) { Owner::Theirs } else { Owner::Mover };
            image.set_hand(owner, kind_of(c), count.max(1));
            count = 0;
        }
    }
    (image, black)
}

/// A move in USI; `black` says whether Black is the mover.
pub fn usi(mv: Move16, black: bool) -> String {
    let name = |s: u8| {
        let s = if black { s as usize } else { turn(s as usize) };
        format!("{}{}", s / SIDE + 1, (b'a' + (s % SIDE) as u8) as char)
    };
    match mv.dropped() {
        Some(kind) => format!("{}*{}", LETTERS.as_bytes()[kind as usize - 1] as char, name(mv.to())),
        None => format!("{}{}{}", name(mv.from()), name(mv.to()), if mv.promotes() { "+" } else { "" }),
    }
}
