//! A walker of searches, played by the test: it answers at random times, and what it answers is a function of the request.

use crate::link_bench::Rng;
use hayasashi_hdl::ports::SearchLeader;
use hayasashi_shogi::random::split_mix;
use hayasashi_spec::position::IMAGE_BYTES;
use hayasashi_spec::search::{
    Found, KEEP_TABLE, MAX_DEPTH, MAX_LINE, PATH_WORD_BYTES, SEARCH_BYTES, SEARCH_HEAD_BYTES,
};
use rust_hdl::prelude::*;

/// Most steps of a search.
const MAX_STEPS: u64 = 40;
/// Most clocks of a step; some searches take longer than the least interval of reports.
const MAX_STEP_CLOCKS: u64 = 200;

/// What a search is to find.
#[derive(Clone, Copy, Debug, Default)]
pub struct Script {
    seed: u64,
}

impl Script {
    /// The script of a request: the bytes of its head, its position, and its path. If it keeps the table it depends on the request
    /// before it.
    pub fn new(head: &[u8], image: &[u8], path: &[u64], before: Script) -> Script {
        let words = [head, image].concat();
        let words = words.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
        let kept = if head[0] & KEEP_TABLE != 0 { before.seed } else { 0 };
        let first = path.len() as u64 ^ kept;
        let seed = words.chain(path.iter().copied()).fold(first, |seed, word| split_mix(seed ^ word).1);
        Script { seed }
    }

    fn number(self, step: u64, what: u64) -> u64 {
        split_mix(self.seed ^ step << 32 ^ what << 48).1
    }

    /// Steps of the search.
    pub fn steps(self) -> u64 {
        self.number(0, 0) % (MAX_STEPS + 1)
    }

    /// Clocks of a step, the first of which is 1; those of step 0 pass before the first.
    pub fn clocks(self, step: u64) -> u64 {
        let most = if self.seed.is_multiple_of(3) { MAX_STEP_CLOCKS } else { 9 };
        1 + self.number(step, 1) % most
    }

    /// The answer after so many steps, without clocks.
    pub fn found(self, steps: u64) -> Found {
        if steps == 0 {
            return Found::default();
        }
        let length = self.number(steps, 2) % (MAX_LINE as u64 + 1);
        let mut line = [0; MAX_LINE];
        for (i, mv) in line[..length as usize].iter_mut().enumerate() {
            *mv = self.number(steps, 3 + i as u64) as u16;
        }
        Found {
            score: self.number(steps, 20) as i16,
            depth: (self.number(steps, 21) % (MAX_DEPTH as u64 + 1)) as u8,
            length: length as u8,
            reserved: 0,
            nodes: self.number(steps, 22),
            steps: self.number(steps, 23),
            clocks: 0,
            line,
        }
    }

    /// The answer of a search that nothing delays.
    pub fn answer(self) -> Found {
        Found { clocks: (0..=self.steps()).map(|step| self.clocks(step)).sum(), ..self.found(self.steps()) }
    }
}

/// The answer to the payload of a request without reports, whose head is in range and whose position is possible.
/// `last` is the request before it, and becomes this one.
pub fn answer(payload: &[u8], last: &mut Script) -> Found {
    let (head, rest) = payload.split_at(SEARCH_HEAD_BYTES);
    let (image, path) = rest.split_at(SEARCH_BYTES - SEARCH_HEAD_BYTES);
    let path = path.chunks_exact(PATH_WORD_BYTES).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
    *last = Script::new(head, image, &path.collect::<Vec<_>>(), *last);
    last.answer()
}

/// A walker.
pub struct Walker {
    rng: Rng,
    head: Bits<256>,
    /// The path of the present request.
    pub path: Vec<u64>,
    /// A request has begun, and its search has not.
    begun: bool,
    /// Clocks until the path is ready.
    ready_in: u64,
    /// What is searched.
    script: Option<Script>,
    /// The present or last search.
    last: Script,
    step: u64,
    /// Clocks that are left of the step.
    step_clocks: u64,
    waits: bool,
    /// The answer so far.
    pub found: Found,
    line_move: u16,
    /// Clocks of the present or last search.
    pub busy_clocks: u64,
}

impl Walker {
    /// A walker that has just been switched on.
    pub fn new(seed: u64) -> Walker {
        Walker {
            rng: Rng(seed),
            head: Bits::default(),
            path: Vec::new(),
            begun: false,
            ready_in: 0,
            script: None,
            last: Script::default(),
            step: 0,
            step_clocks: 0,
            waits: false,
            found: Found::default(),
            line_move: 0,
            busy_clocks: 0,
        }
    }

    /// Whether a search goes on.
    pub fn is_busy(&self) -> bool {
        self.script.is_some()
    }

    /// Whether a request has begun and not ended.
    pub fn is_at_work(&self) -> bool {
        self.begun || self.is_busy()
    }

    fn is_ready(&self) -> bool {
        self.begun && self.ready_in == 0
    }

    /// The answer is whole.
    fn stands(&self) -> bool {
        self.waits || !self.is_busy()
    }

    /// Sets the walker's side of its ports for the next clock. What must not be read is noise.
    pub fn drive(&mut self, ports: &mut SearchLeader) {
        let noise = Script { seed: self.rng.below(u64::MAX) }.found(1);
        let shown = if self.stands() { self.found } else { noise };
        ports.path_ready.next = self.is_ready();
        ports.busy.next = self.is_busy();
        ports.paused.next = self.stands();
        ports.score.next = (shown.score as u16 as u64).into();
        ports.depth.next = (shown.depth as u64).into();
        ports.length.next = (shown.length as u64).into();
        ports.nodes.next = shown.nodes.into();
        ports.steps.next = shown.steps.into();
        ports.line_move.next = (self.line_move as u64).into();
    }

    /// The end of a clock. `image` is the position that was started last.
    ///
    /// # Panics
    /// If the other side breaks the handshake.
    pub fn clock(&mut self, ports: &SearchLeader, image: &[u8; IMAGE_BYTES]) {
        let (clear, path, start) = (ports.clear.val(), ports.path.val(), ports.start.val());
        assert!(clear as u8 + path as u8 + start as u8 <= 1, "two orders at once");
        let mv = self.found.line[ports.line_at.val().to_u64() as usize];
        self.line_move = if self.stands() { mv } else { self.rng.below(1 << 16) as u16 };
        if self.is_busy() {
            self.busy_clocks += 1;
            assert!(ports.head.val() == self.head, "the head changes in a search");
            self.search(ports.stop.val(), ports.pause.val());
        }
        if self.begun && self.ready_in > 0 {
            let word = ports.path_word.val().to_u64();
            assert!(self.path.last().is_none_or(|&last| last == word), "a word of the path changes");
            self.ready_in -= 1;
        }
        if clear {
            assert!(!self.is_busy(), "a request begins in a search");
            self.path.clear();
            (self.begun, self.ready_in, self.found) = (true, 1 + self.rng.below(40), Found::default());
            self.head = ports.head.val();
        }
        if path {
            assert!(self.is_ready(), "the path is not ready");
            self.path.push(ports.path_word.val().to_u64());
            self.ready_in = 1 + self.rng.below(20);
        }
        if start {
            assert!(self.is_ready(), "the search is not ready");
            let head: Vec<u8> = (0..32)
                .map(|byte| (0..8).fold(0, |bits, i| bits | (self.head.get_bit(8 * byte + i) as u8) << i))
                .collect();
            let script = Script::new(&head, image, &self.path, self.last);
            self.last = script;
            (self.begun, self.script, self.step, self.busy_clocks) = (false, Some(script), 0, 0);
            (self.step_clocks, self.waits) = (script.clocks(0), false);
        }
    }

    /// A clock of a search.
    fn search(&mut self, stop: bool, pause: bool) {
        let Some(script) = self.script else { return };
        self.step_clocks = self.step_clocks.saturating_sub(1);
        if self.step_clocks > 0 {
            return;
        }
        // A walker may end while it waits, or wait first.
        if (stop && (!self.waits || self.rng.below(2) == 0)) || self.step == script.steps() && !self.waits {
            (self.script, self.waits) = (None, false);
            return;
        }
        self.waits = pause;
        if pause {
            return;
        }
        self.step += 1;
        self.step_clocks = script.clocks(self.step);
        self.found = script.found(self.step);
    }
}
