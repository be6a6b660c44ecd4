//! The levels of a node's moves: the classes that it has, and the parts in which captures are looked for.
//!
//! Functions for [`super::scan`], no block. A level is scanned as a whole; the next one comes when nothing of it is left.
//! Model: `host/model/src/search/order.rs`.

use super::node::Move;
use super::order::*;
use crate::bundle;
use crate::network::{Layout, Wires, Word};
use hayasashi_spec::piece::PAWN;
use hayasashi_spec::search_table::{VICTIM_NONE, VICTIM_RANK};

/// Parts of captures and promotions: captures of pieces, promotions that capture nothing, captures of pawns. In this order they
/// have the first keys, in the order of victims. In the canonical order all captures are in the first part.
pub const PARTS: usize = 3;

bundle! {
    /// A level.
    pub struct Level {
        /// The class, one wire each.
        class: Wires<CLASSES>,
        /// The part of captures, one wire each.
        part: Wires<PARTS>,
    }
}

/// What the walker says about a node.
pub struct Order<W: Word> {
    /// Which moves it has.
    pub selection: Selection<W>,
    /// Its special moves.
    pub special: <[Move; SPECIAL] as Layout>::Of<W>,
    /// The move picked last.
    pub after: Place<W>,
    /// The parts of captures that the position may have, one wire each.
    pub parts: W,
}

impl<W: Word> Order<W> {
    /// The parts of captures in which a move may be, one wire each.
    fn possible_parts(&self) -> W {
        let [pieces, promotions, pawns] = [0, 1, 2].map(|part| self.parts.bit(part));
        let by_victim = self.selection.by_victim;
        let parts = [pieces | (pawns & !by_victim), promotions & !self.selection.has_only_on, pawns & by_victim];
        W::join(&parts).named("possible_parts")
    }

    /// The classes in which a move may be, one wire each; always the end.
    fn possible(&self) -> W {
        let s = self.selection;
        let all = !s.forcing_only;
        let quiets = (all & !s.evasions).named("quiets");
        // A move that is special twice is picked once.
        let usable = |i: usize| {
            let earlier = (0..i).map(|j| self.special[j].equals(self.special[i]));
            earlier.fold(self.special[i].any(), |usable, same| usable & !same)
        };
        let captures = self.possible_parts().any();
        let class = |class: usize| match class {
            TABLE => usable(0),
            KILLER..=COUNTER => usable(class - KILLER + 1) & quiets,
            CHECKS => quiets & s.checks_first,
            ATTACKED => quiets & s.attacked_first,
            KING_MOVES => all & s.evasions,
            QUIET => all,
            CAPTURES => captures,
            LOSING => all & s.by_exchange & captures,
            _ => W::constant(1, 1),
        };
        W::join(&(0..CLASSES).map(class).collect::<Vec<W>>()).named("possible")
    }

    /// The level where the search for the next move begins.
    pub fn first(&self) -> Level<W> {
        let Place { class, key } = self.after;
        let victim = key.slice(KEY_VICTIM, 4);
        let by_victim = self.selection.by_victim;
        let promotes = by_victim.choose(victim.is(VICTIM_NONE as u128), key.slice(KEY_GROUP, 2).is(2));
        let pawns = (by_victim & victim.is(VICTIM_RANK[PAWN as usize] as u128)).named("after_pawns");
        // The parts from that of the move picked last on, if that was of the same class.
        let of_class = [CAPTURES, LOSING].map(|c| class.is(c as u128) & key.any());
        let left = |of_class: W| {
            let promotions = (promotes | pawns) & of_class;
            let behind = W::join(&[!promotions, !(pawns & of_class), W::constant(1, 1)]);
            self.possible_parts() & behind
        };
        let [captures, losing] = of_class.map(left);
        let reached = |c: usize| {
            let from = !W::constant(c as u128, 4).below(class);
            match c {
                CAPTURES => from & captures.any(),
                LOSING => from & losing.any(),
                _ => from,
            }
        };
        let first = (self.possible() & W::join(&(0..CLASSES).map(reached).collect::<Vec<W>>())).lowest();
        let first = first.named("first_class");
        Level { class: first, part: first.bit(LOSING).choose(losing, captures).lowest().named("first_part") }
    }

    /// The level behind one.
    pub fn behind(&self, level: &Level<W>) -> Level<W> {
        let parts = self.possible_parts();
        let part = (parts & above(level.part)).lowest().named("next_part");
        let stays = (part.any() & (level.class.bit(CAPTURES) | level.class.bit(LOSING))).named("stays_in_class");
        let class = (self.possible() & above(level.class)).lowest().named("next_class");
        Level { class: stays.choose(level.class, class), part: stays.choose(part, parts.lowest()) }
    }
}

/// All wires above the one that is set.
fn above<W: Word>(one: W) -> W {
    let wire = |i: usize| if i == 0 { W::zero(1) } else { one.slice(0, i).any() };
    W::join(&(0..one.width()).map(wire).collect::<Vec<W>>())
}
