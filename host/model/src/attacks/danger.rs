//! Squares that one side attacks. Mirrors a part of `hdl/src/attacks/rays.rs`.
//!
//! For the king's steps the caller leaves the king out of `occupied`: the squares behind it are attacked too once it steps
//! there.

use super::ray::{jump_south, slide, step, BOARD};
use crate::position::{Bitboard, Pieces};

macro_rules! attacked {
    ($(#[$doc:meta])* $name:ident,
     $n:literal $ne:literal $nw:literal $e:literal $w:literal $se:literal $sw:literal $s:literal, $jump:expr) => {
        $(#[$doc])*
        #[inline]
        pub fn $name(pieces: &Pieces, occupied: Bitboard) -> Bitboard {
            let empty = BOARD & !occupied;
            let golds = pieces.gold | pieces.king;
            let silvers = pieces.silver | pieces.king | pieces.dragon;
            let mut to = step::<$n>(pieces.pawn | pieces.silver | golds | pieces.horse);
            let forward = pieces.silver | golds | pieces.dragon;
            to |= step::<$ne>(forward) | step::<$nw>(forward);
            let beside = golds | pieces.horse;
            to |= step::<$e>(beside) | step::<$w>(beside) | step::<$s>(beside);
            to |= step::<$se>(silvers) | step::<$sw>(silvers);
            to |= $jump(pieces.knight);
            let straight = pieces.rook | pieces.dragon;
            to |= slide::<$n>(straight | pieces.lance, empty);
            if straight != 0 {
                to |= slide::<$s>(straight, empty) | slide::<$e>(straight, empty) | slide::<$w>(straight, empty);
            }
            let diagonal = pieces.bishop | pieces.horse;
            if diagonal != 0 {
                to |= slide::<$ne>(diagonal, empty) | slide::<$nw>(diagonal, empty);
                to |= slide::<$se>(diagonal, empty) | slide::<$sw>(diagonal, empty);
            }
            to
        }
    };
}

attacked!(
    /// Squares that the mover's `pieces` attack, protected pieces of their own included.
    attacked_by_mover, 0 1 2 3 4 5 6 7,
    |knights| step::<8>(knights) | step::<9>(knights)
);
attacked!(
    /// Squares that the other side's `pieces` attack, protected pieces of their own included.
    attacked_by_them, 7 6 5 4 3 2 1 0,
    jump_south
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::ray::squares;
    use crate::position::board::turn;
    use crate::position::Position;
    use hayasashi_spec::moves::Direction;
    use hayasashi_spec::piece::SIDE;
    use hayasashi_spec::position::Owner;
    use proptest::{collection::vec, prelude::*};

    /// Attacks by walking the directions of the contract.
    fn attacked_slowly(p: &Position) -> Bitboard {
        let own = p.pieces(Owner::Mover).all;
        let mut to = 0;
        for s in squares(own) {
            let kind = p.kind(s);
            for d in Direction::ALL {
                let (mut f, mut r) = ((s / SIDE) as i8, (s % SIDE) as i8);
                while d.steps(kind) {
                    (f, r) = (f + d.step().0, r + d.step().1);
                    if !(0..9).contains(&f) || !(0..9).contains(&r) {
                        break;
                    }
                    let t = SIDE * f as usize + r as usize;
                    to |= 1 << t;
                    if p.kind(t) != 0 || !d.slides(kind) {
                        break;
                    }
                }
            }
        }
        to
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]
        #[test]
        fn attacks_agree_with_the_contracts_directions(pieces in vec((0..81usize, 0..32u8), 1..=40)) {
            let mut p = Position::default();
            pieces.into_iter().for_each(|(square, code)| p.set_piece(square, code));
            let (own, occupied) = (p.pieces(Owner::Mover), p.occupied());
            prop_assert_eq!(attacked_by_mover(&own, occupied), attacked_slowly(&p), "{:?}", p);
            let t = p.turned();
            let them = attacked_by_them(&t.pieces(Owner::Theirs), t.occupied());
            prop_assert_eq!(turn(them), attacked_slowly(&t.turned()), "{:?}", p);
        }
    }
}
