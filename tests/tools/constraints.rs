//! The boards' files: every port of a top level has one pin and a voltage, every pin one port, the clock is the one
//! that the chip is built for; and a wrong file is refused by name of its key.

use hayasashi_boards::board::{stems, Board, BoardError};
use hayasashi_hdl::top::pll::Family;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn constraints() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../constraints")
}

/// What a constraint file says.
#[derive(Default, Debug)]
struct Pins {
    /// Port → pin.
    pins: Vec<(String, String)>,
    /// Ports with an IO standard.
    standards: BTreeSet<String>,
    /// Port → hertz.
    clocks: BTreeMap<String, f64>,
}

/// Reads the constraint file of a family; a line that is not understood is an error.
fn parse(family: Family, text: &str) -> Pins {
    let mut pins = Pins::default();
    for line in text.lines() {
        let comment = if matches!(family, Family::Gowin | Family::Gw5a) { "//" } else { "#" };
        let line = line.split(comment).next().unwrap().trim().trim_end_matches(';').trim();
        let words: Vec<&str> = line.split_whitespace().map(|w| w.trim_matches(['"', '[', ']', '{', '}'])).collect();
        let attribute = |name: &str| words.iter().any(|w| w.starts_with(&format!("{name}=")));
        match (family, &words[..]) {
            (_, []) => {}
            (Family::Ecp5, ["BLOCK", ..] | ["SYSCONFIG", ..]) => {}
            (Family::Ecp5, ["LOCATE", "COMP", port, "SITE", pin]) => {
                pins.pins.push((port.to_string(), pin.to_string()));
            }
            (Family::Ecp5, ["IOBUF", "PORT", port, ..]) if attribute("IO_TYPE") => {
                assert!(pins.standards.insert(port.to_string()), "{port} twice");
            }
            (Family::Ecp5, ["FREQUENCY", "PORT", port, mhz, "MHz"]) => {
                pins.clocks.insert(port.to_string(), mhz.parse::<f64>().unwrap() * 1e6);
            }
            (Family::Gowin | Family::Gw5a, ["IO_LOC", port, pin]) => {
                pins.pins.push((port.to_string(), pin.to_string()));
            }
            (Family::Gowin | Family::Gw5a, ["IO_PORT", port, ..]) if attribute("IO_TYPE") => {
                assert!(pins.standards.insert(port.to_string()), "{port} twice");
            }
            (Family::Xilinx, ["set_property", "PACKAGE_PIN", pin, "get_ports", port]) => {
                pins.pins.push((port.to_string(), pin.to_string()));
            }
            (Family::Xilinx, ["set_property", "IOSTANDARD", _, "get_ports", port]) => {
                assert!(pins.standards.insert(port.to_string()), "{port} twice");
            }
            (Family::Xilinx, ["create_clock", "-name", _, "-period", ns, "get_ports", port]) => {
                pins.clocks.insert(port.to_string(), 1e9 / ns.parse::<f64>().unwrap());
            }
            (Family::Xilinx, ["set_property", _, _, "current_design"] | ["set_false_path", ..]) => {}
            _ => panic!("a line that this test does not know: {line}"),
        }
    }
    pins
}

/// Ports of the module `top` in emitted Verilog.
fn ports(verilog: &str) -> BTreeSet<String> {
    let header = verilog.split("module top(").nth(1).expect("a module `top`");
    let ports = header.split(");").next().unwrap().split(',');
    ports.map(|port| port.split_whitespace().last().expect("a name").to_string()).collect()
}

#[test]
fn every_port_has_a_pin_and_every_pin_a_port() {
    for board in Board::all().unwrap() {
        let stem = &board.stem;
        let pins = parse(board.device.family, &board.constraints.text);
        let ports = ports(&hayasashi_hdl::verilog::board(&board.config()).unwrap());
        let placed: BTreeSet<String> = pins.pins.iter().map(|(port, _)| port.clone()).collect();
        assert_eq!(ports, placed, "{stem}: ports (left) and ports with a pin");
        assert_eq!(ports, pins.standards, "{stem}: ports (left) and ports with an IO standard");
        assert_eq!(pins.pins.len(), placed.len(), "{stem}: a port has two pins");
        let sites: BTreeSet<&String> = pins.pins.iter().map(|(_, pin)| pin).collect();
        assert_eq!(sites.len(), pins.pins.len(), "{stem}: a pin is used twice");
        let oscillator = pins.clocks.get("oscillator").copied();
        match board.device.family {
            Family::Gowin | Family::Gw5a => assert_eq!(oscillator, None, "{stem}: this format has no clocks"),
            _ => assert_eq!(oscillator, Some(board.clock.oscillator_hz as f64), "{stem}: the oscillator's frequency"),
        }
    }
}

#[test]
fn every_file_belongs_to_a_board_and_names_its_source() {
    let known: BTreeSet<&str> = stems().collect();
    for entry in std::fs::read_dir(constraints()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() && path.extension().unwrap() != "md" {
            let stem = path.file_stem().unwrap().to_str().unwrap();
            assert!(known.contains(stem), "{}: no such board", path.display());
        }
    }
    for board in Board::all().unwrap() {
        assert!(board.constraints.text.contains("Source:"), "{} does not say where its pins are from", board.stem);
        let read = Board::find(constraints().join(format!("{}.toml", board.stem)).to_str().unwrap()).unwrap();
        assert_eq!(read, board, "read from its file and embedded");
        let readme = std::fs::read_to_string(constraints().join("README.md")).unwrap();
        assert!(readme.contains(&format!("`{}`", board.stem)), "README.md does not describe `{}`", board.stem);
    }
}

#[test]
fn numbers_are_the_boards_own() {
    let boards = Board::all().unwrap();
    let numbers: BTreeSet<u32> = boards.iter().map(|b| b.number).collect();
    assert_eq!(numbers.len(), boards.len());
    let ulx3s = Board::find("ulx3s-85f").unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own_board");
    std::fs::create_dir_all(&folder).unwrap();
    let own = folder.join("mine.toml");
    std::fs::write(folder.join("mine.lpf"), &ulx3s.constraints.text).unwrap();
    std::fs::write(&own, &ulx3s.text).unwrap();
    let error = Board::find(own.to_str().unwrap()).unwrap_err().to_string();
    assert!(error.contains("mine.toml`: `number = 2`: `ulx3s-85f.toml` has the same number"), "{error}");
    std::fs::write(&own, ulx3s.text.replace("number = 2", "number = 1000")).unwrap();
    assert_eq!(Board::find(own.to_str().unwrap()).unwrap().config().chip.board, 1000);
}

#[test]
fn an_unknown_board_is_told_of_the_known_ones() {
    let error = Board::find("ulx4m").unwrap_err().to_string();
    assert!(error.contains("`ulx4m`") && error.contains("`ulx3s-85f`, ") || error.contains("`ulx3s-85f`;"), "{error}");
    let error = Board::find("nowhere/mine.toml").unwrap_err();
    assert!(matches!(error, BoardError::Read { .. }) && error.to_string().contains("nowhere/mine.toml"), "{error}");
}

/// Board, text that is replaced, by what, and two parts that the message must have: the key and the cure.
const WRONG: [(&str, &str, &str, &str, &str); 50] = [
    ("ulx3s-85f-whole", "name = \"ULX3S 85F, whole chip\"", "name = \" \"", "name = \" \"", "fill it in"),
    ("ulx3s-85f-whole", "name = \"ULX3S 85F, whole chip\"\n", "", "missing field `name`", "README"),
    ("ulx3s-85f-whole", "number = 7", "number = 1", "number = 1", "begin at 2"),
    ("ulx3s-85f-whole", "number = 7", "number = \"two\"", "number", "expected u32"),
    ("ulx3s-85f-whole", "number = 7", "number = 2\ncolour = 3", "colour", "expected one of `name`"),
    ("ulx3s-85f-whole", "family = \"ecp5\"", "family = \"ice40\"", "ice40", "`ecp5`"),
    ("ulx3s-85f-whole", "family = \"ecp5\"", "family = \"gowin\"", "ulx3s-85f-whole.cst", "add that file"),
    ("ulx3s-85f-whole", "part = \"LFE5U-85F\"", "part = \"GW2A\"", "device.part = GW2A", "begin with `LFE5U`"),
    ("ulx3s-85f-whole", "package = \"CABGA381\"", "package = \"\"", "device.package", "fill it in"),
    ("ulx3s-85f-whole", "package = ", "pakkage = ", "pakkage", "`package`"),
    ("ulx3s-85f-whole", "speed_grade = 6", "speed_grade = 9", "device.speed_grade = 9", "6 to 8"),
    ("ulx3s-85f-whole", "speed_grade = 6", "speed_grade = 6\nseries = \"X\"", "device.series = X", "delete the key"),
    ("tang-nano-20k", "series = \"GW2A-18C\"", "", "device.series", "GW2A-18C"),
    ("tang-mega-138k", "series = \"GW5AST-138C\"", "", "device.series", "GW5AST-138C"),
    ("tang-mega-138k", "part = \"GW5AST", "part = \"GW2A", "device.part = GW2A", "begin with `GW5AST-LV138`"),
    ("tang-mega-138k", "speed_grade = 1", "speed_grade = 8", "device.speed_grade = 8", "1 to 2"),
    ("ulx3s-85f-whole", "oscillator_hz = 25_000_000", "oscillator_hz = 26_000_000", "clock.chip_hz", "= 62400000 Hz"),
    ("ulx3s-85f-whole", "oscillator_hz = 25_000_000", "oscillator_hz = 5_000_000_000", "oscillator_hz", "u32"),
    ("ulx3s-85f-whole", "chip_hz = 60_000_000", "chip_hz = 60_000_001", "clock.chip_hz = 60000001", "= 60000000 Hz"),
    (
        "ulx3s-85f-whole",
        "reference_divider = 1",
        "reference_divider = 0",
        "clock.pll.reference_divider = 0",
        "1 to 128",
    ),
    (
        "ulx3s-85f-whole",
        "reference_divider = 1",
        "reference_divider = 5",
        "clock.pll.reference_divider = 5",
        "10 to 400 MHz",
    ),
    ("ulx3s-85f-whole", "multiplier = 24", "multiplier = 12", "clock.pll.multiplier = 12", "400 to 800 MHz"),
    ("ulx3s-85f-whole", "output_divider = 10", "output_divider = 11", "clock.chip_hz", "correct one"),
    ("tang-nano-20k", "output_divider = 16", "output_divider = 15", "clock.pll.output_divider = 15", "one of [2"),
    ("tang-nano-20k", "multiplier = 32", "multiplier = 33", "clock.pll.multiplier = 33", "multiple of"),
    (
        "tang-mega-138k",
        "[uart]",
        "[clock.pll]\nreference_divider = 1\nmultiplier = 16\noutput_divider = 16\n\n[uart]",
        "clock.chip_hz = 50000000",
        "delete the PLL's dividers",
    ),
    ("arty-a7-100t", "multiplier = 12", "multiplier = 65", "clock.pll.multiplier = 65", "2 to 64"),
    ("ulx3s-85f", "[clock]", "[clock]\ndifferential = true", "clock.differential = true", "write `false`"),
    (
        "ulx3s-85f-whole",
        "baud_hz = 3_000_000",
        "baud_hz = 30_000_000",
        "uart.baud_hz = 30000000",
        "lower the baud rate",
    ),
    ("ulx3s-85f-whole", "baud_hz = 3_000_000", "baud_hz = 0", "uart.baud_hz = 0", "choose a higher rate"),
    ("ulx3s-85f-whole", "movegen = 1", "movegen = 2", "units.movegen = 2", "write 1"),
    ("ulx3s-85f-whole", "evaluate = 1", "evaluate = 2", "units.evaluate = 2", "write 0 or 1"),
    ("ulx3s-85f-whole", "perft = 1", "perft = 5", "units.perft = 5", "write 0 to 4"),
    ("ulx3s-85f-whole", "perft = 1", "perft = 1\nsearch = 5", "units.search = 5", "write 0 to 4"),
    ("ulx3s-85f-search", "perft = 0", "perft = 1", "units.movegen = 0", "only searches"),
    ("ulx3s-85f-search", "search = 1", "search = 0", "units.movegen = 0", "only counts moves"),
    ("ulx3s-85f", "perft = 0", "perft = 0\nsearch = 1", "units.search = 1", "write `evaluate = 1` too"),
    ("ulx3s-85f-search", "search = 1", "search = 1\nnetwork = 2", "units.network = 2", "write 0 or 1"),
    ("ulx3s-85f-whole", "perft = 1", "perft = 1\nnetwork = 1", "units.network = 1", "write `search = 1` too"),
    (
        "ulx3s-85f-whole",
        "perft = 1",
        "perft = 1\nsearch_table_bits = 23",
        "units.search_table_bits = 23",
        "2^8 to 2^16",
    ),
    ("ulx3s-85f-whole", "\"running\"", "\"blinking\"", "blinking", "`activity`"),
    ("ulx3s-85f-whole", "led_running", "uart_tx", "outputs.uart_tx", "rename it"),
    ("ulx3s-85f-whole", "led_running", "\"led[0]\"", "outputs.led[0]", "rename it"),
    ("ulx3s-85f-whole", "luts = 32_000", "luts = 0", "budget.luts = 0", "give the most"),
    ("ulx3s-85f-whole", "luts = 32_000", "luts = -1", "luts", "u32"),
    (
        "ulx3s-85f-whole",
        "fmax_hz = 60_000_000",
        "fmax_hz = 59_999_999",
        "budget.fmax_hz = 59999999",
        "clock.chip_hz = 60000000",
    ),
    ("ulx3s-85f-whole", "free_slices = 2", "free_slices = 4", "place.free_slices", "at most 3"),
    ("ulx3s-85f-whole", "free_slices = 2", "free_slices = -1", "free_slices", "-1"),
    ("tang-nano-20k", "seed = 1", "seed = 1\nfree_slices = 1", "place.free_slices", "delete the key"),
    ("ulx3s-85f-whole", "board = \"ulx3s\"", "board = \"\"", "flash.board", "fill it in"),
];

#[test]
fn wrong_files_are_refused_by_key_and_cure() {
    for (stem, from, to, key, cure) in WRONG {
        let board = Board::find(stem).unwrap();
        let text = board.text.replacen(from, to, 1);
        assert_ne!(text, board.text, "`{from}` is not in {stem}");
        let constraints = [(board.constraints.name.as_str(), board.constraints.text.as_str())];
        let message = match Board::parse(stem, &text, &constraints) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{stem} with `{to}` is taken"),
        };
        let has = |part: &str| message.contains(part);
        assert!(has(&format!("{stem}.toml")) && has(key) && has(cure), "`{to}`: {message}");
    }
}

#[test]
fn a_board_without_a_pll_runs_on_its_oscillator() {
    let board = Board::find("ulx3s-85f-whole").unwrap();
    let text = board.text.replace("chip_hz = 60_000_000", "chip_hz = 25_000_000");
    let (head, tail) = text.split_once("[clock.pll]").unwrap();
    let text = format!("{head}{}", &tail[tail.find("[uart]").unwrap()..]);
    let constraints = [(board.constraints.name.as_str(), board.constraints.text.as_str())];
    let board = Board::parse("ulx3s-85f-whole", &text, &constraints).unwrap();
    let verilog = hayasashi_hdl::verilog::board(&board.config()).unwrap();
    assert!(!verilog.contains("EHXPLLL") && verilog.contains("DCCA") && verilog.contains("assign clock = oscillator;"));
}
