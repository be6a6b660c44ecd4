//! From the oscillator to the chip's clock, by each family's own primitives.
//!
//! ```text
//!                 +--------+ clock                       +------+
//!   oscillator   -> Source ->--+----------------------->-> Gate -> gated   to the chip
//!                |         |   |     +---------+ running |      |
//!                |         ->--)--->-> Startup ->------->->     |
//!                 +--------+ locked  |         ->  reset  +------+        to the chip
//!                                    +---------+
//! ```
//!
//! Why a gate: the chip's data are not reset, and its registers start from the values that configuration gives them.
//! Configuration ends at a moment that no clock knows, and a PLL that has not locked gives edges of any length. So the chip sees
//! no edge at all until the PLL has been locked for a while (`startup`), and then whole ones only: `DCCA`, `DQCE` and
//! `BUFGCE` take their enable in the low phase of the clock. Of the GW5AST-138C nextpnr places no clock gate either. There
//! the clock is kept high until it is enabled; the enable changes soon after a rising edge, while the clock is high anyway.
//!
//! | family | PLL | gate |
//! |---|---|---|
//! | ECP5 | `EHXPLLL`, feedback from `CLKOP`, the chip from `CLKOS` | `DCCA` |
//! | Gowin GW2A | `rPLL`, internal feedback | `DQCE` |
//! | Gowin GW5AST-138C | none: nextpnr places none | a look-up table before the clock tree |
//! | Xilinx | `PLLE2_BASE`, internal feedback; `IBUFDS` before it for a differential oscillator | `BUFGCE` |
//!
//! Where the lock is lost, an edge may have come too early all the same. When it is back, the clock runs again, and the chip is
//! reset in its first [`STEADY_CLOCKS`] clocks; so it is after configuration.
//!
//! Handshake: none. Latency: [`STEADY_CLOCKS`] clocks and four more from lock to the first edge, as many again to the end of `reset`.
//! Cost: a PLL, two global clock nets, 13 flip-flops. Model: none. Absent: a second clock for the chip.
//! In RustHDL's simulation the PLL passes the oscillator on, and is always locked; the emitted Verilog is tested with
//! stand-ins of the primitives that obey their dividers (`tests/hdl/board_tops.rs`).

use super::{
    parameter::Parameter,
    pll::{Family, Pll},
};
use crate::link::synchroniser::Synchroniser;
use rust_hdl::prelude::*;

/// Clocks for which the PLL must be locked before the chip's clock runs; and about as many in which the chip is reset then.
pub const STEADY_CLOCKS: u32 = 1 << STEADY_BIT;
const STEADY_BIT: usize = 8;

/// A free-running clock of the chip's frequency.
#[derive(LogicBlock)]
pub struct Source {
    /// The board's clock.
    pub oscillator: Signal<In, Clock>,
    /// The chip's frequency, before the gate.
    pub clock: Signal<Out, Clock>,
    /// The PLL has locked; any phase.
    pub locked: Signal<Out, Bit>,
    family: Parameter<Family>,
    oscillator_hz: Parameter<u32>,
    pll: Parameter<Option<Pll>>,
}

impl Source {
    /// Without dividers the oscillator itself. The dividers are taken to be right: see [`Pll::check`].
    pub fn new(family: Family, oscillator_hz: u32, pll: Option<Pll>) -> Self {
        Source {
            oscillator: Default::default(),
            clock: Default::default(),
            locked: Default::default(),
            family: Parameter(family),
            oscillator_hz: Parameter(oscillator_hz),
            pll: Parameter(pll),
        }
    }

    fn verilog(&self) -> String {
        let Some(pll) = self.pll.0 else {
            return "assign clock = oscillator;\nassign locked = 1'b1;".into();
        };
        let Pll { reference_divider, multiplier, output_divider } = pll;
        match self.family.0 {
            Family::Ecp5 => format!(
                r#"wire feedback;
(* ICP_CURRENT="12", LPF_RESISTOR="8", MFG_ENABLE_FILTEROPAMP="1", MFG_GMCREF_SEL="2" *)
EHXPLLL #(
    .FEEDBK_PATH("CLKOP"), .CLKI_DIV({reference_divider}), .CLKFB_DIV(1),
    .CLKOP_ENABLE("ENABLED"), .CLKOP_DIV({multiplier}), .CLKOP_CPHASE({}), .CLKOP_FPHASE(0),
    .CLKOS_ENABLE("ENABLED"), .CLKOS_DIV({output_divider}), .CLKOS_CPHASE({}), .CLKOS_FPHASE(0),
    .CLKOS2_ENABLE("DISABLED"), .CLKOS3_ENABLE("DISABLED"),
    .OUTDIVIDER_MUXA("DIVA"), .OUTDIVIDER_MUXB("DIVB"), .OUTDIVIDER_MUXC("DIVC"), .OUTDIVIDER_MUXD("DIVD"),
    .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED")
) pll (
    .CLKI(oscillator), .CLKFB(feedback), .CLKOP(feedback), .CLKOS(clock), .LOCK(locked),
    .RST(1'b0), .STDBY(1'b0), .PLLWAKESYNC(1'b0),
    .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
    .ENCLKOP(1'b0), .ENCLKOS(1'b0), .ENCLKOS2(1'b0), .ENCLKOS3(1'b0)
);"#,
                multiplier - 1,
                output_divider - 1
            ),
            Family::Gowin => format!(
                r#"rPLL #(
    .FCLKIN("{}"), .DYN_IDIV_SEL("false"), .DYN_FBDIV_SEL("false"), .DYN_ODIV_SEL("false"),
    .IDIV_SEL({}), .FBDIV_SEL({}), .ODIV_SEL({output_divider}),
    .PSDA_SEL("0000"), .DYN_DA_EN("false"), .DUTYDA_SEL("1000"), .CLKFB_SEL("internal"),
    .CLKOUT_BYPASS("false"), .CLKOUTP_BYPASS("false"), .CLKOUTD_BYPASS("false")
) pll (
    .CLKIN(oscillator), .CLKFB(1'b0), .CLKOUT(clock), .LOCK(locked), .RESET(1'b0), .RESET_P(1'b0),
    .CLKOUTP(), .CLKOUTD(), .CLKOUTD3(),
    .FBDSEL(6'b0), .IDSEL(6'b0), .ODSEL(6'b0), .DUTYDA(4'b0), .PSDA(4'b0), .FDLY(4'b0)
);"#,
                decimal(self.oscillator_hz.0 as u64, 1_000_000),
                reference_divider - 1,
                multiplier / output_divider - 1
            ),
            Family::Gw5a => unreachable!("`Pll::check` refuses a PLL of this family"),
            Family::Xilinx => format!(
                r#"wire feedback, unbuffered;
PLLE2_BASE #(
    .BANDWIDTH("OPTIMIZED"), .CLKIN1_PERIOD({}), .STARTUP_WAIT("FALSE"),
    .DIVCLK_DIVIDE({reference_divider}), .CLKFBOUT_MULT({multiplier}), .CLKOUT0_DIVIDE({output_divider})
) pll (
    .CLKIN1(oscillator), .CLKFBIN(feedback), .CLKFBOUT(feedback), .CLKOUT0(unbuffered), .LOCKED(locked),
    .CLKOUT1(), .CLKOUT2(), .CLKOUT3(), .CLKOUT4(), .CLKOUT5(), .PWRDWN(1'b0), .RST(1'b0)
);
BUFG buffer (.I(unbuffered), .O(clock));"#,
                decimal(1_000_000_000, self.oscillator_hz.0 as u64)
            ),
        }
    }
}

/// A quotient with three decimals and at least one.
fn decimal(numerator: u64, denominator: u64) -> String {
    let thousandths = (numerator * 1000 + denominator / 2) / denominator;
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    let short = text.trim_end_matches('0');
    if short.ends_with('.') {
        format!("{short}0")
    } else {
        short.into()
    }
}

impl Logic for Source {
    fn update(&mut self) {
        self.clock.next = self.oscillator.val();
        self.locked.next = true;
    }

    fn connect(&mut self) {
        self.clock.connect();
        self.locked.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Wrapper(Wrapper { code: self.verilog(), cores: String::new() })
    }
}

/// Lets whole clocks through while enabled.
#[derive(LogicBlock)]
pub struct Gate {
    /// A free-running clock.
    pub clock: Signal<In, Clock>,
    /// Let it through.
    pub enable: Signal<In, Bit>,
    /// Whole clocks, while enabled.
    pub gated: Signal<Out, Clock>,
    family: Parameter<Family>,
}

impl Gate {
    /// By this family's primitive.
    pub fn new(family: Family) -> Self {
        Gate {
            clock: Default::default(),
            enable: Default::default(),
            gated: Default::default(),
            family: Parameter(family),
        }
    }
}

impl Logic for Gate {
    fn update(&mut self) {
        self.gated.next = Clock { clk: self.clock.val().clk && self.enable.val() };
    }

    fn connect(&mut self) {
        self.gated.connect();
    }

    fn hdl(&self) -> Verilog {
        let code = match self.family.0 {
            Family::Ecp5 => "DCCA buffer (.CLKI(clock), .CE(enable), .CLKO(gated));",
            Family::Gowin => "DQCE buffer (.CLKIN(clock), .CE(enable), .CLKOUT(gated));",
            // The attribute makes nextpnr put the net on the clock tree.
            Family::Gw5a => "(* CLOCK = \"YES\", keep *) wire buffered = clock | !enable;\nassign gated = buffered;",
            Family::Xilinx => "BUFGCE buffer (.I(clock), .CE(enable), .O(gated));",
        };
        Verilog::Wrapper(Wrapper { code: code.into(), cores: String::new() })
    }
}

crate::constants! {
    Values {
        steady_bit: Bits<4> = STEADY_BIT;
    }
}

/// Says when the clock is fit for the chip: after [`STEADY_CLOCKS`] clocks of lock without a gap. Then it resets the chip.
#[derive(LogicBlock, Default)]
pub struct Startup {
    /// The free-running clock.
    pub clock: Signal<In, Clock>,
    /// The PLL has locked; any phase.
    pub locked: Signal<In, Bit>,
    /// The chip's clock may run.
    pub running: Signal<Out, Bit>,
    /// The chip is reset; from a register of this clock.
    pub reset: Signal<Out, Bit>,
    lock: Synchroniser,
    steady: DFF<Bits<{ STEADY_BIT + 1 }>>,
    ready: DFF<Bit>,
    resetting: DFF<Bit>,
    value: Values,
}

impl Logic for Startup {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, steady, ready, resetting);
        self.lock.clock.next = self.clock.val();
        self.lock.raw.next = self.locked.val();
        self.ready.d.next = self.steady.q.val().get_bit(self.value.steady_bit.val().index()) & self.lock.value.val();
        self.resetting.d.next = !self.steady.q.val().all();
        if !self.lock.value.val() {
            self.steady.d.next = 0.into();
        } else if !self.steady.q.val().all() {
            self.steady.d.next = self.steady.q.val() + 1;
        }
        self.running.next = self.ready.q.val();
        self.reset.next = self.resetting.q.val();
    }
}
