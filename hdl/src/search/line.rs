//! The lines of the nodes on the walker's path. That of the root is the answer's.
//!
//! ```text
//!               +------+
//!   clock      ->      -> ready          the line is complete
//!   clear      ->      => length 5       moves of the root's line
//!   raise      -> Line => first 15       its first move, zero if there is none
//!   ply 6      =>      => mv 16          its move number `at` of the clock before; zero behind its end
//!   raised 15  =>      |
//!   forget     ->      |
//!   at 4       =>      |
//!   reset      ->      |
//!               +------+
//! ```
//!
//! Handshake: `clear` empties the line of a ply; `raise` while `ready` makes it the move and the line of the ply below, cut to [`MAX_LINE`] moves.
//! `forget` empties the root's line. `at` is looked at while `ready`.
//! Latency: from `raise` four clocks, and one for each move of the line below. Throughput: one line at a time.
//! Cost: 70 flip-flops, and 1,024 rows of 15 wires in block RAM.
//! Model: `host/model/src/search/walker.rs` (`raise_line`). Absent: the score (`unit`).

use hayasashi_spec::search::MAX_LINE;
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        longest: Bits<5> = MAX_LINE;
    }
}

/// Keeps lines.
#[derive(LogicBlock, Default)]
pub struct Line {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Empty the line of a ply.
    pub clear: Signal<In, Bit>,
    /// Make a line.
    pub raise: Signal<In, Bit>,
    /// The ply of the line.
    pub ply: Signal<In, Bits<6>>,
    /// Its first move.
    pub raised: Signal<In, Bits<15>>,
    /// Empty the root's line.
    pub forget: Signal<In, Bit>,
    /// Which move of the root's line is read.
    pub at: Signal<In, Bits<4>>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// The line is complete.
    pub ready: Signal<Out, Bit>,
    /// Moves of the root's line.
    pub length: Signal<Out, Bits<5>>,
    /// Its first move.
    pub first: Signal<Out, Bits<15>>,
    /// The move that was read.
    pub mv: Signal<Out, Bits<16>>,
    apart_moves: RAM<Bits<15>, 10>,
    apart_lengths: RAM<Bits<5>, 6>,
    /// Moves of the line below that are to be copied, and those that are.
    left: DFF<Bits<5>>,
    copied: DFF<Bits<4>>,
    counting: DFF<Bits<2>>,
    reading: DFF<Bit>,
    read: DFF<Bit>,
    read_at: DFF<Bits<4>>,
    line_ply: DFF<Bits<6>>,
    root_length: DFF<Bits<5>>,
    root_first: DFF<Bits<15>>,
    in_line: DFF<Bit>,
    below: Signal<Local, Bits<6>>,
    next_copied: Signal<Local, Bits<4>>,
    next_read_at: Signal<Local, Bits<4>>,
    new_length: Signal<Local, Bits<5>>,
    value: Values,
}

impl Logic for Line {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, left, copied, counting, reading, read, read_at, line_ply);
        dff_setup!(self, clock, root_length, root_first, in_line);
        self.apart_moves.read_clock.next = self.clock.val();
        self.apart_moves.write_clock.next = self.clock.val();
        self.apart_lengths.read_clock.next = self.clock.val();
        self.apart_lengths.write_clock.next = self.clock.val();
        self.below.next = self.line_ply.q.val() + 1;
        self.next_copied.next = self.copied.q.val() + 1;
        self.next_read_at.next = self.read_at.q.val() + 1;

        // The length of the line below is read, and grows by one.
        self.apart_lengths.read_address.next = self.below.val();
        self.new_length.next = self.apart_lengths.read_data.val() + 1;
        if self.apart_lengths.read_data.val() == self.value.longest.val() {
            self.new_length.next = self.value.longest.val();
        }
        self.apart_lengths.write_address.next = self.ply.val();
        self.apart_lengths.write_data.next = 0.into();
        self.apart_lengths.write_enable.next = self.clear.val();

        self.apart_moves.read_address.next =
            (bit_cast::<10, 6>(self.below.val()) << 4) | bit_cast::<10, 4>(self.copied.q.val());
        self.apart_moves.write_address.next =
            (bit_cast::<10, 6>(self.line_ply.q.val()) << 4) | bit_cast::<10, 4>(self.next_read_at.val());
        self.apart_moves.write_data.next = self.apart_moves.read_data.val();
        self.apart_moves.write_enable.next = self.read.q.val();

        if self.raise.val() {
            self.line_ply.d.next = self.ply.val();
            self.counting.d.next = 2.into();
            self.apart_moves.write_address.next = bit_cast::<10, 6>(self.ply.val()) << 4;
            self.apart_moves.write_data.next = self.raised.val();
            self.apart_moves.write_enable.next = true;
            if !self.ply.val().any() {
                self.root_first.d.next = self.raised.val();
            }
        }
        if self.counting.q.val().any() {
            self.counting.d.next = self.counting.q.val() - 1;
        }
        if self.counting.q.val() == 1 {
            self.left.d.next = self.new_length.val() - 1;
            self.copied.d.next = 0.into();
            self.reading.d.next = true;
            self.apart_lengths.write_address.next = self.line_ply.q.val();
            self.apart_lengths.write_data.next = self.new_length.val();
            self.apart_lengths.write_enable.next = true;
            if !self.line_ply.q.val().any() {
                self.root_length.d.next = self.new_length.val();
            }
        }
        self.read.d.next = false;
        self.read_at.d.next = self.copied.q.val();
        if self.reading.q.val() {
            if self.left.q.val().any() {
                self.read.d.next = true;
                self.copied.d.next = self.next_copied.val();
                self.left.d.next = self.left.q.val() - 1;
            } else {
                self.reading.d.next = false;
            }
        }
        self.ready.next = !self.counting.q.val().any() & !self.reading.q.val() & !self.read.q.val();

        // The answer.
        if self.ready.val() {
            self.apart_moves.read_address.next = bit_cast::<10, 4>(self.at.val());
        }
        self.in_line.d.next = self.ready.val() & (bit_cast::<5, 4>(self.at.val()) < self.root_length.q.val());
        self.mv.next = 0.into();
        if self.in_line.q.val() {
            self.mv.next = bit_cast::<16, 15>(self.apart_moves.read_data.val());
        }
        if self.forget.val() {
            self.root_length.d.next = 0.into();
            self.root_first.d.next = 0.into();
        }
        self.length.next = self.root_length.q.val();
        self.first.next = self.root_first.q.val();
        if self.reset.val() {
            self.counting.d.next = 0.into();
            self.reading.d.next = false;
            self.read.d.next = false;
            self.root_length.d.next = 0.into();
        }
    }
}
