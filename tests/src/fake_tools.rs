//! Shell scripts that replace the FPGA tools. `PATH` has nothing else.

use crate::program::{command, texts};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A board whose tools are replaced: 24,288 LUTs at 50 MHz.
pub const BOARD: &str = "colorlight-i5";

/// A yosys that writes a netlist with a few cells.
pub const YOSYS: &str = r#"
[ "$1" = -V ] && { echo "Yosys 0.66 (fake)"; exit 0; }
echo "2.3. Executing PROC pass (convert processes)." > "$3"
echo '{"modules": {"top": {"cells": {"a": {"type": "LUT4"}, "chip.link": {"type": "$scopeinfo"},
    "chip.link.b": {"type": "CCU2C", "port_directions": {"S0": "output"}, "connections": {"S0": [2]}},
    "chip.link.c": {"type": "TRELLIS_FF", "port_directions": {"DI": "input"}, "connections": {"DI": [2]}}}}}}' > part-synthesis.json
"#;

/// An ecppack that writes a bitstream.
pub const ECPPACK: &str = r#"
[ "$1" = --version ] && { echo "Project Trellis ecppack Version 1.4"; exit 0; }
echo bits > part-bitstream.bit; echo svf > part-bitstream.svf
"#;

/// A nextpnr for Gowin's devices that reports 1000 LUTs and 61.5 MHz.
pub const NEXTPNR_GOWIN: &str = r#"
[ "$1" = --version ] && { echo '"nextpnr-himbaechel" -- Next Generation Place and Route (Version 0.11.1)'; exit 0; }
echo '{}' > part-routed.json
echo '{"fmax": {"chip": {"achieved": 61.5, "constraint": 50.0}},
 "utilization": {"LUT4": {"used": 900, "available": 138240}, "ALU": {"used": 100, "available": 103680}}}' > part-nextpnr.json
"#;

/// A gowin_pack that writes a bitstream.
pub const GOWIN_PACK: &str = "echo bits > part-bitstream.fs";

/// A nextpnr for Xilinx devices that reports 1000 LUTs, five block RAMs and 101.5 MHz.
pub const NEXTPNR_XILINX: &str = r#"
[ "$1" = --version ] && { echo '"nextpnr-himbaechel-xilinx" -- Next Generation Place and Route (Version 0.11.1+dfsg-5+b1)'; exit 0; }
echo 'CLBLL_L_X2Y0.SLICEL_X0.AFF.ZINI' > part-routed.fasm
echo '{"fmax": {"chip": {"achieved": 101.5, "constraint": 60.0}},
 "utilization": {"SLICE_LUTX": {"used": 1000, "available": 126800}, "RAMB18E1_RAMB18E1": {"used": 3, "available": 270},
 "RAMB36E1_RAMB36E1": {"used": 3, "available": 135}}}' > part-nextpnr.json
"#;

/// An xc7frames2bit that writes a bitstream.
pub const XC7FRAMES2BIT: &str = "echo bits > part-bitstream.bit";

/// A nextpnr that reports this many LUTs and MHz. The constraint is 50 MHz.
pub fn nextpnr(luts: u32, mhz: f64) -> String {
    let end = if mhz < 50.0 {
        format!(
            "echo \"ERROR: Max frequency for clock 'chip': {mhz} MHz (FAIL at 50.00 MHz)\" >> logs/route.log; exit 1"
        )
    } else {
        "exit 0".into()
    };
    format!(
        r#"
[ "$1" = --version ] && {{ echo '"nextpnr-ecp5" -- Next Generation Place and Route (Version 0.11.1)'; exit 0; }}
case "$*" in *--no-route*)
    echo "Info: at iteration #1, type ALL: wirelen solved = 1, spread = 2, legal = 3; time = 1s" > logs/place.log
    echo placed > part-placed.json; exit 0;;
esac
echo "Info:     iter=1 wires=10 overused=3 overuse=4 tot_wl=50 arch_fail=0" > logs/route.log
echo config > part-routed.config
echo '{{"fmax": {{"chip": {{"achieved": {mhz}, "constraint": 50.0}}}},
 "utilization": {{"TRELLIS_COMB": {{"used": {luts}, "available": 24288}}}},
 "critical_paths": [{{"from": "posedge chip", "to": "posedge chip", "path": [{{"delay": 19.5,
   "from": {{"cell": "chip.a", "loc": [1, 2], "port": "Q"}}, "net": "chip.wire", "sources": ["top.v:12.3-4.5"],
   "to": {{"cell": "chip.b", "loc": [3, 4], "port": "D"}}, "type": "routing"}}]}}]}}' > part-nextpnr.json
{end}
"#
    )
}

/// A temporary folder with fake tools and with the folder of a build.
pub struct Bench {
    folder: TempDir,
}

impl Bench {
    /// A folder without tools.
    pub fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("bin")).unwrap();
        Bench { folder }
    }

    /// A folder with tools that succeed.
    pub fn whole() -> Bench {
        let bench = Bench::new();
        bench.tool("yosys", YOSYS);
        bench.tool("nextpnr-ecp5", &nextpnr(1000, 61.5));
        bench.tool("ecppack", ECPPACK);
        bench
    }

    /// Adds a tool to `PATH`. It logs each call with its arguments, then runs the shell commands of `body`.
    pub fn tool(&self, name: &str, body: &str) {
        let file = self.path("bin").join(name);
        let calls = self.path("calls");
        let text = format!("#!/bin/sh\necho \"{name} $*\" >> '{}'\n{body}", calls.display());
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Removes a tool.
    pub fn without(&self, name: &str) {
        fs::remove_file(self.path("bin").join(name)).unwrap();
    }

    /// A file in the temporary folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file of the build.
    pub fn built(&self, name: &str) -> PathBuf {
        self.path("out").join(name)
    }

    /// The calls of tools since the last time, without those that print a version.
    pub fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("calls")).unwrap_or_default();
        let _ = fs::remove_file(self.path("calls"));
        text.lines().filter(|l| !l.ends_with(" -V") && !l.ends_with(" --version")).map(String::from).collect()
    }

    /// The program with only these tools, and with a small part of the database of Project X-Ray.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.env("PATH", self.path("bin")).env("XDG_CACHE_HOME", self.path("cache")).env_remove("HAYASASHI_CACHE");
        command.env("PRJXRAY_DB_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/data/xray"));
        command
    }

    /// Builds [`BOARD`]. Returns the exit code, standard output and standard error.
    pub fn build(&self, arguments: &[&str]) -> (i32, String, String) {
        self.run(&[&["build", "--board", BOARD], arguments].concat())
    }

    /// Runs a command on the folder of the build.
    pub fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let out = self.path("out");
        let arguments = [arguments, &["--out", out.to_str().unwrap()]].concat();
        texts(self.command(&arguments).output().unwrap())
    }

    /// Names of the files of the build that a tool has not finished.
    pub fn unfinished(&self) -> Vec<String> {
        names(&self.path("out")).into_iter().filter(|name| name.starts_with("part-")).collect()
    }
}

impl Default for Bench {
    fn default() -> Self {
        Bench::new()
    }
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}
