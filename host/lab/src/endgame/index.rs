//! A number for each position, without gaps for impossible placements.
//!
//! The lions' squares come first: 72 pairs, because a position and its mirror image have one number. Each kind has two pieces, which
//! are placed on the squares that the kinds before left free, or are in hand. How many of each kind are on the board selects a block
//! of numbers.

use super::rules::{squares, AnimalPosition, Kind, SQUARES};

/// Which pairs of pieces a game has beside the lions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Material {
    /// Whether the kinds of [`Kind::IN_HAND`] are there.
    pub kinds: [bool; 3],
}

impl Material {
    /// All pieces of the game.
    pub const WHOLE: Material = Material { kinds: [true; 3] };

    /// The position at the start, without the pieces that are not there.
    pub fn start(self) -> AnimalPosition {
        let mut own = [1 << 10, 1 << 11, 1 << 9, 1 << 7, 0];
        for (kind, _) in Kind::IN_HAND.iter().zip(self.kinds).filter(|(_, there)| !there) {
            own[*kind as usize] = 0;
        }
        let other = own.map(|mask: u16| mask.reverse_bits() >> 4);
        AnimalPosition { pieces: [own, other], hands: [[0; 3]; 2] }
    }

    /// The material of a position; `None` if it has not both lions and none or two of each other kind.
    pub fn of(position: &AnimalPosition) -> Option<Material> {
        let count = |kind: Kind| position.pieces.iter().map(|side| side[kind as usize].count_ones()).sum::<u32>();
        let lions = position.pieces.iter().all(|side| side[Kind::Lion as usize].count_ones() == 1);
        let mut kinds = [false; 3];
        for (in_hand, kind) in Kind::IN_HAND.into_iter().enumerate() {
            let hens = if kind == Kind::Chick { count(Kind::Hen) } else { 0 };
            let held: u8 = position.hands.iter().map(|hand| hand[in_hand]).sum();
            match count(kind) + hens + held as u32 {
                0 => {}
                2 => kinds[in_hand] = true,
                _ => return None,
            }
        }
        lions.then_some(Material { kinds })
    }
}

/// The numbering of the positions of a material.
#[derive(Clone, Debug)]
pub struct Index {
    kinds: [bool; 3],
    /// Squares of the mover's and the other lion for each pair.
    lions: Vec<[u8; 2]>,
    /// The pair of two squares.
    pairs: [[u8; SQUARES]; SQUARES],
    /// First number and numbers on the board of each block, ascending.
    blocks: Vec<(u32, [usize; 3])>,
    /// First numbers by the numbers on the board.
    first: [u32; 27],
    /// Numbers for one pair of lions.
    per_pair: u32,
}

/// Ways to place two pieces of a kind, `on_board` of them on `free` squares.
fn ways(kind: usize, there: bool, free: u32, on_board: usize) -> u32 {
    // A chick on the board may be a hen.
    let faces = if kind == 2 { 2 } else { 1 };
    match (there, on_board) {
        (false, 0) => 1,
        (false, _) => 0,
        (true, 0) => 3,
        (true, 1) => free * 2 * faces * 2,
        (true, _) => free * (free - 1) / 2 * 4 * faces * faces,
    }
}

fn block(on_board: [usize; 3]) -> usize {
    on_board[0] * 9 + on_board[1] * 3 + on_board[2]
}

impl Index {
    /// The numbering of a material.
    pub fn new(material: Material) -> Index {
        let mut index = Index {
            kinds: material.kinds,
            lions: Vec::new(),
            pairs: [[0; SQUARES]; SQUARES],
            blocks: Vec::new(),
            first: [0; 27],
            per_pair: 0,
        };
        for own in 0..SQUARES {
            for other in (0..SQUARES).filter(|&other| other != own && !to_be_mirrored(own, other)) {
                index.pairs[own][other] = index.lions.len() as u8;
                index.lions.push([own as u8, other as u8]);
            }
        }
        for number in 0..27 {
            let on_board = [number / 9, number / 3 % 3, number % 3];
            index.first[number] = index.per_pair;
            let [a, b, c] = index.sizes(on_board);
            if a * b * c > 0 {
                index.blocks.push((index.per_pair, on_board));
                index.per_pair += a * b * c;
            }
        }
        index
    }

    /// Ways to place each kind, one after another.
    fn sizes(&self, on_board: [usize; 3]) -> [u32; 3] {
        let mut free = SQUARES as u32 - 2;
        [0, 1, 2].map(|kind| {
            let size = ways(kind, self.kinds[kind], free, on_board[kind]);
            free -= on_board[kind] as u32;
            size
        })
    }

    /// One more than the greatest number.
    pub fn len(&self) -> usize {
        self.per_pair as usize * self.lions.len()
    }

    /// Whether there are no positions; there always are.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a position of this material, the same as that of its mirror image.
    pub fn number(&self, position: &AnimalPosition) -> u32 {
        let [own, other] = lions(position);
        if to_be_mirrored(own, other) {
            self.oriented(&position.mirrored())
        } else if own % 3 == 1 && other % 3 == 1 {
            self.oriented(position).min(self.oriented(&position.mirrored()))
        } else {
            self.oriented(position)
        }
    }

    fn oriented(&self, position: &AnimalPosition) -> u32 {
        let [own, other] = lions(position);
        let mut free = 0xfff & !(1u16 << own | 1 << other);
        let [mine, theirs] = &position.pieces;
        let mut on_board = [0; 3];
        let (mut number, mut hens) = (0, 0);
        let mut squares_free = SQUARES as u32 - 2;
        for kind in 0..3 {
            let (mut own, mut other) = (mine[kind + 1], theirs[kind + 1]);
            if kind == 2 {
                (own, other) = (own | mine[4], other | theirs[4]);
                hens = mine[4] | theirs[4];
            }
            let both = own | other;
            let place = |at: usize| (free & ((1 << at) - 1)).count_ones();
            let bit = |mask: u16, at: usize| (mask >> at & 1) as u32;
            let mut all = squares(both);
            let value = match (all.next(), all.next()) {
                (Some(a), Some(b)) => {
                    let (low, high) = (place(a), place(b));
                    let pair = high * (high - 1) / 2 + low;
                    let owned = pair * 4 + bit(other, a) * 2 + bit(other, b);
                    if kind == 2 {
                        owned * 4 + bit(hens, a) * 2 + bit(hens, b)
                    } else {
                        owned
                    }
                }
                (Some(a), None) => {
                    let owned = place(a) * 2 + bit(other, a);
                    let faced = if kind == 2 { owned * 2 + bit(hens, a) } else { owned };
                    faced * 2 + position.hands[1][kind] as u32
                }
                _ => position.hands[0][kind] as u32,
            };
            on_board[kind] = both.count_ones() as usize;
            number = number * ways(kind, self.kinds[kind], squares_free, on_board[kind]) + value;
            squares_free -= on_board[kind] as u32;
            free &= !both;
        }
        self.pairs[own][other] as u32 * self.per_pair + self.first[block(on_board)] + number
    }

    /// The position of a number.
    pub fn position(&self, number: u32) -> AnimalPosition {
        let [own, other] = self.lions[(number / self.per_pair) as usize];
        let rest = number % self.per_pair;
        let (first, on_board) = self.blocks[self.blocks.partition_point(|&(first, _)| first <= rest) - 1];
        let rest = rest - first;
        let [_, b, c] = self.sizes(on_board);
        let values = [rest / c / b, rest / c % b, rest % c];
        let mut position = AnimalPosition { pieces: [[0; 5]; 2], hands: [[0; 3]; 2] };
        position.pieces[0][0] = 1 << own;
        position.pieces[1][0] = 1 << other;
        let mut free = 0xfff & !(1u16 << own | 1 << other);
        for kind in (0..3).filter(|&kind| self.kinds[kind]) {
            let mut value = values[kind];
            let mut digit = |base: u32| {
                let digit = (value % base) as usize;
                value /= base;
                digit
            };
            let faces = if kind == 2 { 2 } else { 1 };
            // A hen is one kind behind a chick.
            let mut put = |nth: u32, side: usize, hen: usize| {
                let at = squares(free).nth(nth as usize).unwrap_or_default();
                position.pieces[side][kind + 1 + hen] |= 1 << at;
                1 << at
            };
            let taken: u16 = match on_board[kind] {
                2 => {
                    let [hen_b, hen_a] = [digit(faces), digit(faces)];
                    let [side_b, side_a] = [digit(2), digit(2)];
                    let high = (1..).find(|high| high * (high + 1) / 2 > value).unwrap_or_default();
                    put(value - high * (high - 1) / 2, side_a, hen_a) | put(high, side_b, hen_b)
                }
                1 => {
                    let holder = digit(2);
                    let [hen, side] = [digit(faces), digit(2)];
                    let taken = put(value, side, hen);
                    position.hands[holder][kind] = 1;
                    taken
                }
                _ => {
                    position.hands[0][kind] = value as u8;
                    position.hands[1][kind] = 2 - value as u8;
                    0
                }
            };
            free &= !taken;
        }
        position
    }
}

fn lions(position: &AnimalPosition) -> [usize; 2] {
    position.pieces.map(|side| side[0].trailing_zeros() as usize)
}

/// Whether the mirror image stands for a position with the lions on these squares.
fn to_be_mirrored(own: usize, other: usize) -> bool {
    own % 3 == 2 || (own % 3 == 1 && other % 3 == 2)
}
