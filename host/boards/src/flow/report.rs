//! The report of a build: `report.json`, and what is judged.

use super::{
    count::Area,
    netlist::{Blocks, Netlist},
    placed::{CriticalPath, Placed, RoutedClock, Used},
    revision::Revision,
    spread,
    tools::Tools,
};
use crate::board::Board;
use hayasashi_hdl::top::{config::BUILD_ID, pll::Family};
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf};

/// Everything that is known of a build. Fields are added, never renamed or removed.
#[derive(Clone, Debug, Serialize)]
pub struct BuildReport {
    /// Stem of the board's files.
    pub board: String,
    /// Its name for people.
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
    /// The clone's revision, where it is known.
    pub git: Option<Revision>,
    /// Where the tools came from: `native` or `python`; `none` if none was needed.
    pub tools_from: &'static str,
    /// What each tool says of its version.
    pub tools: BTreeMap<String, String>,
    /// The stages that were run.
    pub stages: Vec<Took>,
    /// The folder with every file.
    pub folder: PathBuf,
    /// Use by kind of cell of the device, after placement.
    pub utilisation: BTreeMap<String, Used>,
    /// The same, in the words of the budget; before placement as synthesised, with nothing available.
    pub resources: BTreeMap<&'static str, Used>,
    /// Each clock after routing.
    pub clocks: Vec<RoutedClock>,
    /// The longest path after routing.
    pub critical_path: Option<CriticalPath>,
    /// What each block takes, those inside it included, as synthesised; by path of instances, the whole chip first.
    pub blocks: BTreeMap<String, Area>,
    /// Budget and floor.
    pub checks: Vec<Check>,
    /// Whether all of them hold.
    pub passed: bool,
    /// The bitstream, where one was made.
    pub bitstream: Option<PathBuf>,
    /// Why there is none, unless the build was to stop before.
    pub failure: Option<String>,
}

/// The device of the board.
#[derive(Clone, Debug, Serialize)]
pub struct Device {
    /// `ecp5`, `gowin` or `xilinx`.
    pub family: &'static str,
    /// Part number.
    pub part: String,
    /// Package.
    pub package: String,
    /// Speed grade.
    pub speed_grade: u32,
}

/// A stage that was run, or whose result was there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Took {
    /// `verilog`, `synthesis`, `place`, `route` or `pack`.
    pub stage: &'static str,
    /// How long it took, perhaps in an earlier run.
    pub seconds: f64,
    /// Whether nothing had changed since.
    pub reused: bool,
}

/// A figure held against its limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Check {
    /// What is judged.
    pub figure: String,
    /// What it is.
    pub value: u64,
    /// What it may be.
    pub limit: u64,
    /// `Hz`, or empty for a number of cells.
    pub unit: &'static str,
    /// Whether the limit is the least (`true`) or the most that is allowed.
    pub at_least: bool,
    /// Whether it holds.
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
    /// Of a build of which nothing has been made yet.
    pub fn new(board: &Board, seed: u32, folder: PathBuf, tools: Option<&Tools>) -> BuildReport {
        let device = &board.device;
        let family = match device.family {
            Family::Ecp5 => "ecp5",
            Family::Gowin => "gowin",
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

    /// Adds what synthesis made.
    pub fn synthesised(&mut self, board: &Board, netlist: &Netlist) {
        let blocks: Blocks = netlist.blocks(board.device.family);
        let whole = blocks[""].area();
        let used = |used| Used { used, available: 0 };
        self.resources = BTreeMap::from([
            ("luts", used(whole.luts)),
            ("flip_flops", used(whole.flip_flops)),
            ("block_rams", used(whole.block_rams)),
            ("multipliers", used(whole.multipliers)),
        ]);
        self.blocks = blocks.into_iter().map(|(path, count)| (path, count.area())).collect();
        self.judge(board);
    }

    /// Adds what place and route made.
    pub fn placed(&mut self, board: &Board, placed: &Placed) {
        self.resources = placed.resources(board.device.family).into();
        if let Some(luts) = self.resources.get_mut("luts") {
            // nextpnr counts the sites that are kept free as taken.
            luts.used = luts.used.saturating_sub(spread::sites(board).len() as u64);
        }
        self.utilisation = placed.utilization.clone();
        self.clocks = placed.clocks();
        self.critical_path = placed.critical_path();
        self.judge(board);
    }

    fn judge(&mut self, board: &Board) {
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
            // The floor is the chip's; another clock has to reach what it is given.
            let given = clock.constraint_mhz * 1e6;
            let of_chip = (given - chip_hz).abs() < chip_hz * 1e-3;
            let least = if of_chip { given.max(budget.fmax_hz as f64) } else { given };
            // Rounded so that a clock which is reached by nextpnr's own reckoning is reached here.
            let check = Check::at_least(
                format!("clock {}", clock.clock),
                (clock.achieved_mhz * 1e6).round() as u64,
                least.round() as u64,
            );
            self.checks.push(check);
        }
        self.passed = self.checks.iter().all(|check| check.passed);
    }

    /// Whether nextpnr reached every clock: without that no bitstream is made.
    pub fn timing_met(&self) -> bool {
        self.clocks.iter().all(|clock| clock.passed)
    }

    /// Whether the figures after synthesis break the budget.
    pub fn is_over_budget(&self) -> bool {
        self.checks.iter().any(|check| !check.at_least && !check.passed)
    }
}
