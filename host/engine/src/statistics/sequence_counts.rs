//! Counts of sequences in games: how often each was played, how often its first two moves were, and how this compares
//! with chance.

use super::{
    logarithm::log2,
    sequences::{Pattern, Sequence, SequencePrefix},
    table::KeyHasher,
    PastMove,
};
use hayasashi_shogi::{
    records::RecordedGame,
    rules::{Move, Piece, Position},
};
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hash},
};

/// Sequences played less often are left out of a table.
pub const LEAST_PLAYED: u32 = 20;
/// Sequences of a smaller association are left out of a table, in parts of a halving.
pub const LEAST_ASSOCIATION: i32 = 2 * super::logarithm::HALVING;

/// The counts of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SequenceStatistics {
    /// How often it was played.
    pub played: u32,
    /// How often its first two moves were played.
    pub begun: u32,
    /// Logarithm to base 2 of the ratio of its frequency to that of its three moves by chance, in parts of
    /// [`super::logarithm::HALVING`] (pointwise mutual information; Church and Hanks, 1990).
    pub association: i32,
}

impl SequenceStatistics {
    /// The significance of the sequence: frequency times association. A tesuji is both frequent and unlikely by chance.
    pub fn weight(&self) -> i64 {
        self.played as i64 * self.association as i64
    }
}

type Counts<K> = HashMap<K, u32, BuildHasherDefault<KeyHasher>>;

/// The counts of the sequences of a set of games.
#[derive(Default)]
pub struct SequenceCounts {
    /// Moves with at least two moves before them.
    all: u32,
    first: Counts<Pattern>,
    second: Counts<Pattern>,
    third: Counts<Pattern>,
    begun: Counts<[Pattern; 2]>,
    played: Counts<Sequence>,
}

fn count<K: Eq + Hash>(counts: &mut Counts<K>, key: K) {
    *counts.entry(key).or_default() += 1;
}

impl SequenceCounts {
    /// Counts a move of a game; `past` has the moves before it, most recent first.
    pub fn take(&mut self, pos: &Position, past: impl Iterator<Item = PastMove>, mv: Move) {
        let Some(begun) = SequencePrefix::of(pos, past) else { return };
        let sequence = begun.with(pos, mv);
        let [first, second, third] = sequence.patterns();
        self.all += 1;
        count(&mut self.first, first);
        count(&mut self.second, second.unmirrored());
        count(&mut self.third, third.unmirrored());
        count(&mut self.begun, [first, second.unmirrored()]);
        if begun.is_tesuji(mv) {
            count(&mut self.played, sequence);
        }
    }

    /// Moves with at least two moves before them.
    pub fn moves(&self) -> u32 {
        self.all
    }

    /// Number of different sequences whose moves are connected.
    pub fn different(&self) -> usize {
        self.played.len()
    }

    fn known(&self, sequence: Sequence, played: u32) -> SequenceStatistics {
        let [first, second, third] = sequence.patterns();
        let (second, third) = (second.unmirrored(), third.unmirrored());
        let alone = [self.first[&first], self.second[&second], self.third[&third]];
        let chance = alone.into_iter().map(log2).sum::<i32>() - 2 * log2(self.all);
        SequenceStatistics { played, begun: self.begun[&[first, second]], association: log2(played) - chance }
    }

    /// The sequences that are frequent and more frequent than by chance, the most significant first.
    pub fn frequent(&self) -> Vec<(Sequence, SequenceStatistics)> {
        let often = self.played.iter().filter(|&(_, &played)| played >= LEAST_PLAYED);
        let known = often.map(|(&sequence, &played)| (sequence, self.known(sequence, played)));
        let mut found: Vec<_> = known.filter(|(_, known)| known.association >= LEAST_ASSOCIATION).collect();
        found.sort_unstable_by_key(|(sequence, known)| (std::cmp::Reverse(known.weight()), sequence.key()));
        found
    }

    /// Entropy, in bits, of the connected moves after the first two moves of a sequence: 0 if it was always the same
    /// move.
    pub fn entropies(&self) -> HashMap<[Pattern; 2], f64> {
        let mut entropies: HashMap<[Pattern; 2], f64> = HashMap::new();
        for (sequence, &played) in &self.played {
            let [first, second, _] = sequence.patterns();
            let begun = [first, second.unmirrored()];
            let part = played as f64 / self.begun[&begun] as f64;
            *entropies.entry(begun).or_default() -= part * part.log2();
        }
        entropies
    }
}

/// Counts the sequences of games.
pub fn count_sequences(games: &[RecordedGame]) -> SequenceCounts {
    let mut sequences = SequenceCounts::default();
    for game in games {
        let mut pos = game.start.clone();
        let mut past: Vec<PastMove> = Vec::new();
        for &mv in &game.moves {
            sequences.take(&pos, past.iter().rev().copied(), mv);
            let captured = pos.do_move(mv).captured().map(Piece::kind);
            past.push(PastMove { mv, captured });
        }
    }
    sequences
}
