//! The first evaluation table, made by hand.
//!
//! Material follows the ratios usual in computer shogi (as in Bonanza, Hoki 2006, and its
//! followers). The placement of a piece depends on the own king alone, as the format asks for:
//!
//! * the own king is safer on its back rank and towards the edge, which castles seek;
//! * own golds, silvers and horses are worth more near it, their attackers less near it (for the viewing side);
//! * whatever does not depend on a king is development: pawns advance, lances and knights wait, major pieces
//!   enter the enemy camp.
//!
//! Rows of a king on file 5 and of a side without a king are symmetric about file 5, so that a position and its mirror
//! image have the same score.

use super::EvalTable;
use hayasashi_spec::piece::*;
use hayasashi_spec::table::*;

/// Checksum of [`first_table`]; a different table plays differently.
pub const FIRST_TABLE_CHECKSUM: u32 = 0x61B9_6ECE;

/// Version of [`first_table`].
const VERSION: u32 = 1;

/// Centipawns on the board by kind.
const BOARD_VALUE: [i16; 16] = [0, 90, 315, 405, 495, 540, 855, 990, 0, 540, 540, 540, 540, 0, 945, 1395];
/// Centipawns in hand, pawn first: a little more than on the board, as a drop may choose its square.
const HAND_VALUE: [i16; HAND_KINDS] = [100, 330, 420, 515, 565, 890, 1040];
/// Centipawns for having the move.
const TEMPO: i16 = 15;

/// Own pieces near the own king, by king's steps: one, two, three.
const DEFENDER: [[i16; 3]; 16] = by_kind(&[
    (PAWN, [6, 3, 0]),
    (SILVER, [18, 12, 6]),
    (GOLD, [24, 18, 10]),
    (PRO_PAWN, [14, 7, 0]),
    (PRO_LANCE, [14, 7, 0]),
    (PRO_KNIGHT, [14, 7, 0]),
    (PRO_SILVER, [16, 8, 0]),
    (HORSE, [34, 24, 12]),
    (DRAGON, [8, 4, 0]),
]);

/// Their pieces near the own king, by king's steps: one, two, three.
const ATTACKER: [[i16; 3]; 16] = by_kind(&[
    (PAWN, [-14, -10, -4]),
    (LANCE, [-10, -8, -4]),
    (KNIGHT, [-12, -18, -8]),
    (SILVER, [-30, -20, -8]),
    (GOLD, [-40, -24, -9]),
    (BISHOP, [-16, -12, -6]),
    (ROOK, [-24, -16, -8]),
    (PRO_PAWN, [-42, -26, -10]),
    (PRO_LANCE, [-40, -24, -9]),
    (PRO_KNIGHT, [-40, -24, -9]),
    (PRO_SILVER, [-40, -24, -9]),
    (HORSE, [-44, -30, -14]),
    (DRAGON, [-60, -40, -20]),
]);

/// Own king by rank, rank a first. In the enemy camp it is hard to mate again.
const KING_RANK: [i16; SIDE] = [-40, -50, -70, -95, -105, -90, -50, -8, 0];
/// Own king by file as the view has it, file 1 first.
const KING_FILE: [i16; 5] = [14, 24, 14, -14, -40];

/// Own piece by kind and rank, rank a first.
const RANK_VALUE: [[i16; SIDE]; 16] = {
    let mut by = [[0; SIDE]; 16];
    by[PAWN as usize] = [0, 18, 20, 16, 9, 4, 0, 0, -2];
    by[LANCE as usize] = [0, -20, -18, -18, -16, -12, -8, -2, 6];
    by[KNIGHT as usize] = [0, 0, 10, 8, 4, -8, 8, -6, 0];
    by[SILVER as usize] = [-12, -2, 2, 6, 8, 8, 6, 2, -4];
    by[GOLD as usize] = [-30, -16, -8, -6, -4, 0, 4, 6, 2];
    by[BISHOP as usize] = [4, 6, 8, 4, 6, 4, 4, 6, 0];
    by[ROOK as usize] = [18, 22, 18, 0, -6, -6, -4, 8, 4];
    by[HORSE as usize] = [4, 6, 8, 10, 14, 14, 12, 8, 4];
    by[DRAGON as usize] = [20, 22, 20, 10, 8, 6, 4, 2, 0];
    by[PRO_PAWN as usize] = [-6, 8, 16, 16, 8, 0, -8, -8, -8];
    by[PRO_LANCE as usize] = [-6, 6, 12, 12, 6, 0, -8, -8, -8];
    by[PRO_KNIGHT as usize] = [-6, 6, 12, 12, 6, 0, -8, -8, -8];
    by[PRO_SILVER as usize] = [-6, 6, 12, 12, 6, 0, -8, -8, -8];
    by
};

/// The first piece of a kind in hand keeps threats alive; the next ones add less.
const FIRST_IN_HAND: [i16; HAND_KINDS] = [14, 6, 8, 10, 12, 12, 16];
const NEXT_IN_HAND: [i16; HAND_KINDS] = [1, 1, 2, 3, 3, 4, 6];
/// Most pieces of a kind in hand that still add something.
const USEFUL_IN_HAND: usize = 5;

const fn by_kind(entries: &[(u8, [i16; 3])]) -> [[i16; 3]; 16] {
    let mut table = [[0; 3]; 16];
    let mut i = 0;
    while i < entries.len() {
        table[entries[i].0 as usize] = entries[i].1;
        i += 1;
    }
    table
}

/// King's steps between two squares.
fn steps(a: usize, b: usize) -> usize {
    (a / SIDE).abs_diff(b / SIDE).max((a % SIDE).abs_diff(b % SIDE))
}

fn placement(square: usize, row: usize, code: u8) -> i16 {
    let kind = (code & !THEIRS) as usize;
    let (own, near) = (code & THEIRS == 0, steps(square, row));
    let king = row != ROW_NO_KING;
    let by_distance = |table: &[[i16; 3]; 16]| match near {
        1..=3 if king => table[kind][near - 1],
        _ => 0,
    };
    if !own {
        return by_distance(&ATTACKER);
    }
    if kind == KING as usize {
        // Other squares cannot hold the own king while the row says where it is.
        return if king && square == row { KING_RANK[row % SIDE] + KING_FILE[row / SIDE] } else { 0 };
    }
    // Golds and silvers shelter a king that is at home better from beside and above than from below.
    let shelter = match (kind as u8, king && square % SIDE > row % SIDE) {
        (GOLD | SILVER | PAWN, true) => by_distance(&DEFENDER) / 2,
        _ => by_distance(&DEFENDER),
    };
    RANK_VALUE[kind][square % SIDE] + shelter
}

fn in_hand(k: usize, count: usize) -> i16 {
    if count == 0 || count > FULL_SET[k] as usize {
        return 0;
    }
    FIRST_IN_HAND[k] + NEXT_IN_HAND[k] * (count.min(USEFUL_IN_HAND) as i16 - 1)
}

/// Makes the first evaluation table.
pub fn first_table() -> EvalTable {
    let header = TableHeader {
        magic: 0,
        format: 0,
        checksum: 0,
        version: VERSION,
        board_value: BOARD_VALUE,
        hand_value: HAND_VALUE,
        tempo: TEMPO,
    };
    let weight = |slot: usize, row, code| match slot.checked_sub(SQUARES) {
        None => placement(slot, row, code as u8),
        Some(k) => in_hand(k, code),
    };
    EvalTable::from_weights(header, weight).expect("all weights of the first table are small")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_table_is_the_one_that_was_measured() {
        let table = first_table();
        assert_eq!(
            table.header().checksum,
            FIRST_TABLE_CHECKSUM,
            "another table: raise VERSION and set FIRST_TABLE_CHECKSUM to {:#010x}",
            table.header().checksum
        );
    }

    #[test]
    fn the_first_table_is_symmetric_where_no_files_are_exchanged() {
        let table = first_table();
        for row in 36..ROWS {
            for s in 0..SQUARES {
                for code in 0..CODES {
                    assert_eq!(table.weight(s, row, code), table.weight(mirror(s), row, code), "{s} {row} {code}");
                }
            }
        }
    }

    #[test]
    fn what_does_not_exist_has_no_weight() {
        let table = first_table();
        for row in 0..ROWS {
            for s in 0..SQUARES {
                for code in [EMPTY, NO_KIND, THEIRS, NO_KIND | THEIRS] {
                    assert_eq!(table.weight(s, row, code as usize), 0, "{s} {row} {code}");
                }
            }
        }
    }
}
