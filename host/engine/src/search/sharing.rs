//! Searches of several engines that tell each other what they have stored in their tables: each searches the same position, and the
//! entries of the others spare it what they have searched already (lazy SMP without common memory).
//!
//! An engine sends its deep entries every so many nodes, and takes those that have come. Searches *in step* wait at that point for the
//! entries of the others, so that the same searches find the same in every run.

use super::transposition::{Entry, Transposition};
use std::{
    fmt,
    str::FromStr,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

/// Most entries that are kept for a search that does not take them.
const MOST_WAITING: usize = 1 << 16;

/// How an engine takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareSettings {
    /// Its number; the first is 0. Others skip iterations, as threads but the first do.
    pub member: usize,
    /// Entries of at least this depth are sent.
    pub depth: i8,
    /// Nodes from one exchange to the next.
    pub every: u64,
    /// Whether each exchange waits for the entries of the others.
    pub in_step: bool,
}

/// An entry with the key of its position. As text two hexadecimal numbers of 16 digits in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedEntry {
    /// The key.
    pub key: u64,
    /// The entry.
    pub entry: Entry,
}

impl fmt::Display for SharedEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.key, self.entry.to_bits())
    }
}

/// A text that is no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEntry;

impl FromStr for SharedEntry {
    type Err = NoEntry;

    fn from_str(text: &str) -> Result<SharedEntry, NoEntry> {
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NoEntry);
        }
        let number = |digits| u64::from_str_radix(digits, 16).map_err(|_| NoEntry);
        let entry = Entry::from_bits(number(&text[16..])?).ok_or(NoEntry)?;
        Ok(SharedEntry { key: number(&text[..16])?, entry })
    }
}

/// How entries reach the other engines.
pub type SendEntries = Box<dyn FnMut(&[SharedEntry]) + Send>;

/// One search's part in a common one.
pub struct Sharing {
    settings: ShareSettings,
    send: Mutex<SendEntries>,
    arrived: Mutex<Arrived>,
    changed: Condvar,
}

#[derive(Default)]
struct Arrived {
    entries: Vec<SharedEntry>,
    /// Messages that no exchange has taken.
    messages: u64,
    /// No exchange waits any more.
    is_over: bool,
}

impl Sharing {
    /// A search that sends its entries there.
    pub fn new(settings: ShareSettings, send: SendEntries) -> Sharing {
        Sharing { settings, send: Mutex::new(send), arrived: Mutex::default(), changed: Condvar::new() }
    }

    /// How the engine takes part.
    pub fn settings(&self) -> &ShareSettings {
        &self.settings
    }

    /// Takes a message of the others.
    pub fn receive(&self, entries: &[SharedEntry]) {
        let mut arrived = self.arrived();
        if arrived.entries.len() + entries.len() <= MOST_WAITING {
            arrived.entries.extend_from_slice(entries);
        }
        arrived.messages += 1;
        self.changed.notify_all();
    }

    /// Ends an exchange that waits; none waits again.
    pub fn end(&self) {
        self.arrived().is_over = true;
        self.changed.notify_all();
    }

    /// Sends the new deep entries of the table, and stores those of the others.
    pub(super) fn exchange(&self, table: &Transposition) {
        let entries = table.take_deep();
        if self.settings.in_step || !entries.is_empty() {
            (self.send.lock().unwrap_or_else(PoisonError::into_inner))(&entries);
        }
        let mut arrived = self.arrived();
        if self.settings.in_step {
            while arrived.messages == 0 && !arrived.is_over {
                arrived = self.changed.wait(arrived).unwrap_or_else(PoisonError::into_inner);
            }
        }
        arrived.messages = arrived.messages.saturating_sub(1);
        let entries = std::mem::take(&mut arrived.entries);
        drop(arrived);
        entries.iter().for_each(|shared| table.store(shared.key, shared.entry));
    }

    fn arrived(&self) -> MutexGuard<'_, Arrived> {
        self.arrived.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::transposition::Bound, *};
    use hayasashi_shogi::rules::Move;

    fn shared(key: u64, depth: i8) -> SharedEntry {
        let best = Move::from_usi("7g7f").unwrap();
        SharedEntry { key, entry: Entry { best, score: -30, eval: None, depth, bound: Bound::Lower, open: false } }
    }

    #[test]
    fn entries_are_read_as_they_are_written() {
        let entry = shared(u64::MAX - 5, 7);
        assert_eq!(entry.to_string().parse(), Ok(entry));
        let long = format!("{entry}0");
        let score = format!("{:032x}", 0x7fff_u64 << 16);
        for wrong in ["", "7", &long, &long[..31], &"x".repeat(32), &"é".repeat(16), &score] {
            assert_eq!(wrong.parse::<SharedEntry>(), Err(NoEntry), "{wrong}");
        }
    }

    #[test]
    fn deep_entries_reach_the_other_table_and_do_not_come_back() {
        let settings = ShareSettings { member: 0, depth: 4, every: 512, in_step: true };
        let (sender, sent) = std::sync::mpsc::channel();
        let sharing = Sharing::new(settings, Box::new(move |entries| sender.send(entries.to_vec()).unwrap()));
        let table = Transposition::new(1);
        table.share_from(Some(settings.depth));
        let (deep, shallow, other) = (shared(5, 4), shared(6, 3), shared(7, 9));
        [deep, shallow].iter().for_each(|e| table.put(e.key, e.entry));
        sharing.receive(&[other]);
        sharing.exchange(&table);
        assert_eq!(sent.recv().unwrap(), [deep]);
        assert_eq!(table.get(other.key), Some(other.entry));
        // A message without entries is an answer too, and so is the end.
        sharing.receive(&[]);
        sharing.exchange(&table);
        sharing.end();
        sharing.exchange(&table);
        assert!(sent.try_iter().all(|entries| entries.is_empty()));
    }
}
