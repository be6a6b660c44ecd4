//! Steps a RustHDL block clock by clock.

use rust_hdl::{core::vcd_probe::VCDProbe, prelude::*};
use std::io::Write;

/// Number of passes after which a block that still changes has a combinational loop.
const MAX_PASSES: usize = 1000;
/// Period of the clock in waveform files, in picoseconds.
const CLOCK_PS: u64 = 10_000;

/// A block with a clock.
pub trait Clocked: Block {
    /// The clock input.
    fn clock(&mut self) -> &mut Signal<In, Clock>;
}

macro_rules! clocked {
    ($($block:ty),+) => { $(impl Clocked for $block {
        fn clock(&mut self) -> &mut Signal<In, Clock> { &mut self.clock }
    })+ };
}

clocked!(hayasashi_hdl::top::chip::Chip, hayasashi_hdl::top::uart_chip::UartChip);
clocked!(hayasashi_hdl::top::word_chip::WordChip);
clocked!(hayasashi_hdl::link::endpoint::Endpoint, hayasashi_hdl::link::uart_rx::UartRx);
clocked!(hayasashi_hdl::link::uart_tx::UartTx, hayasashi_hdl::link::receiver::Receiver);
clocked!(hayasashi_hdl::link::transmitter::Transmitter, hayasashi_hdl::link::crc32::Crc32);
clocked!(hayasashi_hdl::link::slip_decoder::SlipDecoder, hayasashi_hdl::link::slip_encoder::SlipEncoder);
clocked!(hayasashi_hdl::link::payload_buffer::PayloadBuffer);
clocked!(hayasashi_hdl::link::descriptor_queue::DescriptorQueue);
clocked!(hayasashi_hdl::movegen::pipeline::Pipeline, hayasashi_hdl::movegen::unit::MovegenUnit);
clocked!(hayasashi_hdl::evaluate::unit::EvaluateUnit, hayasashi_hdl::evaluate::loader::Loader);
clocked!(hayasashi_hdl::evaluate::loading::Loading);
clocked!(hayasashi_hdl::position::faults::Faults, hayasashi_hdl::position::fault_server::FaultServer);
clocked!(hayasashi_hdl::movegen::bank::Bank);
clocked!(hayasashi_hdl::movegen::pick::Pick, hayasashi_hdl::movegen::fetch::Fetch);
clocked!(hayasashi_hdl::perft::schedule::Schedule);

impl Clocked for hayasashi_hdl::top::axi_stream::AxiStream64 {
    fn clock(&mut self) -> &mut Signal<In, Clock> {
        &mut self.aclk
    }
}

/// A block and its clock. For each clock: set the inputs, call [`settle`](Stepper::settle), read the outputs, call
/// [`rise`](Stepper::rise).
pub struct Stepper<B: Clocked> {
    /// The block.
    pub block: Box<B>,
    clocks: u64,
    passes: u64,
    waves: Option<VCDProbe<Box<dyn Write + Send>>>,
}

impl<B: Clocked> Stepper<B> {
    /// Connects the block and lets it settle.
    pub fn new(block: B) -> Self {
        let mut block = Box::new(block);
        block.connect_all();
        let mut stepper = Stepper { block, clocks: 0, passes: 0, waves: None };
        stepper.run();
        stepper
    }

    /// Propagates the inputs to the outputs.
    pub fn settle(&mut self) {
        self.block.clock().next = false.into();
        self.run();
    }

    /// The rising edge: registers take their next values. Afterwards the outputs are settled for the present inputs.
    ///
    /// A clock takes a pass for each level of the hierarchy on its way to a register, as data do. No block has a falling
    /// edge as an event, so that the clock may fall right behind its rise: a pulse of one pass goes down the hierarchy,
    /// and the falling edge costs no passes of its own. In a waveform file the clock stays high until [`settle`](Stepper::settle).
    pub fn rise(&mut self) {
        self.write_waves(CLOCK_PS / 2);
        self.block.clock().next = true.into();
        if self.waves.is_none() {
            self.pass();
            self.block.clock().next = false.into();
        }
        self.run();
        self.clocks += 1;
        self.write_waves(0);
    }

    /// Number of rising edges so far.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// Number of evaluations of the whole block so far.
    pub fn passes(&self) -> u64 {
        self.passes
    }

    /// Writes a waveform file (VCD) from here on.
    pub fn record(&mut self, to: impl Write + Send + 'static) {
        let probe = write_vcd_header(Box::new(to) as Box<dyn Write + Send>, &*self.block);
        self.waves = Some(write_vcd_dump(probe, &*self.block));
    }

    /// Ends the waveform file.
    pub fn stop_recording(&mut self) {
        self.waves = None;
    }

    fn pass(&mut self) {
        self.passes += 1;
        self.block.update_all();
    }

    fn run(&mut self) {
        for _ in 0..MAX_PASSES {
            self.pass();
            if !self.block.has_changed() {
                return;
            }
        }
        panic!("the block still changes after {MAX_PASSES} passes: it has a combinational loop");
    }

    fn write_waves(&mut self, offset_ps: u64) {
        if let Some(mut probe) = self.waves.take() {
            // An error of the file ends the recording, not the simulation.
            if probe.timestamp(self.clocks * CLOCK_PS + offset_ps).is_ok() {
                self.waves = Some(write_vcd_change(probe, &*self.block));
            }
        }
    }
}
