//! The area of each block, and the resources of boards at their last build, as Markdown.

use super::{
    build::{build, BuildJob, REPORT},
    netlist::depth,
    progress::Observer,
    resources::Area,
    BuildError,
};
use crate::board::Board;
use jiff::Timestamp;
use serde_json::Value;
use std::{collections::BTreeMap, fmt::Write, fs, path::Path};

/// The area of the blocks of a board's chip.
pub struct BoardArea {
    /// Stem of the board's files.
    pub board: String,
    /// Part number and speed grade.
    pub device: String,
    /// The version that yosys reports.
    pub yosys: String,
    /// Every block, by path of instances; the whole design has the empty path.
    pub blocks: BTreeMap<String, Area>,
}

/// The blocks to show, chosen by depth and size.
#[derive(Clone, Copy, Debug)]
pub struct BlockFilter {
    /// Maximum depth.
    pub depth: usize,
    /// Minimum number of look-up tables; blocks with a block RAM or a multiplier are always large enough.
    pub luts: u64,
}

/// Synthesises the board's chip, in the job's folder, which must not be that of a build to a bitstream.
///
/// # Errors
/// As for [`build`](super::build()).
pub fn measure(job: &BuildJob, observer: &mut dyn Observer) -> Result<BoardArea, BuildError> {
    let mut report = build(job, observer)?;
    Ok(BoardArea {
        board: report.board,
        device: device(&job.board),
        yosys: report.tools.remove("yosys").unwrap_or_default(),
        blocks: report.blocks,
    })
}

fn device(board: &Board) -> String {
    format!("{}, speed {}", board.device.part, board.device.speed_grade)
}

/// Reports of the last builds in the folders of `root`, by board. Unreadable reports are left out.
pub fn reports(root: &Path) -> BTreeMap<String, Value> {
    let Ok(folders) = fs::read_dir(root) else { return BTreeMap::new() };
    let read = |folder: fs::DirEntry| -> Option<(String, Value)> {
        let report: Value = serde_json::from_slice(&fs::read(folder.path().join(REPORT)).ok()?).ok()?;
        Some((report["board"].as_str()?.to_string(), report))
    };
    folders.filter_map(|folder| read(folder.ok()?)).collect()
}

/// The page, `constraints/AREA.md`.
pub fn markdown(areas: &[BoardArea], reports: &BTreeMap<String, Value>, shown: BlockFilter) -> String {
    let mut text = format!(
        "# Area\n\nWritten by `hayasashi area` on {}; do not edit it by hand.\n",
        Timestamp::now().strftime("%Y-%m-%d")
    );
    if !reports.is_empty() {
        text.push_str(
            "\n## Boards\n\nPacked, placed and routed by nextpnr at the last build of each board; used / available.\n\n\
             | board | device | LUTs | flip-flops | block RAMs | multipliers | Fmax / constraint, MHz | tools |\n\
             |---|---|---|---|---|---|---|---|\n",
        );
        for (board, report) in reports {
            text.push_str(&row(board, report));
        }
    }
    for area in areas {
        let _ = write!(
            text,
            "\n## Blocks of {}\n\n{}; {}. The design is flattened, as in a build; a LUT is counted in the smallest block \
             that contains all the registers that it feeds.\nEach block includes the blocks inside it. Blocks deeper \
             than {} are not shown, nor blocks below {} LUTs without block RAM and multiplier.\n\n\
             | block | LUTs | flip-flops | block RAMs | multipliers |\n|---|---|---|---|---|\n",
            area.board, area.device, area.yosys, shown.depth, shown.luts
        );
        for (path, count) in area.blocks.iter().filter(|(path, area)| shown.shows(path, area)) {
            let name = if path.is_empty() { "**all**".to_string() } else { format!("`{path}`") };
            let Area { luts, flip_flops, block_rams, multipliers } = count;
            let _ = writeln!(text, "| {name} | {luts} | {flip_flops} | {block_rams} | {multipliers} |");
        }
    }
    text
}

impl BlockFilter {
    fn shows(&self, path: &str, area: &Area) -> bool {
        let large = area.luts >= self.luts || area.block_rams > 0 || area.multipliers > 0;
        path.is_empty() || (depth(path) <= self.depth && large)
    }
}

fn row(board: &str, report: &Value) -> String {
    let used = |name: &str| {
        let resource = &report["resources"][name];
        match resource["available"].as_u64() {
            Some(0) | None => resource["used"].as_u64().map_or("?".into(), |used| used.to_string()),
            Some(available) => format!("{} / {available}", resource["used"]),
        }
    };
    let clocks: Vec<String> = report["clocks"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|clock| {
            let mhz = |name: &str| clock[name].as_f64().unwrap_or(f64::NAN);
            format!("{:.2} / {:.2}", mhz("achieved_mhz"), mhz("constraint_mhz"))
        })
        .collect();
    let tools: Vec<&str> = report["tools"].as_object().into_iter().flatten().filter_map(|(_, v)| v.as_str()).collect();
    let text = |value: &Value| value.as_str().unwrap_or("?").to_string();
    format!(
        "| {board} | {}, speed {} | {} | {} | {} | {} | {} | {} |\n",
        text(&report["device"]["part"]),
        report["device"]["speed_grade"],
        used("luts"),
        used("flip_flops"),
        used("block_rams"),
        used("multipliers"),
        if clocks.is_empty() { "not placed".into() } else { clocks.join("; ") },
        tools.join("; ").replace('|', "/")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_boards_are_shown() {
        let count = |luts, multipliers| Area { luts, flip_flops: 2, block_rams: 0, multipliers };
        let blocks = BTreeMap::from([
            (String::new(), count(100, 1)),
            ("chip".into(), count(100, 1)),
            ("chip.small".into(), count(3, 0)),
            ("chip.product".into(), count(0, 1)),
            ("chip.product.deep".into(), count(90, 1)),
        ]);
        let area = BoardArea { board: "b".into(), device: "d".into(), yosys: "Yosys 1".into(), blocks };
        let report = serde_json::json!({
            "device": {"part": "P", "speed_grade": 6}, "resources": {"luts": {"used": 7, "available": 9}},
            "clocks": [{"achieved_mhz": 50.0, "constraint_mhz": 60.0}], "tools": {"yosys": "Yosys 1"},
        });
        let text = markdown(&[area], &BTreeMap::from([("b".into(), report)]), BlockFilter { depth: 2, luts: 10 });
        assert!(text.contains("| b | P, speed 6 | 7 / 9 | ? | ? | ? |"), "{text}");
        assert!(text.contains("50.00 / 60.00"), "{text}");
        assert!(text.contains("| `chip.product` | 0 | 2 | 0 | 1 |"), "{text}");
        assert!(!text.contains("`chip.small`") && !text.contains(".deep`"), "{text}");
    }
}
