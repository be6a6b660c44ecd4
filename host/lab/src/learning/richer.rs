//! An experiment: what the static evaluation does not see, counted. Attacks about the kings, mobility and threats.
//!
//! The table knows where pieces stand beside each king, not what stands between. Here the attacks of both sides are
//! counted, as a chip would count its planes of attacks; `benches/richer.rs` measures what knowing them is worth.
//!
//! ```text
//!   ring: the squares around a king on the board, eight at most
//!   attacks of a side: with the other side's king taken away, since a ray goes on to where it would flee
//! ```

use hayasashi_shogi::rules::{attacks::piece_attacks, Bitboard, Color, MoveList, PieceKind, Position, Square, SQUARES};
use std::ops::Range;

/// Numbers of a position.
pub const TERMS: usize = 40;
/// The numbers in groups that would be built together, with their names.
pub const GROUPS: [(&str, Range<usize>); 8] = [
    ("attacks on the ring", 0..1),
    ("ring squares by attackers", 1..4),
    ("attacks by number of pieces", 4..9),
    ("defenders of the ring", 9..12),
    ("escape squares", 12..16),
    ("mobility by kind", 16..24),
    ("legal moves", 24..26),
    ("threats", 26..TERMS),
];
/// Threats are counted for each side by itself: who is to move may answer them.
const THREATS: usize = 26;
/// Numbers that are a difference of the two sides.
const BOTH: usize = THREATS;
/// Classes of like value: pawns; lances and knights; silvers, golds and what moves as they do; bishops and rooks; horses
/// and dragons.
const CLASSES: usize = 5;
/// No piece attacks a square.
const NONE: u8 = u8::MAX;

/// What the attacks of one side are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attacks {
    /// By square: pieces that attack it, the king included.
    pub count: [u8; SQUARES],
    /// By square: the least class of a piece that attacks it.
    least: [u8; SQUARES],
    /// Pieces that attack a square around the other side's king.
    pub pieces_at_ring: u8,
    /// By kind (lance, knight, silver, golds, bishop, rook, horse, dragon): squares attacked without an own piece.
    pub mobility: [i16; 8],
}

/// The squares around a side's king.
pub fn ring(pos: &Position, color: Color) -> Bitboard {
    let around = |king| piece_attacks(color, PieceKind::King, king, Bitboard::EMPTY);
    pos.king_square(color).map_or(Bitboard::EMPTY, around)
}

/// The class of a kind's value.
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

/// Where a kind's mobility is counted.
fn mobile(kind: PieceKind) -> Option<usize> {
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

impl Attacks {
    /// Counts those of a side.
    pub fn of(pos: &Position, color: Color) -> Attacks {
        let mut told = Attacks { count: [0; SQUARES], least: [NONE; SQUARES], pieces_at_ring: 0, mobility: [0; 8] };
        let (own, around) = (pos.pieces_of(color), ring(pos, color.opponent()));
        let king = pos.king_square(color.opponent()).map_or(Bitboard::EMPTY, Bitboard::single);
        let occupied = pos.occupied().without(king);
        own.for_each(|square| {
            let Some(piece) = pos.piece_on(square) else { return };
            let attacked = piece_attacks(color, piece.kind(), square, occupied);
            attacked.for_each(|to| {
                told.count[to.index()] += 1;
                told.least[to.index()] = told.least[to.index()].min(class(piece.kind()));
            });
            told.pieces_at_ring += (attacked & around).any() as u8;
            if let Some(kind) = mobile(piece.kind()) {
                told.mobility[kind] += attacked.without(own).count() as i16;
            }
        });
        told
    }

    fn on(&self, square: Square) -> i16 {
        self.count[square.index()] as i16
    }
}

/// The numbers of a position, for its mover: those of its side less those of the other, then what hangs of either, then
/// what lesser pieces attack.
pub fn terms(pos: &Position) -> [i16; TERMS] {
    let mover = pos.side_to_move();
    let attacks = Color::ALL.map(|color| Attacks::of(pos, color));
    let mut terms = [0; TERMS];
    for (color, sign) in [(mover, 1), (mover.opponent(), -1)] {
        let (own, their) = (&attacks[color.index()], &attacks[color.opponent().index()]);
        for (term, number) in terms.iter_mut().zip(of_side(pos, color, own, their)) {
            *term += sign * number;
        }
    }
    // What hangs is told for each side by itself.
    let of = |color: Color| threats(pos, color, &attacks[color.index()], &attacks[color.opponent().index()]);
    let (ours, theirs) = (of(mover), of(mover.opponent()));
    let lesser = (1..CLASSES).map(|class| ours.by_lesser[class] - theirs.by_lesser[class]);
    let numbers = ours.hanging.into_iter().chain(theirs.hanging).chain(lesser);
    terms[THREATS..].iter_mut().zip(numbers).for_each(|(term, number)| *term = number);
    terms
}

/// Sum of the numbers times weights in centipawns.
pub fn score(terms: &[i16; TERMS], weights: &[f32; TERMS]) -> i32 {
    terms.iter().zip(weights).map(|(&n, w)| n as f32 * w).sum::<f32>().round() as i32
}

/// The numbers of one side, whose king is attacked.
fn of_side(pos: &Position, color: Color, own: &Attacks, their: &Attacks) -> [i16; BOTH] {
    let mut of = [0; BOTH];
    let around = ring(pos, color);
    let mut escapes = 0;
    around.for_each(|square| {
        // The king's own attack on each square around it is no defence.
        let (attackers, defenders) = (their.on(square), own.on(square) - 1);
        of[0] += attackers;
        if attackers > 0 {
            of[attackers.min(3) as usize] += 1;
            of[10] += (defenders == 0) as i16;
        }
        of[9] += defenders;
        of[11] += (attackers > defenders) as i16;
        escapes += (attackers == 0 && !pos.pieces_of(color).contains(square)) as usize;
    });
    if their.pieces_at_ring > 0 {
        of[4 + their.pieces_at_ring.min(4) as usize - 1] = of[0];
    }
    let hand = pos.hand(color.opponent());
    let in_hand = PieceKind::HAND[1..].iter().map(|&kind| hand.count(kind) as i16).sum::<i16>();
    of[8] = of[0] * in_hand;
    if escapes < 4 {
        of[12 + escapes] = 1;
    }
    of[16..24].copy_from_slice(&own.mobility);
    [of[24], of[25]] = legal_moves(pos, color);
    of
}

/// How many legal moves a side would have, of pieces and drops; none where the other side is in check.
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

/// Pieces of a side in danger, by class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Threats {
    /// Attacked and not defended.
    hanging: [i16; CLASSES],
    /// Attacked by a piece of a lesser class.
    by_lesser: [i16; CLASSES],
}

fn threats(pos: &Position, color: Color, own: &Attacks, their: &Attacks) -> Threats {
    let mut told = Threats::default();
    pos.pieces_of(color).for_each(|square| {
        let Some(piece) = pos.piece_on(square) else { return };
        let class = class(piece.kind());
        if piece.kind() != PieceKind::King && their.on(square) > 0 {
            told.hanging[class as usize] += (own.on(square) == 0) as i16;
            told.by_lesser[class as usize] += (their.least[square.index()] < class) as i16;
        }
    });
    told
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
    fn walked(pos: &Position, color: Color) -> Attacks {
        let mut told = Attacks { count: [0; SQUARES], least: [NONE; SQUARES], pieces_at_ring: 0, mobility: [0; 8] };
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
                    told.count[to.index()] += 1;
                    told.least[to.index()] = told.least[to.index()].min(class(piece.kind()));
                    at_ring |= near(to);
                    if let (Some(kind), false) = (mobile(piece.kind()), pos.pieces_of(color).contains(to)) {
                        told.mobility[kind] += 1;
                    }
                    if !slides || pos.piece_on(to).is_some() && Some(to) != king {
                        break;
                    }
                }
            }
            told.pieces_at_ring += at_ring as u8;
        }
        told
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
                let told = Attacks::of(pos, color);
                assert_eq!(told, walked(pos, color), "{} {color:?}", pos.to_sfen());
                at_rings += told.pieces_at_ring as usize;
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
            let told = Attacks::of(&pos, pos.side_to_move());
            for to in Square::all().filter(|&to| !pos.pieces_of(pos.side_to_move()).contains(to)) {
                let by_moves = pairs.iter().filter(|pair| pair.0 == to).count();
                assert_eq!(told.count[to.index()] as usize, by_moves, "{sfen} {to}");
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
            let (told, turned) = (terms(pos), terms(&passed));
            for i in 0..TERMS {
                let expected = match i {
                    THREATS.. if i < THREATS + CLASSES => turned[i + CLASSES],
                    THREATS.. if i < THREATS + 2 * CLASSES => turned[i - CLASSES],
                    _ => -turned[i],
                };
                assert_eq!(told[i], expected, "{} {i}", pos.to_sfen());
            }
            compared += 1;
        });
        assert!(compared > 1000, "{compared}");
    }

    /// Black: king 9i, gold 8h, pawn 9g. White: dragon 5i, gold 8g, king 1a. Black has a rook in hand.
    #[test]
    fn a_position_is_counted_by_hand() {
        let pos = Position::from_sfen("8k/9/9/9/9/9/Pg7/1G7/K3+r4 b R 1").unwrap();
        let told = terms(&pos);
        // Around 9i: 8i by the dragon; 9h and 8h by the gold. One piece for each.
        assert_eq!(told[0], 3);
        assert_eq!(told[1..4], [3, 0, 0]);
        // By two pieces; nothing in White's hand.
        assert_eq!(told[4..9], [0, 3, 0, 0, 0]);
        // Black's gold defends 9h and 8i, nothing but the king 8h. Nobody is near White's king.
        assert_eq!(told[9..12], [2, 1, 1]);
        // No square for Black's king, three for White's.
        assert_eq!(told[12..16], [1, 0, 0, -1]);
        // Hanging: nothing of Black's, since its king defends 8h and its gold 9g; White's gold.
        assert_eq!(told[THREATS..THREATS + 10], [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    }
}
