//! The positions under way, and what is known of each.
//!
//! ```text
//!                    +--------------+
//!   clock, reset    ->              -> decided, faults 5, count 10, moves 10, word 32, length 12    of the oldest slot
//!   start           ->              -> given_decided, given_moves 10, given_scoring                 of the slot `given`
//!   start_slot 2    =>              => root_scores 4   slots whose positions are to be scored
//!   want_records    ->              |
//!   want_scores     ->              |
//!   faults_found    -> RequestSlots |
//!   fault_slot 2    =>              |
//!   found 4         =>              |
//!   turned 22       =>              |
//!   result 22       =>              |
//!   may_mate        ->              |
//!   scored          ->              |
//!   score 16        =>              |
//!   oldest 2        =>              |
//!   given 2         =>              |
//!                    +--------------+
//! ```
//!
//! Handshake: see [`super::request_slot`], of which there are four. `turned` and `result` are tags whose rows' low bits are the slot;
//! tags of positions after moves that the host gets are passed over. `scored` follows the result of its position before the next
//! result of a requested position.
//! Latency: as of a slot. Throughput: one pulse of each kind a clock. Cost: four slots, 2 flip-flops. Model: none.
//! Absent: the order of the slots (`request_control`).

use super::request_slot::RequestSlot;
use super::tag_decoder::{TagDecoder, TAG_WIDTH};
use crate::position::tag::ROW_BITS;
use rust_hdl::prelude::*;

/// Positions under way.
pub const SLOTS: usize = 4;
/// Bits of a slot's number.
pub const SLOT_BITS: usize = 2;
const _: () = assert!(SLOTS == 1 << SLOT_BITS);

/// The positions under way.
#[derive(LogicBlock, Default)]
pub struct RequestSlots {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// No position is under way.
    pub reset: Signal<In, Bit>,
    /// For one clock: a request begins.
    pub start: Signal<In, Bit>,
    /// With `start`: its slot.
    pub start_slot: Signal<In, Bits<SLOT_BITS>>,
    /// With `start`: the moves are wanted one by one.
    pub want_records: Signal<In, Bit>,
    /// With `start`: scores are wanted.
    pub want_scores: Signal<In, Bit>,
    /// The faults of a position are known.
    pub faults_found: Signal<In, Bit>,
    /// Its slot.
    pub fault_slot: Signal<In, Bits<SLOT_BITS>>,
    /// The faults, but for the fifth.
    pub found: Signal<In, Bits<4>>,
    /// Tag of a position that has left the target stage.
    pub turned: Signal<In, Bits<TAG_WIDTH>>,
    /// Tag of a position that is counted.
    pub result: Signal<In, Bits<TAG_WIDTH>>,
    /// With `result`: a pawn drop is being tested.
    pub may_mate: Signal<In, Bit>,
    /// A requested position is scored.
    pub scored: Signal<In, Bit>,
    /// Its score.
    pub score: Signal<In, Bits<16>>,
    /// The slot of the present answer.
    pub oldest: Signal<In, Bits<SLOT_BITS>>,
    /// The slot whose moves are made next.
    pub given: Signal<In, Bits<SLOT_BITS>>,
    /// All is known of the oldest position.
    pub decided: Signal<Out, Bit>,
    /// Why it cannot occur.
    pub faults: Signal<Out, Bits<5>>,
    /// Its legal moves.
    pub count: Signal<Out, Bits<10>>,
    /// Those that the answer lists.
    pub moves: Signal<Out, Bits<10>>,
    /// The first half of a word of the answer.
    pub word: Signal<Out, Bits<32>>,
    /// Bytes of the answer.
    pub length: Signal<Out, Bits<12>>,
    /// All is known of the position of the slot `given`.
    pub given_decided: Signal<Out, Bit>,
    /// Moves that its answer lists.
    pub given_moves: Signal<Out, Bits<10>>,
    /// With scores.
    pub given_scoring: Signal<Out, Bit>,
    /// Slots whose positions are to be scored.
    pub root_scores: Signal<Out, Bits<SLOTS>>,
    slots: [RequestSlot; SLOTS],
    target: TagDecoder,
    counted: TagDecoder,
    /// The slot of the position that was counted last.
    last_counted: DFF<Bits<SLOT_BITS>>,
    is_root: Signal<Local, Bit>,
    counted_slot: Signal<Local, Bits<SLOT_BITS>>,
    starts: Signal<Local, Bits<SLOTS>>,
    faulted: Signal<Local, Bits<SLOTS>>,
    turns: Signal<Local, Bits<SLOTS>>,
    counts: Signal<Local, Bits<SLOTS>>,
    tests: Signal<Local, Bits<SLOTS>>,
    scores: Signal<Local, Bits<SLOTS>>,
    is_oldest: Signal<Local, Bits<SLOTS>>,
    is_given: Signal<Local, Bits<SLOTS>>,
}

impl Logic for RequestSlots {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, last_counted);
        self.target.tag.next = self.turned.val();
        self.counted.tag.next = self.result.val();
        self.is_root.next = self.counted.node.val() | (self.counted.leaf.val() & !self.counted.child.val());
        self.counted_slot.next = bit_cast::<SLOT_BITS, ROW_BITS>(self.counted.row.val());
        if self.is_root.val() & !self.counted.mate.val() {
            self.last_counted.d.next = self.counted_slot.val();
        }
        self.starts.next = bit_cast::<SLOTS, 1>(self.start.val().into()) << self.start_slot.val();
        self.faulted.next = bit_cast::<SLOTS, 1>(self.faults_found.val().into()) << self.fault_slot.val();
        self.turns.next = bit_cast::<SLOTS, 1>(self.target.turned.val().into())
            << bit_cast::<SLOT_BITS, ROW_BITS>(self.target.row.val());
        self.counts.next =
            bit_cast::<SLOTS, 1>((self.is_root.val() & !self.counted.mate.val()).into()) << self.counted_slot.val();
        self.tests.next =
            bit_cast::<SLOTS, 1>((self.is_root.val() & self.counted.mate.val()).into()) << self.counted_slot.val();
        self.scores.next = bit_cast::<SLOTS, 1>(self.scored.val().into()) << self.last_counted.q.val();
        self.is_oldest.next = bit_cast::<SLOTS, 1>(true.into()) << self.oldest.val();
        self.is_given.next = bit_cast::<SLOTS, 1>(true.into()) << self.given.val();
        for i in 0..4 {
            self.slots[i].clock.next = self.clock.val();
            self.slots[i].reset.next = self.reset.val();
            self.slots[i].start.next = self.starts.val().get_bit(i);
            self.slots[i].want_records.next = self.want_records.val();
            self.slots[i].want_scores.next = self.want_scores.val();
            self.slots[i].faults_found.next = self.faulted.val().get_bit(i);
            self.slots[i].found.next = self.found.val();
            self.slots[i].turned.next = self.turns.val().get_bit(i);
            self.slots[i].capturable.next = self.target.in_check.val();
            self.slots[i].counted.next = self.counts.val().get_bit(i);
            self.slots[i].legal.next = self.counted.count.val();
            self.slots[i].in_check.next = self.counted.in_check.val();
            self.slots[i].may_mate.next = self.may_mate.val();
            self.slots[i].tested.next = self.tests.val().get_bit(i);
            self.slots[i].scored.next = self.scores.val().get_bit(i);
            self.slots[i].score.next = self.score.val();
        }
        self.root_scores.next = bit_cast::<SLOTS, 1>(self.slots[0].root_scores.val().into())
            | (bit_cast::<SLOTS, 1>(self.slots[1].root_scores.val().into()) << 1)
            | (bit_cast::<SLOTS, 1>(self.slots[2].root_scores.val().into()) << 2)
            | (bit_cast::<SLOTS, 1>(self.slots[3].root_scores.val().into()) << 3);
        self.decided.next = self.slots[0].decided.val();
        self.faults.next = self.slots[0].faults.val();
        self.count.next = self.slots[0].count.val();
        self.moves.next = self.slots[0].moves.val();
        self.word.next = self.slots[0].word.val();
        self.length.next = self.slots[0].length.val();
        self.given_decided.next = self.slots[0].decided.val();
        self.given_moves.next = self.slots[0].moves.val();
        self.given_scoring.next = self.slots[0].scoring.val();
        for i in 1..4 {
            if self.is_oldest.val().get_bit(i) {
                self.decided.next = self.slots[i].decided.val();
                self.faults.next = self.slots[i].faults.val();
                self.count.next = self.slots[i].count.val();
                self.moves.next = self.slots[i].moves.val();
                self.word.next = self.slots[i].word.val();
                self.length.next = self.slots[i].length.val();
            }
            if self.is_given.val().get_bit(i) {
                self.given_decided.next = self.slots[i].decided.val();
                self.given_moves.next = self.slots[i].moves.val();
                self.given_scoring.next = self.slots[i].scoring.val();
            }
        }
    }
}
