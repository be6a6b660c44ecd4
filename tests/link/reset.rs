//! The chip's reset, in any clock of any work: what comes after it is answered as by a chip that was never disturbed, byte for
//! byte, and as by the software model.

use super::protocol::search;
use hayasashi_boards::ip::conversation;
use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::{evaluate::default_table, position::Position, search::Walker, top::Chip as Model};
use hayasashi_shogi::random::Random;
use hayasashi_sim::{verilog::Build, RtlChip, RtlWordChip, SimulatedChip, VerilogChip};
use hayasashi_spec::frame::{Header, MAX_REQUEST_PAYLOAD};
use hayasashi_spec::opcode::{Opcode, Status, ANSWER};
use hayasashi_spec::perft::{Sums, MIN_INTERVAL};
use hayasashi_spec::registers::Info;
use hayasashi_spec::search::{Found, SearchHead, MIN_TABLE_BITS};
use hayasashi_spec::word_frame::{Framing, WORD_BYTES};
use hayasashi_tests::image_from_sfen;
use hayasashi_tests::link::{fillers, frame, frames, in_words, word_frames};
use hayasashi_tests::replay::Tool;
use std::sync::Arc;

const INITIAL: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// 593 moves.
const MOST: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
/// Many drops, and pawn drops that may be mate.
const DROPS: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1";

fn image(sfen: &str) -> [u8; 64] {
    image_from_sfen(sfen).0.bytes
}

/// A walk of so many plies; the second byte of its head: reports of its progress.
fn walk(sfen: &str, depth: u8, interval: u8) -> Vec<u8> {
    frame(Opcode::Perft as u8, 9, 0, &[&[depth, interval, 0, 0], &image(sfen)[..]].concat())
}

/// The first parts of the evaluation table.
fn table(parts: usize) -> Vec<u8> {
    let size = MAX_REQUEST_PAYLOAD - 4;
    let parts = default_table()
        .to_bytes()
        .chunks(size)
        .take(parts)
        .enumerate()
        .map(|(i, part)| {
            frame(Opcode::LoadTable as u8, i as u16, 0, &[&((i * size) as u32).to_le_bytes(), part].concat())
        })
        .collect::<Vec<_>>();
    parts.concat()
}

fn batch(opcode: Opcode, count: usize) -> Vec<u8> {
    let images: Vec<u8> = [MOST, INITIAL, DROPS].iter().cycle().take(count).flat_map(|sfen| image(sfen)).collect();
    frame(opcode as u8, 3, count as u16, &images)
}

/// Work of one of so many kinds, and clocks in which most of it is done.
fn work(random: &mut Random, kinds: usize) -> (Vec<u8>, usize) {
    let count = 1 + random.below(6);
    let opcode = [Opcode::Count, Opcode::Generate, Opcode::Evaluate, Opcode::Expand][random.below(4)];
    let position = [INITIAL, MOST, DROPS][random.below(3)];
    match random.below(kinds) {
        0 => (vec![0xDB; 1 + random.below(30)], 40),
        1 => ([batch(opcode, count), batch(Opcode::Generate, 3)].concat(), 1_500 + 1_500 * count),
        2 | 3 => (walk(position, 2 + random.below(5) as u8, [0, 10][random.below(2)]), 6_000),
        4 => ([batch(Opcode::Generate, 1), walk(position, 3, 10), batch(Opcode::Count, 3)].concat(), 4_000),
        5 => (table(1 + random.below(3)), 8_000),
        // More than the buffer holds, and two CANCELs behind a walk.
        6 => {
            let cancel = frame(Opcode::Cancel as u8, 1, 0, &[]);
            ([walk(INITIAL, 8, 10), batch(Opcode::Count, 30).repeat(5), cancel.clone(), cancel].concat(), 12_000)
        }
        _ => (table(usize::MAX), 300_000),
    }
}

/// The one with which 150 rounds were run, too.
const SEED: u64 = 150;
/// Kinds of work, and those without whole tables.
const KINDS: usize = 8;
const SHORT_KINDS: usize = KINDS - 1;

/// All that a chip answers in so many clocks.
fn answers<C: SimulatedChip>(chip: &mut C, requests: &[u8], clocks: u32) -> Vec<u8> {
    let (mut bytes, start) = (Vec::new(), chip.clocks());
    chip.push(requests);
    while chip.clocks() < start + clocks as u64 || chip.pending() > 0 {
        chip.run(C::STEP_CLOCKS).unwrap();
        chip.pull(&mut bytes);
    }
    bytes
}

/// What is asked after a reset: registers, the evaluation without a table, the second part of one, walks, and the registers again.
fn requests(also: &[u8]) -> Vec<u8> {
    let second_part = frame(Opcode::LoadTable as u8, 2, 0, &[&2044u32.to_le_bytes()[..], &[0; 16]].concat());
    let info = frame(Opcode::Info as u8, 1, 0, &[]);
    let evaluate = frame(Opcode::Evaluate as u8, 4, 1, &image(INITIAL));
    [info.clone(), evaluate, second_part, walk(INITIAL, 3, 0), walk(DROPS, 2, 10), info, also.to_vec()].concat()
}

/// The answers to [`requests`] as they must be from any chip: leaves by the rules, registers of a chip without past.
fn check_answers(framing: Framing, bytes: &[u8]) {
    let answers = answers_in(framing, bytes);
    let statuses: Vec<u8> = answers.iter().take(4).map(|(header, _)| header.status).collect();
    assert_eq!(statuses, [Status::Ok, Status::NoTable, Status::TableSequence, Status::Ok].map(|status| status as u8));
    let info = |at: usize| -> Info { bytemuck::pod_read_unaligned(&answers[at].1) };
    let first = info(0);
    assert_eq!((first.frames, first.bad_frames, first.positions), (1, 0, 0));
    assert_eq!((first.table_loaded, first.table_version, first.table_checksum), (0, 0, 0));
    assert!(first.clocks < 100, "{} clocks since the reset", first.clocks);
    assert_eq!(answers[2].1, [0; 4], "the offset expected");
    let sums: Sums = bytemuck::pod_read_unaligned(&answers[3].1);
    assert_eq!((sums.nodes, sums.expansions), (25_470, 900));
}

/// Disturbs a chip, resets it, and compares it with one that was never disturbed: `rounds` times.
fn check<C: SimulatedChip>(new: impl Fn() -> C, kinds: usize, rounds: usize, also: &[u8], clocks: u32) -> C {
    let (mut chip, mut random) = (new(), Random::from_state(SEED));
    let framing = chip.framing();
    let requests = behind(framing, &requests(also));
    let expected = answers(&mut new(), &requests, clocks);
    check_answers(framing, &expected);
    for round in 0..rounds {
        let (bytes, most) = work(&mut random, kinds);
        let bytes = behind(framing, &bytes);
        let clocks_before = 1 + random.below(most) as u32;
        chip.push(&bytes);
        let end = chip.clocks() + clocks_before as u64;
        while chip.clocks() < end {
            chip.run(((end - chip.clocks()) as u32).min(C::STEP_CLOCKS)).unwrap();
        }
        chip.reset().unwrap();
        let got = answers(&mut chip, &requests, clocks);
        assert!(
            got == expected,
            "{}, round {round}: after {clocks_before} clocks of {} bytes that begin {:02X?} and a reset\n{:?}\n{:?}",
            chip.name(),
            bytes.len(),
            &bytes[..bytes.len().min(16)],
            heads(framing, &got),
            heads(framing, &expected),
        );
    }
    chip
}

/// The same bytes behind a port with these frames.
fn behind(framing: Framing, bytes: &[u8]) -> Vec<u8> {
    match (framing, bytes.first()) {
        (Framing::Slip, _) => bytes.to_vec(),
        // No frame.
        (Framing::Words, Some(0xDB)) => bytes.repeat(WORD_BYTES),
        (Framing::Words, _) => [fillers(1), in_words(bytes)].concat(),
    }
}

fn answers_in(framing: Framing, bytes: &[u8]) -> Vec<(Header, Vec<u8>)> {
    match framing {
        Framing::Slip => frames(bytes),
        Framing::Words => word_frames(bytes),
    }
}

fn heads(framing: Framing, bytes: &[u8]) -> Vec<Header> {
    answers_in(framing, bytes).into_iter().map(|(header, _)| header).collect()
}

#[test]
fn the_simulated_chip_forgets_all_at_a_reset() {
    check(RtlChip::default, SHORT_KINDS, 8, &[], 9_000);
}

#[test]
fn the_simulated_chip_behind_its_word_port_forgets_all_at_a_reset() {
    check(RtlWordChip::default, SHORT_KINDS, 8, &[], 9_000);
}

#[test]
fn the_verilog_of_the_word_port_forgets_all_at_a_reset() {
    if Tool::Verilator.installed() {
        let open = || VerilogChip::open(&Build::word_chip(&ChipConfig::default())).unwrap();
        check(open, KINDS, 40, &[], 60_000);
    }
}

/// The Verilog as it is synthesised; also with the conversation of the releases, and with whole tables.
#[test]
fn the_verilog_forgets_all_at_a_reset() {
    if !Tool::Verilator.installed() {
        return;
    }
    let spoken = conversation(Framing::Slip, true);
    let open = || VerilogChip::open(&Build::chip(&ChipConfig::default())).unwrap();
    let mut chip = check(open, KINDS, 40, &spoken.requests, 60_000);
    // After so many resets the chip answers like the model, and takes a table.
    chip.reset().unwrap();
    assert!(answers(&mut chip, &spoken.requests, 60_000) == spoken.answers);
    chip.reset().unwrap();
    let requests = [table(usize::MAX), frame(Opcode::Evaluate as u8, 4, 1, &image(DROPS))].concat();
    let mut model = Model::new(hayasashi_model::Model::default());
    model.push(&requests);
    assert!(answers(&mut chip, &requests, 300_000) == model.pull());
}

/// A search in the frame of a request.
fn searching(sfen: &str, head: SearchHead) -> Vec<u8> {
    frame(Opcode::Search as u8, 5, 0, &search(head, &image(sfen), &[]))
}

/// What the model finds.
fn found(sfen: &str, head: SearchHead) -> Found {
    let position = Position::from(&image_from_sfen(sfen).0);
    let mut walker = Walker::new(head, Arc::new(default_table()), &position, std::iter::empty());
    while walker.step() {}
    walker.found()
}

#[test]
fn a_reset_in_the_middle_of_a_search_leaves_nothing_behind() {
    if Tool::Verilator.installed() {
        [ChipConfig::searching(), ChipConfig::search_only()].iter().for_each(forgets_searches);
    }
}

fn forgets_searches(config: &ChipConfig) {
    let mut chip = VerilogChip::open(&Build::chip(config)).unwrap();
    let limited = [(DROPS, 60), (INITIAL, 100)]
        .map(|(sfen, nodes)| (sfen, SearchHead { nodes, table_bits: MIN_TABLE_BITS, ..SearchHead::default() }));
    let searches = limited.map(|(sfen, head)| searching(sfen, head)).concat();
    let (requests, clocks) = ([table(usize::MAX), searches, batch(Opcode::Count, 3)].concat(), 310_000);
    let expected = answers(&mut chip, &requests, clocks);
    let answered = frames(&expected);
    let searched = |(header, _): &&(Header, Vec<u8>)| header.opcode == Opcode::Search as u8 | ANSWER;
    let of_searches: Vec<Found> = answered
        .iter()
        .filter(searched)
        .map(|(_, payload)| Found { clocks: 0, ..bytemuck::pod_read_unaligned(payload) })
        .collect();
    assert_eq!(of_searches, limited.map(|(sfen, head)| found(sfen, head)));
    let mut random = Random::from_state(SEED);
    for round in 0..4 {
        // One endless search is under way, two wait. The last one may be cancelled, and with it all.
        let cancel = frame(Opcode::Cancel as u8, 1, 0, &[]);
        let endless = SearchHead { table_bits: MIN_TABLE_BITS, interval: MIN_INTERVAL, ..SearchHead::default() };
        let three = [INITIAL, DROPS, MOST].map(|sfen| searching(sfen, endless)).concat();
        chip.push(&[three, cancel.repeat(round % 2)].concat());
        let end = chip.clocks() + 1 + random.below(20_000) as u64;
        while chip.clocks() < end {
            chip.run(((end - chip.clocks()) as u32).min(VerilogChip::STEP_CLOCKS)).unwrap();
        }
        chip.reset().unwrap();
        assert!(answers(&mut chip, &requests, clocks) == expected, "round {round}, up to clock {end}");
    }
}
