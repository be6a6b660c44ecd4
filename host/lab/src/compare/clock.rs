//! How fast the chip of a board is clocked: its last place and route tells, or its description.

use super::{Basis, CompareError, Figure};
use hayasashi_boards::board::Board;
use hayasashi_hdl::top::config::BUILD_ID;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fs, path::Path};

/// The board whose chip is compared.
#[derive(Clone, Debug, Serialize)]
pub struct Device {
    /// Stem of the board's files.
    pub board: String,
    /// Its name for people.
    pub name: String,
    /// Part number.
    pub part: String,
    /// The chip's clock: what place and route reached, or what is asked for.
    pub clock: Figure,
    /// What that clock is, in words.
    pub clock_from: String,
    /// What the board's description asks for, in hertz.
    pub clock_asked_hz: u32,
    /// Units that share a walk.
    pub perft_units: u32,
    /// Bits a second of its serial line.
    pub baud_hz: u32,
    /// The place and route that told the clock: seed, and what each tool said of its version.
    pub placed: Option<Placed>,
}

/// Of a report of `hayasashi build`, what is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Placed {
    /// Seed of the placer.
    pub seed: u32,
    /// Hash of the gateware's sources.
    pub build_id: String,
    /// What each tool said of its version.
    pub tools: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Comparison {
    board: String,
    #[serde(flatten)]
    placed: Placed,
    clocks: Vec<Clock>,
}

#[derive(Deserialize)]
struct Clock {
    clock: String,
    achieved_mhz: f64,
    constraint_mhz: f64,
}

impl Device {
    /// Of a board. `report` is the report that the arguments name; where they name none, that of `usual` is taken if there
    /// is one.
    pub fn find(board: &Board, report: Option<&Path>, usual: &Path) -> Result<Device, CompareError> {
        let asked = board.clock.chip_hz;
        let mut device = Device {
            board: board.stem.clone(),
            name: board.name.clone(),
            part: board.device.part.clone(),
            clock: Figure::computed(asked as f64, "Hz"),
            clock_from: "clock asked for, not reached yet: there is no place and route of this board".into(),
            clock_asked_hz: asked,
            perft_units: board.units.perft,
            baud_hz: board.uart.baud_hz,
            placed: None,
        };
        let file = match report {
            Some(file) => file,
            None if usual.is_file() => usual,
            None => return Ok(device),
        };
        let report = read(board, file)?;
        let Some(clock) = chips_clock(&report.clocks, asked) else {
            device.clock_from =
                format!("clock asked for, not reached yet: `{}` is of a build without place and route", file.display());
            return Ok(device);
        };
        let other = match report.placed.build_id == format!("{BUILD_ID:08x}") {
            true => "",
            false => ", of other gateware than this program's",
        };
        device.clock = Figure::computed(clock.achieved_mhz * 1e6, "Hz");
        device.clock_from = format!(
            "Fmax of `{}` after place and route ({}{other}); {} MHz asked for",
            clock.clock,
            file.display(),
            asked as f64 / 1e6
        );
        device.placed = Some(report.placed);
        Ok(device)
    }

    /// The clock in hertz.
    pub fn clock_hz(&self) -> f64 {
        debug_assert_eq!(self.clock.basis, Basis::Computed);
        self.clock.value
    }
}

fn read(board: &Board, file: &Path) -> Result<Comparison, CompareError> {
    let path = || file.display().to_string();
    let text = fs::read_to_string(file).map_err(|e| CompareError::NoReport {
        file: path(),
        board: board.stem.clone(),
        reason: e.to_string(),
    })?;
    let report: Comparison = serde_json::from_str(&text).map_err(|e| CompareError::BadReport {
        file: path(),
        board: board.stem.clone(),
        reason: e.to_string(),
    })?;
    let sound = |clock: &Clock| clock.achieved_mhz.is_finite() && clock.achieved_mhz > 0.0;
    if let Some(clock) = report.clocks.iter().find(|clock| !sound(clock)) {
        let reason = format!("the clock `{}` reaches {} MHz", clock.clock, clock.achieved_mhz);
        return Err(CompareError::BadReport { file: path(), board: board.stem.clone(), reason });
    }
    match report.board == board.stem {
        true => Ok(report),
        false => Err(CompareError::OtherBoard { file: path(), found: report.board, board: board.stem.clone() }),
    }
}

/// The clock that was asked to be as fast as the chip's; of several the slowest.
fn chips_clock(clocks: &[Clock], asked_hz: u32) -> Option<&Clock> {
    let distance = |clock: &Clock| (clock.constraint_mhz * 1e6 - asked_hz as f64).abs();
    let least = clocks.iter().map(distance).fold(f64::INFINITY, f64::min);
    let nearest = clocks.iter().filter(|clock| distance(clock) <= least + 1.0);
    nearest.min_by(|a, b| a.achieved_mhz.total_cmp(&b.achieved_mhz))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chip_s_clock_is_told_from_others() {
        let clock = |achieved_mhz, constraint_mhz| Clock { clock: String::new(), achieved_mhz, constraint_mhz };
        let clocks = [clock(300.0, 12.0), clock(47.1, 60.0), clock(46.9, 60.0), clock(20.0, 25.0)];
        assert_eq!(chips_clock(&clocks, 60_000_000).unwrap().achieved_mhz, 46.9);
        assert!(chips_clock(&[], 60_000_000).is_none());
    }
}
