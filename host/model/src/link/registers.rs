//! The information registers of a software model. Mirrors `hdl/src/link/registers.rs`.

use crate::{evaluate::Evaluation, Model};
use hayasashi_spec::frame::{BUFFER_BYTES, MAX_BATCH};
use hayasashi_spec::opcode::Opcode;
use hayasashi_spec::registers::{Info, BOARD_MODEL};
use hayasashi_spec::search::MAX_TABLE_BITS;
use hayasashi_spec::{MAGIC, PROTOCOL_VERSION};

/// Counters since reset, modulo 2^32.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Frames taken into the request buffer.
    pub frames: u32,
    /// Frames not taken: too short, too long or damaged.
    pub bad_frames: u32,
    /// Positions answered `OK`.
    pub positions: u32,
}

/// The answer to `INFO`.
pub fn info(model: &Model, counters: Counters) -> Info {
    let evaluation = model.evaluation();
    Info {
        magic: MAGIC,
        protocol: PROTOCOL_VERSION,
        build_id: 0,
        board: BOARD_MODEL,
        clock_hz: 0,
        capabilities: model.capabilities(),
        buffer_bytes: BUFFER_BYTES as u32,
        max_batch: MAX_BATCH as u32,
        table_loaded: evaluation.is_some() as u32,
        table_version: evaluation.map_or(0, Evaluation::version),
        table_checksum: evaluation.map_or(0, Evaluation::checksum),
        frames: counters.frames,
        bad_frames: counters.bad_frames,
        positions: counters.positions,
        clocks: 0,
        search_table_bits: if model.has(Opcode::Search) { MAX_TABLE_BITS as u32 } else { 0 },
    }
}
