//! Sites that the placer leaves free, to make room for wires.
//!
//! nextpnr's placers fill the logic tiles without regard to wires. The chip needs more wires than a full tile can route.
//! So unconnected cells are put on some of the slices before placement. They do not appear in the bitstream.

use super::{netlist_edit::edit, BuildError};
use crate::board::{Board, SLICES};
use hayasashi_hdl::top::pll::Family;
use serde_json::{json, Map, Value};
use std::{ops::RangeInclusive, path::Path};

/// Every row with a multiple of this number keeps all its slices: a long carry chain needs adjacent slices.
const CHAIN_ROWS: u32 = 4;
/// Settings of router2, which negotiates congestion: in each iteration a wire that several nets use costs more. With
/// nextpnr's defaults the present cost grows so fast (by a factor of 2 each time) that nets take ever longer detours and
/// the last hundred conflicts are never resolved. With slow growth and a larger weight of past conflicts even the whole
/// chip routes, timing-driven. Nets may leave the bounding box of their pins by 12 tiles instead of 3, and the remaining
/// distance is not overestimated.
const ROUTER: [(&str, &str); 3] = [("histCongWeight", "2.0"), ("currCongWeightMult", "0.2"), ("estimateWeight", "1.0")];
/// Tiles by which a net may leave the bounding box of its pins.
const MARGIN: u32 = 12;

/// Columns and rows of an ECP5's logic tiles, and the rows of block RAMs and multipliers among them, from the tile grids
/// of Project Trellis.
fn logic_tiles(part: &str) -> Option<(RangeInclusive<u32>, RangeInclusive<u32>, &'static [u32])> {
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
    let Some((columns, rows, others)) = logic_tiles(&board.device.part).filter(|_| board.device.family == Family::Ecp5)
    else {
        return Vec::new();
    };
    let rows = rows.filter(|row| !others.contains(row) && row % CHAIN_ROWS != 0);
    let slices = &["A", "B", "C", "D"][(SLICES - free) as usize..];
    let tiles = rows.flat_map(|row| columns.clone().map(move |column| format!("X{column}/Y{row}")));
    tiles.flat_map(|tile| slices.iter().map(move |slice| format!("{tile}/SLICE{slice}"))).flat_map(both_sites).collect()
}

fn both_sites(slice: String) -> [String; 2] {
    [format!("{slice}.K0"), format!("{slice}.K1")]
}

/// Writes a copy of the netlist to `out` with the board's free sites occupied, and with the router's settings.
pub fn reserve(board: &Board, netlist: &Path, out: &Path) -> Result<(), BuildError> {
    edit(netlist, out, |top| {
        top.insert("settings".into(), settings());
        if let Some(Value::Object(cells)) = top.get_mut("cells") {
            cells.extend(sites(board).iter().map(|site| (format!("free {site}"), unconnected_cell(site))));
        }
    })
}

/// Everything that the result depends on except the netlist.
pub fn inputs(board: &Board) -> String {
    match board.device.family {
        Family::Ecp5 => format!("{} {}", settings(), sites(board).join(" ")),
        Family::Gowin | Family::Gw5a | Family::Xilinx => String::new(),
    }
}

/// Settings that nextpnr reads from the netlist, because it has no options for them.
fn settings() -> Value {
    let weights = ROUTER.map(|(name, value)| (name, value.to_string()));
    let margins = ["bbMargin/x", "bbMargin/y"].map(|name| (name, format!("{MARGIN:032b}")));
    let all = weights.into_iter().chain(margins);
    all.map(|(name, value)| (format!("router2/{name}"), Value::from(value))).collect::<Map<_, _>>().into()
}

fn unconnected_cell(site: &str) -> Value {
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
    fn free_sites_are_on_the_device() {
        let mut board = Board::find("ulx3s-85f").unwrap();
        board.place.free_slices = 2;
        let some = sites(&board);
        // 85 rows of logic tiles, of which 23 keep all their slices; 123 columns; two slices of two sites.
        assert_eq!(some.len(), (85 - 23) * 123 * 2 * 2);
        assert!(some.contains(&"X2/Y3/SLICEC.K0".into()) && some.contains(&"X124/Y93/SLICED.K1".into()));
        assert!(!some.iter().any(|site| site.contains("/Y4/") || site.contains("/Y22/") || site.contains("SLICEB")));
        board.place.free_slices = 0;
        assert!(sites(&board).is_empty());
    }
}
