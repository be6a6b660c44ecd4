//! What answers requests, whatever line they come over: the dispatcher, the registers, the controllers of long requests and the sender.
//!
//! ```text
//!                      +--------+
//!   clock, reset      ->        -> advance, retire      to the receiver
//!   waiting           ->        =>                      header: `ports::HeaderSource`
//!   head 29           =>        =>                      words: `ports::WordSource`, the payload of an answer
//!   length 12         => Server =>                      position: `ports::PositionSource`
//!   request_word 64   =>        =>                      moves: `ports::MoveClient`
//!   frame_taken       ->        =>                      table: `ports::TableClient`
//!   frame_bad         ->        =>                      walk: `ports::WalkLeader`
//!   cancelled         ->        =>                      walkers: `ports::SearchLeader`, one each
//!   answers, walk_counts        |                       `ports::WordSink`: the unit's; `ports::WalkCounts`
//!                      +--------+
//! ```
//!
//! Handshake: those of the blocks inside: `dispatcher`, `answer_sender`, `long_requests`. Frames come from a receiver, and answers
//! go to a transmitter.
//! Latency, throughput: see there. Cost: see `constraints/AREA.md`. Model: `model/link`. Absent: frames and units.

use super::{
    answer_sender::AnswerSender, dispatcher::Dispatcher, long_requests::LongRequests, registers::Registers,
    request_head::RequestHead,
};
use crate::ports::*;
use crate::{config::ChipConfig, lazy::Lazy, search::seats::SEATS};
use rust_hdl::prelude::*;

/// Answers requests.
#[derive(LogicBlock, Default)]
pub struct Server {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// A request waits.
    pub waiting: Signal<In, Bit>,
    /// Its header fields.
    pub head: Signal<In, RequestHead>,
    /// Bytes of its payload.
    pub length: Signal<In, Bits<12>>,
    /// Its payload's word under the cursor.
    pub request_word: Signal<In, Bits<64>>,
    /// The cursor moves to the next word.
    pub advance: Signal<Out, Bit>,
    /// For one clock: the request ends.
    pub retire: Signal<Out, Bit>,
    /// For one clock: a frame became a request.
    pub frame_taken: Signal<In, Bit>,
    /// For one clock: a frame was refused.
    pub frame_bad: Signal<In, Bit>,
    /// A CANCEL is among the requests.
    pub cancelled: Signal<In, Bit>,
    /// The header of an answer.
    pub header: HeaderSource,
    /// Its payload.
    pub words: WordSource,
    /// A position for the units.
    pub position: PositionSource,
    /// The move generation unit.
    pub moves: MoveClient,
    /// The words of its oldest answer.
    pub answers: WordSink,
    /// The evaluation unit's table.
    pub table: TableClient,
    /// Orders to the units that walk; `busy` of any of them.
    pub walk: WalkLeader,
    /// What they count.
    pub walk_counts: WalkCounts,
    /// Orders to the walkers of searches.
    pub walkers: [SearchLeader; SEATS],
    registers: Lazy<Registers>,
    dispatcher: Dispatcher,
    sender: AnswerSender,
    long: LongRequests,
}

impl Server {
    /// Of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        Server {
            registers: Lazy::new(Registers::new(chip)),
            dispatcher: Dispatcher::new(chip),
            long: LongRequests::new(chip),
            ..Default::default()
        }
    }
}

impl Logic for Server {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, registers, dispatcher, sender, long);
        HeaderSource::link(&mut self.header, &mut self.sender.header);
        WordSource::link(&mut self.words, &mut self.sender.words);
        PositionSource::link(&mut self.position, &mut self.dispatcher.position);
        TableClient::link(&mut self.table, &mut self.dispatcher.table);
        WalkLeader::link(&mut self.walk, &mut self.long.walk);
        WalkCounts::link(&mut self.walk_counts, &mut self.long.walk_counts);
        for i in 0..4 {
            SearchLeader::link(&mut self.walkers[i], &mut self.long.walkers[i]);
        }
        AnswerOrder::join(&mut self.dispatcher.answer, &mut self.sender.order);
        LongClient::join(&mut self.dispatcher.long, &mut self.long.requests);
        self.registers.reset.next = self.reset.val();
        self.dispatcher.reset.next = self.reset.val();
        self.sender.reset.next = self.reset.val();
        self.long.reset.next = self.reset.val();

        self.dispatcher.waiting.next = self.waiting.val();
        self.dispatcher.head.next = self.head.val();
        self.dispatcher.length.next = self.length.val();
        self.dispatcher.request_word.next = self.request_word.val();
        self.advance.next = self.dispatcher.advance.val() | self.sender.advance.val() | self.long.advance.val();
        self.retire.next = self.dispatcher.retire.val();
        self.dispatcher.unit_ready.next = self.moves.ready.val();
        self.dispatcher.unit_answered.next = self.moves.answered.val();
        self.dispatcher.unit_faults.next = self.moves.faults.val();
        self.moves.want_records.next = self.dispatcher.want_records.val();
        self.moves.want_scores.next = self.dispatcher.want_scores.val();
        self.moves.retire.next = self.dispatcher.unit_retire.val() | self.sender.retire.val();
        self.long.request_word.next = self.request_word.val();
        self.long.length.next = self.length.val();
        self.long.move_count.next = self.moves.count.val();
        self.long.cancelled.next = self.cancelled.val();

        self.sender.request_word.next = self.request_word.val();
        self.sender.info.next = self.registers.value.val();
        self.sender.long_word.next = self.long.words.data.val();
        self.long.words.take.next = self.sender.long_take.val();
        self.sender.answered.next = self.moves.answered.val();
        self.sender.faults.next = self.moves.faults.val();
        self.sender.unit_length.next = self.moves.length.val();
        self.sender.unit_word.next = self.answers.data.val();
        self.sender.unit_valid.next = self.answers.valid.val();
        self.answers.take.next = self.sender.unit_take.val();

        self.registers.index.next = self.sender.info_index.val();
        self.registers.frame_taken.next = self.frame_taken.val();
        self.registers.frame_bad.next = self.frame_bad.val();
        self.registers.position_ok.next = self.sender.position_ok.val();
        self.registers.table_loaded.next = self.table.loaded.val();
        self.registers.table_version.next = self.table.version.val();
        self.registers.table_checksum.next = self.table.checksum.val();
    }
}
