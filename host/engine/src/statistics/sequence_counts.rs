//! SequenceCounts in games: how often each was played, how often it was begun, and how much more often it was played than its
//! moves would meet by chance.

use super::{
    logarithm::log2,
    sequences::{Pattern, Sequence, SequencePrefix},
    table::KeyHasher,
    PastMove,
};
use hayasashi_shogi::{
    records::RecordedGame,
    rules::{Move, Position},
};
use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hash},
};

/// A sequence that was played more rarely is left out of a table.
pub const LEAST_PLAYED: u32 = 20;
/// So is one that is less than so many times as frequent as by chance, in halvings.
pub const LEAST_ASSOCIATION: i32 = 2 * super::logarithm::HALVING;

/// What is known of a sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SequenceStatistics {
    /// How often it was played.
    pub played: u32,
    /// How often its first two moves were.
    pub begun: u32,
    /// Logarithm to base 2 of how many times more frequent it is than its three moves would meet by chance, in parts of
    /// [`super::logarithm::HALVING`] (pointwise mutual information; Church and Hanks, 1990).
    pub association: i32,
}

impl SequenceStatistics {
    /// How much the sequence adds to what moves tell of each other: its frequency times its association. The frequent and
    /// the surprising are both tesuji; what is one but hardly the other is not.
    pub fn weight(&self) -> i64 {
        self.played as i64 * self.association as i64
    }
}

type Counts<K> = HashMap<K, u32, BuildHasherDefault<KeyHasher>>;

/// What was counted.
#[derive(Default)]
pub struct SequenceCounts {
    /// Moves that two others came before.
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
    /// Counts a move of a game, with the moves before it, the last one first.
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

    /// Moves that two others came before.
    pub fn moves(&self) -> u32 {
        self.all
    }

    /// Different sequences whose moves have to do with each other.
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

    /// Those that were played often, and oftener than by chance, the weightiest first.
    pub fn frequent(&self) -> Vec<(Sequence, SequenceStatistics)> {
        let often = self.played.iter().filter(|&(_, &played)| played >= LEAST_PLAYED);
        let known = often.map(|(&sequence, &played)| (sequence, self.known(sequence, played)));
        let mut found: Vec<_> = known.filter(|(_, known)| known.association >= LEAST_ASSOCIATION).collect();
        found.sort_unstable_by_key(|(sequence, known)| (std::cmp::Reverse(known.weight()), sequence.key()));
        found
    }

    /// Entropy, in bits, of what was played after the first two moves of a sequence, without what had nothing to do with them: 0 if
    /// it was always the same.
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

/// Counts the moves of games.
pub fn count_sequences(games: &[RecordedGame]) -> SequenceCounts {
    let mut sequences = SequenceCounts::default();
    for game in games {
        let mut pos = game.start.clone();
        let mut past: Vec<PastMove> = Vec::new();
        for &mv in &game.moves {
            sequences.take(&pos, past.iter().rev().copied(), mv);
            let captured = pos.do_move(mv).captured().map(|p| p.kind());
            past.push(PastMove { mv, captured });
        }
    }
    sequences
}
