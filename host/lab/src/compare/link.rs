//! The time of requests over a link, and the break-even with software.
//!
//! | request | time, with nothing else in flight |
//! |---|---|
//! | one frame | `round trip + request bytes / rate + clocks / clock rate + answer bytes / rate`, without overlap |
//! | several frames | the first frame as above; each further position takes the time of the slowest of the three legs |
//!
//! With many requests in flight each position takes the time of the slowest leg, because the link is full-duplex. The chip checks
//! a frame before it starts on it, but answers each position as soon as it is done. The time without overlap is thus an upper
//! bound.
//!
//! Behind a DMA the answers come in packets of a fixed size ([`hayasashi_spec::word_frame`]). Where nothing else is in flight, the last
//! packet is completed first: the time counts a whole packet.

use super::{Figure, Provenance};
use hayasashi_spec::word_frame::{Framing, PACKET_IDLE_CLOCKS, PACKET_WORDS, WORD_BYTES};
use serde::Serialize;

/// Bits per byte on a UART: a start bit, eight data bits, a stop bit.
pub const UART_BITS: f64 = 10.0;
/// The least delay of a USB serial adapter: FTDI's latency timer set to 1 ms.
pub const ADAPTER_SECONDS: f64 = 1e-3;
/// Bytes per second of a PCIe 2.0 lane: 5 GT/s with 8b/10b coding.
const PCIE_LANE_BYTES_PER_SECOND: f64 = 5e9 / 10.0;
/// Payload share of a packet: 128 bytes, plus 24 bytes of framing, sequence number, header (four words) and checksum.
const PCIE_PAYLOAD_SHARE: f64 = 128.0 / (128.0 + 24.0);
/// Round trip: doorbell, the device's read of the request, its write of the answer, the host's polling. The order of magnitude
/// measured by Neugebauer et al. ("Understanding PCIe performance for end host networking", 2018).
const PCIE_ROUND_TRIP_SECONDS: f64 = 2e-6;

/// A port of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Port {
    /// One byte a clock in each direction.
    Bytes,
    /// Eight bytes a clock in each direction.
    Words,
}

impl Port {
    /// The frames that it speaks.
    pub fn framing(self) -> Framing {
        match self {
            Port::Bytes => Framing::Slip,
            Port::Words => Framing::Words,
        }
    }
}

/// A link to the chip.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Link {
    /// Display name.
    pub name: String,
    /// The port that it leads to.
    pub port: Port,
    /// Bytes per second in each direction.
    pub bytes_per_second: f64,
    /// Fixed delay of each request in seconds.
    pub round_trip_seconds: f64,
    /// Clocks of the chip until the last packet of answers is complete, at most; 0 where there are no packets.
    pub packet_clocks: u64,
    /// Always computed.
    pub basis: Provenance,
    /// The assumptions behind both numbers.
    pub assumptions: String,
}

impl Link {
    /// The board's own serial line.
    pub fn uart(baud_hz: u32) -> Link {
        Link {
            name: format!("UART {} Mbaud", baud_hz as f64 / 1e6),
            port: Port::Bytes,
            bytes_per_second: baud_hz as f64 / UART_BITS,
            round_trip_seconds: ADAPTER_SECONDS,
            packet_clocks: 0,
            basis: Provenance::Computed,
            assumptions: format!(
                "{baud_hz} baud, {UART_BITS} bits per byte, no gaps between bytes; a USB adapter with a delay of {} ms (the least \
                 setting of FTDI's latency timer; the default is 16 ms)",
                ADAPTER_SECONDS * 1e3
            ),
        }
    }

    /// So many lanes of PCIe, behind a DMA. No such card has been tried.
    pub fn pcie(port: Port, lanes: u32) -> Link {
        let bytes_per_second = f64::from(lanes) * PCIE_LANE_BYTES_PER_SECOND * PCIE_PAYLOAD_SHARE;
        let (name, most, packet_clocks) = match port {
            Port::Bytes => ("byte", 1, 0),
            Port::Words => ("word", WORD_BYTES, PACKET_IDLE_CLOCKS + PACKET_WORDS),
        };
        Link {
            name: format!("PCIe 2.0 x{lanes}"),
            port,
            bytes_per_second,
            round_trip_seconds: PCIE_ROUND_TRIP_SECONDS,
            packet_clocks: packet_clocks as u64,
            basis: Provenance::Computed,
            assumptions: format!(
                "no card has been tried; 5 GT/s a lane with 8b/10b coding, packets of 128 bytes with 24 bytes of overhead ({:.0} \
                 MB/s in each direction), {} us for a request's doorbell, read, write and polling, at most {packet_clocks} clocks \
                 until the last packet of answers is complete; the chip's {name} port takes and gives up to {most} bytes a clock",
                bytes_per_second / 1e6,
                PCIE_ROUND_TRIP_SECONDS * 1e6
            ),
        }
    }

    /// Seconds from the request of `units` units of work to the last answer, with nothing else in flight.
    pub fn seconds(&self, cost: &RequestCost, clock_hz: f64, units: f64) -> f64 {
        let first = units.min(cost.max_units as f64);
        let legs = self.legs(cost, clock_hz, first);
        let slowest = legs.iter().copied().fold(0.0, f64::max) / first;
        self.fixed_seconds(clock_hz) + legs.iter().sum::<f64>() + (units - first) * slowest
    }

    /// Units of work per second with many full requests in flight.
    pub fn stream_rate(&self, cost: &RequestCost, clock_hz: f64) -> f64 {
        let units = cost.max_units as f64;
        units / self.legs(cost, clock_hz, units).into_iter().fold(0.0, f64::max)
    }

    /// The fewest units of work that finish no later than on software with `seconds` per unit; `None` if there is no such number.
    pub fn break_even(&self, cost: &RequestCost, clock_hz: f64, seconds: f64) -> Option<u64> {
        // The time is linear up to one frame, and linear with another slope beyond.
        let max_units = cost.max_units as f64;
        let fixed = self.fixed_seconds(clock_hz) + self.legs(cost, clock_hz, 0.0).iter().sum::<f64>();
        let in_frame = self.seconds(cost, clock_hz, max_units);
        let crossing = |fixed: f64, each: f64| (each < seconds).then(|| (fixed / (seconds - each)).max(1.0));
        if let Some(units) = crossing(fixed, (in_frame - fixed) / max_units).filter(|&units| units <= max_units) {
            return Some(units.ceil() as u64);
        }
        let each = 1.0 / self.stream_rate(cost, clock_hz);
        crossing(in_frame - max_units * each, each).map(|units| units.max(max_units).ceil() as u64)
    }

    /// Seconds that any request takes longer than its bytes and clocks.
    fn fixed_seconds(&self, clock_hz: f64) -> f64 {
        self.round_trip_seconds + self.packet_clocks as f64 / clock_hz
    }

    /// Seconds of one frame's request bytes, clocks and answer bytes.
    fn legs(&self, cost: &RequestCost, clock_hz: f64, units: f64) -> [f64; 3] {
        [
            cost.request.of(units) / self.bytes_per_second,
            cost.clocks.of(units) / clock_hz,
            cost.answers.of(units) / self.bytes_per_second,
        ]
    }
}

/// A fixed cost of a request plus a cost for each unit of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearCost {
    /// Cost of a request.
    pub fixed: f64,
    /// Cost of a unit of work.
    pub each: f64,
}

impl LinearCost {
    fn of(&self, units: f64) -> f64 {
        self.fixed + self.each * units
    }
}

/// Bytes and clocks of a request. A unit of work is a position or an expansion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestCost {
    /// Bytes of the request on the link.
    pub request: LinearCost,
    /// Bytes of its answers on the link.
    pub answers: LinearCost,
    /// Clocks of the chip.
    pub clocks: LinearCost,
    /// Largest number of units of work in one request.
    pub max_units: u64,
}

/// Cores of the software that a chip is compared with, beside one.
const MORE_CORES: [u32; 2] = [2, 8];

/// A size from which on a chip is sooner than software on so many cores.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BreakEven {
    /// Cores; more than one are computed as so many times one.
    pub cores: u32,
    /// Units of work; `None` if no size is large enough.
    pub value: Option<u64>,
    /// Always computed.
    pub basis: Provenance,
}

/// The times of a request of one size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RequestSize {
    /// Units of work.
    pub units: u64,
    /// Seconds of the fastest software on one core.
    pub software: Figure,
    /// Seconds of the chip over the link, with nothing else in flight.
    pub linked: Figure,
}

/// The chip over a link against software with `rate` units of work a second on a core.
pub struct Race<'a> {
    /// The link.
    pub link: &'a Link,
    /// The chip's cost of a request.
    pub cost: &'a RequestCost,
    /// The chip's clock.
    pub clock_hz: f64,
    /// The software's rate.
    pub rate: f64,
}

impl Race<'_> {
    /// The break-even against one core.
    pub fn break_even(&self) -> BreakEven {
        self.against(1)
    }

    /// Those against more cores.
    pub fn more_cores(&self) -> Vec<BreakEven> {
        MORE_CORES.map(|cores| self.against(cores)).into()
    }

    fn against(&self, cores: u32) -> BreakEven {
        let seconds = 1.0 / (self.rate * f64::from(cores));
        let value = self.link.break_even(self.cost, self.clock_hz, seconds);
        BreakEven { cores, value, basis: Provenance::Computed }
    }

    /// The times of a request.
    pub fn size(&self, units: u64) -> RequestSize {
        RequestSize {
            units,
            software: Figure::computed(units as f64 / self.rate, "s"),
            linked: Figure::computed(self.link.seconds(self.cost, self.clock_hz, units as f64), "s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: fn() -> Link = || Link {
        name: "test".into(),
        port: Port::Bytes,
        bytes_per_second: 1000.0,
        round_trip_seconds: 0.5,
        packet_clocks: 0,
        basis: Provenance::Computed,
        assumptions: String::new(),
    };

    /// At 100 Hz: 10 ms + 64 ms of request bytes, 100 ms of clocks, 20 ms of answer bytes for each position.
    const COST: RequestCost = RequestCost {
        request: LinearCost { fixed: 10.0, each: 64.0 },
        answers: LinearCost { fixed: 0.0, each: 20.0 },
        clocks: LinearCost { fixed: 0.0, each: 10.0 },
        max_units: 4,
    };

    #[test]
    fn times_match_a_computation_by_hand() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(LINK().seconds(&COST, 100.0, 1.0), 0.5 + 0.010 + 0.064 + 0.100 + 0.020);
        near(LINK().seconds(&COST, 100.0, 4.0), 0.5 + 0.010 + 4.0 * 0.184);
        // Two more positions, each in the time of its clocks.
        near(LINK().seconds(&COST, 100.0, 6.0), 0.5 + 0.010 + 4.0 * 0.184 + 0.2);
        near(LINK().stream_rate(&COST, 100.0), 10.0);
        // A fast chip waits for the bytes: (10 + 4 * 64) ms for four.
        near(LINK().stream_rate(&COST, 1e6), 4.0 / 0.266);
    }

    #[test]
    fn the_break_even_is_the_smallest_size_that_pays() {
        // 0.51 s and 0.184 s for each up to four, then 0.846 s and 0.1 s for each: with software of 0.2 s, 8.46 positions.
        for (software, expected) in [(1.0, Some(1)), (0.5, Some(2)), (0.2, Some(9)), (0.1, None), (0.01, None)] {
            let found = LINK().break_even(&COST, 100.0, software);
            assert_eq!(found, expected, "{software}");
            // An exhaustive search agrees.
            let tried = (1..10_000).find(|&n| LINK().seconds(&COST, 100.0, n as f64) <= n as f64 * software);
            assert_eq!(found, tried, "{software}");
        }
    }

    #[test]
    fn a_request_alone_waits_for_its_packet() {
        let [one, four] = [1, 4].map(|lanes| Link::pcie(Port::Words, lanes));
        assert_eq!((one.name.as_str(), four.name.as_str()), ("PCIe 2.0 x1", "PCIe 2.0 x4"));
        assert_eq!(four.bytes_per_second, 4.0 * one.bytes_per_second);
        let packets = Link { packet_clocks: 30, ..LINK() };
        assert!((packets.seconds(&COST, 100.0, 1.0) - LINK().seconds(&COST, 100.0, 1.0) - 0.3).abs() < 1e-12);
        assert_eq!(packets.stream_rate(&COST, 100.0), LINK().stream_rate(&COST, 100.0));
        for software in [1.0, 0.5, 0.2] {
            let tried = (1..10_000).find(|&n| packets.seconds(&COST, 100.0, n as f64) <= n as f64 * software);
            assert_eq!(packets.break_even(&COST, 100.0, software), tried, "{software}");
        }
    }

    #[test]
    fn the_serial_line_has_ten_bits_a_byte() {
        let link = Link::uart(3_000_000);
        assert_eq!(link.bytes_per_second, 300_000.0);
        assert_eq!(link.name, "UART 3 Mbaud");
        // 78 request bytes, 18 answer bytes, 60 clocks of a microsecond, and the adapter's delay.
        let cost = RequestCost {
            request: LinearCost { fixed: 14.0, each: 64.0 },
            answers: LinearCost { fixed: 0.0, each: 18.0 },
            clocks: LinearCost { fixed: 0.0, each: 60.0 },
            max_units: 32,
        };
        assert!((link.seconds(&cost, 1e6, 1.0) - (0.001 + 96.0 / 300_000.0 + 60e-6)).abs() < 1e-12);
    }
}
