//! The link between a byte port and the units.
//!
//! ```text
//!                      +----------+
//!   clock             ->          => bytes            `ports::ByteChip`
//!   bytes             =>          => payload_byte 8   to all units: a byte of a position or of the table
//!   moves, records    =>          -> position_valid   it is one of a position
//!   scores            => Endpoint -> unit_start       the units start on the position
//!   table             =>          =>                  moves, scores, table: `ports::MoveClient`, `ScoreClient`, `TableClient`
//!   table_version 32  =>          =>                  records: `ports::WordSink`, the records of the moves
//!   table_checksum 32 =>          =>                  walk: `ports::WalkLeader`
//!   walk, walk_counts =>          |                   `ports::WalkCounts`
//!                      +----------+
//! ```
//!
//! Handshake: on both sides of the byte port a byte passes in a clock with valid and ready; `rx_ready` is high but in a reset.
//! The units' ports are those of `movegen::unit` and `evaluate::unit`.
//! Latency, throughput: see `receiver`, `dispatcher`, `transmitter`. Model: `model/link`. Absent: the units.
//! Cost: see `constraints/AREA.md`.

use super::{
    answer_sender::AnswerSender, dispatcher::Dispatcher, receiver::Receiver, registers::Registers,
    skid_buffer::SkidBuffer, transmitter::Transmitter,
};
use crate::ports::*;
use crate::{config::ChipConfig, lazy::Lazy, optional::Optional, perft::walk_controller::WalkController};
use hayasashi_spec::registers::CAP_PERFT;
use rust_hdl::prelude::*;

/// The link between a byte port and the units.
#[derive(LogicBlock, Default)]
pub struct Endpoint {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// The byte port.
    pub bytes: ByteChip,
    /// For all units: a byte of a position or of the table.
    pub payload_byte: Signal<Out, Bits<8>>,
    /// `payload_byte` is one of a position.
    pub position_valid: Signal<Out, Bit>,
    /// For one clock: the units start on the position.
    pub unit_start: Signal<Out, Bit>,
    /// The move generation unit.
    pub moves: MoveClient,
    /// The records of its moves.
    pub records: WordSink,
    /// The evaluation unit's scores.
    pub scores: ScoreClient,
    /// The evaluation unit's table.
    pub table: TableClient,
    /// Version of the loaded table, zero without one.
    pub table_version: Signal<In, Bits<32>>,
    /// Checksum of the loaded table, zero without one.
    pub table_checksum: Signal<In, Bits<32>>,
    /// Orders to the units that walk; `busy` of any of them.
    pub walk: WalkLeader,
    /// What they count.
    pub walk_counts: WalkCounts,
    receiver: Receiver,
    registers: Lazy<Registers>,
    dispatcher: Dispatcher,
    sender: AnswerSender,
    walk_controller: Optional<Lazy<WalkController>>,
    skid: SkidBuffer,
    transmitter: Transmitter,
    /// A byte that came in the last clock: the line's timing ends here.
    rx_valid: DFF<Bit>,
    rx_data: DFF<Bits<8>>,
}

impl Endpoint {
    /// The link of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        Endpoint {
            registers: Lazy::new(Registers::new(chip)),
            dispatcher: Dispatcher::new(chip),
            walk_controller: Optional::new(Default::default(), chip.has(CAP_PERFT)),
            ..Default::default()
        }
    }
}

impl Logic for Endpoint {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, receiver, registers, dispatcher, sender, walk_controller, skid, transmitter);
        dff_setup!(self, clock, rx_valid, rx_data);
        MoveClient::link(&mut self.moves, &mut self.dispatcher.moves);
        ScoreClient::link(&mut self.scores, &mut self.dispatcher.scores);
        TableClient::link(&mut self.table, &mut self.dispatcher.table);
        WalkLeader::link(&mut self.walk, &mut self.walk_controller.units);
        WalkCounts::link(&mut self.walk_counts, &mut self.walk_controller.counts);
        AnswerOrder::join(&mut self.dispatcher.answer, &mut self.sender.order);

        self.receiver.reset.next = self.reset.val();
        self.registers.reset.next = self.reset.val();
        self.dispatcher.reset.next = self.reset.val();
        self.sender.reset.next = self.reset.val();
        self.walk_controller.reset.next = self.reset.val();
        self.transmitter.reset.next = self.reset.val();
        self.skid.clear.next = self.reset.val();

        // Requests.
        self.bytes.rx_ready.next = !self.reset.val();
        self.rx_valid.d.next = self.bytes.rx_valid.val();
        self.rx_data.d.next = self.bytes.rx_data.val();
        self.receiver.rx_valid.next = self.rx_valid.q.val();
        self.receiver.rx_data.next = self.rx_data.q.val();
        self.receiver.advance.next = self.dispatcher.advance.val() | self.sender.advance.val();
        self.receiver.retire.next = self.dispatcher.retire.val();
        self.dispatcher.waiting.next = self.receiver.waiting.val();
        self.dispatcher.head.next = self.receiver.head.val();
        self.dispatcher.length.next = self.receiver.length.val();
        self.dispatcher.request_byte.next = self.receiver.data.val();

        // Units.
        self.payload_byte.next = self.receiver.data.val();
        self.position_valid.next = self.dispatcher.position_valid.val();
        self.unit_start.next = self.dispatcher.unit_start.val();
        self.dispatcher.walk.possible.next = self.walk_controller.requests.possible.val();
        self.dispatcher.walk.report.next = self.walk_controller.requests.report.val();
        self.dispatcher.walk.status.next = self.walk_controller.requests.status.val();
        self.walk_controller.requests.take.next = self.dispatcher.walk.take.val();
        self.walk_controller.requests.head.next = self.dispatcher.walk.head.val();
        self.walk_controller.requests.start.next = self.dispatcher.walk.start.val();
        self.walk_controller.requests.show.next = self.dispatcher.walk.show.val();
        self.walk_controller.move_count.next = self.moves.count.val();
        self.walk_controller.cancelled.next = self.receiver.cancelled.val();

        // The words of an answer: of a walk's sums, or the records of the moves.
        self.sender.words.data.next = self.records.data.val();
        if self.walk_controller.words.valid.val() {
            self.sender.words.data.next = self.walk_controller.words.data.val();
        }
        self.sender.words.valid.next = self.records.valid.val() | self.walk_controller.words.valid.val();
        self.walk_controller.words.take.next = self.sender.words.take.val();
        self.records.take.next = self.sender.words.take.val() & !self.walk_controller.words.valid.val();

        // Registers.
        self.registers.index.next = self.sender.info_index.val();
        self.registers.frame_taken.next = self.receiver.frame_taken.val();
        self.registers.frame_bad.next = self.receiver.frame_bad.val();
        self.registers.position_ok.next = self.dispatcher.position_ok.val();
        self.registers.table_loaded.next = self.table.loaded.val();
        self.registers.table_version.next = self.table_version.val();
        self.registers.table_checksum.next = self.table_checksum.val();

        // Answers. The skid buffer keeps the path from the request's memory apart from that to the line.
        self.sender.ready.next = self.transmitter.ready.val();
        self.sender.info.next = self.registers.value.val();
        self.sender.request_byte.next = self.receiver.data.val();
        self.sender.payload_ready.next = self.skid.ready.val();
        self.skid.last.next = false;
        self.skid.data.next = self.sender.payload.val();
        self.skid.valid.next = self.sender.payload_valid.val();
        self.skid.tready.next = self.transmitter.payload_ready.val();
        self.transmitter.start.next = self.sender.start.val();
        self.transmitter.opcode.next = self.receiver.head.val().opcode;
        self.transmitter.seq.next = self.receiver.head.val().sequence;
        self.transmitter.status.next = self.dispatcher.status.val();
        self.transmitter.index.next = self.dispatcher.index.val();
        self.transmitter.length.next = self.sender.length.val();
        self.transmitter.payload.next = self.skid.tdata.val();
        self.transmitter.payload_valid.next = self.skid.tvalid.val();
        self.transmitter.tx_ready.next = self.bytes.tx_ready.val();
        self.bytes.tx_valid.next = self.transmitter.tx_valid.val();
        self.bytes.tx_data.next = self.transmitter.tx_data.val();
    }
}
