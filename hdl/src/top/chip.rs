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

use super::reset_hold::ResetHold;
use crate::{
    config::{ChipConfig, MAX_PERFT_UNITS},
    evaluate::unit::EvaluateUnit,
    lazy::Lazy,
    link::endpoint::Endpoint,
    movegen::unit::{MovegenUnit, UnitConfig},
    optional::Optional,
    ports::{ByteChip, MoveClient, WordSource},
    position::arrival::Arrival,
};
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_PERFT};
use rust_hdl::prelude::*;

/// Units beside the first.
const OTHERS: usize = MAX_PERFT_UNITS as usize - 1;
const _: () = assert!(OTHERS == 3);

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
    arrival: Lazy<Arrival>,
    movegen: Lazy<MovegenUnit>,
    /// Units that only walk.
    walkers: [Optional<Lazy<MovegenUnit>>; OTHERS],
    /// Position registers in a row: each unit has its own beside it.
    walker_arrivals: [Optional<Lazy<Arrival>>; OTHERS],
    passing_valid: DFF<Bit>,
    passing_data: DFF<Bits<8>>,
    evaluate: Optional<Lazy<EvaluateUnit>>,
}

impl Chip {
    /// This chip.
    pub fn new(chip: &ChipConfig) -> Self {
        let absent = UnitConfig { requests: false, generates: false, walks: None };
        let units = if chip.has(CAP_PERFT) { chip.perft_units } else { 0 };
        let walks = |unit: u32| (unit < units).then_some((unit, units));
        let unit = |unit: u32| UnitConfig {
            requests: unit == 0,
            generates: unit == 0 && chip.has(CAP_MOVEGEN),
            walks: walks(unit),
        };
        Chip {
            clock: Default::default(),
            reset: Default::default(),
            resetting: Default::default(),
            bytes: Default::default(),
            hold: Default::default(),
            link: Endpoint::new(chip),
            arrival: Default::default(),
            movegen: Lazy::new(MovegenUnit::new(unit(0))),
            walkers: std::array::from_fn(|i| {
                let present = i as u32 + 1 < units;
                Optional::new(Lazy::new(MovegenUnit::new(if present { unit(i as u32 + 1) } else { absent })), present)
            }),
            walker_arrivals: std::array::from_fn(|i| Optional::new(Default::default(), i as u32 + 1 < units)),
            passing_valid: Default::default(),
            passing_data: Default::default(),
            evaluate: Optional::new(Default::default(), chip.has(CAP_EVALUATE)),
        }
    }
}

impl Logic for Chip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, hold, link, arrival, movegen, evaluate);
        dff_setup!(self, clock, passing_valid, passing_data);
        ByteChip::link(&mut self.bytes, &mut self.link.bytes);
        self.hold.request.next = self.reset.val();
        self.resetting.next = self.hold.reset.val();
        self.link.reset.next = self.hold.reset.val();
        self.movegen.reset.next = self.hold.reset.val();
        self.evaluate.reset.next = self.hold.reset.val();
        MoveClient::join(&mut self.link.moves, &mut self.movegen.requests);
        WordSource::join(&mut self.movegen.records, &mut self.link.records);
        WordSource::join(&mut self.evaluate.scores, &mut self.movegen.scores);
        self.passing_valid.d.next = self.arrival.valid_out.val();
        self.passing_data.d.next = self.arrival.data_out.val();
        self.walker_arrivals[0].valid.next = self.passing_valid.q.val();
        self.walker_arrivals[0].data.next = self.passing_data.q.val();
        for i in 0..2 {
            self.walker_arrivals[i + 1].valid.next = self.walker_arrivals[i].valid_out.val();
            self.walker_arrivals[i + 1].data.next = self.walker_arrivals[i].data_out.val();
        }
        for i in 0..3 {
            self.walkers[i].clock.next = self.clock.val();
            self.walkers[i].reset.next = self.hold.reset.val();
            self.walker_arrivals[i].clock.next = self.clock.val();
            self.walker_arrivals[i].start.next = false;
            self.walkers[i].position.next = self.walker_arrivals[i].position.val();
            self.walkers[i].start.next = false;
            self.walkers[i].requests.want_records.next = false;
            self.walkers[i].requests.want_scores.next = false;
            self.walkers[i].records.take.next = false;
            self.walkers[i].scores.data.next = 0.into();
            self.walkers[i].scores.valid.next = false;
            self.walkers[i].walk.start.next = self.link.walk.start.val();
            self.walkers[i].walk.depth.next = self.link.walk.depth.val();
            self.walkers[i].walk.stop.next = self.link.walk.stop.val();
        }
        self.arrival.valid.next = self.link.position_valid.val();
        self.arrival.data.next = self.link.payload_byte.val();
        self.arrival.start.next = self.link.unit_start.val();
        self.movegen.position.next = self.arrival.position.val();
        self.movegen.start.next = self.arrival.start_out.val();
        self.movegen.walk.start.next = self.link.walk.start.val();
        self.movegen.walk.depth.next = self.link.walk.depth.val();
        self.movegen.walk.stop.next = self.link.walk.stop.val();
        self.link.walk.busy.next = self.movegen.walk.busy.val()
            | self.walkers[0].walk.busy.val()
            | self.walkers[1].walk.busy.val()
            | self.walkers[2].walk.busy.val();
        self.link.walk_counts.leaves.next = bit_cast::<12, 10>(self.movegen.leaf_count.val())
            + bit_cast::<12, 10>(self.walkers[0].leaf_count.val())
            + bit_cast::<12, 10>(self.walkers[1].leaf_count.val())
            + bit_cast::<12, 10>(self.walkers[2].leaf_count.val());
        self.link.walk_counts.expansions.next = bit_cast::<3, 1>(self.movegen.leaf.val().into())
            + bit_cast::<3, 1>(self.walkers[0].leaf.val().into())
            + bit_cast::<3, 1>(self.walkers[1].leaf.val().into())
            + bit_cast::<3, 1>(self.walkers[2].leaf.val().into());
        self.evaluate.board.next = self.movegen.made.val();
        self.evaluate.start.next = self.movegen.made_root.val();
        self.evaluate.child.next = self.movegen.made_child.val();
        self.evaluate.load_start.next = self.link.table.start.val();
        self.evaluate.load_valid.next = self.link.table.valid.val();
        self.evaluate.load_byte.next = self.link.payload_byte.val();
        self.link.scores.done.next = self.evaluate.done.val();
        self.link.scores.score.next = self.evaluate.score.val();
        self.link.table.offset.next = self.evaluate.load_offset.val();
        self.link.table.error.next = self.evaluate.load_error.val();
        self.link.table.loaded.next = self.evaluate.loaded.val();
        self.link.table_version.next = self.evaluate.version.val();
        self.link.table_checksum.next = self.evaluate.checksum.val();
    }
}
