//! Counting the moves of a position: three stages of carry-save addition.
//!
//! ```text
//!                    +---------+                  +------------+
//!   tag 22          =>         => tag_out 22     =>            => tag_out 22
//!   sums 468        =>  Count  => pile 53        =>  Condense  => pile_out 15
//!   king_moves 9    =>         => others 9 x 4   =>            => others_out 3 x 7
//!   drops 2 x 81    =>         => holds_out 7    =>            => kinds 3
//!   holds 7         =>         -> may_mate       ->            -> may_mate_out
//!   before_king 81  =>         |                  |            |
//!   safe 81         =>         |                  |            |
//!                    +---------+                  +------------+
//!                    +---------+
//!   tag 22          =>         => tag_out 22
//!   pile 15         =>  Merge  => pile_out 16
//!   others 3 x 7    =>         -> some            there is a legal move
//!   kinds 3         =>         -> may_mate_out
//!   may_mate        ->         |
//!                    +---------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock each. Throughput: one position per clock.
//! Cost: 673, 616 and 40 flip-flops.
//! Method: the sums of all squares, pawn drops and the king's moves are the wires of one [`Pile`]. The other drops are
//! counted by rank, since they count once for each kind in hand. `may_mate`: a pawn can be dropped in front of the enemy king,
//! which is not known to be able to take the pawn or to step to its left or right. Other
//! answers are not looked at. The position after the drop tells whether it is mate ([`super::total`]).
//! Absent: enumeration; no move is looked at one by one.
//! Model: `host/model/src/movegen/count.rs`.

use super::keep::CLASSES;
use super::targets::{among, DropPlanes, SquareSums};
use crate::network::pile::{counts_after, Counts, Pile, Reduced, WEIGHTS};
use crate::network::word::{or_all, sum};
use crate::network::{Wire, Wires, Word};
use crate::position::board::{rank_mask, shift};
use crate::position::{tag::COUNT_BITS, Plane, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::Direction;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// The pile at first: sums of squares, squares for pawn drops, and the king's moves.
pub struct AllMoves;

impl Counts for AllMoves {
    const COUNTS: [usize; WEIGHTS] = {
        let (zone, pawn_drops) = (SIDE * ZONE_RANKS, SQUARES - SIDE);
        let mut counts = [0; WEIGHTS];
        counts[0] = SQUARES + zone + pawn_drops + CLASSES;
        counts[1] = 2 * SQUARES;
        counts[2] = 2 * SQUARES + zone + SIDE;
        counts
    };
}

/// The pile after the second stage, the other drops added to it, and minus one.
pub struct MovesAndDrops;

impl Counts for MovesAndDrops {
    const COUNTS: [usize; WEIGHTS] = {
        let mut counts = counts_after(AllMoves::COUNTS, LAYERS[0] + LAYERS[1]);
        let mut weight = 0;
        while weight < COUNT_BITS {
            // Three numbers of seven wires, and one of nine.
            counts[weight] += 1 + (weight < 9) as usize + if weight < 7 { 3 } else { 0 };
            weight += 1;
        }
        counts
    };
}

/// Layers of full adders in the first stage, in the second and in the third.
const LAYERS: [usize; 3] = [6, 6, 6];
/// The pile after the first stage.
type FirstPile = Reduced<AllMoves, { LAYERS[0] }>;
/// The pile after the second stage.
type SecondPile = Reduced<AllMoves, { LAYERS[0] + LAYERS[1] }>;
/// The pile after the third stage.
pub type ThirdPile = Reduced<MovesAndDrops, { LAYERS[2] }>;
/// Number of kinds in hand that may be dropped on every rank: silver, gold, bishop, rook.
pub type UnlimitedKinds = Wires<3>;

bundle! {
    /// Number of squares on which a piece other than a pawn may be dropped.
    pub struct OtherDrops {
        /// A lance, if one is in hand.
        lances: Wires<7>,
        /// A knight, if one is in hand.
        knights: Wires<7>,
        /// A piece that may be dropped on every rank.
        anywhere: Wires<7>,
    }
}

network! {
    /// First counting stage.
    Count = count(CountIn) -> CountOut {
        in tag: Tag;
        in sums: SquareSums;
        in king_moves: Wires<CLASSES>;
        in drops: DropPlanes;
        in holds: Wires<HAND_KINDS>;
        in before_king: Plane;
        in safe: Plane;
        out tag_out: Tag;
        out pile: FirstPile;
        out others: [Wires<4>; SIDE];
        out holds_out: Wires<HAND_KINDS>;
        out may_mate: Wire;
    }
}

network! {
    /// Third counting stage.
    Merge = merge(MergeIn) -> MergeOut {
        in tag: Tag;
        in pile: SecondPile;
        in others: OtherDrops;
        in kinds: UnlimitedKinds;
        in may_mate: Wire;
        out tag_out: Tag;
        out pile_out: ThirdPile;
        out some: Wire;
        out may_mate_out: Wire;
    }
}

network! {
    /// Second counting stage.
    Condense = condense(CondenseIn) -> CondenseOut {
        in tag: Tag;
        in pile: FirstPile;
        in others: [Wires<4>; SIDE];
        in holds: Wires<HAND_KINDS>;
        in may_mate: Wire;
        out tag_out: Tag;
        out pile_out: SecondPile;
        out others_out: OtherDrops;
        out kinds: UnlimitedKinds;
        out may_mate_out: Wire;
    }
}

fn count<W: Word>(inputs: CountIn<W>) -> CountOut<W> {
    let CountIn { tag, sums, king_moves, drops, holds, before_king, safe } = inputs;
    let SquareSums { ones, ones_in_zone, twos, fours, fours_in_zone, fours_on_third_rank } = sums;
    let pawn_drops = among(!rank_mask(0), drops.pawn);
    let pile = Pile::of(&[
        &[ones, ones_in_zone, pawn_drops, king_moves],
        &twos,
        &[fours[0], fours[1], fours_in_zone, fours_on_third_rank],
    ]);
    let on_rank = |rank: usize| among(rank_mask(rank), drops.other).named_at("drops_on_rank", rank);
    // It is no mate if the king may take the pawn, or go to a square at its side.
    let escapes = or_all([safe, shift(Direction::SouthEast, safe), shift(Direction::SouthWest, safe)]).named("escapes");
    let mate_square = (before_king & drops.pawn & !escapes).named("mating_drop");
    CountOut {
        tag_out: tag,
        pile: pile.reduced(LAYERS[0]),
        others: std::array::from_fn(|rank| on_rank(rank).popcount()),
        holds_out: holds,
        may_mate: mate_square.any(),
    }
}

fn condense<W: Word>(inputs: CondenseIn<W>) -> CondenseOut<W> {
    let CondenseIn { tag, pile, others, holds, may_mate } = inputs;
    let pile_out = pile.reduced(LAYERS[1]);
    let [anywhere, lances, knights] = [0, 1, 2].map(|dead| sum(&others[dead..], 7));
    CondenseOut {
        tag_out: tag,
        pile_out,
        others_out: OtherDrops { lances: lances.when(holds.bit(1)), knights: knights.when(holds.bit(2)), anywhere },
        kinds: holds.slice(3, 4).popcount(),
        may_mate_out: may_mate,
    }
}

fn merge<W: Word>(inputs: MergeIn<W>) -> MergeOut<W> {
    let MergeIn { tag, pile, others: OtherDrops { lances, knights, anywhere }, kinds, may_mate } = inputs;
    let times = |shift: usize| W::join(&[W::zero(shift), anywhere]).when(kinds.bit(shift)).extend(9);
    // Four kinds at most: where the last wire is set, the middle one is not.
    let terms = [lances, knights, anywhere.when(kinds.bit(0)), (times(1) | times(2)).named("two_or_four_times")];
    let some = pile.any() | or_all(terms.map(Word::any));
    // Less one for a drop that may be mate: all wires set are minus one.
    let less = W::join(&[may_mate; COUNT_BITS]);
    let pile_out = pile.with_numbers(&[&terms[..], &[less]].concat()).reduced(LAYERS[2]);
    MergeOut { tag_out: tag, pile_out, some, may_mate_out: may_mate }
}
