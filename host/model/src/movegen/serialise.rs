//! The legal moves one by one in canonical order. Mirrors `hdl/src/movegen/bank.rs` and `pick.rs`.

use super::checking::Checking;
use super::origin::origin;
use super::targets::Targets;
use crate::attacks::ray::squares;
use crate::position::Position;
use hayasashi_spec::moves::*;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::Owner;

/// Appends the legal moves of a position to `moves` in canonical order; returns their number and the `RESULT_…` bits.
pub fn generate(position: &Position, moves: &mut Vec<MoveRecord>) -> MoveCount {
    let targets = Targets::find(position);
    let count = targets.count();
    moves.reserve(count.moves as usize);
    let (own, their) = (position.pieces(Owner::Mover), position.pieces(Owner::Theirs));
    let occupied = own.all | their.all;
    let checking = Checking::find(position);
    let codes = position.codes();
    let kind = |square: usize| codes[square] & !THEIRS;

    let classes = [
        (&targets.promote, their.all, FLAG_PROMOTE | FLAG_CAPTURE),
        (&targets.plain, their.all, FLAG_CAPTURE),
        (&targets.promote, !their.all, FLAG_PROMOTE),
        (&targets.plain, !their.all, 0),
    ];
    for (planes, class, flags) in classes {
        for (d, plane) in planes.iter().enumerate() {
            for to in squares(plane & class) {
                let from = origin(to, d, occupied);
                let moved = kind(from);
                let captured = if flags & FLAG_CAPTURE != 0 { kind(to) } else { 0 };
                let promotes = flags & FLAG_PROMOTE != 0;
                let becomes = if promotes { moved | PROMOTED } else { moved };
                let check = checking.by_move(from, to, becomes);
                moves.push(MoveRecord {
                    mv: Move16::board(from as u8, to as u8, promotes),
                    flags: flags | if check { FLAG_CHECK } else { 0 },
                    kinds: moved | captured << 4,
                });
            }
        }
    }
    for (kind, plane) in (PAWN..).zip(targets.drops) {
        for to in squares(plane) {
            let check = checking.squares[kind as usize] >> to & 1 != 0;
            moves.push(MoveRecord {
                mv: Move16::drop(kind, to as u8),
                flags: FLAG_DROP | if check { FLAG_CHECK } else { 0 },
                kinds: kind,
            });
        }
    }
    count
}
