//! Scores of the search.
//!
//! Up to ±[`hayasashi_spec::table::SCORE_LIMIT`] a score is a static evaluation in centipawns. Beyond it lie wins and
//! losses by perpetual check ([`PERPETUAL`]) and mates ([`MATE`] less the plies to it).

use std::fmt;

/// Score of a win by mate (or declaration) on the board; less one for each ply to it.
pub const MATE: i32 = 32_000;
/// Greatest score that is no mate.
pub const LONGEST_MATE: i32 = MATE - 500;
/// Score of a win by the opponent's perpetual check. It depends on the game's history, so it is not told as a mate.
pub const PERPETUAL: i32 = 31_000;
/// Greater than any score.
pub const INFINITE: i32 = 32_001;

/// What a draw is, and what it is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draw {
    /// Score in centipawns of a draw for the side that is to move at the root.
    pub value: i32,
    /// The game is drawn when so many moves have been made and the last is no mate ([`u16::MAX`]: never). They are
    /// counted as the position's [`hayasashi_shogi::rules::Position::ply`] counts them.
    pub after: u16,
}

impl Default for Draw {
    /// Worth nothing, and never by the number of moves.
    fn default() -> Draw {
        Draw { value: 0, after: u16::MAX }
    }
}

/// A score as it is told to people and programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UsiScore {
    /// Centipawns for the mover.
    Centipawns(i32),
    /// Mate in this many plies; negative when the mover is mated, and `-0` cannot occur but on the board.
    Mate(i32),
}

impl UsiScore {
    /// How a score of the search is told.
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
    /// As USI writes it: `cp 35`, `mate 3`, `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UsiScore::Centipawns(cp) => write!(f, "cp {cp}"),
            UsiScore::Mate(0) => write!(f, "mate -0"),
            UsiScore::Mate(plies) => write!(f, "mate {plies}"),
        }
    }
}

/// A score found `ply` plies below the root, for the transposition table: mates are counted from that node.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let ply = ply as i32;
    let counted = match score {
        s if s > LONGEST_MATE => s + ply,
        s if s < -LONGEST_MATE => s - ply,
        s => s,
    };
    counted.clamp(-MATE, MATE) as i16
}

/// The opposite of [`to_table`].
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
    fn mates_are_told_in_plies() {
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
