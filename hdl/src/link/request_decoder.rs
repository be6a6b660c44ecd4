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
//! Latency: one clock for the opcode; `status` follows `length` combinationally. Throughput: one request a clock.
//! Cost: 8 flip-flops. Model: `model/link`.
//! No output is high for an opcode that the chip lacks. Absent: the checks of the frame (see `receiver`).

use super::request_head::RequestHead;
use crate::config::ChipConfig;
use hayasashi_spec::{
    opcode::{Opcode, Status},
    perft::PERFT_BYTES,
    registers::*,
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
    /// The opcode is LOAD_TABLE, and the chip evaluates.
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
    opcode: DFF<Bits<8>>,
    /// The length does not suit the opcode.
    bad_length: Signal<Local, Bit>,
    is_perft: Signal<Local, Bit>,
    bad_search_length: Signal<Local, Bit>,
    code: Codes,
    has_movegen: Constant<Bit>,
    has_evaluate: Constant<Bit>,
    has_perft: Constant<Bit>,
    has_search: Constant<Bit>,
}

impl RequestDecoder {
    /// For this chip's units.
    pub fn new(chip: &ChipConfig) -> Self {
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
            is_perft: Default::default(),
            bad_search_length: Default::default(),
            opcode: Default::default(),
            code: Default::default(),
            has_movegen: Constant::new(chip.has(CAP_MOVEGEN)),
            has_evaluate: Constant::new(chip.has(CAP_EVALUATE)),
            has_perft: Constant::new(chip.has(CAP_PERFT)),
            has_search: Constant::new(chip.has(CAP_SEARCH)),
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
        dff_setup!(self, clock, opcode);
        self.opcode.d.next = self.head.val().opcode;
        self.is_info.next = self.opcode.q.val() == self.code.info.val();
        self.is_echo.next = self.opcode.q.val() == self.code.echo.val();
        self.is_load_table.next = (self.opcode.q.val() == self.code.load_table.val()) & self.has_evaluate.val();
        self.is_cancel.next = self.opcode.q.val() == self.code.cancel.val();
        self.is_generate.next = (self.opcode.q.val() == self.code.generate.val()) & self.has_movegen.val();
        self.is_evaluate.next = (self.opcode.q.val() == self.code.evaluate.val()) & self.has_evaluate.val();
        self.is_expand.next = (self.opcode.q.val() == self.code.expand.val()) & self.has_evaluate.val();
        self.is_perft.next = (self.opcode.q.val() == self.code.perft.val()) & self.has_perft.val();
        self.is_search.next = (self.opcode.q.val() == self.code.search.val()) & self.has_search.val();
        self.is_long.next = self.is_perft.val() | self.is_search.val();
        self.needs_table.next = self.is_evaluate.val() | self.is_expand.val() | self.is_search.val();
        self.is_batch.next = (self.opcode.q.val() == self.code.count.val())
            | self.is_generate.val()
            | self.is_evaluate.val()
            | self.is_expand.val();
        self.bad_search_length.next = (self.length.val() < self.code.least_search_bytes.val())
            | (self.length.val() > self.code.most_search_bytes.val())
            | bit_cast::<3, 12>(self.length.val()).any();
        self.bad_length.next = ((self.is_info.val() | self.is_cancel.val()) & self.length.val().any())
            | (self.is_load_table.val() & (self.length.val() < self.code.offset_bytes.val()))
            | (self.is_perft.val() & (self.length.val() != self.code.perft_bytes.val()))
            | (self.is_search.val() & self.bad_search_length.val())
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
