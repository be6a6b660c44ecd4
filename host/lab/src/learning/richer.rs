//! An experiment: features that the table of the static evaluation lacks. Attacks near the kings, mobility and threats.
//!
//! The table knows the pieces' squares relative to each king, but not the pieces in between. These features count attacks, as a
//! chip could count bits of its attack planes; `benches/richer.rs` measures their value.
//!
//! ```text
//!   ring: the squares next to a king, at most eight
//!   attacks of a side: computed without the opponent's king, so that a ray also covers the squares behind it
//! ```

use hayasashi_shogi::rules::{attacks::piece_attacks, Bitboard, Color, MoveList, PieceKind, Position, Square, SQUARES};
use std::ops::Range;

/// Number of features.
pub const FEATURES: usize = 40;
/// The features by groups that would be implemented together, with their names.
pub const GROUPS: [(&str, Range<usize>); 8] = [
    ("attacks on the ring", 0..1),
    ("ring squares by attackers", 1..4),
    ("attacks by number of pieces", 4..9),
    ("defenders of the ring", 9..12),
    ("escape squares", 12..16),
    ("mobility by kind", 16..24),
    ("legal moves", 24..26),
    ("threats", 26..FEATURES),
];
/// Index of the first threat. Threats are separate for both sides, because the side to move can answer them.
const FIRST_THREAT: usize = 26;
/// Number of features that are differences between the sides.
const DIFFERENCES: usize = FIRST_THREAT;
/// Classes of similar value: pawns; lances and knights; silvers, golds and pieces that move like golds; bishops and rooks; horses
/// and dragons.
const CLASSES: usize = 5;
/// Class of an unattacked square.
const NO_ATTACKER: u8 = u8::MAX;

/// The attacks of one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AttackCounts {
    /// By square: number of attackers, the king included.
    pub count: [u8; SQUARES],
    /// By square: the lowest class of its attackers.
    lowest_class: [u8; SQUARES],
    /// Number of pieces that attack the ring of the opponent's king.
    pub pieces_at_ring: u8,
    /// By kind (lance, knight, silver, golds, bishop, rook, horse, dragon): attacked squares without an own piece.
    pub mobility: [i16; 8],
}

/// The ring of a side's king.
pub fn ring(pos: &Position, color: Color) -> Bitboard {
    let around = |king| piece_attacks(color, PieceKind::King, king, Bitboard::EMPTY);
    pos.king_square(color).map_or(Bitboard::EMPTY, around)
}

/// The value class of a kind.
fn class(kind: PieceKind) -> u8 {
    use PieceKind::*;
    match kind {
        Pawn => 0,
        Lance | Knight => 1,
        Silver | Gold | ProPawn | ProLance | ProKnight | ProSilver => 2,
        Bishop | Rook => 3,
        Horse | Dragon => 4,
        King => 5,
    }
}

/// Index of a kind in [`AttackCounts::mobility`].
fn mobility_index(kind: PieceKind) -> Option<usize> {
    use PieceKind::*;
    Some(match kind {
        Pawn | King => return None,
        Lance => 0,
        Knight => 1,
        Silver => 2,
        Gold | ProPawn | ProLance | ProKnight | ProSilver => 3,
        Bishop => 4,
        Rook => 5,
        Horse => 6,
        Dragon => 7,
    })
}

impl AttackCounts {
    /// Counts the attacks of a side.
    pub fn of(pos: &Position, color: Color) -> AttackCounts {
        let mut counted = AttackCounts {
            count: [0; SQUARES],
            lowest_class: [NO_ATTACKER; SQUARES],
            pieces_at_ring: 0,
            mobility: [0; 8],
        };
        let (own, around) = (pos.pieces_of(color), ring(pos, color.opponent()));
        let king = pos.king_square(color.opponent()).map_or(Bitboard::EMPTY, Bitboard::single);
        let occupied = pos.occupied().without(king);
        own.for_each(|square| {
            let Some(piece) = pos.piece_on(square) else { return };
            let attacked = piece_attacks(color, piece.kind(), square, occupied);
            attacked.for_each(|to| {
                counted.count[to.index()] += 1;
                counted.lowest_class[to.index()] = counted.lowest_class[to.index()].min(class(piece.kind()));
            });
            counted.pieces_at_ring += (attacked & around).any() as u8;
            if let Some(kind) = mobility_index(piece.kind()) {
                counted.mobility[kind] += attacked.without(own).count() as i16;
            }
        });
        counted
    }

    fn on(&self, square: Square) -> i16 {
        self.count[square.index()] as i16
    }
}

/// The features of a position, for its side to move: differences between the sides, then hanging pieces of both sides, then the
/// difference of pieces attacked by a lower class.
pub fn features(pos: &Position) -> [i16; FEATURES] {
    let mover = pos.side_to_move();
    let attacks = Color::ALL.map(|color| AttackCounts::of(pos, color));
    let mut features = [0; FEATURES];
    for (color, sign) in [(mover, 1), (mover.opponent(), -1)] {
        let (own, their) = (&attacks[color.index()], &attacks[color.opponent().index()]);
        for (feature, number) in features.iter_mut().zip(of_side(pos, color, own, their)) {
            *feature += sign * number;
        }
    }
    let of = |color: Color| threats(pos, color, &attacks[color.index()], &attacks[color.opponent().index()]);
    let (ours, theirs) = (of(mover), of(mover.opponent()));
    let lower = (1..CLASSES).map(|class| ours.by_lower_class[class] - theirs.by_lower_class[class]);
    let numbers = ours.hanging.into_iter().chain(theirs.hanging).chain(lower);
    features[FIRST_THREAT..].iter_mut().zip(numbers).for_each(|(feature, number)| *feature = number);
    features
}

/// The weighted sum of the features in centipawns.
pub fn score(features: &[i16; FEATURES], weights: &[f32; FEATURES]) -> i32 {
    features.iter().zip(weights).map(|(&n, w)| n as f32 * w).sum::<f32>().round() as i32
}

/// The features of one side, whose king is attacked.
fn of_side(pos: &Position, color: Color, own: &AttackCounts, their: &AttackCounts) -> [i16; DIFFERENCES] {
    let mut features = [0; DIFFERENCES];
    let around = ring(pos, color);
    let mut escapes = 0;
    around.for_each(|square| {
        // The king attacks every square of the ring; this does not count as defence.
        let (attackers, defenders) = (their.on(square), own.on(square) - 1);
        features[0] += attackers;
        if attackers > 0 {
            features[attackers.min(3) as usize] += 1;
            features[10] += (defenders == 0) as i16;
        }
        features[9] += defenders;
        features[11] += (attackers > defenders) as i16;
        escapes += (attackers == 0 && !pos.pieces_of(color).contains(square)) as usize;
    });
    if their.pieces_at_ring > 0 {
        features[4 + their.pieces_at_ring.min(4) as usize - 1] = features[0];
    }
    let hand = pos.hand(color.opponent());
    let in_hand = PieceKind::HAND[1..].iter().map(|&kind| hand.count(kind) as i16).sum::<i16>();
    features[8] = features[0] * in_hand;
    if escapes < 4 {
        features[12 + escapes] = 1;
    }
    features[16..24].copy_from_slice(&own.mobility);
    [features[24], features[25]] = legal_moves(pos, color);
    features
}

/// Number of legal moves and of legal drops of a side; 0 if it is not to move and the opponent is in check.
fn legal_moves(pos: &Position, color: Color) -> [i16; 2] {
    let (mut pos, mut moves) = (pos.clone(), MoveList::new());
    if pos.side_to_move() != color {
        if pos.in_check() {
            return [0; 2];
        }
        pos.do_null_move();
    }
    pos.legal_moves(&mut moves);
    let drops = moves.iter().filter(|mv| mv.from().is_none()).count();
    [(moves.len() - drops) as i16, drops as i16]
}

/// The threatened pieces of a side, by class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Threats {
    /// Attacked and undefended.
    hanging: [i16; CLASSES],
    /// Attacked by a piece of a lower class.
    by_lower_class: [i16; CLASSES],
}

fn threats(pos: &Position, color: Color, own: &AttackCounts, their: &AttackCounts) -> Threats {
    let mut counted = Threats::default();
    pos.pieces_of(color).for_each(|square| {
        let Some(piece) = pos.piece_on(square) else { return };
        let class = class(piece.kind());
        if piece.kind() != PieceKind::King && their.on(square) > 0 {
            counted.hanging[class as usize] += (own.on(square) == 0) as i16;
            counted.by_lower_class[class as usize] += (their.lowest_class[square.index()] < class) as i16;
        }
    });
    counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayasashi_shogi::random::Random;

    /// Steps of a kind as Black sees them (file, rank), and whether it slides by them.
    fn ways(kind: PieceKind) -> Vec<(i8, i8, bool)> {
        let (straight, slant) = ([(0, -1), (0, 1), (1, 0), (-1, 0)], [(1, -1), (-1, -1), (1, 1), (-1, 1)]);
        let all = |ways: &[(i8, i8)], slides| ways.iter().map(|&(f, r)| (f, r, slides)).collect::<Vec<_>>();
        match kind {
            PieceKind::Pawn => all(&straight[..1], false),
            PieceKind::Lance => all(&straight[..1], true),
            PieceKind::Knight => all(&[(1, -2), (-1, -2)], false),
            PieceKind::Silver => [all(&straight[..1], false), all(&slant, false)].concat(),
            PieceKind::Bishop => all(&slant, true),
            PieceKind::Rook => all(&straight, true),
            PieceKind::Horse => [all(&slant, true), all(&straight, false)].concat(),
            PieceKind::Dragon => [all(&straight, true), all(&slant, false)].concat(),
            PieceKind::King => [all(&straight, false), all(&slant, false)].concat(),
            _ => [all(&straight, false), all(&slant[..2], false)].concat(),
        }
    }

    /// The attacks of a side, walked square by square.
    fn walked(pos: &Position, color: Color) -> AttackCounts {
        let mut counted = AttackCounts {
            count: [0; SQUARES],
            lowest_class: [NO_ATTACKER; SQUARES],
            pieces_at_ring: 0,
            mobility: [0; 8],
        };
        let king = pos.king_square(color.opponent());
        let near = |to: Square| {
            king.is_some_and(|k| k != to && k.file().abs_diff(to.file()) < 2 && k.rank().abs_diff(to.rank()) < 2)
        };
        for from in Square::all() {
            let Some(piece) = pos.piece_on(from).filter(|p| p.color() == color) else { continue };
            let mut at_ring = false;
            for (df, dr, slides) in ways(piece.kind()) {
                let sign = if color == Color::Black { 1 } else { -1 };
                let (mut file, mut rank) = (from.file() as i8, from.rank() as i8);
                loop {
                    (file, rank) = (file + sign * df, rank + sign * dr);
                    let on_board = (0..9).contains(&file) && (0..9).contains(&rank);
                    let Some(to) = on_board.then(|| Square::from_file_rank(file as u8, rank as u8).unwrap()) else {
                        break;
                    };
                    counted.count[to.index()] += 1;
                    counted.lowest_class[to.index()] = counted.lowest_class[to.index()].min(class(piece.kind()));
                    at_ring |= near(to);
                    if let (Some(kind), false) = (mobility_index(piece.kind()), pos.pieces_of(color).contains(to)) {
                        counted.mobility[kind] += 1;
                    }
                    if !slides || pos.piece_on(to).is_some() && Some(to) != king {
                        break;
                    }
                }
            }
            counted.pieces_at_ring += at_ring as u8;
        }
        counted
    }

    fn each_of_random_games(mut each: impl FnMut(&Position)) {
        let mut random = Random::new(5, 0);
        for _ in 0..20 {
            let mut pos = Position::startpos();
            for _ in 0..150 {
                each(&pos);
                let mut moves = MoveList::new();
                pos.legal_moves(&mut moves);
                if moves.is_empty() {
                    break;
                }
                pos.do_move(moves[random.below(moves.len())]);
            }
        }
    }

    #[test]
    fn attacks_are_those_walked_square_by_square() {
        let mut at_rings = 0;
        each_of_random_games(|pos| {
            for color in Color::ALL {
                let counted = AttackCounts::of(pos, color);
                assert_eq!(counted, walked(pos, color), "{} {color:?}", pos.to_sfen());
                at_rings += counted.pieces_at_ring as usize;
            }
        });
        assert!(at_rings > 500, "{at_rings}");
    }

    /// Without kings every move of a piece is legal, and there is one for each attack upon a square without own piece.
    #[test]
    fn attacks_are_legal_moves_where_there_is_no_king() {
        let mut compared = 0;
        each_of_random_games(|pos| {
            let sfen = pos.to_sfen();
            let (board, rest) = sfen.split_once(' ').unwrap();
            let pos = Position::from_sfen(&format!("{} {rest}", board.replace(['K', 'k'], "1"))).unwrap();
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            let mut pairs: Vec<_> = moves.iter().filter_map(|mv| Some((mv.to(), mv.from()?))).collect();
            pairs.sort();
            pairs.dedup();
            let counted = AttackCounts::of(&pos, pos.side_to_move());
            for to in Square::all().filter(|&to| !pos.pieces_of(pos.side_to_move()).contains(to)) {
                let by_moves = pairs.iter().filter(|pair| pair.0 == to).count();
                assert_eq!(counted.count[to.index()] as usize, by_moves, "{sfen} {to}");
            }
            compared += pairs.len();
        });
        assert!(compared > 20_000, "{compared}");
    }

    #[test]
    fn passing_exchanges_the_sides() {
        let mut compared = 0;
        each_of_random_games(|pos| {
            if pos.in_check() {
                return;
            }
            let mut passed = pos.clone();
            passed.do_null_move();
            let (counted, turned) = (features(pos), features(&passed));
            for i in 0..FEATURES {
                let expected = match i {
                    FIRST_THREAT.. if i < FIRST_THREAT + CLASSES => turned[i + CLASSES],
                    FIRST_THREAT.. if i < FIRST_THREAT + 2 * CLASSES => turned[i - CLASSES],
                    _ => -turned[i],
                };
                assert_eq!(counted[i], expected, "{} {i}", pos.to_sfen());
            }
            compared += 1;
        });
        assert!(compared > 1000, "{compared}");
    }

    /// Black: king 9i, gold 8h, pawn 9g. White: dragon 5i, gold 8g, king 1a. Black has a rook in hand.
    #[test]
    fn a_position_is_counted_by_hand() {
        let pos = Position::from_sfen("8k/9/9/9/9/9/Pg7/1G7/K3+r4 b R 1").unwrap();
        let counted = features(&pos);
        // Around 9i: 8i by the dragon; 9h and 8h by the gold. One piece for each.
        assert_eq!(counted[0], 3);
        assert_eq!(counted[1..4], [3, 0, 0]);
        // By two pieces; nothing in White's hand.
        assert_eq!(counted[4..9], [0, 3, 0, 0, 0]);
        // Black's gold defends 9h and 8i, nothing but the king 8h. Nobody is near White's king.
        assert_eq!(counted[9..12], [2, 1, 1]);
        // No square for Black's king, three for White's.
        assert_eq!(counted[12..16], [1, 0, 0, -1]);
        // Hanging: nothing of Black's, since its king defends 8h and its gold 9g; White's gold.
        assert_eq!(counted[FIRST_THREAT..FIRST_THREAT + 10], [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    }
}
