//! Evaluation tables in memory and as files. Mirrors `hdl/src/evaluate/weights.rs`.

use super::loader::{Loader, PartError};
use super::network::NetworkError;
use crate::link::frame::CRC;
use hayasashi_spec::piece::{CODES, SQUARES};
use hayasashi_spec::table::*;
use std::mem::{offset_of, size_of};
use std::sync::Arc;

pub(super) const HEADER: usize = size_of::<TableHeader>();

/// Why bytes are not an evaluation table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EvalTableError {
    /// A wrong first word.
    #[error("the file begins with {0:#010x}, not with `HYET`; hint: `hayasashi table` writes an evaluation table")]
    Magic(u32),
    /// A format that this program does not read.
    #[error(
        "table format {0}, but this program reads format {TABLE_FORMAT}; hint: write the table again with this program"
    )]
    Format(u32),
    /// The version is 0.
    #[error("table version 0; hint: give the table a version of 1 or more")]
    Version,
    /// A weight that needs more than nine bits.
    #[error(
        "weight {weight} at byte {offset} is beyond ±{WEIGHT_LIMIT}; hint: clip the weights when writing the table"
    )]
    Weight {
        /// Its place in the file.
        offset: usize,
        /// Its value.
        weight: i16,
    },
    /// A wrong checksum.
    #[error(
        "checksum {found:#010x}, but the header has {expected:#010x}; hint: the file is damaged, copy or write it again"
    )]
    Checksum {
        /// Of the bytes.
        found: u32,
        /// Of the header.
        expected: u32,
    },
    /// Too few or too many bytes.
    #[error("{0} bytes, but a table has {TABLE_BYTES}; hint: the file is truncated or has trailing bytes")]
    Length(usize),
}

/// A checked evaluation table.
#[derive(Clone, PartialEq, Eq)]
pub struct EvalTable {
    header: TableHeader,
    /// By row, slot and code: the weight minus that of an empty square (for hands, the weight itself).
    pub(super) rows: Vec<[[i16; CODES]; SLOTS]>,
    /// By row: the sum of the weights of 81 empty squares.
    pub(super) empty: Vec<i32>,
}

impl std::fmt::Debug for EvalTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EvalTable").field("header", &self.header).finish_non_exhaustive()
    }
}

impl EvalTable {
    /// Makes a table from a header and `weight(slot, row, code)`. Sets magic, format and checksum of the header.
    pub fn from_weights(
        header: TableHeader,
        weight: impl Fn(usize, usize, usize) -> i16,
    ) -> Result<EvalTable, EvalTableError> {
        let header = TableHeader { magic: TABLE_MAGIC, format: TABLE_FORMAT, ..header };
        let mut bytes = bytemuck::bytes_of(&header).to_vec();
        for slot in 0..SLOTS {
            for row in 0..ROWS {
                bytes.extend((0..CODES).flat_map(|code| weight(slot, row, code).to_le_bytes()));
            }
        }
        let checksum = CRC.checksum(&bytes[CHECKSUM_FROM..]);
        bytes[offset_of!(TableHeader, checksum)..][..4].copy_from_slice(&checksum.to_le_bytes());
        EvalTable::from_bytes(&bytes)
    }

    /// Reads a table file.
    pub fn from_bytes(bytes: &[u8]) -> Result<EvalTable, EvalTableError> {
        match Loader::new(false).part(0, bytes) {
            Ok((_, Some(evaluation))) => Ok(Arc::unwrap_or_clone(evaluation.table)),
            Ok((_, None)) => Err(EvalTableError::Length(bytes.len())),
            Err(PartError::Content(NetworkError::Table(error))) => Err(error),
            Err(error) => unreachable!("a table that begins at offset 0: {error}"),
        }
    }

    /// The table as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = bytemuck::bytes_of(&self.header).to_vec();
        for slot in 0..SLOTS {
            for row in 0..ROWS {
                bytes.extend((0..CODES).flat_map(|code| self.weight(slot, row, code).to_le_bytes()));
            }
        }
        bytes
    }

    /// One weight.
    pub fn weight(&self, slot: usize, row: usize, code: usize) -> i16 {
        let empty = if slot < SQUARES && code != 0 { self.rows[row][slot][0] } else { 0 };
        self.rows[row][slot][code] + empty
    }

    /// Material values, version and checksum.
    pub fn header(&self) -> &TableHeader {
        &self.header
    }

    /// Arranges the weights by row, so that those of one king square are close together in memory.
    pub(super) fn from_checked(bytes: &[u8]) -> EvalTable {
        let header: TableHeader = bytemuck::pod_read_unaligned(&bytes[..HEADER]);
        let weight = |slot, row, code| {
            let at = HEADER + 2 * weight_index(slot, row, code);
            i16::from_le_bytes([bytes[at], bytes[at + 1]])
        };
        let mut rows = vec![[[0; CODES]; SLOTS]; ROWS];
        let mut empty = vec![0; ROWS];
        for (row, slots) in rows.iter_mut().enumerate() {
            for (slot, codes) in slots.iter_mut().enumerate() {
                let of_empty = if slot < SQUARES { weight(slot, row, 0) } else { 0 };
                empty[row] += of_empty as i32;
                for (code, w) in codes.iter_mut().enumerate() {
                    // The entry of the empty square itself keeps its weight: it is never added for a piece.
                    *w = weight(slot, row, code) - if code == 0 { 0 } else { of_empty };
                }
            }
        }
        EvalTable { header, rows, empty }
    }
}
