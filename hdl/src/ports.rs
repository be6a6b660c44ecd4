//! Port lists that several blocks have, each written once.
//!
//! A bundle is a RustHDL interface: `block.bundle.signal` in a kernel, `bundle$signal` in the Verilog.
//! `Bundle::link` connects a block's own bundle with the same bundle of a block inside it; `Bundle::join` connects two
//! blocks that face each other. Both only name the wires: they cost no clock and no logic.

use rust_hdl::prelude::*;

/// Makes the two bundles of a connection: what one side drives, the other reads.
macro_rules! ports {
    ($(#[$meta:meta])* $left:ident <=> $right:ident {
        $(-> $out:ident: $out_type:ty, $out_doc:literal;)*
        $(<- $in:ident: $in_type:ty, $in_doc:literal;)*
    }) => {
        $(#[$meta])*
        #[derive(LogicInterface, Default)]
        pub struct $left {
            $(#[doc = $out_doc] pub $out: Signal<Out, $out_type>,)*
            $(#[doc = $in_doc] pub $in: Signal<In, $in_type>,)*
        }

        /// The other side of that connection.
        #[derive(LogicInterface, Default)]
        pub struct $right {
            $(#[doc = $out_doc] pub $out: Signal<In, $out_type>,)*
            $(#[doc = $in_doc] pub $in: Signal<Out, $in_type>,)*
        }

        impl $left {
            /// Connects the two sides.
            pub fn join(&mut self, other: &mut $right) {
                $(self.$out.join(&mut other.$out);)*
                $(self.$in.join(&mut other.$in);)*
            }
        }
    };
}

ports! {
    /// Bytes to the chip and back. A byte passes in a clock with valid and ready; `rx_ready` is high but in a reset.
    ByteHost <=> ByteChip {
        -> rx_valid: Bit, "A byte for the chip.";
        -> rx_data: Bits<8>, "Its value.";
        -> tx_ready: Bit, "The chip's byte is taken in this clock.";
        <- rx_ready: Bit, "The chip takes the byte in this clock.";
        <- tx_valid: Bit, "A byte from the chip.";
        <- tx_data: Bits<8>, "Its value.";
    }
}

ports! {
    /// A stream of words. `data` is a word while `valid`; `take`, only while `valid`, moves on to the next.
    WordSource <=> WordSink {
        -> data: Bits<32>, "The first word that was not taken.";
        -> valid: Bit, "There is one.";
        <- take: Bit, "It is taken in this clock.";
    }
}

ports! {
    /// The link's requests to the move generation unit. The position and its start come through `position::arrival`.
    MoveClient <=> MoveServer {
        -> want_records: Bit, "The moves are wanted one by one, not only their number.";
        -> want_scores: Bit, "Scores are wanted: with `want_records` those of the positions after the moves, else that of the position.";
        <- ready: Bit, "A position may be started.";
        <- done: Bit, "For one clock: the position is finished.";
        <- faults: Bits<5>, "Why the position cannot occur (`hayasashi_spec::position`); zero if it can.";
        <- count: Bits<10>, "Legal moves.";
        <- result: Bits<16>, "`RESULT_` bits (`hayasashi_spec::opcode`).";
    }
}

ports! {
    /// Orders to a unit that walks a tree, see `perft::walker`.
    WalkLeader <=> WalkUnit {
        -> start: Bit, "For one clock: walk the tree below the position.";
        -> depth: Bits<4>, "Plies of the tree, 2 to 8.";
        -> stop: Bit, "End the walk early.";
        <- busy: Bit, "The walk is not finished.";
    }
}

ports! {
    /// The dispatcher's orders to what sends answers, see `link::answer_sender`.
    AnswerOrder <=> AnswerTask {
        -> clear: Bit, "No payload; the first information register is next.";
        -> set_length: Bit, "Take `length`.";
        -> length: Bits<12>, "Bytes of the payload.";
        -> set_word: Bit, "Take `word`.";
        -> word: Bits<32>, "The payload's first word.";
        -> run: Bit, "Send the answer; high to the clock of `finished`.";
        -> from_info: Bit, "The payload is the information registers.";
        -> from_words: Bit, "The payload is the word stream alone.";
        -> from_request: Bit, "The payload is the request's.";
        -> prefetch: Bit, "A word may be taken in the clock of the last one's last byte.";
        <- started: Bit, "For one clock: the transmitter is started.";
        <- finished: Bit, "For one clock: all of the payload is handed on.";
    }
}

ports! {
    /// The dispatcher's requests to the walk controller, see `perft::walk_controller`.
    WalkClient <=> WalkServer {
        -> take: Bit, "For one clock: `head` is complete.";
        -> head: Bits<32>, "The first word of a `PERFT` request (`hayasashi_spec::perft::PerftHead`).";
        -> start: Bit, "For one clock: walk the tree below the position.";
        -> show: Bit, "For one clock while `report`: copy the sums for an answer.";
        <- possible: Bit, "With `take`: the parameters are in range.";
        <- report: Bit, "An answer is due.";
        <- status: Bits<4>, "Its status.";
    }
}

/// The link's port to the evaluation unit's scores.
#[derive(LogicInterface, Default)]
pub struct ScoreClient {
    /// For one clock: the position is finished.
    pub done: Signal<In, Bit>,
    /// Its score in centipawns for the mover, two's complement.
    pub score: Signal<In, Bits<16>>,
}

/// The link's port to the evaluation unit's table. The byte itself is the link's `payload_byte`.
#[derive(LogicInterface, Default)]
pub struct TableClient {
    /// For one clock: a table begins with the next byte.
    pub start: Signal<Out, Bit>,
    /// The payload byte is one of the table.
    pub valid: Signal<Out, Bit>,
    /// Bytes of the table that have been taken: the offset expected next.
    pub offset: Signal<In, Bits<32>>,
    /// The table's header, a weight or its checksum was wrong.
    pub error: Signal<In, Bit>,
    /// A table is loaded.
    pub loaded: Signal<In, Bit>,
}

/// What the link reads of the units that walk.
#[derive(LogicInterface, Default)]
pub struct WalkCounts {
    /// Leaves that all units counted in this clock.
    pub leaves: Signal<In, Bits<12>>,
    /// Positions at which they did.
    pub expansions: Signal<In, Bits<3>>,
}
