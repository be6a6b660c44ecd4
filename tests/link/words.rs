//! The chip behind its word port: every answer is the software model's, whatever is wrong with the requests, and no word is lost.

use hayasashi_hdl::{config::ChipConfig, top::word_chip::WordChip};
use hayasashi_model::{top::Chip as Model, Model as Contents};
use hayasashi_sim::{verilog::Build, RtlWordChip, SimulatedChip, Stepper, VerilogChip};
use hayasashi_spec::{
    frame::{Header, MAX_REQUEST_PAYLOAD},
    opcode::{Opcode, Status},
    registers::{Info, BOARD_SIMULATION},
    word_frame::{has_mark, Framing, FLUSH_WORDS, WORD_BYTES},
    MAGIC,
};
use hayasashi_tests::{
    data_lines, image_from_sfen,
    link::{fillers, word_frame, word_frames},
    replay::Tool,
};

const INITIAL: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// 593 moves.
const MOST: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
/// Two kings of one side.
const IMPOSSIBLE: &str = "4k4/9/9/9/9/9/9/9/K3K4 b - 1";

/// Clocks without a word after which a chip has answered everything.
const QUIET: u64 = 2_000;

/// All that a chip answers.
fn answers(chip: &mut impl SimulatedChip, requests: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    chip.push(requests);
    let mut last = chip.clocks();
    while chip.clocks() - last < QUIET {
        let before = (bytes.len(), chip.pending());
        chip.run(64).unwrap();
        chip.pull(&mut bytes);
        if before != (bytes.len(), chip.pending()) {
            last = chip.clocks();
        }
    }
    assert_eq!(chip.pending(), 0, "words that the chip does not take");
    bytes
}

/// The chip's answers are the model's, word for word.
fn check(chip: &mut impl SimulatedChip, model: &mut Model, what: &str, requests: &[u8]) {
    model.push(requests);
    let expected = word_frames(&model.pull());
    let got = word_frames(&answers(chip, requests));
    let heads = |frames: &[(Header, Vec<u8>)]| frames.iter().map(|(header, _)| *header).collect::<Vec<_>>();
    assert_eq!(heads(&got), heads(&expected), "{}: {what}", chip.name());
    assert!(got == expected, "{}: {what}: a payload differs", chip.name());
}

fn batch(opcode: Opcode, sequence: u16, count: usize) -> Vec<u8> {
    let sfens = [INITIAL, IMPOSSIBLE, MOST].into_iter().cycle().take(count);
    let images: Vec<u8> = sfens.flat_map(|sfen| image_from_sfen(sfen).0.bytes).collect();
    word_frame(opcode as u8, sequence, count as u16, &images)
}

fn echo(sequence: u16, bytes: usize) -> Vec<u8> {
    word_frame(Opcode::Echo as u8, sequence, 0, &(0..bytes).map(|i| (i as u8) ^ 0xC0).collect::<Vec<_>>())
}

/// Everything but `INFO` and what takes long to simulate.
fn conversation(chip: &mut impl SimulatedChip) {
    let mut model = Model::behind(Framing::Words, Contents::default());
    let mut check = |what: &str, requests: &[u8]| check(chip, &mut model, what, requests);
    check("fillers", &fillers(FLUSH_WORDS));
    for bytes in (0..20).chain([255, 2047, MAX_REQUEST_PAYLOAD]) {
        check(&format!("ECHO of {bytes} bytes"), &echo(bytes as u16, bytes));
    }
    check("ECHO of END bytes", &word_frame(Opcode::Echo as u8, 1, 0, &[0xC0; 64]));
    for opcode in [Opcode::Count, Opcode::Generate, Opcode::Evaluate, Opcode::Expand] {
        check(opcode.name(), &[batch(opcode, 1, 1), fillers(2), batch(opcode, 2, 3)].concat());
        check("a wrong length", &word_frame(opcode as u8, 7, 2, &[0; 64]));
        check("no position", &word_frame(opcode as u8, 7, 0, &[]));
    }
    check("an empty position", &word_frame(Opcode::Count as u8, 1, 1, &[0; 64]));
    let walk = |depth, image: &str| [&[depth, 0, 0, 0][..], &image_from_sfen(image).0.bytes].concat();
    check("a walk without plies", &word_frame(Opcode::Perft as u8, 1, 0, &walk(0, INITIAL)));
    check("a walk of an impossible position", &word_frame(Opcode::Perft as u8, 1, 0, &walk(2, IMPOSSIBLE)));
    check("CANCEL", &word_frame(Opcode::Cancel as u8, 9, 0, &[]));
    check("a part of a table", &word_frame(Opcode::LoadTable as u8, 9, 0, &[5, 0, 0, 0, 1, 2, 3]));
    check("an empty part", &word_frame(Opcode::LoadTable as u8, 9, 0, &[0; 4]));
    check("no part", &word_frame(Opcode::LoadTable as u8, 9, 0, &[0; 3]));
    check("unknown opcodes", &[word_frame(0x7E, 1, 0, &[]), word_frame(0x91, 2, 5, &[1; 9])].concat());

    // Bad frames: everything behind them is skipped up to a filler.
    let good = echo(0x55AA, 24);
    for bit in (0..8 * good.len()).step_by(7) {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        check(&format!("bit {bit}"), &[&bad, &good[..], &fillers(FLUSH_WORDS), &good].concat());
    }
    for words in 1..good.len() / WORD_BYTES {
        check(
            &format!("{words} words of a frame"),
            &[&good[..WORD_BYTES * words], &fillers(FLUSH_WORDS), &good].concat(),
        );
        check(&format!("word {words} is lost"), &{
            let mut bytes = good.clone();
            bytes.drain(WORD_BYTES * words..WORD_BYTES * (words + 1));
            [bytes, fillers(FLUSH_WORDS), good.clone()].concat()
        });
    }
    let mut long = echo(1, MAX_REQUEST_PAYLOAD);
    long[6] = 1;
    check("a payload too long", &[&long[..], &good, &fillers(1), &good].concat());
    long[6..8].fill(0xFF);
    check("the longest length field", &[&long[..8], &fillers(1), &good].concat());
    let whole = echo(2, MAX_REQUEST_PAYLOAD);
    check("the longest frame cut short", &[&whole[..WORD_BYTES * 3], &fillers(FLUSH_WORDS), &whole].concat());
}

#[test]
fn the_simulated_chip_answers_as_the_model() {
    let mut chip = RtlWordChip::default();
    conversation(&mut chip);
    let answers = word_frames(&answers(&mut chip, &word_frame(Opcode::Info as u8, 7, 0, &[])));
    assert_eq!((answers.len(), answers[0].0.status), (1, Status::Ok as u8));
    let info: Info = bytemuck::pod_read_unaligned(&answers[0].1);
    assert_eq!((info.magic, info.board), (MAGIC, BOARD_SIMULATION));
    assert!(info.bad_frames > 0 && info.frames > 50, "{info:?}");
}

#[test]
fn the_verilog_answers_as_the_model() {
    if Tool::Verilator.installed() {
        conversation(&mut VerilogChip::open(&Build::word_chip(&ChipConfig::default())).unwrap());
    }
}

/// Clocks that a chip takes to answer these requests, and the answers.
fn clocks(chip: &mut impl SimulatedChip, requests: &[Vec<u8>]) -> (u64, usize, usize) {
    let (begun, expected) = (chip.clocks(), 32 * requests.len());
    let mut bytes = Vec::new();
    chip.push(&requests.concat());
    let mut answers = Vec::new();
    while answers.len() < expected {
        chip.run(64).unwrap();
        chip.pull(&mut bytes);
        if chip.pending() == 0 && word_frames_end(&bytes) {
            answers = word_frames(&bytes);
        }
        assert!(chip.clocks() - begun < 500_000, "{} of {expected} answers", answers.len());
    }
    assert!(answers.iter().all(|(header, _)| header.status == Status::Ok as u8));
    (chip.clocks() - begun, expected, answers.iter().map(|(_, payload)| (payload.len() - 4) / 6).sum())
}

/// Loading, counting and answering overlap: a position takes no more than ten clocks, a child of `EXPAND` little more than one.
#[test]
fn positions_follow_each_other_closely() {
    if !Tool::Verilator.installed() {
        return;
    }
    let mut chip = VerilogChip::open(&Build::word_chip(&ChipConfig::default())).unwrap();
    let table = hayasashi_model::evaluate::first_table().to_bytes();
    for (i, part) in table.chunks(2000).enumerate() {
        let offset = (2000 * i as u32).to_le_bytes();
        let answers = answers(&mut chip, &word_frame(Opcode::LoadTable as u8, 0, 0, &[&offset, part].concat()));
        assert_eq!((answers.len(), answers[1]), (24, Status::Ok as u8), "part {i}");
    }
    let lines = data_lines("rules/legal_moves.tsv");
    let images: Vec<Vec<u8>> =
        lines.iter().take(640).map(|line| image_from_sfen(line.split('\t').next().unwrap()).0.bytes.to_vec()).collect();
    let requests = |opcode: Opcode| -> Vec<Vec<u8>> {
        images.chunks(32).map(|batch| word_frame(opcode as u8, 9, 32, &batch.concat())).collect()
    };
    for opcode in [Opcode::Count, Opcode::Evaluate] {
        let (clocks, positions, _) = clocks(&mut chip, &requests(opcode));
        println!("{}: {:.2} clocks a position", opcode.name(), clocks as f64 / positions as f64);
        assert!(clocks <= 10 * positions as u64, "{}: {clocks} clocks", opcode.name());
    }
    let (clocks, _, children) = clocks(&mut chip, &requests(Opcode::Expand));
    println!("EXPAND: {:.3} children a clock", children as f64 / clocks as f64);
    assert!(10 * children as u64 >= 9 * clocks, "{children} children in {clocks} clocks");
}

/// More requests than the buffer holds, while no answer is taken: the port is not ready, and nothing is lost or `BUSY`.
#[test]
fn the_port_is_not_ready_while_there_is_no_room() {
    let mut chip = RtlWordChip::default();
    let requests: Vec<u8> = (0..12).flat_map(|i| echo(i, MAX_REQUEST_PAYLOAD)).collect();
    chip.tx_ready = false;
    chip.push(&requests);
    chip.run(6_000).unwrap();
    assert!(chip.pending() > requests.len() / 4, "{} bytes wait", chip.pending());
    chip.tx_ready = true;
    let answers = word_frames(&answers(&mut chip, &[]));
    let got: Vec<_> = answers.iter().map(|(header, _)| (header.sequence, header.status)).collect();
    assert_eq!(got, (0..12).map(|i| (i, Status::Ok as u8)).collect::<Vec<_>>());
}

/// `tx_last` is high with the trailer of each answer and with no other word; answers keep while they are not taken.
#[test]
fn every_answer_is_a_packet() {
    let mut stepper = Stepper::new(WordChip::new(&ChipConfig::default()));
    let requests = [echo(1, 100), batch(Opcode::Expand, 2, 3), word_frame(0x7E, 3, 0, &[])].concat();
    let mut words =
        requests.chunks_exact(WORD_BYTES).map(|word| u64::from_le_bytes(word.try_into().unwrap())).peekable();
    let (mut sent, mut packets, mut held) = (Vec::new(), 0, None);
    for clock in 0..12_000u64 {
        let takes = clock.wrapping_mul(0x9E37_79B9) >> 9 & 3 != 0;
        let port = &mut stepper.block.words;
        port.rx_valid.next = words.peek().is_some();
        port.rx_data.next = words.peek().copied().unwrap_or(0).into();
        port.tx_ready.next = takes;
        stepper.settle();
        let port = &stepper.block.words;
        if port.rx_ready.val() {
            words.next();
        }
        if port.tx_valid.val() {
            let now = (port.tx_data.val().to_u64(), port.tx_last.val());
            assert!(held.is_none_or(|held| held == now), "a word changes before it is taken");
            held = (!takes).then_some(now);
            if takes {
                sent.extend(now.0.to_le_bytes());
                packets += now.1 as usize;
                assert_eq!(now.1, word_frames_end(&sent), "word {} of the answers", sent.len() / WORD_BYTES);
            }
        } else {
            assert!(held.is_none(), "a word is withdrawn");
        }
        stepper.rise();
    }
    assert_eq!((packets, word_frames(&sent).len()), (5, 5));
}

/// Whether an answer ends with the last of these words.
fn word_frames_end(bytes: &[u8]) -> bool {
    let words: Vec<u64> = bytes.chunks_exact(WORD_BYTES).map(|w| u64::from_le_bytes(w.try_into().unwrap())).collect();
    let mut at = 0;
    while at < words.len() {
        at += hayasashi_spec::word_frame::frame_words(hayasashi_spec::word_frame::header(words[at]).length.into());
    }
    at == words.len() && words.last().copied().is_some_and(has_mark)
}
