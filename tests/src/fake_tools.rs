//! Shell scripts in the place of FPGA tools, alone on `PATH`.

use crate::program::{command, told};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicU32, Ordering},
};

/// A board with a small device of a family whose tools are faked: 24,288 LUTs at 50 MHz.
pub const BOARD: &str = "colorlight-i5";

/// A yosys that writes a netlist with a few cells.
pub const YOSYS: &str = r#"
[ "$1" = -V ] && { echo "Yosys 0.66 (fake)"; exit 0; }
echo "2.3. Executing PROC pass (convert processes)." > "$3"
echo '{"modules": {"top": {"cells": {"a": {"type": "LUT4"}, "chip.link": {"type": "$scopeinfo"}, "chip.link.b": {"type": "CCU2C"},
    "chip.link.c": {"type": "TRELLIS_FF"}}}}}' > part-synthesis.json
"#;

/// An ecppack that writes a bitstream.
pub const ECPPACK: &str = r#"
[ "$1" = --version ] && { echo "Project Trellis ecppack Version 1.4"; exit 0; }
echo bits > part-bitstream.bit; echo svf > part-bitstream.svf
"#;

/// A nextpnr that uses so many LUTs and reaches so many MHz of the 50 asked for.
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

/// A folder with fake tools and a folder for a build, removed at the end.
pub struct Bench {
    folder: PathBuf,
}

impl Bench {
    /// One without tools.
    pub fn new() -> Bench {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("hayasashi-bench-{}-{number}", std::process::id()));
        fs::create_dir_all(folder.join("bin")).unwrap();
        Bench { folder }
    }

    /// One with tools that do well.
    pub fn whole() -> Bench {
        let bench = Bench::new();
        bench.tool("yosys", YOSYS);
        bench.tool("nextpnr-ecp5", &nextpnr(1000, 61.5));
        bench.tool("ecppack", ECPPACK);
        bench
    }

    /// Puts a tool on `PATH`; every call is written down first, and so are its arguments.
    pub fn tool(&self, name: &str, body: &str) {
        let file = self.folder.join("bin").join(name);
        let calls = self.path("calls");
        let text = format!("#!/bin/sh\necho \"{name} $*\" >> '{}'\n{body}", calls.display());
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Takes a tool away.
    pub fn without(&self, name: &str) {
        fs::remove_file(self.folder.join("bin").join(name)).unwrap();
    }

    /// A file of the bench.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// A file of the build.
    pub fn built(&self, name: &str) -> PathBuf {
        self.folder.join("out").join(name)
    }

    /// The calls since this was last asked, without those for a version.
    pub fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("calls")).unwrap_or_default();
        let _ = fs::remove_file(self.path("calls"));
        text.lines().filter(|l| !l.ends_with(" -V") && !l.ends_with(" --version")).map(String::from).collect()
    }

    /// The program with these tools and no others.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.env("PATH", self.folder.join("bin")).env("XDG_CACHE_HOME", self.folder.join("cache"));
        command
    }

    /// Builds the board in the bench's folder.
    pub fn build(&self, arguments: &[&str]) -> (i32, String, String) {
        self.run(&[&["build", "--board", BOARD], arguments].concat())
    }

    /// Runs a command for the bench's build.
    pub fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let out = self.folder.join("out");
        let arguments = [arguments, &["--out", out.to_str().unwrap()]].concat();
        told(self.command(&arguments).output().unwrap())
    }

    /// Names of all files of the build that a tool was still writing.
    pub fn unfinished(&self) -> Vec<String> {
        names(&self.folder.join("out")).into_iter().filter(|name| name.starts_with("part-")).collect()
    }
}

impl Default for Bench {
    fn default() -> Self {
        Bench::new()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}
