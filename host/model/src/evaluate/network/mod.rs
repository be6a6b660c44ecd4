//! A network that corrects the score of an evaluation table ([`hayasashi_spec::network`]). Mirrors `hdl/src/evaluate/correction/`.

mod default;
mod file;
mod unit_sums;

pub use default::{default_network, DEFAULT_NETWORK_CHECKSUM};
pub use file::{Evaluation, NetworkError};
pub use unit_sums::{add, remove, UnitSums};

use super::EvalTable;
use crate::position::Position;
use hayasashi_spec::{network::*, table::SCORE_LIMIT};
use std::sync::Arc;

/// The units are a multiple of this.
pub const UNITS_STEP: usize = 8;

/// Whether a network can have so many units.
pub const fn is_units(units: usize) -> bool {
    units != 0 && units <= MOST_UNITS && units.is_multiple_of(UNITS_STEP)
}

/// A checked network, with the table that it corrects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    table: Arc<EvalTable>,
    version: u32,
    /// Feature by feature, in each unit by unit.
    first: Vec<i16>,
    bias: Vec<i16>,
    /// Of the mover's view, then of the other one.
    last: [Vec<i16>; 2],
    constant: i16,
    /// Of the file.
    checksum: u32,
}

/// The weights of a network. Each list is as [`Network`] has it.
pub struct NetworkWeights {
    /// First layer: [`FEATURES`] times units, feature by feature.
    pub first: Vec<i16>,
    /// Biases of the units.
    pub bias: Vec<i16>,
    /// Last layer, by view: the mover's, the other one's.
    pub last: [Vec<i16>; 2],
    /// Added to the correction, in centipawns.
    pub constant: i16,
}

impl Network {
    /// A network that corrects `table`.
    ///
    /// # Errors
    /// A number of units or a weight out of range, a list of another length, or version 0.
    pub fn new(table: Arc<EvalTable>, version: u32, weights: NetworkWeights) -> Result<Network, NetworkError> {
        Ok(Network::without_checksum(table, version, weights)?.with_checksum())
    }

    fn without_checksum(table: Arc<EvalTable>, version: u32, weights: NetworkWeights) -> Result<Network, NetworkError> {
        let NetworkWeights { first, bias, last, constant } = weights;
        let network = Network { table, version, first, bias, last, constant, checksum: 0 };
        network.check()?;
        Ok(network)
    }

    /// Number of units.
    pub fn units(&self) -> usize {
        self.bias.len()
    }

    /// The table that it corrects.
    pub fn table(&self) -> &Arc<EvalTable> {
        &self.table
    }

    /// Version given by whoever made it.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Checksum of the file.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The weights of a feature, unit by unit.
    #[inline(always)]
    pub fn first(&self, feature: usize) -> &[i16] {
        &self.first[feature * self.units()..][..self.units()]
    }

    /// The biases of the units.
    pub fn bias(&self) -> &[i16] {
        &self.bias
    }

    /// The weights of the last layer, unit by unit: those of the mover's view, of the other one.
    pub fn last(&self) -> &[Vec<i16>; 2] {
        &self.last
    }

    /// The constant, in centipawns.
    pub fn constant(&self) -> i16 {
        self.constant
    }

    /// The correction in centipawns from the units' sums: the mover's view, the other one's.
    #[inline]
    pub fn correction_of(&self, views: [&[i16]; 2]) -> i32 {
        let products = |(sums, last): (&[i16], &Vec<i16>)| {
            sums.iter().zip(last).map(|(&sum, &weight)| product(sum, weight)).sum::<i32>()
        };
        let total: i32 = views.into_iter().zip(&self.last).map(products).sum();
        (total + ((self.constant as i32) << SHIFT) + (1 << (SHIFT - 1))) >> SHIFT
    }

    /// The score of a position for its mover from the table's score, both in centipawns.
    pub fn corrected(&self, table_score: i32, position: &Position) -> i32 {
        self.corrected_by(&UnitSums::new(self, position), table_score)
    }

    /// The same, where the sums of the units are known.
    #[inline]
    pub fn corrected_by(&self, sums: &UnitSums, table_score: i32) -> i32 {
        (table_score + sums.correction(self)).clamp(-SCORE_LIMIT, SCORE_LIMIT)
    }

    /// The same network for a chip: with as many units as that takes, of which those beyond its own have no weights.
    pub fn for_chip(&self) -> Network {
        let wide = |list: &[i16]| [list, &vec![0; CHIP_UNITS - self.units()][..]].concat();
        let first = (0..FEATURES).flat_map(|feature| wide(self.first(feature))).collect();
        let last = [wide(&self.last[0]), wide(&self.last[1])];
        Network { first, bias: wide(&self.bias), last, ..self.clone() }.with_checksum()
    }
}

#[inline(always)]
fn product(sum: i16, weight: i16) -> i32 {
    let clipped = sum.clamp(0, FULL);
    (clipped * clipped) as i32 * weight as i32
}
