//! Counting the moves of a position: two stages of carry-save addition.
//!
//! ```text
//!                    +---------+                  +------------+
//!   tag 22          =>         => tag_out        =>            => tag_out 22
//!   board 447       =>         => board_out      =>            => board_out 447
//!   moves 20 x 81   =>  Count  => pile 99        =>  Condense  => pile_out 16
//!   drops 2 x 81    =>         => others 9 x 4   =>            => others_out 3 x 7
//!   holds 7         =>         => holds_out 7    =>            => kinds 3
//!   theirs 2 x 81   =>         => mate_square 81 =>            => mate_square_out 81
//!                    |         -> may_mate       ->            -> may_mate_out
//!                    +---------+                  +------------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock each. Throughput: one position per clock.
//! Cost: 719 and 617 flip-flops.
//! Method: all board moves and pawn drops are the wires of one [`Pile`]. The other drops are counted by rank, since
//! they count once for each kind in hand. `mate_square` is where a pawn drop would give check, if `may_mate`.
//! Absent: enumeration; no move is looked at one by one.
//! Model: `host/model/src/movegen/count.rs`.

use super::targets::{reachable, DropPlanes, MovePlanes, TheirPlanes};
use crate::network::pile::{Pile, Reduced};
use crate::network::word::{or_all, sum};
use crate::network::{Wire, Wires, Word};
use crate::position::board::rank_mask;
use crate::position::{tag::COUNT_BITS, Tag};
use crate::{bundle, network};
use hayasashi_spec::moves::DIRECTIONS;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Wires of the pile at first: squares that each plane can have ([`reachable`]) and squares for pawn drops.
const MOVE_WIRES: usize = {
    let (mut wires, mut plane) = (SQUARES - SIDE, 0);
    while plane < 2 * DIRECTIONS {
        wires += reachable(plane).count_ones() as usize;
        plane += 1;
    }
    wires
};
/// Layers of full adders in the first stage and in the second.
const LAYERS: [usize; 2] = [6, 6];
/// The pile after the first stage.
type FirstPile = Reduced<MOVE_WIRES, { LAYERS[0] }>;
/// The pile after the second stage.
pub type SecondPile = Reduced<MOVE_WIRES, { LAYERS[0] + LAYERS[1] }>;
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
        in moves: MovePlanes;
        in drops: DropPlanes;
        in holds: Wires<HAND_KINDS>;
        in theirs: TheirPlanes;
        out tag_out: Tag;
        out pile: FirstPile;
        out others: [Wires<4>; SIDE];
        out holds_out: Wires<HAND_KINDS>;
        out may_mate: Wire;
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
    let CountIn { tag, moves, drops, holds, theirs } = inputs;
    let planes = moves.plain.into_iter().chain(moves.promoting).enumerate().map(|(i, plane)| (plane, reachable(i)));
    let planes: Vec<(W, u128)> = planes.chain([(drops.pawn, !rank_mask(0))]).collect();
    // Square by square, so that only neighbours are added at first.
    let wires: Vec<W> = (0..SQUARES)
        .flat_map(|s| planes.iter().filter(move |(_, mask)| mask >> s & 1 != 0).map(move |(plane, _)| plane.bit(s)))
        .collect();
    let on_rank = |rank: usize| {
        let wires: Vec<u8> = (0..SQUARES as u8).filter(|s| rank_mask(rank) >> s & 1 != 0).collect();
        drops.other.wires(&wires).named_at("drops_on_rank", rank)
    };
    let mate_square = (theirs.before_king & drops.pawn).named("mating_drop");
    CountOut {
        tag_out: tag,
        pile: Pile::of_ones(&wires).reduced(LAYERS[0]),
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

/// The number of legal moves from the outputs of the second stage, and whether there is one.
pub fn total<W: Word>(pile: &Pile<W>, others: OtherDrops<W>, kinds: W) -> (W, W) {
    let OtherDrops { lances, knights, anywhere } = others;
    let times = |shift: usize| W::join(&[W::zero(shift), anywhere]).when(kinds.bit(shift)).extend(9);
    // Four kinds at most: where the last wire is set, the middle one is not.
    let terms = [lances, knights, anywhere.when(kinds.bit(0)), (times(1) | times(2)).named("two_or_four_times")];
    let some = (pile.any() | or_all(terms.map(Word::any))).named("some");
    (pile.with_numbers(&terms).total(COUNT_BITS).named("total"), some)
}
