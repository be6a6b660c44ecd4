//! What is computed: positions, and trees.

use super::CompareError;
use hayasashi_accel::view;
use hayasashi_model::position::Position as ModelPosition;
use hayasashi_shogi::rules::{MoveList, Position};
use hayasashi_spec::{opcode::Opcode, position::PositionImage};

/// Positions of games of strong engines, by phase; each line an SFEN, then a remark.
const GAMES: &str = include_str!("../../../../tests/data/rules/sampled_positions.sfen");
/// Random moves played from each of them.
const MOVES: usize = 7;
/// The position with many drops that is much used for perft.
pub const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

/// What is asked of single positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The legal moves.
    Moves,
    /// Their number.
    Counts,
    /// The static evaluation.
    Evaluation,
}

impl Question {
    /// All of them.
    pub const ALL: [Question; 3] = [Question::Moves, Question::Counts, Question::Evaluation];

    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Question::Moves => "moves",
            Question::Counts => "counts",
            Question::Evaluation => "evaluation",
        }
    }

    /// The request.
    pub fn opcode(self) -> Opcode {
        match self {
            Question::Moves => Opcode::Generate,
            Question::Counts => Opcode::Count,
            Question::Evaluation => Opcode::Evaluate,
        }
    }
}

/// The positions, as each program holds them.
pub struct Sample {
    /// For the rules.
    pub rules: Vec<Position>,
    /// For the model.
    pub model: Vec<ModelPosition>,
    /// For the link.
    pub images: Vec<PositionImage>,
    /// Where they come from.
    pub source: String,
}

impl Sample {
    /// The built-in positions, `most` at most: those of games first, then what random moves make of them.
    pub fn built_in(most: usize) -> Sample {
        let lines = GAMES.lines().filter_map(|line| line.split('\t').next().filter(|sfen| !sfen.starts_with('#')));
        let mut games: Vec<Position> = lines.filter_map(|sfen| Position::from_sfen(sfen).ok()).collect();
        let mut positions = games.clone();
        let mut seed = 0x0123_4567_89AB_CDEFu64;
        for _ in 0..MOVES {
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
        positions.truncate(most);
        let source = format!("games of strong engines, followed by up to {MOVES} random moves");
        Sample::of(positions, source)
    }

    /// Given ones, `most` at most.
    pub fn given(file: &str, mut positions: Vec<Position>, most: usize) -> Result<Sample, CompareError> {
        positions.truncate(most);
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
pub struct Tree {
    /// `perft startpos`, …
    pub name: &'static str,
    /// Its root.
    pub root: Position,
    /// Deepest walk, in plies.
    pub depth: u8,
}

impl Tree {
    /// The initial position, and the one with more moves one ply less deep.
    pub fn all(depth: u8) -> Vec<Tree> {
        let matsuri = Position::from_sfen(MATSURI).expect("a constant");
        vec![
            Tree { name: "perft startpos", root: Position::startpos(), depth },
            Tree { name: "perft matsuri", root: matsuri, depth: depth.saturating_sub(1).max(1) },
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_positions_are_many_and_possible() {
        let sample = Sample::built_in(usize::MAX);
        assert!(sample.images.len() >= 300, "{}", sample.images.len());
        assert!(sample.model.iter().all(|position| position.faults() == 0));
        assert_eq!(Sample::built_in(5).rules.len(), 5);
        let moves = |p: &Position| p.count_legal_moves();
        assert_eq!(Sample::built_in(40).rules.iter().map(moves).sum::<usize>(), {
            // As the rules' model counts them.
            sample.model[..40].iter().map(|p| hayasashi_model::movegen::count(p).moves as usize).sum::<usize>()
        });
    }
}
