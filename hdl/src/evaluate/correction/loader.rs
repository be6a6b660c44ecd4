//! The loader of a network: checks the bytes behind the table's as they arrive, and hands on the weights.
//!
//! ```text
//!            +-----------------+
//!   start   ->                 -> bad
//!   valid   ->  NetworkLoader  =>               weights: `NetworkSource`
//!   data 8  =>                 |
//!   clock   ->                 |
//!            +-----------------+
//! ```
//!
//! Handshake: `start` begins a file; a byte behind those of the table is taken in each clock with `valid`. `bad` comes in the
//! clock of the byte that is wrong.
//! A number is a bias (places 0 to 63), a weight of the last layer (64 to 191) or the constant (192). The weights of four units go to the
//! first layer together. Weights of code 0, which is no feature, are checked and dropped.
//! Latency: none. Throughput: one byte a clock. Cost: 52 flip-flops. Absent: the number of bytes, and the checksum (`evaluate::loader`).
//! Model: `host/model/src/evaluate/loader.rs`.

use super::features::ADDRESS_BITS;
use super::first_layer::COLUMN_BITS;
use crate::ports;
use hayasashi_spec::network::*;
use rust_hdl::prelude::*;

/// Wires of a number.
pub const NUMBER_BITS: usize = 16;
/// Wires of the place of a number.
pub const NUMBER_PLACE_BITS: usize = 8;
const HEAD_BITS: usize = 9;
const _: () = assert!(SIZES_BYTES == 8 && head_bytes(CHIP_UNITS) < 1 << HEAD_BITS);

crate::constants! {
    Values {
        units: Bits<32> = CHIP_UNITS;
        head_end: Bits<HEAD_BITS> = head_bytes(CHIP_UNITS) - 1;
        /// Behind the last bias, and behind the last weight of the last layer.
        biases_end: Bits<NUMBER_PLACE_BITS> = CHIP_UNITS;
        last_end: Bits<NUMBER_PLACE_BITS> = 3 * CHIP_UNITS;
        bias_limit: Bits<NUMBER_BITS> = BIAS_LIMIT;
        last_limit: Bits<NUMBER_BITS> = LAST_LIMIT;
        constant_limit: Bits<NUMBER_BITS> = CONSTANT_LIMIT;
    }
}

ports! {
    /// The weights of a network on their way from its loader.
    NetworkSource <=> NetworkSink {
        -> number_enable: Bit, "A number is complete.";
        -> number_place: Bits<NUMBER_PLACE_BITS>, "Its place among the numbers.";
        -> number: Bits<NUMBER_BITS>, "Its value, two's complement.";
        -> first_enable: Bit, "Weights of the first layer are complete, those of four units.";
        -> first_column: Bits<4>, "Their units.";
        -> first_address: Bits<ADDRESS_BITS>, "Their feature's address.";
        -> first_data: Bits<COLUMN_BITS>, "The weights.";
    }
}

/// Checks a network and hands on its weights.
#[derive(LogicBlock, Default)]
pub struct NetworkLoader {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// For one clock: a file begins.
    pub start: Signal<In, Bit>,
    /// A byte of the network.
    pub valid: Signal<In, Bit>,
    /// Its value.
    pub data: Signal<In, Bits<8>>,
    /// The network is refused.
    pub bad: Signal<Out, Bit>,
    /// Weights that are complete.
    pub weights: NetworkSource,
    /// The bytes before this one.
    before: DFF<Bits<24>>,
    /// Bytes of the head so far; all when `in_first`.
    head: DFF<Bits<HEAD_BITS>>,
    in_first: DFF<Bit>,
    unit: DFF<Bits<6>>,
    code: DFF<Bits<5>>,
    slot: DFF<Bits<7>>,
    value: Values,
    word: Signal<Local, Bits<32>>,
    number_now: Signal<Local, Bits<NUMBER_BITS>>,
    place_now: Signal<Local, Bits<HEAD_BITS>>,
    limit: Signal<Local, Bits<NUMBER_BITS>>,
    above: Signal<Local, Bits<NUMBER_BITS>>,
}

impl Logic for NetworkLoader {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, before, head, in_first, unit, code, slot);
        self.word.next = (bit_cast::<32, 8>(self.data.val()) << 24) | bit_cast::<32, 24>(self.before.q.val());
        self.number_now.next = self.word.val().get_bits::<16>(16);
        self.place_now.next = self.head.q.val() - 8;
        self.weights.number_place.next = self.place_now.val().get_bits::<NUMBER_PLACE_BITS>(1);
        self.limit.next = self.value.constant_limit.val();
        if self.weights.number_place.val() < self.value.last_end.val() {
            self.limit.next = self.value.last_limit.val();
        }
        if self.weights.number_place.val() < self.value.biases_end.val() {
            self.limit.next = self.value.bias_limit.val();
        }
        self.above.next = self.number_now.val() + self.limit.val();

        self.bad.next = false;
        self.weights.number_enable.next = false;
        self.weights.first_enable.next = false;
        if self.valid.val() {
            self.before.d.next = self.word.val().get_bits::<24>(8);
            if !self.in_first.q.val() {
                self.head.d.next = self.head.q.val() + 1;
                if self.head.q.val() == 3 {
                    self.bad.next = self.word.val() != self.value.units.val();
                }
                if self.head.q.val() == 7 {
                    self.bad.next = !self.word.val().any();
                }
                if (self.head.q.val() >= 8) & self.head.q.val().get_bit(0) {
                    self.weights.number_enable.next = true;
                    self.bad.next = self.above.val() > (self.limit.val() << 1);
                }
                if self.head.q.val() == self.value.head_end.val() {
                    self.in_first.d.next = true;
                }
            } else {
                self.bad.next = self.data.val() == 128;
                self.weights.first_enable.next =
                    self.unit.q.val().get_bit(0) & self.unit.q.val().get_bit(1) & self.code.q.val().any();
                self.unit.d.next = self.unit.q.val() + 1;
                if self.unit.q.val().all() {
                    self.code.d.next = self.code.q.val() + 1;
                }
                if self.unit.q.val().all() & self.code.q.val().all() {
                    self.slot.d.next = self.slot.q.val() + 1;
                }
            }
        }
        if self.start.val() {
            self.head.d.next = 0.into();
            self.in_first.d.next = false;
            self.unit.d.next = 0.into();
            self.code.d.next = 0.into();
            self.slot.d.next = 0.into();
        }

        self.weights.number.next = self.number_now.val();
        self.weights.first_column.next = self.unit.q.val().get_bits::<4>(2);
        self.weights.first_address.next =
            (bit_cast::<ADDRESS_BITS, 7>(self.slot.q.val()) << 5) | bit_cast::<ADDRESS_BITS, 5>(self.code.q.val());
        self.weights.first_data.next = self.word.val();
    }
}

crate::inputs!(NetworkLoader: clock, start, valid, data if valid);
