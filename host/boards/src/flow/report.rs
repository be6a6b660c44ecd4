//! The report of a build, `report.json`, and its check against the budget.

use super::{
    free_sites,
    netlist::{Blocks, Netlist},
    nextpnr_report::{CriticalPath, NextpnrReport, RoutedClock, Utilization},
    resources::Area,
    revision::Revision,
    tools::Tools,
};
use crate::board::Board;
use hayasashi_hdl::{config::BUILD_ID, top::pll::Family};
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf};

/// The results of a build. Fields are added, never renamed or removed.
#[derive(Clone, Debug, Serialize)]
pub struct BuildReport {
    /// Stem of the board's files.
    pub board: String,
    /// Its display name.
    pub name: String,
    /// Its number in the information register.
    pub number: u32,
    /// The device.
    pub device: Device,
    /// The chip's clock.
    pub clock_hz: u32,
    /// Seed of the placer.
    pub seed: u32,
    /// Hash of the gateware's sources, as in the information register.
    pub build_id: String,
    /// Revision of the source tree, if it is known.
    pub git: Option<Revision>,
    /// Source of the tools: `native` or `python`; `mixed` if PyPI has not all of them; `none` if none was needed.
    pub tools_from: &'static str,
    /// The version that each tool reports.
    pub tools: BTreeMap<String, String>,
    /// The stages of the build, with their times.
    pub stages: Vec<StageTime>,
    /// The folder of the build.
    pub folder: PathBuf,
    /// Utilization by kind of cell of the device, after placement.
    pub utilisation: BTreeMap<String, Utilization>,
    /// Utilization by resource of the budget. Before placement these are the figures of synthesis, with 0 available.
    pub resources: BTreeMap<&'static str, Utilization>,
    /// Each clock after routing.
    pub clocks: Vec<RoutedClock>,
    /// The longest path after routing.
    pub critical_path: Option<CriticalPath>,
    /// Resources of each block after synthesis, including the blocks inside it, by path of instances; the whole chip first.
    pub blocks: BTreeMap<String, Area>,
    /// Figures compared with the budget.
    pub checks: Vec<Check>,
    /// Whether all of them meet their limits.
    pub passed: bool,
    /// The bitstream, if one was made.
    pub bitstream: Option<PathBuf>,
    /// Why there is none, unless the build was stopped before packing.
    pub failure: Option<String>,
}

/// The device of the board.
#[derive(Clone, Debug, Serialize)]
pub struct Device {
    /// `ecp5`, `gowin`, `gw5a` or `xilinx`.
    pub family: &'static str,
    /// Part number.
    pub part: String,
    /// Package.
    pub package: String,
    /// Speed grade.
    pub speed_grade: u32,
}

/// The time of a stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageTime {
    /// `verilog`, `synthesis`, `place`, `route` or `pack`.
    pub stage: &'static str,
    /// Seconds that it took, perhaps in an earlier build.
    pub seconds: f64,
    /// Whether its result was kept from an earlier build.
    pub reused: bool,
}

/// A figure compared with its limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// Name of the figure.
    pub figure: String,
    /// Its value.
    pub value: u64,
    /// Its limit.
    pub limit: u64,
    /// `Hz`, or empty for a number of cells.
    pub unit: &'static str,
    /// Whether the limit is a minimum (`true`) or a maximum.
    pub at_least: bool,
    /// Whether the value meets the limit.
    pub passed: bool,
}

impl Check {
    fn at_most(figure: &str, value: u64, limit: u64) -> Check {
        Check { figure: figure.into(), value, limit, unit: "", at_least: false, passed: value <= limit }
    }

    fn at_least(figure: String, value: u64, limit: u64) -> Check {
        Check { figure, value, limit, unit: "Hz", at_least: true, passed: value >= limit }
    }
}

impl BuildReport {
    /// The report of a build before its first stage.
    pub fn new(board: &Board, seed: u32, folder: PathBuf, tools: Option<&Tools>) -> BuildReport {
        let device = &board.device;
        let family = match device.family {
            Family::Ecp5 => "ecp5",
            Family::Gowin => "gowin",
            Family::Gw5a => "gw5a",
            Family::Xilinx => "xilinx",
        };
        let programs = tools.map(Tools::all).unwrap_or_default();
        BuildReport {
            board: board.stem.clone(),
            name: board.name.clone(),
            number: board.number,
            device: Device {
                family,
                part: device.part.clone(),
                package: device.package.clone(),
                speed_grade: device.speed_grade,
            },
            clock_hz: board.clock.chip_hz,
            seed,
            build_id: format!("{BUILD_ID:08x}"),
            git: Revision::of_the_clone(),
            tools_from: tools.map_or("none", |t| t.origin),
            tools: programs.iter().map(|t| (t.name.to_string(), t.version.clone())).collect(),
            stages: Vec::new(),
            folder,
            utilisation: BTreeMap::new(),
            resources: BTreeMap::new(),
            clocks: Vec::new(),
            critical_path: None,
            blocks: BTreeMap::new(),
            checks: Vec::new(),
            passed: true,
            bitstream: None,
            failure: None,
        }
    }

    /// Adds the results of synthesis.
    pub fn add_synthesis(&mut self, board: &Board, netlist: &Netlist) {
        let blocks: Blocks = netlist.blocks(board.device.family);
        let whole = blocks[""].area();
        let used = |used| Utilization { used, available: 0 };
        self.resources = BTreeMap::from([
            ("luts", used(whole.luts)),
            ("flip_flops", used(whole.flip_flops)),
            ("block_rams", used(whole.block_rams)),
            ("multipliers", used(whole.multipliers)),
        ]);
        self.blocks = blocks.into_iter().map(|(path, count)| (path, count.area())).collect();
        self.check_limits(board);
    }

    /// Adds the results of place and route.
    pub fn add_routing(&mut self, board: &Board, routing: &NextpnrReport) {
        self.resources = routing.resources(board.device.family).into();
        if let Some(luts) = self.resources.get_mut("luts") {
            // nextpnr counts the reserved sites as used.
            luts.used = luts.used.saturating_sub(free_sites::sites(board).len() as u64);
        }
        self.utilisation = routing.utilization.clone();
        self.clocks = routing.clocks();
        self.critical_path = routing.critical_path();
        self.check_limits(board);
    }

    fn check_limits(&mut self, board: &Board) {
        let budget = &board.budget;
        let limits = [
            ("luts", budget.luts),
            ("flip_flops", budget.flip_flops),
            ("block_rams", budget.block_rams),
            ("multipliers", budget.multipliers),
        ];
        self.checks = limits
            .iter()
            .map(|(name, limit)| Check::at_most(name, self.resources.get(name).map_or(0, |u| u.used), *limit as u64))
            .collect();
        let chip_hz = board.clock.chip_hz as f64;
        for clock in &self.clocks {
            // `fmax_hz` applies to the chip's clock; other clocks have to meet their constraints.
            let given = clock.constraint_mhz * 1e6;
            let of_chip = (given - chip_hz).abs() < chip_hz * 1e-3;
            let least = if of_chip { given.max(budget.fmax_hz as f64) } else { given };
            // Rounded, so that a clock which meets its constraint in nextpnr meets it here.
            let check = Check::at_least(
                format!("clock {}", clock.clock),
                (clock.achieved_mhz * 1e6).round() as u64,
                least.round() as u64,
            );
            self.checks.push(check);
        }
        self.passed = self.checks.iter().all(|check| check.passed);
    }

    /// Whether every clock meets its constraint; otherwise no bitstream is made.
    pub fn timing_met(&self) -> bool {
        self.clocks.iter().all(|clock| clock.passed)
    }

    /// Whether a resource exceeds the budget.
    pub fn is_over_budget(&self) -> bool {
        self.checks.iter().any(|check| !check.at_least && !check.passed)
    }
}
