//! Virtual time: what a search would take on given hardware, so that a simulated chip and a core of this machine can play on the
//! same clock.
//!
//! | hardware | time of a move |
//! |---|---|
//! | core | nodes · time a node |
//! | chip | round trip and bytes of the link, then steps · clocks a step / clock rate |
//!
//! One walker of a chip searches one root, so more walkers never make a move faster.
//!
//! All of it is integer arithmetic: the same model of time gives the same game in every run.

use hayasashi_spec::{
    frame::{CRC_BYTES, HEADER_BYTES},
    search::{FOUND_BYTES, MAX_PATH, PATH_WORD_BYTES, SEARCH_BYTES},
};
use std::{fmt, time::Duration};

/// Clocks from a step of a walker to its next one, in the mean, on a chip with this many walkers that are all busy; `None` if there are
/// none. Simulated (`cargo test --release -p hayasashi-tests --test accel -- walkers_are_busy --nocapture`).
pub fn step_clocks(walkers: u32) -> Option<u32> {
    match walkers {
        0 => None,
        1 => Some(42),
        _ => Some(41),
    }
}

/// Bits of a byte on a UART.
const UART_BITS: u64 = 10;
/// Bytes that end a frame on each side.
const FRAME_ENDS: usize = 2;

/// What searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hardware {
    /// A core, with the picoseconds of a node.
    Core {
        /// Picoseconds of a node.
        node_ps: u64,
    },
    /// A chip with `SEARCH`.
    Chip(ChipTime),
}

/// The time of searches by a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChipTime {
    /// Clock rate.
    pub clock_hz: u64,
    /// Clocks from a step of a walker to its next one, in the mean.
    pub step_clocks: u32,
    /// The link.
    pub link: LinkTime,
}

/// The time of a request and its answer on the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTime {
    /// This many microseconds for each move.
    Fixed {
        /// Microseconds.
        us: u64,
    },
    /// A serial line behind an adapter. The bytes grow with the game, whose positions are in the request.
    Uart {
        /// Bits a second.
        baud_hz: u64,
        /// Delay of the adapter in microseconds.
        round_trip_us: u64,
    },
}

/// What a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// Nodes of a core.
    Nodes(u64),
    /// Steps of a walker.
    Steps(u64),
}

impl Hardware {
    /// What the hardware does in this time, at least one node or step; `played` positions of the game came before.
    pub fn allowed(&self, time: Duration, played: usize) -> Allowed {
        let picoseconds = time.as_nanos() * 1000;
        let count = |number: u128| u64::try_from(number).unwrap_or(u64::MAX).max(1);
        match self {
            Hardware::Core { node_ps } => Allowed::Nodes(count(picoseconds / u128::from(*node_ps).max(1))),
            Hardware::Chip(chip) => {
                let left = picoseconds.saturating_sub(chip.link.picoseconds(played));
                let clocks = left * u128::from(chip.clock_hz) / 1_000_000_000_000;
                Allowed::Steps(count(clocks / u128::from(chip.step_clocks.max(1))))
            }
        }
    }

    /// The picoseconds of a node in a text that [`Hardware`] has written, if it is about a core.
    pub fn node_ps(text: &str) -> Option<u64> {
        let number =
            text.split(" ns a node").next().filter(|before| before.len() < text.len())?.split(' ').next_back()?;
        let (whole, part) = number.split_once('.')?;
        Some(whole.parse::<u64>().ok()?.checked_mul(1000)? + part.parse::<u64>().ok().filter(|_| part.len() == 3)?)
    }
}

impl LinkTime {
    fn picoseconds(&self, played: usize) -> u128 {
        match *self {
            LinkTime::Fixed { us } => u128::from(us) * 1_000_000,
            LinkTime::Uart { baud_hz, round_trip_us } => {
                let frames = 2 * (HEADER_BYTES + CRC_BYTES + FRAME_ENDS);
                let bytes = frames + SEARCH_BYTES + FOUND_BYTES + PATH_WORD_BYTES * played.min(MAX_PATH);
                let bits = bytes as u128 * u128::from(UART_BITS);
                u128::from(round_trip_us) * 1_000_000 + bits * 1_000_000_000_000 / u128::from(baud_hz.max(1))
            }
        }
    }
}

impl fmt::Display for Hardware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Hardware::Core { node_ps } => write!(f, "core at {}.{:03} ns a node", node_ps / 1000, node_ps % 1000),
            Hardware::Chip(chip) => {
                let ChipTime { clock_hz, step_clocks, link } = chip;
                write!(
                    f,
                    "chip at {}.{:03} MHz, {step_clocks} clocks a step, {link}",
                    clock_hz / 1_000_000,
                    clock_hz / 1000 % 1000,
                )
            }
        }
    }
}

impl fmt::Display for LinkTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkTime::Fixed { us } => write!(f, "link of {us} us a move"),
            LinkTime::Uart { baud_hz, round_trip_us } => {
                write!(f, "link of {baud_hz} baud and {round_trip_us} us a round trip")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHIP: ChipTime = ChipTime { clock_hz: 60_000_000, step_clocks: 20, link: LinkTime::Fixed { us: 1000 } };

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn clocks_by_hand() {
        assert_eq!(Hardware::Core { node_ps: 1_600_000 }.allowed(ms(100), 7), Allowed::Nodes(62_500));
        // 99 ms at 60 MHz are 5,940,000 clocks.
        assert_eq!(Hardware::Chip(CHIP).allowed(ms(100), 7), Allowed::Steps(297_000));
        assert_eq!(Hardware::Chip(ChipTime { step_clocks: 40, ..CHIP }).allowed(ms(100), 7), Allowed::Steps(148_500));
        // The link takes it all.
        assert_eq!(Hardware::Chip(CHIP).allowed(ms(1), 0), Allowed::Steps(1));
        assert_eq!(Hardware::Core { node_ps: u64::MAX }.allowed(ms(1), 0), Allowed::Nodes(1));
        assert_eq!(Hardware::Core { node_ps: 0 }.allowed(Duration::MAX, 0), Allowed::Nodes(u64::MAX));
    }

    #[test]
    fn a_request_has_the_positions_of_the_game() {
        let uart = LinkTime::Uart { baud_hz: 1_000_000, round_trip_us: 500 };
        let frames = 2 * (HEADER_BYTES + CRC_BYTES + 2) + 96 + 64;
        let at = |played: usize| uart.picoseconds(played) / 1_000_000;
        // Ten microseconds a byte.
        assert_eq!(
            [at(0), at(3), at(240), at(999)],
            [0, 24, 1920, 1920].map(|path| (500 + 10 * (frames + path)) as u128)
        );
    }

    #[test]
    fn the_model_of_time_is_read_back() {
        for node_ps in [1, 999, 1_634_005, 98_000_000] {
            let text = Hardware::Core { node_ps }.to_string();
            assert_eq!(Hardware::node_ps(&format!("100 virtual ms, {text}")), Some(node_ps), "{text}");
        }
        assert_eq!(Hardware::node_ps(&Hardware::Chip(CHIP).to_string()), None);
        assert_eq!(Hardware::node_ps("nodes 500"), None);
        let text = Hardware::Chip(CHIP).to_string();
        assert_eq!(text, "chip at 60.000 MHz, 20 clocks a step, link of 1000 us a move");
    }
}
