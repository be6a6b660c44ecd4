//! Counting the moves of a position: two stages of carry-save addition.
//!
//! ```text
//!            +---------+                  +------------+
//!   tag     =>         => tag_out        =>            => tag_out
//!   board   =>         => board_out      =>            => board_out
//!   moves   =>  Count  => pile           =>  Condense  => pile_out
//!   drops   =>         => others 9 x 4   =>            => others_out 3 x 7
//!   holds   =>         => holds_out 7    =>            => kinds 3
//!   theirs  =>         => mate_square 81 =>            => mate_square_out 81
//!            |         => may_mate 1     =>            => may_mate_out 1
//!            +---------+                  +------------+
//! ```
//!
//! Latency one clock each, one position per clock. All board moves and pawn drops are one pile of wires; the other drops
//! are counted by rank, since they count once for each kind in hand. A drop is never enumerated to be counted.
//! `mate_square` is where a pawn drop would give check, if one is possible.

use super::slot::TAG;
use super::targets::{reachable, DROP_PLANES, MOVE_PLANES, THEIR_PLANES};
use crate::network;
use crate::network::pile::*;
use crate::network::{
    word::{or_all, sum},
    Word,
};
use crate::position::board::rank_mask;
use crate::position::BOARD;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Wires of the pile at first: squares that each plane can have ([`reachable`]) and squares for pawn drops.
const MOVE_WIRES: usize = {
    let (mut wires, mut plane) = (SQUARES - SIDE, 0);
    while plane < MOVE_PLANES.len() {
        wires += reachable(plane).count_ones() as usize;
        plane += 1;
    }
    wires
};
/// Layers of full adders in the first stage and in the second.
const LAYERS: [usize; 2] = [6, 6];

const COUNTS: [[usize; WEIGHTS]; 2] = {
    let mut counts = [0; WEIGHTS];
    counts[0] = MOVE_WIRES;
    [counts_after(counts, LAYERS[0]), counts_after(counts, LAYERS[0] + LAYERS[1])]
};
/// Layout of the pile after the first stage.
pub const PILE: &[usize] = &layout_of::<{ fields_of(&COUNTS[0]) }>(&COUNTS[0]);
/// Layout of the pile after the second stage.
pub const CONDENSED: &[usize] = &layout_of::<{ fields_of(&COUNTS[1]) }>(&COUNTS[1]);
/// Layout of the other drops by rank.
pub const BY_RANK: &[usize] = &[4; SIDE];
/// Layout of the other drops: of lances, of knights, of each kind without limit.
pub const OTHERS: &[usize] = &[7; 3];
/// Layout of the number of kinds without limit in hand: silver, gold, bishop, rook.
pub const KINDS: &[usize] = &[3];

network! {
    /// First counting stage.
    Count = count {
        in tag: TAG;
        in board: BOARD;
        in moves: MOVE_PLANES;
        in drops: DROP_PLANES;
        in holds: &[HAND_KINDS];
        in theirs: THEIR_PLANES;
        out tag_out: TAG;
        out board_out: BOARD;
        out pile: PILE;
        out others: BY_RANK;
        out holds_out: &[HAND_KINDS];
        out mate_square: &[SQUARES];
        out may_mate: &[1];
    }
}

network! {
    /// Second counting stage.
    Condense = condense {
        in tag: TAG;
        in board: BOARD;
        in pile: PILE;
        in others: BY_RANK;
        in holds: &[HAND_KINDS];
        in mate_square: &[SQUARES];
        in may_mate: &[1];
        out tag_out: TAG;
        out board_out: BOARD;
        out pile_out: CONDENSED;
        out others_out: OTHERS;
        out kinds: KINDS;
        out mate_square_out: &[SQUARES];
        out may_mate_out: &[1];
    }
}

fn count<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board_fields, moves, drops, holds, theirs] = *inputs else { panic!("six inputs") };
    let pick = |plane: W, mask: u128| {
        let wires: Vec<u8> = (0..SQUARES as u8).filter(|s| mask >> s & 1 != 0).collect();
        plane.wires(&wires)
    };
    let planes: Vec<(W, u128)> = moves.iter().enumerate().map(|(i, &plane)| (plane, reachable(i))).collect();
    let planes = [&planes[..], &[(drops[0], !rank_mask(0))]].concat();
    // Square by square, so that only neighbours are added at first.
    let wires: Vec<W> = (0..SQUARES)
        .flat_map(|s| planes.iter().filter(move |(_, mask)| mask >> s & 1 != 0).map(move |(plane, _)| plane.bit(s)))
        .collect();
    let pile = Pile::of_ones(&wires).reduced(LAYERS[0]);
    let others = (0..SIDE).map(|rank| pick(drops[1], rank_mask(rank)).popcount());
    vec![
        tag.to_vec(),
        board_fields.to_vec(),
        pile.fields(),
        others.collect(),
        holds.to_vec(),
        vec![theirs[1] & drops[0]],
        vec![(theirs[1] & drops[0]).any()],
    ]
}

fn condense<W: Word>(inputs: &[&[W]]) -> Vec<Vec<W>> {
    let [tag, board, pile, others, holds, mate_square, may_mate] = *inputs else { panic!("seven inputs") };
    let pile = Pile::from_fields(pile, &COUNTS[0]).reduced(LAYERS[1]);
    let [anywhere, lances, knights] = [0, 1, 2].map(|dead| sum(&others[dead..], 7));
    let holds = holds[0];
    vec![
        tag.to_vec(),
        board.to_vec(),
        pile.fields(),
        vec![lances.when(holds.bit(1)), knights.when(holds.bit(2)), anywhere],
        vec![holds.slice(3, 4).popcount()],
        mate_square.to_vec(),
        may_mate.to_vec(),
    ]
}

/// The number of legal moves from the outputs of the second stage, and whether there is one.
pub fn total<W: Word>(pile: &[W], others: &[W], kinds: W) -> (W, W) {
    let [lances, knights, anywhere] = *others else { panic!("three numbers") };
    let times = |shift: usize| W::join(&[W::zero(2).slice(0, shift), anywhere]).when(kinds.bit(shift)).extend(9);
    // Four kinds at most: where the last wire is set, the middle one is not.
    let terms = [lances, knights, anywhere.when(kinds.bit(0)), times(1) | times(2)];
    let some = or_all(pile.iter().map(|wires| wires.any())) | or_all(terms.map(|term| term.any()));
    (Pile::from_fields(pile, &COUNTS[1]).with_numbers(&terms).total(10), some)
}
