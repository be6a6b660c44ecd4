//! Where a level's moves are looked for: squares, and groups of moves; and what a move that is found is for.
//!
//! Functions for [`super::scan`], no block.
//! Model: `host/model/src/search/order.rs`.

use super::levels::{Level, Order};
use super::look::CheckLines;
use super::node::Class;
use super::order::*;
use crate::bundle;
use crate::movegen::arrivals::Squares;
use crate::network::word::or_all;
use crate::network::{Wire, Wires, Word};
use crate::position::board::ALL_SQUARES;
use crate::position::Plane;
use hayasashi_spec::moves::{DIRECTIONS, DROP_FROM};
use hayasashi_spec::piece::*;

/// Groups of moves without promotion, and drops.
pub const QUIET_GROUPS: usize = DIRECTIONS + HAND_KINDS;

bundle! {
    /// Where moves are looked for.
    pub struct Aim {
        /// The class.
        class: Class,
        /// The moves come in the order of their keys: the first one is picked.
        sorted: Wire,
        /// Squares to which pieces other than the king may go, or be dropped.
        others: Plane,
        /// Squares to which the king may go.
        king: Plane,
        /// Promotions count.
        promoting: Wire,
        /// Groups that count: by direction without promotion, drops by kind.
        groups: Wires<QUIET_GROUPS>,
        /// Drops must check.
        checks: Wire,
        /// The group where the scan begins behind the move picked last.
        begins_with: Wires<QUIET_GROUPS>,
        /// The squares behind that move's.
        behind: Plane,
    }
}

bundle! {
    /// What a move is for.
    pub struct ScanTag {
        /// There is a move.
        valid: Wire,
        /// No move is left.
        end: Wire,
        /// It is the last one of its level.
        last: Wire,
        /// The level's moves come in the order of their keys.
        sorted: Wire,
        /// The class of the level.
        class: Class,
        /// The direction, or the kind dropped less one.
        index: Wires<4>,
    }
}

/// A plane of the square of this number; none for a number beyond the board.
fn square_of<W: Word>(number: W) -> W {
    let (low, high) = (number.slice(0, 3), number.slice(3, 4));
    let lows: Vec<W> = (0..8).map(|i| low.is(i)).collect();
    let highs: Vec<W> = (0..=SQUARES as u128 / 8).map(|i| high.is(i)).collect();
    W::join(&(0..SQUARES).map(|s| lows[s % 8] & highs[s / 8]).collect::<Vec<W>>())
}

/// The squares of this number and of greater ones.
fn squares_from<W: Word>(number: W) -> W {
    let (low, high) = (number.slice(0, 3), number.slice(3, 4));
    let lows: Vec<W> = (0..8).map(|i| !W::constant(i, 3).below(low)).collect();
    let number = |i: usize| W::constant(i as u128, 4);
    let highs: Vec<(W, W)> = (0..=SQUARES / 8).map(|i| (high.below(number(i)), high.equals(number(i)))).collect();
    W::join(&(0..SQUARES).map(|s| highs[s / 8].0 | (highs[s / 8].1 & lows[s % 8])).collect::<Vec<W>>())
}

/// The groups from that of a key on, and that one alone.
fn groups_from<W: Word>(key: W) -> [W; 2] {
    let (drops, index) = (key.bit(KEY_GROUP), key.slice(KEY_DIRECTION, 4));
    let number = |i: usize| W::constant(i as u128, 4);
    let from = |i: usize| match i.checked_sub(DIRECTIONS) {
        None => !drops & !number(i).below(index),
        Some(kind) => !(drops & number(kind).below(index)),
    };
    let at = |i: usize| match i.checked_sub(DIRECTIONS) {
        None => !drops & index.equals(number(i)),
        Some(kind) => drops & index.equals(number(kind)),
    };
    [W::join(&(0..QUIET_GROUPS).map(from).collect::<Vec<W>>()), W::join(&(0..QUIET_GROUPS).map(at).collect::<Vec<W>>())]
}

impl<W: Word> Aim<W> {
    /// Where the moves of a level are looked for.
    pub fn at(level: &Level<W>, order: &Order<W>, squares: &Squares<W>, lines: &CheckLines<W>, pawns: W) -> Aim<W> {
        let Order { selection: s, special, after, .. } = order;
        let class = |c: usize| level.class.bit(c);
        let [pieces, promotions, pawns_only] = [0, 1, 2].map(|part| level.part.bit(part));
        let captures = (class(CAPTURES) | class(LOSING)).named("captures");
        let at_special = [TABLE, KILLER, KILLER + 1, COUNTER].map(class);
        let is_special = or_all(at_special).named("is_special");
        let in_order = class(QUIET) & !s.by_history;
        let sorted_quiets = (class(CHECKS) | class(KING_MOVES) | in_order).named("sorted_quiets");
        let quiets = (class(CHECKS) | class(KING_MOVES) | class(QUIET) | class(ATTACKED)).named("quiet_classes");

        let mv = or_all((0..SPECIAL).map(|i| special[i].when(at_special[i]))).named("special_move");
        let [promotes, from] = [mv.bit(14), mv.slice(7, 7)];
        let on_board = from.below(W::constant(DROP_FROM as u128, 7)).named("from_board");
        let named = square_of(is_special.choose(mv.slice(0, 7), s.only_on)).named("square_named");

        let all = |on: W| on.choose(W::constant(ALL_SQUARES, SQUARES), W::zero(SQUARES));
        let pawns_too = pawns_only | (pieces & !s.by_victim);
        let taken = squares.theirs & ((pawns & all(pawns_too)) | (!pawns & all(pieces)));
        let reached = (taken.named("taken") | (squares.empty & all(promotions))) & (named | all(!s.has_only_on));
        let checking = lines.straight | lines.diagonal | lines.knight;
        let quiet = squares.empty & (checking | all(!class(CHECKS)));
        let mask = named.when(is_special) | reached.when(captures) | quiet.when(quiets);

        let [from_group, at_group] = groups_from(after.key);
        let resumes = [CHECKS, KING_MOVES, QUIET].map(|c| class(c) & after.class.is(c as u128));
        let resumes = (or_all(resumes) & sorted_quiets & after.key.any()).named("resumes");
        let plain = ((captures & !promotions) | (is_special & !promotes & on_board) | quiets).named("plain");
        let drops = (class(CHECKS) | class(QUIET)).named("drops");
        let group = |i: usize| match i.checked_sub(DIRECTIONS) {
            None => plain,
            Some(kind) => drops | (is_special & !promotes & from.is(DROP_FROM as u128 + kind as u128)),
        };
        let groups = W::join(&(0..QUIET_GROUPS).map(group).collect::<Vec<W>>());
        let number = |bit: usize| {
            let classes: Vec<u8> = (0..CLASSES as u8).filter(|c| c >> bit & 1 != 0).collect();
            level.class.wires(&classes).any()
        };
        Aim {
            class: W::join(&[0, 1, 2, 3].map(number)),
            sorted: is_special | sorted_quiets,
            others: (mask & squares.landing).when(!class(KING_MOVES)),
            king: (mask & squares.king_moves).when(!(class(CHECKS) | class(ATTACKED) | (class(QUIET) & s.evasions))),
            promoting: captures | (is_special & promotes),
            groups: groups & resumes.choose(from_group, W::constant((1 << QUIET_GROUPS) - 1, QUIET_GROUPS)),
            checks: class(CHECKS),
            begins_with: at_group.when(resumes),
            behind: squares_from(after.key.slice(0, 7)),
        }
    }

    /// All moves.
    pub fn all(squares: &Squares<W>) -> Aim<W> {
        Aim {
            class: W::zero(4),
            sorted: W::zero(1),
            others: squares.landing,
            king: squares.king_moves,
            promoting: W::constant(1, 1),
            groups: W::constant((1 << QUIET_GROUPS) - 1, QUIET_GROUPS),
            checks: W::zero(1),
            begins_with: W::zero(QUIET_GROUPS),
            behind: W::zero(SQUARES),
        }
    }
}
