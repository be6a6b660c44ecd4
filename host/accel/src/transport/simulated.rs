//! The simulated gateware as a stream of bytes or words: every clock of every register.

use super::{whole_units, StreamChip};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_sim::{verilog, RtlChip, RtlWordChip, SimulatedChip, VerilogChip};
use hayasashi_spec::word_frame::Framing;
use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

/// Clocks without a byte in or out after which the chip counts as idle. No answer takes longer, since a perft request
/// reports its progress sooner.
const QUIET_CLOCKS: u64 = 20_000;
/// Fewest clocks in a step: a word port takes what fits into the chip's buffer in an eighth of the clocks of a byte port, so
/// that its host must be asked more often.
const LEAST_STEP_CLOCKS: u32 = 64;
/// Request bytes that may wait outside the chip.
const AHEAD_BYTES: usize = 4096;

/// Work done by a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimulationStatistics {
    /// Clocks of the chip.
    pub clocks: u64,
    /// Time spent simulating them.
    pub busy: Duration,
}

impl SimulationStatistics {
    /// Clocks per second; 0 where none were simulated.
    pub fn clocks_per_second(&self) -> f64 {
        match self.busy.as_secs_f64() {
            0.0 => 0.0,
            seconds => self.clocks as f64 / seconds,
        }
    }
}

/// A simulated chip as a stream.
pub struct SimulatedStream<C> {
    chip: C,
    answers: Vec<u8>,
    last_byte: u64,
    busy: Duration,
}

/// The gateware in RustHDL's simulator, some ten thousand clocks a second.
pub type RtlStream = SimulatedStream<RtlChip>;
/// The same behind its word port.
pub type RtlWordStream = SimulatedStream<RtlWordChip>;
/// The emitted Verilog, compiled by Verilator, some hundred thousand clocks a second.
pub type VerilogStream = SimulatedStream<VerilogChip>;

impl<C: SimulatedChip> SimulatedStream<C> {
    /// A simulated chip that has just been switched on.
    pub fn new(chip: C) -> SimulatedStream<C> {
        SimulatedStream { last_byte: chip.clocks(), chip, answers: Vec::new(), busy: Duration::ZERO }
    }

    /// The chip itself.
    pub fn chip(&self) -> &C {
        &self.chip
    }
}

impl VerilogStream {
    /// Starts the compiled Verilog of a chip behind its byte port. If it must be compiled first, progress goes to stderr.
    ///
    /// # Errors
    /// Verilator is missing, or the Verilog cannot be compiled or started.
    pub fn open(chip: &ChipConfig) -> Result<VerilogStream, verilog::VerilogError> {
        VerilogStream::behind(Framing::Slip, chip)
    }

    /// The same behind the port with these frames.
    ///
    /// # Errors
    /// As [`VerilogStream::open`].
    pub fn behind(framing: Framing, chip: &ChipConfig) -> Result<VerilogStream, verilog::VerilogError> {
        let build = match framing {
            Framing::Slip => verilog::Build::chip(chip),
            Framing::Words => verilog::Build::word_chip(chip),
        };
        VerilogStream::of(build)
    }

    /// The same behind AXI-Stream of words, with its answers in packets.
    ///
    /// # Errors
    /// As [`VerilogStream::open`].
    pub fn in_packets(chip: &ChipConfig) -> Result<VerilogStream, verilog::VerilogError> {
        VerilogStream::of(verilog::Build::packet_chip(chip))
    }

    fn of(build: verilog::Build) -> Result<VerilogStream, verilog::VerilogError> {
        VerilogChip::open(&build.tell(show_progress)).map(SimulatedStream::new)
    }
}

/// Shows progress on one line of a terminal, overwritten each time.
fn show_progress(progress: verilog::Progress) {
    let mut stderr = io::stderr().lock();
    // If stderr is closed, there is nowhere to report it.
    let _ = match (stderr.is_terminal(), progress) {
        (true, verilog::Progress::Done) => writeln!(stderr),
        (true, progress) => write!(stderr, "\r\x1b[K{progress}").and_then(|()| stderr.flush()),
        // A log does not need a line for each file.
        (false, verilog::Progress::File { .. } | verilog::Progress::Done) => Ok(()),
        (false, progress) => writeln!(stderr, "{progress}"),
    };
}

impl<C: SimulatedChip> StreamChip for SimulatedStream<C> {
    fn name(&self) -> String {
        self.chip.name().into()
    }

    fn framing(&self) -> Framing {
        self.chip.framing()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        let room = AHEAD_BYTES.saturating_sub(self.chip.pending());
        let taken = whole_units(self.chip.framing(), bytes.len().min(room));
        if taken > 0 {
            self.chip.push(&bytes[..taken]);
            self.last_byte = self.chip.clocks();
        }
        taken
    }

    fn step(&mut self) -> io::Result<bool> {
        if self.chip.pending() == 0 && self.chip.clocks() - self.last_byte > QUIET_CLOCKS {
            return Ok(false);
        }
        let before = self.answers.len();
        let start = Instant::now();
        let clocks = C::STEP_CLOCKS / self.chip.framing().unit_bytes() as u32;
        self.chip.run(clocks.max(LEAST_STEP_CLOCKS))?;
        self.busy += start.elapsed();
        self.chip.pull(&mut self.answers);
        if self.chip.pending() > 0 || self.answers.len() > before {
            self.last_byte = self.chip.clocks();
        }
        Ok(true)
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        let bytes = whole_units(self.chip.framing(), self.answers.len().min(buffer.len()));
        buffer[..bytes].copy_from_slice(&self.answers[..bytes]);
        self.answers.drain(..bytes);
        bytes
    }

    fn reply_timeout(&self) -> Duration {
        Duration::from_secs(60)
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        Some(SimulationStatistics { clocks: self.chip.clocks(), busy: self.busy })
    }
}
