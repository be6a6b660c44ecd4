//! Evaluation tables and networks in parts, as `LOAD_TABLE` sends them. Mirrors `hdl/src/evaluate/loader.rs`.

use super::network::{Evaluation, Network, NetworkError};
use super::table::{EvalTable, EvalTableError, HEADER};
use crate::link::frame::CRC;
use hayasashi_spec::network::*;
use hayasashi_spec::table::*;
use std::mem::offset_of;
use std::sync::Arc;

/// Why a part of a table was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PartError {
    /// It does not follow the part before it.
    #[error(
        "table part at byte {offset}, but byte {expected} is next; hint: send the parts in order, or start over at 0"
    )]
    Sequence {
        /// Offset of the part.
        offset: u32,
        /// Where the next part has to begin.
        expected: u32,
    },
    /// The bytes are neither an evaluation table nor a network.
    #[error(transparent)]
    Content(#[from] NetworkError),
}

/// Takes a file in parts and checks each field when its last byte arrives.
#[derive(Clone, Debug, Default)]
pub struct Loader {
    networks: bool,
    bytes: Vec<u8>,
}

impl Loader {
    /// Takes a table or, with `networks`, a network of [`CHIP_UNITS`].
    pub fn new(networks: bool) -> Loader {
        Loader { networks, bytes: Vec::new() }
    }

    /// The offset at which the next part has to begin.
    pub fn expected(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Takes a part. Offset 0 starts over. Returns the next offset and, with the last part, what the file has; then the next
    /// offset is 0, as it is after wrong content. A part out of sequence changes nothing.
    pub fn part(&mut self, offset: u32, bytes: &[u8]) -> Result<(u32, Option<Evaluation>), PartError> {
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

    fn take(&mut self, part: &[u8]) -> Result<Option<Evaluation>, NetworkError> {
        let before = self.bytes.len();
        self.bytes.extend(part);
        let found = self.bytes.len();
        let length = match self.word(offset_of!(TableHeader, format)) {
            Some(NETWORK_FORMAT) if self.networks => network_bytes(CHIP_UNITS),
            _ => TABLE_BYTES,
        };
        // An error in the file's own bytes is reported first.
        self.bytes.truncate(length);
        self.check(before, length)?;
        Ok(match length {
            _ if found > length && length == TABLE_BYTES => return Err(EvalTableError::Length(found).into()),
            expected if found > length => return Err(NetworkError::Length { found, expected, units: CHIP_UNITS }),
            _ if found < length => None,
            TABLE_BYTES => Some(EvalTable::from_checked(&self.bytes).into()),
            _ => Some(Arc::new(Network::from_bytes(&self.bytes)?).into()),
        })
    }

    /// A word of the file, if it is complete.
    fn word(&self, at: usize) -> Option<u32> {
        self.bytes.get(at..at + 4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    }

    /// Checks the fields that were incomplete at `before` bytes and are complete now, of a file of `length` bytes.
    fn check(&self, before: usize, length: usize) -> Result<(), NetworkError> {
        let bytes = &self.bytes;
        let word = |at: usize| self.word(at).filter(|_| before < at + 4);
        if let Some(magic) = word(offset_of!(TableHeader, magic)).filter(|&magic| magic != TABLE_MAGIC) {
            return Err(EvalTableError::Magic(magic).into());
        }
        let is_network = length != TABLE_BYTES;
        let expected = if is_network { NETWORK_FORMAT } else { TABLE_FORMAT };
        if let Some(format) = word(offset_of!(TableHeader, format)).filter(|&format| format != expected) {
            return Err(EvalTableError::Format(format).into());
        }
        if word(offset_of!(TableHeader, version)) == Some(0) {
            return Err(EvalTableError::Version.into());
        }
        // The numbers of 16 bits from one place to another that end in the part.
        let numbers = |from: usize, to: usize| {
            let first = before.clamp(from, to) & !1;
            let numbers = bytes[..bytes.len().min(to)].get(first..).unwrap_or(&[]).chunks_exact(2);
            numbers.enumerate().map(move |(i, pair)| (first + 2 * i, i16::from_le_bytes([pair[0], pair[1]])))
        };
        for (offset, weight) in numbers(HEADER, TABLE_BYTES) {
            if !(-WEIGHT_LIMIT..=WEIGHT_LIMIT).contains(&weight) {
                return Err(EvalTableError::Weight { offset, weight }.into());
            }
        }
        if is_network {
            if let Some(units) = word(TABLE_BYTES).filter(|&units| units != CHIP_UNITS as u32) {
                return Err(NetworkError::Units(units as usize));
            }
            if word(TABLE_BYTES + 4) == Some(0) {
                return Err(EvalTableError::Version.into());
            }
            let (biases, first) = (TABLE_BYTES + SIZES_BYTES, TABLE_BYTES + head_bytes(CHIP_UNITS));
            let (last, constant) = (biases + 2 * CHIP_UNITS, biases + 6 * CHIP_UNITS);
            for (what, from, to, limit) in [
                ("bias", biases, last, BIAS_LIMIT),
                ("weight of the last layer", last, constant, LAST_LIMIT),
                ("constant", constant, first, CONSTANT_LIMIT),
            ] {
                if let Some((_, value)) = numbers(from, to).find(|(_, value)| !(-limit..=limit).contains(value)) {
                    return Err(NetworkError::Weight { what, value, limit });
                }
            }
            let of_first = bytes.get(before.max(first)..).unwrap_or(&[]);
            if let Some(value) = of_first.iter().map(|&b| b as i8 as i16).find(|&value| value < -FIRST_LIMIT) {
                return Err(NetworkError::Weight { what: "weight of the first layer", value, limit: FIRST_LIMIT });
            }
        }
        if bytes.len() == length {
            let at = offset_of!(TableHeader, checksum);
            let expected = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("the header is complete"));
            let found = CRC.checksum(&bytes[CHECKSUM_FROM..]);
            if found != expected {
                return Err(EvalTableError::Checksum { found, expected }.into());
            }
        }
        Ok(())
    }
}
