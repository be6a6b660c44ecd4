//! From the features of a routed Xilinx design to the frames of its configuration, by the program `hayasashi build`.
//!
//! `data/xray` has a small part of the database of Project X-Ray.

use hayasashi_boards::board::Board;
use hayasashi_tests::{
    fake_tools::{Bench, NEXTPNR_XILINX, XC7FRAMES2BIT, YOSYS},
    program::texts,
};
use std::{collections::BTreeMap, fs};

const PART: &str = "xc7a35tcsg324-1";

/// Tools that end with these features, and a board with that part.
fn bench(features: &str) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("features"), features).unwrap();
    bench.tool("yosys", YOSYS);
    let copy = format!("while read -r line; do echo \"$line\"; done < '{}' >", bench.path("features").display());
    let nextpnr = NEXTPNR_XILINX.replace("echo 'CLBLL_L_X2Y0.SLICEL_X0.AFF.ZINI' >", &copy);
    assert_ne!(nextpnr, NEXTPNR_XILINX);
    bench.tool("nextpnr-himbaechel-xilinx", &nextpnr);
    bench.tool("xc7frames2bit", XC7FRAMES2BIT);
    let arty = Board::find("arty-a7-100t").unwrap();
    let text = arty.text.replace("xc7a100tcsg324-1", PART).replace("number = 6", "number = 200");
    fs::write(bench.path("arty-a7-35t.toml"), text).unwrap();
    fs::write(bench.path("arty-a7-35t.xdc"), &arty.constraints.text).unwrap();
    bench
}

/// Builds it. Returns the exit code and standard error.
fn build(bench: &Bench) -> (i32, String) {
    let (code, _, err) = bench.run(&["build", "--board", bench.path("arty-a7-35t.toml").to_str().unwrap()]);
    (code, err)
}

/// The words of each frame that are not zero, by their numbers.
fn frames(bench: &Bench) -> BTreeMap<u32, BTreeMap<usize, u32>> {
    let number = |text: &str| u32::from_str_radix(text.strip_prefix("0x").unwrap(), 16).unwrap();
    let text = fs::read_to_string(bench.built("routed.frames")).unwrap();
    let frame = |line: &str| {
        let (frame, words) = line.split_once(' ').unwrap();
        let words: Vec<u32> = words.split(',').map(number).collect();
        assert_eq!(words.len(), 101, "{line}");
        (number(frame), words.into_iter().enumerate().filter(|(_, word)| *word != 0).collect())
    };
    text.lines().map(frame).collect()
}

/// Words of the frames of the whole counter, as fasm2frames of Project X-Ray gives them. They depend on these features only.
#[test]
fn frames_are_those_of_project_x_ray() {
    let bench = bench(include_str!("../data/xray/counter.fasm"));
    let (code, err) = build(&bench);
    assert_eq!(code, 0, "{err}");
    let calls = bench.calls();
    let call = calls.last().unwrap();
    let packed = "--frm_file routed.frames --output_file part-bitstream.bit";
    assert!(
        call.starts_with("xc7frames2bit --part_name xc7a35tcsg324-1 --part_file ") && call.ends_with(packed),
        "{call}"
    );
    assert!(call.contains("/artix7/xc7a35tcsg324-1/part.yaml"), "{call}");
    assert!(bench.built("bitstream.bit").is_file());
    let frames = frames(&bench);
    // Words 79 and 80 are of the tile CLBLM_R_X41Y39, 89 and 90 of Y44, 91 and 92 of Y45.
    for (frame, words) in [
        (0x0040_149e, [0x4200_c010, 0x1007_0022, 0x4200_b004, 0x1007_0022, 0x0000_b004, 0x0003_0000]),
        (0x0040_149f, [0x1000_8010, 0x0400_0002, 0x1000_0008, 0x0400_0002, 0x0000_0008, 0]),
        (0x0040_14a0, [0xff55_ff33, 0x0033_0055, 0x0055_0033, 0xff33_0f55, 0xffff_5533, 0]),
        (0x0040_14a1, [0xff55_ff33, 0xff33_ff55, 0xff55_ff33, 0xff33_0f55, 0xffff_5533, 0xffff_ffff]),
        (0x0040_14a2, [0x0055_0033, 0x0033_0055, 0x0055_0033, 0x0033_0f55, 0x0000_5533, 0]),
        (0x0040_14a3, [0x0055_0033, 0xff33_ff55, 0xff55_ff33, 0x0033_0f55, 0x0000_5533, 0xffff_ffff]),
    ] {
        let places = [79, 80, 89, 90, 91, 92];
        let wanted: BTreeMap<usize, u32> = places.into_iter().zip(words).filter(|(_, word)| *word != 0).collect();
        assert_eq!(frames[&frame], wanted, "frame {frame:08x}");
    }
    // Words 2 and 3 are of the output pin RIOB33_X43Y51, 53 and 54 of the input pin RIOB33_X43Y75.
    for (frame, words) in [
        (0x15a6, [0x0044_0005, 0x4000_0000, 0x4040_0000, 0x0040_0000]),
        (0x15a7, [0x0022_0002, 0x8000_0002, 0x00a0_0000, 0x2082_0000]),
    ] {
        assert_eq!(frames[&frame], [2, 3, 53, 54].into_iter().zip(words).collect(), "frame {frame:08x}");
    }
}

/// By hand from the database's lines.
#[test]
fn block_rams_and_pins_of_low_voltages_are_configured() {
    let low = "LVCMOS12_LVCMOS15_LVCMOS18_SSTL135_SSTL15.STEPDOWN";
    let bench = bench(&format!(
        "BRAM_L_X6Y0.RAMB18_Y0.INIT_00[255:0] = 256'b101\nINT_L_X6Y0.BYP_ALT0.BYP_BOUNCE_N3_3\n\
         RIOB33_X43Y75.IOB_Y0.PULLTYPE.NONE\nRIOB33_X43Y51.IOB_Y1.{low}\n"
    ));
    let (code, err) = build(&bench);
    assert_eq!(code, 0, "{err}");
    let frames = frames(&bench);
    // INIT_00[0] is bit 0 of frame 0, INIT_00[2] bit 32.
    assert_eq!(frames[&0x00c0_0000], [(0, 1), (1, 1)].into());
    // The connection: bit 7 of frames 21 and 24 of the tile.
    for frame in [0x0040_0315, 0x0040_0318] {
        assert_eq!(frames[&frame], [(0, 1 << 7)].into());
    }
    // Of the bank's pins the database here has ten. Bit 32 of frame 38 tells one with an odd number, bit 95 of frame 39 one with
    // an even number. The pin X43Y76 is used without a low voltage, so it is left alone. The tile X43Y50 has one pin, and words
    // 0 and 1 for the words 2 and 3 of others.
    assert_eq!(frames[&0x15a6], [(3, 1), (52, 1), (53, 1 << 30), (64, 1), (68, 1), (100, 1)].into());
    assert_eq!(frames[&0x15a7], [0, 4, 65, 69].map(|word| (word, 1 << 31)).into());
}

#[test]
fn features_that_are_not_known_are_named() {
    for (features, told) in [
        (
            "CLBLM_R_X41Y39.SLICEM_X0.AFF.ZINIT\nNOWHERE_X1Y1.A\n",
            "does not know 2 of its features: `CLBLM_R_X41Y39.SLICEM_X0.AFF.ZINIT[0]`, `NOWHERE_X1Y1.A[0]`",
        ),
        ("CLBLM_R_X41Y39.SLICEM_X0.ALUT.INIT[99] = 1\n", "`CLBLM_R_X41Y39.SLICEM_X0.ALUT.INIT[99]`"),
        ("# a comment\nCLBLM_R_X41Y39.SLICEM_X0.ALUT.INIT[63:0] = 64'x\n", "line 2: `64'x` is not a value"),
        (
            "INT_L_X6Y0.BYP_ALT0.BYP_BOUNCE_N3_3\nINT_L_X6Y0.BYP_ALT0.FAN_BOUNCE2\n",
            "line 2: `INT_L_X6Y0.BYP_ALT0.FAN_BOUNCE2` contradicts line 1 in bit 7 of frame 0x00400317",
        ),
    ] {
        let bench = bench(features);
        let (code, err) = build(&bench);
        assert!(code == 2 && err.contains("routed.fasm`: ") && err.contains(told), "{err}");
        assert!(!bench.built("bitstream.bit").exists() && !bench.built("routed.frames").exists());
    }
}

#[test]
fn a_database_is_wanted_before_the_work_begins() {
    let bench = bench("");
    let (nowhere, board, out) = (bench.path("nowhere"), bench.path("arty-a7-35t.toml"), bench.path("out"));
    let build = ["build", "--board", board.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let run = |more: &[&str]| {
        let mut command = bench.command(&[&build, more].concat());
        texts(command.env("PRJXRAY_DB_DIR", &nowhere).output().unwrap())
    };
    let (code, _, err) = run(&[]);
    assert!(code == 2 && err.contains("nowhere/artix7/xc7a35tcsg324-1/part.yaml"), "{err}");
    assert!(
        err.contains("prjxray-database") && err.contains("PRJXRAY_DB_DIR") && err.contains("--stop-after route"),
        "{err}"
    );
    assert!(bench.calls().is_empty());
    let (code, _, err) = run(&["--stop-after", "route"]);
    assert_eq!(code, 0, "{err}");
}
