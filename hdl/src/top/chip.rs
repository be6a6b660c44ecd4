//! The chip behind its byte port: the link and the units.
//!
//! ```text
//!               ┌──────┐
//!  rx_valid ───▶│      ├───▶ tx_valid
//!  rx_data ──8─▶│ chip ├─8─▶ tx_data
//!  rx_ready ◀───┤      │◀─── tx_ready
//!               └──────┘
//! ```
//!
//! Handshake: a byte passes in a clock with valid and ready; `rx_ready` is always high.
//! Latency, throughput: see `link`. Model: `model`. Absent: clocks, pins and pads of a board; the evaluator and
//! what gives moves one by one, where `ChipConfig` says so.

use super::config::{ChipConfig, MAX_PERFT_UNITS};
use crate::{
    evaluate::unit::EvaluateUnit,
    lazy::Lazy,
    link::endpoint::Endpoint,
    movegen::unit::{MovegenUnit, UnitConfig},
    optional::Optional,
    position::arrival::Arrival,
};
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_PERFT};
use rust_hdl::prelude::*;

/// Units beside the first.
const OTHERS: usize = MAX_PERFT_UNITS as usize - 1;
const _: () = assert!(OTHERS == 3);

#[derive(LogicBlock)]
pub struct Chip {
    pub clock: Signal<In, Clock>,
    pub rx_valid: Signal<In, Bit>,
    pub rx_data: Signal<In, Bits<8>>,
    pub rx_ready: Signal<Out, Bit>,
    pub tx_valid: Signal<Out, Bit>,
    pub tx_data: Signal<Out, Bits<8>>,
    pub tx_ready: Signal<In, Bit>,
    link: Endpoint,
    arrival: Arrival,
    movegen: Lazy<MovegenUnit>,
    /// Units that only walk.
    walkers: [Optional<Lazy<MovegenUnit>>; OTHERS],
    /// Position registers in a row: each unit has its own beside it.
    evaluate_arrival: Optional<Arrival>,
    walker_arrivals: [Optional<Arrival>; OTHERS],
    passing: DFF<Bit>,
    passing_data: DFF<Bits<8>>,
    evaluate: Optional<Lazy<EvaluateUnit>>,
}

impl Chip {
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
            rx_valid: Default::default(),
            rx_data: Default::default(),
            rx_ready: Default::default(),
            tx_valid: Default::default(),
            tx_data: Default::default(),
            tx_ready: Default::default(),
            link: Endpoint::new(chip),
            arrival: Default::default(),
            movegen: Lazy::new(MovegenUnit::new(unit(0))),
            walkers: std::array::from_fn(|i| {
                let present = i as u32 + 1 < units;
                Optional::new(Lazy::new(MovegenUnit::new(if present { unit(i as u32 + 1) } else { absent })), present)
            }),
            evaluate_arrival: Optional::new(Default::default(), chip.has(CAP_EVALUATE)),
            walker_arrivals: std::array::from_fn(|i| Optional::new(Default::default(), i as u32 + 1 < units)),
            passing: Default::default(),
            passing_data: Default::default(),
            evaluate: Optional::new(Default::default(), chip.has(CAP_EVALUATE)),
        }
    }
}

impl Logic for Chip {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, link, arrival, movegen, evaluate_arrival, evaluate);
        dff_setup!(self, clock, passing, passing_data);
        self.passing.d.next = self.arrival.valid_out.val();
        self.passing_data.d.next = self.arrival.data_out.val();
        self.walker_arrivals[0].valid.next = self.passing.q.val();
        self.walker_arrivals[0].data.next = self.passing_data.q.val();
        for i in 0..2 {
            self.walker_arrivals[i + 1].valid.next = self.walker_arrivals[i].valid_out.val();
            self.walker_arrivals[i + 1].data.next = self.walker_arrivals[i].data_out.val();
        }
        for i in 0..3 {
            self.walkers[i].clock.next = self.clock.val();
            self.walker_arrivals[i].clock.next = self.clock.val();
            self.walker_arrivals[i].start.next = 0.into();
            self.walkers[i].position.next = self.walker_arrivals[i].position.val();
            self.walkers[i].start.next = false;
            self.walkers[i].want_records.next = false;
            self.walkers[i].record_next.next = false;
            self.walkers[i].walk_start.next = self.link.walk_start.val();
            self.walkers[i].walk_depth.next = self.link.walk_depth.val();
            self.walkers[i].walk_stop.next = self.link.walk_stop.val();
        }
        self.link.rx_valid.next = self.rx_valid.val();
        self.link.rx_data.next = self.rx_data.val();
        self.rx_ready.next = self.link.rx_ready.val();
        self.tx_valid.next = self.link.tx_valid.val();
        self.tx_data.next = self.link.tx_data.val();
        self.link.tx_ready.next = self.tx_ready.val();
        self.arrival.valid.next = self.link.position_valid.val();
        self.arrival.data.next = self.link.position_byte.val();
        self.arrival.start.next = self.link.unit_start.val();
        self.movegen.position.next = self.arrival.position.val();
        self.movegen.start.next = self.arrival.start_out.val().get_bit(0);
        self.movegen.want_records.next = self.link.move_records.val();
        self.movegen.record_next.next = self.link.record_next.val();
        self.link.move_ready.next = self.movegen.ready.val();
        self.link.move_done.next = self.movegen.done.val();
        self.link.move_faults.next = self.movegen.faults.val();
        self.link.move_count.next = self.movegen.count.val();
        self.link.move_result.next = self.movegen.result.val();
        self.link.record.next = self.movegen.record.val();
        self.link.record_valid.next = self.movegen.record_valid.val();
        self.movegen.walk_start.next = self.link.walk_start.val();
        self.movegen.walk_depth.next = self.link.walk_depth.val();
        self.movegen.walk_stop.next = self.link.walk_stop.val();
        self.link.walk_busy.next = self.movegen.walk_busy.val()
            | self.walkers[0].walk_busy.val()
            | self.walkers[1].walk_busy.val()
            | self.walkers[2].walk_busy.val();
        self.link.walk_leaves.next = bit_cast::<12, 10>(self.movegen.leaf_count.val())
            + bit_cast::<12, 10>(self.walkers[0].leaf_count.val())
            + bit_cast::<12, 10>(self.walkers[1].leaf_count.val())
            + bit_cast::<12, 10>(self.walkers[2].leaf_count.val());
        self.link.walk_expansions.next = bit_cast::<3, 1>(self.movegen.leaf.val().into())
            + bit_cast::<3, 1>(self.walkers[0].leaf.val().into())
            + bit_cast::<3, 1>(self.walkers[1].leaf.val().into())
            + bit_cast::<3, 1>(self.walkers[2].leaf.val().into());
        self.evaluate_arrival.valid.next = self.arrival.valid_out.val();
        self.evaluate_arrival.data.next = self.arrival.data_out.val();
        self.evaluate_arrival.start.next = self.arrival.start_out.val();
        self.evaluate.position.next = self.evaluate_arrival.position.val();
        self.evaluate.start.next = self.evaluate_arrival.start_out.val().get_bit(1);
        self.evaluate.load_start.next = self.link.load_start.val();
        self.evaluate.load_valid.next = self.link.load_valid.val();
        self.evaluate.load_byte.next = self.link.load_byte.val();
        self.link.score_ready.next = self.evaluate.ready.val();
        self.link.score_done.next = self.evaluate.done.val();
        self.link.score.next = self.evaluate.score.val();
        self.link.load_offset.next = self.evaluate.load_offset.val();
        self.link.load_error.next = self.evaluate.load_error.val();
        self.link.loaded.next = self.evaluate.loaded.val();
        self.link.table_version.next = self.evaluate.version.val();
        self.link.table_checksum.next = self.evaluate.checksum.val();
    }
}
