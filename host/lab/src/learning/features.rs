//! The trained parameters of the static evaluation, and the features that are active in a position.
//!
//! The score of a position is linear in the weights of the table and in the values of its header, so that its derivative in each
//! parameter is a small integer. Weights of empty squares and of empty hands are not trained and stay 0: their sum is redundant
//! with a bonus for the king's square.

use super::LearnError;
use hayasashi_model::evaluate::EvalTable;
use hayasashi_shogi::rules::{Color, PieceKind, Position, Square};
use hayasashi_spec::{
    piece::{mirror, turn, CODES, HAND_KINDS, SQUARES, THEIRS},
    table::*,
};

/// Number of parameters: the weights in the order of the file, then piece values on the board (16) and in hand (7) and the tempo.
pub const PARAMETERS: usize = HEADER + HEADER_VALUES;
/// Index of the first header value.
pub const HEADER: usize = WEIGHTS;
const HEADER_VALUES: usize = 16 + HAND_KINDS + 1;
const TEMPO: usize = HEADER_VALUES - 1;
/// Bound of the absolute header values.
const VALUE_LIMIT: f32 = 4000.0;

/// The active features of one position, for the side to move.
#[derive(Clone, Default, Debug)]
pub struct Features {
    /// Weights in the mover's view, which are added.
    pub own: Vec<u32>,
    /// Weights in the opponent's view, which are subtracted.
    pub other: Vec<u32>,
    /// Coefficient of each header value.
    pub header: [i8; HEADER_VALUES],
}

impl Features {
    /// Replaces the features by those of `pos`.
    pub fn read(&mut self, pos: &Position) {
        let mover = pos.side_to_move();
        self.header = [0; HEADER_VALUES];
        self.header[TEMPO] = 1;
        for square in pos.occupied() {
            let Some(piece) = pos.piece_on(square) else { continue };
            if piece.kind() != PieceKind::King {
                self.header[piece.kind() as usize] += if piece.color() == mover { 1 } else { -1 };
            }
        }
        for kind in PieceKind::HAND {
            let [own, other] = [mover, mover.opponent()].map(|c| pos.hand(c).count(kind) as i8);
            self.header[15 + kind as usize] = own - other;
        }
        view(pos, mover, &mut self.own);
        view(pos, mover.opponent(), &mut self.other);
    }

    /// The score with these parameters, in centipawns for the side to move.
    pub fn score(&self, parameters: &[f32]) -> f32 {
        let sum = |list: &[u32]| list.iter().map(|&i| parameters[i as usize]).sum::<f32>();
        let header = self.header.iter().zip(&parameters[HEADER..]).map(|(&n, w)| n as f32 * w).sum::<f32>();
        let limit = SCORE_LIMIT as f32;
        (header + sum(&self.own) - sum(&self.other)).clamp(-limit, limit)
    }

    /// Adds the gradient of the score, times `slope`.
    pub fn add(&self, slope: f32, gradient: &mut [f32]) {
        self.own.iter().for_each(|&i| gradient[i as usize] += slope);
        self.other.iter().for_each(|&i| gradient[i as usize] -= slope);
        for (n, g) in self.header.iter().zip(&mut gradient[HEADER..]) {
            *g += *n as f32 * slope;
        }
    }
}

/// The active weights of a side's view.
fn view(pos: &Position, color: Color, list: &mut Vec<u32>) {
    list.clear();
    let viewed = |square: Square| if color == Color::Black { square.index() } else { turn(square.index()) };
    let king = pos.king_square(color).map(viewed);
    let mirrored = king.is_some_and(|king| king >= ROW_NO_KING);
    let straight = |square: usize| if mirrored { mirror(square) } else { square };
    let row = king.map_or(ROW_NO_KING, straight);
    let flip = if color == Color::Black { 0 } else { THEIRS };
    for square in pos.occupied() {
        let Some(piece) = pos.piece_on(square) else { continue };
        list.push(weight_index(straight(viewed(square)), row, (piece.code() ^ flip) as usize) as u32);
    }
    for kind in PieceKind::HAND {
        let count = pos.hand(color).count(kind) as usize;
        if count > 0 {
            list.push(weight_index(SQUARES + kind as usize - 1, row, count) as u32);
        }
    }
}

/// The parameters of a table.
///
/// # Errors
/// A table with weights for empty squares or empty hands.
pub fn of_table(table: &EvalTable) -> Result<Vec<f32>, LearnError> {
    let mut parameters = vec![0.0; PARAMETERS];
    for slot in 0..SLOTS {
        for row in 0..ROWS {
            if table.weight(slot, row, 0) != 0 {
                return Err(LearnError::EmptyWeight { slot, row, weight: table.weight(slot, row, 0) });
            }
            for code in 1..CODES {
                parameters[weight_index(slot, row, code)] = table.weight(slot, row, code) as f32;
            }
        }
    }
    let header = table.header();
    let values = header.board_value.iter().chain(&header.hand_value).chain([&header.tempo]);
    for (parameter, &value) in parameters[HEADER..].iter_mut().zip(values) {
        *parameter = value as f32;
    }
    Ok(parameters)
}

/// Rounds the parameters in place to the chip's format: integers, and nine bits for weights.
pub fn quantise(parameters: &mut [f32]) {
    let (weights, header) = parameters.split_at_mut(HEADER);
    let limit = WEIGHT_LIMIT as f32;
    weights.iter_mut().for_each(|w| *w = w.round().clamp(-limit, limit));
    header.iter_mut().for_each(|v| *v = v.round().clamp(-VALUE_LIMIT, VALUE_LIMIT));
}

/// The table of quantised parameters.
pub fn to_table(parameters: &[f32], version: u32) -> EvalTable {
    let value = |i: usize| parameters[HEADER + i] as i16;
    let header = TableHeader {
        magic: TABLE_MAGIC,
        format: TABLE_FORMAT,
        checksum: 0,
        version,
        board_value: std::array::from_fn(value),
        hand_value: std::array::from_fn(|k| value(16 + k)),
        tempo: value(TEMPO),
    };
    EvalTable::from_weights(header, |slot, row, code| parameters[weight_index(slot, row, code)] as i16)
        .expect("quantised weights are within nine bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_accel::view::image;
    use hayasashi_model::{self as model, evaluate::first_table};
    use hayasashi_shogi::{random::Random, rules::MoveList};

    /// Random parameters, some beyond nine bits; 0 where parameters are not trained.
    fn random_parameters() -> Vec<f32> {
        let mut random = Random::new(3, 0);
        let mut parameters = of_table(&first_table()).unwrap();
        for parameter in &mut parameters {
            *parameter += random.below(3000) as f32 / 5.0 - 300.0;
        }
        (0..WEIGHTS).step_by(CODES).for_each(|i| parameters[i] = 0.0);
        quantise(&mut parameters);
        parameters
    }

    #[test]
    fn the_score_equals_that_of_the_chip() {
        let mut random = Random::new(1, 0);
        let (mut features, mut compared) = (Features::default(), 0);
        for parameters in [of_table(&first_table()).unwrap(), random_parameters()] {
            let table = to_table(&parameters, 1);
            assert_eq!(of_table(&table).unwrap(), parameters);
            for _ in 0..40 {
                let mut pos = Position::startpos();
                for _ in 0..200 {
                    features.read(&pos);
                    let model = table.score(&model::position::Position::from(&image(&pos)));
                    assert_eq!(features.score(&parameters), model as f32, "{}", pos.to_sfen());
                    compared += 1;
                    let mut moves = MoveList::new();
                    pos.legal_moves(&mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    pos.do_move(moves[random.below(moves.len())]);
                }
            }
        }
        assert!(compared > 10_000, "{compared}");
    }

    #[test]
    fn the_gradient_is_the_effect_of_a_change() {
        let pos = Position::from_sfen("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1").unwrap();
        let parameters = random_parameters();
        let mut features = Features::default();
        features.read(&pos);
        let mut gradient = vec![0.0; PARAMETERS];
        features.add(0.5, &mut gradient);
        let before = features.score(&parameters);
        let mut touched = 0;
        for i in 0..PARAMETERS {
            if gradient[i] != 0.0 || i % 97 == 0 {
                let mut changed = parameters.clone();
                changed[i] += 4.0;
                assert_eq!(features.score(&changed) - before, 8.0 * gradient[i], "{i}");
                touched += (gradient[i] != 0.0) as usize;
            }
        }
        assert!(touched > 60, "{touched}");
    }
}
