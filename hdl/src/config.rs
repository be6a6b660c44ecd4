//! What distinguishes one chip from another.

use hayasashi_spec::registers::{
    only_searches, BOARD_SIMULATION, CAP_EVALUATE, CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT, CAP_SEARCH,
};

pub use hayasashi_spec::perft::MAX_UNITS as MAX_PERFT_UNITS;
use hayasashi_spec::search::USUAL_TABLE_BITS;

/// Most walkers of searches.
pub const MAX_WALKERS: u32 = 4;

/// Constants of a chip; most are read back through the information registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChipConfig {
    /// Board number, as in `constraints/`.
    pub board: u32,
    /// Clock of the chip in hertz.
    pub clock_hz: u32,
    /// First 32 bits of a hash of the gateware's sources.
    pub build_id: u32,
    /// `CAP_…` bits. A chip answers requests of capabilities that it lacks `BAD_OPCODE`; without `CAP_MOVEGEN` it only counts
    /// moves and has none of the others, or it only searches and has `CAP_EVALUATE` and `CAP_SEARCH`.
    pub capabilities: u32,
    /// Units that share a walk, 1 to [`MAX_PERFT_UNITS`], where there is `CAP_PERFT`. The first is that which counts and
    /// generates.
    pub perft_units: u32,
    /// Most entries of a search's table, as a power of two: `hayasashi_spec::search::MIN_TABLE_BITS` to
    /// [`MOST_TABLE_BITS`](crate::search::table_rows::MOST_TABLE_BITS), where there
    /// is `CAP_SEARCH`.
    pub search_table_bits: u8,
    /// Walkers of searches where there is `CAP_SEARCH`: 1 to [`MAX_WALKERS`].
    pub search_walkers: u32,
    /// Bits per second of the UART, where there is one.
    pub baud_hz: u32,
}

impl ChipConfig {
    /// Whether the chip has all of these capabilities.
    pub fn has(&self, capabilities: u32) -> bool {
        self.capabilities & capabilities == capabilities
    }

    /// Whether the chip searches, and nothing else: it has no unit that counts or generates moves.
    pub fn only_searches(&self) -> bool {
        only_searches(self.capabilities)
    }

    /// The simulated chip with a walker of searches too.
    pub fn searching() -> Self {
        let usual = ChipConfig::default();
        ChipConfig { capabilities: usual.capabilities | CAP_SEARCH, ..usual }
    }

    /// The same with networks.
    pub fn with_network() -> Self {
        let searching = ChipConfig::searching();
        ChipConfig { capabilities: searching.capabilities | CAP_NETWORK, ..searching }
    }

    /// The simulated chip that only searches, by two walkers.
    pub fn search_only() -> Self {
        ChipConfig { capabilities: CAP_EVALUATE | CAP_SEARCH, search_walkers: 2, ..ChipConfig::default() }
    }

    /// Its walkers of searches.
    pub fn walkers(&self) -> u32 {
        if self.has(CAP_SEARCH) {
            self.search_walkers
        } else {
            0
        }
    }

    /// The register `SEARCH_TABLE_BITS`.
    pub fn most_table_bits(&self) -> u8 {
        if self.has(CAP_SEARCH) {
            self.search_table_bits
        } else {
            0
        }
    }
}

/// What a unit is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitConfig {
    /// It counts for the dispatcher; otherwise it only walks.
    pub requests: bool,
    /// It gives the moves to the dispatcher one by one.
    pub generates: bool,
    /// There is an evaluator beside it.
    pub scores: bool,
    /// It walks this part of trees that so many units share.
    pub walks: Option<(u32, u32)>,
}

impl UnitConfig {
    /// It keeps the moves of positions one by one.
    pub fn keeps(&self) -> bool {
        self.generates || self.walks.is_some()
    }
}

/// FNV-1a (Fowler, Noll, Vo, 1991) of the sources of this crate and of the contract, folded to 32 bits.
pub const BUILD_ID: u32 = match u32::from_str_radix(env!("HAYASASHI_BUILD_ID"), 16) {
    Ok(id) => id,
    Err(_) => panic!("the build script gives eight hexadecimal digits"),
};

impl Default for ChipConfig {
    /// The simulated chip.
    fn default() -> Self {
        ChipConfig {
            board: BOARD_SIMULATION,
            clock_hz: 50_000_000,
            build_id: BUILD_ID,
            capabilities: CAP_MOVEGEN | CAP_EVALUATE | CAP_PERFT,
            perft_units: 1,
            search_table_bits: USUAL_TABLE_BITS,
            search_walkers: 1,
            baud_hz: 3_000_000,
        }
    }
}
