//! Which chunk of its children a parent keeps next, for the one parent that waits at each number of plies left.
//!
//! ```text
//!              +------------+
//!   clock     ->            => chunk 4   of the parent with `level` in the clock before
//!   clear     -> ChunkTable |
//!   level 4   =>            |   plies left at the parent's children, 0 to 7
//!   advance   ->            |   the next chunk is next
//!   restart   ->            |   the first is: the parent does not come back
//!              +------------+
//! ```
//!
//! Handshake: none; one of `advance` and `restart` at most. Latency: one clock. Cost: 36 flip-flops. Model: none.
//! Throughput: one level a clock. Absent: a seventeenth chunk, which no position has.

use rust_hdl::prelude::*;

/// Bits of a chunk's number.
const CHUNK_BITS: usize = 4;

crate::constants! {
    Values {
        /// A level's place is this power of two times the level.
        level_shift: Bits<3> = CHUNK_BITS.ilog2();
        first: Bits<32> = 1;
        all: Bits<32> = (1 << CHUNK_BITS) - 1;
    }
}

/// The chunk that a parent keeps next.
#[derive(LogicBlock, Default)]
pub struct ChunkTable {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// All parents begin with the first chunk.
    pub clear: Signal<In, Bit>,
    /// Plies left at the parent's children.
    pub level: Signal<In, Bits<4>>,
    /// The next chunk of this level is next.
    pub advance: Signal<In, Bit>,
    /// The first chunk of this level is next.
    pub restart: Signal<In, Bit>,
    /// The chunk for the `level` of the clock before.
    pub chunk: Signal<Out, Bits<CHUNK_BITS>>,
    chunks: DFF<Bits<32>>,
    chunk_read: DFF<Bits<CHUNK_BITS>>,
    place: Signal<Local, Bits<5>>,
    shifted: Signal<Local, Bits<32>>,
    value: Values,
}

impl Logic for ChunkTable {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, chunks, chunk_read);
        self.place.next = bit_cast::<5, 4>(self.level.val()) << self.value.level_shift.val();
        self.shifted.next = self.chunks.q.val() >> self.place.val();
        self.chunk_read.d.next = bit_cast::<CHUNK_BITS, 32>(self.shifted.val());
        if self.restart.val() {
            self.chunks.d.next = self.chunks.q.val() & !(self.value.all.val() << self.place.val());
        }
        if self.advance.val() {
            self.chunks.d.next = self.chunks.q.val() + (self.value.first.val() << self.place.val());
        }
        if self.clear.val() {
            self.chunks.d.next = 0.into();
        }
        self.chunk.next = self.chunk_read.q.val();
    }
}

crate::inputs!(ChunkTable: clock, clear, level, advance, restart);
