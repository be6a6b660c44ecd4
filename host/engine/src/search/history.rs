//! What earlier cut-offs say about moves: killers, history, continuation history, history of captures.
//!
//! Each counter moves towards ±[`LIMIT`] by bonuses, the slower the nearer it is (history gravity), so that what was
//! history long ago fades.

use super::large_pages::ask_for_large_pages;
use hayasashi_shogi::rules::{Color, Move, Position, SQUARES};

/// Counters stay within ± this.
pub const LIMIT: i32 = 1 << 14;
/// Origins: squares and drops.
const FROM_CODES: usize = 88;
/// A piece with its colour, on a square.
const PIECE_TO_CODES: usize = 32 * SQUARES;

/// Which row of the continuation history belongs to a move that was made; also which column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PieceTo(u16);

impl PieceTo {
    /// After a pass, and before the first move.
    pub const NONE: PieceTo = PieceTo(0);

    /// Of a move of the position, before it is made.
    #[inline(always)]
    pub fn of(pos: &Position, mv: Move) -> PieceTo {
        let kind = pos.moved_kind(mv) | if mv.is_promotion() { 8 } else { 0 };
        let code = kind | (pos.side_to_move() as u8) << 4;
        PieceTo((code as usize * SQUARES + mv.to().index()) as u16)
    }
}

/// Plies back whose moves index the continuation history.
pub const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

/// What a thread has history of moves.
pub struct MoveHistory {
    /// By side, origin (or drop) and destination.
    quiet: Vec<i16>,
    /// By move before and move.
    continuation: Vec<i16>,
    /// By piece moved, destination and kind captured.
    capture: Vec<i16>,
}

impl Default for MoveHistory {
    fn default() -> MoveHistory {
        let mut continuation = Vec::with_capacity(PIECE_TO_CODES * PIECE_TO_CODES);
        ask_for_large_pages(continuation.spare_capacity_mut());
        continuation.resize(PIECE_TO_CODES * PIECE_TO_CODES, 0);
        MoveHistory { quiet: vec![0; 2 * FROM_CODES * SQUARES], continuation, capture: vec![0; PIECE_TO_CODES * 16] }
    }
}

#[inline(always)]
fn quiet_index(side: Color, mv: Move) -> usize {
    // Bits 7–13 of a move are its origin or drop.
    (side.index() * FROM_CODES + (mv.bits() >> 7 & 127) as usize) * SQUARES + mv.to().index()
}

#[inline(always)]
fn capture_index(placed: PieceTo, captured: u8) -> usize {
    placed.0 as usize * 16 + (captured & 15) as usize
}

/// Moves a counter towards ±[`LIMIT`].
#[inline(always)]
fn learn(counter: &mut i16, bonus: i32) {
    let h = *counter as i32;
    *counter = (h + bonus - h * bonus.abs() / LIMIT) as i16;
}

/// The bonus of a cut-off at this depth.
pub fn bonus(depth: i32) -> i32 {
    (16 * depth * depth + 120 * depth - 60).clamp(0, 1700)
}

impl MoveHistory {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.quiet.fill(0);
        self.continuation.fill(0);
        self.capture.fill(0);
    }

    /// Before a new search: what was history counts half.
    pub fn age(&mut self) {
        self.quiet.iter_mut().for_each(|h| *h /= 2);
    }

    /// Of a quiet move.
    #[inline(always)]
    pub fn quiet(&self, side: Color, mv: Move) -> i32 {
        self.quiet[quiet_index(side, mv)] as i32
    }

    /// Of a move after the move before.
    #[inline(always)]
    pub fn continuation(&self, before: PieceTo, placed: PieceTo) -> i32 {
        self.continuation[before.0 as usize * PIECE_TO_CODES + placed.0 as usize] as i32
    }

    /// Of a capture.
    #[inline(always)]
    pub fn capture(&self, placed: PieceTo, captured: u8) -> i32 {
        self.capture[capture_index(placed, captured)] as i32
    }

    /// Learns of a quiet move.
    pub fn learn_quiet(&mut self, side: Color, mv: Move, bonus: i32) {
        learn(&mut self.quiet[quiet_index(side, mv)], bonus);
    }

    /// Learns of a move after the move before.
    pub fn learn_continuation(&mut self, before: PieceTo, placed: PieceTo, bonus: i32) {
        learn(&mut self.continuation[before.0 as usize * PIECE_TO_CODES + placed.0 as usize], bonus);
    }

    /// Learns of a capture.
    pub fn learn_capture(&mut self, placed: PieceTo, captured: u8, bonus: i32) {
        learn(&mut self.capture[capture_index(placed, captured)], bonus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_stay_within_their_limit_and_fade() {
        let mut history = MoveHistory::default();
        let mv = Move::from_usi("7g7f").unwrap();
        for _ in 0..1000 {
            history.learn_quiet(Color::Black, mv, bonus(20));
        }
        let high = history.quiet(Color::Black, mv);
        assert!(high > LIMIT * 9 / 10 && high <= LIMIT, "{high}");
        assert_eq!(history.quiet(Color::White, mv), 0);
        history.learn_quiet(Color::Black, mv, -bonus(20));
        assert!(history.quiet(Color::Black, mv) < high);
        history.age();
        assert!(history.quiet(Color::Black, mv) <= high / 2);
    }

    #[test]
    fn moves_are_told_apart() {
        let pos = Position::from_sfen("4k4/9/9/9/9/5P3/4P4/9/4K4 b P 1").unwrap();
        let placed = |m| PieceTo::of(&pos, Move::from_usi(m).unwrap());
        assert_eq!(placed("5g5f"), placed("P*5f"));
        assert_ne!(placed("5g5f"), placed("4f4e"));
        let mut history = MoveHistory::default();
        history.learn_continuation(placed("5g5f"), placed("4f4e"), 100);
        assert_eq!(history.continuation(placed("5g5f"), placed("4f4e")), 100);
        assert_eq!(history.continuation(placed("4f4e"), placed("5g5f")), 0);
        history.learn_capture(placed("4f4e"), 7, 50);
        assert_eq!((history.capture(placed("4f4e"), 7), history.capture(placed("4f4e"), 6)), (50, 0));
    }
}
