//! Repetition (sennichite), perpetual check, and comparison of hands on the same board.

use super::hand::Hand;
use super::position::Position;

/// Verdict on a repetition, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repetition {
    /// No repetition.
    None,
    /// The same position: a draw (sennichite).
    Draw,
    /// The same position, and the opponent gave check with every move since: the side to move wins.
    Win,
    /// The same position, and the side to move gave check with every move since: it loses.
    Loss,
    /// The same board and side to move, which has more in hand and the opponent less. Only from
    /// [`History::in_search`].
    Superior,
    /// The same board and side to move, which has less in hand and the opponent more. Only from
    /// [`History::in_search`].
    Inferior,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    board_key: u64,
    hand_key: u64,
    /// Hand of the side to move.
    hand: Hand,
    /// Consecutive checks by the side to move, up to its last move.
    checks_by_mover: u16,
    /// Consecutive checks by the opponent, up to the move that led here.
    checks_by_opponent: u16,
}

/// The positions of a game, and of the line being searched, in order.
///
/// Push the first position, then the position after each move; pop when a move is undone.
#[derive(Clone, Debug)]
pub struct History {
    entries: Vec<Entry>,
    /// Number of stored positions by the low bits of their board key. A zero shows that a position is new.
    seen: Box<[u16; SEEN]>,
}

/// A power of two, large enough that few boards of a game have the same low bits.
const SEEN: usize = 4096;

impl Default for History {
    fn default() -> History {
        History { entries: Vec::new(), seen: Box::new([0; SEEN]) }
    }
}

impl History {
    /// An empty history.
    pub fn new() -> History {
        History::default()
    }

    /// The history of a game that begins with this position.
    pub fn starting_at(position: &Position) -> History {
        let mut history = History::new();
        history.push(position);
        history
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no position.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds the position after a move, or the first one.
    pub fn push(&mut self, position: &Position) {
        self.push_with_check(position, position.in_check());
    }

    /// [`History::push`] for a caller that knows whether the side to move is in check.
    pub fn push_with_check(&mut self, position: &Position, in_check: bool) {
        let (checks_by_mover, before) =
            self.entries.last().map_or((0, 0), |last| (last.checks_by_opponent, last.checks_by_mover));
        self.seen[slot(position.board_key())] += 1;
        self.entries.push(Entry {
            board_key: position.board_key(),
            hand_key: position.hand_key(),
            hand: position.hand(position.side_to_move()),
            checks_by_mover,
            checks_by_opponent: if in_check && !self.entries.is_empty() { before.saturating_add(1) } else { 0 },
        });
    }

    /// Removes the last position.
    pub fn pop(&mut self) {
        if let Some(last) = self.entries.pop() {
            self.seen[slot(last.board_key)] -= 1;
        }
    }

    /// Removes the positions beyond the first `len`.
    pub fn truncate(&mut self, len: usize) {
        while self.entries.len() > len {
            self.pop();
        }
    }

    /// Number of occurrences of the last position, including itself; 0 for an empty history.
    pub fn occurrences(&self) -> usize {
        let Some((last, _)) = self.entries.split_last() else { return 0 };
        self.entries.iter().filter(|e| (e.board_key, e.hand_key) == (last.board_key, last.hand_key)).count()
    }

    /// The rule of the game: a verdict when the last position occurs for the fourth time or more, else
    /// [`Repetition::None`]. A perpetual check begins at the first occurrence. If both sides give perpetual check, the
    /// game is a draw.
    pub fn game_verdict(&self) -> Repetition {
        let Some((last, before)) = self.entries.split_last() else { return Repetition::None };
        let same = |e: &&Entry| (e.board_key, e.hand_key) == (last.board_key, last.hand_key);
        if before.iter().filter(same).count() < 3 {
            return Repetition::None;
        }
        let first = before.iter().position(|e| same(&e)).unwrap_or(0);
        last.verdict(before.len() - first)
    }

    /// The verdict for a search: from the *second* occurrence of the last position on, or of its board with one hand
    /// containing the other. Looks back at most `plies` plies, nearest position first.
    pub fn in_search(&self, plies: usize) -> Repetition {
        let Some((last, before)) = self.entries.split_last() else { return Repetition::None };
        if self.seen[slot(last.board_key)] < 2 {
            return Repetition::None;
        }
        let back = before.len().min(plies);
        // The same side is to move at every second ply, and no position recurs within two plies.
        for distance in (4..=back).step_by(2) {
            let earlier = &before[before.len() - distance];
            if earlier.board_key != last.board_key {
                continue;
            }
            if earlier.hand_key == last.hand_key {
                return last.verdict(distance);
            }
            if last.hand.covers(earlier.hand) {
                return Repetition::Superior;
            }
            if earlier.hand.covers(last.hand) {
                return Repetition::Inferior;
            }
        }
        Repetition::None
    }
}

fn slot(board_key: u64) -> usize {
    board_key as usize % SEEN
}

impl Entry {
    /// Verdict on a repetition after `distance` plies, half of them by each side.
    fn verdict(&self, distance: usize) -> Repetition {
        let moves = distance / 2;
        let (mover, opponent) = (self.checks_by_mover as usize >= moves, self.checks_by_opponent as usize >= moves);
        match (mover, opponent) {
            (true, false) => Repetition::Loss,
            (false, true) => Repetition::Win,
            _ => Repetition::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Move;

    /// Plays the moves; returns the history and the verdict after each move.
    fn play(sfen: &str, moves: &[&str]) -> (History, Vec<Repetition>) {
        let mut position = Position::from_sfen(sfen).unwrap();
        let mut history = History::starting_at(&position);
        let verdicts = moves
            .iter()
            .map(|text| {
                let mv = Move::from_usi(text).unwrap();
                assert!(position.is_legal(mv), "{text} in {}", position.to_sfen());
                position.do_move(mv);
                history.push(&position);
                history.game_verdict()
            })
            .collect();
        (history, verdicts)
    }

    const KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4 b - 1";
    const SHUFFLE: [&str; 4] = ["5i5h", "5a5b", "5h5i", "5b5a"];

    #[test]
    fn the_fourth_occurrence_draws() {
        let (history, verdicts) = play(KINGS, &SHUFFLE.repeat(3));
        assert_eq!(verdicts[..11], [Repetition::None; 11]);
        assert_eq!(verdicts[11], Repetition::Draw);
        assert_eq!(history.occurrences(), 4);
    }

    #[test]
    fn search_sees_the_second_occurrence() {
        let (mut history, _) = play(KINGS, &SHUFFLE);
        assert_eq!(history.in_search(4), Repetition::Draw);
        assert_eq!(history.in_search(3), Repetition::None);
        history.pop();
        assert_eq!(history.in_search(100), Repetition::None);
    }

    #[test]
    fn perpetual_check_loses() {
        let start = "1k7/9/9/9/9/9/9/9/R7K b - 1";
        let cycle = ["9i8i", "8a9a", "8i9i", "9a8a"];
        let (history, verdicts) = play(start, &cycle.repeat(3));
        // Black, to move, gave check with every move.
        assert_eq!(verdicts[11], Repetition::Loss);
        assert_eq!(history.in_search(100), Repetition::Loss);
        // The same for White, who is to move one ply later.
        let (_, verdicts) = play(start, &[&cycle[..], &cycle, &cycle, &cycle[..1]].concat());
        assert_eq!(verdicts[12], Repetition::Win);
    }

    #[test]
    fn one_move_without_check_makes_it_a_draw() {
        let start = "1k7/9/9/9/9/9/9/9/R7K b - 1";
        let check = ["9i8i", "8a9a", "8i9i", "9a8a"];
        // In the second cycle Black first moves without check.
        let quiet = ["9i7i", "8a9a", "7i9i", "9a8a"];
        let (_, verdicts) = play(start, &[&check[..], &quiet, &check].concat());
        assert_eq!(verdicts[11], Repetition::Draw);
    }

    #[test]
    fn checks_before_the_first_occurrence_do_not_count() {
        // The check of the first move is not part of the repetition.
        let (_, verdicts) = play(
            "4k4/9/9/9/9/9/9/9/R3K4 b - 1",
            &[
                &["9i9a"][..],
                &[
                    "5a5b", "5i5h", "5b5c", "5h5i", "5c5b", "5i5h", "5b5c", "5h5i", "5c5b", "5i5h", "5b5c", "5h5i",
                    "5c5b",
                ],
            ]
            .concat(),
        );
        assert_eq!(*verdicts.last().unwrap(), Repetition::Draw);
    }

    #[test]
    fn hands_are_compared_on_the_same_board() {
        // White drops a gold and the king takes it: the board repeats, and Black has gained a gold.
        let start = "4k4/9/9/9/9/9/9/9/4K4 b g 1";
        let (history, _) = play(start, &["5i4h", "G*5h", "4h5h", "5a5b", "5h5i", "5b5a"]);
        assert_eq!(history.in_search(100), Repetition::Superior);
        let (history, _) = play(start, &["5i4h", "G*5h", "4h5h", "5a5b", "5h4h", "5b5a", "4h5i"]);
        assert_eq!(history.in_search(100), Repetition::None);
    }
}
