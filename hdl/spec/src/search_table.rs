//! The numbers of the search. Scores and margins are in centipawns for the mover, depths in plies. `d` is the depth of a node.

use crate::piece::*;

/// Candidates that one step looks at before it makes one. A step that has refused so many ends, and the next one goes on.
pub const PICKS_A_STEP: u32 = 4;

/// Centipawns of a piece on the board in an exchange, by kind. The king's only orders it behind the others.
pub const EXCHANGE_VALUE: [i16; 16] = [0, 90, 315, 405, 495, 540, 855, 990, 15_000, 540, 540, 540, 540, 0, 945, 1395];
/// What the capture of a piece is worth, by kind: one side loses it, and the other one has it in hand, unpromoted.
pub const CAPTURE_VALUE: [i16; 16] = {
    let mut values = EXCHANGE_VALUE;
    let mut kind = 0;
    while kind < 16 {
        values[kind] += EXCHANGE_VALUE[kind & !(PROMOTED as usize)];
        kind += 1;
    }
    values
};
/// What the mover takes at least when the other side captures with a pawn.
pub const LEAST_PAWN: i16 = CAPTURE_VALUE[PAWN as usize];
/// The same for a lance, a knight, a silver or whatever moves as a gold.
pub const LEAST_MINOR: i16 = 860;
/// The same for a bishop or a rook, promoted or not.
pub const LEAST_MAJOR: i16 = 1980;

/// Place of a captured kind in the order of captures, lowest first; [`VICTIM_NONE`] for promotions that capture nothing.
pub const VICTIM_RANK: [u8; 16] = [VICTIM_NONE, 9, 7, 6, 5, 4, 3, 1, 0, 4, 4, 4, 4, 0, 2, 0];
/// Promotions without a capture: before the capture of a pawn.
pub const VICTIM_NONE: u8 = 8;
/// Place of a moving kind in the order of captures, cheapest first; the order of moves of attacked pieces is the reverse.
pub const MOVER_RANK: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 8, 15, 5, 5, 5, 5, 0, 7, 9];

/// Greatest depth of razoring.
pub const RAZORING_DEPTH: i32 = 3;
/// Razoring: how far the evaluation must be below alpha: 200 + 220 d.
pub const fn razoring_margin(depth: i32) -> i32 {
    200 + 220 * depth
}

/// Greatest depth of reverse futility.
pub const REVERSE_FUTILITY_DEPTH: i32 = 7;
/// Reverse futility: how far the evaluation must be above beta: 30 + 130 d, one ply less where the mover is improving.
pub const fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    130 * (depth - improving as i32) + 30
}

/// Least depth of the null move.
pub const NULL_MOVE_DEPTH: i32 = 2;
/// Null move: how far the static evaluation must be above beta: 60 − 12 d, below it from depth 6 on.
pub const fn null_move_margin(depth: i32) -> i32 {
    60 - 12 * depth
}
/// Null move: the reduction of depth: 3 + d / 3, and one more for each 200 centipawns above beta, at most 3.
pub const fn null_move_reduction(depth: i32, above: i32) -> i32 {
    let more = above / 200;
    3 + depth / 3 + if more < 3 { more } else { 3 }
}

/// Greatest reduced depth of futility.
pub const FUTILITY_DEPTH: i32 = 6;
/// Futility: how far the evaluation must be below alpha, by reduced depth: 140 + 130 d.
pub const fn futility_margin(depth: i32) -> i32 {
    140 + 130 * depth
}

/// Late-move pruning: moves that are made before the quiet ones end: 6 + 2 d², half of it unless the mover is improving.
pub const fn late_move_count(depth: i32, improving: bool) -> i32 {
    (6 + 2 * depth * depth) / (2 - improving as i32)
}

/// Greatest depth of the exchange test.
pub const EXCHANGE_DEPTH: i32 = 8;
/// Exchange test: what a check may lose: 360 d.
pub const EXCHANGE_CHECK: i32 = 360;
/// Exchange test: what a capture or promotion may lose: 120 d.
pub const EXCHANGE_CAPTURE: i32 = 120;
/// Exchange test: what another quiet move may lose: 30 r², where r is the reduced depth.
pub const EXCHANGE_QUIET: i32 = 30;

/// Plies of quiescence: captures are made on so many, and the positions after the last are evaluated.
pub const QUIESCENCE_PLIES: u8 = 4;
/// Plies of quiescence on which any capture is made; on the others only captures on the square of the last move.
pub const FREE_CAPTURE_PLIES: u8 = 3;
/// Quiescence: how far below alpha the evaluation with the gain of a capture may be.
pub const QUIESCENCE_FUTILITY: i32 = 180;

/// Quiet evasions that quiescence makes at a node in check before the others are refused, once a move avoids mate.
pub const QUIESCENCE_EVASIONS: i32 = 2;

/// History: least depth of a node whose quiet moves are in the order of their counters. To pick one, all of them are looked at.
pub const HISTORY_DEPTH: i32 = 3;
/// History: what a quiet move's counter gets when the move ends a node by score ≥ beta: 2 d − 3, from 1 to 13.
pub const fn history_bonus(depth: i32) -> i32 {
    let bonus = 2 * depth - 3;
    if bonus < 1 {
        1
    } else if bonus > 13 {
        13
    } else {
        bonus
    }
}
/// History: the part of the bonus that is taken from it when the move's score is not above alpha.
pub const HISTORY_PENALTY: i32 = 4;
/// History: one more than the greatest counter; the least one is below zero by as much.
pub const HISTORY_LIMIT: i32 = 128;

/// First iteration with a narrow window.
pub const ASPIRATION_DEPTH: u8 = 5;
/// Half the width of the narrow window.
pub const ASPIRATION_WINDOW: i32 = 30;

/// Least depth of late-move reductions.
pub const REDUCTION_DEPTH: i32 = 2;
/// The unit of reductions.
pub const ONE_PLY: i32 = 4096;
/// Added to a reduction unless the mover is improving, in parts of [`ONE_PLY`].
pub const NOT_IMPROVING: i32 = ONE_PLY / 2;
/// Added to a reduction at a node where a cut-off is expected.
pub const EXPECTED_CUT: i32 = ONE_PLY;
/// Taken from a reduction at a node with an open window.
pub const OPEN_WINDOW: i32 = ONE_PLY;
/// Taken from the reduction of a check, a killer or the counter move.
pub const PROMISING: i32 = ONE_PLY;

/// Logarithms to base 2 in sixteenths, rounded down, of 0 (counted as 1) to 63. Greater numbers count as 63.
pub static LOGARITHMS: [u8; 64] = {
    let mut table = [0; 64];
    let mut n = 1;
    while n < 64 {
        table[n] = sixteenths(n as u64);
        n += 1;
    }
    table
};

/// The logarithm of `n` by repeated squaring, one bit of the fraction at a time.
const fn sixteenths(n: u64) -> u8 {
    const ONE: u64 = 1 << 30;
    let whole = n.ilog2();
    let mut mantissa = (n * ONE) >> whole;
    let mut result = whole as u8;
    let mut bit = 0;
    while bit < 4 {
        mantissa = mantissa * mantissa / ONE;
        result *= 2;
        if mantissa >= 2 * ONE {
            mantissa /= 2;
            result += 1;
        }
        bit += 1;
    }
    result
}

/// Late-move reductions by the number of the move at its node (the first is 1), in parts of [`ONE_PLY`]: 5 times the product of
/// the [`LOGARITHMS`] of depth and number, which is 0.65 ln(d) ln(n) plies.
pub fn late_move_reduction(depth: i32, number: i32) -> i32 {
    let of = |n: i32| LOGARITHMS[n.clamp(0, 63) as usize] as i32;
    5 * of(depth) * of(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_rounded_down() {
        for (n, &logarithm) in LOGARITHMS.iter().enumerate().skip(1) {
            assert_eq!(logarithm as i32, (16.0 * (n as f64).log2() + 1e-9).floor() as i32, "{n}");
        }
    }

    #[test]
    fn ranks_follow_the_values() {
        for kind in [PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, PRO_PAWN, HORSE, DRAGON] {
            for other in [PAWN, LANCE, KNIGHT, SILVER, GOLD, BISHOP, ROOK, PRO_PAWN, HORSE, DRAGON] {
                let [a, b] = [kind, other].map(|k| EXCHANGE_VALUE[k as usize]);
                let [va, vb] = [kind, other].map(|k| VICTIM_RANK[k as usize]);
                let [ma, mb] = [kind, other].map(|k| MOVER_RANK[k as usize]);
                assert_eq!((b.cmp(&a), a.cmp(&b)), (va.cmp(&vb), ma.cmp(&mb)), "{kind} {other}");
            }
        }
    }
}
