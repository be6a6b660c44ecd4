//! Port lists that several blocks have, each written once.
//!
//! A bundle is a RustHDL interface: `block.bundle.signal` in a kernel, `bundle$signal` in the Verilog.
//! `Bundle::link` connects a block's own bundle with the same bundle of a block inside it; `Bundle::join` connects two
//! blocks that face each other. Both only name the wires: they cost no clock and no logic.

use crate::movegen::positions::BOARD_WIDTH;
use rust_hdl::prelude::*;

/// Makes the two bundles of a connection: what one side drives, the other reads.
#[macro_export]
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
    /// A stream of words. `data` is a word while `valid`; `take` moves on to the next; it means nothing while there is
    /// none.
    WordSource <=> WordSink {
        -> data: Bits<64>, "The first word that was not taken, its first byte lowest.";
        -> valid: Bit, "There is one.";
        <- take: Bit, "It is taken in this clock, if there is one.";
    }
}

ports! {
    /// The link's requests to the unit, and its answers. The position and its start come through `position::arrival`. The words
    /// of the oldest answer come as a [`WordSource`].
    MoveClient <=> MoveServer {
        -> want_records: Bit, "With the start: the moves are wanted one by one, not only their number.";
        -> want_scores: Bit, "With the start: scores are wanted, with `want_records` those of the positions after the moves, else that of the position.";
        -> retire: Bit, "For one clock while `answered`: the oldest answer is done with.";
        <- ready: Bit, "A position may be started two clocks later.";
        <- answered: Bit, "The oldest answer stands.";
        <- faults: Bits<5>, "Why its position cannot occur (`hayasashi_spec::position`); zero if it can.";
        <- count: Bits<10>, "Its legal moves.";
        <- length: Bits<12>, "Bytes of its payload.";
    }
}

ports! {
    /// Scores of the positions that the evaluator was given, in their order.
    ScoreSource <=> ScoreSink {
        -> root: Bit, "For one clock: `score` is that of a requested position.";
        -> child: Bit, "For one clock: `score` is that of a position after a move.";
        -> score: Bits<16>, "Centipawns for the mover, two's complement.";
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
        -> run: Bit, "Send the answer described by the fields below, which stay; high to the clock of `finished`.";
        -> opcode: Bits<8>, "Opcode of the request that it is for, and of positions that are started.";
        -> sequence: Bits<16>, "Its sequence number.";
        -> status: Bits<4>, "Its status (`hayasashi_spec::opcode::Status`).";
        -> index: Bits<6>, "Position of the request that it is for.";
        -> length: Bits<12>, "Bytes of its payload.";
        -> word: Bits<32>, "The payload, unless one of the following is high.";
        -> from_info: Bit, "The payload is the information registers.";
        -> from_long: Bit, "The payload is that of a long request.";
        -> from_request: Bit, "The payload is the request's.";
        -> from_unit: Bit, "The payload is the unit's answer, which is retired then.";
        -> push: Bit, "For one clock: a position is started, whose answer the unit gives; `index` is that of the position.";
        <- idle: Bit, "No answer of the unit is waited for.";
        <- finished: Bit, "For one clock: all of the payload is handed on.";
    }
}

ports! {
    /// The dispatcher's orders to a controller of long requests: `perft::walk_controller`, `search::controller`.
    LongClient <=> LongServer {
        -> is_search: Bit, "The request is a SEARCH, not a PERFT; stays until it has begun.";
        -> load: Bit, "The cursor is at the request's head; high to the clock of `loaded`.";
        -> head: Bits<32>, "The first four bytes of the request.";
        -> sequence: Bits<16>, "Its sequence number.";
        -> start: Bit, "For one clock: the position is possible, and the cursor is behind it.";
        -> show: Bit, "For one clock while `report`: give the words of an answer.";
        <- free: Bit, "The request under the cursor may be loaded while others go on.";
        <- loaded: Bit, "For one clock: the head is read.";
        <- possible: Bit, "With `loaded`: its numbers are in range.";
        <- begun: Bit, "Behind `start`: nothing more is read of the request.";
        <- waits: Bit, "A request was started whose last answer is not on its way.";
        <- report: Bit, "An answer is due, for the oldest of them.";
        <- opcode: Bits<8>, "The opcode of that request.";
        <- reported: Bits<16>, "Its sequence number.";
        <- status: Bits<4>, "Its status.";
        <- bytes: Bits<12>, "Bytes of its payload.";
    }
}

ports! {
    /// A table for the evaluation unit, and what it says of it.
    TableClient <=> TableServer {
        -> start: Bit, "For one clock: a table begins with the next byte.";
        -> valid: Bit, "`byte` is the next one of the table.";
        -> byte: Bits<8>, "A byte of the table.";
        <- offset: Bits<32>, "Bytes of the table that have been taken: the offset expected next.";
        <- error: Bit, "The table's header, a weight or its checksum was wrong.";
        <- loaded: Bit, "A table is loaded.";
        <- version: Bits<32>, "Version of the loaded table, zero without one.";
        <- checksum: Bits<32>, "Checksum of the loaded table, zero without one.";
    }
}

ports! {
    /// A position on its way to the units, word by word.
    PositionSource <=> PositionSink {
        -> valid: Bit, "A word of a position.";
        -> data: Bits<64>, "Eight bytes, the first one lowest.";
        -> start: Bit, "For one clock, behind the last word: the units start on the position.";
    }
}

ports! {
    /// The header of an answer, for what sends it.
    HeaderSource <=> HeaderSink {
        -> start: Bit, "For one clock while `ready`: send an answer with this header.";
        -> opcode: Bits<8>, "Opcode of the request.";
        -> status: Bits<4>, "Status of the answer.";
        -> sequence: Bits<16>, "Sequence number of the request.";
        -> index: Bits<6>, "Position of the request that it is for.";
        -> length: Bits<12>, "Bytes of the payload, whose words follow.";
        <- ready: Bit, "An answer may be sent.";
    }
}

ports! {
    /// A stream of words to the chip and back. A word passes in a clock with valid and ready.
    WordHost <=> WordPort {
        -> rx_valid: Bit, "A word for the chip.";
        -> rx_data: Bits<64>, "Its value, the first byte lowest.";
        -> tx_ready: Bit, "The chip's word is taken in this clock.";
        <- rx_ready: Bit, "The chip takes the word in this clock.";
        <- tx_valid: Bit, "A word from the chip.";
        <- tx_data: Bits<64>, "Its value.";
        <- tx_last: Bit, "It is the last one of an answer.";
    }
}

ports! {
    /// What the units that walk count.
    LeafCounts <=> WalkCounts {
        -> leaves: Bits<12>, "Leaves that all units counted in this clock.";
        -> expansions: Bits<3>, "Positions at which they did.";
    }
}

ports! {
    /// A search for the walker, see `search::unit`.
    SearchLeader <=> SearchTask {
        -> head: Bits<256>, "The bytes of a `hayasashi_spec::search::SearchHead` in range; stays from before `clear` until the search has ended.";
        -> clear: Bit, "For one clock while not `busy`: a request begins; its path is empty, and its table is to be emptied.";
        -> path: Bit, "For one clock while `path_ready`: `path_word` is the next position of the path, oldest first.";
        -> path_word: Bits<64>, "A word of the path; stays until `path_ready` again.";
        -> start: Bit, "For one clock while `path_ready`: search the position.";
        -> stop: Bit, "End the search before its next step.";
        -> pause: Bit, "Wait before the next step, so that the answer stays as it is.";
        -> line_at: Bits<4>, "Which move of the line.";
        <- path_ready: Bit, "A position of the path may come, or the search may start.";
        <- paused: Bit, "The walker waits, or has ended: the answer is whole.";
        <- busy: Bit, "The search has not ended. High from the clock behind `start`.";
        <- score: Bits<16>, "The answer so far: the score, two's complement;";
        <- depth: Bits<6>, "plies of the last completed iteration;";
        <- length: Bits<5>, "moves of the line;";
        <- nodes: Bits<64>, "nodes;";
        <- steps: Bits<64>, "steps.";
        <- line_move: Bits<16>, "The move at `line_at`, one clock later; zero behind the end of the line.";
    }
}

ports! {
    /// Looks at new positions, which the walker asks for.
    LookClient <=> LookServer {
        -> board: Bits<BOARD_WIDTH>, "The walker's position.";
        -> ply: Bits<6>, "Its ply.";
        -> looks: Bit, "For one clock: it is new. It stays for ten clocks.";
        -> again: Bit, "For one clock: it is one of before. Where planes are not kept, they are found again, and `looked` follows.";
        <- looked: Bit, "For one clock: `has_move` and `in_check` are those of the position.";
        <- has_move: Bit, "There is a legal move, or a pawn drop that mates.";
        <- in_check: Bit, "The mover is in check.";
    }
}

ports! {
    /// Picks of moves, which the walker asks for.
    PickClient <=> PickServer {
        -> ply: Bits<6>, "The ply of the position, which was looked at. It is there a clock before `picks`.";
        -> picks: Bit, "For one clock: pick the next move. All else stays until `picked`.";
        -> selection: Bits<16>, "Which moves the node has, and in which order: a `search::order::Selection`.";
        -> special: Bits<60>, "The table's move, two killers and the counter move, or zeros.";
        -> after: Bits<28>, "The `search::order::Place` of the move picked last.";
        -> counter: Bits<8>, "The rank of the counter at the last clock's `counter_at`, 0 for the greatest; see `search::history`.";
        <- counter_at: Bits<13>, "The address of a counter.";
        <- picked: Bit, "For one clock: `chosen` is the move, or says that none is left.";
        <- chosen: Bits<85>, "A `search::choose::Chosen`.";
    }
}
