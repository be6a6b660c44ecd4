//! The positions and trees that chip and software work on.

use super::CompareError;
use hayasashi_accel::view;
use hayasashi_model::position::Position as ModelPosition;
use hayasashi_shogi::rules::{MoveList, Position};
use hayasashi_spec::{opcode::Opcode, position::PositionImage};

/// Positions from games of strong engines; each line has an SFEN, a tab and a remark.
const GAME_POSITIONS: &str = include_str!("../../../../tests/data/rules/sampled_positions.sfen");
/// Random moves played from each game position.
const RANDOM_MOVES: usize = 7;
/// The usual perft position with many drops.
pub const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// What is computed for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionQuery {
    /// The legal moves.
    Moves,
    /// The number of legal moves.
    Counts,
    /// The static evaluation.
    Evaluation,
    /// The legal moves, and the static evaluation of the position after each.
    Expansion,
}

impl PositionQuery {
    /// All queries.
    pub const ALL: [PositionQuery; 4] =
        [PositionQuery::Moves, PositionQuery::Counts, PositionQuery::Evaluation, PositionQuery::Expansion];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            PositionQuery::Moves => "moves",
            PositionQuery::Counts => "counts",
            PositionQuery::Evaluation => "evaluation",
            PositionQuery::Expansion => "expansion",
        }
    }

    /// The opcode of the request.
    pub fn opcode(self) -> Opcode {
        match self {
            PositionQuery::Moves => Opcode::Generate,
            PositionQuery::Counts => Opcode::Count,
            PositionQuery::Evaluation => Opcode::Evaluate,
            PositionQuery::Expansion => Opcode::Expand,
        }
    }
}

/// The positions, in each program's own form.
pub struct Sample {
    /// Positions of the rules.
    pub rules: Vec<Position>,
    /// Positions of the model.
    pub model: Vec<ModelPosition>,
    /// Positions in the format of the link.
    pub images: Vec<PositionImage>,
    /// Where the positions come from, in words.
    pub source: String,
}

impl Sample {
    /// At most `max` of the built-in positions: positions from games, then positions after random moves from them.
    pub fn built_in(max: usize) -> Sample {
        let lines =
            GAME_POSITIONS.lines().filter_map(|line| line.split('\t').next().filter(|sfen| !sfen.starts_with('#')));
        let mut games: Vec<Position> = lines.filter_map(|sfen| Position::from_sfen(sfen).ok()).collect();
        let mut positions = games.clone();
        let mut seed = 0x0123_4567_89AB_CDEFu64;
        for _ in 0..RANDOM_MOVES {
            for game in &mut games {
                let mut moves = MoveList::new();
                game.legal_moves(&mut moves);
                if !moves.is_empty() {
                    // Marsaglia's xorshift, 2003.
                    seed ^= seed << 13;
                    seed ^= seed >> 7;
                    seed ^= seed << 17;
                    let mv = moves[(seed >> 16) as usize % moves.len()];
                    game.do_move(mv);
                    positions.push(game.clone());
                }
            }
        }
        positions.truncate(max);
        let source = format!("games of strong engines, followed by up to {RANDOM_MOVES} random moves");
        Sample::of(positions, source)
    }

    /// At most `max` positions of a file.
    ///
    /// # Errors
    /// A file without positions.
    pub fn given(file: &str, mut positions: Vec<Position>, max: usize) -> Result<Sample, CompareError> {
        positions.truncate(max);
        match positions.is_empty() {
            true => Err(CompareError::NoPositions { file: file.into() }),
            false => Ok(Sample::of(positions, format!("`{file}`"))),
        }
    }

    fn of(rules: Vec<Position>, source: String) -> Sample {
        let images: Vec<PositionImage> = rules.iter().map(view::image).collect();
        Sample { model: images.iter().map(ModelPosition::from).collect(), images, rules, source }
    }
}

/// A tree of legal moves.
#[derive(Clone, Debug)]
pub struct PerftTree {
    /// `perft startpos`, …
    pub name: &'static str,
    /// The root position.
    pub root: Position,
    /// Depth of the deepest walk in plies.
    pub depth: u8,
}

impl PerftTree {
    /// The initial position at `depth`, and the position with many drops one ply less deep.
    pub fn all(depth: u8) -> Vec<PerftTree> {
        let matsuri = Position::from_sfen(MATSURI).expect("the constant is valid");
        vec![
            PerftTree { name: "perft startpos", root: Position::startpos(), depth },
            PerftTree { name: "perft matsuri", root: matsuri, depth: depth.saturating_sub(1).max(1) },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_positions_are_many_and_valid() {
        let sample = Sample::built_in(usize::MAX);
        assert!(sample.images.len() >= 300, "{}", sample.images.len());
        assert!(sample.model.iter().all(|position| position.faults() == 0));
        assert_eq!(Sample::built_in(5).rules.len(), 5);
        let moves = |p: &Position| p.count_legal_moves();
        assert_eq!(Sample::built_in(40).rules.iter().map(moves).sum::<usize>(), {
            // The model's count.
            sample.model[..40].iter().map(|p| hayasashi_model::movegen::count(p).moves as usize).sum::<usize>()
        });
    }
}
