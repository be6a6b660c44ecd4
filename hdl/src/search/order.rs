//! The order of moves: which moves a node has, and the place of a move in their order.
//!
//! Layouts and functions, no block.
//!
//! A place is a class and a key within it. Keys of a class are those of the contract's order, the first part highest:
//!
//! | class | wires 23 to 13 | 12, 11 | 10 to 7 | 6 to 0 |
//! |---|---|---|---|---|
//! | captures, losing captures | victim (4), no promotion (1), mover (4), with `by_victim` | class of the canonical order | direction | destination |
//! | moves of attacked pieces | 15 less the mover's rank (4), origin (7) | 0 | direction | destination |
//! | checks, king's moves, quiet moves | place of the counter (8, lowest), for quiet moves `by_history` | 0 | direction | destination |
//! | drops among them | the same | 1 | kind less one | destination |
//!
//! Destinations count from one, so that no key is zero. The place of a special move is the beginning of the next class.
//!
//! Model: `host/model/src/search/order.rs`. Absent: finding the moves (`scan`), and judging each (`rank`).

use super::node::Class;
use crate::bundle;
use crate::network::{Wire, Wires, Word};

/// Wires of a key.
pub const KEY_BITS: usize = 24;
/// Layout of a key within a class.
pub type Key = Wires<KEY_BITS>;

/// The table's move.
pub const TABLE: usize = 0;
/// Captures and promotions, except those that lose material.
pub const CAPTURES: usize = 1;
/// The first killer; the second one and the counter move follow.
pub const KILLER: usize = 2;
/// The counter move.
pub const COUNTER: usize = 4;
/// Quiet checks.
pub const CHECKS: usize = 5;
/// Quiet moves of attacked pieces.
pub const ATTACKED: usize = 6;
/// Quiet moves of the king out of check.
pub const KING_MOVES: usize = 7;
/// The other quiet moves.
pub const QUIET: usize = 8;
/// Captures and promotions that lose material.
pub const LOSING: usize = 9;
/// No move is left.
pub const END: usize = 10;
/// Classes, and the end.
pub const CLASSES: usize = END + 1;
/// Moves that are picked by what is known before: the table's move, two killers, and the counter move.
pub const SPECIAL: usize = 4;

/// The lowest wire of the canonical class in a key.
pub const KEY_GROUP: usize = 11;
/// The lowest wire of the direction or kind in a key.
pub const KEY_DIRECTION: usize = 7;
/// The lowest wire of what comes before the canonical order in a key.
pub const KEY_FIRST: usize = 13;
/// The lowest wire of the victim in a key.
pub const KEY_VICTIM: usize = 18;

bundle! {
    /// Which moves a node has, and in which order.
    pub struct Selection {
        /// In check: all moves, captures first, then the king's.
        evasions: Wire,
        /// Only captures and promotions, without those that lose material.
        forcing_only: Wire,
        /// Only captures on one square.
        has_only_on: Wire,
        /// That square.
        only_on: Wires<7>,
        /// Captures and promotions that lose material come last.
        by_exchange: Wire,
        /// Captures and promotions in the order of victim and mover.
        by_victim: Wire,
        /// Quiet checks come first among the quiet moves.
        checks_first: Wire,
        /// Then moves of attacked pieces.
        attacked_first: Wire,
        /// Promotions are never left out where they are never worse.
        promotions: Wire,
        /// The other quiet moves come by their counters.
        by_history: Wire,
    }
}

bundle! {
    /// The place of a move in the order. All zero: before the first one.
    pub struct Place {
        /// The class.
        class: Class,
        /// The key within the class.
        key: Key,
    }
}

impl<W: Word> Place<W> {
    /// Before the losing captures, which are all that is left behind it.
    pub fn before_losing() -> Place<W> {
        Place { class: W::constant(LOSING as u128, 4), key: W::zero(KEY_BITS) }
    }
}
