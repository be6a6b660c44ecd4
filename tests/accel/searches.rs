//! Searches by a simulated chip: a walker works on one request at a time, while others wait in the chip's buffer.

use hayasashi_accel::search::{many, SearchVerifier};
use hayasashi_accel::{
    CoProcessor, InProcessTransport, ModelBackend, RemoteChip, SearchRequest, StreamChip, VerilogStream,
};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::{evaluate::Evaluation, search::Walker};
use hayasashi_shogi::rules::Position;
use hayasashi_spec::{
    frame::{Header, MAX_REQUEST_PAYLOAD},
    opcode::{Opcode, Status},
    position::PositionImage,
    registers::CAP_NETWORK,
    search::*,
    word_frame::Framing,
};
use hayasashi_tests::{
    data_lines, image_from_sfen,
    link::{word_frame, word_frames},
    replay::Tool,
};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

const GREETING: Duration = Duration::from_secs(60);

fn chip() -> ChipConfig {
    ChipConfig::with_network()
}

/// The built-in table or, for a chip that takes it, the built-in network.
fn evaluation(chip: &ChipConfig) -> Evaluation {
    Evaluation::default().for_chip(chip.capabilities)
}

fn request(sfen: &str, head: SearchHead) -> SearchRequest {
    SearchRequest::of_game(head, &[], &Position::from_sfen(sfen).unwrap())
}

/// Gives a chip behind its word port all of `requests`, and steps it until it gives no more answers. Returns them, without reports of
/// progress, and the chip's clock at the last one.
fn exchange(chip: &mut VerilogStream, requests: &[u8]) -> (Vec<(Header, Vec<u8>)>, u64) {
    let (mut sent, mut got, mut buffer, mut clocks) = (0, Vec::new(), [0; 4096], 0);
    loop {
        sent += chip.push(&requests[sent..]);
        if !chip.step().unwrap() {
            let mut answers = word_frames(&got);
            answers.retain(|(header, _)| header.status != Status::Progress as u8);
            return (answers, clocks);
        }
        let bytes = chip.pull(&mut buffer);
        if bytes > 0 {
            got.extend(&buffer[..bytes]);
            clocks = chip.simulation_statistics().unwrap().clocks;
        }
    }
}

/// Requests that wait in the chip's buffer follow each other without a pause, and are answered as by the model.
#[test]
fn walkers_are_busy_while_requests_wait() {
    if !Tool::Verilator.installed() {
        return;
    }
    let one = walk(&ChipConfig::searching(), 8);
    let corrected = walk(&chip(), 8);
    let two = walk(&ChipConfig::search_only(), 16);
    let search_only = ChipConfig::search_only();
    let capabilities = search_only.capabilities | CAP_NETWORK;
    let four = walk(&ChipConfig { search_walkers: 4, capabilities, ..search_only }, 24);
    // The last searches end at different times.
    assert!(one > 0.9 && corrected > 0.9 && two > 0.8 && four > 0.7, "{one} {corrected} {two} {four}");
}

/// The part of a chip's clocks in which its walkers are busy with so many requests.
fn walk(config: &ChipConfig, requests: u16) -> f64 {
    let mut chip = VerilogStream::behind(Framing::Words, config).unwrap();
    let evaluation = evaluation(config);
    let table = evaluation.to_bytes();
    const PART: usize = MAX_REQUEST_PAYLOAD - 4;
    let part = |(index, part): (usize, &[u8])| [&((PART * index) as u32).to_le_bytes(), part].concat();
    for part in table.chunks(PART).enumerate().map(part) {
        let (answers, _) = exchange(&mut chip, &word_frame(Opcode::LoadTable as u8, 0, 0, &part));
        assert_eq!((answers.len(), answers[0].0.status), (1, Status::Ok as u8));
    }
    let lines = data_lines("rules/sampled_positions.sfen");
    // A simulated chip rests when it has given nothing for a while.
    let head = SearchHead { nodes: 1000, table_bits: 10, interval: 14, ..SearchHead::default() };
    let step = lines.len() / usize::from(requests);
    let images = lines.iter().step_by(step).map(|line| image_from_sfen(line.split('\t').next().unwrap()).0);
    let images: Vec<PositionImage> = images.take(requests.into()).collect();
    let request = |(sequence, image): (u16, &PositionImage)| {
        let payload = [bytemuck::bytes_of(&head), &image.bytes].concat();
        word_frame(Opcode::Search as u8, sequence, 0, &payload)
    };
    let frames: Vec<u8> = (0..requests).zip(&images).flat_map(request).collect();
    let start = chip.simulation_statistics().unwrap().clocks;
    let (answers, end) = exchange(&mut chip, &frames);
    let sequences: Vec<u16> = answers.iter().map(|(header, _)| header.sequence).collect();
    assert_eq!(sequences, (0..requests).collect::<Vec<_>>());
    let found: Vec<Found> = answers.iter().map(|(_, payload)| bytemuck::pod_read_unaligned(payload)).collect();
    for (found, image) in found.iter().zip(&images) {
        let mut walker = Walker::new(head, evaluation.clone(), &image.into(), std::iter::empty());
        while walker.step() {}
        assert_eq!(Found { clocks: 0, ..*found }, walker.found(), "{image:?}");
    }
    let (busy, nodes, steps) = found.iter().fold((0, 0, 0), |(clocks, nodes, steps), found| {
        (clocks + found.clocks, nodes + found.nodes, steps + found.steps)
    });
    assert!(nodes >= 900 * u64::from(requests), "{nodes} nodes");
    let all = end - start;
    let part = busy as f64 / (all * u64::from(config.walkers())) as f64;
    println!(
        "{} walkers, network {}, {requests} requests, {nodes} nodes, {all} clocks: {:.1} a node, busy {:.1} %, {:.1} a step of one",
        config.walkers(),
        evaluation.network.is_some(),
        all as f64 / nodes as f64,
        100.0 * part,
        busy as f64 / steps as f64
    );
    part
}

#[test]
fn searches_wait_report_and_end() {
    if !Tool::Verilator.installed() {
        return;
    }
    let chip = RemoteChip::connect(InProcessTransport(VerilogStream::open(&chip()).unwrap()), GREETING).unwrap();
    let model = ModelBackend::new();
    for chip in [&chip as &dyn CoProcessor, &model] {
        chip.set_evaluation(&Evaluation::default()).unwrap();
    }
    let most = chip.identity().unwrap().search_table_bits as u8;
    assert!((MIN_TABLE_BITS..MAX_TABLE_BITS).contains(&most));

    // More requests than the buffer holds, since their paths are long; tables larger than the chip has.
    let head = SearchHead { nodes: 300, table_bits: MAX_TABLE_BITS, ..SearchHead::default() };
    let lines = data_lines("rules/sampled_positions.sfen");
    let sfens: Vec<&str> =
        lines.iter().step_by(lines.len() / 12).map(|text| text.split('\t').next().unwrap()).collect();
    let path = |i: usize| (0..MAX_PATH as u64 - 20 * i as u64).map(|word| (word * word) << (i % 9)).collect();
    let requests: Vec<SearchRequest> =
        sfens.iter().enumerate().map(|(i, sfen)| SearchRequest { path: path(i % 12), ..request(sfen, head) }).collect();
    let mut ended = 0;
    many(&chip, requests.iter().cloned(), 8, &|| true, &mut |number, outcome| {
        let got = outcome.unwrap().unwrap();
        assert!(got.complete && got.found.clocks > 0);
        let of_model = SearchRequest { head: SearchHead { table_bits: most, ..head }, ..requests[number].clone() };
        let expected = model.search(&of_model, &mut |_| true).unwrap().unwrap().found;
        assert_eq!(Found { clocks: 0, ..got.found }, expected, "{}", sfens[number]);
        ended += 1;
    });
    assert_eq!(ended, requests.len());

    // Endless searches: the first one reports, and ends all.
    let endless = SearchRequest { path: path(0), ..requests[0].clone() };
    let endless = SearchRequest { head: SearchHead { nodes: 0, ..endless.head }, ..endless };
    let enough = AtomicBool::new(false);
    let cancelled = std::thread::scope(|scope| {
        let ask = || {
            let mut told = Vec::new();
            let result = chip.search(&endless, &mut |found| {
                told.push(found.steps);
                enough.fetch_or(found.nodes > 5_000, Relaxed);
                !enough.load(Relaxed)
            });
            assert!(told.is_sorted());
            result.unwrap().unwrap()
        };
        let mut threads = Vec::new();
        for _ in 0..10 {
            threads.push(scope.spawn(ask));
        }
        threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(cancelled.iter().all(|result| !result.complete));
    assert!(cancelled.iter().any(|result| result.found.nodes > 5_000));
    let again = chip.search(&requests[1], &mut |_| true).unwrap().unwrap();
    assert!(again.complete && again.found.nodes > 100);

    // Searches that keep the table.
    let positions: Vec<Position> = sfens.iter().map(|sfen| Position::from_sfen(sfen).unwrap()).collect();
    let keeping = SearchHead { mode: KEEP_TABLE, nodes: 500, ..head };
    let mut verifier = SearchVerifier::new(&[&chip, &model], keeping).unwrap();
    for _ in 0..2 {
        let differences = verifier.compare(&positions, &|| true).unwrap().unwrap();
        assert!(differences.is_empty(), "{}", differences[0]);
    }
    let statistics = chip.statistics();
    assert_eq!((statistics.retransmitted, statistics.busy, statistics.timeouts), (0, 0, 0), "{statistics:?}");
}
