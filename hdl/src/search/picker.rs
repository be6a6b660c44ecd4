//! Picks the next move of a node in the search's order.
//!
//! ```text
//!                   +----------+
//!   clock          ->          -> looked         the planes are those of `board`
//!   reset          ->          -> has_move       with `looked`: there is a legal move, or a pawn drop that mates
//!   board 447      =>          -> in_check       with `looked`: the mover is in check
//!   look           ->          -> done           the results below are those of the last `next`
//!   selection 15   =>  Picker  -> valid          there is a move
//!   special 4 x 15 =>          => candidate 23   that move
//!   after 28       =>          => class 4        its class
//!   next           ->          => place 28       its place, see `Place`: `after` for the next one
//!                  |           -> checks         it gives check as the order has it, whatever its class
//!                  |           => gain 11        what it gains at once
//!                  |           => exchange 16    its exchange
//!                   +----------+
//! ```
//!
//! Handshake: `look`, for one clock, finds the planes of `board`, which stays until the next `look`. `next`, for one clock while
//! `looked`, finds the first move behind `after`; `selection`, `special` and `after` stay until `done`, which is high for one clock.
//! The results stay until the next `next`. Nothing is remembered of earlier picks: `after` (all zero for the first move),
//! `selection` and `special` tell which moves were picked before.

use super::judge_stages::GAIN_BITS;
use super::node::{Candidate, Move, SCORE_BITS};
use super::order::{Place, Selection, SPECIAL};
use crate::movegen::positions::BOARD_WIDTH;
use crate::network::width;
use rust_hdl::prelude::*;

/// Picks moves.
#[derive(LogicBlock, Default)]
pub struct Picker {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// The position.
    pub board: Signal<In, Bits<BOARD_WIDTH>>,
    /// Find its planes.
    pub look: Signal<In, Bit>,
    /// Which moves the node has, and in which order.
    pub selection: Signal<In, Bits<{ width::<Selection>() }>>,
    /// The table's move, two killers and the counter move, or zeros.
    pub special: Signal<In, Bits<{ width::<[Move; SPECIAL]>() }>>,
    /// The place of the move picked last.
    pub after: Signal<In, Bits<{ width::<Place>() }>>,
    /// Pick the next one.
    pub next: Signal<In, Bit>,
    /// The planes are those of the position.
    pub looked: Signal<Out, Bit>,
    /// There is a legal move, or a pawn drop that mates.
    pub has_move: Signal<Out, Bit>,
    /// The mover is in check.
    pub in_check: Signal<Out, Bit>,
    /// The results are there.
    pub done: Signal<Out, Bit>,
    /// There is a move.
    pub valid: Signal<Out, Bit>,
    /// The move.
    pub candidate: Signal<Out, Bits<{ width::<Candidate>() }>>,
    /// Its class.
    pub class: Signal<Out, Bits<4>>,
    /// Its place.
    pub place: Signal<Out, Bits<{ width::<Place>() }>>,
    /// It gives check.
    pub checks: Signal<Out, Bit>,
    /// What it gains at once.
    pub gain: Signal<Out, Bits<GAIN_BITS>>,
    /// Its exchange.
    pub exchange: Signal<Out, Bits<SCORE_BITS>>,
}
