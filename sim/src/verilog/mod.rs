//! The emitted Verilog of the chip, compiled by Verilator and run in a process of its own.
//!
//! Each command over the pipes runs many clocks. The process ends when its [`VerilogChip`] is dropped; if it ends before,
//! every further command fails.

mod build;

pub use build::{cache_folder, Build, Progress, VerilogError};

use crate::SimulatedChip;
use hayasashi_spec::word_frame::Framing;
use std::{
    collections::VecDeque,
    io::{self, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// In place of a number of clocks: a reset.
const RESET: u32 = u32::MAX;

/// The emitted Verilog of the chip, running.
pub struct VerilogChip {
    framing: Framing,
    process: Child,
    commands: Option<ChildStdin>,
    answers: ChildStdout,
    to_chip: VecDeque<u8>,
    from_chip: Vec<u8>,
    clocks: u64,
}

impl VerilogChip {
    /// Starts the compiled chip; compiles it first if it is not in the cache, or is damaged there.
    ///
    /// # Errors
    /// A tool, the cache or the compiled chip fails.
    pub fn open(build: &Build) -> Result<VerilogChip, VerilogError> {
        let framing = build.framing();
        VerilogChip::start(framing, &build.program()?).or_else(|_| VerilogChip::start(framing, &build.program_again()?))
    }

    /// Starts the compiled chip and lets it run no clocks, which a damaged program does not survive.
    fn start(framing: Framing, program: &Path) -> Result<VerilogChip, VerilogError> {
        let failed = |error| VerilogError::Start { program: program.into(), error };
        let mut process = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let commands = process.stdin.take();
        let answers = process.stdout.take().expect("it is piped");
        let (to_chip, from_chip) = (VecDeque::new(), Vec::new());
        let mut chip = VerilogChip { framing, process, commands, answers, to_chip, from_chip, clocks: 0 };
        chip.run(0).map_err(failed)?;
        Ok(chip)
    }

    /// Gives a command with the first of the queued bytes; those that the chip has taken leave the queue.
    fn exchange(&mut self, clocks: u32, bytes: usize) -> io::Result<()> {
        let mut command = clocks.to_le_bytes().to_vec();
        command.extend((bytes as u32).to_le_bytes());
        command.extend(self.to_chip.iter().take(bytes));
        self.transfer(&command).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", self.ending())))
    }

    fn transfer(&mut self, command: &[u8]) -> io::Result<()> {
        self.commands.as_mut().expect("it is open until the end").write_all(command)?;
        let mut head = [0; 12];
        self.answers.read_exact(&mut head)?;
        let word = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes"));
        let mut bytes = vec![0; word(8) as usize];
        self.answers.read_exact(&mut bytes)?;
        self.clocks += word(0) as u64;
        self.to_chip.drain(..(word(4) as usize).min(self.to_chip.len()));
        self.from_chip.extend(bytes);
        Ok(())
    }

    /// Ends the process and describes how it ended.
    fn ending(&mut self) -> String {
        let _ = self.process.kill();
        let how = self.process.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
        format!("the simulation of the emitted Verilog ended unexpectedly ({how})")
    }

    /// Identifier of the process.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }
}

impl SimulatedChip for VerilogChip {
    /// A command and its answer take about ten microseconds, a clock one to ten.
    const STEP_CLOCKS: u32 = 1024;

    fn name(&self) -> &'static str {
        match self.framing {
            Framing::Slip => "verilog",
            Framing::Words => "verilog:words",
        }
    }

    fn framing(&self) -> Framing {
        self.framing
    }

    fn push(&mut self, bytes: &[u8]) {
        self.to_chip.extend(bytes);
    }

    fn pending(&self) -> usize {
        self.to_chip.len()
    }

    /// Runs fewer clocks if the chip has answered and is idle.
    fn run(&mut self, clocks: u32) -> io::Result<()> {
        let (clocks, unit_bytes) = (clocks.min(RESET - 1), self.framing.unit_bytes());
        let units = (self.to_chip.len() / unit_bytes).min(clocks as usize);
        self.exchange(clocks, units * unit_bytes)
    }

    fn pull(&mut self, into: &mut Vec<u8>) {
        into.append(&mut self.from_chip);
    }

    fn reset(&mut self) -> io::Result<()> {
        self.to_chip.clear();
        self.exchange(RESET, 0)?;
        self.from_chip.clear();
        Ok(())
    }

    fn clocks(&self) -> u64 {
        self.clocks
    }
}

impl Drop for VerilogChip {
    fn drop(&mut self) {
        self.commands = None;
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
