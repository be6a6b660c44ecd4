//! The whole link between a byte port and the units.
//!
//! ```text
//!               ┌──────────┐
//!  rx_valid ───▶│          ├─▶ position_valid, position_byte 8, unit_start 2 (all units)
//!  rx_data ──8─▶│          │
//!  rx_ready ◀───┤ endpoint ├─▶ move_records …, score_done … (move generator, evaluator)
//!  tx_valid ◀───┤          │
//!  tx_data ◀─8──┤          ├─▶ load_start, load_valid, load_byte 8 … (its table)
//!  tx_ready ───▶│          │
//!               │          ├─▶ walk_start … (movegen units)
//!               └──────────┘
//! ```
//!
//! Handshake: on both sides of the byte port a byte passes in a clock with valid and ready; `rx_ready` is always high.
//! The units' ports are those of `movegen::unit` and `evaluate::unit`.
//! Latency, throughput: see `receiver`, `dispatcher`, `transmitter`. Model: `model/link`. Absent: the units.

use super::{dispatcher::Dispatcher, receiver::Receiver, registers::Registers, slice::Slice, transmitter::Transmitter};
use crate::{optional::Optional, perft::conductor::Conductor, top::config::ChipConfig};
use hayasashi_spec::registers::CAP_PERFT;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Endpoint {
    pub clock: Signal<In, Clock>,
    pub rx_valid: Signal<In, Bit>,
    pub rx_data: Signal<In, Bits<8>>,
    pub rx_ready: Signal<Out, Bit>,
    pub tx_valid: Signal<Out, Bit>,
    pub tx_data: Signal<Out, Bits<8>>,
    pub tx_ready: Signal<In, Bit>,
    pub position_valid: Signal<Out, Bit>,
    pub position_byte: Signal<Out, Bits<8>>,
    pub unit_start: Signal<Out, Bits<2>>,
    pub move_records: Signal<Out, Bit>,
    pub move_ready: Signal<In, Bit>,
    pub move_done: Signal<In, Bit>,
    pub move_faults: Signal<In, Bits<5>>,
    pub move_count: Signal<In, Bits<10>>,
    pub move_result: Signal<In, Bits<16>>,
    pub record: Signal<In, Bits<32>>,
    pub record_valid: Signal<In, Bit>,
    pub record_next: Signal<Out, Bit>,
    pub score_ready: Signal<In, Bit>,
    pub score_done: Signal<In, Bit>,
    pub score: Signal<In, Bits<16>>,
    pub load_start: Signal<Out, Bit>,
    pub load_valid: Signal<Out, Bit>,
    pub load_byte: Signal<Out, Bits<8>>,
    pub load_offset: Signal<In, Bits<32>>,
    pub load_error: Signal<In, Bit>,
    pub loaded: Signal<In, Bit>,
    pub table_version: Signal<In, Bits<32>>,
    pub table_checksum: Signal<In, Bits<32>>,
    pub walk_start: Signal<Out, Bit>,
    pub walk_depth: Signal<Out, Bits<4>>,
    pub walk_stop: Signal<Out, Bit>,
    pub walk_busy: Signal<In, Bit>,
    pub walk_leaves: Signal<In, Bits<12>>,
    pub walk_expansions: Signal<In, Bits<3>>,
    receiver: Receiver,
    registers: Registers,
    dispatcher: Dispatcher,
    conductor: Optional<Conductor>,
    slice: Slice,
    transmitter: Transmitter,
    rx_fresh: DFF<Bit>,
    rx_byte: DFF<Bits<8>>,
}

impl Endpoint {
    pub fn new(chip: &ChipConfig) -> Self {
        Endpoint {
            clock: Default::default(),
            rx_valid: Default::default(),
            rx_data: Default::default(),
            rx_ready: Default::default(),
            tx_valid: Default::default(),
            tx_data: Default::default(),
            tx_ready: Default::default(),
            position_valid: Default::default(),
            position_byte: Default::default(),
            unit_start: Default::default(),
            move_records: Default::default(),
            move_ready: Default::default(),
            move_done: Default::default(),
            move_faults: Default::default(),
            move_count: Default::default(),
            move_result: Default::default(),
            record: Default::default(),
            record_valid: Default::default(),
            record_next: Default::default(),
            score_ready: Default::default(),
            score_done: Default::default(),
            score: Default::default(),
            load_start: Default::default(),
            load_valid: Default::default(),
            load_byte: Default::default(),
            load_offset: Default::default(),
            load_error: Default::default(),
            loaded: Default::default(),
            table_version: Default::default(),
            table_checksum: Default::default(),
            walk_start: Default::default(),
            walk_depth: Default::default(),
            walk_stop: Default::default(),
            walk_busy: Default::default(),
            walk_leaves: Default::default(),
            walk_expansions: Default::default(),
            receiver: Default::default(),
            registers: Registers::new(chip),
            dispatcher: Dispatcher::new(chip),
            conductor: Optional::new(Default::default(), chip.has(CAP_PERFT)),
            slice: Default::default(),
            transmitter: Default::default(),
            rx_fresh: Default::default(),
            rx_byte: Default::default(),
        }
    }
}

impl Logic for Endpoint {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, receiver, registers, dispatcher, conductor, slice, transmitter);
        dff_setup!(self, clock, rx_fresh, rx_byte);
        self.rx_ready.next = true;
        // The line's timing ends here.
        self.rx_fresh.d.next = self.rx_valid.val();
        self.rx_byte.d.next = self.rx_data.val();
        self.receiver.rx_valid.next = self.rx_fresh.q.val();
        self.receiver.rx_data.next = self.rx_byte.q.val();
        self.receiver.advance.next = self.dispatcher.advance.val();
        self.receiver.retire.next = self.dispatcher.retire.val();
        self.registers.index.next = self.dispatcher.info_index.val();
        self.registers.frame_taken.next = self.receiver.frame_taken.val();
        self.registers.frame_bad.next = self.receiver.frame_bad.val();
        self.registers.position_ok.next = self.dispatcher.position_ok.val();
        self.registers.table_loaded.next = self.loaded.val();
        self.registers.table_version.next = self.table_version.val();
        self.registers.table_checksum.next = self.table_checksum.val();
        self.dispatcher.waiting.next = self.receiver.waiting.val();
        self.dispatcher.head.next = self.receiver.head.val();
        self.dispatcher.length.next = self.receiver.length.val();
        self.dispatcher.data.next = self.receiver.data.val();
        self.dispatcher.ready.next = self.transmitter.ready.val();
        self.dispatcher.payload_ready.next = self.slice.ready.val();
        self.dispatcher.info.next = self.registers.value.val();
        self.dispatcher.move_ready.next = self.move_ready.val();
        self.dispatcher.move_done.next = self.move_done.val();
        self.dispatcher.move_faults.next = self.move_faults.val();
        self.dispatcher.move_count.next = self.move_count.val();
        self.dispatcher.move_result.next = self.move_result.val();
        // The words of a walk's answer come as the records of a move list do.
        self.dispatcher.record.next = self.record.val();
        if self.conductor.word_valid.val() {
            self.dispatcher.record.next = self.conductor.word.val();
        }
        self.dispatcher.record_valid.next = self.record_valid.val() | self.conductor.word_valid.val();
        self.dispatcher.walk_possible.next = self.conductor.possible.val();
        self.dispatcher.walk_report.next = self.conductor.report.val();
        self.dispatcher.walk_status.next = self.conductor.status.val();
        self.conductor.take.next = self.dispatcher.walk_take.val();
        self.conductor.head.next = self.dispatcher.walk_head.val();
        self.conductor.start.next = self.dispatcher.walk_start.val();
        self.conductor.count.next = self.move_count.val();
        self.conductor.cancelled.next = self.receiver.cancelled.val();
        self.conductor.show.next = self.dispatcher.walk_show.val();
        self.conductor.word_next.next = self.dispatcher.record_next.val();
        self.conductor.busy.next = self.walk_busy.val();
        self.conductor.leaves.next = self.walk_leaves.val();
        self.conductor.expansions.next = self.walk_expansions.val();
        self.walk_start.next = self.conductor.unit_start.val();
        self.walk_depth.next = self.conductor.unit_depth.val();
        self.walk_stop.next = self.conductor.unit_stop.val();
        self.dispatcher.score_ready.next = self.score_ready.val();
        self.dispatcher.score_done.next = self.score_done.val();
        self.dispatcher.score.next = self.score.val();
        self.dispatcher.load_offset.next = self.load_offset.val();
        self.dispatcher.load_error.next = self.load_error.val();
        self.dispatcher.loaded.next = self.loaded.val();
        self.position_valid.next = self.dispatcher.position_valid.val();
        self.position_byte.next = self.dispatcher.position_byte.val();
        self.unit_start.next = self.dispatcher.unit_start.val();
        self.move_records.next = self.dispatcher.move_records.val();
        self.record_next.next = self.dispatcher.record_next.val() & !self.conductor.word_valid.val();
        self.load_start.next = self.dispatcher.load_start.val();
        self.load_valid.next = self.dispatcher.load_valid.val();
        self.load_byte.next = self.dispatcher.load_byte.val();
        self.transmitter.start.next = self.dispatcher.start.val();
        self.transmitter.opcode.next = bit_cast::<8, 29>(self.receiver.head.val());
        self.transmitter.seq.next = self.receiver.head.val().get_bits::<16>(8);
        self.transmitter.status.next = self.dispatcher.status.val();
        self.transmitter.index.next = self.dispatcher.index.val();
        self.transmitter.length.next = self.dispatcher.answer_length.val();
        // So that no path leads from the request's memory to the line and back.
        self.slice.clear.next = false;
        self.slice.last.next = false;
        self.slice.data.next = self.dispatcher.payload.val();
        self.slice.valid.next = self.dispatcher.payload_valid.val();
        self.transmitter.payload.next = self.slice.tdata.val();
        self.transmitter.payload_valid.next = self.slice.tvalid.val();
        self.slice.tready.next = self.transmitter.payload_ready.val();
        self.transmitter.tx_ready.next = self.tx_ready.val();
        self.tx_valid.next = self.transmitter.tx_valid.val();
        self.tx_data.next = self.transmitter.tx_data.val();
    }
}
