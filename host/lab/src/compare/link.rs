//! What the way to the chip and back costs, and from which size on a request is worth it.
//!
//! | | time of a request for `n` positions, alone |
//! |---|---|
//! | one frame | `round trip + bytes there / rate + clocks / clock rate + bytes back / rate`: nothing overlaps |
//! | more frames | the first frame so, each further position in the time of the slowest of the three |
//!
//! Many requests in flight: each position in the time of the slowest of the three, as the link has both directions
//! at once. The chip checks a frame before it begins with it, but answers each position when it is ready: "nothing
//! overlaps" is what the link can cost at most.

use super::Basis;
use serde::Serialize;

/// Bits on the line for each byte of a UART: start, eight, stop.
pub const UART_BITS: f64 = 10.0;
/// What a USB serial adapter adds to an answer at least: FTDI's latency timer set to 1 ms.
pub const ADAPTER_SECONDS: f64 = 1e-3;
/// PCIe 2.0: 5 GT/s a lane, eight of ten bits are data.
const PCIE_LANE_BYTES: f64 = 5e9 / 10.0;
/// A packet of 128 bytes has 24 of framing, sequence number, header (four words) and checksum.
const PCIE_SHARE: f64 = 128.0 / (128.0 + 24.0);
/// Doorbell, the device's read of the request, its write of the answer, the host's polling: the order of what
/// Neugebauer et al. measured ("Understanding PCIe performance for end host networking", 2018).
const PCIE_SECONDS: f64 = 2e-6;

/// A way to the chip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Link {
    /// For people.
    pub name: String,
    /// Bytes a second in each direction.
    pub bytes_per_second: f64,
    /// Seconds that each request takes beside its bytes and clocks.
    pub round_trip_seconds: f64,
    /// Both numbers are reckoned, never timed.
    pub basis: Basis,
    /// What they rest on.
    pub assumptions: String,
}

impl Link {
    /// The board's own serial line.
    pub fn uart(baud_hz: u32) -> Link {
        Link {
            name: format!("UART {} Mbaud", baud_hz as f64 / 1e6),
            bytes_per_second: baud_hz as f64 / UART_BITS,
            round_trip_seconds: ADAPTER_SECONDS,
            basis: Basis::Computed,
            assumptions: format!(
                "{baud_hz} baud, {UART_BITS} bits a byte, bytes without gaps; a USB adapter that answers after {} ms \
                 (FTDI's latency timer at its least; it is set to 16 ms at first)",
                ADAPTER_SECONDS * 1e3
            ),
        }
    }

    /// One lane of PCIe, which none of the boards has: what a faster link would give.
    pub fn pcie() -> Link {
        Link {
            name: "PCIe 2.0 x1".into(),
            bytes_per_second: PCIE_LANE_BYTES * PCIE_SHARE,
            round_trip_seconds: PCIE_SECONDS,
            basis: Basis::Computed,
            assumptions: format!(
                "no board here has it: 5 GT/s with 8b/10b, packets of 128 bytes with 24 bytes around each ({:.0} MB/s each \
                 way), {} us for a request's doorbell, read, write and polling; the chip stays behind its byte port, \
                 one byte a clock each way",
                PCIE_LANE_BYTES * PCIE_SHARE / 1e6,
                PCIE_SECONDS * 1e6
            ),
        }
    }

    /// Seconds from asking for so many units of work until the last answer is there, with nothing else in flight.
    pub fn seconds(&self, shape: &Shape, clock_hz: f64, units: f64) -> f64 {
        let first = units.min(shape.most as f64);
        let legs = self.legs(shape, clock_hz, first);
        let slowest = legs.iter().copied().fold(0.0, f64::max) / first;
        self.round_trip_seconds + legs.iter().sum::<f64>() + (units - first) * slowest
    }

    /// Units of work a second with many full requests in flight.
    pub fn stream_rate(&self, shape: &Shape, clock_hz: f64) -> f64 {
        let units = shape.most as f64;
        units / self.legs(shape, clock_hz, units).into_iter().fold(0.0, f64::max)
    }

    /// The fewest units of work that are done sooner this way than by software that takes `seconds` for each; `None`
    /// where no number is.
    pub fn break_even(&self, shape: &Shape, clock_hz: f64, seconds: f64) -> Option<u64> {
        // Time there is linear up to one frame, and linear beyond.
        let most = shape.most as f64;
        let fixed = self.round_trip_seconds + self.legs(shape, clock_hz, 0.0).iter().sum::<f64>();
        let in_frame = self.seconds(shape, clock_hz, most);
        let crossing = |fixed: f64, each: f64| (each < seconds).then(|| (fixed / (seconds - each)).max(1.0));
        if let Some(units) = crossing(fixed, (in_frame - fixed) / most).filter(|&units| units <= most) {
            return Some(units.ceil() as u64);
        }
        let each = 1.0 / self.stream_rate(shape, clock_hz);
        crossing(in_frame - most * each, each).map(|units| units.max(most).ceil() as u64)
    }

    /// Seconds of one frame there, of the chip, and of the answers back.
    fn legs(&self, shape: &Shape, clock_hz: f64, units: f64) -> [f64; 3] {
        [
            shape.request.of(units) / self.bytes_per_second,
            shape.clocks.of(units) / clock_hz,
            shape.answers.of(units) / self.bytes_per_second,
        ]
    }
}

/// A part for each request, and a part for each unit of work in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linear {
    /// For each request.
    pub fixed: f64,
    /// For each unit of work.
    pub each: f64,
}

impl Linear {
    fn of(&self, units: f64) -> f64 {
        self.fixed + self.each * units
    }
}

/// What a request is made of. A unit of work is a position, or an expansion of a walk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Bytes of the request on the link.
    pub request: Linear,
    /// Bytes of its answers on the link.
    pub answers: Linear,
    /// Clocks of the chip.
    pub clocks: Linear,
    /// Most units of work in one request.
    pub most: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: fn() -> Link = || Link {
        name: "test".into(),
        bytes_per_second: 1000.0,
        round_trip_seconds: 0.5,
        basis: Basis::Computed,
        assumptions: String::new(),
    };

    /// At 100 Hz: 10 ms + 64 ms there, 100 ms of clocks, 20 ms back for each position.
    const SHAPE: Shape = Shape {
        request: Linear { fixed: 10.0, each: 64.0 },
        answers: Linear { fixed: 0.0, each: 20.0 },
        clocks: Linear { fixed: 0.0, each: 10.0 },
        most: 4,
    };

    #[test]
    fn times_are_those_reckoned_by_hand() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(LINK().seconds(&SHAPE, 100.0, 1.0), 0.5 + 0.010 + 0.064 + 0.100 + 0.020);
        near(LINK().seconds(&SHAPE, 100.0, 4.0), 0.5 + 0.010 + 4.0 * 0.184);
        // Two more, each in the time of the clocks.
        near(LINK().seconds(&SHAPE, 100.0, 6.0), 0.5 + 0.010 + 4.0 * 0.184 + 0.2);
        near(LINK().stream_rate(&SHAPE, 100.0), 10.0);
        // A fast chip waits for the bytes: (10 + 4 * 64) ms for four.
        near(LINK().stream_rate(&SHAPE, 1e6), 4.0 / 0.266);
    }

    #[test]
    fn the_break_even_is_the_first_size_that_is_sooner() {
        // 0.51 s and 0.184 s for each up to four, then 0.846 s and 0.1 s for each: with software of 0.2 s, 8.46 positions.
        for (software, expected) in [(1.0, Some(1)), (0.5, Some(2)), (0.2, Some(9)), (0.1, None), (0.01, None)] {
            let found = LINK().break_even(&SHAPE, 100.0, software);
            assert_eq!(found, expected, "{software}");
            // The same by trying every size.
            let tried = (1..10_000).find(|&n| LINK().seconds(&SHAPE, 100.0, n as f64) <= n as f64 * software);
            assert_eq!(found, tried, "{software}");
        }
    }

    #[test]
    fn the_serial_line_has_ten_bits_a_byte() {
        let link = Link::uart(3_000_000);
        assert_eq!(link.bytes_per_second, 300_000.0);
        assert_eq!(link.name, "UART 3 Mbaud");
        // 78 bytes there, 18 back, 60 clocks of a microsecond, and the adapter.
        let shape = Shape {
            request: Linear { fixed: 14.0, each: 64.0 },
            answers: Linear { fixed: 0.0, each: 18.0 },
            clocks: Linear { fixed: 0.0, each: 60.0 },
            most: 32,
        };
        assert!((link.seconds(&shape, 1e6, 1.0) - (0.001 + 96.0 / 300_000.0 + 60e-6)).abs() < 1e-12);
    }
}
