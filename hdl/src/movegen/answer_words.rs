//! The words of an answer: the records of moves, then the scores of the positions after them.
//!
//! ```text
//!                  +-------------+
//!   clock         ->             =>            words: `ports::WordSource`
//!   clear         ->             =>            scores: `ports::WordSink`
//!   scoring       -> AnswerWords -> made_root  the evaluator is to score the requested position
//!   from_scores   ->             -> made_child the evaluator is to score a position after a move
//!   entering 22   =>             |
//!   record 32     =>             |
//!   result 22     =>             |
//!   may_mate      ->             |
//!   words, scores =>             |
//!                  +-------------+
//! ```
//!
//! Handshake: `record` is that of the move whose position enters the pipeline with the tag `entering`; `result` and `may_mate`
//! are the pipeline's. With `scoring`, records tell mates and the evaluator gets the positions. `words` are the records, or with
//! `from_scores` the words of `scores`.
//! Method: a move mates if it checks and no answer is counted. A pawn drop that is not counted because it may be mate is an
//! answer: if it parries the check and mates, the checking piece cannot capture the pawn, so it is pinned; then the piece that pins
//! it can capture it, and cannot be pinned itself (the kings are on no such lines); so that capture is counted.
//! Latency and throughput of the records: see [`super::record_buffer`], the block inside. Cost: no flip-flops of its own.
//! Model: `host/model/src/request.rs`. Absent: the number of the words (`request_control`).

use super::record_buffer::RecordBuffer;
use super::tag_decoder::{TagDecoder, TAG_WIDTH};
use crate::ports::{WordSink, WordSource};
use rust_hdl::prelude::*;

/// Gives the words of an answer.
#[derive(LogicBlock, Default)]
pub struct AnswerWords {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all records.
    pub clear: Signal<In, Bit>,
    /// Scores and mates are wanted.
    pub scoring: Signal<In, Bit>,
    /// The words are scores.
    pub from_scores: Signal<In, Bit>,
    /// Tag of the position that enters the pipeline.
    pub entering: Signal<In, Bits<TAG_WIDTH>>,
    /// Record of the move that led to it.
    pub record: Signal<In, Bits<32>>,
    /// Tag of a position that is counted.
    pub result: Signal<In, Bits<TAG_WIDTH>>,
    /// With `result`: a pawn drop is not counted, because it may be mate.
    pub may_mate: Signal<In, Bit>,
    /// The words.
    pub words: WordSource,
    /// The scores.
    pub scores: WordSink,
    /// The requested position is to be scored.
    pub made_root: Signal<Out, Bit>,
    /// A position after a move is to be scored.
    pub made_child: Signal<Out, Bit>,
    made: TagDecoder,
    counted: TagDecoder,
    buffer: RecordBuffer,
}

impl AnswerWords {
    /// Without memory in a unit that gives no moves one by one.
    pub fn new(present: bool) -> Self {
        AnswerWords { buffer: RecordBuffer::new(present), ..Default::default() }
    }
}

impl Logic for AnswerWords {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, buffer);
        self.made.tag.next = self.entering.val();
        self.counted.tag.next = self.result.val();
        self.buffer.clear.next = self.clear.val();
        self.buffer.write.next = self.made.child.val();
        self.buffer.write_data.next = self.record.val();
        self.buffer.counted.next = self.counted.child.val();
        self.buffer.checks.next = self.counted.in_check.val();
        self.buffer.mates.next =
            self.scoring.val() & self.counted.in_check.val() & !self.counted.count.val().any() & !self.may_mate.val();
        self.made_root.next = self.made.node.val() & !self.made.mate.val() & self.scoring.val();
        self.made_child.next = self.made.child.val() & self.scoring.val();
        self.words.data.next = self.buffer.records.data.val();
        self.words.valid.next = self.buffer.records.valid.val();
        self.buffer.records.take.next = self.words.take.val();
        self.scores.take.next = false;
        if self.from_scores.val() {
            self.words.data.next = self.scores.data.val();
            self.words.valid.next = self.scores.valid.val();
            self.scores.take.next = self.words.take.val();
            self.buffer.records.take.next = false;
        }
    }
}
