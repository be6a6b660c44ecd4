//! The head of a request, and whether its numbers are in range.
//!
//! ```text
//!                      +-------+
//!   clock             ->       => possible 1
//!   head 256          => Range |
//!   most_table_bits 8 =>       |
//!                      +-------+
//! ```
//!
//! Handshake: none.
//! Latency: one clock. Throughput: one head per clock.
//! Cost: one flip-flop.
//! Model: `SearchHead::is_in_range` of `hayasashi_spec::search`. Absent: the path.

use super::number::{at_most, constant, less};
use crate::network::{Wire, Wires, Word};
use crate::{bundle, network};
use hayasashi_spec::perft::{MAX_INTERVAL, MIN_INTERVAL};
use hayasashi_spec::search::*;
use hayasashi_spec::table::SCORE_LIMIT;
use rust_hdl::prelude::*;

bundle! {
    /// The bytes of a `hayasashi_spec::search::SearchHead`.
    pub struct Request {
        /// How walkers share the search.
        mode: Wires<7>,
        /// The table is kept.
        keeps: Wire,
        /// Plies of the last iteration.
        depth: Wires<8>,
        /// Power of two of the clocks between two reports.
        interval: Wires<8>,
        /// Power of two of the table's entries.
        table_bits: Wires<8>,
        /// Techniques.
        techniques: Wires<32>,
        /// Lower end of the window.
        alpha: Wires<16>,
        /// Upper end of the window.
        beta: Wires<16>,
        /// Value of a draw.
        draw: Wires<16>,
        /// Zero.
        reserved: Wires<16>,
        /// Most nodes.
        nodes: Wires<64>,
        /// Most steps.
        steps: Wires<64>,
    }
}

network! {
    /// Whether all numbers are in range.
    Range = range(RangeIn) -> RangeOut {
        in head: Request;
        in most_table_bits: Wires<8>;
        out possible: Wire;
    }
}

fn range<W: Word>(inputs: RangeIn<W>) -> RangeOut<W> {
    let RangeIn { head, most_table_bits } = inputs;
    let byte = |value: u8| W::constant(value as u128, 8);
    let within = |value: W, least: u8, most: W| !value.below(byte(least)) & !most.below(value);
    let score = |value: i32| constant::<W>(value, 16);
    let mode = head.mode.equals(W::constant(Mode::Independent as u128, 7)).named("mode");
    let depth = within(head.depth, 1, byte(MAX_DEPTH)).named("depth");
    let reports = within(head.interval, MIN_INTERVAL, byte(MAX_INTERVAL));
    let interval = (!head.interval.any() | reports).named("interval");
    let table = within(head.table_bits, MIN_TABLE_BITS, most_table_bits).named("table");
    let known = ALL_TECHNIQUES.count_ones() as usize;
    let techniques = !head.techniques.slice(known, 32 - known).any();
    let mates = at_most(score(-MATE as i32), head.alpha) & at_most(head.beta, score(MATE as i32));
    let window = (mates & less(head.alpha, head.beta)).named("window");
    let draw = at_most(score(-SCORE_LIMIT), head.draw) & at_most(head.draw, score(SCORE_LIMIT));
    let numbers = (mode & depth & interval & table).named("numbers");
    RangeOut { possible: numbers & techniques & window & draw & !head.reserved.any() }
}
