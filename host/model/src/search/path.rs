//! Repetitions with the positions of the request's path and of the search's own line.

use hayasashi_spec::search::PATH_CHECK;

/// The result of a repetition for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeated {
    /// Sennichite.
    Draw,
    /// The opponent gave check with every move since.
    Win,
    /// The side to move gave check with every move since.
    Loss,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The key without its highest bit.
    key: u64,
    /// Consecutive checks by the mover up to its last move, and by the opponent up to the move that led here.
    checks: [u16; 2],
}

/// The positions of the game and of the line being searched, in order.
#[derive(Clone, Debug)]
pub struct Path {
    entries: Vec<Entry>,
    /// Number of positions by the low bits of their key. A zero shows that a position is new.
    seen: Vec<u16>,
}

/// A power of two.
const SEEN: usize = 4096;

fn slot(key: u64) -> usize {
    key as usize % SEEN
}

impl Path {
    /// The path of a request: its words.
    pub fn new(words: impl Iterator<Item = u64>) -> Path {
        let mut path = Path { entries: Vec::new(), seen: vec![0; SEEN] };
        words.for_each(|word| path.push(word, word & PATH_CHECK != 0));
        path
    }

    /// Adds a position, by its key and whether its mover is in check.
    #[inline]
    pub fn push(&mut self, key: u64, in_check: bool) {
        let key = key & !PATH_CHECK;
        let [mover, opponent] = self.entries.last().map_or([0; 2], |last| [last.checks[1], last.checks[0]]);
        let gave = if in_check && !self.entries.is_empty() { opponent.saturating_add(1) } else { 0 };
        self.seen[slot(key)] += 1;
        self.entries.push(Entry { key, checks: [mover, gave] });
    }

    /// Removes the last position.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(last) = self.entries.pop() {
            self.seen[slot(last.key)] -= 1;
        }
    }

    /// Whether the last position occurred before, at least four plies ago; the nearest occurrence decides.
    #[inline]
    pub fn repeated(&self) -> Option<Repeated> {
        let (last, before) = self.entries.split_last()?;
        if self.seen[slot(last.key)] < 2 {
            return None;
        }
        let distance = (4..=before.len()).step_by(2).find(|back| before[before.len() - back].key == last.key)?;
        let always = |checks: u16| checks as usize >= distance / 2;
        Some(match last.checks.map(always) {
            [true, false] => Repeated::Loss,
            [false, true] => Repeated::Win,
            _ => Repeated::Draw,
        })
    }
}
