//! The emitted Verilog of the whole chip, run by Verilator, against the software model: RustHDL's own
//! simulator is not proof of what is synthesised.

use hayasashi_accel::{AccelError, CoProcessor, InProcessTransport, RemoteChip, VerilogStream};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::evaluate::default_table;
use hayasashi_model::top::Chip as Model;
use hayasashi_shogi::random::Random;
use hayasashi_sim::{verilog::Build, SimulatedChip, VerilogChip};
use hayasashi_spec::frame::{Header, MAX_BATCH, MAX_REQUEST_PAYLOAD};
use hayasashi_spec::opcode::Opcode;
use hayasashi_tests::{data_lines, image_from_sfen, program, replay::Tool};
use std::{os::unix::fs::PermissionsExt, path::PathBuf, time::Duration};

/// Clocks of silence after which the next request goes in, so that the chip's buffer is never over-run.
const QUIET_CLOCKS: u64 = 1000;

/// Gives the chip one request after the other; all that it answers.
fn answers(chip: &mut VerilogChip, requests: &[Vec<u8>]) -> Vec<u8> {
    let mut answers = Vec::new();
    for request in requests {
        chip.push(request);
        let mut last = chip.clocks();
        while chip.clocks() - last < QUIET_CLOCKS {
            let before = answers.len();
            chip.run(VerilogChip::STEP_CLOCKS).unwrap();
            chip.pull(&mut answers);
            if answers.len() > before || chip.pending() > 0 {
                last = chip.clocks();
            }
        }
    }
    answers
}

fn request(opcode: Opcode, count: usize, payload: &[u8]) -> Vec<u8> {
    let header =
        Header { opcode: opcode as u8, status: 0, sequence: 7, count: count as u16, length: payload.len() as u16 };
    let mut bytes = Vec::new();
    hayasashi_model::link::frame::encode_frame(header, payload, &mut bytes);
    bytes
}

/// One position of the data in so many is taken: four, or `HAYASASHI_STRIDE` (1 takes all 5,000).
fn stride() -> usize {
    std::env::var("HAYASASHI_STRIDE").map_or(4, |text| text.parse().expect("HAYASASHI_STRIDE is a number"))
}

/// Every network runs in every clock, as in the chip; `lockstep` passes over those that have settled.
#[test]
fn verilog_equals_model_byte_for_byte() {
    if !Tool::Verilator.installed() {
        return;
    }
    let mut requests = Vec::new();
    let table = default_table().to_bytes();
    for (i, part) in table.chunks(MAX_REQUEST_PAYLOAD - 4).enumerate() {
        let mut payload = ((i * (MAX_REQUEST_PAYLOAD - 4)) as u32).to_le_bytes().to_vec();
        payload.extend(part);
        requests.push(request(Opcode::LoadTable, 0, &payload));
    }
    let sfens = data_lines("rules/uchifuzume.tsv")
        .into_iter()
        .chain(data_lines("rules/legal_moves.tsv").into_iter().step_by(stride()));
    let images: Vec<u8> = sfens.flat_map(|line| image_from_sfen(line.split('\t').next().unwrap()).0.bytes).collect();
    for batch in images.chunks(64 * MAX_BATCH) {
        for opcode in [Opcode::Generate, Opcode::Count, Opcode::Evaluate, Opcode::Expand] {
            requests.push(request(opcode, batch.len() / 64, batch));
        }
    }
    // Positions that cannot occur, and bytes that are no frame at all.
    let mut random = Random::from_state(1);
    let mut random = || random.below(256) as u8;
    for _ in 0..50 {
        let mut batch = images[..64 * 8].to_vec();
        for _ in 0..4 {
            let at = (random() as usize) << 1 | (random() as usize & 1);
            batch[at] ^= 1 << (random() % 8);
        }
        requests.push(request(Opcode::Generate, 8, &batch));
        requests.push((0..40).map(|_| random()).chain([0xC0]).collect());
    }
    let mut model = Model::default();
    model.push(&requests.concat());
    let mut expected = Vec::new();
    expected.extend(model.pull());
    let mut chip = VerilogChip::open(&Build::chip(&ChipConfig::default()).without_skipping()).unwrap();
    let answers = answers(&mut chip, &requests);
    let first = answers.iter().zip(&expected).position(|(a, b)| a != b);
    assert_eq!(first, None, "first byte that differs");
    assert_eq!(answers.len(), expected.len(), "bytes of answer");
}

/// Trees that the synthesised text walks by itself, with their published numbers.
#[test]
fn the_synthesised_text_walks() {
    if !Tool::Verilator.installed() {
        return;
    }
    for (sfen, depth, sums) in [
        ("startpos", "4", "nodes: 719731, expansions: 25470"),
        (
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "3",
            "nodes: 4809015, expansions: 28684",
        ),
    ] {
        let (code, out, err) = program::run(&["perft", depth, "--on-chip", "--backend", "verilog", "--sfen", sfen]);
        assert!(code == 0 && out.contains(sums), "{sfen}: {out}{err}");
    }
}

#[test]
fn a_simulation_that_ends_is_a_lost_chip() {
    if !Tool::Verilator.installed() {
        return;
    }
    let stream = VerilogStream::open(&Default::default()).unwrap();
    let process = nix::unistd::Pid::from_raw(stream.chip().process_id() as i32);
    let board = RemoteChip::connect(InProcessTransport(stream), Duration::from_secs(60)).unwrap();
    assert_eq!(board.echo(b"there").unwrap(), b"there");
    let simulated = board.simulation_statistics().expect("it is simulated");
    assert!(simulated.clocks > 0 && simulated.busy > Duration::ZERO);
    nix::sys::signal::kill(process, nix::sys::signal::SIGKILL).unwrap();
    let Err(AccelError::Lost { reason, .. }) = board.echo(b"there") else { panic!("it answers") };
    assert!(reason.contains("ended unexpectedly") && reason.contains("SIGKILL"), "{reason}");
}

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn missing_tools_are_told_with_the_cure() {
    let cache = scratch("no_tools");
    let mut command = program::command(&["--backend", "verilog", "info"]);
    command.env("PATH", &cache).env("HAYASASHI_CACHE", &cache);
    let (code, stdout, stderr) = program::texts(command.output().unwrap());
    assert_eq!((code, &stdout[..]), (2, ""));
    assert!(stderr.contains("`verilator`") && stderr.contains("apt install verilator g++ make"), "{stderr}");
}

#[test]
fn a_tool_that_fails_is_told_with_its_log() {
    let cache = scratch("bad_tools");
    for tool in ["verilator", "g++", "make"] {
        let path = cache.join(tool);
        std::fs::write(&path, "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho '%Error: out of sorts' >&2\nexit 1\n")
            .unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = program::command(&["--backend", "verilog", "info"]);
    command.env("PATH", &cache).env("HAYASASHI_CACHE", cache.join("cache"));
    let (code, _, stderr) = program::texts(command.output().unwrap());
    assert_eq!(code, 2);
    assert!(stderr.contains("`verilator` failed: %Error: out of sorts"), "{stderr}");
    let log = stderr.split("see ").nth(1).and_then(|rest| rest.split(';').next()).expect("a log").trim_matches('`');
    assert!(std::fs::read_to_string(log).unwrap().contains("out of sorts"), "{log}");
}

/// A damaged file in the cache was said to be a bad cable.
#[test]
fn a_damaged_chip_in_the_cache_is_built_again() {
    let cache = scratch("damaged_chip");
    for (tool, does) in [
        ("verilator", "/bin/mkdir -p obj"),
        ("g++", ""),
        ("make", "echo build >> ../builds; printf '#!/bin/sh\\nexit 7\\n' > obj/Vtop; /bin/chmod +x obj/Vtop"),
    ] {
        let path = cache.join(tool);
        std::fs::write(&path, format!("#!/bin/sh\n[ \"$1\" = --version ] && exit 0\n{does}\n")).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = program::command(&["--backend", "verilog", "info"]);
    command.env("PATH", &cache).env("HAYASASHI_CACHE", cache.join("cache"));
    let (code, _, stderr) = program::texts(command.output().unwrap());
    assert!(code == 2 && stderr.contains("cannot start") && !stderr.contains("cable"), "{stderr}");
    assert_eq!(std::fs::read_to_string(cache.join("cache/builds")).unwrap().lines().count(), 2, "{stderr}");
}
