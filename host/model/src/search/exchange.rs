//! The exchange test: what a move gains and loses on its square, by planes of attacks.
//!
//! Pins and pieces behind other pieces do not count. Attacks include those on own pieces, which they protect.

use super::judge::gain;
use super::spot::Candidate;
use crate::attacks::ray::{jump_south, slide, step, BOARD};
use crate::position::{Bitboard, Pieces};
use hayasashi_spec::moves::DROP_FROM;
use hayasashi_spec::search_table::*;

/// Squares that each side attacks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attacks {
    /// Squares that the mover attacks once or more often, and twice or more often.
    pub own: [Bitboard; 2],
    /// Squares that they attack: with pawns; with lances, knights, silvers or golds; with bishops or rooks; with the king.
    pub their: [Bitboard; 4],
}

impl Attacks {
    /// The attacks of both sides.
    pub fn find(own: &Pieces, their: &Pieces) -> Attacks {
        let empty = BOARD & !(own.all | their.all);
        Attacks { own: twice(own, empty), their: classes(their, empty) }
    }

    /// Squares that they attack.
    pub fn by_them(&self) -> Bitboard {
        self.their[0] | self.their[1] | self.their[2] | self.their[3]
    }

    /// What the move gains, in centipawns, when they recapture with their least piece and the mover may then take it.
    #[inline]
    pub fn exchange(&self, candidate: &Candidate) -> i32 {
        let to = candidate.mv.to();
        let gain = gain(candidate);
        let on = |plane: Bitboard| plane >> to & 1 != 0;
        let least = match self.their {
            [pawns, ..] if on(pawns) => LEAST_PAWN,
            [_, minors, ..] if on(minors) => LEAST_MINOR,
            [_, _, majors, _] if on(majors) => LEAST_MAJOR,
            [_, _, _, king] if on(king) => i16::MAX,
            _ => return gain,
        };
        // The moving piece is one of the attackers; a dropped one is not.
        let supported = on(self.own[(candidate.mv.from() < DROP_FROM) as usize]);
        let regained = if supported { least as i32 } else { 0 };
        gain - (CAPTURE_VALUE[candidate.becomes() as usize & 15] as i32 - regained).max(0)
    }
}

/// Squares that the mover attacks from one direction or more, and from two or more.
fn twice(p: &Pieces, empty: Bitboard) -> [Bitboard; 2] {
    let golds = p.gold | p.king;
    let silvers = p.silver | p.king | p.dragon;
    let (mut once, mut twice) = (0, 0);
    let mut add = |plane: Bitboard| {
        twice |= once & plane;
        once |= plane;
    };
    let (straight, diagonal) = (p.rook | p.dragon, p.bishop | p.horse);
    let forward = p.silver | golds | p.dragon;
    let beside = golds | p.horse;
    let rays = |on: bool, ray: Bitboard| if on { ray } else { 0 };
    let (s, d) = (straight != 0, diagonal != 0);
    add(step::<0>(p.pawn | p.silver | golds | p.horse) | slide::<0>(straight | p.lance, empty));
    add(step::<1>(forward) | rays(d, slide::<1>(diagonal, empty)));
    add(step::<2>(forward) | rays(d, slide::<2>(diagonal, empty)));
    add(step::<3>(beside) | rays(s, slide::<3>(straight, empty)));
    add(step::<4>(beside) | rays(s, slide::<4>(straight, empty)));
    add(step::<5>(silvers) | rays(d, slide::<5>(diagonal, empty)));
    add(step::<6>(silvers) | rays(d, slide::<6>(diagonal, empty)));
    add(step::<7>(beside) | rays(s, slide::<7>(straight, empty)));
    add(step::<8>(p.knight));
    add(step::<9>(p.knight));
    [once, twice]
}

/// Squares that they attack, by the class of the piece.
fn classes(p: &Pieces, empty: Bitboard) -> [Bitboard; 4] {
    let pawns = step::<7>(p.pawn);
    let mut minors = step::<7>(p.silver | p.gold) | jump_south(p.knight);
    minors |= step::<5>(p.silver | p.gold) | step::<6>(p.silver | p.gold);
    minors |= step::<0>(p.gold) | step::<3>(p.gold) | step::<4>(p.gold);
    minors |= step::<1>(p.silver) | step::<2>(p.silver);
    if p.lance != 0 {
        minors |= slide::<7>(p.lance, empty);
    }
    let mut majors = 0;
    let (straight, diagonal) = (p.rook | p.dragon, p.bishop | p.horse);
    if straight != 0 {
        majors |= slide::<0>(straight, empty) | slide::<7>(straight, empty);
        majors |= slide::<3>(straight, empty) | slide::<4>(straight, empty);
        majors |= step::<1>(p.dragon) | step::<2>(p.dragon) | step::<5>(p.dragon) | step::<6>(p.dragon);
    }
    if diagonal != 0 {
        majors |= slide::<1>(diagonal, empty) | slide::<2>(diagonal, empty);
        majors |= slide::<5>(diagonal, empty) | slide::<6>(diagonal, empty);
        majors |= step::<0>(p.horse) | step::<3>(p.horse) | step::<4>(p.horse) | step::<7>(p.horse);
    }
    let k = p.king;
    let king = step::<0>(k) | step::<1>(k) | step::<2>(k) | step::<3>(k);
    [pawns, minors, majors, king | step::<4>(k) | step::<5>(k) | step::<6>(k) | step::<7>(k)]
}
