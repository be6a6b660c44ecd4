//! The area of each block, and what boards took when they were last built, as Markdown.

use super::{
    count::Count,
    flow::{hierarchy, BuildJob, REPORT},
    netlist::{depth, Blocks},
    observer::Observer,
    BuildError,
};
use crate::board::Board;
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fmt::Write,
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

/// The blocks of a board's chip.
pub struct BoardArea {
    /// Stem of the board's files.
    pub board: String,
    /// Part number and speed grade.
    pub device: String,
    /// What yosys says of its version.
    pub yosys: String,
    /// Every block.
    pub blocks: Blocks,
}

/// Which blocks are shown: names come from the hierarchy, only their depth and size is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Down to this depth.
    pub depth: usize,
    /// With at least so many look-up tables, or with a block RAM or a multiplier.
    pub luts: u64,
}

/// Synthesises the board's chip with its hierarchy kept, in the job's folder, which is not that of a build.
pub fn measure(job: &BuildJob, observer: &mut dyn Observer) -> Result<BoardArea, BuildError> {
    let board = &job.board;
    let found = hierarchy(job, observer)?;
    Ok(BoardArea {
        board: board.stem.clone(),
        device: device(board),
        yosys: found.yosys,
        blocks: found.netlist.blocks(board.device.family),
    })
}

fn device(board: &Board) -> String {
    format!("{}, speed {}", board.device.part, board.device.speed_grade)
}

/// Reports of the last builds below `root`, by board; what does not read is left out.
pub fn reports(root: &Path) -> BTreeMap<String, Value> {
    let Ok(folders) = fs::read_dir(root) else { return BTreeMap::new() };
    let read = |folder: fs::DirEntry| -> Option<(String, Value)> {
        let report: Value = serde_json::from_slice(&fs::read(folder.path().join(REPORT)).ok()?).ok()?;
        Some((report["board"].as_str()?.to_string(), report))
    };
    folders.filter_map(|folder| read(folder.ok()?)).collect()
}

/// The page.
pub fn markdown(areas: &[BoardArea], reports: &BTreeMap<String, Value>, shown: Shown) -> String {
    let mut text = format!(
        "# Area\n\nWritten by `hayasashi area` on {}; not to be edited by hand.\n",
        date(SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()))
    );
    if !reports.is_empty() {
        text.push_str(
            "\n## Boards\n\nPacked, placed and routed by nextpnr when the board was last built; used / available.\n\n\
             | board | device | LUTs | flip-flops | block RAMs | multipliers | Fmax / asked, MHz | tools |\n\
             |---|---|---|---|---|---|---|---|\n",
        );
        for (board, report) in reports {
            text.push_str(&row(board, report));
        }
    }
    for area in areas {
        let _ = write!(
            text,
            "\n## Blocks of {}\n\n{}; {}, hierarchy kept, so that no logic is shared between blocks: the sum is more \
             than what is packed.\nA block includes those inside it. Blocks deeper than {} or below {} LUTs without \
             block RAM and multiplier are not shown.\n\n\
             | block | LUTs | flip-flops | block RAMs | multipliers |\n|---|---|---|---|---|\n",
            area.board, area.device, area.yosys, shown.depth, shown.luts
        );
        for (path, count) in area.blocks.iter().filter(|(path, count)| shown.shows(path, count)) {
            let name = if path.is_empty() { "**all**".to_string() } else { format!("`{path}`") };
            let a = count.area();
            let _ = writeln!(text, "| {name} | {} | {} | {} | {} |", a.luts, a.flip_flops, a.block_rams, a.multipliers);
        }
    }
    text
}

impl Shown {
    fn shows(&self, path: &str, count: &Count) -> bool {
        let large = count.luts >= self.luts || count.half_block_rams > 0 || count.multipliers > 0;
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

/// The date of a time in seconds since 1970 (days to civil date: Hinnant, 2013).
fn date(seconds: u64) -> String {
    let days = (seconds / 86_400) as i64 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + (month <= 2) as i64;
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01"),
            (951_782_399, "2000-02-28"),
            (951_782_400, "2000-02-29"),
            (1_795_219_200, "2026-11-21"),
            (4_102_444_799, "2099-12-31"),
        ] {
            assert_eq!(date(seconds), text);
        }
    }

    #[test]
    fn blocks_and_boards_are_shown() {
        let count = |luts, multipliers| Count { luts, flip_flops: 2, half_block_rams: 0, multipliers };
        let blocks = Blocks::from([
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
        let text = markdown(&[area], &BTreeMap::from([("b".into(), report)]), Shown { depth: 2, luts: 10 });
        assert!(text.contains("| b | P, speed 6 | 7 / 9 | ? | ? | ? |"), "{text}");
        assert!(text.contains("50.00 / 60.00"), "{text}");
        assert!(text.contains("| `chip.product` | 0 | 2 | 0 | 1 |"), "{text}");
        assert!(!text.contains("`chip.small`") && !text.contains(".deep`"), "{text}");
    }
}
