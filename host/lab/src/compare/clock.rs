//! The clock rate of a board's chip: from a build's report, from the place and route that the board's file records, or the
//! target in that file.

use super::{CompareError, Figure, Provenance};
use hayasashi_boards::board::{Board, Routed};
use hayasashi_hdl::config::BUILD_ID;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs, path::Path};

/// The board whose chip is compared.
#[derive(Clone, Debug, Serialize)]
pub struct Device {
    /// File stem of the board.
    pub board: String,
    /// Display name of the board.
    pub name: String,
    /// Part number.
    pub part: String,
    /// Clock rate of the chip: reached by place and route, or the target.
    pub clock: Figure,
    /// Where the clock rate comes from, in words.
    pub clock_from: String,
    /// The target in the board's description, in hertz.
    pub clock_asked_hz: u32,
    /// Number of perft units.
    pub perft_units: u32,
    /// Walkers of searches.
    pub search_walkers: u32,
    /// Bits per second of the serial line.
    pub baud_hz: u32,
    /// The place and route that gave the clock rate.
    pub placed: Option<PlaceAndRoute>,
}

/// The part of a report of `hayasashi build` that the comparison shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PlaceAndRoute {
    /// Seed of the placer.
    pub seed: u32,
    /// Hash of the gateware's sources, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
    /// Version of each tool.
    pub tools: BTreeMap<String, String>,
}

/// A report of `hayasashi build`.
#[derive(Deserialize)]
struct BuildReport {
    board: String,
    #[serde(flatten)]
    placed: PlaceAndRoute,
    clocks: Vec<ClockTiming>,
}

/// A clock of the design and its timing result.
#[derive(Deserialize)]
struct ClockTiming {
    clock: String,
    achieved_mhz: f64,
    constraint_mhz: f64,
}

impl Device {
    /// The device of a board. Its clock rate comes from `report`; if none is given, from `default_report` if that file exists
    /// and has a clock; else from the board's own file.
    ///
    /// # Errors
    /// A report that cannot be read or parsed, or that belongs to another board.
    pub fn find(board: &Board, report: Option<&Path>, default_report: &Path) -> Result<Device, CompareError> {
        let target = board.clock.chip_hz;
        let mut device = Device::of_board(board);
        let file = match report {
            Some(file) => file,
            None if default_report.is_file() => default_report,
            None => return Ok(device),
        };
        let build = read(board, file)?;
        let Some(clock) = chip_clock(&build.clocks, target) else {
            if report.is_some() {
                device.clock = Figure::computed(target as f64, "Hz");
                device.placed = None;
                device.clock_from = format!(
                    "target clock, not yet reached: `{}` is the report of a build without place and route",
                    file.display()
                );
            }
            return Ok(device);
        };
        let other = match build.placed.build_id.as_ref() == Some(&format!("{BUILD_ID:08x}")) {
            true => "",
            false => ", with gateware other than this program's",
        };
        device.clock = Figure::computed(clock.achieved_mhz * 1e6, "Hz");
        device.clock_from = format!(
            "Fmax of `{}` after place and route (`{}`{other}); target {} MHz",
            clock.clock,
            file.display(),
            target as f64 / 1e6
        );
        device.placed = Some(build.placed);
        Ok(device)
    }

    /// The device with the clock rate of the board's own file.
    fn of_board(board: &Board) -> Device {
        let target = board.clock.chip_hz;
        let device = Device {
            board: board.stem.clone(),
            name: board.name.clone(),
            part: board.device.part.clone(),
            clock: Figure::computed(target as f64, "Hz"),
            clock_from: "target clock, not yet reached: no tool has routed this board".into(),
            clock_asked_hz: target,
            perft_units: board.units.perft,
            search_walkers: board.units.search,
            baud_hz: board.uart.baud_hz,
            placed: None,
        };
        let Some(Routed { fmax_hz, seed, date, tools }) = board.routed.clone() else { return device };
        Device {
            clock: Figure::computed(fmax_hz as f64, "Hz"),
            clock_from: format!(
                "Fmax after place and route on {date} (`{}.toml`); target {} MHz",
                board.stem,
                target as f64 / 1e6
            ),
            placed: Some(PlaceAndRoute { seed, build_id: None, tools }),
            ..device
        }
    }

    /// The clock in hertz.
    pub fn clock_hz(&self) -> f64 {
        debug_assert_eq!(self.clock.basis, Provenance::Computed);
        self.clock.value
    }
}

fn read(board: &Board, file: &Path) -> Result<BuildReport, CompareError> {
    let path = || file.display().to_string();
    let text = fs::read_to_string(file).map_err(|e| CompareError::NoReport {
        file: path(),
        board: board.stem.clone(),
        reason: e.to_string(),
    })?;
    let report: BuildReport = serde_json::from_str(&text).map_err(|e| CompareError::BadReport {
        file: path(),
        board: board.stem.clone(),
        reason: e.to_string(),
    })?;
    let valid = |clock: &ClockTiming| clock.achieved_mhz.is_finite() && clock.achieved_mhz > 0.0;
    if let Some(clock) = report.clocks.iter().find(|clock| !valid(clock)) {
        let reason = format!("the clock `{}` reaches {} MHz", clock.clock, clock.achieved_mhz);
        return Err(CompareError::BadReport { file: path(), board: board.stem.clone(), reason });
    }
    match report.board == board.stem {
        true => Ok(report),
        false => Err(CompareError::OtherBoard { file: path(), found: report.board, board: board.stem.clone() }),
    }
}

/// The chip's clock: the one whose constraint is nearest to the target. Of several, the slowest.
fn chip_clock(clocks: &[ClockTiming], target_hz: u32) -> Option<&ClockTiming> {
    let distance = |clock: &ClockTiming| (clock.constraint_mhz * 1e6 - target_hz as f64).abs();
    let least = clocks.iter().map(distance).fold(f64::INFINITY, f64::min);
    let nearest = clocks.iter().filter(|clock| distance(clock) <= least + 1.0);
    nearest.min_by(|a, b| a.achieved_mhz.total_cmp(&b.achieved_mhz))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chip_s_clock_is_found_among_others() {
        let clock = |achieved_mhz, constraint_mhz| ClockTiming { clock: String::new(), achieved_mhz, constraint_mhz };
        let clocks = [clock(300.0, 12.0), clock(47.1, 60.0), clock(46.9, 60.0), clock(20.0, 25.0)];
        assert_eq!(chip_clock(&clocks, 60_000_000).unwrap().achieved_mhz, 46.9);
        assert!(chip_clock(&[], 60_000_000).is_none());
    }
}
