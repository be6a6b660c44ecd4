//! A block that is passed over while it is at rest does in every clock what it does alone.

use crate::search::bench::Bench;
use hayasashi_hdl::{inputs, lazy::Lazy};
use hayasashi_tests::link_bench::Rng;
use rust_hdl::prelude::*;

/// Adds up data, and once in 256 clocks of a timer one more; keeps the sums in a memory.
#[derive(LogicBlock, Default)]
struct Adder {
    clock: Signal<In, Clock>,
    valid: Signal<In, Bit>,
    data: Signal<In, Bits<8>>,
    /// The timer runs.
    runs: Signal<In, Bit>,
    /// The row of the memory that is shown.
    at: Signal<In, Bits<4>>,
    sum: Signal<Out, Bits<8>>,
    row: Signal<Out, Bits<8>>,
    total: DFF<Bits<8>>,
    timer: DFF<Bits<8>>,
    rows: RAM<Bits<8>, 4>,
    _updates: u64,
}

impl Logic for Adder {
    fn update(&mut self) {
        self._updates += 1;
        dff_setup!(self, clock, total, timer);
        if self.runs.val() {
            self.timer.d.next = self.timer.q.val() + 1;
            if self.timer.q.val() == 255 {
                self.total.d.next = self.total.q.val() + 1;
            }
        }
        if self.valid.val() {
            self.total.d.next = self.total.q.val() + self.data.val();
        }
        self.rows.write_clock.next = self.clock.val();
        self.rows.read_clock.next = self.clock.val();
        self.rows.write_enable.next = true;
        self.rows.write_address.next = self.total.q.val().get_bits::<4>(0);
        self.rows.write_data.next = self.total.q.val();
        self.rows.read_address.next = self.at.val();
        self.sum.next = self.total.q.val();
        self.row.next = self.rows.read_data.val();
    }
}

inputs!(Adder: clock, valid, data if valid, runs, at);

#[test]
fn a_block_at_rest_wakes_and_misses_nothing() {
    let mut alone = Bench::<Adder>::unrecorded(|block| &mut block.clock);
    let mut lazy = Bench::<Lazy<Adder>>::unrecorded(|block| &mut block.clock);
    let mut rng = Rng(5);
    let (mut rests, mut clocks) = (0, 0);
    for _ in 0..300 {
        let (valid, runs) = (rng.below(3) == 0, rng.below(4) == 0);
        let at = rng.below(16);
        // The data of nobody change in every clock.
        let noise = rng.below(2) == 0;
        let mut data = rng.below(256);
        for _ in 0..rng.below(2000) {
            if noise && !valid {
                data = rng.below(256);
            }
            for block in [&mut alone.block, &mut *lazy.block] {
                (block.valid.next, block.runs.next) = (valid, runs);
                (block.data.next, block.at.next) = (data.into(), at.into());
            }
            alone.run(0);
            lazy.run(0);
            let outputs = |block: &Adder| (block.sum.val(), block.row.val());
            assert_eq!(outputs(&lazy.block), outputs(&alone.block), "clock {clocks}");
            let before = lazy.block._updates;
            // The clock stays high until all has settled, as it does where a waveform is written.
            for high in [true, false] {
                for block in [&mut alone.block, &mut *lazy.block] {
                    block.clock.next = high.into();
                }
                alone.run(0);
                lazy.run(0);
            }
            rests += (lazy.block._updates == before) as u32;
            clocks += 1;
        }
    }
    println!("at rest in {rests} of {clocks} clocks");
    assert!(rests > clocks / 5 && rests < clocks);
}
