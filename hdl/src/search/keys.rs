//! The keys of both sides' views, updated by a move.
//!
//! ```text
//!                 +----------+
//!   clock        ->          => keys 256   after the move, turned; see `Keys`
//!   start        ->          -> ready      the last update is complete
//!   keys_in 256  => KeyMaker |
//!   change 24    =>          |             see `Change`
//!   direct       ->          |             a term from outside:
//!   address 12   =>          |             of this number,
//!   used 4       =>          |             used so, see `Use`
//!   reset        ->          |
//!                 +----------+
//!
//!   term -> key_rom -> number -> apply
//! ```
//!
//! Handshake: `start` takes `keys_in`, and forgets an update that is under way; `change` stays until `ready` again. A term from outside changes the keys
//! four clocks later; until then they are not `ready`.
//! Latency: 12 clocks. Throughput: one move in 12 clocks.
//! Cost: 350 flip-flops, and the block RAMs of [`super::key_rom`].
//! Method: a move changes up to four terms of each view, one a clock. That a view is turned makes it the other one.
//! Model: `host/model/src/search/keys.rs`. Absent: the terms of a whole position (`root_keys`).

use super::key_rom::{KeyRom, ADDRESS_BITS, KEY_BITS};
use super::node::Candidate;
use crate::network::{width, Wire, Wires, Word};
use crate::position::board::turn_square;
use crate::{bundle, network};
use hayasashi_spec::moves::DROP_FROM;
use hayasashi_spec::piece::*;
use rust_hdl::prelude::*;

/// Clocks from a move to its keys.
pub const KEY_CLOCKS: u64 = 12;

bundle! {
    /// The parts of a position's key as the mover sees it, and as the other side sees it.
    pub struct Keys {
        /// The exclusive or of the pieces' numbers.
        board: [Wires<KEY_BITS>; 2],
        /// The sum of the numbers of pieces in hand.
        hands: [Wires<KEY_BITS>; 2],
    }
}

bundle! {
    /// A move.
    pub struct Change {
        /// The move.
        candidate: Candidate,
        /// It is a null move.
        pass: Wire,
    }
}

bundle! {
    /// What becomes of a number.
    pub struct Use {
        /// It belongs to the other side's view.
        other: Wire,
        /// It changes the board's part.
        toggles: Wire,
        /// It is added to the hands' part.
        adds: Wire,
        /// It is subtracted.
        subtracts: Wire,
    }
}

network! {
    /// The address of a term, by its number.
    Term = term(TermIn) -> TermOut {
        in number: Wires<4>;
        in change: Change;
        out address: Wires<ADDRESS_BITS>;
        out used: Use;
    }
}

network! {
    /// Changes the keys by a number.
    Apply = apply(ApplyIn) -> ApplyOut {
        in load: Wire;
        in keys_in: Keys;
        in state_in: Keys;
        in used: Use;
        in number: Wires<KEY_BITS>;
        out state: Keys;
    }
}

fn term<W: Word>(inputs: TermIn<W>) -> TermOut<W> {
    let TermIn { number, change } = inputs;
    let c = change.candidate;
    let other = number.bit(0);
    let pair = number.slice(1, 2);
    let some = (!number.bit(3) & !change.pass).named("some");
    let drop = (!c.from().below(W::constant(DROP_FROM as u128, 7))).named("drop");
    let captures = c.captured.any().named("captures");
    let [arrives, leaves, takes, holds] = [0, 1, 2, 3].map(|i| pair.is(i));

    let square = leaves.choose(c.from(), c.to()).named("square");
    let turned = turn_square(square).named("turned");
    let kind = takes.choose(c.captured, leaves.choose(c.moved, c.becomes())).named("kind");
    let theirs = (takes ^ other).named("theirs");
    // Behind the last square: the kinds in hand.
    let held = drop.choose(c.moved.slice(0, 3), c.captured.slice(0, 3)).named("held");
    let first = other.choose(W::constant(HAND_KINDS as u128 - 1, 5), W::constant(31, 5));
    let in_hand = W::join(&[held.extend(5).plus(first, 5), W::constant(SQUARES as u128, 7)]);
    let on_board = W::join(&[kind, theirs, other.choose(turned, square)]);
    let king = c.captured.is(KING as u128);
    TermOut {
        address: holds.choose(in_hand, on_board),
        used: Use {
            other,
            toggles: some & (arrives | (leaves & !drop) | (takes & captures)),
            adds: some & holds & !drop & captures & !king,
            subtracts: some & holds & drop,
        },
    }
}

fn apply<W: Word>(inputs: ApplyIn<W>) -> ApplyOut<W> {
    let ApplyIn { load, keys_in, state_in: s, used, number } = inputs;
    let changes = (used.adds | used.subtracts).named("changes");
    let view = |i: usize| {
        // The views have been exchanged already.
        let mine = if i == 0 { used.other } else { !used.other };
        let hands = s.hands[i];
        let complement = W::join(&[used.subtracts; KEY_BITS]);
        let sum = hands.plus((number ^ complement).named_at("addend", i), KEY_BITS);
        let sum = sum.plus(used.subtracts, KEY_BITS).named_at("sum", i);
        (s.board[i] ^ number.when(mine & used.toggles), (mine & changes).choose(sum, hands))
    };
    let [(own, own_hands), (their, their_hands)] = [0, 1].map(view);
    // The turn of the board exchanges the views when the keys are taken.
    let turned = Keys { board: [keys_in.board[1], keys_in.board[0]], hands: [keys_in.hands[1], keys_in.hands[0]] };
    let changed = Keys { board: [own, their], hands: [own_hands, their_hands] };
    ApplyOut { state: Keys::choose(load, &turned, &changed) }
}

/// Makes the keys after a move.
#[derive(LogicBlock, Default)]
pub struct KeyMaker {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Take the keys.
    pub start: Signal<In, Bit>,
    /// Keys before the move.
    pub keys_in: Signal<In, Bits<{ width::<Keys>() }>>,
    /// The move.
    pub change: Signal<In, Bits<{ width::<Change>() }>>,
    /// A term from outside.
    pub direct: Signal<In, Bit>,
    /// The number of that term.
    pub address: Signal<In, Bits<ADDRESS_BITS>>,
    /// What it does.
    pub direct_used: Signal<In, Bits<{ width::<Use>() }>>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// Keys after the move, in the view of the side that moves next.
    pub keys: Signal<Out, Bits<{ width::<Keys>() }>>,
    /// They are complete.
    pub ready: Signal<Out, Bit>,
    term: Term,
    rom: KeyRom,
    apply: Apply,
    count: DFF<Bits<4>>,
    busy: DFF<Bit>,
    used: DFF<Bits<{ width::<Use>() }>>,
    was_direct: DFF<Bit>,
    /// The number, as block RAM is slow, and what is to become of it.
    number: DFF<Bits<KEY_BITS>>,
    number_used: DFF<Bits<{ width::<Use>() }>>,
    number_direct: DFF<Bit>,
    next_count: Signal<Local, Bits<4>>,
}

impl Logic for KeyMaker {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, count, busy, used, was_direct, number, number_used, number_direct);
        clock!(self, clock, term, rom, apply);
        self.next_count.next = self.count.q.val() + 1;

        self.term.number.next = self.count.q.val();
        self.term.change.next = self.change.val();
        self.rom.address.next = self.term.address.val();
        self.used.d.next = self.term.used.val();
        self.was_direct.d.next = self.direct.val();
        if self.direct.val() {
            self.rom.address.next = self.address.val();
            self.used.d.next = self.direct_used.val();
        }

        self.number.d.next = self.rom.number.val();
        self.number_used.d.next = self.used.q.val();
        self.number_direct.d.next = self.was_direct.q.val();
        self.apply.load.next = 0.into();
        self.apply.used.next = 0.into();
        self.apply.number.next = self.number.q.val();
        self.apply.keys_in.next = self.keys_in.val();
        self.apply.state_in.next = self.apply.state.val();

        if self.number_direct.q.val() {
            self.apply.used.next = self.number_used.q.val();
        }
        if self.busy.q.val() {
            self.count.d.next = self.next_count.val();
            // The first number comes three clocks after its address is asked for.
            if (self.count.q.val() != 0) & (self.count.q.val() != 1) & (self.count.q.val() != 2) {
                self.apply.used.next = self.number_used.q.val();
            }
            if self.count.q.val() == 10 {
                self.busy.d.next = false;
            }
        }
        if self.start.val() {
            self.apply.load.next = 1.into();
            self.count.d.next = 0.into();
            self.busy.d.next = true;
        }
        if self.reset.val() {
            self.busy.d.next = false;
        }
        self.keys.next = self.apply.state.val();
        self.ready.next = !self.busy.q.val() & !self.was_direct.q.val() & !self.number_direct.q.val();
    }
}
