//! The top level of a board: the chip behind its UART, with a clock of its own making.
//!
//! ```text
//!                 +----------+
//!   oscillator   -> BoardTop -> uart_tx
//!  (oscillator_n)->          -> outputs, by name: LEDs, levels that the board wants
//!   uart_rx      ->          |
//!                 +----------+
//! ```
//!
//! Handshake: 8N1 on the UART. A break on the UART resets the chip, and so does the PLL's lock when it comes (back): see
//! `uart_chip`, and `clocking` for how the chip starts. No pin is a reset. Pins are not its business:
//! `constraints/<board>` gives each port one. Model: none (below the byte stream).
//! Latency, throughput: those of `uart_chip`. Cost: the chip's, and those of `clocking` and `activity`.
//! Absent: tri-state pins, a second clock domain for anything but the start.

use super::{
    activity::Activity,
    board::{BoardConfig, BoardError, Output, INVERSE},
    clocking::{Gate, Source, Startup},
    uart_chip::UartChip,
};
use rust_hdl::prelude::*;

/// The top level of a board.
#[derive(LogicBlock)]
pub struct BoardTop {
    /// The board's clock.
    pub oscillator: Signal<In, Clock>,
    /// The line to the chip.
    pub uart_rx: Signal<In, Bit>,
    /// The line from the chip.
    pub uart_tx: Signal<Out, Bit>,
    inverse: Inverse,
    outputs: Pins,
    source: Source,
    startup: Startup,
    gate: Gate,
    chip: UartChip,
    activity: Activity,
}

impl BoardTop {
    /// Refuses what cannot be built.
    pub fn new(board: &BoardConfig) -> Result<Self, BoardError> {
        board.check()?;
        let pin = |(name, output): &(String, Output)| (name.clone(), *output, Signal::default());
        Ok(BoardTop {
            oscillator: Default::default(),
            uart_rx: Default::default(),
            uart_tx: Default::default(),
            inverse: Inverse(board.differential.then(Signal::default)),
            outputs: Pins(board.outputs.iter().map(pin).collect()),
            source: Source::new(board.family, board.oscillator_hz, board.pll),
            startup: Default::default(),
            gate: Gate::new(board.family),
            chip: UartChip::new(&board.chip).map_err(BoardError::Baud)?,
            activity: Default::default(),
        })
    }
}

impl Logic for BoardTop {
    fn update(&mut self) {
        self.source.oscillator.next = self.oscillator.val();
        self.startup.clock.next = self.source.clock.val();
        self.startup.locked.next = self.source.locked.val();
        self.gate.clock.next = self.source.clock.val();
        self.gate.enable.next = self.startup.running.val();
        self.chip.clock.next = self.gate.gated.val();
        self.chip.reset.next = self.startup.reset.val();
        self.chip.rx.next = self.uart_rx.val();
        self.activity.clock.next = self.gate.gated.val();
        self.activity.rx.next = self.uart_rx.val();
        self.activity.tx.next = self.chip.tx.val();
        self.uart_tx.next = self.chip.tx.val();
        let (running, activity) = (self.startup.running.val(), self.activity.lit.val());
        for (_, output, pin) in &mut self.outputs.0 {
            pin.next = match output {
                Output::Low => false,
                Output::High => true,
                Output::Running => running,
                Output::NotRunning => !running,
                Output::Activity => activity,
                Output::NotActivity => !activity,
            };
        }
    }

    fn connect(&mut self) {
        self.source.oscillator.connect();
        self.startup.clock.connect();
        self.startup.locked.connect();
        self.gate.clock.connect();
        self.gate.enable.connect();
        self.chip.clock.connect();
        self.chip.reset.connect();
        self.chip.rx.connect();
        self.activity.clock.connect();
        self.activity.rx.connect();
        self.activity.tx.connect();
        self.uart_tx.connect();
        self.inverse.0.iter_mut().for_each(Logic::connect);
        self.outputs.0.iter_mut().for_each(|(_, _, pin)| pin.connect());
    }

    /// Instances and nets by hand, not by RustHDL's `always @(*)`: a clock that passes through one arrives later in
    /// simulation than its data.
    fn hdl(&self) -> Verilog {
        let (buffer, oscillator) = match &self.inverse.0 {
            Some(_) => (format!("wire pin;\nIBUFDS input_buffer (.I(oscillator), .IB({INVERSE}), .O(pin));\n"), "pin"),
            None => (String::new(), "oscillator"),
        };
        let mut code = format!(
            "wire free, locked, running, resetting, clock, tx, lit;
{buffer}top$source source (.oscillator({oscillator}), .clock(free), .locked(locked));
top$startup startup (.clock(free), .locked(locked), .running(running), .reset(resetting));
top$gate gate (.clock(free), .enable(running), .gated(clock));
top$chip chip (.clock(clock), .reset(resetting), .rx(uart_rx), .tx(tx));
top$activity activity (.clock(clock), .rx(uart_rx), .tx(tx), .lit(lit));
assign uart_tx = tx;
",
        );
        for (name, output, _) in &self.outputs.0 {
            let value = match output {
                Output::Low => "1'b0",
                Output::High => "1'b1",
                Output::Running => "running",
                Output::NotRunning => "!running",
                Output::Activity => "lit",
                Output::NotActivity => "!lit",
            };
            code += &format!("assign {name} = {value};\n");
        }
        Verilog::Wrapper(Wrapper { code, cores: String::new() })
    }
}

/// The second pin of a differential oscillator. RustHDL's simulation leaves it alone.
struct Inverse(Option<Signal<In, Bit>>);

impl Logic for Inverse {
    fn update(&mut self) {}
}

impl Block for Inverse {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.0.iter_mut().for_each(Block::update_all);
    }

    fn has_changed(&self) -> bool {
        self.0.iter().any(|pin| pin.changed)
    }

    fn accept(&self, _name: &str, probe: &mut dyn Probe) {
        self.0.iter().for_each(|pin| pin.accept(INVERSE, probe));
    }
}

/// Output ports with names of their own.
struct Pins(Vec<(String, Output, Signal<Out, Bit>)>);

impl Logic for Pins {
    fn update(&mut self) {}
}

impl Block for Pins {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {
        self.0.iter_mut().for_each(|(_, _, pin)| pin.update_all());
    }

    fn has_changed(&self) -> bool {
        self.0.iter().any(|(_, _, pin)| pin.changed)
    }

    fn accept(&self, _name: &str, probe: &mut dyn Probe) {
        self.0.iter().for_each(|(name, _, pin)| pin.accept(name, probe));
    }
}
