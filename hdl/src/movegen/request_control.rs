//! The requests of the dispatcher: from positions that start to answers in their order.
//!
//! ```text
//!                  +----------------+
//!   clock, reset  ->                =>                    requests: `ports::MoveServer`
//!   start         ->                =>                    words: `ports::WordSource`, of the present answer
//!   requests      =>                -> root_node, root_leaf, turn, slot 2     to `orders`
//!   words         =>                => job 24, gives      to `fetch`
//!   counted 22    =>                -> made_root          the evaluator is to score the requested position
//!   test_mate     -> RequestControl -> made_child         the evaluator is to score a position after a move
//!   entering 22   =>                |
//!   record 32     =>                |
//!   targets 22    =>                |
//!   result 22     =>                |
//!   may_mate      ->                |
//!   loads, stored ->                |
//!   groups 6      =>                |
//!   faults 4      =>                |
//!   room          ->                |
//!   scores        =>                |   `ports::ScoreSink`
//!                  +----------------+
//! ```
//!
//! Handshake: see the four blocks inside: [`super::request_entry`], [`super::request_slots`], [`super::request_jobs`] and
//! [`super::answer_memory`]. `counted`, `entering`, `targets` and `result` are tags of positions in the pipeline; `record` is that of
//! the move before the one that enters; `test_mate` and `may_mate` go with `counted` and `result`.
//! Method: a move mates if it checks and no answer is counted. A pawn drop that is not counted because it may be mate is an
//! answer: if it parries the check and mates, the checking piece cannot capture the pawn, so it is pinned; then the piece that pins
//! it can capture it, and cannot be pinned itself (the kings are on no such lines); so that capture is counted.
//! Latency, throughput: see there. Cost: no flip-flops of its own. Model: `host/model/src/request.rs`.
//! Absent: walks, which need no such control.

use super::answer_memory::AnswerMemory;
use super::operation::GROUP_BITS;
use super::request_entry::RequestEntry;
use super::request_jobs::{RequestJobs, JOB_WIDTH};
use super::request_slots::{RequestSlots, SLOT_BITS};
use super::tag_decoder::{TagDecoder, TAG_WIDTH};
use crate::ports::{MoveServer, ScoreSink, WordSource};
use crate::position::tag::ROW_BITS;
use rust_hdl::prelude::*;

/// Controls requests.
#[derive(LogicBlock, Default)]
pub struct RequestControl {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all requests.
    pub reset: Signal<In, Bit>,
    /// For one clock: a request.
    pub start: Signal<In, Bit>,
    /// The dispatcher's requests.
    pub requests: MoveServer,
    /// The words of the present answer.
    pub words: WordSource,
    /// Scores of positions.
    pub scores: ScoreSink,
    /// Tag of the position in the counting stage.
    pub counted: Signal<In, Bits<TAG_WIDTH>>,
    /// With `counted`: a pawn drop may be mate.
    pub test_mate: Signal<In, Bit>,
    /// Tag of the position that enters the pipeline.
    pub entering: Signal<In, Bits<TAG_WIDTH>>,
    /// Record of the move that led to it.
    pub record: Signal<In, Bits<32>>,
    /// Tag of the position in the target stage.
    pub targets: Signal<In, Bits<TAG_WIDTH>>,
    /// Tag of a position that is counted.
    pub result: Signal<In, Bits<TAG_WIDTH>>,
    /// With `result`: a pawn drop is not counted, because it may be mate.
    pub may_mate: Signal<In, Bit>,
    /// The bank takes the planes of a node.
    pub loads: Signal<In, Bit>,
    /// The groups of the bank's node may be read.
    pub stored: Signal<In, Bit>,
    /// With `stored`: so many.
    pub groups: Signal<In, Bits<GROUP_BITS>>,
    /// Faults of a position, of `position::faults`.
    pub faults: Signal<In, Bits<4>>,
    /// A job may be given.
    pub room: Signal<In, Bit>,
    /// A position enters as a node.
    pub root_node: Signal<Out, Bit>,
    /// A position enters, to be counted only.
    pub root_leaf: Signal<Out, Bit>,
    /// The null move is made.
    pub turn: Signal<Out, Bit>,
    /// With these three: the slot.
    pub slot: Signal<Out, Bits<SLOT_BITS>>,
    /// All moves of a node are to be made.
    pub job: Signal<Out, Bits<JOB_WIDTH>>,
    /// There is a job in this clock.
    pub gives: Signal<Out, Bit>,
    /// The requested position is to be scored.
    pub made_root: Signal<Out, Bit>,
    /// A position after a move is to be scored.
    pub made_child: Signal<Out, Bit>,
    entry: RequestEntry,
    slots: RequestSlots,
    jobs: RequestJobs,
    memory: AnswerMemory,
    made: TagDecoder,
    counting: TagDecoder,
    ended: TagDecoder,
    answers: Signal<Local, Bit>,
}

impl RequestControl {
    /// Without memory in a unit that gives no moves one by one, or no scores.
    pub fn new(generates: bool, scores: bool) -> Self {
        RequestControl { memory: AnswerMemory::new(generates, scores), ..Default::default() }
    }
}

impl Logic for RequestControl {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, entry, slots, jobs, memory);
        WordSource::link(&mut self.words, &mut self.memory.words);
        self.made.tag.next = self.entering.val();
        self.counting.tag.next = self.counted.val();
        self.ended.tag.next = self.result.val();

        self.entry.reset.next = self.reset.val();
        self.entry.start.next = self.start.val();
        self.entry.want_records.next = self.requests.want_records.val();
        self.entry.blocked.next = self.test_mate.val()
            & (self.counting.node.val() | (self.counting.leaf.val() & !self.counting.child.val()))
            & !self.counting.mate.val();
        self.entry.node_free.next = self.jobs.node_free.val();
        self.entry.job_given.next = self.jobs.gives.val();
        self.entry.retire.next = self.requests.retire.val();
        self.root_node.next = self.entry.root_node.val();
        self.root_leaf.next = self.entry.root_leaf.val();
        self.turn.next = self.entry.turn.val();
        self.slot.next = self.entry.slot.val();

        self.slots.reset.next = self.reset.val();
        self.slots.start.next = self.start.val();
        self.slots.start_slot.next = self.entry.start_slot.val();
        self.slots.want_records.next = self.requests.want_records.val();
        self.slots.want_scores.next = self.requests.want_scores.val();
        self.slots.faults_found.next = self.entry.faults_found.val();
        self.slots.fault_slot.next = self.entry.fault_slot.val();
        self.slots.found.next = self.faults.val();
        self.slots.turned.next = self.targets.val();
        self.slots.result.next = self.result.val();
        self.slots.may_mate.next = self.may_mate.val();
        self.slots.scored.next = self.scores.root.val();
        self.slots.score.next = self.scores.score.val();
        self.slots.oldest.next = self.entry.oldest.val();
        self.slots.given.next = self.jobs.given.val();

        self.jobs.reset.next = self.reset.val();
        self.jobs.start.next = self.start.val();
        self.jobs.want_records.next = self.requests.want_records.val();
        self.jobs.loads.next = self.loads.val();
        self.jobs.stored.next = self.stored.val();
        self.jobs.groups.next = self.groups.val();
        self.jobs.room.next = self.room.val();
        self.jobs.decided.next = self.slots.given_decided.val();
        self.jobs.moves.next = self.slots.given_moves.val();
        self.jobs.with_scores.next = self.slots.given_scoring.val();
        self.jobs.base.next = self.memory.base.val();
        self.jobs.complete.next = self.memory.complete.val();
        self.job.next = self.jobs.job.val();
        self.gives.next = self.jobs.gives.val();

        self.memory.reset.next = self.reset.val();
        self.memory.write.next = self.made.child.val();
        self.memory.record.next = self.record.val();
        self.memory.counted.next = self.ended.child.val();
        self.answers.next = self.ended.count.val().any() | self.may_mate.val();
        self.memory.flags.next = bit_cast::<2, 1>(self.ended.in_check.val().into())
            | (bit_cast::<2, 1>((self.jobs.scoring.val() & self.ended.in_check.val() & !self.answers.val()).into())
                << 1);
        self.memory.scoring.next = self.jobs.scoring.val();
        self.memory.scored.next = self.scores.child.val();
        self.memory.score.next = self.scores.score.val();
        self.memory.decided.next = self.slots.decided.val() & self.entry.waits.val();
        self.memory.first.next = self.slots.word.val();
        self.memory.moves.next = self.slots.moves.val();
        self.memory.retire.next = self.requests.retire.val();
        self.made_root.next = (self.made.leaf.val() | self.made.node.val())
            & !self.made.child.val()
            & !self.made.mate.val()
            & self.slots.root_scores.val().get_bit(bit_cast::<SLOT_BITS, ROW_BITS>(self.made.row.val()).index());
        self.made_child.next = self.made.child.val() & self.jobs.scoring.val();

        self.requests.ready.next = self.entry.ready.val();
        self.requests.answered.next = self.memory.answered.val();
        self.requests.faults.next = self.slots.faults.val();
        self.requests.count.next = self.slots.count.val();
        self.requests.length.next = self.slots.length.val();
    }
}
