//! Scores of the search.
//!
//! Up to ±[`hayasashi_spec::table::SCORE_LIMIT`] a score is a static evaluation in centipawns. Beyond it lie wins and
//! losses by perpetual check ([`PERPETUAL`]) and mates ([`MATE`] less the plies to it).

use std::fmt;

/// Score of a win by mate or declaration at the root; one less for each ply to it.
pub const MATE: i32 = 32_000;
/// Greatest score that is not a mate.
pub const LONGEST_MATE: i32 = MATE - 500;
/// Score of a win by the opponent's perpetual check. It depends on the history of the game, so it is not reported as a mate.
pub const PERPETUAL: i32 = 31_000;
/// Greater than any score.
pub const INFINITE: i32 = 32_001;

/// When a game is drawn, and the value of a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draw {
    /// Score of a draw for the side to move at the root, in centipawns.
    pub value: i32,
    /// Number of moves after which the game is drawn unless the last one mates ([`u16::MAX`]: never), counted as by
    /// [`hayasashi_shogi::rules::Position::ply`].
    pub after: u16,
}

impl Default for Draw {
    /// Value 0, without a limit of moves.
    fn default() -> Draw {
        Draw { value: 0, after: u16::MAX }
    }
}

/// A score as USI reports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsiScore {
    /// Centipawns for the mover.
    Centipawns(i32),
    /// Mate in this many plies; negative if the mover is mated; 0 if the mover is mated now (`mate -0`).
    Mate(i32),
}

impl UsiScore {
    /// Converts a score of the search.
    pub fn of(score: i32) -> UsiScore {
        if score > LONGEST_MATE {
            UsiScore::Mate(MATE - score)
        } else if score < -LONGEST_MATE {
            UsiScore::Mate(-(MATE + score))
        } else {
            UsiScore::Centipawns(score)
        }
    }
}

impl fmt::Display for UsiScore {
    /// As in USI: `cp 35`, `mate 3`, `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UsiScore::Centipawns(cp) => write!(f, "cp {cp}"),
            UsiScore::Mate(0) => write!(f, "mate -0"),
            UsiScore::Mate(plies) => write!(f, "mate {plies}"),
        }
    }
}

/// Converts a score of a node `ply` plies from the root for the transposition table, where mates count from the node.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let from_node = match score {
        s if s > LONGEST_MATE => s + ply,
        s if s < -LONGEST_MATE => s - ply,
        s => s,
    };
    from_node.clamp(-MATE, MATE) as i16
}

/// The inverse of [`to_table`].
pub(super) fn from_table(score: i16, ply: usize) -> i32 {
    let ply = ply as i32;
    match score as i32 {
        s if s > LONGEST_MATE => s - ply,
        s if s < -LONGEST_MATE => s + ply,
        s => s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_reported_in_plies() {
        assert_eq!(UsiScore::of(MATE - 3).to_string(), "mate 3");
        assert_eq!(UsiScore::of(-MATE + 2).to_string(), "mate -2");
        assert_eq!(UsiScore::of(-31_000).to_string(), "cp -31000");
    }

    #[test]
    fn the_table_counts_mates_from_the_node() {
        for score in [MATE - 7, -MATE + 7, PERPETUAL, 0, -250] {
            assert_eq!(from_table(to_table(score, 5), 5), score);
        }
        assert_eq!(to_table(MATE - 7, 5) as i32, MATE - 2);
    }
}
