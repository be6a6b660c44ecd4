//! The transposition table: results of searches by position (Greenblatt, 1967).
//!
//! Threads read and write it without locks: a slot is two words, the key exclusive-or the entry, and the entry. The
//! words of two different writes do not match, and such a slot counts as empty (Hyatt and Mann, 2002).

use super::{large_pages::advise_large_pages, score::INFINITE, sharing::SharedEntry};
use hayasashi_shogi::rules::Move;
use std::sync::{
    atomic::{AtomicI8, AtomicU64, AtomicU8, Ordering::Relaxed},
    Mutex, PoisonError,
};

/// How a stored score bounds the true score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// No score; only the static evaluation is stored.
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score is this.
    Exact = 3,
}

/// The stored result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Best or refuting move, or [`Move::NONE`].
    pub best: Move,
    /// Score for the mover; mates are counted from this position, not from the root.
    pub score: i16,
    /// Static evaluation for the mover; `None` in check.
    pub eval: Option<i16>,
    /// Depth of the search that found the score.
    pub depth: i8,
    /// How the score bounds the true one.
    pub bound: Bound,
    /// Whether the search had an open window.
    pub open: bool,
}

/// The packed `eval` of an entry without evaluation.
const NO_EVAL: i16 = i16::MIN;
const _: () = assert!(INFINITE < i16::MAX as i32);
/// The generation has five bits.
const GENERATIONS: u8 = 32;

impl Entry {
    /// ```text
    ///  63    59  58   57 56  55  48 47     32 31    16 15     0
    ///  generation open bound  depth  eval     score    move
    /// ```
    fn pack(&self, generation: u8) -> u64 {
        let eval = self.eval.unwrap_or(NO_EVAL) as u16;
        self.best.bits() as u64
            | (self.score as u16 as u64) << 16
            | (eval as u64) << 32
            | (self.depth as u8 as u64) << 48
            | (self.bound as u64) << 56
            | (self.open as u64) << 58
            | (generation as u64) << 59
    }

    /// The entry as a number without a generation.
    pub(super) fn to_bits(self) -> u64 {
        self.pack(0)
    }

    /// The entry of such a number, unless a score or a move is impossible.
    pub(super) fn from_bits(bits: u64) -> Option<Entry> {
        let entry = Entry::unpack(bits);
        let possible = |score: i16| (score as i32).abs() <= INFINITE;
        (entry.to_bits() == bits && possible(entry.score) && entry.eval.is_none_or(possible)).then_some(entry)
    }

    fn unpack(bits: u64) -> Entry {
        let eval = (bits >> 32) as i16;
        Entry {
            best: Move::from_bits(bits as u16).unwrap_or(Move::NONE),
            score: (bits >> 16) as i16,
            eval: (eval != NO_EVAL).then_some(eval),
            depth: (bits >> 48) as i8,
            bound: match bits >> 56 & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            open: bits >> 58 & 1 != 0,
        }
    }
}

#[derive(Default)]
struct Slot {
    /// The key, exclusive-or `bits`.
    check: AtomicU64,
    bits: AtomicU64,
}

const WAYS: usize = 4;

/// The slots of one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// A table with buckets of four entries; the shallowest and oldest entry of a bucket is replaced.
pub struct Transposition {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
    /// Least depth of entries that others want.
    deep: AtomicI8,
    /// Those that were stored since they were last taken.
    deep_entries: Mutex<Vec<SharedEntry>>,
}

/// No entry is that deep.
const NONE_DEEP: i8 = i8::MAX;
/// Most deep entries that are kept until they are taken.
const MOST_DEEP: usize = 1 << 14;

impl Transposition {
    /// A table of `mebibytes` (at least 1).
    pub fn new(mebibytes: usize) -> Transposition {
        let count = ((mebibytes.max(1) << 20) / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::with_capacity(count);
        advise_large_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        let (deep, deep_entries) = (AtomicI8::new(NONE_DEEP), Mutex::default());
        Transposition { buckets, generation: AtomicU8::new(0), deep, deep_entries }
    }

    /// Removes all entries.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|b| &b.0) {
            slot.check.store(0, Relaxed);
            slot.bits.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// Starts a new generation: entries of earlier searches are replaced first.
    pub fn age(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) % GENERATIONS, Relaxed);
    }

    /// Share of the table with entries of this generation, in thousandths, estimated from a sample.
    pub fn permille(&self) -> usize {
        let generation = self.generation.load(Relaxed) as u64;
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let bits = sample.iter().flat_map(|b| &b.0).map(|s| s.bits.load(Relaxed));
        bits.filter(|&b| b != 0 && b >> 59 == generation).count() * 1000 / (WAYS * sample.len())
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let at = ((key as u128 * self.buckets.len() as u128) >> 64) as usize;
        // The product's upper half is below the number of buckets.
        &self.buckets[at]
    }

    /// Prefetches the bucket of a key into the cache.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: the address is that of a bucket, and a prefetch has no effect on memory.
            unsafe { _mm_prefetch(bucket.cast(), _MM_HINT_T0) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let bits = slot.bits.load(Relaxed);
            (bits != 0 && slot.check.load(Relaxed) ^ bits == key).then(|| Entry::unpack(bits))
        })
    }

    /// Stores an entry. If it has no move, the stored move stays. A result of the same generation that is more than three
    /// plies deeper stays, unless the new score is exact.
    #[inline]
    pub fn put(&self, key: u64, entry: Entry) {
        self.store(key, entry);
        if entry.depth >= self.deep.load(Relaxed) {
            self.keep_deep(SharedEntry { key, entry });
        }
    }

    #[cold]
    fn keep_deep(&self, shared: SharedEntry) {
        let mut entries = self.deep_entries.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() < MOST_DEEP {
            entries.push(shared);
        }
    }

    /// From now on keeps the entries of at least this depth for [`Transposition::take_deep`], or none.
    pub(super) fn share_from(&self, depth: Option<i8>) {
        self.take_deep();
        self.deep.store(depth.unwrap_or(NONE_DEEP), Relaxed);
    }

    /// The deep entries that were put since the last time.
    pub(super) fn take_deep(&self) -> Vec<SharedEntry> {
        std::mem::take(&mut self.deep_entries.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// As [`Transposition::put`], for an entry of another engine.
    pub(super) fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let mut victim = None;
        let mut least = i32::MAX;
        for slot in &self.bucket(key).0 {
            let bits = slot.bits.load(Relaxed);
            if bits != 0 && slot.check.load(Relaxed) ^ bits == key {
                let stored = Entry::unpack(bits);
                if entry.best == Move::NONE {
                    entry.best = stored.best;
                }
                let deeper = stored.depth as i32 > entry.depth as i32 + 3 && stored.bound != Bound::None;
                if deeper && bits >> 59 == generation as u64 && entry.bound != Bound::Exact {
                    return;
                }
                victim = Some(slot);
                break;
            }
            let age = (generation + GENERATIONS - (bits >> 59) as u8) % GENERATIONS;
            let worth = match bits {
                0 => i32::MIN,
                _ => (bits >> 48) as i8 as i32 - 8 * age as i32,
            };
            if worth < least {
                (least, victim) = (worth, Some(slot));
            }
        }
        let slot = victim.expect("a bucket has slots");
        let bits = entry.pack(generation);
        slot.check.store(key ^ bits, Relaxed);
        slot.bits.store(bits, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i8, score: i16, bound: Bound, best: Option<&str>) -> Entry {
        let best = best.map_or(Move::NONE, |m| Move::from_usi(m).unwrap());
        Entry { best, score, eval: Some(-7), depth, bound, open: false }
    }

    #[test]
    fn entries_read_back() {
        for eval in [None, Some(-30_000), Some(0)] {
            for bound in [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact] {
                for open in [false, true] {
                    let e = Entry { eval, open, ..entry(-2, -31_990, bound, Some("R*5e")) };
                    assert_eq!(Entry::unpack(e.pack(31)), e);
                }
            }
        }
    }

    #[test]
    fn stored_entries_are_found_and_keep_their_move() {
        let t = Transposition::new(1);
        assert_eq!(t.get(7), None);
        t.put(7, entry(3, -20, Bound::Exact, Some("7g7f")));
        t.put(7, entry(7, 30, Bound::Upper, None));
        let e = t.get(7).unwrap();
        assert_eq!((e.score, e.depth, e.bound, e.best), (30, 7, Bound::Upper, Move::from_usi("7g7f").unwrap()));
        t.put(7, entry(1, 0, Bound::Lower, None));
        assert_eq!(t.get(7).unwrap().depth, 7);
        t.clear();
        assert_eq!(t.get(7), None);
    }

    #[test]
    fn shallow_and_old_entries_go_first() {
        let t = Transposition::new(1);
        for key in 0..WAYS as u64 {
            t.put(key, entry(5 + key as i8, 0, Bound::Exact, None));
        }
        t.put(99, entry(1, 0, Bound::Exact, None));
        assert!(t.get(0).is_none() && t.get(3).is_some() && t.get(99).is_some());
        t.age();
        t.put(100, entry(1, 0, Bound::Exact, None));
        assert!(t.get(99).is_none());
    }

    #[test]
    fn torn_entries_are_ignored() {
        let t = Transposition::new(1);
        t.put(7, entry(3, -20, Bound::Exact, None));
        // As if another thread had written the second word only.
        let other = entry(4, 20, Bound::Lower, None).pack(0);
        t.bucket(7).0[0].bits.store(other, Relaxed);
        assert_eq!(t.get(7), None);
    }
}
