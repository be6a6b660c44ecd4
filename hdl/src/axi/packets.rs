//! Ends packets: one for each answer, or packets of a fixed size, which fillers complete.
//!
//! ```text
//!                     +---------+
//!   clock, clear     ->         -> ready
//!   packet_words 12  =>         -> tvalid
//!   valid            -> Packets => tdata 64
//!   data 64          =>         -> tlast
//!   last             ->         |
//!   tready           ->         |
//!                     +---------+
//! ```
//!
//! Handshake: on both sides a word passes in a clock with valid and ready. What is at the output stays until it is
//! taken or `clear` is high, which empties all. `last` goes with the last word of an answer. While `packet_words` is zero,
//! `tlast` does too. Else `tlast` goes with each `packet_words`-th word, and when [`PACKET_IDLE_CLOCKS`] clocks have passed without a
//! word behind an answer, fillers follow up to the end of the packet ([`hayasashi_spec::word_frame`]). There are none inside an
//! answer; an answer that comes meanwhile goes on in the same packet. `packet_words` is constant. `ready` comes from a register.
//! Latency: one clock. Throughput: a word a clock. Cost: 150 flip-flops. Model: none (the answers stay the same).
//! Absent: other widths.

use crate::link::skid_buffer::SkidBuffer;
use hayasashi_spec::word_frame::{FILLER, PACKET_IDLE_CLOCKS};
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        filler: Bits<64> = FILLER;
        idle_clocks: Bits<5> = PACKET_IDLE_CLOCKS;
    }
}

/// Ends packets, and completes them.
#[derive(LogicBlock, Default)]
pub struct Packets {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets the packet that is under way.
    pub clear: Signal<In, Bit>,
    /// Words of a packet; 0: each answer is one.
    pub packet_words: Signal<In, Bits<12>>,
    /// A word of an answer.
    pub valid: Signal<In, Bit>,
    /// Its value, the first byte lowest.
    pub data: Signal<In, Bits<64>>,
    /// It is the last one of the answer.
    pub last: Signal<In, Bit>,
    /// It is taken in this clock; from a register.
    pub ready: Signal<Out, Bit>,
    /// A word leaves.
    pub tvalid: Signal<Out, Bit>,
    /// Its value.
    pub tdata: Signal<Out, Bits<64>>,
    /// It is the last one of a packet.
    pub tlast: Signal<Out, Bit>,
    /// It is taken in this clock.
    pub tready: Signal<In, Bit>,
    skid: SkidBuffer<64>,
    /// An answer has begun.
    in_answer: DFF<Bit>,
    /// Words of the packet so far.
    filled: DFF<Bits<12>>,
    /// Clocks without a word.
    idle: DFF<Bits<5>>,
    fixed: Signal<Local, Bit>,
    waited: Signal<Local, Bit>,
    fills: Signal<Local, Bit>,
    next_filled: Signal<Local, Bits<12>>,
    is_full: Signal<Local, Bit>,
    value: Values,
}

impl Logic for Packets {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, skid);
        dff_setup!(self, clock, in_answer, filled, idle);
        self.fixed.next = self.packet_words.val().any();
        self.waited.next = self.idle.q.val() == self.value.idle_clocks.val();
        self.fills.next = self.filled.q.val().any() & !self.in_answer.q.val() & self.waited.val();
        self.next_filled.next = self.filled.q.val() + 1;
        self.is_full.next = self.next_filled.val() == self.packet_words.val();

        self.ready.next = self.skid.ready.val();
        self.skid.clear.next = self.clear.val();
        self.skid.valid.next = self.valid.val() | self.fills.val();
        self.skid.data.next = self.data.val();
        if !self.valid.val() {
            self.skid.data.next = self.value.filler.val();
        }
        self.skid.last.next = self.last.val();
        if self.fixed.val() {
            self.skid.last.next = self.is_full.val();
        }
        self.tvalid.next = self.skid.tvalid.val();
        self.tdata.next = self.skid.tdata.val();
        self.tlast.next = self.skid.tlast.val();
        self.skid.tready.next = self.tready.val();

        if self.valid.val() {
            self.idle.d.next = 0.into();
        } else if !self.waited.val() {
            self.idle.d.next = self.idle.q.val() + 1;
        }
        if self.skid.ready.val() {
            if self.valid.val() {
                self.in_answer.d.next = !self.last.val();
            }
            if self.fixed.val() & (self.valid.val() | self.fills.val()) {
                self.filled.d.next = self.next_filled.val();
                if self.is_full.val() {
                    self.filled.d.next = 0.into();
                }
            }
        }
        if self.clear.val() {
            self.in_answer.d.next = false;
            self.filled.d.next = 0.into();
            self.idle.d.next = 0.into();
        }
    }
}
