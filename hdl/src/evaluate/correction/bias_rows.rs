//! Makes the sums of no feature, which are the biases, when a network is loaded.
//!
//! ```text
//!                     +----------+
//!   clock            ->          -> write           four halves of biases are written to the first layer:
//!   number_enable    -> BiasRows -> low             to their row of low halves
//!   number_place 8   =>          => column 4        to this column
//!   number 16        =>          => data 32         these
//!                     |          -> reads_high      the row of high halves is read, or
//!                     |          -> reads_low       that of low halves
//!                     |          -> loads           the sums begin with zeros
//!                     |          -> keeps           they are complete
//!                     |          -> busy
//!                     +----------+
//! ```
//!
//! Handshake: a number may come each second clock. `loads` comes one clock behind the first address, `keeps` two behind the last one.
//! Latency: 69 clocks from the last bias to `keeps`. The network's other numbers come meanwhile, and no position.
//! Cost: 91 flip-flops. Absent: the memories.
//! Method: a bias is 64 times its high half and once its low half. They are rows of the first layer like those of features, behind the last
//! slot, and are added likewise, one row a clock.
//! Model: none; the model begins with the biases.

use super::first_layer::{COLUMN_BITS, WEIGHT_BITS};
use super::loader::{NUMBER_BITS, NUMBER_PLACE_BITS};
use hayasashi_spec::network::{BIAS_LIMIT, CHIP_UNITS};
use hayasashi_spec::piece::CODE_BITS;
use hayasashi_spec::table::SLOTS;
use rust_hdl::prelude::*;

/// Where the high halves are: code 1 of the first number that is no slot. The low halves are behind them.
pub const HIGHS: usize = SLOTS << CODE_BITS | 1;
/// Wires of a low half; the high half is signed.
const LOW_BITS: usize = 6;
const _: () = assert!((BIAS_LIMIT as usize) < 1 << (LOW_BITS + WEIGHT_BITS - 1));

crate::constants! {
    Values {
        biases_end: Bits<NUMBER_PLACE_BITS> = CHIP_UNITS;
        low_mask: Bits<NUMBER_BITS> = (1 << LOW_BITS) - 1;
        /// When the high halves are read; before, the last weights are written.
        first: Bits<7> = 2;
        last: Bits<7> = 2 + (1 << LOW_BITS) - 1;
        loads: Bits<7> = 3;
        keeps: Bits<7> = 2 + (1 << LOW_BITS) + 2;
    }
}

/// Makes the sums of no feature.
#[derive(LogicBlock, Default)]
pub struct BiasRows {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A number of the network.
    pub number_enable: Signal<In, Bit>,
    /// Its place.
    pub number_place: Signal<In, Bits<NUMBER_PLACE_BITS>>,
    /// The number.
    pub number: Signal<In, Bits<NUMBER_BITS>>,
    /// Halves of four biases are written.
    pub write: Signal<Out, Bit>,
    /// They are low halves.
    pub low: Signal<Out, Bit>,
    /// Their units: four times this, and the next three.
    pub column: Signal<Out, Bits<4>>,
    /// The halves.
    pub data: Signal<Out, Bits<COLUMN_BITS>>,
    /// High halves are read.
    pub reads_high: Signal<Out, Bit>,
    /// Low halves are read.
    pub reads_low: Signal<Out, Bit>,
    /// The sums begin.
    pub loads: Signal<Out, Bit>,
    /// The sums are complete.
    pub keeps: Signal<Out, Bit>,
    /// The sums are being made.
    pub busy: Signal<Out, Bit>,
    /// Halves of the biases before.
    highs: DFF<Bits<COLUMN_BITS>>,
    lows: DFF<Bits<COLUMN_BITS>>,
    /// The high halves have been written in the clock before.
    low_next: DFF<Bit>,
    column_before: DFF<Bits<4>>,
    count: DFF<Bits<7>>,
    high_halves: Signal<Local, Bits<COLUMN_BITS>>,
    low_halves: Signal<Local, Bits<COLUMN_BITS>>,
    high_half: Signal<Local, Bits<WEIGHT_BITS>>,
    low_half: Signal<Local, Bits<WEIGHT_BITS>>,
    low_number: Signal<Local, Bits<NUMBER_BITS>>,
    four: Signal<Local, Bit>,
    value: Values,
}

impl Logic for BiasRows {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, highs, lows, low_next, column_before, count);
        self.high_half.next = self.number.val().get_bits::<WEIGHT_BITS>(6);
        self.low_number.next = self.number.val() & self.value.low_mask.val();
        self.low_half.next = self.low_number.val().get_bits::<WEIGHT_BITS>(0);
        self.high_halves.next =
            (self.highs.q.val() >> 8) | (bit_cast::<COLUMN_BITS, WEIGHT_BITS>(self.high_half.val()) << 24);
        self.low_halves.next =
            (self.lows.q.val() >> 8) | (bit_cast::<COLUMN_BITS, WEIGHT_BITS>(self.low_half.val()) << 24);
        self.four.next = false;
        if self.number_enable.val() & (self.number_place.val() < self.value.biases_end.val()) {
            self.highs.d.next = self.high_halves.val();
            self.lows.d.next = self.low_halves.val();
            self.four.next = self.number_place.val().get_bit(0) & self.number_place.val().get_bit(1);
        }
        self.low_next.d.next = self.four.val();
        self.column_before.d.next = self.number_place.val().get_bits::<4>(2);
        self.write.next = self.four.val() | self.low_next.q.val();
        self.low.next = self.low_next.q.val();
        self.column.next = self.number_place.val().get_bits::<4>(2);
        self.data.next = self.high_halves.val();
        if self.low_next.q.val() {
            self.column.next = self.column_before.q.val();
            self.data.next = self.lows.q.val();
        }

        if self.count.q.val().any() {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.count.q.val() == self.value.keeps.val() {
            self.count.d.next = 0.into();
        }
        if self.low_next.q.val() & self.column_before.q.val().all() {
            self.count.d.next = 1.into();
        }
        self.reads_high.next =
            (self.count.q.val() >= self.value.first.val()) & (self.count.q.val() <= self.value.last.val());
        self.reads_low.next = self.count.q.val() == self.value.last.val() + 1;
        self.loads.next = self.count.q.val() == self.value.loads.val();
        self.keeps.next = self.count.q.val() == self.value.keeps.val();
        self.busy.next = self.count.q.val().any();
    }
}

crate::inputs!(BiasRows: clock, number_enable, number_place if number_enable, number if number_enable);
