//! The database of Project X-Ray: which bits of a device's configuration belong to which feature of a tile.
//!
//! Its folder has one for each series (`artix7`), with
//!
//! | file | content |
//! |---|---|
//! | `mapping/parts.yaml`, `mapping/devices.yaml` | the device of a part, and the fabric of a device |
//! | `FABRIC/tilegrid.json` | the tiles: their type, and where their configuration begins |
//! | `PART/part.yaml`, `PART/package_pins.csv` | the part's frames, for the packer; its pins and their banks |
//! | `segbits_TYPE.db`, `segbits_TYPE.block_ram.db` | the bits of each feature of a type of tiles, `30_09 !31_06` |
//! | `ppips_TYPE.db` | connections without bits |

use crate::flow::BuildError;
use serde::Deserialize;
use std::{
    collections::{HashMap, HashSet},
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
};

/// Words of a frame, of 32 bits.
pub const FRAME_WORDS: u32 = 101;
/// The environment variable that names the folder of the database.
const FOLDER: &str = "PRJXRAY_DB_DIR";
/// Where Debian has it.
const DEBIAN: &str = "/usr/share/prjxray/database";
const HINT: &str =
    "install the database of Project X-Ray (Debian package prjxray-database, in testing and sid), or name its \
     folder in PRJXRAY_DB_DIR; `--stop-after route` does without it";

/// The folder of a part's series.
fn series_folder(part: &str) -> PathBuf {
    let folder = std::env::var_os(FOLDER).map_or_else(|| DEBIAN.into(), PathBuf::from);
    // The packer runs in another folder.
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    let series = match part.as_bytes().get(3) {
        Some(b'k') => "kintex7",
        Some(b's') => "spartan7",
        _ => "artix7",
    };
    folder.join(series)
}

/// The description of a part's frames, which the packer reads.
pub fn part_file(part: &str) -> PathBuf {
    series_folder(part).join(part).join("part.yaml")
}

/// Makes sure that the database has this part, before the hours that a design takes to get there.
///
/// # Errors
/// It has not.
pub fn require(part: &str) -> Result<(), BuildError> {
    let file = part_file(part);
    fs::metadata(&file).map(drop).map_err(unreadable(&file))
}

/// The database of one part.
pub struct Database {
    series: PathBuf,
    tiles: HashMap<String, Tile>,
    types: HashMap<String, TileType>,
    /// The tiles of each bank of pins.
    banks: HashMap<String, HashSet<String>>,
}

/// A tile of the device.
#[derive(Deserialize)]
struct Tile {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    bits: HashMap<Block, Place>,
    #[serde(default)]
    sites: HashMap<String, String>,
}

/// A part of the configuration memory.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash)]
enum Block {
    /// Logic, connections, clocks and pins.
    #[serde(rename = "CLB_IO_CLK")]
    Logic,
    /// Contents of block RAMs.
    #[serde(rename = "BLOCK_RAM")]
    Contents,
}

/// Where the bits of a tile are.
#[derive(Deserialize)]
struct Place {
    /// The first frame, `0x00401080`.
    baseaddr: String,
    /// The first word in each frame.
    offset: u16,
    #[serde(default)]
    alias: Option<Alias>,
}

/// A tile that has a part of the bits of another type.
#[derive(Deserialize)]
struct Alias {
    #[serde(rename = "type")]
    kind: String,
    /// The first word of that type that this tile has.
    start_offset: u16,
    /// Its sites, and their names in that type.
    sites: HashMap<String, String>,
}

/// The features of a type of tiles.
struct TileType {
    /// By feature and bit of it.
    features: HashMap<String, HashMap<u32, Feature>>,
    /// Connections that need no bits.
    bitless: HashSet<String>,
}

struct Feature {
    block: Block,
    bits: Vec<TileBit>,
}

/// A bit in a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TileBit {
    frame: u32,
    bit: u32,
    set: bool,
}

/// A bit of the configuration, and whether a feature sets or clears it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigurationBit {
    /// Address of the frame.
    pub frame: u32,
    /// Number of the bit in the frame.
    pub bit: u32,
    /// Whether it has to be set.
    pub set: bool,
}

impl Database {
    /// Opens the database of a part, `xc7a100tcsg324-1`.
    ///
    /// # Errors
    /// A file is missing or is not as described above.
    pub fn open(part: &str) -> Result<Database, BuildError> {
        let series = series_folder(part);
        let fabric = fabric(&series, part)?;
        let grid = series.join(fabric).join("tilegrid.json");
        let file = File::open(&grid).map_err(unreadable(&grid))?;
        let tiles = serde_json::from_reader(BufReader::with_capacity(1 << 20, file))
            .map_err(|error| invalid(&grid, format!("it is not a grid of tiles: {error}")))?;
        let banks = banks(&series.join(part).join("package_pins.csv"))?;
        Ok(Database { series, tiles, types: HashMap::new(), banks })
    }

    /// The bits of one bit of a tile's feature; none for a connection that is always there, `None` for a tile or a feature that
    /// is not known.
    ///
    /// # Errors
    /// A file of the database cannot be read.
    pub fn bits(&mut self, tile: &str, feature: &str, bit: u32) -> Result<Option<Vec<ConfigurationBit>>, BuildError> {
        let Some(tile) = self.tiles.get(tile) else { return Ok(None) };
        // Types and their aliases are the same for all blocks of a tile.
        let alias = tile.bits.values().find_map(|place| place.alias.as_ref());
        if load(&self.series, &mut self.types, &tile.kind)?.bitless.contains(feature) {
            return Ok(Some(Vec::new()));
        }
        let (kind, name) = match alias {
            Some(alias) => (&alias.kind, alias.feature(feature)),
            None => (&tile.kind, feature.to_string()),
        };
        let tile_type = load(&self.series, &mut self.types, kind)?;
        if tile_type.bitless.contains(&name) {
            return Ok(Some(Vec::new()));
        }
        let found = tile_type.features.get(&name).and_then(|bits| bits.get(&bit));
        Ok(found.and_then(|feature| tile.bits.get(&feature.block)?.bits(feature)))
    }

    /// The pins in the bank of a tile: their tiles, and their sites as features name them.
    pub fn bank(&self, tile: &str) -> Vec<(String, String)> {
        let bank = self.banks.values().find(|tiles| tiles.contains(tile));
        let mut all = Vec::new();
        for tile in bank.into_iter().flatten() {
            let sites = self.tiles.get(tile).into_iter().flat_map(|tile| tile.sites.keys());
            // `IOB_X0Y147` is `IOB_Y1` of its tile.
            let odd = sites.filter_map(|site| Some(site.chars().last()?.to_digit(10)? % 2));
            all.extend(odd.map(|odd| (tile.clone(), format!("IOB_Y{odd}"))));
        }
        all.sort();
        all
    }
}

impl Place {
    fn base(&self) -> Option<u32> {
        u32::from_str_radix(self.baseaddr.strip_prefix("0x")?, 16).ok()
    }

    /// The bits of a feature here; `None` if they are not in a frame.
    fn bits(&self, feature: &Feature) -> Option<Vec<ConfigurationBit>> {
        let base = self.base()?;
        let skipped = self.alias.as_ref().map_or(0, |alias| alias.start_offset);
        let moved = |bit: &TileBit| {
            let word = (u32::from(self.offset) + bit.bit / 32).checked_sub(u32::from(skipped));
            let word = word.filter(|word| *word < FRAME_WORDS)?;
            Some(ConfigurationBit { frame: base.checked_add(bit.frame)?, bit: 32 * word + bit.bit % 32, set: bit.set })
        };
        feature.bits.iter().map(moved).collect()
    }
}

impl Alias {
    /// A feature of the tile, by its name in the other type.
    fn feature(&self, feature: &str) -> String {
        let (site, rest) = feature.split_once('.').unwrap_or((feature, ""));
        match self.sites.get(site) {
            Some(site) => format!("{site}.{rest}"),
            None => feature.to_string(),
        }
    }
}

fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> BuildError + use<'_> {
    move |source| BuildError::Io { action: "read", path: path.into(), source, hint: HINT }
}

fn invalid(path: &Path, reason: impl Into<String>) -> BuildError {
    BuildError::Output { path: path.into(), reason: reason.into() }
}

fn read(path: &Path) -> Result<String, BuildError> {
    fs::read_to_string(path).map_err(unreadable(path))
}

/// The same for a file that not all types have.
fn read_if_present(path: &Path) -> Result<String, BuildError> {
    match path.exists() {
        true => read(path),
        false => Ok(String::new()),
    }
}

/// The fabric of a part: parts differ in package and speed, and some devices in name only.
fn fabric(series: &Path, part: &str) -> Result<String, BuildError> {
    let (parts, devices) = (series.join("mapping/parts.yaml"), series.join("mapping/devices.yaml"));
    let device =
        field(&read(&parts)?, part, "device").ok_or_else(|| invalid(&parts, format!("it has no part `{part}`")))?;
    field(&read(&devices)?, &device, "fabric").ok_or_else(|| invalid(&devices, format!("it has no device `{device}`")))
}

/// The value of a field in the section `key` of two levels of YAML.
fn field(text: &str, key: &str, name: &str) -> Option<String> {
    let plain = |text: &str| text.trim().trim_matches(['"', '\'']).to_string();
    let of = |line: &str, name: &str| {
        line.split_once(':').filter(|(key, _)| plain(key) == name).map(|(_, value)| plain(value))
    };
    let mut lines = text.lines().skip_while(|line| line.starts_with(' ') || of(line, key).is_none());
    lines.next()?;
    lines.take_while(|line| line.starts_with(' ')).find_map(|line| of(line, name))
}

/// The tiles of each bank, from the table of a package's pins.
fn banks(path: &Path) -> Result<HashMap<String, HashSet<String>>, BuildError> {
    let text = read(path)?;
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    let column = |name| head.iter().position(|column| *column == name);
    let (Some(bank), Some(tile)) = (column("bank"), column("tile")) else {
        return Err(invalid(path, "it has no columns `bank` and `tile`"));
    };
    let mut banks: HashMap<String, HashSet<String>> = HashMap::new();
    for line in lines {
        if let (Some(bank), Some(tile)) = (line.get(bank), line.get(tile)) {
            banks.entry(bank.to_string()).or_default().insert(tile.to_string());
        }
    }
    Ok(banks)
}

/// The type of this name, read at its first use.
fn load<'a>(series: &Path, types: &'a mut HashMap<String, TileType>, kind: &str) -> Result<&'a TileType, BuildError> {
    if !types.contains_key(kind) {
        types.insert(kind.to_string(), TileType::read(series, &kind.to_lowercase())?);
    }
    Ok(&types[kind])
}

impl TileType {
    fn read(series: &Path, kind: &str) -> Result<TileType, BuildError> {
        let mut features: HashMap<String, HashMap<u32, Feature>> = HashMap::new();
        for (block, name) in
            [(Block::Contents, format!("segbits_{kind}.block_ram.db")), (Block::Logic, format!("segbits_{kind}.db"))]
        {
            let path = series.join(name);
            for line in read_if_present(&path)?.lines().filter(|line| !line.is_empty()) {
                let (name, number, bits) =
                    feature(line).ok_or_else(|| invalid(&path, format!("`{line}` is not a feature and its bits")))?;
                features.entry(name).or_default().insert(number, Feature { block, bits });
            }
        }
        let bitless = read_if_present(&series.join(format!("ppips_{kind}.db")))?;
        let bitless =
            bitless.lines().filter_map(|line| Some(without_type(line.split_whitespace().next()?)?.to_string()));
        Ok(TileType { features, bitless: bitless.collect() })
    }
}

/// `SLICEL_X0.AFF.ZINI` of `CLBLL_L.SLICEL_X0.AFF.ZINI`.
fn without_type(name: &str) -> Option<&str> {
    name.split_once('.').map(|(_, feature)| feature)
}

/// The feature of a line, the number of its bit, and what that needs: `CLBLL_L.SLICEL_X0.ALUT.INIT[10] 32_15 !33_15`.
fn feature(line: &str) -> Option<(String, u32, Vec<TileBit>)> {
    let mut words = line.split_whitespace();
    let name = without_type(words.next()?)?;
    let (name, number) = match name.split_once('[') {
        Some((name, number)) => (name, number.strip_suffix(']')?.parse().ok()?),
        None => (name, 0),
    };
    let bit = |word: &str| {
        let (set, place) = word.strip_prefix('!').map_or((true, word), |place| (false, place));
        let (frame, bit) = place.split_once('_')?;
        Some(TileBit { frame: frame.parse().ok()?, bit: bit.parse().ok()?, set })
    };
    Some((name.to_string(), number, words.map(bit).collect::<Option<_>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_feature_and_its_bits() {
        let bit = |frame, bit, set| TileBit { frame, bit, set };
        for (line, name, number, bits) in [
            ("INT_L.A.B 21_07 !22_07", "A.B", 0, vec![bit(21, 7, true), bit(22, 7, false)]),
            ("BRAM_L.RAMB18_Y0.INIT_00[012] 00_208", "RAMB18_Y0.INIT_00", 12, vec![bit(0, 208, true)]),
        ] {
            assert_eq!(feature(line), Some((name.into(), number, bits)), "{line}");
        }
        for line in ["INT_L 21_07", "INT_L.A[x] 21_07", "INT_L.A 21", "INT_L.A !21_x"] {
            assert_eq!(feature(line), None, "{line}");
        }
    }

    #[test]
    fn fields_are_found_in_their_section() {
        let text =
            "# devices\nxc7a35tcpg236-1:\n  device: xc7a35t\n  speedgrade: '1'\n\"xc7a50t\":\n  fabric: \"xc7a50t\"\n";
        assert_eq!(field(text, "xc7a35tcpg236-1", "speedgrade").as_deref(), Some("1"));
        assert_eq!(field(text, "xc7a50t", "fabric").as_deref(), Some("xc7a50t"));
        assert_eq!(field(text, "xc7a35tcpg236-1", "fabric"), None);
        assert_eq!(field(text, "device", "fabric"), None);
    }
}
