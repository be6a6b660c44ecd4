//! `hayasashi compare`: every figure states its provenance, and computed figures are correct.

use hayasashi_boards::board::Board;
use hayasashi_lab::compare::{
    clock::Device,
    link::{LinearCost, Link, RequestCost},
};
use hayasashi_spec::frame::{CRC_BYTES, HEADER_BYTES};
use hayasashi_tests::{
    data_lines,
    program::{command, run, texts},
    skip,
};
use nix::{
    sys::signal::{kill, Signal},
    unistd::Pid,
};
use serde_json::Value;
use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Stdio,
};

/// A small comparison in RustHDL's simulator.
const SMALL: [&str; 11] =
    ["compare", "--backend", "rtl", "--json", "--quiet", "--seconds", "0.02", "--sample", "4", "--depth", "2"];

/// The evaluator has a table of 170 kB, which takes long to load where RustHDL simulates: only one test has it.
const EVALUATOR: &str = "evaluate = 1";

/// A folder that is removed at the end of its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("hayasashi-compare-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A build report with this clock rate.
    fn report(&self, board: &str, mhz: f64) -> String {
        self.write(
            "report.json",
            &format!(
                r#"{{"board": "{board}", "seed": 3, "build_id": "00000000", "tools": {{"nextpnr": "nextpnr 0.11"}},
                    "clocks": [{{"clock": "other", "achieved_mhz": 300.0, "constraint_mhz": 25.0, "passed": true}},
                        {{"clock": "chip", "achieved_mhz": {mhz}, "constraint_mhz": 60.0, "passed": false}}]}}"#
            ),
        )
    }

    /// The board of the whole chip without its evaluator.
    fn board(&self) -> String {
        let text = include_str!("../../constraints/ulx3s-85f-whole.toml");
        assert!(text.contains(EVALUATOR) && text.contains("number = 7"), "{text}");
        self.write("small.lpf", include_str!("../../constraints/ulx3s-85f-whole.lpf"));
        self.write("small.toml", &text.replace(EVALUATOR, "evaluate = 0").replace("number = 7", "number = 99"))
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * a.abs().max(b.abs()), "{a} and {b}");
}

/// Whether the emitted Verilog can be compiled here.
fn verilator() -> bool {
    let found = std::process::Command::new("verilator").arg("--version").output().is_ok();
    if !found {
        skip("verilator is not installed (Debian package `verilator`)");
    }
    found
}

/// Checks and counts the figures: objects with a `value`.
fn figures(value: &Value) -> usize {
    match value {
        Value::Object(fields) => {
            let figure = fields.contains_key("value");
            if figure {
                let basis = fields["basis"].as_str();
                assert!(matches!(basis, Some("measured" | "simulated" | "computed")), "{value}");
            }
            figure as usize + fields.values().map(figures).sum::<usize>()
        }
        Value::Array(items) => items.iter().map(figures).sum(),
        _ => 0,
    }
}

#[test]
fn the_figures_in_json_are_consistent() {
    let folder = Folder::new("json");
    let report = folder.report("small", 47.5);
    let (code, out, err) = run(&[&SMALL[..], &["--board", &folder.board(), "--report", &report]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let found = json(&out);
    assert!(figures(&found) > 80, "{} figures", figures(&found));

    let device = &found["device"];
    near(number(&device["clock"]["value"]), 47.5e6);
    assert_eq!((&device["clock"]["basis"], &device["placed"]["seed"]), (&"computed".into(), &3.into()));
    assert!(device["clock_from"].as_str().unwrap().contains("with gateware other"), "{device}");
    assert_eq!((&found["simulation"]["backend"], &found["attached"]), (&"rtl".into(), &Value::Null));
    assert_eq!(found["word_port"]["backend"], "rtl:words");

    let works = found["works"].as_array().unwrap();
    let names: Vec<&str> = works.iter().map(|w| w["work"].as_str().unwrap()).collect();
    assert_eq!(names, ["moves", "counts", "evaluation", "expansion", "perft startpos", "perft matsuri"]);
    for work in works {
        let software = work["software"].as_array().unwrap();
        assert!(software.iter().all(|s| s["rate"]["basis"] == "measured"), "{work}");
        let one_core = software.iter().filter(|s| s["cores"] == 1).map(|s| number(&s["rate"]["value"]));
        let best = one_core.fold(0.0, f64::max);
        let chip = &work["chip"];
        if work["work"] == "evaluation" || work["work"] == "expansion" {
            assert!(work["no_chip"].as_str().unwrap().contains("`small`") && chip.is_null(), "{work}");
            continue;
        }
        assert_eq!((&chip["clocks_each"]["basis"], &chip["rate"]["basis"]), (&"simulated".into(), &"computed".into()));
        for chip in [chip, &work["word_port"]] {
            near(number(&chip["rate"]["value"]), 47.5e6 / number(&chip["clocks_each"]["value"]));
            near(number(&chip["ratio"]["value"]), number(&chip["rate"]["value"]) / best);
        }
        for linked in work["linked"].as_array().unwrap() {
            near(number(&linked["ratio"]["value"]), number(&linked["rate"]["value"]) / best);
            let chip = match linked["port"].as_str() {
                Some("bytes") => chip,
                Some("words") => &work["word_port"],
                other => panic!("{other:?}"),
            };
            for size in linked["sizes"].as_array().unwrap() {
                near(number(&size["software"]["value"]), number(&size["units"]) / best);
                // A link only adds time.
                let alone = number(&size["units"]) * number(&chip["clocks_each"]["value"]) / 47.5e6;
                assert!(
                    work["work"].as_str().unwrap().starts_with("perft") || number(&size["linked"]["value"]) > alone
                );
            }
        }
    }
    let search = &found["search"];
    assert_eq!((&search["positions"], &search["nodes_each"], &search["chip"]), (&4.into(), &500.into(), &Value::Null));
    assert!(search["no_chip"].as_str().unwrap().contains("cannot search"), "{search}");
    near(number(&search["ratio"]["value"]), number(&search["model"]["value"]) / number(&search["engine"]["value"]));
    assert_eq!(search["ratio"]["basis"], "measured");
    // A step makes one move or none, and most make one.
    assert!((1.0..3.0).contains(&number(&search["steps_each"]["value"])), "{search}");
    let requests: Vec<f64> = search["in_flight"].as_array().unwrap().iter().map(|f| number(&f["requests"])).collect();
    assert_eq!((requests.as_slice(), number(&search["in_flight"][0]["ratio"]["value"])), (&[1.0, 2.0, 8.0][..], 1.0));
    assert_eq!(search["depths"][0]["depth"], 4);

    // The 64 bytes of a position take at least one clock each.
    let counts = &works[1];
    let clocks = number(&counts["chip"]["clocks_each"]["value"]);
    assert!((60.0..200.0).contains(&clocks), "{clocks}");
    // Those of a word, too, at eight bytes each.
    let words = &counts["word_port"];
    assert!((8.0..clocks / 2.0).contains(&number(&words["clocks_each"]["value"])), "{words}");
    assert_eq!(number(&words["bytes_back"]["value"]), 24.0);
    // 64 bytes, a fourth of a frame's 14, and few stuffed bytes.
    let there = number(&counts["chip"]["bytes_there"]["value"]);
    assert!((64.0..72.0).contains(&there), "{there}");
    // A small answer for each position: the serial line needs the time of 68 bytes for each.
    let uart = &counts["linked"][0];
    near(number(&uart["rate"]["value"]), 300_000.0 / there);
    assert_eq!(uart["break_even"]["value"], Value::Null, "the line is slower than any core: {uart}");
}

#[test]
fn the_chip_s_evaluation_is_counted() {
    if !verilator() {
        return;
    }
    let mut arguments = SMALL;
    (arguments[2], arguments[6]) = ("verilog", "0.002");
    let (code, out, err) = run(&arguments);
    // The chip may have to be compiled first.
    let compiles = |line: &str| line.starts_with("compiling the emitted Verilog");
    assert!(code == 0 && err.lines().all(compiles), "{err}{out}");
    let found = json(&out);
    // By default the clock rate is that of the last place and route.
    let hz = number(&found["device"]["clock"]["value"]);
    assert!(found["device"]["clock_from"].as_str().unwrap().starts_with("Fmax after place and route on"), "{found}");
    assert!(!found["device"]["placed"]["tools"].as_object().unwrap().is_empty());
    let evaluation = &found["works"][2];
    assert_eq!(evaluation["work"], "evaluation");
    let chip = &evaluation["chip"];
    // As for counts, the byte port needs longer than the chip.
    assert!((60.0..200.0).contains(&number(&chip["clocks_each"]["value"])), "{chip}");
    near(number(&chip["rate"]["value"]), hz / number(&chip["clocks_each"]["value"]));
    let words = &evaluation["word_port"];
    assert!((8.0..60.0).contains(&number(&words["clocks_each"]["value"])), "{words}");
}

#[test]
fn walks_match_the_perft_tables() {
    let folder = Folder::new("walks");
    let (code, out, _) = run(&[&SMALL[..], &["--board", &folder.board()]].concat());
    assert_eq!(code, 0);
    let found = json(&out);
    let leaves = |sfen: &str, depth: u64| {
        let line = data_lines("rules/perft.tsv").into_iter().find(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            fields[0] == sfen && fields[1] == depth.to_string()
        });
        line.unwrap().split('\t').nth(2).unwrap().parse::<u64>().unwrap()
    };
    for (work, sfen, depths) in [
        (4, "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 2),
        (5, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", 1),
    ] {
        let walks = found["works"][work]["walks"].as_array().unwrap();
        assert_eq!(walks.len(), depths);
        for (depth, walk) in (1..).zip(walks) {
            assert_eq!((&walk["depth"], &walk["leaves"]), (&depth.into(), &leaves(sfen, depth).into()));
            let expansions = if depth == 1 { 1 } else { leaves(sfen, depth - 1) };
            assert_eq!((&walk["expansions"], &walk["basis"]), (&expansions.into(), &"simulated".into()));
            assert!(walk["clocks"].as_u64().unwrap() >= expansions, "{walk}");
        }
    }
}

#[test]
fn a_page_loads_nothing_and_has_two_plots_per_workload() {
    let folder = Folder::new("html");
    let page = folder.0.join("page.html").display().to_string();
    let positions = folder.write("positions", "startpos\n4k4/9/9/9/9/9/9/9/4K4 b P 1\n");
    let arguments = ["--html", &page, "--positions", &positions, "--board", &folder.board()];
    let small: Vec<&str> = SMALL.into_iter().filter(|a| *a != "--json").collect();
    let (code, out, err) = run(&[&small[..], &arguments].concat());
    assert_eq!(code, 0, "{err}");
    for part in
        ["moves: positions a second", "63.0 MHz: Fmax after place and route on 2026-", "measured", "computed", "never"]
    {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let text = std::fs::read_to_string(page).unwrap();
    assert_eq!((text.matches("<svg").count(), text.matches("</svg>").count()), (10, 10));
    for load in ["http", "src=", "href=", "url(", "@import", "<script", "<link", "<iframe", "<img"] {
        assert!(!text.contains(load), "{load}");
    }
    well_formed(&text);
}

/// Checks that all elements are closed in order. Void elements of HTML have no end tag.
fn well_formed(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1).map(|part| part.split_once('>').expect("a tag ends").0) {
        let name = tag.trim_end_matches('/').split([' ', '\n']).next().unwrap();
        match name.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "after {open:?}"),
            None if tag.ends_with('/') || name.starts_with('!') || name == "meta" => {}
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_serial_line_takes_ten_bits_per_byte() {
    // 12 positions of 64 bytes in one frame, 18 bytes back for each, at 3 Mbaud and a millisecond of the adapter.
    let frame = (2 + HEADER_BYTES + CRC_BYTES) as f64;
    assert_eq!(frame, 14.0);
    let link = Link::uart(3_000_000);
    let cost = RequestCost {
        request: LinearCost { fixed: frame, each: 64.0 },
        answers: LinearCost { fixed: 0.0, each: frame + 4.0 },
        clocks: LinearCost { fixed: 0.0, each: 80.0 },
        max_units: 32,
    };
    let by_hand = 0.001 + (14.0 + 12.0 * 64.0 + 12.0 * 18.0) * 10.0 / 3e6 + 12.0 * 80.0 / 60e6;
    near(link.seconds(&cost, 60e6, 12.0), by_hand);
    // The request needs 10 × (14 + 32 × 64) / 3e6 s: 6.87 ms for 32 positions.
    near(link.stream_rate(&cost, 60e6), 32.0 / 6.873_333_333_333_333e-3);
    assert_eq!(link.break_even(&cost, 60e6, 130e-9), None);
    // Software of a millisecond a position: 1.0467 ms of fixed cost, 0.2747 ms for each.
    assert_eq!(link.break_even(&cost, 60e6, 1e-3), Some(2));
    // A walk: 1 ms, 120 bytes and a clock for each expansion, beside a core with 20 million a second.
    let walk = RequestCost {
        request: LinearCost { fixed: 82.0, each: 0.0 },
        answers: LinearCost { fixed: 38.0, each: 0.0 },
        clocks: LinearCost { fixed: 60.0, each: 1.0 },
        max_units: u64::MAX,
    };
    // (1 ms + 0.4 ms + 1 us) / (50 ns - 16.667 ns) = 42,030 expansions, and no fewer.
    assert_eq!(link.break_even(&walk, 60e6, 50e-9), Some(42_030));
    assert!(link.seconds(&walk, 60e6, 42_030.0) <= 42_030.0 * 50e-9);
    assert!(link.seconds(&walk, 60e6, 42_029.0) > 42_029.0 * 50e-9);
    // At 10 MHz the chip is always slower.
    assert_eq!(link.break_even(&walk, 10e6, 50e-9), None);
}

#[test]
fn the_clock_comes_from_place_and_route_or_is_the_target() {
    let mut board = Board::find("ulx3s-85f-whole").unwrap();
    let folder = Folder::new("clock");
    let nowhere = Path::new("/nonexistent/report.json");
    let routed = board.routed.take().unwrap();
    let asked = Device::find(&board, None, nowhere).unwrap();
    assert_eq!(asked.clock.value, 60e6);
    assert!(asked.clock_from.starts_with("target clock, not yet reached"), "{}", asked.clock_from);
    board.routed = Some(routed.clone());
    let recorded = Device::find(&board, None, nowhere).unwrap();
    assert_eq!(recorded.clock.value, routed.fmax_hz as f64);
    assert!(recorded.clock_from.contains(&routed.date), "{}", recorded.clock_from);
    assert_eq!(recorded.placed.unwrap().tools, routed.tools);
    let usual = folder.report("ulx3s-85f-whole", 51.25);
    assert_eq!(Device::find(&board, None, Path::new(&usual)).unwrap().clock.value, 51.25e6);
    let synthesis =
        folder.write("s.json", r#"{"board": "ulx3s-85f-whole", "seed": 1, "build_id": "", "tools": {}, "clocks": []}"#);
    let unplaced = Device::find(&board, Some(Path::new(&synthesis)), Path::new(&usual)).unwrap();
    assert_eq!(unplaced.clock.value, 60e6);
    assert!(unplaced.clock_from.contains("without place and route"), "{}", unplaced.clock_from);
}

#[test]
fn errors_name_the_value_and_a_hint() {
    let folder = Folder::new("wrong");
    let other = folder.report("tang-nano-20k", 50.0);
    let nonsense = folder.write("nonsense.json", "{}");
    let empty = folder.write("empty", "# nothing\n");
    let standing = Folder::new("still");
    let still = standing.report("ulx3s-85f-whole", 0.0);
    for (arguments, parts) in [
        (vec!["--board", "nexys"], vec!["`nexys`", "ulx3s-85f-whole"]),
        (
            vec!["--report", "/nonexistent.json"],
            vec!["/nonexistent.json", "hint: `hayasashi build --board ulx3s-85f-whole`"],
        ),
        (vec!["--report", &nonsense], vec!["nonsense.json", "missing field", "hint"]),
        (vec!["--report", &other], vec!["`tang-nano-20k`, not `ulx3s-85f-whole`", "hint: give `--board"]),
        (vec!["--report", &still], vec!["still", "0 MHz"]),
        (vec!["--positions", &empty], vec!["no positions", "hint"]),
        (vec!["--positions", "/nonexistent.sfen"], vec!["/nonexistent.sfen", "hint"]),
        (vec!["--html", "/nonexistent/page.html"], vec!["/nonexistent/page.html", "hint"]),
        (vec!["--sfen", "startpos"], vec!["hint: use `--positions FILE`"]),
        (vec!["--backend", "tcp:127.0.0.1:1"], vec!["127.0.0.1:1"]),
        (vec!["--backend", "fpga"], vec!["`fpga`"]),
        (vec!["--seconds", "0"], vec!["--seconds"]),
        (vec!["--depth", "9"], vec!["--depth"]),
        (vec!["--sample", "0"], vec!["--sample"]),
    ] {
        let mut all = vec!["compare"];
        // `--backend` may be given only once.
        if !arguments.contains(&"--backend") {
            all.extend(["--backend", "rtl"]);
        }
        all.extend(arguments);
        let (code, out, err) = texts(without_verilator(&all).output().unwrap());
        assert!(code == 2 && out.is_empty(), "{all:?}: {code} {out} {err}");
        parts.iter().for_each(|part| assert!(err.contains(part), "{part}: {err}"));
        assert!(!err.contains("panicked"), "{err}");
    }
}

/// The program without tools in its path and without a cache.
fn without_verilator(arguments: &[&str]) -> std::process::Command {
    let mut command = command(arguments);
    command.env("PATH", "/nonexistent").env("HAYASASHI_CACHE", "/nonexistent/cache");
    command
}

#[test]
fn without_verilator_rusthdl_counts_and_a_virtual_board_has_no_ratio() {
    let link = Folder::new("board");
    let path = link.0.join("board").display().to_string();
    let mut board = command(&["chip", "--json", "--pty", &path]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(board.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let backend = json(&line)["backend"].as_str().unwrap().to_string();
    // Verilator is missed at once, and the user is told before the long work.
    let small = link.board();
    let mut arguments: Vec<&str> = SMALL.into_iter().filter(|argument| *argument != "--quiet").collect();
    arguments[2] = &backend;
    arguments.extend(["--board", &small]);
    let (code, out, err) = texts(without_verilator(&arguments).output().unwrap());
    kill(Pid::from_raw(board.id() as i32), Signal::SIGINT).unwrap();
    board.wait().unwrap();
    assert_eq!(code, 0, "{err}");
    let line_of =
        |part: &str| err.lines().position(|line| line.contains(part)).unwrap_or_else(|| panic!("{part}: {err}"));
    assert!(line_of("`rtl` instead of `verilog`") < line_of("moves: software"), "{err}");
    let found = json(&out);
    assert_eq!(found["simulation"]["backend"], "rtl");
    assert!(found["simulation"]["note"].as_str().unwrap().contains("instead of `verilog`"), "{}", found["simulation"]);
    assert_eq!(found["attached"]["simulated"], true);
    for work in found["works"].as_array().unwrap() {
        // The attached board has an evaluator.
        assert_eq!(work["attached"]["basis"], "measured", "{work}");
    }
}

#[test]
fn ctrl_c_reports_the_figures_so_far() {
    let folder = Folder::new("interrupted");
    let page = folder.write("page.html", "an earlier page");
    let board = folder.board();
    let mut arguments: Vec<&str> = SMALL.into_iter().filter(|argument| *argument != "--quiet").collect();
    let seconds = arguments.iter().position(|argument| *argument == "--seconds").unwrap();
    arguments[seconds + 1] = "10";
    arguments.extend(["--html", &page, "--board", &board]);
    let mut child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Wait for the first progress message.
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut first = String::new();
    stderr.read_line(&mut first).unwrap();
    assert!(first.contains("making the chip"), "{first}");
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let (code, out, err) = texts(child.wait_with_output().unwrap());
    assert_eq!(code, 130, "{err}");
    let found = json(&out);
    assert!(found["interrupted"] == true && found["works"].as_array().unwrap().len() < 6, "{found}");
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "an earlier page");
}
