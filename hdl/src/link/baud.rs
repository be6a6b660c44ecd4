//! The increment of a phase accumulator that gives a baud rate.
//!
//! A function, no block: `uart_rx` and `uart_tx` take the increment as a constant.
//! Model: none (below the byte stream). Absent: a rate that changes at run time.

/// Bits of the phase accumulators in `uart_rx` and `uart_tx`.
pub const PHASE_BITS: u32 = 24;
/// The least number of clocks in which a bit can still be sampled near its middle.
pub const MIN_CLOCKS_PER_BIT: u32 = 6;
/// The largest error of the baud rate, in parts per million (2 %).
pub const MAX_ERROR_PPM: u64 = 20_000;

/// What the accumulator adds in each clock, and how well that meets the rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Divisor {
    /// Added to the phase in each clock; 2^[`PHASE_BITS`] is a bit.
    pub increment: u32,
    /// Error of the rate in parts per million.
    pub error_ppm: u64,
}

/// Why a UART cannot run at a rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BaudError {
    /// Fewer than [`MIN_CLOCKS_PER_BIT`] clocks in a bit.
    TooFast {
        /// The clock.
        clock_hz: u32,
        /// The requested rate.
        baud_hz: u32,
    },
    /// The nearest increment is off by more than [`MAX_ERROR_PPM`].
    Inexact {
        /// The clock.
        clock_hz: u32,
        /// The requested rate.
        baud_hz: u32,
        /// The error in parts per million.
        error_ppm: u64,
    },
}

impl std::fmt::Display for BaudError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BaudError::TooFast { clock_hz, baud_hz } => write!(
                f,
                "{baud_hz} baud needs a clock of at least {} Hz, this one has {clock_hz} Hz; lower the baud rate",
                *baud_hz as u64 * MIN_CLOCKS_PER_BIT as u64
            ),
            BaudError::Inexact { clock_hz, baud_hz, error_ppm } => write!(
                f,
                "{baud_hz} baud from a clock of {clock_hz} Hz would be off by {error_ppm} ppm; choose a higher rate"
            ),
        }
    }
}

impl std::error::Error for BaudError {}

/// The increment for a baud rate at a clock.
pub fn divisor(clock_hz: u32, baud_hz: u32) -> Result<Divisor, BaudError> {
    if (clock_hz as u64) < baud_hz as u64 * MIN_CLOCKS_PER_BIT as u64 {
        return Err(BaudError::TooFast { clock_hz, baud_hz });
    }
    let (clock, baud) = (clock_hz as u64, baud_hz as u64);
    let increment = ((baud << PHASE_BITS) + clock / 2) / clock;
    // Rate reached: increment * clock / 2^PHASE_BITS.
    let reached = increment as u128 * clock as u128;
    let wanted = (baud as u128) << PHASE_BITS;
    let error_ppm = if baud == 0 { u64::MAX } else { (reached.abs_diff(wanted) * 1_000_000).div_ceil(wanted) as u64 };
    if error_ppm > MAX_ERROR_PPM {
        return Err(BaudError::Inexact { clock_hz, baud_hz, error_ppm });
    }
    Ok(Divisor { increment: increment as u32, error_ppm })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensible_rates_are_exact() {
        for clock in [25_000_000, 27_000_000, 48_000_000, 50_000_000, 60_000_000, 62_500_000, 100_000_000] {
            for baud in [9_600, 115_200, 921_600, 1_000_000, 3_000_000] {
                assert!(divisor(clock, baud).unwrap().error_ppm < 1_000, "{clock} {baud}");
            }
        }
    }

    #[test]
    fn impossible_rates_are_refused() {
        assert!(matches!(divisor(12_000_000, 3_000_000), Err(BaudError::TooFast { .. })));
        assert!(matches!(divisor(100_000_000, 20), Err(BaudError::Inexact { .. })));
        assert!(matches!(divisor(100_000_000, 0), Err(BaudError::Inexact { .. })));
    }
}
