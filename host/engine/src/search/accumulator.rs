//! The static evaluation, updated move by move.
//!
//! It uses the weights of [`hayasashi_model::evaluate`] and gives the same score as `EVALUATE`. The accumulator holds the
//! material and the placement value of each side's view ([`hayasashi_spec::table`]). A move changes a few terms of both
//! views. A king's move changes the row of its side, so the view of that side is summed again.

use hayasashi_model::evaluate::EvalTable;
use hayasashi_shogi::rules::{Color, Move, PieceKind, Position, Square};
use hayasashi_spec::{
    piece::{turn, CODES, HAND_KINDS, KING, NO_KIND, PROMOTED, SQUARES, THEIRS},
    table::{hand_slot, king_row, ROWS, SCORE_LIMIT, SLOTS, VIEW_SQUARES},
};
use std::sync::Arc;

/// An evaluation table in the layout of the accumulator.
pub struct Weights {
    /// By row, slot and code in the view: the weight less that of the empty square (for hands, the weight itself).
    rows: Vec<[[i16; CODES]; SLOTS]>,
    /// By row: the sum of 81 empty squares.
    empty: Vec<i32>,
    /// Centipawns on the board by kind.
    board_value: [i32; 16],
    /// Centipawns in hand by kind, from 1.
    hand_value: [i32; 8],
    tempo: i32,
    table: Arc<EvalTable>,
}

impl Weights {
    /// Converts a table.
    pub fn new(table: Arc<EvalTable>) -> Weights {
        let mut rows = vec![[[0; CODES]; SLOTS]; ROWS];
        let mut empty = vec![0; ROWS];
        for (row, slots) in rows.iter_mut().enumerate() {
            for (slot, codes) in slots.iter_mut().enumerate() {
                let empty_square = if slot < SQUARES { table.weight(slot, row, 0) } else { 0 };
                empty[row] += empty_square as i32;
                for (code, weight) in codes.iter_mut().enumerate() {
                    *weight = table.weight(slot, row, code) - empty_square;
                }
            }
        }
        let header = *table.header();
        let mut board_value = header.board_value.map(i32::from);
        for kind in [0, KING, NO_KIND] {
            board_value[kind as usize] = 0;
        }
        let hand_value = std::array::from_fn(|k| if k == 0 { 0 } else { header.hand_value[k - 1] as i32 });
        Weights { rows, empty, board_value, hand_value, tempo: header.tempo as i32, table }
    }

    /// The table.
    pub fn table(&self) -> &Arc<EvalTable> {
        &self.table
    }
}

/// The placement value of each side's view, and Black's material less White's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accumulator {
    views: [i32; 2],
    material: i32,
}

/// A side's view of the board.
struct View<'a> {
    weights: &'a [[i16; CODES]; SLOTS],
    squares: &'static [u8; SQUARES],
    /// [`THEIRS`] for White, to exchange own and opposing pieces.
    flip: u8,
}

impl<'a> View<'a> {
    #[inline(always)]
    fn new(weights: &'a Weights, king: Option<Square>, color: Color) -> (View<'a>, usize) {
        let own_side = |king: Square| if color == Color::Black { king.index() } else { turn(king.index()) };
        let (row, mirrored) = king_row(king.map(own_side));
        let squares = &VIEW_SQUARES[color.index()][mirrored as usize];
        (View { weights: &weights.rows[row], squares, flip: if color == Color::Black { 0 } else { THEIRS } }, row)
    }

    #[inline(always)]
    fn piece(&self, square: Square, code: u8) -> i32 {
        self.weights[self.squares[square.index()] as usize][((code ^ self.flip) & 31) as usize] as i32
    }

    #[inline(always)]
    fn hand(&self, kind: u8, count: u8) -> i32 {
        self.weights[hand_slot(kind & 7)][(count & 31) as usize] as i32
    }
}

impl Accumulator {
    /// The sums of a position.
    pub fn new(weights: &Weights, pos: &Position) -> Accumulator {
        let mut material = 0;
        for square in pos.occupied() {
            let Some(piece) = pos.piece_on(square) else { continue };
            let value = weights.board_value[piece.kind() as usize];
            material += if piece.color() == Color::Black { value } else { -value };
        }
        for kind in PieceKind::HAND {
            let [black, white] = Color::ALL.map(|c| pos.hand(c).count(kind) as i32);
            material += weights.hand_value[kind as usize] * (black - white);
        }
        Accumulator { views: Color::ALL.map(|color| view(weights, pos, color)), material }
    }

    /// Makes a legal move in `pos` by `make`, and returns the sums after it.
    #[inline]
    pub fn make<T>(&self, weights: &Weights, pos: &mut T, mv: Move, make: impl FnOnce(&mut T)) -> Accumulator
    where
        T: std::ops::Deref<Target = Position>,
    {
        let us = pos.side_to_move();
        let mut changed = self.changed(weights, pos, mv);
        let king_moves = pos.moved_kind(mv) == KING;
        make(pos);
        if king_moves {
            changed.views[us.index()] = view(weights, pos, us);
        }
        changed
    }

    /// The sums after a legal move, except the view of a side whose king moves.
    #[inline(always)]
    fn changed(&self, weights: &Weights, before: &Position, mv: Move) -> Accumulator {
        let us = before.side_to_move();
        let to = mv.to();
        let sign = if us == Color::Black { 1 } else { -1 };
        let Accumulator { mut views, mut material } = *self;
        let owner = (us as u8) << 4;
        let kind = before.moved_kind(mv);
        let captured = before.captured_kind(mv);
        let placed = kind | if mv.is_promotion() { PROMOTED } else { 0 };
        let king_moves = kind == KING;
        for color in Color::ALL {
            let mine = color == us;
            if mine && king_moves {
                continue;
            }
            let (view, _) = View::new(weights, before.king_square(color), color);
            let mut change = view.piece(to, placed | owner);
            if captured != 0 {
                change -= view.piece(to, captured | (owner ^ THEIRS));
            }
            match mv.from() {
                Some(from) => change -= view.piece(from, kind | owner),
                None if mine => {
                    let count = before.hand(us).count(hand_kind(kind));
                    change += view.hand(kind, count - 1) - view.hand(kind, count);
                }
                None => {}
            }
            if mine && captured != 0 {
                let gained = captured & 7;
                let count = before.hand(us).count(hand_kind(gained));
                change += view.hand(gained, count + 1) - view.hand(gained, count);
            }
            views[color.index()] += change;
        }
        if captured != 0 {
            let value = weights.board_value[captured as usize] + weights.hand_value[(captured & 7) as usize];
            material += sign * value;
        }
        if mv.is_drop() {
            material += sign * (weights.board_value[kind as usize] - weights.hand_value[(kind & 7) as usize]);
        } else if placed != kind {
            material += sign * (weights.board_value[(placed & 15) as usize] - weights.board_value[kind as usize]);
        }
        Accumulator { views, material }
    }

    /// The score for the mover in centipawns.
    #[inline]
    pub fn score(&self, weights: &Weights, mover: Color) -> i32 {
        let black = self.material + self.views[0] - self.views[1];
        let own = if mover == Color::Black { black } else { -black };
        (own + weights.tempo).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }
}

#[inline(always)]
fn hand_kind(code: u8) -> PieceKind {
    PieceKind::HAND[(code as usize).wrapping_sub(1) % HAND_KINDS]
}

/// The placement value of a side's view.
fn view(weights: &Weights, pos: &Position, color: Color) -> i32 {
    let (view, row) = View::new(weights, pos.king_square(color), color);
    let mut sum = weights.empty[row];
    pos.occupied().for_each(|square| {
        if let Some(piece) = pos.piece_on(square) {
            sum += view.piece(square, piece.code());
        }
    });
    let hand = pos.hand(color);
    for kind in PieceKind::HAND {
        sum += view.hand(kind.code(), hand.count(kind));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::GamePath;
    use hayasashi_accel::view;
    use hayasashi_model::{self as model, evaluate::first_table};
    use hayasashi_shogi::{random::Random, rules::MoveList};
    use hayasashi_spec::table::TableHeader;

    fn model_score(table: &EvalTable, pos: &Position) -> i32 {
        table.score(&model::position::Position::from(&view::image(pos))) as i32
    }

    /// Random weights, so that no mistake cancels out, with weights for squares without piece too.
    fn random_table() -> EvalTable {
        let header = *first_table().header();
        let header = TableHeader { hand_value: [101, 333, 417, 520, 571, 893, 1047], ..header };
        let weight = |slot: usize, row: usize, code: usize| {
            let n = (slot * ROWS + row) * CODES + code;
            ((n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as i16 % 256
        };
        EvalTable::from_weights(header, weight).unwrap()
    }

    #[test]
    fn walks_keep_the_score_of_the_model() {
        let starts = [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/9/4P4/9/9/9/9/9/9 b RB2G2S 1",
            "7k1/6P2/7G1/8L/9/9/9/9/K8 b 2r2b3g4s4n3l17p 1",
        ];
        for table in [first_table(), random_table()] {
            let weights = Weights::new(Arc::new(table));
            let mut random = Random::from_state(7);
            for sfen in starts {
                for _ in 0..20 {
                    let mut pos = GamePath::new(Position::from_sfen(sfen).unwrap());
                    let mut sums = Accumulator::new(&weights, &pos);
                    for _ in 0..120 {
                        let score = sums.score(&weights, pos.side_to_move());
                        assert_eq!(score, model_score(weights.table(), &pos), "{}", pos.to_sfen());
                        let mut moves = MoveList::new();
                        pos.legal_moves(&mut moves);
                        if moves.is_empty() {
                            break;
                        }
                        let mv = moves[random.below(moves.len())];
                        sums = sums.make(&weights, &mut pos, mv, |pos| pos.do_move(mv));
                        assert_eq!(sums, Accumulator::new(&weights, &pos), "{mv} to {}", pos.to_sfen());
                    }
                }
            }
        }
    }
}
