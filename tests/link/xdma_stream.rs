//! `hayasashi_axis64` behind a model of Xilinx' DMA bridge XDMA, under cocotb with the stream models of cocotbext-axi.

use super::axi_stream::{folder, text, under_cocotb, Bench, SMALL};
use hayasashi_model::{top::Chip as Model, Model as Contents};
use hayasashi_spec::{frame::MAX_BATCH, opcode::Opcode, word_frame::Framing};
use hayasashi_tests::{data_lines, image_from_sfen, link::word_frame, python};
use std::fs;

const NAME: &str = "hayasashi_axis64";
const BENCH: Bench =
    Bench { text: include_str!("../data/axi/xdma_bench.py"), ports: &["a*", "?_axis_t*", "packet_words"] };

/// All positions of the data at random paces; a host that does not read; packets of an idle chip; hosts that die, with and
/// without a reset.
#[test]
fn a_card_with_xdma_answers_like_the_model() {
    let Some(venv) = python::with(&["cocotb", "cocotbext.axi"]) else { return };
    let folder = folder("axi_xdma");
    let lines = ["rules/legal_moves.tsv", "rules/uchifuzume.tsv"].map(data_lines).concat();
    let images: Vec<[u8; 64]> =
        lines.iter().map(|line| image_from_sfen(line.split('\t').next().unwrap()).0.bytes).collect();
    let mut model = Model::behind(Framing::Words, Contents::default());
    let mut requests = Vec::new();
    for (sequence, batch) in images.chunks(MAX_BATCH).enumerate() {
        requests.extend(word_frame(Opcode::Count as u8, sequence as u16, batch.len() as u16, &batch.concat()));
    }
    model.push(&requests);
    fs::write(folder.join("requests.bin"), &requests).unwrap();
    fs::write(folder.join("answers.bin"), model.pull()).unwrap();
    let place = folder.display().to_string();
    let verilog = text(&SMALL, &format!("{NAME}.v"));
    let output = under_cocotb(&venv, &folder, NAME, &verilog, &BENCH, &[("HAYASASHI_CARD", &place)]);
    for line in output.lines().filter(|line| line.ends_with(" clocks")) {
        println!("{line}");
    }
    assert!(output.contains(&format!("all_positions: {} positions, 0 differences", images.len())), "{output}");
}
