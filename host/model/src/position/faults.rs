//! Why a position cannot occur. Mirrors `hdl/src/position/faults.rs`.

use super::{Bitboard, Position};
use crate::attacks::danger::attacked_by_mover;
use crate::attacks::ray::RANK;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{Fault, Owner};

/// Whether some file holds two of these pawns.
fn two_in_a_file(pawns: Bitboard) -> bool {
    Position::files_of(pawns).count_ones() != SIDE as u32 * pawns.count_ones()
}

impl Position {
    /// The union of the [`Fault`] bits that hold, each found without regard to the others; 0 for a possible position.
    ///
    /// Codes 13 and 29 stand in the way of other pieces but attack nothing; code 16 is an empty square.
    pub fn faults(&self) -> u8 {
        let (own, their) = (self.pieces(Owner::Mover), self.pieces(Owner::Theirs));
        let [k0, k1, k2, k3, theirs] = self.planes;
        let occupied = self.occupied();
        let mut faults = 0;

        let no_kind = k3 & k2 & !k1 & k0;
        if self.reserved || no_kind != 0 || theirs & !occupied != 0 {
            faults |= Fault::Encoding as u8;
        }

        let too_many_of = |kind: u8| {
            let bit = |plane: Bitboard, b: u8| if kind >> b & 1 != 0 { plane } else { !plane };
            let board = bit(k0, 0) & bit(k1, 1) & bit(k2, 2) & occupied & !no_kind;
            let hands = self.hand(Owner::Mover, kind) as u32 + self.hand(Owner::Theirs, kind) as u32;
            board.count_ones() + hands > FULL_SET[kind as usize - 1] as u32
        };
        if (PAWN..=ROOK).any(too_many_of) || own.king.count_ones() > 1 || their.king.count_ones() > 1 {
            faults |= Fault::TooMany as u8;
        }

        if two_in_a_file(own.pawn) || two_in_a_file(their.pawn) {
            faults |= Fault::TwoPawns as u8;
        }

        let own_dead = (own.pawn | own.lance | own.knight) & RANK[0] | own.knight & RANK[1];
        let their_dead = (their.pawn | their.lance | their.knight) & RANK[8] | their.knight & RANK[7];
        if own_dead | their_dead != 0 {
            faults |= Fault::Dead as u8;
        }

        if their.king != 0 && attacked_by_mover(&own, occupied) & their.king != 0 {
            faults |= Fault::Capturable as u8;
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pieces: &[(usize, u8)], hands: &[(Owner, u8, u8)], expect: u8) {
        let mut p = Position::default();
        for &(s, code) in pieces {
            p.set_piece(s, code);
        }
        for &(owner, kind, count) in hands {
            p.set_hand(owner, kind, count);
        }
        assert_eq!(p.faults(), expect, "{pieces:?} {hands:?}");
    }

    const ENCODING: u8 = Fault::Encoding as u8;
    const TOO_MANY: u8 = Fault::TooMany as u8;
    const TWO_PAWNS: u8 = Fault::TwoPawns as u8;
    const DEAD: u8 = Fault::Dead as u8;
    const CAPTURABLE: u8 = Fault::Capturable as u8;

    #[test]
    fn each_fault_is_seen() {
        check(&[], &[], 0);
        check(&[(40, NO_KIND)], &[], ENCODING);
        check(&[(40, NO_KIND | THEIRS)], &[], ENCODING);
        check(&[(40, THEIRS)], &[], ENCODING);
        check(&[], &[(Owner::Mover, PAWN, 18)], 0);
        check(&[], &[(Owner::Mover, PAWN, 10), (Owner::Theirs, PAWN, 9)], TOO_MANY);
        check(&[(40, PRO_PAWN)], &[(Owner::Mover, PAWN, 18)], TOO_MANY);
        check(&[(40, DRAGON), (50, ROOK | THEIRS)], &[(Owner::Theirs, ROOK, 1)], TOO_MANY);
        check(&[(40, KING), (60, KING | THEIRS)], &[], 0);
        check(&[(40, KING), (53, KING)], &[], TOO_MANY);
        check(&[(40, KING | THEIRS), (53, KING | THEIRS)], &[], TOO_MANY);
        check(&[(9, PAWN | THEIRS), (16, PAWN | THEIRS)], &[], TWO_PAWNS);
        check(&[(10, PAWN), (17, PAWN)], &[], TWO_PAWNS);
        check(&[(8, PAWN), (10, PAWN), (5, PAWN | THEIRS), (3, PRO_PAWN)], &[], 0);
        check(&[(0, PAWN)], &[], DEAD);
        check(&[(9, LANCE)], &[], DEAD);
        check(&[(1, KNIGHT)], &[], DEAD);
        check(&[(2, KNIGHT), (1, LANCE), (8, PAWN)], &[], 0);
        check(&[(8, LANCE | THEIRS)], &[], DEAD);
        check(&[(7, KNIGHT | THEIRS)], &[], DEAD);
        check(&[(6, KNIGHT | THEIRS), (7, LANCE | THEIRS), (0, PAWN | THEIRS)], &[], 0);
    }

    #[test]
    fn the_enemy_king_may_not_be_attacked() {
        check(&[(40, KING | THEIRS), (41, PAWN)], &[], CAPTURABLE);
        check(&[(40, KING | THEIRS), (39, PAWN)], &[], 0);
        check(&[(40, KING | THEIRS), (41, KING)], &[], CAPTURABLE);
        check(&[(40, KING | THEIRS), (43, LANCE)], &[], CAPTURABLE);
        check(&[(40, KING | THEIRS), (43, LANCE), (42, PAWN | THEIRS)], &[], 0);
        check(&[(40, KING | THEIRS), (33, KNIGHT)], &[], CAPTURABLE);
        check(&[(40, KING | THEIRS), (40 - 9 - 2, KNIGHT)], &[], 0);
        // Kinds that do not exist stand in the way but attack nothing; code 16 is empty.
        check(&[(40, KING | THEIRS), (43, LANCE), (42, NO_KIND)], &[], ENCODING);
        check(&[(40, KING | THEIRS), (43, LANCE), (42, THEIRS)], &[], ENCODING | CAPTURABLE);
        check(&[(40, KING | THEIRS), (41, NO_KIND)], &[], ENCODING);
    }

    #[test]
    fn the_union_of_faults_is_answered() {
        check(
            &[(0, PAWN), (4, PAWN), (40, KING | THEIRS), (41, GOLD), (42, NO_KIND)],
            &[(Owner::Mover, PAWN, 31)],
            ENCODING | TOO_MANY | TWO_PAWNS | DEAD | CAPTURABLE,
        );
    }
}
