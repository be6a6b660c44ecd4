//! A block of the search, driven by hand, whose ports are kept for the Verilog.

use hayasashi_hdl::network::{bus, Layout, Value};
use hayasashi_hdl::verilog;
use hayasashi_tests::replay::{Replay, Tool};
use rust_hdl::prelude::*;

/// A block and what it saw.
pub struct Bench<B> {
    /// The block.
    pub block: B,
    make: fn() -> B,
    clock: fn(&mut B) -> &mut Signal<In, Clock>,
    replay: Replay,
    records: bool,
}

impl<B: Block + Default> Bench<B> {
    /// A block, and its clock.
    pub fn new(clock: fn(&mut B) -> &mut Signal<In, Clock>) -> Bench<B> {
        Bench::made(B::default, clock)
    }

    /// The same, whose ports are not kept.
    pub fn unrecorded(clock: fn(&mut B) -> &mut Signal<In, Clock>) -> Bench<B> {
        Bench::new(clock).forgetful()
    }
}

impl<B: Block> Bench<B> {
    /// A block made so.
    pub fn made(make: fn() -> B, clock: fn(&mut B) -> &mut Signal<In, Clock>) -> Bench<B> {
        let mut block = make();
        block.connect_all();
        Bench { block, make, clock, replay: Replay::default(), records: true }
    }

    /// The ports are not kept: for tests too long for the Verilog.
    pub fn forgetful(self) -> Bench<B> {
        Bench { records: false, ..self }
    }

    fn settle(&mut self) {
        for pass in 0.. {
            self.block.update_all();
            if !self.block.has_changed() {
                return;
            }
            assert!(pass < 100, "the block does not settle");
        }
    }

    /// The rising edge. The clock falls right behind it, as in `hayasashi_sim::Stepper`.
    fn rise(&mut self) {
        (self.clock)(&mut self.block).next = true.into();
        self.block.update_all();
        (self.clock)(&mut self.block).next = false.into();
        self.settle();
    }

    /// So many clocks with the inputs as they are; the outputs are those after the last one.
    pub fn run(&mut self, clocks: u64) {
        self.settle();
        for _ in 0..clocks {
            if self.records {
                self.replay.sample(&self.block);
            }
            self.rise();
        }
    }

    /// A command: an input that is high for one clock.
    pub fn pulse(&mut self, input: fn(&mut B) -> &mut Signal<In, Bit>) {
        input(&mut self.block).next = true;
        self.run(1);
        input(&mut self.block).next = false;
    }

    /// The Verilog does in every clock what the block did.
    pub fn check_verilog(self, name: &str) {
        let text = verilog::of((self.make)());
        if let Ok(folder) = std::env::var("HAYASASHI_BLOCKS") {
            std::fs::write(format!("{folder}/{name}.v"), &text).expect("a folder for the text");
        }
        self.check(name, &text);
    }

    /// The same for a block that gives rows before it has written them. They are zero at first, as in the simulation.
    pub fn check_verilog_with_rows_of_zeros(self, name: &str) {
        let text = verilog::of((self.make)());
        let memory = |line: &str| {
            let (name, last) = line.strip_suffix("];")?.split_once(" [0:")?;
            Some((format!("apart_{}", name.split_once(" apart_")?.1), last.to_string()))
        };
        let zeros = |line: &str| match memory(line) {
            Some((name, last)) => format!(
                "{line}\ninteger {name}$row;\ninitial begin\n    {name}$read_data = 0;\n    for ({name}$row = 0; \
                 {name}$row <= {last}; {name}$row = {name}$row + 1) {name}[{name}$row] = 0;\nend\n"
            ),
            None => format!("{line}\n"),
        };
        self.check(name, &text.lines().map(zeros).collect::<String>());
    }

    fn check(mut self, name: &str, text: &str) {
        self.run(1);
        println!("{name}: {} clocks", self.replay.clocks());
        self.replay.check(Tool::Icarus, name, text).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// A value on a bus.
pub fn to_bus<L: Layout, const N: usize>(value: &L::Of<Value>) -> Bits<N> {
    bus::write::<L, N>(value)
}

/// A number in so many wires, two's complement.
pub fn number(value: i32, width: usize) -> Value {
    Value::new(value as i128 as u128, width)
}

/// One wire.
pub fn wire(value: bool) -> Value {
    Value::new(value as u128, 1)
}

/// The signed number on wires.
pub fn signed(value: Value) -> i32 {
    let unused = 128 - value.width as u32;
    ((value.bits << unused) as i128 >> unused) as i32
}

/// Panics where two values differ, with the place of the first field that does.
pub fn assert_same<L: Layout>(got: &L::Of<Value>, expected: &L::Of<Value>, context: impl Fn() -> String) {
    let (got, expected) = (L::fields(got), L::fields(expected));
    if let Some(at) = (0..got.len()).find(|&i| got[i] != expected[i]) {
        panic!("field {at}: {:?}, expected {:?}; {}", got[at], expected[at], context());
    }
}
