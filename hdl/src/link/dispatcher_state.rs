//! States and constants of [`super::dispatcher`].
//!
//! ```text
//!   Idle -> Decode -> Positions -> Idle
//!           Decode -> Drain -> Answer
//!                     Drain -> Table -> Answer
//!                     Drain -> Long -> Idle
//!   Idle -> Answer -> Advance -> Answer or Idle
//! ```

use hayasashi_spec::{frame, opcode::Status, perft::PERFT_HEAD_BYTES, position::IMAGE_BYTES};
use rust_hdl::prelude::*;

crate::constants! {
    /// Constants of the dispatcher.
    pub Values {
        /// A status: the position cannot occur.
        bad_position: Bits<4> = Status::Position;
        /// A status: no table is loaded.
        no_table: Bits<4> = Status::NoTable;
        /// Bytes of an answer of one number.
        word_bytes: Bits<12> = 4;
        /// Shift by which a payload's length gives its positions.
        image_shift: Bits<3> = IMAGE_BYTES.ilog2();
    }
}

// Widths of `length` and `index`; the prefix is half a word.
const _: () = assert!(frame::MAX_ANSWER_PAYLOAD < 1 << 12 && frame::MAX_BATCH < 1 << 6 && PERFT_HEAD_BYTES == 4);

/// What the dispatcher does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DispatcherState {
    /// No request; or report of a walk or a search, or refuse one.
    Idle,
    /// The descriptor is here: choose.
    Decode,
    /// Start the units on each position; they answer.
    Positions,
    /// Wait until they have answered the requests before.
    Drain,
    /// Hand a part of a table to the evaluation unit.
    Table,
    /// Start a walk or a search.
    Long,
    /// Answer.
    Answer,
    /// Another answer, or finished with the request?
    Advance,
}
