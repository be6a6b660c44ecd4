//! The dividers of a device's PLL, and what each family allows.
//!
//! ```text
//!   oscillator -> / reference_divider -> phase detector -> VCO --+-> / output_divider -> chip
//!                                              ^                 |
//!                                              +- / multiplier <-+
//! ```
//!
//! One rule for all families: VCO = oscillator ÷ `reference_divider` × `multiplier`, chip = VCO ÷ `output_divider`.
//!
//! Limits: ECP5 and ECP5-5G Family Data Sheet (Lattice FPGA-DS-02012), sysCLOCK PLL Timing; GW2A Series Data Sheet
//! (Gowin DS102), PLL parameters of speed grade C8/I7; Artix-7 Data Sheet (Xilinx DS181), PLLs of speed grade -1.

pub use super::family::Family;
use serde::Deserialize;
use std::fmt;

/// A board's PLL: divider of the oscillator, ratio of the VCO to the divided oscillator, divider of the VCO.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pll {
    /// Divides the oscillator.
    pub reference_divider: u32,
    /// VCO frequency in divided oscillators.
    pub multiplier: u32,
    /// Divides the VCO.
    pub output_divider: u32,
}

/// What a family's PLL can do; frequencies in hertz.
struct Limits {
    oscillator: (u64, u64),
    phase_detector: (u64, u64),
    vco: (u64, u64),
    output: (u64, u64),
    reference_dividers: (u32, u32),
    multipliers: (u32, u32),
    output_dividers: (u32, u32),
}

/// Output dividers of Gowin's `rPLL`.
const GOWIN_OUTPUT_DIVIDERS: [u32; 11] = [2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128];
/// The largest feedback divider of Gowin's `rPLL`, which feeds back its output.
const GOWIN_FEEDBACK: u32 = 64;

const fn limits(family: Family) -> Option<Limits> {
    const MHZ: u64 = 1_000_000;
    Some(match family {
        Family::Ecp5 => Limits {
            oscillator: (8 * MHZ, 400 * MHZ),
            phase_detector: (10 * MHZ, 400 * MHZ),
            vco: (400 * MHZ, 800 * MHZ),
            output: (3_125_000, 400 * MHZ),
            reference_dividers: (1, 128),
            multipliers: (1, 128),
            output_dividers: (1, 128),
        },
        Family::Gowin => Limits {
            oscillator: (3 * MHZ, 500 * MHZ),
            phase_detector: (3 * MHZ, 500 * MHZ),
            vco: (500 * MHZ, 1250 * MHZ),
            output: (3_906_250, 625 * MHZ),
            reference_dividers: (1, 64),
            multipliers: (2, 128 * GOWIN_FEEDBACK),
            output_dividers: (2, 128),
        },
        Family::Gw5a => return None, // nextpnr cannot place it
        Family::Xilinx => Limits {
            oscillator: (19 * MHZ, 800 * MHZ),
            phase_detector: (19 * MHZ, 450 * MHZ),
            vco: (800 * MHZ, 1600 * MHZ),
            output: (6_250_000, 464 * MHZ),
            reference_dividers: (1, 56),
            multipliers: (2, 64),
            output_dividers: (1, 128),
        },
    })
}

/// Why a clock cannot be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClockError {
    /// The field to blame: one of [`Pll`]'s, `oscillator_hz` or `chip_hz`.
    pub key: &'static str,
    /// Its value.
    pub value: u64,
    /// Why it is refused.
    pub reason: String,
}

impl fmt::Display for ClockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}: {}", self.key, self.value, self.reason)
    }
}

impl std::error::Error for ClockError {}

fn fail<T>(key: &'static str, value: impl Into<u64>, reason: String) -> Result<T, ClockError> {
    Err(ClockError { key, value: value.into(), reason })
}

impl Pll {
    /// Refuses dividers that the family does not have, frequencies that it does not reach, and any that does not give
    /// `chip_hz` to the hertz.
    pub fn check(self, family: Family, oscillator_hz: u32, chip_hz: u32) -> Result<(), ClockError> {
        let Some(limits) = limits(family) else {
            let reason = "nextpnr places no PLL of this device; delete the PLL's dividers";
            return fail("chip_hz", chip_hz, reason.into());
        };
        let dividers = [
            ("reference_divider", self.reference_divider, limits.reference_dividers),
            ("multiplier", self.multiplier, limits.multipliers),
            ("output_divider", self.output_divider, limits.output_dividers),
        ];
        for (key, value, (least, most)) in dividers {
            if !(least..=most).contains(&value) {
                return fail(key, value, format!("this family's PLL takes {least} to {most}"));
            }
        }
        if family == Family::Gowin {
            self.check_gowin()?;
        }
        let (reference, multiplier) = (self.reference_divider as u64, self.multiplier as u64);
        // Numerators over `reference`, so that nothing is rounded.
        let oscillator = oscillator_hz as u64;
        let vco = oscillator * multiplier;
        let within =
            |numerator: u64, (least, most): (u64, u64)| (least * reference..=most * reference).contains(&numerator);
        let range = |(least, most): (u64, u64)| format!("{} to {} MHz", mhz(least), mhz(most));
        if !within(oscillator * reference, limits.oscillator) {
            let reason = format!("the PLL takes {}; use the oscillator without a PLL", range(limits.oscillator));
            return fail("oscillator_hz", oscillator_hz, reason);
        }
        if !within(oscillator, limits.phase_detector) {
            let reason = format!(
                "the phase detector would run at {} MHz, it takes {}; choose another divider",
                mhz(oscillator / reference),
                range(limits.phase_detector)
            );
            return fail("reference_divider", self.reference_divider, reason);
        }
        if !within(vco, limits.vco) {
            let reason = format!(
                "the VCO would run at {} MHz, it takes {}; scale multiplier and output_divider together",
                mhz(vco / reference),
                range(limits.vco)
            );
            return fail("multiplier", self.multiplier, reason);
        }
        let divisor = reference * self.output_divider as u64;
        if vco != chip_hz as u64 * divisor {
            let reason = format!(
                "the PLL gives {oscillator_hz} / {reference} * {multiplier} / {} = {} Hz; correct one of them",
                self.output_divider,
                if vco.is_multiple_of(divisor) { (vco / divisor).to_string() } else { format!("{vco}/{divisor}") }
            );
            return fail("chip_hz", chip_hz, reason);
        }
        if !(limits.output.0..=limits.output.1).contains(&(chip_hz as u64)) {
            return fail("chip_hz", chip_hz, format!("the PLL gives {}", range(limits.output)));
        }
        Ok(())
    }

    fn check_gowin(self) -> Result<(), ClockError> {
        if !GOWIN_OUTPUT_DIVIDERS.contains(&self.output_divider) {
            let reason = format!("rPLL takes one of {GOWIN_OUTPUT_DIVIDERS:?}");
            return fail("output_divider", self.output_divider, reason);
        }
        if !self.multiplier.is_multiple_of(self.output_divider)
            || self.multiplier / self.output_divider > GOWIN_FEEDBACK
        {
            let reason = format!(
                "rPLL feeds back its output: take a multiple of output_divider = {}, at most {GOWIN_FEEDBACK} times it",
                self.output_divider
            );
            return fail("multiplier", self.multiplier, reason);
        }
        Ok(())
    }
}

/// Checks a board's clock; without a PLL the oscillator itself is the chip's clock.
pub fn check_clock(family: Family, oscillator_hz: u32, pll: Option<Pll>, chip_hz: u32) -> Result<(), ClockError> {
    match pll {
        Some(pll) => pll.check(family, oscillator_hz, chip_hz),
        None if oscillator_hz == chip_hz => Ok(()),
        None => {
            let reason = format!("without a PLL it is the oscillator's {oscillator_hz} Hz; give the PLL's dividers");
            fail("chip_hz", chip_hz, reason)
        }
    }
}

/// Megahertz without needless zeros.
fn mhz(hertz: u64) -> String {
    let text = format!("{}.{:06}", hertz / 1_000_000, hertz % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pll(reference_divider: u32, multiplier: u32, output_divider: u32) -> Pll {
        Pll { reference_divider, multiplier, output_divider }
    }

    #[test]
    fn exact_clocks_pass() {
        for (family, oscillator, pll, chip) in [
            (Family::Ecp5, 25_000_000, pll(1, 24, 10), 60_000_000),
            (Family::Ecp5, 48_000_000, pll(4, 50, 10), 60_000_000),
            (Family::Gowin, 27_000_000, pll(1, 32, 16), 54_000_000),
            (Family::Xilinx, 100_000_000, pll(1, 12, 20), 60_000_000),
            (Family::Xilinx, 100_000_000, pll(3, 32, 16), 66_666_667),
        ] {
            let result = check_clock(family, oscillator, Some(pll), chip);
            assert_eq!(result.is_ok(), chip != 66_666_667, "{family:?} {result:?}");
        }
        assert!(check_clock(Family::Ecp5, 25_000_000, None, 25_000_000).is_ok());
    }

    #[test]
    fn each_limit_is_checked_and_blames_its_key() {
        for (family, oscillator, pll, chip, key) in [
            (Family::Ecp5, 25_000_000, pll(0, 24, 10), 60_000_000, "reference_divider"),
            (Family::Ecp5, 25_000_000, pll(129, 24, 10), 60_000_000, "reference_divider"),
            (Family::Ecp5, 25_000_000, pll(5, 120, 10), 60_000_000, "reference_divider"),
            (Family::Ecp5, 25_000_000, pll(1, 129, 10), 60_000_000, "multiplier"),
            (Family::Ecp5, 25_000_000, pll(1, 36, 15), 60_000_000, "multiplier"),
            (Family::Ecp5, 25_000_000, pll(1, 12, 5), 60_000_000, "multiplier"),
            (Family::Ecp5, 25_000_000, pll(1, 24, 129), 60_000_000, "output_divider"),
            (Family::Ecp5, 25_000_000, pll(1, 24, 10), 60_000_001, "chip_hz"),
            (Family::Ecp5, 25_000_000, pll(1, 24, 1), 600_000_000, "chip_hz"),
            (Family::Ecp5, 4_000_000, pll(1, 120, 8), 60_000_000, "oscillator_hz"),
            (Family::Gowin, 27_000_000, pll(1, 30, 15), 54_000_000, "output_divider"),
            (Family::Gowin, 27_000_000, pll(1, 33, 16), 54_000_000, "multiplier"),
            (Family::Gowin, 27_000_000, pll(10, 160, 8), 54_000_000, "reference_divider"),
            (Family::Gw5a, 50_000_000, pll(1, 16, 16), 50_000_000, "chip_hz"),
            (Family::Xilinx, 100_000_000, pll(1, 17, 20), 85_000_000, "multiplier"),
            (Family::Xilinx, 100_000_000, pll(6, 64, 20), 60_000_000, "reference_divider"),
        ] {
            let error = pll.check(family, oscillator, chip).unwrap_err();
            assert_eq!(error.key, key, "{family:?} {pll:?}: {error}");
        }
        assert_eq!(check_clock(Family::Ecp5, 25_000_000, None, 60_000_000).unwrap_err().key, "chip_hz");
    }
}
