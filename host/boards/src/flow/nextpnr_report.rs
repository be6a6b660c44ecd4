//! The report of nextpnr: utilization of the device, clocks, the critical path.

use super::BuildError;
use hayasashi_hdl::top::pll::Family;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::Path};

/// The parts of `nextpnr.json` that are used.
#[derive(Deserialize)]
pub struct NextpnrReport {
    #[serde(default)]
    fmax: BTreeMap<String, Fmax>,
    /// Utilization by kind of cell of the device.
    #[serde(default)]
    pub utilization: BTreeMap<String, Utilization>,
    #[serde(default)]
    critical_paths: Vec<RawPath>,
}

/// Utilization of a kind of cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Utilization {
    /// Used cells.
    pub used: u64,
    /// Cells of the device.
    pub available: u64,
}

#[derive(Deserialize)]
struct Fmax {
    achieved: f64,
    constraint: f64,
}

/// A clock after routing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RoutedClock {
    /// Its net.
    pub clock: String,
    /// The highest frequency at which every path holds.
    pub achieved_mhz: f64,
    /// The frequency that was asked for.
    pub constraint_mhz: f64,
    /// Whether the achieved frequency is at least the constraint.
    pub passed: bool,
}

#[derive(Deserialize)]
struct RawPath {
    from: String,
    to: String,
    path: Vec<RawStep>,
}

#[derive(Deserialize)]
struct RawStep {
    delay: f64,
    from: End,
    to: End,
    #[serde(default)]
    net: Option<String>,
    #[serde(default)]
    sources: Vec<String>,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct End {
    #[serde(default)]
    cell: Option<String>,
    #[serde(default)]
    loc: Vec<i64>,
    #[serde(default)]
    port: Option<String>,
}

/// The longest path of a clock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CriticalPath {
    /// Its clock.
    pub clock: String,
    /// From edge to edge.
    pub delay_ns: f64,
    /// In cells, including set-up time.
    pub logic_ns: f64,
    /// On wires.
    pub routing_ns: f64,
    /// Its steps in order.
    pub steps: Vec<PathStep>,
}

/// A cell or a wire of a path.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathStep {
    /// `clk-to-q`, `logic`, `routing` or `setup`.
    pub kind: String,
    /// Its delay.
    pub delay_ns: f64,
    /// Its first pin, `cell.port`; names of cells begin with the block that contains them.
    pub from: String,
    /// Its last pin.
    pub to: String,
    /// Column and row of the last pin.
    pub location: Vec<i64>,
    /// The wire's net.
    pub net: Option<String>,
    /// Where the net is declared: `file:line.column`.
    pub sources: Vec<String>,
}

impl NextpnrReport {
    /// Reads the report.
    pub fn read(path: &Path) -> Result<NextpnrReport, BuildError> {
        let text = std::fs::read_to_string(path).map_err(BuildError::io("read", path))?;
        serde_json::from_str(&text).map_err(|e| BuildError::Output {
            path: path.into(),
            reason: format!("it is not a report of nextpnr: {e}"),
        })
    }

    /// Every clock.
    pub fn clocks(&self) -> Vec<RoutedClock> {
        let clock = |(name, fmax): (&String, &Fmax)| RoutedClock {
            clock: name.clone(),
            achieved_mhz: fmax.achieved,
            constraint_mhz: fmax.constraint,
            passed: fmax.achieved >= fmax.constraint,
        };
        self.fmax.iter().map(clock).collect()
    }

    /// The longest path of the clock with the smallest ratio of achieved frequency to constraint.
    pub fn critical_path(&self) -> Option<CriticalPath> {
        let ratio = |fmax: &Fmax| fmax.achieved / fmax.constraint;
        let (clock, _) = self.fmax.iter().min_by(|a, b| ratio(a.1).total_cmp(&ratio(b.1)))?;
        let of_clock = |edge: &str| edge.split_once(' ').is_some_and(|(_, name)| name == clock);
        let delay = |path: &RawPath| path.path.iter().map(|s| s.delay).sum::<f64>();
        let path = self
            .critical_paths
            .iter()
            .filter(|path| of_clock(&path.from) && of_clock(&path.to))
            .max_by(|a, b| delay(a).total_cmp(&delay(b)))?;
        let routing = path.path.iter().filter(|s| s.kind == "routing").map(|s| s.delay).sum::<f64>();
        Some(CriticalPath {
            clock: clock.clone(),
            delay_ns: delay(path),
            logic_ns: delay(path) - routing,
            routing_ns: routing,
            steps: path.path.iter().map(PathStep::new).collect(),
        })
    }

    /// Look-up tables, flip-flops, block RAMs and multipliers of the device.
    pub fn resources(&self, family: Family) -> [(&'static str, Utilization); 4] {
        cell_kinds(family).map(|(name, kinds)| {
            let mut sum = Utilization::default();
            for (i, (kind, weight)) in kinds.iter().enumerate() {
                let used = self.utilization.get(*kind).copied().unwrap_or_default();
                sum.used += used.used * weight;
                // The other kinds of cell share the sites of the first.
                sum.available += if i == 0 { used.available } else { 0 };
            }
            sum.used = sum.used.div_ceil(ONE);
            (name, sum)
        })
    }
}

impl PathStep {
    fn new(raw: &RawStep) -> PathStep {
        let end = |end: &End| match (&end.cell, &end.port) {
            (Some(cell), Some(port)) => format!("{cell}.{port}"),
            (cell, port) => cell.clone().or_else(|| port.clone()).unwrap_or_default(),
        };
        PathStep {
            kind: raw.kind.clone(),
            delay_ns: raw.delay,
            from: end(&raw.from),
            to: end(&raw.to),
            location: raw.to.loc.clone(),
            net: raw.net.clone(),
            sources: raw.sources.clone(),
        }
    }
}

/// A whole one of a resource. Amounts are in halves, because Xilinx devices can split their block RAMs.
const ONE: u64 = 2;

/// A resource, and the kinds of cell that use it with the amount that each uses, in halves.
type CellKinds = (&'static str, &'static [(&'static str, u64)]);

fn cell_kinds(family: Family) -> [CellKinds; 4] {
    match family {
        Family::Ecp5 => [
            ("luts", &[("TRELLIS_COMB", ONE)]),
            ("flip_flops", &[("TRELLIS_FF", ONE)]),
            ("block_rams", &[("DP16KD", ONE)]),
            ("multipliers", &[("MULT18X18D", ONE)]),
        ],
        Family::Gowin => [
            ("luts", &[("LUT4", ONE), ("ALU", ONE), ("RAM16SDP4", 6 * ONE)]),
            ("flip_flops", &[("DFF", ONE)]),
            ("block_rams", &[("BSRAM", ONE)]),
            ("multipliers", &[("MULT18X18", ONE), ("MULT9X9", ONE), ("MULT36X36", ONE)]),
        ],
        Family::Gw5a => [
            ("luts", &[("LUT4", ONE), ("ALU", ONE), ("RAM16SDP4", 6 * ONE)]),
            ("flip_flops", &[("DFF", ONE)]),
            ("block_rams", &[("BSRAM", ONE)]),
            ("multipliers", &[("MULT12X12", ONE)]),
        ],
        // A look-up table has two sites, for one function of six inputs or two of five.
        Family::Xilinx => [
            ("luts", &[("SLICE_LUTX", ONE)]),
            ("flip_flops", &[("SLICE_FFX", ONE)]),
            ("block_rams", &[("RAMB36E1_RAMB36E1", ONE), ("RAMB18E1_RAMB18E1", 1)]),
            ("multipliers", &[("DSP48E1_DSP48E1", ONE)]),
        ],
    }
}

/// Whether all errors in the log are clocks that miss their constraint. The results of nextpnr are complete then.
pub fn only_missed_timing(log: &str) -> bool {
    let mut errors = log.lines().filter(|line| line.starts_with("ERROR:")).peekable();
    errors.peek().is_some() && errors.all(|line| line.starts_with("ERROR: Max frequency for clock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{
        "fmax": {"slow": {"achieved": 30.0, "constraint": 12.0}, "chip": {"achieved": 50.0, "constraint": 60.0}},
        "utilization": {"TRELLIS_COMB": {"used": 5, "available": 10}, "LUT4": {"used": 3, "available": 9},
            "ALU": {"used": 2, "available": 7}, "RAMB18E1_RAMB18E1": {"used": 3, "available": 270},
            "RAMB36E1_RAMB36E1": {"used": 3, "available": 135}},
        "critical_paths": [
            {"from": "posedge slow", "to": "posedge slow", "path": []},
            {"from": "posedge chip", "to": "posedge slow", "path": []},
            {"from": "posedge chip", "to": "posedge chip", "path": [
                {"delay": 0.5, "from": {"cell": "a.b", "loc": [1, 2], "port": "Q"},
                    "to": {"cell": "a.b", "loc": [1, 2], "port": "Q"}, "type": "clk-to-q"},
                {"delay": 1.5, "from": {"cell": "a.b", "loc": [1, 2], "port": "Q"}, "net": "a.q",
                    "sources": ["top.v:3.4"], "to": {"cell": "c", "loc": [3, 4], "port": "D"}, "type": "routing"},
                {"delay": 0.25, "from": {"cell": "c", "loc": [3, 4], "port": "D"},
                    "to": {"cell": "c", "loc": [3, 4], "port": "D"}, "type": "setup"}]}]}"#;

    #[test]
    fn clocks_resources_and_the_critical_path_are_found() {
        let report: NextpnrReport = serde_json::from_str(REPORT).unwrap();
        let clocks = report.clocks();
        assert_eq!(
            clocks.iter().map(|c| (c.clock.as_str(), c.passed)).collect::<Vec<_>>(),
            [("chip", false), ("slow", true)]
        );
        let path = report.critical_path().unwrap();
        assert_eq!((path.clock.as_str(), path.delay_ns, path.logic_ns, path.routing_ns), ("chip", 2.25, 0.75, 1.5));
        assert_eq!((path.steps[1].from.as_str(), path.steps[1].to.as_str()), ("a.b.Q", "c.D"));
        assert_eq!(path.steps[1].sources, ["top.v:3.4"]);
        assert_eq!(report.resources(Family::Ecp5)[0], ("luts", Utilization { used: 5, available: 10 }));
        for family in [Family::Gowin, Family::Gw5a] {
            assert_eq!(report.resources(family)[0], ("luts", Utilization { used: 5, available: 9 }));
        }
        let block_rams = ("block_rams", Utilization { used: 5, available: 135 });
        assert_eq!(report.resources(Family::Xilinx)[2], block_rams);
    }

    #[test]
    fn a_missed_clock_is_distinguished_from_other_errors() {
        let missed =
            "Info: x\nERROR: Max frequency for clock 'c': 92.99 MHz (FAIL at 900.00 MHz)\n0 warnings, 1 error\n";
        assert!(only_missed_timing(missed));
        assert!(!only_missed_timing(&format!("{missed}ERROR: cannot write\n")));
        assert!(!only_missed_timing("Info: fine\n"));
    }
}
