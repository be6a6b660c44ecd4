//! Cards on PCIe as data: `constraints/cards/<card>.toml`. The chip is behind a bridge, which a script in the same folder adds.

use crate::board::{stems, Board, BoardError};
use crate::ip::Release;
use hayasashi_hdl::config::{MAX_PERFT_UNITS, MAX_WALKERS};
use hayasashi_spec::search::{MIN_TABLE_BITS, USUAL_TABLE_BITS};
use serde::{Deserialize, Serialize};

/// What is between the slot and the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bridge {
    /// Xilinx' DMA bridge, in its AXI-Stream mode.
    Xdma,
    /// LitePCIe.
    LitePcie,
}

/// The chip's units.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardUnits {
    /// Evaluators: 0 or 1.
    pub evaluate: u32,
    /// Units that walk trees: 0 to 4.
    pub perft: u32,
    /// Walkers of searches: 0 or 1.
    #[serde(default)]
    pub search: u32,
    /// Most entries of a search's table, as a power of two.
    #[serde(default = "usual_table_bits")]
    pub search_table_bits: u8,
    /// Whether searches correct their scores by a network: 0 or 1.
    #[serde(default)]
    pub network: u32,
}

fn usual_table_bits() -> u8 {
    USUAL_TABLE_BITS
}

/// A card with valid values.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Stem of its file, and its name on the command line.
    #[serde(skip)]
    pub stem: String,
    /// Its display name.
    pub name: String,
    /// Its number in the information register `BOARD`, which no other card or board has.
    pub number: u32,
    /// The bridge.
    pub bridge: Bridge,
    /// The FPGA, with package and speed grade.
    pub part: String,
    /// The chip's clock.
    pub chip_hz: u32,
    /// Which units the chip has.
    pub units: CardUnits,
}

static EMBEDDED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/cards.rs"));

impl Card {
    /// The cards, in alphabetical order.
    ///
    /// # Errors
    /// If a file has a wrong value, which a test prevents.
    pub fn all() -> Result<Vec<Card>, BoardError> {
        EMBEDDED.iter().map(|(stem, text)| Card::parse(stem, text)).collect()
    }

    /// The card of this name; `None` if there is none.
    ///
    /// # Errors
    /// As [`Card::all`].
    pub fn find(stem: &str) -> Result<Option<Card>, BoardError> {
        EMBEDDED.iter().find(|(known, _)| *known == stem).map(|(stem, text)| Card::parse(stem, text)).transpose()
    }

    fn parse(stem: &str, text: &str) -> Result<Card, BoardError> {
        let file = format!("{stem}.toml");
        let card: Card =
            toml::from_str(text).map_err(|e| BoardError::Parse { file: file.clone(), reason: e.to_string() })?;
        let units = &card.units;
        let most = hayasashi_hdl::search::table_rows::MOST_TABLE_BITS;
        let wrong = [
            ("units.evaluate", units.evaluate, 1, "it is 0 or 1"),
            ("units.perft", units.perft, MAX_PERFT_UNITS, "there are 0 to 4"),
            (
                "units.search",
                units.search,
                MAX_WALKERS * units.evaluate,
                "there are 0 to 4, and they need the evaluator",
            ),
            ("units.network", units.network, units.search.min(1), "it is 0 or 1, and needs a walker of searches"),
        ]
        .into_iter()
        .find(|(_, value, most, _)| value > most)
        .map(|(key, value, _, reason)| (key, value, reason.to_string()))
        .or_else(|| {
            let bits = units.search_table_bits;
            (!(MIN_TABLE_BITS..=most).contains(&bits))
                .then(|| ("units.search_table_bits", bits.into(), format!("it is from {MIN_TABLE_BITS} to {most}")))
        });
        match wrong {
            Some((key, value, reason)) => {
                Err(BoardError::Value { file, key: key.into(), value: value.to_string(), reason })
            }
            None => Ok(Card { stem: stem.into(), ..card }),
        }
    }

    /// The chip, as a release.
    pub fn release(&self) -> Release {
        Release {
            clock_hz: self.chip_hz,
            board: self.number,
            evaluator: self.units.evaluate > 0,
            walk_units: self.units.perft,
            search_table_bits: (self.units.search > 0).then_some(self.units.search_table_bits),
            walkers: self.units.search.max(1),
            network: self.units.network > 0,
        }
    }
}

/// The names of all boards and cards, for messages.
pub fn known() -> String {
    let cards = EMBEDDED.iter().map(|(stem, _)| *stem);
    stems().chain(cards).map(|stem| format!("`{stem}`")).collect::<Vec<_>>().join(", ")
}

/// A board on a serial line, or a card.
pub enum BoardOrCard {
    /// A board.
    Board(Box<Board>),
    /// A card.
    Card(Card),
}

impl BoardOrCard {
    /// The card of this name, or the board of this name or file.
    ///
    /// # Errors
    /// There is neither, or its file has a wrong value.
    pub fn find(given: &str) -> Result<BoardOrCard, BoardError> {
        match Card::find(given)? {
            Some(card) => Ok(BoardOrCard::Card(card)),
            None => match Board::find(given) {
                Ok(board) => Ok(BoardOrCard::Board(Box::new(board))),
                Err(BoardError::Unknown { given, .. }) => Err(BoardError::Unknown { given, known: known() }),
                Err(error) => Err(error),
            },
        }
    }
}
