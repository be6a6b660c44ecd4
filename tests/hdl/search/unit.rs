//! The walker against the model's: the answer at the end, at pauses and where it is stopped.

use super::bench::{to_bus, Bench};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_hdl::network::bus;
use hayasashi_hdl::ports::SearchTask;
use hayasashi_hdl::position::{Board, Image};
use hayasashi_hdl::search::walkers::Walkers;
use hayasashi_model::evaluate::{first_table, EvalTable};
use hayasashi_model::movegen::{generate, make_move};
use hayasashi_model::position::Position;
use hayasashi_model::search::{table::Table, Walker};
use hayasashi_spec::moves::MoveRecord;
use hayasashi_spec::position::PositionImage;
use hayasashi_spec::search::*;
use hayasashi_tests::{data_lines, image_from_sfen, link_bench::Rng, rtl};
use std::sync::{Arc, OnceLock};

/// Clocks after which the evaluator answers.
const EVALUATION: u64 = 11;
/// Clocks in which a search of these sizes ends for certain.
const TIMEOUT: u64 = 1_000_000;

fn table() -> &'static Arc<EvalTable> {
    static TABLE: OnceLock<Arc<EvalTable>> = OnceLock::new();
    TABLE.get_or_init(|| Arc::new(first_table()))
}

/// One walker, whose planes are found again.
fn one_walker() -> Walkers {
    walkers(1)
}

/// Two, whose planes are kept.
fn two_walkers() -> Walkers {
    walkers(2)
}

fn walkers(search_walkers: u32) -> Walkers {
    Walkers::new(&ChipConfig { search_walkers, ..ChipConfig::searching() })
}

/// The last of so many walkers; the evaluator is the model's.
struct Search {
    bench: Bench<Walkers>,
    seat: usize,
    clocks: u64,
    /// When the evaluator answers, and what.
    due: Option<(u64, i16)>,
    /// The table that the model's last search has left.
    left: Option<Table>,
}

/// What is searched.
#[derive(Clone)]
struct Request {
    head: SearchHead,
    position: Position,
    path: Vec<u64>,
}

impl Search {
    fn new(make: fn() -> Walkers, seat: usize) -> Search {
        let mut bench = Bench::made(make, |block| &mut block.clock);
        bench.run(3);
        Search { bench, seat, clocks: 0, due: None, left: None }
    }

    fn task(&mut self) -> &mut SearchTask {
        &mut self.bench.block.search[self.seat]
    }

    fn step(&mut self) {
        let due = self.due.filter(|&(clock, _)| clock == self.clocks);
        self.bench.block.takes.next = true;
        self.bench.block.score_valid.next = due.is_some();
        if let Some((_, score)) = due {
            self.bench.block.score.next = (score as u16 as u64).into();
        }
        self.clocks += 1;
        self.bench.run(1);
        if self.bench.block.starts.val() {
            let board = bus::read::<Board, _>(&self.bench.block.board.val());
            let image = rtl::image(&to_bus::<Image, 512>(&board.image()));
            self.due = Some((self.clocks + EVALUATION, table().score(&Position::from(&image))));
        }
    }

    fn wait_for_path(&mut self) {
        while !self.task().path_ready.val() {
            self.step();
        }
    }

    fn start(&mut self, request: &Request) {
        self.task().head.next = rtl::bus(bytemuck::bytes_of(&request.head));
        self.bench.block.image.next = rtl::bus(&PositionImage::from(&request.position).bytes);
        self.task().clear.next = true;
        self.step();
        self.task().clear.next = false;
        for &word in &request.path {
            self.wait_for_path();
            self.task().path_word.next = word.into();
            self.task().path.next = true;
            self.step();
            self.task().path.next = false;
        }
        self.wait_for_path();
        self.task().start.next = true;
        self.step();
        self.task().start.next = false;
    }

    /// The answer so far, while the walker waits.
    fn found(&mut self) -> Found {
        assert!(self.task().paused.val());
        let mut line = [0; MAX_LINE];
        for (i, mv) in line.iter_mut().enumerate() {
            self.task().line_at.next = (i as u64).into();
            self.step();
            *mv = self.task().line_move.val().to_u16();
        }
        let task = self.task();
        Found {
            score: task.score.val().to_u16() as i16,
            depth: task.depth.val().to_u8(),
            length: task.length.val().to_u8(),
            nodes: task.nodes.val().to_u64(),
            steps: task.steps.val().to_u64(),
            line,
            ..Found::default()
        }
    }

    /// Searches, with pauses, and stopped after so many clocks or later. Returns the answer and the clocks.
    fn run(&mut self, request: &Request, stop_after: Option<u64>, rng: &mut Rng) -> (Found, u64) {
        let left = Table::of_request(&request.head, self.left.take());
        let path = request.path.iter().copied();
        let mut walker = Walker::with_table(left, request.head, table().clone(), &request.position, path);
        self.start(request);
        let started = self.clocks;
        while self.task().busy.val() {
            assert!(self.clocks < started + TIMEOUT, "the search does not end: {:?}", request.head);
            self.task().stop.next = stop_after.is_some_and(|clocks| self.clocks > started + clocks);
            let pauses = rng.below(2000) == 0;
            self.task().pause.next = pauses;
            self.step();
            if pauses {
                while !self.task().paused.val() {
                    self.step();
                }
                self.compare(&mut walker, request);
                self.task().pause.next = false;
            }
        }
        let clocks = self.clocks - started;
        self.task().stop.next = false;
        self.step();
        self.compare(&mut walker, request);
        assert!(stop_after.is_some() || !walker.step(), "the search ended early: {:?}", walker.found());
        let found = walker.found();
        self.left = Some(walker.into_table());
        (found, clocks)
    }

    /// The answer is that of the model after as many steps.
    fn compare(&mut self, walker: &mut Walker, request: &Request) {
        let found = self.found();
        while walker.found().steps < found.steps && walker.step() {}
        assert_eq!(found, walker.found(), "{:?}, {:?}", request.head, request.position);
    }
}

/// A position some moves behind one of the data, with the path to it.
fn request(lines: &[String], rng: &mut Rng) -> Request {
    let line = &lines[rng.below(lines.len() as u64) as usize];
    let (image, _) = image_from_sfen(line.split('\t').next().expect("a first field"));
    let mut position = Position::from(&image);
    let mut path = Vec::new();
    // Some moves there and back again, so that the search meets positions of the path.
    let moves = rng.below(12);
    for _ in 0..moves {
        let mut records: Vec<MoveRecord> = Vec::new();
        let count = generate(&position, &mut records);
        if records.is_empty() {
            break;
        }
        path.push(path_word(&PositionImage::from(&position), count.in_check()));
        position = make_move(&position, records[rng.below(records.len() as u64) as usize].mv);
    }
    let mut head = SearchHead {
        depth: 2 + rng.below(4) as u8,
        table_bits: MIN_TABLE_BITS,
        draw: rng.below(200) as i16 - 100,
        nodes: 100 + rng.below(200),
        ..SearchHead::default()
    };
    match rng.below(4) {
        0 => {
            let mut some = || rng.below(ALL_TECHNIQUES as u64 + 1) as u32;
            head.techniques &= some() | some();
        }
        1 => (head.alpha, head.beta) = (-(rng.below(300) as i16), 1 + rng.below(300) as i16),
        2 => (head.nodes, head.steps) = (0, 1 + rng.below(250)),
        _ => {}
    }
    // Some searches keep the table, and some want another one.
    if rng.below(2) == 0 {
        head.mode |= KEEP_TABLE;
    }
    head.table_bits += (rng.below(8) == 0) as u8;
    Request { head, position, path }
}

fn searches_equal_the_models(mut search: Search, searches: u64) {
    // What is searched does not depend on the clocks that it takes.
    let (mut rng, mut pauses) = (Rng(31), Rng(33));
    let lines = data_lines("rules/legal_moves.tsv");
    search.bench = search.bench.forgetful();
    let (mut nodes, mut steps, mut clocks, mut mates, mut stopped) = (0, 0, 0, 0, 0);
    let mut last: Option<Request> = None;
    for number in 0..searches {
        let mut request = request(&lines, &mut rng);
        if let (Some(last), 1) = (last, number % 3) {
            // The same position again, whose entries are there.
            let mode = KEEP_TABLE;
            request = Request { head: SearchHead { mode, table_bits: last.head.table_bits, ..request.head }, ..last };
        }
        last = Some(request.clone());
        let stop = (number % 6 == 5).then(|| 600 + rng.below(6000));
        let (found, took) = search.run(&request, stop, &mut pauses);
        (nodes, steps, clocks) = (nodes + found.nodes, steps + found.steps, clocks + took);
        mates += (found.score.abs() > LONGEST_MATE) as u32;
        stopped += stop.is_some() as u32;
    }
    let each = clocks as f64 / nodes as f64;
    println!("{nodes} nodes, {steps} steps, {clocks} clocks: {each:.1} a node; {mates} mates, {stopped} stopped");
    assert!(nodes > 63 * searches && mates > 0);
}

#[test]
fn searches_of_one_walker_equal_the_models() {
    searches_equal_the_models(Search::new(one_walker, 0), 24);
}

#[test]
fn searches_of_the_second_walker_equal_the_models() {
    searches_equal_the_models(Search::new(two_walkers, 1), 18);
}

fn the_verilog_searches_as_the_simulation(mut search: Search, name: &str) {
    let mut rng = Rng(32);
    let lines = data_lines("rules/legal_moves.tsv");
    let mut request = request(&lines, &mut rng);
    (request.head.nodes, request.head.steps) = (25, 0);
    for mode in [0, KEEP_TABLE] {
        request.head.mode = mode;
        search.run(&request, None, &mut rng);
    }
    search.bench.check_verilog(name);
}

#[test]
fn the_verilog_of_one_walker_searches_as_the_simulation() {
    the_verilog_searches_as_the_simulation(Search::new(one_walker, 0), "search_unit");
}

#[test]
fn the_verilog_of_two_walkers_searches_as_the_simulation() {
    the_verilog_searches_as_the_simulation(Search::new(two_walkers, 1), "search_units");
}
