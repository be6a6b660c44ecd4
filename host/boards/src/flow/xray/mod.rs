//! From the features of a routed 7-series design to the frames of its configuration, by the database of Project X-Ray.
//!
//! nextpnr writes features (FASM), and `xc7frames2bit` makes a bitstream from frames. A frame is 101 words of 32 bits; those that
//! are not written here are zero. The check words in the frames are the packer's.

mod database;
mod fasm;

pub use database::{part_file, require};

use super::BuildError;
use database::{Database, FRAME_WORDS};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write,
    fs,
    path::Path,
};

/// At most so many unknown features are named in an error.
const NAMED: usize = 4;

/// Writes the frames of the design in the file `features` to `out`, as text: `0x00401480 0x00000000,…`, one a line.
///
/// # Errors
/// The database is missing or incomplete, a line cannot be read, a feature is not known, or two need different values of a
/// bit.
pub fn write_frames(part: &str, features: &Path, out: &Path) -> Result<(), BuildError> {
    let text = fs::read_to_string(features).map_err(BuildError::io("read", features))?;
    let database = Database::open(part)?;
    let mut assembly = Assembly { features, database, bits: HashMap::new(), unknown: Vec::new() };
    let mut voltages = LowVoltages::default();
    for (number, line) in (1..).zip(text.lines()) {
        let parsed = fasm::parse(line).map_err(|why| assembly.invalid(format!("line {number}: {why}")))?;
        let Some(line) = parsed else { continue };
        voltages.add(number, &line);
        for bit in &line.bits {
            assembly.add(number, line.tile, line.feature, *bit)?;
        }
    }
    for ((tile, feature), number) in voltages.other_pins(&assembly.database) {
        assembly.add(number, &tile, &feature, 0)?;
    }
    if !assembly.unknown.is_empty() {
        let named = assembly.unknown.iter().take(NAMED).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let all = assembly.unknown.len();
        return Err(
            assembly.invalid(format!("the database of Project X-Ray does not know {all} of its features: {named}"))
        );
    }
    super::stage::write(out, &assembly.frames())
}

/// The bits of a design.
struct Assembly<'a> {
    /// The file of its features.
    features: &'a Path,
    database: Database,
    /// By frame and number: whether the bit is set, and the line that says so.
    bits: HashMap<(u32, u32), (bool, usize)>,
    unknown: Vec<String>,
}

impl Assembly<'_> {
    fn invalid(&self, reason: String) -> BuildError {
        BuildError::Output { path: self.features.into(), reason }
    }

    /// Adds what a bit of a feature needs.
    fn add(&mut self, line: usize, tile: &str, feature: &str, number: u32) -> Result<(), BuildError> {
        let Some(bits) = self.database.bits(tile, feature, number)? else {
            self.unknown.push(format!("{tile}.{feature}[{number}]"));
            return Ok(());
        };
        for bit in bits {
            let (set, other) = *self.bits.entry((bit.frame, bit.bit)).or_insert((bit.set, line));
            if set != bit.set {
                return Err(self.invalid(format!(
                    "line {line}: `{tile}.{feature}` contradicts line {other} in bit {} of frame 0x{:08x}",
                    bit.bit, bit.frame
                )));
            }
        }
        Ok(())
    }

    fn frames(&self) -> String {
        let mut frames: BTreeMap<u32, [u32; FRAME_WORDS as usize]> = BTreeMap::new();
        for ((frame, bit), _) in self.bits.iter().filter(|(_, (set, _))| *set) {
            frames.entry(*frame).or_insert([0; FRAME_WORDS as usize])[*bit as usize / 32] |= 1 << (bit % 32);
        }
        let mut text = String::new();
        for (frame, words) in frames {
            let words = words.map(|word| format!("0x{word:08X}")).join(",");
            let _ = writeln!(text, "0x{frame:08X} {words}");
        }
        text
    }
}

/// Pins of low voltages. All pins of their bank have to be told of it, also those that are not used.
#[derive(Default)]
struct LowVoltages {
    used: BTreeSet<(String, String)>,
    /// Tiles, the features that tell, and their lines.
    low: Vec<(String, String, usize)>,
}

impl LowVoltages {
    fn add(&mut self, number: usize, line: &fasm::Line<'_>) {
        let Some((site, feature)) = line.feature.split_once('.').filter(|_| line.tile.contains("IOB33")) else {
            return;
        };
        self.used.insert((line.tile.into(), site.into()));
        if feature.contains("STEPDOWN") {
            self.low.push((line.tile.into(), feature.into(), number));
        }
    }

    /// The tiles and features of the pins that the design does not use, and the line that asks for them.
    fn other_pins(&self, database: &Database) -> BTreeMap<(String, String), usize> {
        let mut pins = BTreeMap::new();
        for (tile, feature, number) in &self.low {
            let unused = database.bank(tile).into_iter().filter(|pin| !self.used.contains(pin));
            pins.extend(unused.map(|(tile, site)| ((tile, format!("{site}.{feature}")), *number)));
        }
        pins
    }
}
