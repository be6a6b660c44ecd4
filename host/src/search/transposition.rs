//! The transposition table: what is known of positions met before (Greenblatt, 1967).

use hayasashi_spec::moves::Move16;

/// How a stored score bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is at most this.
    Upper,
    /// The score is at least this.
    Lower,
    /// The score is this.
    Exact,
}

/// What is stored for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Score for the mover; mates are counted from this position, not from the root.
    pub score: i16,
    /// Depth of the search that found it.
    pub depth: i8,
    /// What the score means.
    pub bound: Bound,
    /// Best or refuting move, if one is known; in the mover's view.
    pub best: Option<Move16>,
    generation: u8,
}

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    entry: Option<Entry>,
}

const WAYS: usize = 4;
const EMPTY: Slot = Slot { key: 0, entry: None };

/// A table of a fixed number of entries in buckets of four; the entry of least depth and greatest age is replaced.
///
/// Searches of one thread alone write it, so that a search at fixed nodes is repeatable.
pub struct Transposition {
    slots: Vec<Slot>,
    generation: u8,
}

impl Transposition {
    /// A table that takes `mebibytes` of memory, at least 1.
    pub fn new(mebibytes: usize) -> Transposition {
        let bytes = mebibytes.max(1) << 20;
        let buckets = (bytes / (WAYS * std::mem::size_of::<Slot>())).max(1);
        Transposition { slots: vec![EMPTY; buckets * WAYS], generation: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(EMPTY);
        self.generation = 0;
    }

    /// Begins a new search: what earlier searches stored may be replaced first.
    pub fn age(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// How full the table is with entries of this search, in thousandths of a sample.
    pub fn permille(&self) -> usize {
        let sample = &self.slots[..self.slots.len().min(4000)];
        let used = sample.iter().filter(|s| s.entry.is_some_and(|e| e.generation == self.generation)).count();
        used * 1000 / sample.len()
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.slots.len() / WAYS) as u128;
        ((key as u128 * buckets) >> 64) as usize * WAYS
    }

    /// What is known of the position with this key.
    pub fn get(&self, key: u64) -> Option<Entry> {
        let at = self.bucket(key);
        self.slots[at..at + WAYS].iter().find(|s| s.key == key).and_then(|s| s.entry)
    }

    /// Stores what a search of `depth` plies found. A move already known is kept when `best` is `None`.
    pub fn put(&mut self, key: u64, depth: i8, score: i16, bound: Bound, best: Option<Move16>) {
        let at = self.bucket(key);
        let generation = self.generation;
        let bucket = &mut self.slots[at..at + WAYS];
        let slot = match bucket.iter().position(|s| s.entry.is_some() && s.key == key) {
            Some(known) => &mut bucket[known],
            None => bucket
                .iter_mut()
                .min_by_key(|s| {
                    s.entry.map_or(i32::MIN, |e| e.depth as i32 - 8 * generation.wrapping_sub(e.generation) as i32)
                })
                .expect("a bucket has entries"),
        };
        let known = slot.entry.filter(|_| slot.key == key);
        let keeps = known.is_some_and(|k| k.generation == generation && k.depth > depth && bound != Bound::Exact);
        if !keeps {
            let best = best.or(known.and_then(|k| k.best));
            *slot = Slot { key, entry: Some(Entry { score, depth, bound, best, generation }) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_entries_are_found_and_keep_their_move() {
        let mut t = Transposition::new(1);
        assert_eq!(t.get(7), None);
        t.put(7, 3, -20, Bound::Exact, Some(Move16(5)));
        t.put(7, 4, 30, Bound::Upper, None);
        let e = t.get(7).unwrap();
        assert_eq!((e.score, e.depth, e.bound, e.best), (30, 4, Bound::Upper, Some(Move16(5))));
        t.put(7, 1, 0, Bound::Lower, None);
        assert_eq!(t.get(7).unwrap().depth, 4);
        t.clear();
        assert_eq!(t.get(7), None);
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let mut t = Transposition::new(1);
        for key in 0..WAYS as u64 {
            t.put(key, 5 + key as i8, 0, Bound::Exact, None);
        }
        t.put(99, 1, 0, Bound::Exact, None);
        assert!(t.get(0).is_none() && t.get(3).is_some() && t.get(99).is_some());
        t.age();
        t.put(100, 1, 0, Bound::Exact, None);
        assert!(t.get(99).is_none());
    }
}
