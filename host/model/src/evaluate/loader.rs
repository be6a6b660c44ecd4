//! Evaluation tables in parts, as `LOAD_TABLE` sends them. Mirrors `hdl/src/evaluate/loader.rs`.

use super::table::{EvalTable, EvalTableError, HEADER};
use crate::link::frame::CRC;
use hayasashi_spec::table::*;
use std::mem::offset_of;

/// Why a part of a table was not taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PartError {
    /// It does not follow the part before it.
    #[error("table part at byte {offset}, but byte {expected} is next; send the parts in order or start over at 0")]
    Sequence {
        /// Of the part.
        offset: u32,
        /// Where the next part has to begin.
        expected: u32,
    },
    /// It shows that this is no evaluation table.
    #[error(transparent)]
    Content(#[from] EvalTableError),
}

/// Takes a table in parts, as `LOAD_TABLE` brings it, and checks each field as soon as its last byte is there.
#[derive(Clone, Debug, Default)]
pub struct Loader {
    bytes: Vec<u8>,
}

impl Loader {
    /// The offset at which the next part has to begin.
    pub fn expected(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Takes a part. Offset 0 starts over. Answers the next offset expected, and the table with its last part (then
    /// the next offset is 0). After wrong content it is 0 too; a part out of sequence changes nothing.
    pub fn part(&mut self, offset: u32, bytes: &[u8]) -> Result<(u32, Option<EvalTable>), PartError> {
        if offset == 0 {
            self.bytes.clear();
        } else if offset != self.expected() {
            return Err(PartError::Sequence { offset, expected: self.expected() });
        }
        let result = self.take(bytes);
        if !matches!(result, Ok(None)) {
            self.bytes.clear();
        }
        Ok((self.expected(), result?))
    }

    fn take(&mut self, part: &[u8]) -> Result<Option<EvalTable>, EvalTableError> {
        let before = self.bytes.len();
        if before + part.len() > TABLE_BYTES {
            // Something is wrong in any case; say so more precisely if the table's own bytes do.
            self.bytes.extend(&part[..TABLE_BYTES - before]);
            self.check(before)?;
            return Err(EvalTableError::Length(before + part.len()));
        }
        self.bytes.extend(part);
        self.check(before)?;
        Ok((self.bytes.len() == TABLE_BYTES).then(|| EvalTable::from_checked(&self.bytes)))
    }

    /// Checks what has become complete since there were `before` bytes.
    fn check(&self, before: usize) -> Result<(), EvalTableError> {
        let bytes = &self.bytes;
        let word = |at: usize| {
            let new = before < at + 4 && at + 4 <= bytes.len();
            new.then(|| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()))
        };
        if let Some(magic) = word(offset_of!(TableHeader, magic)).filter(|&magic| magic != TABLE_MAGIC) {
            return Err(EvalTableError::Magic(magic));
        }
        if let Some(format) = word(offset_of!(TableHeader, format)).filter(|&format| format != TABLE_FORMAT) {
            return Err(EvalTableError::Format(format));
        }
        if word(offset_of!(TableHeader, version)) == Some(0) {
            return Err(EvalTableError::Version);
        }
        let first = before.max(HEADER) & !1;
        for (i, pair) in bytes.get(first..).unwrap_or(&[]).chunks_exact(2).enumerate() {
            let weight = i16::from_le_bytes([pair[0], pair[1]]);
            if !(-WEIGHT_LIMIT..=WEIGHT_LIMIT).contains(&weight) {
                return Err(EvalTableError::Weight { offset: first + 2 * i, weight });
            }
        }
        if bytes.len() == TABLE_BYTES {
            let at = offset_of!(TableHeader, checksum);
            let expected = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let found = CRC.checksum(&bytes[CHECKSUM_FROM..]);
            if found != expected {
                return Err(EvalTableError::Checksum { found, expected });
            }
        }
        Ok(())
    }
}
