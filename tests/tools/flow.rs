//! `build` and `flash` with fake tools: what is run, what is kept, what is told.

use hayasashi_boards::board::Board;
use hayasashi_tests::fake_tools::{
    nextpnr, Bench, BOARD, GOWIN_PACK, NEXTPNR_GOWIN, NEXTPNR_XILINX, XC7FRAMES2BIT, YOSYS,
};
use nix::{
    errno::Errno,
    sys::signal::{kill, Signal},
    unistd::Pid,
};
use serde_json::Value;
use std::{fs, path::Path, process::Stdio, time::Duration};

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn report(bench: &Bench) -> Value {
    serde_json::from_str(&read(&bench.built("report.json"))).unwrap()
}

#[test]
fn a_board_is_built_once() {
    let bench = Bench::whole();
    let (code, out, err) = bench.build(&[]);
    assert_eq!(code, 0, "{out} {err}");
    let calls = bench.calls();
    let tools: Vec<&str> = calls.iter().filter_map(|c| c.split(' ').next()).collect();
    assert_eq!(tools, ["yosys", "nextpnr-ecp5", "nextpnr-ecp5", "ecppack"]);
    assert!(calls[0].contains("techmap -map carry_chains.v; synth_ecp5 -nowidelut -top top"), "{calls:?}");
    for part in ["--25k --package CABGA381 --speed 6 --lpf colorlight-i5.lpf", "--seed 1", "--freq 50.000000"] {
        assert!(calls[1..3].iter().all(|call| call.contains(part)), "{part}: {calls:?}");
    }
    assert!(calls[1].contains("--json reserved.json") && calls[1].contains("--no-route"), "{calls:?}");
    assert!(calls[2].contains("--json placed.json --no-pack --no-place"), "{calls:?}");
    assert!(!calls.iter().any(|call| call.contains("allow-fail")), "{calls:?}");
    assert_eq!(read(&bench.built("bitstream.bit")), "bits\n");
    assert!(read(&bench.built("top.v")).contains("module top("));
    let first = report(&bench);
    assert_eq!((&first["board"], &first["passed"]), (&Value::from(BOARD), &Value::from(true)));
    assert_eq!(first["resources"]["luts"]["used"], 1000);
    assert_eq!(first["blocks"]["chip.link"]["luts"], 2);
    assert_eq!(first["tools"]["yosys"], "Yosys 0.66 (fake)");
    assert_eq!(first["bitstream"], bench.built("bitstream.bit").canonicalize().unwrap().to_str().unwrap());
    assert_eq!(first["critical_path"]["steps"][0]["sources"][0], "top.v:12.3-4.5");
    for part in ["luts            1000 of   24288", "clock chip: 61.50 MHz is not below 50.00 MHz", "bitstream.bit"] {
        assert!(out.contains(part), "{part}: {out}");
    }

    let (code, out, _) = bench.build(&["--json"]);
    let again: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, bench.calls().len(), again["stages"][1]["reused"] == true), (0, 0, true), "{out}");
    assert_eq!(again["resources"], first["resources"]);

    assert_eq!(bench.build(&["--seed", "7"]).0, 0);
    let calls = bench.calls();
    assert!(calls.len() == 3 && calls[..2].iter().all(|call| call.contains("--seed 7")), "{calls:?}");
    assert!(bench.unfinished().is_empty());
}

#[test]
fn a_gw5a_board_is_built() {
    let bench = Bench::new();
    bench.tool("yosys", YOSYS);
    bench.tool("nextpnr-himbaechel", NEXTPNR_GOWIN);
    bench.tool("gowin_pack", GOWIN_PACK);
    let (code, out, err) = bench.run(&["build", "--board", "tang-mega-138k"]);
    assert_eq!(code, 0, "{out} {err}");
    let calls = bench.calls();
    let tools: Vec<&str> = calls.iter().filter_map(|c| c.split(' ').next()).collect();
    assert_eq!(tools, ["yosys", "nextpnr-himbaechel", "gowin_pack"]);
    assert!(calls[0].contains("-family gw5a") && calls[0].contains("dfflegalize -cell $_DFF_P_ 0;"), "{calls:?}");
    assert!(calls[1].contains("cst=tang-mega-138k.cst") && calls[1].contains("--freq 50.000000"), "{calls:?}");
    assert!(calls[2].contains("-d GW5AST-138C"), "{calls:?}");
    assert_eq!(read(&bench.built("bitstream.fs")), "bits\n");
    let report = report(&bench);
    assert_eq!((&report["device"]["family"], &report["passed"]), (&"gw5a".into(), &true.into()));
    assert_eq!(report["resources"]["luts"]["used"], 1000);
    assert!(read(&bench.built("top.v")).contains("assign clock = oscillator;"));
}

/// The top level of the netlist that nextpnr reads.
fn reserved_netlist(bench: &Bench) -> Value {
    let netlist: Value = serde_json::from_str(&read(&bench.built("reserved.json"))).unwrap();
    netlist["modules"]["top"].clone()
}

#[test]
fn free_sites_are_taken_and_not_counted() {
    let bench = Bench::whole();
    assert_eq!(bench.build(&[]).0, 0);
    let top = reserved_netlist(&bench);
    assert_eq!(top["settings"]["router2/histCongWeight"], "2.0");
    assert_eq!(top["cells"].as_object().unwrap().len(), 4);

    let board = Board::find(BOARD).unwrap();
    let file = bench.path(&format!("{BOARD}.toml"));
    fs::write(&file, board.text.replace("[place]", "[place]\nfree_slices = 1")).unwrap();
    fs::write(bench.path(&board.constraints.name), &board.constraints.text).unwrap();
    // 32 of 44 rows of 69 tiles: one slice of two sites in each.
    let free = 32 * 69 * 2;
    bench.tool("nextpnr-ecp5", &nextpnr(1000 + free, 61.5));
    bench.calls();
    let (code, out, err) = bench.run(&["build", "--board", file.to_str().unwrap()]);
    assert_eq!(code, 0, "{out} {err}");
    assert!(bench.calls().iter().all(|call| !call.starts_with("yosys")));
    let top = reserved_netlist(&bench);
    let cells = top["cells"].as_object().unwrap();
    assert_eq!(cells.len(), 4 + free as usize);
    let cell = &cells["free X2/Y3/SLICED.K1"];
    assert_eq!((&cell["type"], &cell["attributes"]["BEL"]), (&"LUT4".into(), &"X2/Y3/SLICED.K1".into()));
    assert_eq!(report(&bench)["resources"]["luts"]["used"], 1000);
}

#[test]
fn a_build_stops_where_it_is_told() {
    let bench = Bench::whole();
    let (code, out, err) = bench.build(&["--stop-after", "verilog"]);
    assert_eq!((code, bench.calls().len()), (0, 0), "{out} {err}");
    assert_eq!(bench.build(&["--stop-after", "synthesis"]).0, 0);
    assert_eq!((bench.calls().len(), report(&bench)["resources"]["luts"]["used"].clone()), (1, Value::from(3)));
    assert_eq!(bench.build(&["--stop-after", "route"]).0, 0);
    assert_eq!(bench.calls().len(), 2);
    assert!(!bench.built("bitstream.bit").exists() && report(&bench)["bitstream"].is_null());
    let (code, _, err) = bench.run(&["flash", "--board", BOARD]);
    assert!(code == 2 && err.contains("made no bitstream"), "{err}");
    // A bitstream of other inputs does not stay behind.
    assert_eq!(bench.build(&[]).0, 0);
    assert!(bench.built("bitstream.bit").exists());
    assert_eq!(bench.build(&["--seed", "9", "--stop-after", "route"]).0, 0);
    assert!(!bench.built("bitstream.bit").exists() && report(&bench)["bitstream"].is_null());
}

#[test]
fn a_missed_clock_gives_no_bitstream() {
    let bench = Bench::whole();
    assert_eq!(bench.build(&[]).0, 0);
    bench.tool("nextpnr-ecp5", &nextpnr(1000, 41.25));
    bench.calls();
    for run in 0..2 {
        let (code, out, err) = bench.build(&["--seed", "2"]);
        assert_eq!(code, 1, "{err}");
        assert!(err.contains("clock chip: 41.25 MHz is below 50.00 MHz"), "{err}");
        assert!(out.contains("net chip.wire (top.v:12.3-4.5)") && out.contains("19.50"), "{out}");
        assert!(!bench.built("bitstream.bit").exists() && !bench.built("bitstream.svf").exists());
        assert_eq!(report(&bench)["passed"], false);
        // What was found out once is not looked for again.
        assert_eq!(bench.calls().iter().filter(|c| c.starts_with("nextpnr")).count(), 2 - 2 * run);
    }
    let (code, _, err) = bench.run(&["flash", "--board", BOARD]);
    assert!(code == 2 && err.contains("a clock misses its constraint"), "{err}");
}

#[test]
fn a_broken_budget_is_named() {
    let bench = Bench::whole();
    bench.tool("nextpnr-ecp5", &nextpnr(16_501, 50.0));
    let (code, out, err) = bench.build(&[]);
    assert!(code == 1 && err.contains("luts: 16501 is over the budget of 16500"), "{err}");
    assert!(out.contains("MISSED") && bench.built("bitstream.bit").exists(), "{out}");
}

#[test]
fn a_chip_too_large_for_its_device_is_told_in_figures() {
    let bench = Bench::whole();
    let rams: String = (0..57).map(|i| format!("\"r{i}\": {{\"type\": \"DP16KD\"}}, ")).collect();
    bench.tool("yosys", &YOSYS.replace("\"a\":", &format!("{rams}\"a\":")));
    let version =
        "[ \"$1\" = --version ] && { echo 'nextpnr-ecp5 (Version 0.11.1)'; exit 0; }\necho half > part-placed.json";
    let fails = "echo 'ERROR: Unable to place cell, no BELs remaining of type DP16KD' > logs/place.log; exit 1";
    bench.tool("nextpnr-ecp5", &format!("{version}\n{fails}"));
    let (code, out, err) = bench.build(&[]);
    assert!(code == 1 && err.contains("block_rams: 57 is over the budget of 30"), "{code} {err}");
    assert!(out.contains("no BELs remaining") && !bench.built("bitstream.bit").exists(), "{out}");
    assert!(bench.unfinished().is_empty() && !bench.built("placed.json").exists());
    let (code, _, err) = bench.run(&["flash", "--board", BOARD]);
    assert!(code == 2 && err.contains("no BELs remaining"), "{err}");
}

#[test]
fn a_placement_that_cannot_be_routed_wants_another_seed() {
    let bench = Bench::whole();
    let version = "[ \"$1\" = --version ] && { echo 'nextpnr-ecp5 (Version 0.11.1)'; exit 0; }";
    let fails = "ERROR: attempting to reserve sink input path wire 'X23Y97/F7BMUX_OUT' for nets 'a' and 'b'";
    bench.tool("nextpnr-ecp5", &format!("{version}\necho \"{fails}\"; exit 125"));
    let (code, _, err) = bench.build(&[]);
    assert!(code == 2 && err.contains(fails) && err.contains("try another `--seed`; the complete log is"), "{err}");
}

#[test]
fn a_tool_that_fails_is_quoted() {
    let bench = Bench::whole();
    assert_eq!(bench.build(&[]).0, 0);
    bench.tool(
        "yosys",
        &YOSYS
            .replace("0.66", "0.67")
            .replace("echo '", "echo 'top.v:7: ERROR: syntax error' >> \"$3\"; exit 1; echo '"),
    );
    let (code, out, err) = bench.build(&[]);
    assert!(code == 2 && out.is_empty(), "{out}");
    assert!(err.contains("yosys failed (exit status: 1):\ntop.v:7: ERROR: syntax error\n"), "{err}");
    assert!(err.contains("logs/synthesis.log"), "{err}");
    for stale in ["synthesis.json", "bitstream.bit", "report.json"] {
        assert!(!bench.built(stale).exists(), "{stale}");
    }
    bench.tool("yosys", &YOSYS.replace("part-synthesis.json", "elsewhere.json"));
    let (code, _, err) = bench.build(&[]);
    assert!(code == 2 && err.contains("part-synthesis.json"), "{err}");
    bench.tool("yosys", &YOSYS.replace("echo '{", "echo '["));
    let (code, _, err) = bench.build(&[]);
    assert!(code == 2 && err.contains("it is not a netlist"), "{err}");
    // A packer that prints instead of logging, and dies half-way.
    bench.tool("yosys", YOSYS);
    bench.tool("ecppack", "[ \"$1\" = --version ] && { echo 'Version 1.4'; exit 0; }\necho half > part-bitstream.bit\necho 'bad tile' >&2\nkill -9 $$");
    let (code, _, err) = bench.build(&[]);
    assert!(code == 2 && err.contains("signal: 9") && err.contains("bad tile"), "{err}");
    assert!(bench.unfinished().is_empty() && !bench.built("bitstream.bit").exists());
}

#[test]
fn a_xilinx_board_is_packed_from_its_frames() {
    let bench = Bench::new();
    bench.tool("yosys", YOSYS);
    bench.tool("nextpnr-himbaechel-xilinx", NEXTPNR_XILINX);
    let (code, _, err) = bench.run(&["build", "--board", "arty-a7-100t"]);
    assert!(
        code == 2 && err.contains("`xc7frames2bit` is not on PATH") && err.contains("Debian package prjxray"),
        "{err}"
    );
    bench.tool("xc7frames2bit", XC7FRAMES2BIT);
    let (code, out, err) = bench.run(&["build", "--board", "arty-a7-100t"]);
    assert_eq!(code, 0, "{out} {err}");
    let calls = bench.calls();
    let tools: Vec<&str> = calls.iter().filter_map(|c| c.split(' ').next()).collect();
    assert_eq!(tools, ["yosys", "nextpnr-himbaechel-xilinx", "xc7frames2bit"]);
    assert!(calls[0].contains("; synth_xilinx -family xc7 -flatten -nosrl -nodsp -nowidelut -top top"), "{calls:?}");
    assert!(calls[0].contains("-mince 32 -minsrst 32; opt_merge; synth_xilinx"), "{calls:?}");
    for part in ["--device xc7a100tcsg324-1", "xdc=arty-a7-100t.xdc", "--freq 60.000000", "--placer static"] {
        assert!(calls[1].contains(part), "{part}: {calls:?}");
    }
    assert!(calls[2].contains("--part_name xc7a100tcsg324-1 --part_file"), "{calls:?}");
    assert!(read(&bench.built("routed.fasm")).contains("SLICEL_X0"));
    assert!(read(&bench.built("routed.frames")).starts_with("0x0042011F 0x00000008,0x00000000,"));
    let report = report(&bench);
    assert_eq!((&report["device"]["family"], &report["passed"]), (&"xilinx".into(), &true.into()));
    assert_eq!(report["resources"]["luts"]["used"], 1000);
    assert_eq!(report["resources"]["block_rams"]["used"], 5);
    assert!(report["bitstream"].as_str().is_some_and(|file| file.ends_with("bitstream.bit")), "{report}");
    assert_eq!(report["tools_from"], "native");
}

/// Whether a process is there and not only waiting to be buried.
fn runs(pid: i32) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    kill(Pid::from_raw(pid), None) != Err(Errno::ESRCH) && !state.contains(") Z ")
}

#[test]
fn ctrl_c_ends_the_tools() {
    let bench = Bench::whole();
    let pids = bench.path("pids");
    // The tool, and a child of it that does not listen.
    let body = format!(
        "(trap '' TERM; while :; do read x < '{}' || :; done) & echo $$ $! > '{}'\nwait",
        bench.path("never").display(),
        pids.display()
    );
    assert!(std::process::Command::new("mkfifo").arg(bench.path("never")).status().unwrap().success());
    bench.tool(
        "yosys",
        &format!("[ \"$1\" = -V ] && {{ echo 'Yosys 0.66'; exit 0; }}\necho half > part-synthesis.json\n{body}"),
    );
    let out = bench.path("out");
    let arguments = ["build", "--board", BOARD, "--out", out.to_str().unwrap()];
    let mut command = bench.command(&arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let started = loop {
        let numbers: Vec<i32> =
            fs::read_to_string(&pids).unwrap_or_default().split_whitespace().filter_map(|n| n.parse().ok()).collect();
        if numbers.len() == 2 {
            break numbers;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(started.iter().all(|pid| runs(*pid)));
    // A second build of the same folder is refused.
    let (code, _, err) = bench.build(&[]);
    assert!(code == 2 && err.contains("another build uses this folder"), "{err}");
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(output.stdout.is_empty());
    while started.iter().any(|pid| runs(*pid)) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(bench.unfinished().is_empty() && !bench.built("synthesis.json").exists());
}

#[test]
fn a_bitstream_is_loaded() {
    let bench = Bench::whole();
    let (code, _, err) = bench.run(&["flash", "--board", BOARD]);
    assert!(code == 2 && err.contains("hayasashi build --board colorlight-i5"), "{err}");
    assert_eq!(bench.build(&[]).0, 0);
    let (code, _, err) = bench.run(&["flash", "--board", BOARD]);
    assert!(code == 2 && err.contains("apt install openfpgaloader"), "{err}");
    bench.tool("openFPGALoader", "echo Load SRAM: 100%");
    bench.calls();
    let (code, out, err) = bench.run(&["flash", "--board", BOARD]);
    assert_eq!(code, 0, "{err}");
    // Its words are progress, not the answer.
    assert!(err.contains("Load SRAM") && out.starts_with("Colorlight i5: ") && out.lines().count() == 1, "{out}");
    let file = report(&bench)["bitstream"].as_str().unwrap().to_string();
    assert_eq!(bench.calls(), [format!("openFPGALoader -b colorlight-i5 {file}")]);
    let (code, _, _) = bench.run(&["flash", "--board", BOARD, "--permanent"]);
    assert_eq!((code, bench.calls()), (0, vec![format!("openFPGALoader -b colorlight-i5 -f {file}")]));
    bench.tool("openFPGALoader", "echo unable to open ftdi device >&2; exit 3");
    let (code, out, err) = bench.run(&["flash", "--board", BOARD]);
    assert!(code == 2 && out.is_empty() && err.contains("unable to open") && err.contains("status: 3"), "{err}");
    let (code, _, err) = bench.run(&["flash", "--board", "ulx3s-85f"]);
    assert!(code == 2 && err.contains("is of the board \"colorlight-i5\""), "{err}");
    fs::remove_file(file).unwrap();
    let (code, _, err) = bench.run(&["flash", "--board", BOARD]);
    assert!(code == 2 && err.contains("no longer exists"), "{err}");
}
