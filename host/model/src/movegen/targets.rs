//! Destinations of legal moves by direction of travel. Mirrors `hdl/src/movegen/targets.rs`.
//!
//! Of all own pieces only one can arrive on a square from one direction, so a plane of arrivals per direction is the
//! set of moves itself.

use super::{drops, uchifuzume};
use crate::attacks::danger::attacked_by_them;
use crate::attacks::legality::Checks;
use crate::attacks::ray::{slide, step, AROUND, BOARD, RANK, STEP, ZONE};
use crate::position::{Bitboard, Pieces, Position};
use hayasashi_spec::moves::{DIRECTIONS, RAYS};
use hayasashi_spec::piece::HAND_KINDS;
use hayasashi_spec::position::Owner;

/// All legal moves of a position as planes of destinations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Targets {
    /// Arrivals with promotion by direction of travel.
    pub promote: [Bitboard; DIRECTIONS],
    /// Arrivals without promotion by direction of travel.
    pub plain: [Bitboard; DIRECTIONS],
    /// Drops by kind, pawn first.
    pub drops: [Bitboard; HAND_KINDS],
    /// The mover is in check.
    pub in_check: bool,
    /// A pawn drop is excluded from `drops` only because it would be mate.
    pub uchifuzume: bool,
}

impl Targets {
    /// The legal moves of a position.
    #[inline]
    pub fn find(position: &Position) -> Targets {
        let (own, their) = (position.pieces(Owner::Mover), position.pieces(Owner::Theirs));
        let checks = Checks::find(&own, &their);
        let mut targets = Targets::with_pawn_drop_mate(position, &own, &their, &checks);
        targets.uchifuzume = uchifuzume::exclude(position, &their, &mut targets.drops[0]);
        targets
    }

    /// The legal moves of a position and, if there is one, the pawn drop that would be mate.
    #[inline]
    pub(crate) fn with_pawn_drop_mate(position: &Position, own: &Pieces, their: &Pieces, checks: &Checks) -> Targets {
        let mut targets = Targets { in_check: checks.checkers != 0, ..Targets::default() };
        if checks.evasion != 0 {
            targets.add_board_moves(own, their, checks);
            targets.drops = drops::targets(position, own, their, checks.evasion);
        }
        targets.add_king_moves(own, their);
        targets
    }

    /// Whether there is no legal move.
    pub(crate) fn none(&self) -> bool {
        let any = |planes: &[Bitboard]| planes.iter().fold(0, |all, p| all | p) != 0;
        !any(&self.promote) && !any(&self.plain) && !any(&self.drops)
    }

    #[inline(always)]
    fn add_king_moves(&mut self, own: &Pieces, their: &Pieces) {
        let to = king_moves(own, their);
        if to != 0 {
            let near = &STEP[own.king.trailing_zeros() as usize];
            for (plane, step) in self.plain.iter_mut().zip(near).take(RAYS) {
                *plane |= step & to;
            }
        }
    }

    /// Moves of all pieces but the king.
    ///
    /// Pieces that can promote are computed separately from those that cannot. A piece that moves north or sideways
    /// promotes if it arrives in the zone; one that moves south, if it comes from there.
    #[inline(always)]
    fn add_board_moves(&mut self, own: &Pieces, their: &Pieces, checks: &Checks) {
        let empty = BOARD & !(own.all | their.all);
        let to = checks.evasion & !own.all;
        let free = |pieces, d| checks.free(pieces, d);

        let pawns = step::<0>(free(own.pawn, 0)) & to;
        let lances = if own.lance != 0 { slide::<0>(free(own.lance, 0), empty) & to } else { 0 };
        let silvers = step::<0>(free(own.silver, 0)) & to;
        self.promote[0] = (pawns | lances | silvers) & ZONE;
        self.plain[0] = (pawns | lances) & !RANK[0] | silvers | step::<0>(free(own.gold | own.horse, 0)) & to;

        let forward = own.gold | own.dragon;
        let beside = own.gold | own.horse;
        macro_rules! steps {
            ($d:literal, $promotable:expr, $other:expr, $zone:expr) => {
                let arrivals = step::<$d>(free($promotable, $d)) & to;
                self.promote[$d] = arrivals & $zone;
                self.plain[$d] = arrivals | step::<$d>(free($other, $d)) & to;
            };
        }
        steps!(1, own.silver, forward, ZONE);
        steps!(2, own.silver, forward, ZONE);
        steps!(5, own.silver, own.dragon, step::<5>(ZONE));
        steps!(6, own.silver, own.dragon, step::<6>(ZONE));
        self.plain[3] = step::<3>(free(beside, 3)) & to;
        self.plain[4] = step::<4>(free(beside, 4)) & to;
        self.plain[7] = step::<7>(free(beside, 7)) & to;

        let knights = own.knight & !checks.pinned;
        macro_rules! jumps {
            ($d:literal) => {
                let arrivals = step::<$d>(knights) & to;
                self.promote[$d] = arrivals & ZONE;
                self.plain[$d] = arrivals & !(RANK[0] | RANK[1]);
            };
        }
        jumps!(8);
        jumps!(9);

        macro_rules! slides {
            ($pieces:expr; $($d:literal)+) => {
                $(self.plain[$d] |= slide::<$d>(free($pieces, $d), empty) & to;)+
            };
        }
        macro_rules! promoting_slides {
            ($pieces:expr; $($north:literal)+; $($south:literal)+) => {
                $(
                    let arrivals = slide::<$north>(free($pieces, $north), empty) & to;
                    self.promote[$north] |= arrivals & ZONE;
                    self.plain[$north] |= arrivals;
                )+
                slides!($pieces; $($south)+);
                let in_zone = $pieces & ZONE;
                if in_zone != 0 {
                    $(self.promote[$south] |= slide::<$south>(free(in_zone, $south), empty) & to;)+
                }
            };
        }
        if own.rook != 0 {
            promoting_slides!(own.rook; 0 3 4; 7);
        }
        if own.bishop != 0 {
            promoting_slides!(own.bishop; 1 2; 5 6);
        }
        if own.dragon != 0 {
            slides!(own.dragon; 0 3 4 7);
        }
        if own.horse != 0 {
            slides!(own.horse; 1 2 5 6);
        }
    }
}

/// Destinations of the mover's king.
#[inline]
pub(super) fn king_moves(own: &Pieces, their: &Pieces) -> Bitboard {
    if own.king == 0 {
        return 0;
    }
    let around = AROUND[own.king.trailing_zeros() as usize] & !own.all;
    around & !attacked_by_them(their, (own.all | their.all) & !own.king)
}
