//! The chip behind its word port: the link and the units.
//!
//! ```text
//!             +----------+
//!   clock    -> WordChip =>   words: `ports::WordPort`
//!   reset    ->          -> resetting
//!   words    =>          |
//!             +----------+
//! ```
//!
//! Handshake: a word of eight bytes passes in a clock with valid and ready. `rx_ready` is low in a reset, for three clocks behind a
//! header, and while there is no room. An answer ends with `tx_last`.
//! `reset` works as in [`super::chip`]; an answer that is being sent ends without its trailer.
//! Latency, throughput: see `link`. Cost: see `constraints/AREA.md`. Model: `model`.
//! Absent: what lies between this port and a host (`docs/boards.md`); the units that `ChipConfig` leaves out.

use super::{reset_hold::ResetHold, units::Units};
use crate::{config::ChipConfig, link::word_endpoint::WordEndpoint, ports::*};
use rust_hdl::prelude::*;

/// The link and the units.
#[derive(LogicBlock)]
pub struct WordChip {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Begins a reset, which lasts [`super::reset_hold::HOLD_CLOCKS`] more.
    pub reset: Signal<In, Bit>,
    /// The reset goes on.
    pub resetting: Signal<Out, Bit>,
    /// The word port.
    pub words: WordPort,
    hold: ResetHold,
    link: WordEndpoint,
    units: Units,
}

impl WordChip {
    /// This chip.
    pub fn new(chip: &ChipConfig) -> Self {
        WordChip {
            clock: Default::default(),
            reset: Default::default(),
            resetting: Default::default(),
            words: Default::default(),
            hold: Default::default(),
            link: WordEndpoint::new(chip),
            units: Units::new(chip),
        }
    }
}

impl Logic for WordChip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, hold, link, units);
        WordPort::link(&mut self.words, &mut self.link.words);
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
