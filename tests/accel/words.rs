//! The host on a word port whose words are damaged, lost, inserted or cut off: every answer equals the model's, none is
//! missing and none arrives twice.

use hayasashi_accel::*;
use hayasashi_model::{evaluate::first_table, link::word_frame::encode_word_frame, top::Chip, Model};
use hayasashi_shogi::random::split_mix;
use hayasashi_spec::{
    frame::{Header, END, MAX_BATCH, MAX_REQUEST_PAYLOAD},
    opcode::Opcode,
    position::PositionImage,
    word_frame::{Framing, FILLER, FLUSH_WORDS, TRAILER_MARK, WORD_BYTES},
};
use hayasashi_tests::image_from_sfen;
use proptest::prelude::*;
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// 593 moves, the longest answers.
const MOST: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// Simulated time in which a line with one fault has recovered.
const RECOVERY: Duration = Duration::from_secs(4);

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| Model::with_evaluation(Arc::new(first_table())))
}

fn position(sfen: &str) -> PositionImage {
    image_from_sfen(sfen).0
}

/// A direction of a line: what arrives of a word, by its number since the beginning.
type Pass<'a> = &'a mut dyn FnMut(usize, u64) -> Vec<u64>;

/// Assembles words, and passes them on.
struct Line<'a> {
    pass: Pass<'a>,
    bytes: Vec<u8>,
    words: usize,
}

impl<'a> Line<'a> {
    fn new(pass: Pass<'a>) -> Line<'a> {
        Line { pass, bytes: Vec::new(), words: 0 }
    }

    fn carry(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.bytes.extend(bytes);
        let whole = self.bytes.len() - self.bytes.len() % WORD_BYTES;
        let mut arrived = Vec::new();
        for word in self.bytes.drain(..whole).collect::<Vec<_>>().chunks_exact(WORD_BYTES) {
            let word = u64::from_le_bytes(word.try_into().unwrap());
            arrived.extend((self.pass)(self.words, word).into_iter().flat_map(u64::to_le_bytes));
            self.words += 1;
        }
        arrived
    }
}

/// Sends `requests` over a line in simulated time and compares the answers with the model's. Reads and writes are of at most
/// `piece` bytes.
fn check(requests: &[Request], limits: LinkLimits, piece: usize, up: Pass, down: Pass) -> (LinkStatistics, Duration) {
    let mut chip = Chip::behind(Framing::Words, model().clone());
    let (mut up, mut down) = (Line::new(up), Line::new(down));
    let start = Instant::now();
    let mut now = start;
    let mut connection = Connection::new("test", limits, 65_000, now).with_framing(Framing::Words);
    let ids: Vec<RequestId> = requests.iter().map(|r| connection.submit(r.clone())).collect();
    let mut outcomes = HashMap::new();
    while !connection.is_idle() {
        loop {
            let bytes = connection.outgoing(now);
            let some = bytes.len().min(piece);
            if some == 0 {
                break;
            }
            chip.push(&up.carry(&bytes[..some]));
            connection.wrote(some, now);
            let answers = down.carry(&chip.pull());
            answers.chunks(piece).for_each(|part| connection.receive(part, now));
        }
        connection.tick(now).unwrap_or_else(|error| panic!("{error}: {:?}", connection.statistics()));
        for (id, outcome) in connection.take_completed() {
            assert!(outcomes.insert(id, outcome).is_none(), "request {id} completed twice");
        }
        now += Duration::from_millis(1);
        assert!(now - start < Duration::from_secs(3600), "no end: {:?}", connection.statistics());
    }
    let direct = ModelBackend::with_model(model().clone());
    for (id, request) in ids.iter().zip(requests) {
        assert_eq!(outcomes.remove(id).expect("every request completes"), Ok(direct.answer(request)));
    }
    assert!(outcomes.is_empty());
    (connection.statistics(), now - start)
}

fn whole(_: usize, word: u64) -> Vec<u64> {
    vec![word]
}

/// Some requests of different lengths: 18 words, and 19 words of answers.
fn requests() -> Vec<Request> {
    vec![
        Request::new(Opcode::Echo, [0x5A; 20]),
        Request::batch(Opcode::Count, &[position(START)]),
        Request::new(Opcode::Echo, *b"abc"),
        Request::new(Opcode::Cancel, []),
    ]
}

/// As a fault passes in one direction.
fn check_up(pass: Pass) -> Duration {
    check(&requests(), LinkLimits::default(), usize::MAX, pass, &mut whole).1
}

fn check_down(pass: Pass) -> Duration {
    check(&requests(), LinkLimits::default(), usize::MAX, &mut whole, pass).1
}

/// Words that the requests have, and their answers.
fn words() -> (usize, usize) {
    let (mut up, mut down) = (0, 0);
    let count = |n: &mut usize, i: usize, word| {
        *n = i + 1;
        vec![word]
    };
    check(&requests(), LinkLimits::default(), usize::MAX, &mut |i, w| count(&mut up, i, w), &mut |i, w| {
        count(&mut down, i, w)
    });
    (up - FLUSH_WORDS, down)
}

#[test]
fn a_good_line_needs_no_retransmission_however_it_is_split() {
    for piece in (1..20).chain([23, 64, 1001, 4096]) {
        let (statistics, _) = check(&requests(), LinkLimits::default(), piece, &mut whole, &mut whole);
        assert_eq!((statistics.sent, statistics.damage(), statistics.stale), (4, 0, 0), "{piece}: {statistics:?}");
    }
}

#[test]
fn the_longest_payloads_pass() {
    let positions = vec![position(MOST); MAX_BATCH];
    let requests = [
        Request::new(Opcode::Echo, [END; MAX_REQUEST_PAYLOAD]),
        Request::batch(Opcode::Expand, &positions),
        Request::new(Opcode::Echo, [0; MAX_REQUEST_PAYLOAD]),
        Request::batch(Opcode::Generate, &positions),
        Request::new(Opcode::Echo, (1..MAX_REQUEST_PAYLOAD).map(|i| i as u8).collect::<Vec<_>>()),
    ];
    for piece in [7, usize::MAX] {
        let (statistics, _) = check(&requests, LinkLimits::default(), piece, &mut whole, &mut whole);
        assert_eq!((statistics.sent, statistics.damage()), (5, 0), "{statistics:?}");
    }
    assert!(ModelBackend::with_model(model().clone()).answer(&requests[1])[0].payload.len() > 3500);
}

#[test]
fn any_damaged_bit_is_repaired() {
    let (up, down) = words();
    let mut latest = Duration::ZERO;
    for bit in 0..64 * up {
        let flip = |i, word| vec![if i == FLUSH_WORDS + bit / 64 { word ^ 1 << (bit % 64) } else { word }];
        latest = latest.max(check_up(&mut { flip }));
    }
    for bit in 0..64 * down {
        let flip = |i, word| vec![if i == bit / 64 { word ^ 1 << (bit % 64) } else { word }];
        latest = latest.max(check_down(&mut { flip }));
    }
    assert!(latest < RECOVERY, "{latest:?}");
}

#[test]
fn lost_and_inserted_words_are_repaired() {
    let (up, down) = words();
    let mut latest = Duration::ZERO;
    // What arrives in place of a word. The last two insert headers of answers with long payloads.
    let effects: [fn(u64) -> Vec<u64>; 10] = [
        |_| vec![],
        |_| vec![0; 40],
        |word| vec![word, word],
        |word| vec![word, FILLER, FILLER, !word],
        |word| vec![0, word],
        |word| vec![FILLER, word],
        |word| vec![u64::MAX, word],
        |word| vec![(TRAILER_MARK as u64) << 32, word],
        |word| vec![0x07F8_0001_0001_0002, word],
        |word| vec![0x0DE8_0000_FDE8_0091, word],
    ];
    for effect in effects {
        let fault = |at: usize| move |i: usize, word: u64| if i == at { effect(word) } else { vec![word] };
        for at in 0..up {
            latest = latest.max(check_up(&mut fault(FLUSH_WORDS + at)));
        }
        for at in 0..down {
            latest = latest.max(check_down(&mut fault(at)));
        }
    }
    assert!(latest < RECOVERY, "{latest:?}");
}

#[test]
fn several_words_in_a_row_may_be_lost() {
    let (up, down) = words();
    // Within the first transmissions: a line that swallows every retransmission is a lost one.
    let gap =
        |from: usize, to: usize| move |i: usize, word: u64| if (from..to).contains(&i) { vec![] } else { vec![word] };
    for lost in [2, 5, 9, 20] {
        for at in 0..up {
            let latest = check_up(&mut gap(FLUSH_WORDS + at, FLUSH_WORDS + up.min(at + lost)));
            assert!(latest < RECOVERY, "{lost} words from {at} up: {latest:?}");
        }
        for at in 0..down {
            let latest = check_down(&mut gap(at, down.min(at + lost)));
            assert!(latest < RECOVERY, "{lost} words from {at} down: {latest:?}");
        }
    }
}

#[test]
fn a_frame_of_a_dead_host_does_not_reach_the_next_one() {
    let mut frame = Vec::new();
    let header = Header { opcode: Opcode::Echo as u8, sequence: 65_000, ..Header::default() };
    for length in [0, 8, 100, MAX_REQUEST_PAYLOAD] {
        frame.clear();
        encode_word_frame(header, &vec![7; length], &mut frame);
        for words in (1..frame.len() / WORD_BYTES).step_by(1 + length / 500) {
            let left = frame.chunks_exact(WORD_BYTES).take(words);
            let left: Vec<u64> = left.map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect();
            let mut first = |i: usize, word: u64| if i == 0 { [&left[..], &[word]].concat() } else { vec![word] };
            let (statistics, latest) = check(&requests(), LinkLimits::default(), usize::MAX, &mut first, &mut whole);
            assert!(statistics.timeouts == 0 && latest < RECOVERY, "{words} words of {length} bytes: {statistics:?}");
        }
    }
}

/// The chip is reset after some words of a request have arrived, or of an answer have been sent. What it has taken is lost.
#[test]
fn a_reset_in_any_word_is_survived() {
    let requests = [requests(), vec![Request::batch(Opcode::Generate, &[position(START); 3])]].concat();
    let direct = ModelBackend::with_model(Model::default());
    for at in 0..160 {
        let mut chip = Chip::behind(Framing::Words, Model::default());
        let mut now = Instant::now();
        let start = now;
        let mut connection = Connection::new("test", LinkLimits::default(), 9, now).with_framing(Framing::Words);
        let ids: Vec<RequestId> = requests.iter().map(|r| connection.submit(r.clone())).collect();
        let (mut steps, mut outcomes) = (0, HashMap::new());
        while !connection.is_idle() {
            // A word each way in a step, and the flush at once.
            let most = if steps == 0 { WORD_BYTES * FLUSH_WORDS } else { WORD_BYTES };
            let some = connection.outgoing(now).len().min(most);
            chip.push(&connection.outgoing(now)[..some]);
            connection.wrote(some, now);
            let mut word = [0; WORD_BYTES];
            let bytes = chip.pull_into(&mut word);
            connection.receive(&word[..bytes], now);
            steps += 1;
            if steps == at {
                chip = Chip::behind(Framing::Words, Model::default());
            }
            connection.tick(now).unwrap();
            outcomes.extend(connection.take_completed());
            now += Duration::from_micros(200);
            assert!(now - start < RECOVERY, "a reset in step {at}: {:?}", connection.statistics());
        }
        for (id, request) in ids.iter().zip(&requests) {
            assert_eq!(outcomes[id], Ok(direct.answer(request)), "a reset in step {at}");
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        let bits;
        (self.0, bits) = split_mix(self.0);
        (bits >> 20) % n
    }

    /// What arrives of a word on a line with faults in this many words of a million.
    fn fault(&mut self, per_million: u64, word: u64) -> Vec<u64> {
        if self.below(1_000_000) >= per_million {
            return vec![word];
        }
        match self.below(7) {
            0 => vec![],
            1 => vec![word; 2],
            2 => vec![self.below(1 << 40) << 20, word],
            3 => vec![FILLER, word],
            4 => vec![(TRAILER_MARK as u64) << 32 | word >> 32],
            _ => vec![word ^ 1 << self.below(64)],
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn faulty_lines_change_no_answer(seed: u64, up in 0u64..4_000, down in 0u64..4_000, piece in 1usize..3000) {
        let mut random = Random(seed | 1);
        let requests: Vec<Request> = (0..20).map(|_| {
            let positions = vec![position([START, MOST][random.below(2) as usize]); 1 + random.below(MAX_BATCH as u64) as usize];
            match random.below(4) {
                0 => Request::new(Opcode::Echo, vec![random.below(256) as u8; random.below(MAX_REQUEST_PAYLOAD as u64) as usize]),
                1 => Request { opcode: 0x7E, count: 3, payload: vec![1, 2, 3] },
                2 => Request::batch(Opcode::Count, &positions),
                _ => Request::batch(Opcode::Evaluate, &positions),
            }
        }).collect();
        let limits = LinkLimits {
            reply_timeout: Duration::from_millis(50), max_timeouts: 10_000, max_attempts: 10_000, ..LinkLimits::default()
        };
        let (mut a, mut b) = (Random(!seed), Random(seed ^ 0xAAAA));
        check(&requests, limits, piece, &mut |_, word| a.fault(up, word), &mut |_, word| b.fault(down, word));
    }
}
