//! Lines that damage bytes: batches become as small as the line allows, and messages say that it is the line.

use hayasashi_accel::*;
use hayasashi_model::top::Chip;
use hayasashi_shogi::random::split_mix;
use hayasashi_spec::{frame::MAX_BATCH, opcode::Opcode, position::PositionImage};
use hayasashi_tests::image_from_sfen;
use std::time::{Duration, Instant};

const SFENS: [&str; 2] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
];

fn positions(n: usize) -> Vec<PositionImage> {
    (0..n).map(|i| image_from_sfen(SFENS[i % SFENS.len()]).0).collect()
}

/// A line that flips a bit of a byte, drops it or doubles it, with this probability.
struct Noise {
    per_million: u64,
    seed: u64,
}

impl Noise {
    fn below(&mut self, n: u64) -> u64 {
        let bits;
        (self.seed, bits) = split_mix(self.seed);
        (bits >> 20) % n
    }

    fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        for &byte in bytes {
            if self.below(1_000_000) >= self.per_million {
                out.push(byte);
                continue;
            }
            match self.below(4) {
                0 => {}
                1 => out.extend([byte, byte]),
                _ => out.push(byte ^ 1 << self.below(8)),
            }
        }
        out
    }
}

/// The model behind a noisy line, in simulated time.
struct Link {
    connection: Connection,
    chip: Chip,
    noise: Noise,
    now: Instant,
}

impl Link {
    fn new(per_million: u64, seed: u64) -> Link {
        let now = Instant::now();
        let connection = Connection::new("test", LinkLimits::default(), 0, now);
        Link { connection, chip: Chip::default(), noise: Noise { per_million, seed }, now }
    }

    fn run(&mut self, request: Request) -> RequestOutcome {
        let id = self.connection.submit(request);
        loop {
            let bytes = self.connection.outgoing(self.now).to_vec();
            self.connection.wrote(bytes.len(), self.now);
            self.chip.push(&self.noise.pass(&bytes));
            let answers = self.chip.pull();
            self.connection.receive(&self.noise.pass(&answers), self.now);
            // A lost connection completes the request, too.
            let _ = self.connection.tick(self.now);
            if let Some((done, outcome)) = self.connection.take_completed().pop() {
                assert_eq!(done, id);
                return outcome;
            }
            self.now += Duration::from_millis(1);
        }
    }
}

/// Full batches at this rate of noise: every answer is the model's, and none is given up.
fn check(opcode: Opcode, per_million: u64) -> LinkStatistics {
    let direct = ModelBackend::new();
    let mut statistics = LinkStatistics::default();
    for seed in 0..8 {
        let mut link = Link::new(per_million, seed);
        for _ in 0..8 {
            let request = Request::batch(opcode, &positions(MAX_BATCH));
            let same = match link.run(request.clone()) {
                Ok(answers) => answers == direct.answer(&request),
                Err(error) => panic!("{} at {per_million}, seed {seed}: {error}", opcode.name()),
            };
            assert!(same, "{} at {per_million}, seed {seed}", opcode.name());
        }
        statistics = link.connection.statistics();
    }
    statistics
}

#[test]
fn full_batches_arrive_at_one_damaged_byte_in_a_thousand() {
    for opcode in [Opcode::Count, Opcode::Generate] {
        assert!(check(opcode, 1000).damage() > 0);
    }
}

#[test]
fn counts_arrive_at_one_damaged_byte_in_two_hundred() {
    check(Opcode::Count, 5000);
}

#[test]
fn batches_grow_again_when_the_noise_ends() {
    let mut link = Link::new(5000, 1);
    let sent_for_a_batch = |link: &mut Link| {
        let before = link.connection.statistics().sent;
        link.run(Request::batch(Opcode::Count, &positions(MAX_BATCH))).unwrap();
        link.connection.statistics().sent - before
    };
    assert!(sent_for_a_batch(&mut link) > 8);
    link.noise.per_million = 0;
    let frames: Vec<u64> = (0..20).map(|_| sent_for_a_batch(&mut link)).collect();
    assert_eq!(frames.last(), Some(&1), "{frames:?}");
}

#[test]
fn a_line_that_damages_every_request_is_named() {
    // One byte in ten: no request of 64 bytes arrives whole, but the chip's short answers do now and then.
    let mut causes = Vec::new();
    for seed in 0..20 {
        let error = Link::new(100_000, seed).run(Request::batch(Opcode::Count, &positions(MAX_BATCH))).unwrap_err();
        let message = error.to_string();
        assert!(!message.contains("may lack") && !message.contains("powered"), "{message}");
        assert!(message.contains("damage"), "{message}");
        causes.push(error.is_lost());
    }
    assert!(causes.iter().all(|lost| *lost), "the model can take over");
}
