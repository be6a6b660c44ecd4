//! One line of a monitor's journal.

use serde::{Deserialize, Serialize};

/// What a back end has done since the monitor began. Fields are added, never renamed or removed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Requests submitted.
    pub requests: u64,
    /// Requests submitted whose answers have not been collected.
    pub in_flight: u64,
    /// Requests that ended with an error.
    pub failed: u64,
    /// Positions answered `OK`.
    pub positions: u64,
    /// Bytes of request frames, without stuffing and retransmission.
    pub bytes_to_chip: u64,
    /// Bytes of answer frames, likewise.
    pub bytes_from_chip: u64,
    /// How often the board was lost.
    pub losses: u64,
    /// Requests whose answers were compared with the model's.
    pub checked: u64,
    /// Requests of these with another answer.
    pub differences: u64,
    /// The first difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_difference: Option<String>,
}

/// A line of the journal: the totals at a time, and the rates since the line before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Seconds since the monitor began.
    pub seconds: f64,
    /// Name of the back end that answers.
    pub backend: String,
    /// The totals.
    #[serde(flatten)]
    pub totals: Totals,
    /// Positions a second.
    pub positions_per_second: f64,
    /// Share of the serial line's time in the direction that is used more, 0 to 1; absent where the line's rate is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_use: Option<f64>,
    /// Clocks of the chip per position; absent where the chip counts none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clocks_per_position: Option<f64>,
    /// Whether this is the last line.
    pub last: bool,
}

/// Bits on a serial line for each byte.
const BITS_PER_BYTE: f64 = 10.0;

impl Line {
    /// The line after `before`; `chip_clocks` is the chip's counter then and now.
    pub(super) fn after(
        before: &Line,
        seconds: f64,
        backend: String,
        totals: Totals,
        chip_clocks: Option<(u32, u32)>,
    ) -> Line {
        let elapsed = (seconds - before.seconds).max(1e-9);
        let since = |now: u64, then: u64| now.saturating_sub(then) as f64;
        let positions = since(totals.positions, before.totals.positions);
        let bytes = since(totals.bytes_to_chip, before.totals.bytes_to_chip)
            .max(since(totals.bytes_from_chip, before.totals.bytes_from_chip));
        Line {
            seconds,
            positions_per_second: positions / elapsed,
            link_use: baud(&backend).map(|baud| (bytes * BITS_PER_BYTE / baud / elapsed).min(1.0)),
            // The counter is modulo 2^32: 71 seconds at 60 MHz.
            clocks_per_position: chip_clocks
                .filter(|_| positions > 0.0)
                .map(|(then, now)| now.wrapping_sub(then) as f64 / positions),
            backend,
            totals,
            last: false,
        }
    }

    /// The heading of [`Line::row`].
    pub fn heading() -> String {
        format!(
            "{:>8} {:>9} {:>9} {:>11} {:>8} {:>9} {:>6} {:>8} {:>11}  back end",
            "seconds", "requests", "in flight", "positions/s", "line use", "clocks", "losses", "checked", "differences"
        )
    }

    /// The line as a row of a table.
    pub fn row(&self) -> String {
        let Line { totals, .. } = self;
        let optional = |value: Option<String>| value.unwrap_or("-".into());
        let line_use = optional(self.link_use.map(|share| format!("{:.0} %", 100.0 * share)));
        let clocks = optional(self.clocks_per_position.map(|clocks| format!("{clocks:.0}")));
        format!(
            "{:8.1} {:9} {:9} {:11.0} {line_use:>8} {clocks:>9} {:6} {:8} {:11}  {}",
            self.seconds,
            totals.requests,
            totals.in_flight,
            self.positions_per_second,
            totals.losses,
            totals.checked,
            totals.differences,
            self.backend
        )
    }
}

/// The bits per second of a serial back end: `serial:/dev/ttyUSB0@3000000`.
fn baud(backend: &str) -> Option<f64> {
    backend.strip_prefix("serial:")?.rsplit_once('@')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_since_the_line_before() {
        let before = Line {
            seconds: 2.0,
            totals: Totals { positions: 100, bytes_to_chip: 1000, ..Totals::default() },
            ..Line::default()
        };
        let totals = Totals { positions: 700, bytes_to_chip: 61_000, bytes_from_chip: 600, ..Totals::default() };
        let line = Line::after(&before, 4.0, "serial:/dev/x@3000000".into(), totals, Some((u32::MAX - 99, 59_900)));
        assert_eq!((line.positions_per_second, line.clocks_per_position), (300.0, Some(100.0)));
        assert_eq!(line.link_use, Some(0.1));
        let idle = Line::after(&line, 5.0, "model".into(), line.totals.clone(), Some((1, 2)));
        assert_eq!((idle.positions_per_second, idle.clocks_per_position, idle.link_use), (0.0, None, None));
        let text = serde_json::to_string(&line).unwrap();
        assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), line);
        assert_eq!(Line::heading().find("back end"), line.row().find("serial:"));
    }
}
