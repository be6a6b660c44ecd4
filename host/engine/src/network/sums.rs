//! The sums of a network's units, updated move by move.

use super::{hand, View};
use hayasashi_model::evaluate::network::{add, remove, Network};
use hayasashi_shogi::rules::{Color, Move, PieceKind, Position};
use hayasashi_spec::{
    piece::{HAND_KINDS, KING, PROMOTED, THEIRS},
    table::SCORE_LIMIT,
};

/// The sums of the units of Black's view, then of White's, for each position of a path.
#[derive(Clone, Debug)]
pub struct UnitSums {
    /// All positions one after the other.
    sums: Vec<i16>,
    /// Of one position.
    width: usize,
}

/// Features that a move takes out of a view and brings in.
#[derive(Default)]
struct Change {
    out: ([u16; 3], usize),
    brought: ([u16; 2], usize),
}

impl UnitSums {
    /// The sums of a position.
    pub fn new(network: &Network, pos: &Position) -> UnitSums {
        let mut sums = vec![0; 2 * network.units()];
        for (color, sums) in Color::ALL.into_iter().zip(sums.chunks_exact_mut(network.units())) {
            sum(network, pos, color, sums);
        }
        UnitSums { width: sums.len(), sums }
    }

    /// Adds the position after a legal move: `before` is the position before it, `after` the one after it.
    #[inline]
    pub fn make(&mut self, network: &Network, before: [View; 2], change: &MoveChange, after: &Position) {
        let (units, from) = (network.units(), self.sums.len() - self.width);
        self.sums.extend_from_within(from..);
        let at = self.sums.len() - self.width;
        for color in Color::ALL {
            let sums = &mut self.sums[at + color.index() * units..][..units];
            match View::of(after, color) == before[color.index()] {
                true => change.views[color.index()].apply(network, sums),
                // The king has crossed the middle: all files are exchanged.
                false => sum(network, after, color, sums),
            }
        }
    }

    /// Adds the same position again: a null move changes no feature.
    pub fn pass(&mut self) {
        self.sums.extend_from_within(self.sums.len() - self.width..);
    }

    /// Takes the last position back.
    #[inline]
    pub fn unmake(&mut self) {
        self.sums.truncate(self.sums.len() - self.width);
    }

    /// The score of the last position from the table's score, both in centipawns for its mover.
    #[inline]
    pub fn corrected(&self, network: &Network, table_score: i32, mover: Color) -> i32 {
        (table_score + self.correction(network, mover)).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }

    /// The correction of the last position for its mover, in centipawns.
    #[inline]
    fn correction(&self, network: &Network, mover: Color) -> i32 {
        let at = self.sums.len() - self.width;
        network.correction_of(
            [mover, mover.opponent()]
                .map(|color| &self.sums[at + color.index() * network.units()..][..network.units()]),
        )
    }
}

/// The sums of a view from scratch.
fn sum(network: &Network, pos: &Position, color: Color, sums: &mut [i16]) {
    sums.copy_from_slice(network.bias());
    View::of(pos, color).features(pos, |feature| add(sums, network.first(feature)));
}

impl Change {
    #[inline(always)]
    fn takes(&mut self, feature: usize) {
        self.out.0[self.out.1] = feature as u16;
        self.out.1 += 1;
    }

    #[inline(always)]
    fn brings(&mut self, feature: usize) {
        self.brought.0[self.brought.1] = feature as u16;
        self.brought.1 += 1;
    }

    #[inline(always)]
    fn apply(&self, network: &Network, sums: &mut [i16]) {
        for &feature in &self.out.0[..self.out.1] {
            remove(sums, network.first(feature as usize));
        }
        for &feature in &self.brought.0[..self.brought.1] {
            add(sums, network.first(feature as usize));
        }
    }
}

/// What a move changes in both views, found before it is made.
pub struct MoveChange {
    views: [Change; 2],
}

impl MoveChange {
    /// The changes of a legal move in `before`, in these views of it.
    #[inline]
    pub fn of(before: &Position, views: [View; 2], mv: Move) -> MoveChange {
        let us = before.side_to_move();
        let owner = (us as u8) << 4;
        let (to, kind, captured) = (mv.to().index(), before.moved_kind(mv), before.captured_kind(mv));
        let placed = kind | if mv.is_promotion() { PROMOTED } else { 0 };
        debug_assert!(captured != KING);
        let change = |view: View| {
            let mut change = Change::default();
            change.brings(view.piece(to, placed | owner));
            if captured != 0 {
                change.takes(view.piece(to, captured | (owner ^ THEIRS)));
            }
            if let Some(from) = mv.from() {
                change.takes(view.piece(from.index(), kind | owner));
            }
            let (in_hand, more) = match (mv.from(), captured) {
                (None, _) => (kind, -1),
                (Some(_), 0) => return change,
                (Some(_), captured) => (captured & 7, 1),
            };
            if view.color == us {
                let count = before.hand(us).count(PieceKind::HAND[(in_hand as usize).wrapping_sub(1) % HAND_KINDS]);
                hand(in_hand, count, &mut |feature| change.takes(feature));
                hand(in_hand, count.wrapping_add_signed(more), &mut |feature| change.brings(feature));
            }
            change
        };
        MoveChange { views: views.map(change) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_accel::view::image;
    use hayasashi_model::{
        evaluate::{first_table, network::NetworkWeights},
        position::Position as ModelPosition,
    };
    use hayasashi_shogi::{random::Random, rules::MoveList};
    use hayasashi_spec::network::*;
    use hayasashi_spec::{
        piece::{mirror, turn, CODES, SQUARES},
        table::SLOTS,
    };
    use std::sync::Arc;

    /// A network of random weights, so that no mistake cancels out.
    fn random_network(units: usize, seed: u64) -> Network {
        let mut random = Random::new(seed, 0);
        let mut list = |count: usize, limit: i16| -> Vec<i16> {
            (0..count).map(|_| random.below(2 * limit as usize + 1) as i16 - limit).collect()
        };
        let weights = NetworkWeights {
            first: list(FEATURES * units, FIRST_LIMIT),
            bias: list(units, 200),
            last: [list(units, LAST_LIMIT), list(units, LAST_LIMIT)],
            constant: -37,
        };
        Network::new(Arc::new(first_table()), 1, weights).unwrap()
    }

    /// The correction as the definition has it, with a board of its own read from the SFEN.
    fn by_definition(network: &Network, pos: &Position) -> i64 {
        let sfen = pos.to_sfen();
        let fields: Vec<&str> = sfen.split(' ').collect();
        // By square from 1a down the files, as piece code of Black.
        let mut codes = [0u8; SQUARES];
        for (rank, text) in fields[0].split('/').enumerate() {
            let (mut file, mut promoted) = (8, 0);
            for c in text.chars() {
                match c {
                    '1'..='9' => file -= c as i32 - '0' as i32,
                    '+' => promoted = PROMOTED,
                    _ => {
                        let kind = " PLNSGBRK".find(c.to_ascii_uppercase()).unwrap() as u8;
                        let kind = [0, 1, 2, 3, 4, 5, 6, 7, KING][kind as usize];
                        let theirs = if c.is_ascii_lowercase() { THEIRS } else { 0 };
                        codes[file as usize * 9 + rank] = kind | promoted | theirs;
                        (file, promoted) = (file - 1, 0);
                    }
                }
            }
        }
        let mut hands = [[0usize; HAND_KINDS]; 2];
        let mut count = 0;
        for c in fields[2].chars().filter(|&c| c != '-') {
            match c.to_digit(10) {
                Some(digit) => count = 10 * count + digit as usize,
                None => {
                    let kind = "PLNSGBR".find(c.to_ascii_uppercase()).unwrap();
                    hands[c.is_ascii_lowercase() as usize][kind] = count.max(1);
                    count = 0;
                }
            }
        }
        let units = network.units();
        let mut total = ((network.constant() as i64) << SHIFT) + (1 << (SHIFT - 1));
        let mover = (fields[1] == "w") as usize;
        for (number, side) in [mover, 1 - mover].into_iter().enumerate() {
            let seen = |square: usize| if side == 0 { square } else { turn(square) };
            let own = |code: u8| code ^ if side == 0 { 0 } else { THEIRS };
            let king = (0..SQUARES).find(|&s| own(codes[s]) == KING);
            let mirrored = king.is_some_and(|king| seen(king) / 9 >= 5);
            let place = |square: usize| if mirrored { mirror(seen(square)) } else { seen(square) };
            for unit in 0..units {
                let mut sum = network.bias()[unit] as i64;
                for square in (0..SQUARES).filter(|&s| codes[s] != 0) {
                    let feature = place(square) * CODES + own(codes[square]) as usize;
                    sum += network.first(feature)[unit] as i64;
                }
                for (kind, &count) in hands[side].iter().enumerate().filter(|(_, &count)| count > 0) {
                    sum += network.first((SLOTS - HAND_KINDS + kind) * CODES + count)[unit] as i64;
                }
                total += sum.clamp(0, 127).pow(2) * network.last()[number][unit] as i64;
            }
        }
        total >> SHIFT
    }

    #[test]
    fn walks_keep_the_correction_of_the_definition() {
        let starts = [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/9/4P4/9/9/9/9/9/9 b RB2G2S 1",
            "7k1/6P2/7G1/8L/9/9/9/9/K8 b 2r2b3g4s4n3l17p 1",
        ];
        let (mut compared, mut crossed) = (0, 0);
        for (number, units) in [8, 32, 64].into_iter().enumerate() {
            let network = random_network(units, number as u64);
            let mut random = Random::new(5, number as u64);
            for sfen in starts {
                let mut pos = Position::from_sfen(sfen).unwrap();
                let mut sums = UnitSums::new(&network, &pos);
                let mut undone = Vec::new();
                for _ in 0..150 {
                    let correction = sums.correction(&network, pos.side_to_move());
                    assert_eq!(correction as i64, by_definition(&network, &pos), "{}", pos.to_sfen());
                    assert_eq!(correction, UnitSums::new(&network, &pos).correction(&network, pos.side_to_move()));
                    let model = network.corrected(100, &ModelPosition::from(&image(&pos)));
                    assert_eq!(model, sums.corrected(&network, 100, pos.side_to_move()), "{}", pos.to_sfen());
                    compared += 1;
                    let mut moves = MoveList::new();
                    pos.legal_moves(&mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    let mv = moves[random.below(moves.len())];
                    let views = Color::ALL.map(|color| View::of(&pos, color));
                    let change = MoveChange::of(&pos, views, mv);
                    undone.push((mv, correction, pos.do_move(mv)));
                    crossed += Color::ALL.into_iter().any(|c| View::of(&pos, c) != views[c.index()]) as u32;
                    sums.make(&network, views, &change, &pos);
                }
                // And back again.
                while let Some((mv, correction, undo)) = undone.pop() {
                    sums.unmake();
                    pos.undo_move(mv, undo);
                    assert_eq!(sums.correction(&network, pos.side_to_move()), correction);
                }
            }
        }
        assert!(compared > 1000 && crossed > 10, "{compared} {crossed}");
    }

    #[test]
    fn the_largest_sums_fit() {
        let list = |count: usize, weight: i16| vec![weight; count];
        for sign in [1, -1] {
            let weights = NetworkWeights {
                first: list(FEATURES * 64, FIRST_LIMIT),
                bias: list(64, BIAS_LIMIT),
                last: [list(64, sign * LAST_LIMIT), list(64, sign * LAST_LIMIT)],
                constant: sign * CONSTANT_LIMIT,
            };
            let network = Network::new(Arc::new(first_table()), 1, weights).unwrap();
            let pos = Position::startpos();
            let correction = UnitSums::new(&network, &pos).correction(&network, pos.side_to_move());
            assert_eq!(correction as i64, by_definition(&network, &pos));
        }
    }
}
