//! The controller of searches with a walker and a dispatcher that the test plays.

use super::bench::Bench;
use hayasashi_hdl::config::ChipConfig;
use hayasashi_hdl::search::controller::SearchController;
use hayasashi_spec::opcode::Status;
use hayasashi_spec::position::IMAGE_BYTES;
use hayasashi_spec::search::*;
use hayasashi_tests::link_bench::Rng;
use hayasashi_tests::search_walker::Walker;

/// Clocks in which an answer must come.
const PATIENCE: u64 = 60_000;
/// Words of a request's payload in front of the path.
const WORDS_BEFORE_PATH: usize = SEARCH_BYTES / 8;

/// The controller, and what is around it.
struct Played {
    bench: Bench<SearchController>,
    walker: Walker,
    rng: Rng,
    /// The words of the request, and the cursor.
    words: Vec<u64>,
    cursor: usize,
    cancelled: bool,
    /// A CANCEL was there before the search ended.
    cancels: bool,
    begun: bool,
}

impl Played {
    fn new(seed: u64) -> Played {
        let mut bench = Bench::new(|block: &mut SearchController| &mut block.clock);
        bench.run(1);
        Played {
            bench,
            walker: Walker::new(seed),
            rng: Rng(seed + 1),
            words: Vec::new(),
            cursor: 0,
            cancelled: false,
            cancels: false,
            begun: false,
        }
    }

    /// The outputs of this clock stand.
    fn look(&mut self) {
        let block = &mut self.bench.block;
        block.request_word.next = self.words.get(self.cursor).copied().unwrap_or(0).into();
        block.length.next = (8 * self.words.len() as u64).into();
        block.cancelled.next = self.cancelled;
        block.is_oldest.next = true;
        self.walker.drive(&mut block.walker);
        self.bench.run(0);
    }

    /// The clock that [`Self::look`] has begun ends.
    fn step(&mut self) {
        let block = &self.bench.block;
        self.begun |= block.walker.clear.val();
        let advances = block.advance.val();
        self.cancels |= self.cancelled && (self.begun && !block.walker.clear.val() || self.walker.is_busy());
        self.begun &= !block.walker.start.val();
        self.walker.clock(&block.walker, &[0; IMAGE_BYTES]);
        self.bench.run(1);
        self.cursor += advances as usize;
        let block = &mut self.bench.block;
        (block.requests.start.next, block.requests.show.next) = (false, false);
    }

    fn clock(&mut self) {
        self.look();
        self.step();
    }

    /// Whether the controller takes a head.
    fn takes(&mut self, head: &SearchHead, path: &[u64]) -> bool {
        let head: [u64; SEARCH_HEAD_BYTES / 8] = bytemuck::cast(*head);
        self.words = [&head[..], &[0; IMAGE_BYTES / 8], path].concat();
        (self.cursor, self.cancelled, self.cancels) = (0, false, false);
        self.bench.block.requests.load.next = true;
        for _ in 0..20 {
            self.look();
            let (loaded, possible) = (self.bench.block.requests.loaded.val(), self.bench.block.requests.possible.val());
            self.step();
            if loaded {
                self.bench.block.requests.load.next = false;
                assert_eq!(self.cursor, SEARCH_HEAD_BYTES / 8);
                return possible;
            }
        }
        panic!("the head is not looked at");
    }

    /// The next answer: its status, what it must be, and its payload.
    fn answer(&mut self, cancel_in: &mut Option<u64>) -> (Status, Found, Found) {
        for _ in 0..PATIENCE {
            if let Some(clocks) = cancel_in {
                self.cancelled |= *clocks == 0;
                *clocks = clocks.saturating_sub(1);
            }
            self.look();
            if self.bench.block.requests.report.val() {
                break;
            }
            self.step();
        }
        assert!(self.bench.block.requests.report.val(), "no report");
        let status = Status::from_code(self.bench.block.requests.status.val().to_u8()).expect("a status");
        let expected = Found { clocks: self.walker.busy_clocks, ..self.walker.found };
        for _ in 0..self.rng.below(3) * self.rng.below(40) {
            self.step();
            self.look();
        }
        self.bench.block.requests.show.next = true;
        self.clock();
        let mut words = [0u64; FOUND_BYTES / 8];
        for word in &mut words {
            for _ in 0..self.rng.below(3) * self.rng.below(9) {
                self.clock();
            }
            self.bench.block.words.take.next = true;
            self.look();
            assert!(self.bench.block.words.valid.val());
            *word = self.bench.block.words.data.val().to_u64();
            self.step();
            self.bench.block.words.take.next = false;
        }
        (status, expected, bytemuck::cast(words))
    }

    /// A search; a CANCEL comes so many clocks behind the start. Returns the answers before the last.
    fn search(&mut self, head: &SearchHead, path: &[u64], cancel_in: Option<u64>) -> u64 {
        assert!(self.takes(head, path), "{head:?}");
        (0..self.rng.below(50)).for_each(|_| self.clock());
        self.cursor = WORDS_BEFORE_PATH;
        self.clock();
        self.bench.block.requests.start.next = true;
        self.cancelled = cancel_in == Some(0);
        self.clock();
        let mut cancel_in = cancel_in;
        let (mut reports, mut last) = (0, 0);
        loop {
            let (status, expected, got) = self.answer(&mut cancel_in);
            let same_but_clocks = Found { clocks: 0, ..got };
            assert_eq!(same_but_clocks, Found { clocks: 0, ..expected }, "{status:?}");
            if status == Status::Progress {
                assert!(got.clocks <= expected.clocks && got.clocks + 20 >= expected.clocks, "{got:?}");
                // The first report is due after one interval; one that waited for the answer before it may come early.
                assert!(got.clocks >= (reports + 1) << head.interval, "report {reports}: {got:?}");
                assert!(got.clocks > last && head.interval != 0);
                (reports, last) = (reports + 1, got.clocks);
                continue;
            }
            assert_eq!(got.clocks, expected.clocks, "the clocks of a search that has ended");
            assert_eq!(status, if self.cancels { Status::Cancelled } else { Status::Ok });
            if status == Status::Ok {
                assert!(self.walker.path == path, "{:?}", self.walker.path);
            } else {
                assert!(path.starts_with(&self.walker.path));
            }
            let intervals = if head.interval == 0 { 0 } else { got.clocks >> head.interval };
            assert!(reports <= intervals, "{reports} reports in {} clocks", got.clocks);
            return reports;
        }
    }

    fn reset(&mut self) {
        self.bench.block.reset.next = true;
        self.bench.block.requests.load.next = false;
        self.bench.run(1);
        self.bench.block.reset.next = false;
        self.walker = Walker::new(self.rng.below(1 << 40));
        (self.begun, self.cancelled) = (false, false);
    }
}

fn head(rng: &mut Rng) -> SearchHead {
    let alpha = rng.below(60_000) as i16 as i32 % 32_000;
    SearchHead {
        depth: 1 + rng.below(MAX_DEPTH as u64) as u8,
        interval: [0, 10, 10, 11, 40][rng.below(5) as usize],
        table_bits: MIN_TABLE_BITS + rng.below((USUAL_TABLE_BITS - MIN_TABLE_BITS) as u64 + 1) as u8,
        techniques: rng.below(ALL_TECHNIQUES as u64 + 1) as u32,
        alpha: alpha as i16,
        beta: (alpha + 1 + rng.below((32_000 - alpha) as u64) as i32) as i16,
        draw: (rng.below(60_001) as i32 - 30_000) as i16,
        nodes: rng.below(u64::MAX),
        steps: rng.below(u64::MAX),
        ..SearchHead::default()
    }
}

#[test]
fn ranges_are_those_of_the_contract() {
    let mut played = Played::new(21);
    let good = SearchHead::default();
    let mut heads = vec![good];
    for byte in 0..=255 {
        heads.push(SearchHead { mode: byte, ..good });
        heads.push(SearchHead { depth: byte, ..good });
        heads.push(SearchHead { interval: byte, ..good });
        heads.push(SearchHead { table_bits: byte, ..good });
    }
    for bit in 0..32 {
        heads.push(SearchHead { techniques: 1 << bit, ..good });
        heads.push(SearchHead { reserved: (1u64 << bit) as u16, ..good });
    }
    let scores = [
        0, 1, -1, 30_000, 30_001, -30_000, -30_001, 31_999, 32_000, 32_001, 32_767, -31_999, -32_000, -32_001, -32_768,
    ];
    for a in scores {
        heads.push(SearchHead { draw: a, ..good });
        heads.extend(scores.map(|b| SearchHead { alpha: a, beta: b, ..good }));
    }
    let most = ChipConfig::default().search_table_bits;
    let mut possible = 0;
    for head in &heads {
        let expected = head.is_in_range() && head.table_bits <= most;
        assert_eq!(played.takes(head, &[]), expected, "{head:?}");
        possible += expected as usize;
    }
    println!("{possible} of {} possible", heads.len());
    assert!(possible > 100 && possible < heads.len() / 2);
    played.bench.check_verilog("search_controller_ranges");
}

#[test]
fn searches_are_reported_and_cancelled() {
    let mut played = Played::new(23);
    let (mut reports, mut cancelled) = (0, 0);
    for round in 0..150 {
        let mut rng = Rng(1000 + round);
        let head = head(&mut rng);
        let length = [0, 1, rng.below(9), if round % 40 == 0 { MAX_PATH as u64 } else { 3 }][rng.below(4) as usize];
        let path: Vec<u64> = (0..length).map(|_| rng.below(u64::MAX)).collect();
        let cancel = [None, None, Some(rng.below(200)), Some(rng.below(4000))][rng.below(4) as usize];
        reports += played.search(&head, &path, cancel);
        cancelled += played.cancels as u32;
        if rng.below(8) == 0 {
            // A reset in the middle of a search, which never answers.
            assert!(played.takes(&head, &path));
            played.cursor = WORDS_BEFORE_PATH;
            played.bench.block.requests.start.next = true;
            (0..1 + rng.below(300)).for_each(|_| played.clock());
            played.reset();
        }
    }
    println!("{reports} reports, {cancelled} cancelled");
    assert!(reports > 20 && cancelled > 20 && cancelled < 120);
    played.bench.check_verilog("search_controller");
}
