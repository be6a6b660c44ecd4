//! Room for the wires: sites that the placer has to leave free.
//!
//! nextpnr's placers fill the logic tiles and know nothing of wires; where a design is wires more than gates, as the
//! chip is, more of them have to pass than there are. So cells without any wire are put on some of the slices, before the
//! placer begins. They have no place in the bitstream.

use super::BuildError;
use crate::board::{Board, SLICES};
use hayasashi_hdl::top::pll::Family;
use serde_json::{json, Map, Value};
use std::{fs::File, io::BufReader, ops::RangeInclusive, path::Path};

/// Rows between those that keep all their slices: a long carry chain needs them side by side.
const CHAIN_ROWS: u32 = 4;
/// What router2 is told. Wires come apart by negotiation: in each iteration a wire that several nets want becomes dearer.
/// With nextpnr's own figures the price of a wire that is taken grows so fast (2 each time) that nets make ever longer
/// ways around and the last hundred wires never come to rest; where it grows slowly and what was in conflict is
/// remembered, even the whole chip comes apart, with account of timing. Nets may leave the rectangle of their pins by 12
/// tiles instead of 3, and the way to go is not estimated too high.
const ROUTER: [(&str, &str); 3] = [("histCongWeight", "2.0"), ("currCongWeightMult", "0.2"), ("estimateWeight", "1.0")];
const MARGIN: u32 = 12;

/// Columns and rows of an ECP5's logic tiles, and the rows of block RAMs and multipliers between them, from the tile grids
/// of Project Trellis.
fn tiles(part: &str) -> Option<(RangeInclusive<u32>, RangeInclusive<u32>, &'static [u32])> {
    match part.split_once('-')?.1 {
        "12F" | "25F" => Some((2..=70, 2..=48, &[13, 25, 37])),
        "45F" => Some((2..=88, 2..=69, &[10, 22, 34, 46, 58])),
        "85F" => Some((2..=124, 2..=93, &[10, 22, 34, 46, 58, 70, 82])),
        _ => None,
    }
}

/// The sites that a board keeps free, two in each slice.
pub fn sites(board: &Board) -> Vec<String> {
    let free = board.place.free_slices;
    let Some((columns, rows, others)) = tiles(&board.device.part).filter(|_| board.device.family == Family::Ecp5)
    else {
        return Vec::new();
    };
    let rows = rows.filter(|row| !others.contains(row) && row % CHAIN_ROWS != 0);
    let slices = &["A", "B", "C", "D"][(SLICES - free) as usize..];
    let tiles = rows.flat_map(|row| columns.clone().map(move |column| format!("X{column}/Y{row}")));
    tiles.flat_map(|tile| slices.iter().map(move |slice| format!("{tile}/SLICE{slice}"))).flat_map(both).collect()
}

fn both(slice: String) -> [String; 2] {
    [format!("{slice}.K0"), format!("{slice}.K1")]
}

/// Writes the netlist with the board's free sites taken, and with the router's settings.
pub fn spread(board: &Board, netlist: &Path, spread: &Path) -> Result<(), BuildError> {
    let file = File::open(netlist).map_err(BuildError::io("read", netlist))?;
    let wrong = |reason: String| BuildError::Output { path: netlist.into(), reason };
    let mut whole: Value = serde_json::from_reader(BufReader::with_capacity(1 << 20, file))
        .map_err(|error| wrong(format!("it is no netlist: {error}")))?;
    let top = whole.pointer_mut("/modules/top").and_then(Value::as_object_mut);
    let top = top.ok_or_else(|| wrong("it has no module `top`".into()))?;
    top.insert("settings".into(), settings());
    let cells = top.entry("cells").or_insert_with(|| Map::new().into()).as_object_mut();
    let cells = cells.ok_or_else(|| wrong("its cells are no list".into()))?;
    for site in sites(board) {
        cells.insert(format!("free {site}"), cell(&site));
    }
    super::stage::write(spread, &whole.to_string())
}

/// All that the result depends on beside the netlist.
pub fn inputs(board: &Board) -> String {
    match board.device.family {
        Family::Ecp5 => format!("{} {}", settings(), sites(board).join(" ")),
        Family::Gowin | Family::Xilinx => String::new(),
    }
}

/// What nextpnr is told in the netlist, since it has no options for it.
fn settings() -> Value {
    let weights = ROUTER.map(|(name, value)| (name, value.to_string()));
    let margins = ["bbMargin/x", "bbMargin/y"].map(|name| (name, format!("{MARGIN:032b}")));
    let all = weights.into_iter().chain(margins);
    all.map(|(name, value)| (format!("router2/{name}"), Value::from(value))).collect::<Map<_, _>>().into()
}

fn cell(site: &str) -> Value {
    json!({
        "type": "LUT4",
        "parameters": { "INIT": "0".repeat(16) },
        "attributes": { "BEL": site, "keep": "1" },
        "port_directions": { "A": "input", "B": "input", "C": "input", "D": "input", "Z": "output" },
        "connections": {},
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_sites_are_those_of_the_device() {
        let mut board = Board::find("ulx3s-85f").unwrap();
        board.place.free_slices = 2;
        let some = sites(&board);
        // 85 rows of logic tiles, of which 23 stay whole; 123 columns; two slices of two sites.
        assert_eq!(some.len(), (85 - 23) * 123 * 2 * 2);
        assert!(some.contains(&"X2/Y3/SLICEC.K0".into()) && some.contains(&"X124/Y93/SLICED.K1".into()));
        assert!(!some.iter().any(|site| site.contains("/Y4/") || site.contains("/Y22/") || site.contains("SLICEB")));
        board.place.free_slices = 0;
        assert!(sites(&board).is_empty());
    }
}
