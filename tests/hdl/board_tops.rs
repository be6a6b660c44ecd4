//! The emitted top level of a board of each family under Verilator: a conversation through its pins. The families' primitives are
//! stand-ins that obey their dividers (`data/boards/primitives.v`).

use crate::text::Parts;
use hayasashi_boards::board::Board;
use hayasashi_hdl::top::pll::Family;
use hayasashi_spec::registers::Info;
use hayasashi_spec::{frame::Header, opcode::Opcode, MAGIC};
use hayasashi_tests::link::{frame, frames};
use hayasashi_tests::replay::Tool;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const PRIMITIVES: &str = include_str!("../data/boards/primitives.v");
const BENCH: &str = include_str!("../data/boards/bench.v");

/// Asks the board of this stem for its registers through its UART's pins, at its rate, from its oscillator, also after a break and
/// after a loss of the PLL's lock, which both reset the chip. The chip's units are left out, to be compiled sooner: clocks and pins do
/// not depend on them.
fn converse(stem: &str, family: Family) {
    if !Tool::Verilator.installed() {
        return;
    }
    let board = Board::find(stem).unwrap();
    assert_eq!(board.device.family, family);
    let config = board.config();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench_{stem}"));
    std::fs::create_dir_all(&folder).unwrap();
    let parts = Parts::of(&hayasashi_hdl::verilog::board(&config).unwrap());
    std::fs::write(folder.join("top.v"), parts.around + &parts.without).unwrap();
    std::fs::write(folder.join("primitives.v"), PRIMITIVES).unwrap();
    let request = frame(Opcode::Info as u8, 0x1234, 0, &[]);
    let mut hex = String::new();
    request.iter().for_each(|byte| writeln!(hex, "{byte:02x}").unwrap());
    std::fs::write(folder.join("request.hex"), hex).unwrap();
    std::fs::write(folder.join("bench.v"), BENCH).unwrap();
    let period = |hertz: u32| (1_000_000_000_000 + hertz as u64 / 2) / hertz as u64;
    let parameters = [
        format!("-GOSCILLATOR_PS={}", period(config.oscillator_hz)),
        format!("-GCHIP_PS={}", period(config.chip.clock_hz)),
        format!("-GBIT_PS={}", period(config.chip.baud_hz)),
        format!("-GBYTES={}", request.len()),
    ];
    let mut arguments = vec!["--binary", "--timing", "-O3", "--x-assign", "fast", "--noassert", "-CFLAGS", "-O0"];
    arguments.extend(["-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "bench", "-Mdir", "obj"]);
    arguments.extend(parameters.iter().map(String::as_str));
    arguments.extend(["bench.v", "primitives.v", "top.v"]);
    let output = Command::new("verilator").args(&arguments).current_dir(&folder).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "verilator failed in {}:\n{errors}", folder.display());

    let output = Command::new(folder.join("obj/Vbench")).current_dir(&folder).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("- ")).collect();
    assert_eq!(lines.last(), Some(&"end"), "{text}");
    let byte = |line: &&str| line.strip_prefix("byte ").map(|hex| u8::from_str_radix(hex, 16).unwrap());
    let bytes: Option<Vec<u8>> = lines[..lines.len() - 1].iter().map(byte).collect();
    let answers = frames(&bytes.unwrap_or_else(|| panic!("{text}")));
    // After the start, after a break, and after the lock was lost: each time the chip is a fresh one.
    assert_eq!(answers.len(), 3, "{text}");
    for (header, registers) in answers {
        assert_eq!(header, Header { opcode: 0x81, status: 0, sequence: 0x1234, count: 0, length: 64 });
        let info: Info = bytemuck::pod_read_unaligned(&registers);
        let said = (info.magic, info.board, info.clock_hz, info.capabilities, info.frames, info.bad_frames);
        assert_eq!(said, (MAGIC, board.number, board.clock.chip_hz, config.chip.capabilities, 1, 0));
    }
}

#[test]
fn an_ecp5_board_answers_through_its_pins() {
    converse("ulx3s-85f", Family::Ecp5);
}

#[test]
fn a_gowin_board_answers_through_its_pins() {
    converse("tang-nano-20k", Family::Gowin);
}

#[test]
fn a_gw5a_board_answers_through_its_pins() {
    converse("tang-mega-138k", Family::Gw5a);
}

#[test]
fn a_xilinx_board_answers_through_its_pins() {
    converse("arty-a7-100t", Family::Xilinx);
}
