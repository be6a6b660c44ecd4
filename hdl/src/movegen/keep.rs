//! Keeps what tells the board moves of the last node, until they are written group by group.
//!
//! ```text
//!                      +------+
//!   stays             ->      => kept 1719   see `KeptMoves`; back to `kept_in`
//!   arrivals 17 x 81  => Keep |
//!   squares 6 x 81    =>      |
//!   kept_in 1719      =>      |
//!                      +------+
//! ```
//!
//! Handshake: none; beside the target stage. `stays`: the position is no node.
//! Latency: one clock. Throughput: one position a clock. Cost: 1,719 flip-flops.
//! Method: what may not land is taken out when a group is written, one plane a clock, and not from all planes at once.
//! Model: `host/model/src/movegen/targets.rs`. Absent: drops, of which the bank has a copy.

use super::arrivals::{ArrivalPlanes, Squares};
use crate::network::word::or_all;
use crate::network::{Wire, Wires, Word};
use crate::position::board::shift;
use crate::position::Plane;
use crate::{bundle, network};
use hayasashi_spec::moves::{Direction, DIRECTIONS, RAYS};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Classes of squares by file and rank modulo three: no two squares around a king are of one class.
pub const CLASSES: usize = 9;

bundle! {
    /// What tells the board moves of a position.
    pub struct KeptMoves {
        /// Where own pieces arrive.
        arrivals: ArrivalPlanes,
        /// The class of the square of the mover's king.
        king: Wires<CLASSES>,
        /// Where the king may move.
        king_moves: Plane,
        /// Where other pieces may land.
        landing: Plane,
        /// Squares of their pieces.
        theirs: Plane,
        /// The squares whose groups are looked for: of captures in the first clock, then the others.
        looked_at: LookedAt,
    }
}

bundle! {
    /// Squares to which there may be moves.
    pub struct LookedAt {
        /// Classes of those to which the king may go.
        king: Wires<CLASSES>,
        /// Those on which other pieces may land.
        others: Plane,
    }
}

network! {
    /// Keeps what tells the board moves of the last node.
    Keep = keep(KeepIn) -> KeepOut {
        in stays: Wire;
        in arrivals: ArrivalPlanes;
        in squares: Squares;
        in kept_in: KeptMoves;
        out kept: KeptMoves;
    }
}

fn keep<W: Word>(inputs: KeepIn<W>) -> KeepOut<W> {
    let KeepIn { stays, arrivals, squares: Squares { king, king_moves, landing, theirs, .. }, kept_in: k } = inputs;
    let looked_at = LookedAt::choose(
        stays,
        &LookedAt { king: by_class(k.king_moves & !k.theirs), others: k.landing & !k.theirs },
        &LookedAt { king: by_class(king_moves & theirs), others: landing & theirs },
    );
    let new = KeptMoves { arrivals, king: by_class(king), king_moves, landing, theirs, looked_at };
    KeepOut { kept: KeptMoves { looked_at, ..KeptMoves::choose(stays, &k, &new) } }
}

impl<W: Word> KeptMoves<W> {
    /// Squares on which pieces other than the king arrive by the `i`th kind of move: in ten directions without promotion, then
    /// with it.
    pub fn arrivals(&self, i: usize) -> W {
        let (d, promotes) = (i % DIRECTIONS, i >= DIRECTIONS);
        if d < RAYS {
            return if promotes { self.arrivals.promoting[d] } else { self.arrivals.plain[d] };
        }
        let knights = shift(Direction::ALL[d], self.arrivals.knights);
        (knights & W::constant(knights_land(promotes), SQUARES)).named_at("knights_arrive", i)
    }

    /// The directions in which the king goes to one of the squares looked at, one wire each.
    pub fn king_goes(&self) -> W {
        let (king, to) = (self.king, self.looked_at.king);
        let goes = |d: Direction| or_all((0..CLASSES).map(|class| king.bit(class) & to.bit(class_behind(class, d))));
        W::join(&Direction::ALL[..RAYS].iter().map(|&d| goes(d)).collect::<Vec<W>>())
    }

    /// Of these squares around the king, the one to which it goes in a direction, given by one wire.
    pub fn king_arrives(&self, among: W, direction: W) -> W {
        let king = self.king;
        let mut classes = vec![Vec::new(); CLASSES];
        for class in 0..CLASSES {
            for &d in &Direction::ALL[..RAYS] {
                classes[class_behind(class, d)].push(king.bit(class) & direction.bit(d as usize));
            }
        }
        let classes: Vec<W> = classes.into_iter().map(or_all).collect();
        let classes = W::join(&classes).named("class_behind");
        let squares: Vec<u8> = (0..SQUARES).map(|s| class_of(s) as u8).collect();
        among & classes.wires(&squares)
    }
}

/// Whether there is a square of each class among these, which are all around one square.
pub fn by_class<W: Word>(around: W) -> W {
    let class = |class: usize| {
        let wires: Vec<u8> = (0..SQUARES as u8).filter(|&s| class_of(s as usize) == class).collect();
        around.wires(&wires).any()
    };
    W::join(&(0..CLASSES).map(class).collect::<Vec<W>>())
}

/// The class of a square.
fn class_of(square: usize) -> usize {
    square / SIDE % 3 * 3 + square % SIDE % 3
}

/// The class of the square one step behind a square of a class.
fn class_behind(class: usize, direction: Direction) -> usize {
    let (files, ranks) = direction.step();
    let step = |place: usize, by: i8| (place as i8 + by).rem_euclid(3) as usize;
    step(class / 3, files) * 3 + step(class % 3, ranks)
}

/// Squares on which a knight may land.
const fn knights_land(promotes: bool) -> u128 {
    use crate::position::board::{rank_mask, ALL_SQUARES, ZONE};
    if promotes {
        ZONE
    } else {
        ALL_SQUARES & !(rank_mask(0) | rank_mask(1))
    }
}
