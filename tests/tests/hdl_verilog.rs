//! The Verilog that RustHDL emits for the whole chip, run by Verilator, against the software model: RustHDL's own
//! simulator is not proof of what is synthesised.

use hayasashi::model::evaluate::first_table;
use hayasashi::model::top::Chip as Model;
use hayasashi_hdl::top::config::ChipConfig;
use hayasashi_spec::frame::{Header, MAX_BATCH, MAX_REQUEST_PAYLOAD};
use hayasashi_spec::opcode::Opcode;
use hayasashi_tests::{data_lines, image_from_sfen, skip};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Feeds the chip a file of requests from standard input, one byte per clock, and prints what it sends. A request goes in
/// when the chip has been silent for a while, so that its buffer is never over-run.
const BENCH: &str = r#"
#include "Vtop.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <vector>
int main(int argc, char **argv) {
    Vtop chip;
    std::vector<unsigned char> in;
    for (int c; (c = getchar()) != EOF;) in.push_back(c);
    // Each request begins and ends with a frame end; a long silence ends the run.
    size_t at = 0;
    unsigned long clocks = 0, quiet = 0;
    int ends = 0;
    chip.clock = 0; chip.rx_valid = 0; chip.rx_data = 0; chip.tx_ready = 1; chip.eval();
    while (quiet < 5000) {
        bool send = at < in.size() && (ends % 2 == 1 || quiet > 1000 || at == 0);
        if (send) {
            chip.rx_valid = 1; chip.rx_data = in[at];
            if (in[at] == 0xC0) ends++;
            at++;
        } else chip.rx_valid = 0;
        chip.eval();
        if (chip.tx_valid) { putchar(chip.tx_data); quiet = 0; } else if (!send) quiet++; else quiet = 0;
        chip.clock = 1; chip.eval();
        chip.clock = 0; chip.eval();
        clocks++;
    }
    fprintf(stderr, "%lu clocks\n", clocks);
    return 0;
}
"#;

/// Builds the chip's Verilog with Verilator; `None` where there is no Verilator.
fn build() -> Option<PathBuf> {
    if Command::new("verilator").arg("--version").output().is_err() {
        skip("verilator is not installed (Debian package `verilator`)");
        return None;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("verilog_chip");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("top.v"), hayasashi_hdl::verilog::chip(&ChipConfig::default())).unwrap();
    std::fs::write(folder.join("bench.cpp"), BENCH).unwrap();
    let output = Command::new("verilator")
        .args(["--cc", "--exe", "--build", "-O3", "--x-assign", "fast", "--noassert", "-CFLAGS", "-O1"])
        .args(["-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "top", "-Mdir", "obj", "top.v", "bench.cpp"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "verilator failed:\n{errors}");
    Some(folder.join("obj/Vtop"))
}

fn run(program: &PathBuf, requests: &[u8]) -> Vec<u8> {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let requests = requests.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&requests).unwrap());
    let mut answers = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut answers).unwrap();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    answers
}

fn request(opcode: Opcode, count: usize, payload: &[u8], into: &mut Vec<u8>) {
    let header =
        Header { opcode: opcode as u8, status: 0, sequence: 7, count: count as u16, length: payload.len() as u16 };
    hayasashi::model::link::frame::encode_frame(header, payload, into);
}

/// One position of the data in so many is taken: four, or `HAYASASHI_STRIDE` (1 takes all 5,000).
fn stride() -> usize {
    std::env::var("HAYASASHI_STRIDE").map_or(4, |text| text.parse().expect("HAYASASHI_STRIDE is a number"))
}

#[test]
fn verilog_equals_model_byte_for_byte() {
    let Some(program) = build() else { return };
    let mut requests = Vec::new();
    let table = first_table().to_bytes();
    for (i, part) in table.chunks(MAX_REQUEST_PAYLOAD - 4).enumerate() {
        let mut payload = ((i * (MAX_REQUEST_PAYLOAD - 4)) as u32).to_le_bytes().to_vec();
        payload.extend(part);
        request(Opcode::LoadTable, 0, &payload, &mut requests);
    }
    let sfens = data_lines("rules/uchifuzume.tsv")
        .into_iter()
        .chain(data_lines("rules/legal_moves.tsv").into_iter().step_by(stride()));
    let images: Vec<u8> = sfens.flat_map(|line| image_from_sfen(line.split('\t').next().unwrap()).0.bytes).collect();
    for batch in images.chunks(64 * MAX_BATCH) {
        for opcode in [Opcode::Generate, Opcode::Count, Opcode::Evaluate] {
            request(opcode, batch.len() / 64, batch, &mut requests);
        }
    }
    // Positions that cannot occur, and bytes that are no frame at all.
    let mut noise = 1u64;
    let mut random = || {
        noise = noise.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (noise >> 56) as u8
    };
    for _ in 0..50 {
        let mut batch = images[..64 * 8].to_vec();
        for _ in 0..4 {
            let at = (random() as usize) << 1 | (random() as usize & 1);
            batch[at] ^= 1 << (random() % 8);
        }
        request(Opcode::Generate, 8, &batch, &mut requests);
    }
    let mut model = Model::default();
    model.push(&requests);
    let mut expected = Vec::new();
    expected.extend(model.pull());
    let answers = run(&program, &requests);
    let first = answers.iter().zip(&expected).position(|(a, b)| a != b);
    assert_eq!(first, None, "first byte that differs");
    assert_eq!(answers.len(), expected.len(), "bytes of answer");
}
