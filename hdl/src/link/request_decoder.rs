//! Decodes a request's opcode and tells whether the request is refused.
//!
//! ```text
//!             +----------------+
//!   clock    ->                -> is_info, is_echo, is_load_table, is_cancel, is_generate, is_evaluate, is_expand, is_search
//!   head 29  => RequestDecoder -> is_long       the opcode is PERFT or SEARCH
//!   length 12=>                -> is_batch      the opcode is GENERATE, COUNT, EVALUATE or EXPAND
//!             |                -> needs_table   the opcode is EVALUATE, EXPAND or SEARCH
//!             |                => status 4      OK, or why the request is refused
//!             |                => answer_length 12    of an answer to INFO or ECHO
//!             +----------------+
//! ```
//!
//! Handshake: none. `head` and `length` are stable while a request waits.
//! Latency: one clock. Throughput: one request a clock.
//! Cost: 12 flip-flops. Model: `model/link`.
//! No output is high for an opcode that the chip lacks. Absent: the checks of the frame (see `receiver`).

use super::request_head::RequestHead;
use crate::config::ChipConfig;
use hayasashi_spec::{
    opcode::{Opcode, Status},
    perft::PERFT_BYTES,
    registers::REGISTERS,
    search::*,
};
use rust_hdl::prelude::*;

crate::constants! {
    Codes {
        info: Bits<8> = Opcode::Info;
        echo: Bits<8> = Opcode::Echo;
        load_table: Bits<8> = Opcode::LoadTable;
        cancel: Bits<8> = Opcode::Cancel;
        generate: Bits<8> = Opcode::Generate;
        count: Bits<8> = Opcode::Count;
        evaluate: Bits<8> = Opcode::Evaluate;
        expand: Bits<8> = Opcode::Expand;
        perft: Bits<8> = Opcode::Perft;
        search: Bits<8> = Opcode::Search;
        /// A part of a table begins with its offset.
        offset_bytes: Bits<12> = 4;
        perft_bytes: Bits<12> = PERFT_BYTES;
        least_search_bytes: Bits<12> = SEARCH_BYTES;
        most_search_bytes: Bits<12> = SEARCH_BYTES + PATH_WORD_BYTES * MAX_PATH;
        info_bytes: Bits<12> = 4 * REGISTERS;
        bad_length: Bits<4> = Status::BadLength;
        bad_opcode: Bits<4> = Status::BadOpcode;
    }
}

/// What a request asks for.
#[derive(LogicBlock)]
pub struct RequestDecoder {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The request's header fields.
    pub head: Signal<In, RequestHead>,
    /// Bytes of its payload.
    pub length: Signal<In, Bits<12>>,
    /// The opcode is INFO.
    pub is_info: Signal<Out, Bit>,
    /// The opcode is ECHO.
    pub is_echo: Signal<Out, Bit>,
    /// The opcode is LOAD_TABLE, and the chip has an evaluator.
    pub is_load_table: Signal<Out, Bit>,
    /// The opcode is CANCEL.
    pub is_cancel: Signal<Out, Bit>,
    /// The opcode is GENERATE, and the chip gives moves.
    pub is_generate: Signal<Out, Bit>,
    /// The opcode is EVALUATE, and the chip evaluates.
    pub is_evaluate: Signal<Out, Bit>,
    /// The opcode is EXPAND, and the chip evaluates.
    pub is_expand: Signal<Out, Bit>,
    /// The opcode is SEARCH, and the chip searches.
    pub is_search: Signal<Out, Bit>,
    /// It is, or it is PERFT, and the chip walks.
    pub is_long: Signal<Out, Bit>,
    /// The payload is a batch of positions.
    pub is_batch: Signal<Out, Bit>,
    /// The request is refused without an evaluation table.
    pub needs_table: Signal<Out, Bit>,
    /// `Ok`, or why the request is refused.
    pub status: Signal<Out, Bits<4>>,
    /// Bytes of the answer's payload, of INFO and ECHO.
    pub answer_length: Signal<Out, Bits<12>>,
    /// The opcode is this one, and the chip has it.
    info: DFF<Bit>,
    echo: DFF<Bit>,
    load_table: DFF<Bit>,
    cancel: DFF<Bit>,
    generate: DFF<Bit>,
    count: DFF<Bit>,
    evaluate: DFF<Bit>,
    expand: DFF<Bit>,
    perft: DFF<Bit>,
    search: DFF<Bit>,
    /// There is a payload; it is too short for a part of a table; it is not that of a walk, or of a search.
    any_payload: DFF<Bit>,
    below_offset: DFF<Bit>,
    not_perft: DFF<Bit>,
    not_search: DFF<Bit>,
    /// The length does not suit the opcode.
    bad_length: Signal<Local, Bit>,
    code: Codes,
    has_count: Constant<Bit>,
    has_movegen: Constant<Bit>,
    has_evaluate: Constant<Bit>,
    has_table: Constant<Bit>,
    has_perft: Constant<Bit>,
    has_search: Constant<Bit>,
}

impl RequestDecoder {
    /// For this chip's units.
    pub fn new(chip: &ChipConfig) -> Self {
        let has = |opcode: Opcode| Constant::new(opcode.lacks(chip.capabilities) == 0);
        RequestDecoder {
            clock: Default::default(),
            head: Default::default(),
            length: Default::default(),
            is_info: Default::default(),
            is_echo: Default::default(),
            is_load_table: Default::default(),
            is_cancel: Default::default(),
            is_generate: Default::default(),
            is_evaluate: Default::default(),
            is_expand: Default::default(),
            is_search: Default::default(),
            is_long: Default::default(),
            is_batch: Default::default(),
            needs_table: Default::default(),
            status: Default::default(),
            answer_length: Default::default(),
            bad_length: Default::default(),
            info: Default::default(),
            echo: Default::default(),
            load_table: Default::default(),
            cancel: Default::default(),
            generate: Default::default(),
            count: Default::default(),
            evaluate: Default::default(),
            expand: Default::default(),
            perft: Default::default(),
            search: Default::default(),
            any_payload: Default::default(),
            below_offset: Default::default(),
            not_perft: Default::default(),
            not_search: Default::default(),
            code: Default::default(),
            has_count: has(Opcode::Count),
            has_movegen: has(Opcode::Generate),
            has_evaluate: has(Opcode::Evaluate),
            has_table: has(Opcode::LoadTable),
            has_perft: has(Opcode::Perft),
            has_search: has(Opcode::Search),
        }
    }
}

impl Default for RequestDecoder {
    /// Of the simulated chip.
    fn default() -> Self {
        RequestDecoder::new(&ChipConfig::default())
    }
}

impl Logic for RequestDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, info, echo, load_table, cancel, generate, count, evaluate, expand, perft, search);
        dff_setup!(self, clock, any_payload, below_offset, not_perft, not_search);
        self.any_payload.d.next = self.length.val().any();
        self.below_offset.d.next = self.length.val() < self.code.offset_bytes.val();
        self.not_perft.d.next = self.length.val() != self.code.perft_bytes.val();
        self.not_search.d.next = (self.length.val() < self.code.least_search_bytes.val())
            | (self.length.val() > self.code.most_search_bytes.val())
            | bit_cast::<3, 12>(self.length.val()).any();
        self.info.d.next = self.head.val().opcode == self.code.info.val();
        self.echo.d.next = self.head.val().opcode == self.code.echo.val();
        self.load_table.d.next = (self.head.val().opcode == self.code.load_table.val()) & self.has_table.val();
        self.cancel.d.next = self.head.val().opcode == self.code.cancel.val();
        self.generate.d.next = (self.head.val().opcode == self.code.generate.val()) & self.has_movegen.val();
        self.evaluate.d.next = (self.head.val().opcode == self.code.evaluate.val()) & self.has_evaluate.val();
        self.expand.d.next = (self.head.val().opcode == self.code.expand.val()) & self.has_evaluate.val();
        self.perft.d.next = (self.head.val().opcode == self.code.perft.val()) & self.has_perft.val();
        self.search.d.next = (self.head.val().opcode == self.code.search.val()) & self.has_search.val();
        self.count.d.next = (self.head.val().opcode == self.code.count.val()) & self.has_count.val();
        self.is_info.next = self.info.q.val();
        self.is_echo.next = self.echo.q.val();
        self.is_load_table.next = self.load_table.q.val();
        self.is_cancel.next = self.cancel.q.val();
        self.is_generate.next = self.generate.q.val();
        self.is_evaluate.next = self.evaluate.q.val();
        self.is_expand.next = self.expand.q.val();
        self.is_search.next = self.search.q.val();
        self.is_long.next = self.perft.q.val() | self.search.q.val();
        self.needs_table.next = self.evaluate.q.val() | self.expand.q.val() | self.search.q.val();
        self.is_batch.next = self.count.q.val() | self.generate.q.val() | self.evaluate.q.val() | self.expand.q.val();
        self.bad_length.next = ((self.is_info.val() | self.is_cancel.val()) & self.any_payload.q.val())
            | (self.is_load_table.val() & self.below_offset.q.val())
            | (self.perft.q.val() & self.not_perft.q.val())
            | (self.search.q.val() & self.not_search.q.val())
            | (self.is_batch.val() & !self.head.val().is_batch);
        self.status.next = self.head.val().frame_status;
        if !self.head.val().frame_status.any() {
            if self.bad_length.val() {
                self.status.next = self.code.bad_length.val();
            } else if !(self.is_info.val()
                | self.is_echo.val()
                | self.is_load_table.val()
                | self.is_cancel.val()
                | self.is_long.val()
                | self.is_batch.val())
            {
                self.status.next = self.code.bad_opcode.val();
            }
        }
        self.answer_length.next = 0.into();
        if self.is_echo.val() {
            self.answer_length.next = self.length.val();
        }
        if self.is_info.val() {
            self.answer_length.next = self.code.info_bytes.val();
        }
    }
}
