//! The chip behind its byte port: the link and the units.
//!
//! ```text
//!             +------+
//!   clock    -> Chip =>   bytes: `ports::ByteChip`
//!   reset    ->      -> resetting
//!   bytes    =>      |
//!             +------+
//! ```
//!
//! Handshake: a byte passes in a clock with valid and ready; `rx_ready` is high but in a reset.
//! `reset`, in any clock, brings the chip back to what it is after configuration: what came before is not answered any more, no
//! table is loaded, and the counters are zero. One clock is enough ([`super::reset_hold`]).
//! Latency, throughput: see `link`. Cost: see `constraints/AREA.md`. Model: `model`.
//! Absent: clocks, pins and pads of a board; the units that `ChipConfig` leaves out.

use super::{reset_hold::ResetHold, units::Units};
use crate::{config::ChipConfig, link::endpoint::Endpoint, ports::*};
use rust_hdl::prelude::*;

/// The link and the units.
#[derive(LogicBlock)]
pub struct Chip {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Begins a reset, which lasts [`super::reset_hold::HOLD_CLOCKS`] more.
    pub reset: Signal<In, Bit>,
    /// The reset goes on.
    pub resetting: Signal<Out, Bit>,
    /// The byte port.
    pub bytes: ByteChip,
    hold: ResetHold,
    link: Endpoint,
    units: Units,
}

impl Chip {
    /// This chip.
    pub fn new(chip: &ChipConfig) -> Self {
        Chip {
            clock: Default::default(),
            reset: Default::default(),
            resetting: Default::default(),
            bytes: Default::default(),
            hold: Default::default(),
            link: Endpoint::new(chip),
            units: Units::new(chip),
        }
    }
}

impl Logic for Chip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, hold, link, units);
        ByteChip::link(&mut self.bytes, &mut self.link.bytes);
        PositionSource::join(&mut self.link.position, &mut self.units.position);
        MoveClient::join(&mut self.link.moves, &mut self.units.moves);
        WordSource::join(&mut self.units.answers, &mut self.link.answers);
        TableClient::join(&mut self.link.table, &mut self.units.table);
        WalkLeader::join(&mut self.link.walk, &mut self.units.walk);
        LeafCounts::join(&mut self.units.walk_counts, &mut self.link.walk_counts);
        for i in 0..4 {
            SearchLeader::join(&mut self.link.walkers[i], &mut self.units.search[i]);
        }
        self.hold.request.next = self.reset.val();
        self.resetting.next = self.hold.reset.val();
        self.link.reset.next = self.hold.reset.val();
        self.units.reset.next = self.hold.reset.val();
    }
}
