//! The file of a network, which [`hayasashi_spec::network`] describes.

use super::{default_network, is_units, Network, NetworkWeights, UNITS_STEP};
use crate::{
    evaluate::{EvalTable, EvalTableError},
    link::frame::CRC,
    position::Position,
};
use hayasashi_spec::network::*;
use hayasashi_spec::registers::CAP_NETWORK;
use hayasashi_spec::table::{TableHeader, CHECKSUM_FROM, TABLE_BYTES, TABLE_FORMAT, TABLE_MAGIC};
use std::{mem::offset_of, sync::Arc};

/// Why bytes are not a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// They are not an evaluation table either, or the table in them is wrong.
    #[error(transparent)]
    Table(#[from] EvalTableError),
    /// The file ends before the sizes of the network.
    #[error("{0} bytes of a network (table format 2), which has more; hint: the file is truncated")]
    Cut(usize),
    /// Too few or too many bytes.
    #[error("{found} bytes, but a network of {units} units has {expected}; hint: the file is truncated or has trailing bytes")]
    Length {
        /// Of the file.
        found: usize,
        /// Of a network with so many units.
        expected: usize,
        /// Units that the file names.
        units: usize,
    },
    /// A number of units that this program does not evaluate.
    #[error("{0} units; hint: a network has a multiple of {UNITS_STEP} units, at most {MOST_UNITS}")]
    Units(usize),
    /// A weight out of range.
    #[error("the {what} {value} is beyond ±{limit}; hint: clip the weights when writing the network")]
    Weight {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: i16,
        /// What is allowed.
        limit: i16,
    },
    /// Too few or too many weights.
    #[error("{found} {what}, but a network of {units} units has {expected}; hint: the first layer has one for each feature and unit, the last one for each unit of a view")]
    Weights {
        /// Which ones.
        what: &'static str,
        /// As many as there are.
        found: usize,
        /// As many as there should be.
        expected: usize,
        /// Units, as many as there are biases.
        units: usize,
    },
}

impl Network {
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let units = self.units();
        if !is_units(units) {
            return Err(NetworkError::Units(units));
        }
        if self.version == 0 {
            return Err(EvalTableError::Version.into());
        }
        for (what, list, expected) in [
            ("weights of the first layer", &self.first, FEATURES * units),
            ("weights of the last layer", &self.last[0], units),
            ("weights of the last layer", &self.last[1], units),
        ] {
            if list.len() != expected {
                return Err(NetworkError::Weights { what, found: list.len(), expected, units });
            }
        }
        let lists: [(&str, &[i16], i16); 5] = [
            ("weight of the first layer", &self.first, FIRST_LIMIT),
            ("bias", &self.bias, BIAS_LIMIT),
            ("weight of the last layer", &self.last[0], LAST_LIMIT),
            ("weight of the last layer", &self.last[1], LAST_LIMIT),
            ("constant", &[self.constant], CONSTANT_LIMIT),
        ];
        for (what, list, limit) in lists {
            if let Some(&value) = list.iter().find(|weight| !(-limit..=limit).contains(*weight)) {
                return Err(NetworkError::Weight { what, value, limit });
            }
        }
        Ok(())
    }

    pub(super) fn with_checksum(self) -> Network {
        Network { checksum: checksum(&self.to_bytes()), ..self }
    }

    /// Reads a network's file.
    ///
    /// # Errors
    /// The bytes are not a network of this format.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let word = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        let header = |at: usize| word(at).ok_or(EvalTableError::Length(bytes.len()));
        let [magic, format, expected, version] = [
            header(offset_of!(TableHeader, magic))?,
            header(offset_of!(TableHeader, format))?,
            header(offset_of!(TableHeader, checksum))?,
            header(offset_of!(TableHeader, version))?,
        ];
        if magic != TABLE_MAGIC {
            return Err(EvalTableError::Magic(magic).into());
        }
        if format != NETWORK_FORMAT {
            return Err(EvalTableError::Format(format).into());
        }
        let size = |at: usize| word(at).ok_or(NetworkError::Cut(bytes.len()));
        let (units, table_version) = (size(TABLE_BYTES)? as usize, size(TABLE_BYTES + 4)?);
        if !is_units(units) {
            return Err(NetworkError::Units(units));
        }
        let length = network_bytes(units);
        if bytes.len() != length {
            return Err(NetworkError::Length { found: bytes.len(), expected: length, units });
        }
        let found = CRC.checksum(&bytes[CHECKSUM_FROM..]);
        if found != expected {
            return Err(EvalTableError::Checksum { found, expected }.into());
        }
        let table = EvalTable::from_bytes(&with_header(&bytes[..TABLE_BYTES], TABLE_FORMAT, table_version))?;
        let (numbers, first) = bytes[TABLE_BYTES + SIZES_BYTES..].split_at(2 * (3 * units + 1));
        let mut numbers = numbers.chunks_exact(2).map(|b| i16::from_le_bytes([b[0], b[1]]));
        let mut list = |count: usize| numbers.by_ref().take(count).collect::<Vec<i16>>();
        let (bias, last) = (list(units), [list(units), list(units)]);
        let constant = list(1)[0];
        let first = first.iter().map(|&b| b as i8 as i16).collect();
        let weights = NetworkWeights { first, bias, last, constant };
        Ok(Network { checksum: expected, ..Network::without_checksum(Arc::new(table), version, weights)? })
    }

    /// The network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.table().to_bytes();
        bytes.extend((self.units() as u32).to_le_bytes());
        bytes.extend(self.table().header().version.to_le_bytes());
        let numbers = self.bias.iter().chain(&self.last[0]).chain(&self.last[1]).chain([&self.constant]);
        bytes.extend(numbers.flat_map(|n| n.to_le_bytes()));
        bytes.extend(self.first.iter().map(|&w| w as i8 as u8));
        with_header(&bytes, NETWORK_FORMAT, self.version())
    }
}

/// The checksum in the header.
fn checksum(bytes: &[u8]) -> u32 {
    let word = &bytes[offset_of!(TableHeader, checksum)..][..4];
    u32::from_le_bytes([word[0], word[1], word[2], word[3]])
}

/// The bytes with this format and version in the header, and the checksum that follows.
fn with_header(bytes: &[u8], format: u32, version: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut put = |at: usize, word: u32| bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    put(offset_of!(TableHeader, format), format);
    put(offset_of!(TableHeader, version), version);
    let checksum = CRC.checksum(&bytes[CHECKSUM_FROM..]);
    bytes[offset_of!(TableHeader, checksum)..][..4].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// What a file evaluates positions by: a table, or a network with the table that it corrects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The table. Every back end evaluates by it.
    pub table: Arc<EvalTable>,
    /// What corrects its score.
    pub network: Option<Arc<Network>>,
}

impl Evaluation {
    /// Reads a file of either format.
    ///
    /// # Errors
    /// The bytes are neither.
    pub fn from_bytes(bytes: &[u8]) -> Result<Evaluation, NetworkError> {
        match Network::from_bytes(bytes) {
            Ok(network) => Ok(Arc::new(network).into()),
            // Any other format is for the table to read or to refuse.
            Err(NetworkError::Table(EvalTableError::Format(_))) => Ok(EvalTable::from_bytes(bytes)?.into()),
            Err(error) => Err(error),
        }
    }

    /// The score of a position for its mover from the table's score, both in centipawns.
    pub fn corrected(&self, table_score: i32, position: &Position) -> i32 {
        self.network.as_ref().map_or(table_score, |network| network.corrected(table_score, position))
    }

    /// The version in the header of the file.
    pub fn version(&self) -> u32 {
        self.network.as_ref().map_or(self.table.header().version, |network| network.version())
    }

    /// The checksum of the file.
    pub fn checksum(&self) -> u32 {
        self.network.as_ref().map_or(self.table.header().checksum, |network| network.checksum())
    }

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.network.as_ref().map_or_else(|| self.table.to_bytes(), |network| network.to_bytes())
    }

    /// What a chip with these `CAP_…` bits takes of it: without `CAP_NETWORK` the table alone, else a network of [`CHIP_UNITS`].
    pub fn for_chip(&self, capabilities: u32) -> Evaluation {
        match &self.network {
            Some(_) if capabilities & CAP_NETWORK == 0 => self.table.clone().into(),
            Some(network) if network.units() != CHIP_UNITS => Arc::new(network.for_chip()).into(),
            _ => self.clone(),
        }
    }
}

impl Default for Evaluation {
    /// The built-in network and its table, which is the built-in one.
    fn default() -> Evaluation {
        default_network().into()
    }
}

impl From<Arc<Network>> for Evaluation {
    fn from(network: Arc<Network>) -> Evaluation {
        Evaluation { table: network.table().clone(), network: Some(network) }
    }
}

impl From<EvalTable> for Evaluation {
    fn from(table: EvalTable) -> Evaluation {
        Arc::new(table).into()
    }
}

impl From<Arc<EvalTable>> for Evaluation {
    fn from(table: Arc<EvalTable>) -> Evaluation {
        Evaluation { table, network: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::first_table;

    fn network(units: usize) -> Network {
        let number = |i: usize, limit: i16| (i * 7919 % (2 * limit as usize + 1)) as i16 - limit;
        let list = |count: usize, limit: i16| (0..count).map(|i| number(i, limit)).collect::<Vec<i16>>();
        let weights = NetworkWeights {
            first: list(FEATURES * units, FIRST_LIMIT),
            bias: list(units, BIAS_LIMIT),
            last: [list(units, LAST_LIMIT), list(units, 20)],
            constant: -5,
        };
        Network::new(Arc::new(first_table()), 9, weights).unwrap()
    }

    #[test]
    fn lists_of_another_length_are_refused() {
        let lists = |first: usize, last: usize| NetworkWeights {
            first: vec![1; first],
            bias: vec![1; 8],
            last: [vec![1; 8], vec![1; last]],
            constant: 0,
        };
        let refused = |first: usize, last: usize, part: &str| {
            let error = Network::new(Arc::new(first_table()), 1, lists(first, last)).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        };
        Network::new(Arc::new(first_table()), 1, lists(8 * FEATURES, 8)).unwrap();
        refused(8 * FEATURES - 1, 8, "22527 weights of the first layer, but a network of 8 units has 22528");
        refused(8 * FEATURES, 16, "16 weights of the last layer, but a network of 8 units has 8");
    }

    #[test]
    fn a_file_holds_the_network_and_its_table() {
        for units in [8, 40, 64] {
            let network = network(units);
            let bytes = network.to_bytes();
            assert_eq!(Network::from_bytes(&bytes).unwrap(), network);
            let both = Evaluation::from_bytes(&bytes).unwrap();
            assert_eq!((both.table.as_ref(), both.network.as_deref()), (&first_table(), Some(&network)));
            assert_eq!(both.checksum().to_le_bytes(), bytes[8..12]);
        }
        let table = Evaluation::from_bytes(&first_table().to_bytes()).unwrap();
        assert_eq!(table, first_table().into());
        assert_eq!(table.checksum(), first_table().header().checksum);
    }

    #[test]
    fn bad_files_are_refused_with_the_value() {
        let whole = network(16).to_bytes();
        let refused = |bytes: &[u8], part: &str| {
            let error = Evaluation::from_bytes(bytes).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        };
        let changed = |at: usize, byte: u8| {
            let mut bytes = whole.clone();
            bytes[at] = byte;
            bytes
        };
        refused(b"", "0 bytes");
        refused(&whole[..100], "100 bytes");
        refused(&whole[..TABLE_BYTES], "truncated");
        refused(&whole[..whole.len() - 1], "a network of 16 units has");
        refused(&[&whole[..], &[0]].concat(), "trailing");
        refused(&changed(0, b'X'), "HYET");
        refused(&changed(4, 3), "format 3");
        refused(&changed(TABLE_BYTES, 12), "12 units");
        refused(&changed(TABLE_BYTES, 72), "72 units");
        for at in [20, 5000, TABLE_BYTES + 9, whole.len() - 1] {
            refused(&changed(at, whole[at] ^ 1), "checksum");
        }
        // A bias beyond the limit, with the right checksum.
        let bytes = with_header(&changed(TABLE_BYTES + SIZES_BYTES + 1, 0x7F), NETWORK_FORMAT, 9);
        refused(&bytes, "bias");
        refused(&with_header(&whole, NETWORK_FORMAT, 0), "version 0");
        let table = with_header(&changed(5001, 0x7F), NETWORK_FORMAT, 9);
        refused(&table, "weight");
    }
}
