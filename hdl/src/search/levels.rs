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
}

impl<W: Word> Order<W> {
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
        let class = |class: usize| match class {
            TABLE => usable(0),
            KILLER..=COUNTER => usable(class - KILLER + 1) & quiets,
            CHECKS => quiets & s.checks_first,
            ATTACKED => quiets & s.attacked_first,
            KING_MOVES => all & s.evasions,
            QUIET => all,
            LOSING => all & s.by_exchange,
            _ => W::constant(1, 1),
        };
        W::join(&(0..CLASSES).map(class).collect::<Vec<W>>()).named("possible")
    }

    /// The level where the search for the next move begins.
    pub fn first(&self) -> Level<W> {
        let Place { class, key } = self.after;
        let reached: Vec<W> = (0..CLASSES).map(|c| !W::constant(c as u128, 4).below(class)).collect();
        let first = (self.possible() & W::join(&reached)).lowest().named("first_class");
        let victim = key.slice(KEY_VICTIM, 4);
        let by_victim = self.selection.by_victim;
        let promotes = by_victim.choose(victim.is(VICTIM_NONE as u128), key.slice(KEY_GROUP, 2).is(2));
        let pawns = by_victim & victim.is(VICTIM_RANK[PAWN as usize] as u128);
        // The key is of the class of the move picked last.
        let goes_on = ((first.bit(CAPTURES) & class.is(CAPTURES as u128))
            | (first.bit(LOSING) & class.is(LOSING as u128)))
        .named("goes_on_with_captures");
        let [promotes, pawns] = [promotes & goes_on, pawns & goes_on];
        Level { class: first, part: W::join(&[!promotes & !pawns, promotes, pawns]) }
    }

    /// The level behind one.
    pub fn behind(&self, level: &Level<W>) -> Level<W> {
        let parts = W::join(&[W::zero(1), !self.selection.has_only_on, self.selection.by_victim]);
        let part = (parts & above(level.part)).lowest().named("next_part");
        let stays = (part.any() & (level.class.bit(CAPTURES) | level.class.bit(LOSING))).named("stays_in_class");
        let class = (self.possible() & above(level.class)).lowest().named("next_class");
        Level { class: stays.choose(level.class, class), part: stays.choose(part, W::constant(1, PARTS)) }
    }
}

/// All wires above the one that is set.
fn above<W: Word>(one: W) -> W {
    let wire = |i: usize| if i == 0 { W::zero(1) } else { one.slice(0, i).any() };
    W::join(&(0..one.width()).map(wire).collect::<Vec<W>>())
}
