//! Requests over lines that drop, corrupt, duplicate, delay and invent bytes: every answer equals the model's, none is
//! missing and none arrives twice.

use hayasashi_accel::*;
use hayasashi_model::evaluate::first_table;
use hayasashi_model::link::frame::Decoder;
use hayasashi_model::{top::Chip, Model};
use hayasashi_shogi::random::split_mix;
use hayasashi_spec::frame::{BUFFER_BYTES, END, ENTRY_BYTES, ESC, MAX_BATCH, MAX_REQUEST_PAYLOAD};
use hayasashi_spec::opcode::{Opcode, Status};
use hayasashi_spec::position::PositionImage;
use hayasashi_tests::image_from_sfen;
use proptest::prelude::*;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

const SFENS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    // 599 moves, more than any position with both kings.
    "R8/2K1S1SS1/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    // Two pawns on a file: an impossible position.
    "4k4/9/4P4/4P4/9/9/9/9/4K4 b - 1",
];

/// Random numbers, and events by their probability.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        let bits;
        (self.0, bits) = split_mix(self.0);
        (bits >> 33) as usize % n
    }

    /// True `per_mille` times of a thousand.
    fn chance(&mut self, per_mille: usize) -> bool {
        self.below(1000) < per_mille
    }
}

/// Faults per thousand frames.
#[derive(Clone, Copy, Debug, Default)]
struct Rates {
    drop: usize,
    corrupt: usize,
    duplicate: usize,
    delay: usize,
    garbage: usize,
}

/// One direction of a faulty line.
struct Line {
    rates: Rates,
    random: Random,
    frame: Vec<u8>,
    delayed: VecDeque<Vec<u8>>,
    out: VecDeque<u8>,
}

impl Line {
    fn new(rates: Rates, seed: u64) -> Line {
        Line { rates, random: Random(seed | 1), frame: vec![], delayed: VecDeque::new(), out: VecDeque::new() }
    }

    fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.frame.push(byte);
            if byte == END && self.frame.len() > 1 {
                let frame = std::mem::take(&mut self.frame);
                self.pass(frame);
            }
        }
    }

    fn pass(&mut self, mut frame: Vec<u8>) {
        let (rates, random) = (self.rates, &mut self.random);
        if random.chance(rates.garbage) {
            let bytes = 1 + random.below(40);
            for _ in 0..bytes {
                let byte = [random.below(256) as u8, END, ESC][random.below(8).saturating_sub(5)];
                self.out.push_back(byte);
            }
        }
        if random.chance(rates.drop) {
            return;
        }
        if random.chance(rates.corrupt) {
            let at = random.below(frame.len());
            match random.below(3) {
                0 => frame[at] ^= 1 << random.below(8),
                1 => drop(frame.remove(at)),
                _ => frame.insert(at, random.below(256) as u8),
            }
        }
        if random.chance(rates.delay) {
            self.delayed.push_back(frame);
            return;
        }
        let duplicated = random.chance(rates.duplicate);
        self.out.extend(&frame);
        if duplicated {
            self.out.extend(&frame);
        }
        if random.chance(300) {
            self.out.extend(self.delayed.pop_front().into_iter().flatten());
        }
    }

    /// Some of the bytes that have arrived.
    fn pull(&mut self) -> Vec<u8> {
        let most = 1 + self.random.below(3000);
        let bytes = self.out.len().min(most);
        self.out.drain(..bytes).collect()
    }
}

fn table() -> &'static (Model, Vec<u8>) {
    static TABLE: OnceLock<(Model, Vec<u8>)> = OnceLock::new();
    TABLE.get_or_init(|| {
        let table = first_table();
        let bytes = table.to_bytes();
        (Model::with_evaluation(Arc::new(table)), bytes)
    })
}

fn positions(random: &mut Random, n: usize) -> Vec<PositionImage> {
    let one = |_| {
        let mut image = image_from_sfen(SFENS[random.below(SFENS.len())]).0;
        if random.chance(100) {
            image.bytes[random.below(64)] = random.below(256) as u8;
        }
        image
    };
    (0..n).map(one).collect()
}

fn any_request(random: &mut Random) -> Request {
    let opcode = [Opcode::Generate, Opcode::Count, Opcode::Evaluate][random.below(3)];
    match random.below(10) {
        0 => Request { opcode: 0x7E, count: random.below(9) as u16, payload: vec![1, 2, 3] },
        1 => Request { opcode: opcode as u8, count: 2, payload: vec![0; 64] },
        2 | 3 => {
            let bytes = random.below(MAX_REQUEST_PAYLOAD + 1);
            Request::new(Opcode::Echo, (0..bytes).map(|_| [END, ESC, 7][random.below(3)]).collect::<Vec<_>>())
        }
        _ => {
            let n = 1 + random.below(MAX_BATCH);
            Request::batch(opcode, &positions(random, n))
        }
    }
}

/// Limits that suffice for any of these lines.
fn persistent() -> LinkLimits {
    LinkLimits {
        reply_timeout: Duration::from_millis(50),
        max_timeouts: 10_000,
        max_attempts: 10_000,
        ..LinkLimits::default()
    }
}

/// Sends `requests` over a faulty line in simulated time and compares the answers with the model's.
fn check(rates: Rates, seed: u64, requests: &[Request]) -> LinkStatistics {
    let (model, _) = table();
    let (mut chip, mut random) = (Chip::new(model.clone()), Random(seed | 1));
    let (mut up, mut down) = (Line::new(rates, seed ^ 0xAAAA), Line::new(rates, seed ^ 0x5555));
    let mut now = Instant::now();
    let mut exchange = Connection::new("test", persistent(), seed as u16, now);
    let ids: Vec<RequestId> = requests.iter().map(|r| exchange.submit(r.clone())).collect();
    let mut outcomes = HashMap::new();
    for _ in 0..2_000_000 {
        let out = exchange.outgoing(now);
        let some = out.len().min(1 + random.below(5000));
        up.push(&out[..some]);
        exchange.wrote(some, now);
        chip.push(&up.pull());
        down.push(&chip.pull());
        exchange.receive(&down.pull(), now);
        exchange.tick(now).unwrap();
        for (id, outcome) in exchange.take_completed() {
            assert!(outcomes.insert(id, outcome).is_none(), "request {id} completed twice");
        }
        if exchange.is_idle() {
            break;
        }
        now += Duration::from_millis(1);
    }
    assert!(exchange.is_idle(), "requests without an outcome: {:?}", exchange.statistics());
    let direct = ModelBackend::with_model(model.clone());
    for (id, request) in ids.iter().zip(requests) {
        assert_eq!(outcomes.remove(id).expect("every request completes"), Ok(direct.answer(request)));
    }
    assert!(outcomes.is_empty());
    exchange.statistics()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn faulty_lines_change_no_answer(
        seed: u64, drop in 0usize..120, corrupt in 0usize..120, duplicate in 0usize..200, delay in 0usize..100,
        garbage in 0usize..150,
    ) {
        let mut random = Random(seed | 1);
        let requests: Vec<Request> = (0..30).map(|_| any_request(&mut random)).collect();
        check(Rates { drop, corrupt, duplicate, delay, garbage }, seed, &requests);
    }
}

#[test]
fn a_perfect_line_needs_no_retransmission() {
    let mut random = Random(3);
    let requests: Vec<Request> = (0..400).map(|_| any_request(&mut random)).collect();
    let statistics = check(Rates::default(), 3, &requests);
    assert_eq!((statistics.retransmitted, statistics.stale, statistics.damaged), (0, 0, 0), "{statistics:?}");
    assert_eq!(statistics.sent, 400);
}

/// Tracks the chip's request buffer, and answers one request now and then.
#[test]
fn requests_in_flight_never_exceed_the_credit() {
    let mut random = Random(11);
    let mut now = Instant::now();
    let mut exchange = Connection::new("test", persistent(), 65_500, now);
    let mut expected = 0;
    for i in 0..600 {
        let small = Request::new(Opcode::Echo, vec![0; random.below(60)]);
        exchange.submit(if i % 3 == 0 { any_request(&mut random) } else { small });
        expected += 1;
    }
    let (mut decoder, mut chip) = (Decoder::new(MAX_REQUEST_PAYLOAD), Chip::new(table().0.clone()));
    let mut buffer: VecDeque<(usize, Vec<u8>)> = VecDeque::new();
    let (mut most_bytes, mut most_requests) = (0, 0);
    while !exchange.is_idle() {
        let bytes = exchange.outgoing(now).to_vec();
        exchange.wrote(bytes.len(), now);
        decoder.push(&bytes, |frame| {
            let frame = frame.unwrap();
            let mut again = Vec::new();
            hayasashi_model::link::frame::encode_frame(frame.header, frame.payload, &mut again);
            buffer.push_back((frame.payload.len() + ENTRY_BYTES, again));
        });
        let used: usize = buffer.iter().map(|(cost, _)| cost).sum();
        assert!(used <= BUFFER_BYTES, "{used} bytes in flight");
        (most_bytes, most_requests) = (most_bytes.max(used), most_requests.max(buffer.len()));
        if random.chance(500) {
            if let Some((_, request)) = buffer.pop_front() {
                chip.push(&request);
                exchange.receive(&chip.pull(), now);
            }
        }
        now += Duration::from_millis(1);
        exchange.tick(now).unwrap();
        for (_, outcome) in exchange.take_completed() {
            outcome.unwrap();
            expected -= 1;
        }
    }
    assert_eq!(expected, 0);
    assert!(most_bytes > BUFFER_BYTES - MAX_REQUEST_PAYLOAD - ENTRY_BYTES && most_requests > 10, "the credit is used");
    assert_eq!(exchange.statistics().retransmitted, 0);
}

/// A chip that first answers everything with `BUSY`.
#[test]
fn busy_requests_are_sent_again() {
    let mut now = Instant::now();
    let mut exchange = Connection::new("test", persistent(), 0, now);
    exchange.submit(Request::new(Opcode::Echo, *b"abc"));
    let (mut decoder, mut chip, mut refusals) = (Decoder::new(MAX_REQUEST_PAYLOAD), Chip::default(), 0);
    while !exchange.is_idle() {
        let bytes = exchange.outgoing(now).to_vec();
        exchange.wrote(bytes.len(), now);
        if refusals == 5 {
            chip.push(&bytes);
            exchange.receive(&chip.pull(), now);
        } else {
            let mut busy = Vec::new();
            decoder.push(&bytes, |frame| {
                let mut header = frame.unwrap().header;
                (header.opcode, header.status, header.count) = (header.opcode | 0x80, Status::Busy as u8, 0);
                hayasashi_model::link::frame::encode_frame(header, &[], &mut busy);
                refusals += 1;
            });
            exchange.receive(&busy, now);
        }
        now += Duration::from_micros(100);
        exchange.tick(now).unwrap();
    }
    assert_eq!(exchange.take_completed()[0].1.as_ref().unwrap()[0].payload, b"abc");
    assert_eq!(exchange.statistics().busy, 5);
}

#[test]
fn every_request_fails_when_the_chip_is_silent() {
    let start = Instant::now();
    let limits = LinkLimits { max_timeouts: 3, reply_timeout: Duration::from_secs(1), ..LinkLimits::default() };
    let mut exchange = Connection::new("test", limits, 0, start);
    for _ in 0..20 {
        exchange.submit(Request::new(Opcode::Echo, vec![0; 2000]));
    }
    for second in 0..3 {
        let bytes = exchange.outgoing(start + Duration::from_secs(second)).len();
        exchange.wrote(bytes, start + Duration::from_secs(second));
        let result = exchange.tick(start + Duration::from_secs(second + 1));
        assert_eq!(result.is_err(), second == 2);
    }
    let done = exchange.take_completed();
    assert_eq!(done.len(), 20);
    assert!(done.iter().all(|(_, outcome)| matches!(outcome, Err(AccelError::Lost { .. }))));
}

/// The model at the end of a faulty line, in real time.
struct FaultyTransport {
    chip: ModelStream,
    up: Line,
    down: Line,
}

impl FaultyTransport {
    fn new(rates: Rates, seed: u64) -> FaultyTransport {
        FaultyTransport { chip: ModelStream::new(), up: Line::new(rates, seed), down: Line::new(rates, !seed) }
    }
}

impl Transport for FaultyTransport {
    fn target(&self) -> String {
        "faulty".into()
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let mut request = self.up.pull();
        while !request.is_empty() {
            let taken = self.chip.push(&request);
            request.drain(..taken);
            let mut answers = [0; 4096];
            loop {
                let bytes = self.chip.pull(&mut answers);
                if bytes == 0 {
                    break;
                }
                self.down.push(&answers[..bytes]);
            }
        }
        let bytes = self.down.out.len().min(buffer.len());
        self.down.out.drain(..bytes).zip(buffer).for_each(|(byte, place)| *place = byte);
        if bytes == 0 {
            std::thread::sleep(timeout.min(Duration::from_micros(200)));
        }
        Ok(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.up.push(bytes);
        Ok(bytes.len())
    }

    fn reply_timeout(&self) -> Duration {
        Duration::from_millis(20)
    }
}

#[test]
fn a_table_loads_over_a_faulty_line() {
    let (model, bytes) = table();
    for seed in 1..4 {
        let rates = Rates { drop: 20, corrupt: 20, duplicate: 20, delay: 0, garbage: 20 };
        let board = RemoteChip::connect(FaultyTransport::new(rates, seed), Duration::from_secs(60)).unwrap();
        board.load_table(bytes).unwrap();
        assert_eq!(board.info().unwrap().table_checksum, model.table().unwrap().header().checksum);
        let positions = positions(&mut Random(seed), 300);
        assert_eq!(board.evaluate(&positions), ModelBackend::with_model(model.clone()).evaluate(&positions));
        assert!(board.statistics().retransmitted > 0);
    }
}

#[test]
fn an_interrupted_table_is_loaded_from_its_beginning() {
    let (_, bytes) = table();
    let board = RemoteChip::connect(InProcessTransport(ModelStream::new()), Duration::from_secs(60)).unwrap();
    for offset in [0, 1000, 2000, 3000] {
        let part = [&(offset as u32).to_le_bytes(), &bytes[offset..offset + 1000]].concat();
        let answers = board.request(Request::new(Opcode::LoadTable, part)).unwrap();
        assert_eq!(answers[0].payload, (offset as u32 + 1000).to_le_bytes());
    }
    board.load_table(bytes).unwrap();
    // Again over a loaded table.
    board.load_table(bytes).unwrap();
}

#[test]
fn a_wrong_table_is_rejected_with_the_reason() {
    let (_, bytes) = table();
    let board = RemoteChip::connect(InProcessTransport(ModelStream::new()), Duration::from_secs(60)).unwrap();
    let mut wrong = bytes.clone();
    wrong[5000] ^= 1;
    for chip in [&board as &dyn CoProcessor, &ModelBackend::new()] {
        let error = chip.load_table(&wrong).unwrap_err();
        assert!(matches!(error, AccelError::Table { .. }), "{error}");
        assert_eq!(chip.info().unwrap().table_loaded, 0);
    }
    let error = board.load_table(&bytes[..100]).unwrap_err().to_string();
    assert!(error.contains("100 bytes instead of"), "{error}");
}

#[test]
fn batches_of_any_size_keep_their_order() {
    let board = RemoteChip::connect(InProcessTransport(ModelStream::new()), Duration::from_secs(60)).unwrap();
    let direct = ModelBackend::new();
    for n in [0, 1, 30, 31, 32, 100, 500] {
        let positions = positions(&mut Random(n as u64 + 5), n);
        assert_eq!(board.generate(&positions), direct.generate(&positions));
        assert_eq!(board.count(&positions), direct.count(&positions));
    }
    let evaluated = board.evaluate(&positions(&mut Random(1), 1)).unwrap();
    assert_eq!(evaluated, [Err(PositionError::NoTable)]);
    assert_eq!(board.echo(b"abc").unwrap(), b"abc");
    assert_eq!(board.request(Request::new(Opcode::Echo, vec![0; 2049])), Err(AccelError::TooLong { bytes: 2049 }));
}

#[test]
fn impossible_positions_are_described_in_words() {
    let error = ModelBackend::new().count(&[image_from_sfen(SFENS[5]).0]).unwrap()[0].unwrap_err();
    assert!(error.to_string().contains("two unpromoted pawns of one side on one file"), "{error}");
}
