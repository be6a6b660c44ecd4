//! A position on wires: five planes of piece-code bits and two hands.
//!
//! Layouts ([`Image`], [`Board`], [`Plane`]) and functions on planes; no blocks. A plane has one wire for each square,
//! in the order of the squares of `hayasashi_spec::piece`.
//! Model: `host/model/src/position/{board,image}.rs`.

use crate::bundle;
use crate::network::{Wires, Word};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::*;

/// Layout of a plane: one wire for each square.
pub type Plane = Wires<SQUARES>;
/// Layout of a hand, packed as in the position image.
pub type Hand = Wires<HAND_BITS>;

/// Reserved bits between the codes and the mover's hand, between the hands, and behind them.
const RESERVED: [usize; 3] = [
    OWN_HAND_BIT - CODE_BITS * SQUARES,
    THEIR_HAND_BIT - OWN_HAND_BIT - HAND_BITS,
    8 * IMAGE_BYTES - THEIR_HAND_BIT - HAND_BITS,
];

bundle! {
    /// A position image as the host sends it.
    pub struct Image {
        /// The piece code of each square.
        code: [Wires<CODE_BITS>; SQUARES],
        /// Zero.
        reserved_low: Wires<{ RESERVED[0] }>,
        /// The mover's hand.
        own_hand: Hand,
        /// Zero.
        reserved_middle: Wires<{ RESERVED[1] }>,
        /// The other side's hand.
        their_hand: Hand,
        /// Zero.
        reserved_high: Wires<{ RESERVED[2] }>,
    }
}

bundle! {
    /// Planes and hands of a position.
    pub struct Board {
        /// Bits 0 to 3 of the kind on each square, then the owner bit.
        code: [Plane; CODE_BITS],
        /// The mover's hand and theirs.
        hand: [Hand; 2],
    }
}

/// Names of wires with the squares of each kind.
const KIND_NAMES: [&str; 16] = [
    "empty_squares",
    "pawns",
    "lances",
    "knights",
    "silvers",
    "golds",
    "bishops",
    "rooks",
    "kings",
    "promoted_pawns",
    "promoted_lances",
    "promoted_knights",
    "promoted_silvers",
    "no_kind",
    "horses",
    "dragons",
];

/// Squares of a rank.
pub const fn rank_mask(rank: usize) -> u128 {
    let mut mask = 0;
    let mut file = 0;
    while file < SIDE {
        mask |= 1 << square(file, rank);
        file += 1;
    }
    mask
}

/// All squares.
pub const ALL_SQUARES: u128 = (1 << SQUARES) - 1;
/// The promotion zone.
pub const ZONE: u128 = rank_mask(0) | rank_mask(1) | rank_mask(2);

impl<W: Word> Board<W> {
    /// The planes of an image; reserved bits are ignored.
    pub fn from_image(image: &Image<W>) -> Board<W> {
        let plane = |bit: usize| W::join(&image.code.map(|code| code.bit(bit))).named_at("board_code", bit);
        Board { code: std::array::from_fn(plane), hand: [image.own_hand, image.their_hand] }
    }

    /// The image with these planes.
    pub fn image(&self) -> Image<W> {
        let code = |square: usize| W::join(&self.code.map(|plane| plane.bit(square)));
        Image {
            code: std::array::from_fn(code),
            reserved_low: W::zero(RESERVED[0]),
            own_hand: self.hand[0],
            reserved_middle: W::zero(RESERVED[1]),
            their_hand: self.hand[1],
            reserved_high: W::zero(RESERVED[2]),
        }
    }

    /// Squares with any piece.
    pub fn occupied(&self) -> W {
        (self.code[0] | self.code[1] | self.code[2] | self.code[3]).named("occupied")
    }

    /// Squares with a piece of the mover's.
    pub fn own(&self) -> W {
        self.occupied() & !self.code[4]
    }

    /// Squares with a piece of theirs.
    pub fn theirs(&self) -> W {
        self.occupied() & self.code[4]
    }

    /// Squares with a piece of this kind, whoever owns it.
    pub fn kind(&self, kind: u8) -> W {
        let literal = |i: usize| if kind >> i & 1 != 0 { self.code[i] } else { !self.code[i] };
        let low = (literal(0) & literal(1)).named_at("low_bits", (kind & 3) as usize);
        let high = (literal(2) & literal(3)).named_at("high_bits", (kind >> 2) as usize);
        (low & high).named(KIND_NAMES[kind as usize])
    }

    /// Squares with a piece of one of these kinds, whoever owns it.
    pub fn kinds(&self, wanted: impl Fn(u8) -> bool) -> W {
        let planes = (PAWN..=DRAGON).filter(|&k| k != NO_KIND && wanted(k)).map(|k| self.kind(k));
        planes.reduce(|a, b| a | b).unwrap_or(W::zero(SQUARES))
    }

    /// The code of the kind on this square, one wire or none; zero if it is empty or there is no square.
    pub fn kind_on(&self, square: W) -> W {
        W::join(&[0, 1, 2, 3].map(|i| (self.code[i] & square).any()))
    }

    /// Count of a hand kind (0 pawn … 6 rook) in the mover's hand (0) or theirs (1).
    pub fn held(&self, owner: usize, kind: usize) -> W {
        self.hand[owner].slice(HAND_OFFSET[kind], HAND_WIDTH[kind])
    }

    /// The board turned by 180° with the colours exchanged: wires, and one gate a square.
    pub fn turned(&self) -> Board<W> {
        let occupied = self.occupied();
        let mut code = self.code;
        code[4] = (occupied & !self.code[4]).named("turned_owner");
        Board { code: code.map(turn_plane), hand: [self.hand[1], self.hand[0]] }
    }
}

/// A plane turned by 180°.
pub fn turn_plane<W: Word>(plane: W) -> W {
    let wires: Vec<u8> = (0..SQUARES).map(|s| turn(s) as u8).collect();
    plane.wires(&wires)
}

/// A square seen from the other side.
pub fn turn_square<W: Word>(square: W) -> W {
    W::constant(turn(0) as u128, 7).minus(square, 7)
}

/// A plane of squares, each moved by one step; what leaves the board is gone.
pub fn shift<W: Word>(direction: Direction, plane: W) -> W {
    let (file, rank) = direction.step();
    shift_by(file as i32, rank as i32, plane)
}

/// A plane of squares moved by whole files and ranks; what leaves the board is gone.
pub fn shift_by<W: Word>(files: i32, ranks: i32, plane: W) -> W {
    let distance = SIDE as i32 * files + ranks;
    let moved = match distance {
        0 => plane,
        d if d > 0 => W::join(&[W::zero(d as usize), plane.slice(0, SQUARES - d as usize)]),
        d => W::join(&[plane.slice(-d as usize, SQUARES - -d as usize), W::zero(-d as usize)]),
    };
    let landing = (0..SIDE as i32).filter(|r| (0..SIDE as i32).contains(&(r - ranks)));
    let mask = landing.fold(0, |mask, r| mask | rank_mask(r as usize));
    if mask == ALL_SQUARES {
        moved
    } else {
        moved & W::constant(mask, SQUARES)
    }
}

/// The index of the one square set (zero for none).
pub fn index<W: Word>(one_square: W) -> W {
    let bits: Vec<W> = (0..7)
        .map(|b| {
            let wires: Vec<u8> = (0..SQUARES).filter(|s| s >> b & 1 != 0).map(|s| s as u8).collect();
            one_square.wires(&wires).any()
        })
        .collect();
    W::join(&bits)
}
