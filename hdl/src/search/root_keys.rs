//! The terms of a whole position's keys, one after the other.
//!
//! ```text
//!               +----------+
//!   clock      ->          -> valid          a term for `keys`:
//!   start      -> RootKeys => address 12     its number
//!   board 447  =>          => used 4         what it does, see `keys::Use`
//!   reset      ->          -> busy
//!               +----------+
//!
//!   place -> at
//! ```
//!
//! Handshake: `start` for one clock; `board` stays while `busy`. A term is given in each clock with `valid`.
//! Latency: about 500 clocks. Throughput: one position at a time.
//! Cost: 40 flip-flops. Model: `host/model/src/search/keys.rs` (`Keys::new`). Absent: the sums (`keys`).

use super::key_rom::ADDRESS_BITS;
use super::keys::Use;
use crate::movegen::positions::BOARD_WIDTH;
use crate::network;
use crate::network::{width, word::or_all, Wire, Wires, Word};
use crate::position::{board::turn_square, Board};
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Wires of the number of pieces of a kind in a hand.
const HELD_BITS: usize = 5;
/// Places: squares, then kinds in hand, the mover's first.
const PLACES: usize = SQUARES + 2 * HAND_KINDS;

network! {
    /// The numbers of a place, and how often they count.
    At = at(AtIn) -> AtOut {
        in place: Wires<7>;
        in board: Board;
        out own: Wires<ADDRESS_BITS>;
        out their: Wires<ADDRESS_BITS>;
        out on_board: Wire;
        out times: Wires<HELD_BITS>;
    }
}

fn at<W: Word>(inputs: AtIn<W>) -> AtOut<W> {
    let AtIn { place, board } = inputs;
    let squares: Vec<W> = (0..SQUARES).map(|s| place.is(s as u128)).collect();
    let here = W::join(&squares).named("here");
    let code = W::join(&board.code.map(|plane| (plane & here).any())).named("code");
    let on_board = place.below(W::constant(SQUARES as u128, 7)).named("on_board");
    let hands = (0..2 * HAND_KINDS).map(|i| {
        let held = board.held(i / HAND_KINDS, i % HAND_KINDS);
        held.extend(HELD_BITS).when(place.is((SQUARES + i) as u128))
    });
    let held = or_all(hands).named("held");

    let other = code ^ W::constant(THEIRS as u128, CODE_BITS);
    let turned = turn_square(place).named("turned");
    let kind = place.minus(W::constant(SQUARES as u128, 7), CODE_BITS).named("kind");
    let kinds = W::constant(HAND_KINDS as u128, CODE_BITS);
    let mine = kind.below(kinds);
    let other_kind = mine.choose(kind.plus(kinds, CODE_BITS), kind.minus(kinds, CODE_BITS)).named("other_kind");
    let in_hand = |kind: W| W::join(&[kind, W::constant(SQUARES as u128, 7)]);
    let some = code.slice(0, CODE_BITS - 1).any().extend(HELD_BITS);
    AtOut {
        own: on_board.choose(W::join(&[code, place]), in_hand(kind)),
        their: on_board.choose(W::join(&[other, turned]), in_hand(other_kind)),
        on_board,
        times: on_board.choose(some, held),
    }
}

crate::constants! {
    Values {
        places: Bits<7> = PLACES;
        // Wires of `Use`: the other side's view, the board's part, an addition.
        other_bit: Bits<4> = 1 << Use::lowest_wire("other");
        toggles: Bits<4> = 1 << Use::lowest_wire("toggles");
        adds: Bits<4> = 1 << Use::lowest_wire("adds");
    }
}

/// Gives the terms of a position's keys.
#[derive(LogicBlock, Default)]
pub struct RootKeys {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Begin.
    pub start: Signal<In, Bit>,
    /// The position.
    pub board: Signal<In, Bits<BOARD_WIDTH>>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// A term.
    pub valid: Signal<Out, Bit>,
    /// Its number.
    pub address: Signal<Out, Bits<ADDRESS_BITS>>,
    /// What it does.
    pub used: Signal<Out, Bits<{ width::<Use>() }>>,
    /// Terms follow.
    pub busy: Signal<Out, Bit>,
    at: At,
    place: DFF<Bits<7>>,
    running: DFF<Bit>,
    /// Clocks until the numbers of the place are there.
    wait: DFF<Bits<2>>,
    /// How often they have counted, and whether the next one is for the other view.
    given: DFF<Bits<HELD_BITS>>,
    second: DFF<Bit>,
    part: Signal<Local, Bits<4>>,
    value: Values,
}

impl Logic for RootKeys {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, place, running, wait, given, second);
        clock!(self, clock, at);
        self.at.place.next = self.place.q.val();
        self.at.board.next = self.board.val();
        self.busy.next = self.running.q.val();

        self.part.next = self.value.adds.val();
        if self.at.on_board.val().any() {
            self.part.next = self.value.toggles.val();
        }
        // The view of the mover has the number 0, and a move's terms say which view is not theirs.
        self.used.next = self.part.val() | self.value.other_bit.val();
        self.address.next = self.at.own.val();
        if self.second.q.val() {
            self.used.next = self.part.val();
            self.address.next = self.at.their.val();
        }
        self.valid.next = false;
        if self.running.q.val() {
            if self.wait.q.val().any() {
                self.wait.d.next = self.wait.q.val() - 1;
            } else if self.given.q.val() == self.at.times.val() {
                self.place.d.next = self.place.q.val() + 1;
                self.given.d.next = 0.into();
                self.wait.d.next = 1.into();
                if self.place.q.val() == self.value.places.val() {
                    self.running.d.next = false;
                }
            } else {
                self.valid.next = true;
                self.second.d.next = !self.second.q.val();
                if self.second.q.val() {
                    self.given.d.next = self.given.q.val() + 1;
                }
            }
        }
        if self.start.val() {
            self.running.d.next = true;
            self.place.d.next = 0.into();
            self.given.d.next = 0.into();
            self.second.d.next = false;
            self.wait.d.next = 1.into();
        }
        if self.reset.val() {
            self.running.d.next = false;
        }
    }
}
