//! States and constants of [`super::controller`].
//!
//! ```text
//!   Idle -> Path -> Follow -> Path
//!           Path -> Search -> Pause -> Copy -> Search or Idle
//! ```

use hayasashi_spec::{opcode::*, search::*};
use rust_hdl::prelude::*;
use std::mem::offset_of;

crate::constants! {
    /// Constants of the controller.
    pub Values {
        /// The largest table of the chip.
        most_table_bits: Bits<8> = USUAL_TABLE_BITS;
        /// Words of a request's head.
        head_words: Bits<3> = SEARCH_HEAD_BYTES / 8;
        /// A clock for the last word, and one for the verdict on the head.
        judged: Bits<3> = SEARCH_HEAD_BYTES / 8 + 1;
        /// Words in front of the path.
        words_before_path: Bits<9> = SEARCH_BYTES / 8;
        /// Where the interval is in the head.
        interval_bit: Bits<8> = 8 * offset_of!(SearchHead, interval);
        /// Bytes of an answer.
        found_bytes: Bits<12> = FOUND_BYTES;
        /// A status: the search has ended.
        ok: Bits<4> = Status::Ok;
        /// A status: it goes on.
        progress: Bits<4> = Status::Progress;
        /// A status: a CANCEL ended it.
        cancelled: Bits<4> = Status::Cancelled;
        /// The opcode of its answers.
        opcode: Bits<8> = Opcode::Search;
    }
}

/// What the controller does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum SearchControllerState {
    /// No search; the head of a request may be read.
    Idle,
    /// The next position of the path, or the start, when the walker takes it.
    Path,
    /// The walker takes a position of the path.
    Follow,
    /// The search goes on.
    Search,
    /// The walker is to wait.
    Pause,
    /// The answer is copied.
    Copy,
}
