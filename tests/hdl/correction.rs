//! The correction of scores by a network: the evaluation unit in RustHDL's simulator, and the emitted Verilog of the correction,
//! against the software model.

use super::evaluate::Bench;
use super::search::bench::{to_bus, Bench as Recorded};
use super::visits::{check_variety, is_far, visits, Visit, WALKERS};
use hayasashi_hdl::evaluate::{
    correction::{product_writer::WRITE_CLOCKS, unit::Correction},
    kings::BothKings,
    loading::Loading,
    unit::LATENCY_CLOCKS,
    views::View,
};
use hayasashi_hdl::network::Value;
use hayasashi_hdl::search::keys::Change;
use hayasashi_model::evaluate::{
    first_table,
    network::{default_network, Network, NetworkWeights},
    Evaluation, Loader,
};
use hayasashi_sim::Stepper;
use hayasashi_spec::network::*;
use hayasashi_spec::piece::*;
use hayasashi_spec::position::{Owner, PositionImage};
use hayasashi_spec::table::*;
use hayasashi_tests::{data_lines, image_from_sfen, link_bench::Rng, rtl};
use std::{collections::VecDeque, sync::Arc};

/// Positions of the data, and two of the fullest groups and hands.
fn images(step: usize) -> Vec<PositionImage> {
    let lines = data_lines("rules/legal_moves.tsv").into_iter().step_by(step).chain(data_lines("mate/tsume_1.sfen"));
    let sfens = lines.map(|line| line.trim_start_matches("sfen ").split('\t').next().unwrap().to_string());
    let edges = ["4k4/9/9/9/9/9/9/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1"].map(String::from);
    sfens.chain(edges).map(|sfen| image_from_sfen(&sfen).0).collect()
}

/// A network of random weights.
fn wild_network() -> Network {
    let mut rng = Rng(0xD1B5_4A32_D192_ED03);
    let mut list = |count: usize, limit: i16| -> Vec<i16> {
        (0..count).map(|_| rng.below(2 * limit as u64 + 1) as i16 - limit).collect()
    };
    let weights = NetworkWeights {
        first: list(FEATURES * CHIP_UNITS, FIRST_LIMIT),
        bias: list(CHIP_UNITS, 400),
        last: [list(CHIP_UNITS, LAST_LIMIT), list(CHIP_UNITS, LAST_LIMIT)],
        constant: -1777,
    };
    Network::new(Arc::new(first_table()), 77, weights).unwrap()
}

/// A network whose sums and products are as large as they may be.
fn largest_network(sign: i16) -> Network {
    let list = |count: usize, weight: i16| vec![weight; count];
    let weights = NetworkWeights {
        first: list(FEATURES * CHIP_UNITS, FIRST_LIMIT),
        bias: list(CHIP_UNITS, BIAS_LIMIT),
        last: [list(CHIP_UNITS, sign * LAST_LIMIT), list(CHIP_UNITS, sign * LAST_LIMIT)],
        constant: sign * CONSTANT_LIMIT,
    };
    Network::new(Arc::new(first_table()), 1, weights).unwrap()
}

impl Bench {
    /// Scores of a search's positions, each of which is given as soon as the unit takes it and the walker has its score of before; and the
    /// clocks of all.
    fn search_scores(&mut self, visits: &[Visit]) -> (Vec<i16>, usize) {
        let (mut scores, mut given, mut waits) = (Vec::new(), 0, false);
        for clock in 0.. {
            let gives = given < visits.len() && !waits && is_free(&visits[scores.len()..given], &visits[given]);
            self.0.block.search.next = gives;
            if gives {
                let visit = &visits[given];
                self.0.block.board.next = rtl::board(&visit.image());
                self.0.block.change.next = to_bus::<Change, _>(&visit.change());
                self.0.block.row.next = visit.row().into();
                given += 1;
                waits = true;
            }
            self.0.settle();
            waits &= !self.0.block.search_takes.val();
            if self.0.block.search_scored.val() {
                scores.push(self.0.block.search_score.val().to_u16() as i16);
            }
            self.0.rise();
            if scores.len() == visits.len() {
                return (scores, clock + 1);
            }
            assert!(clock < 60 * (visits.len() + 1), "no answer to position {}", scores.len());
        }
        unreachable!()
    }
}

/// Whether the walker of a visit has all its scores.
fn is_free(waiting: &[Visit], visit: &Visit) -> bool {
    waiting.iter().all(|other| other.walker != visit.walker)
}

fn expected(evaluation: &Evaluation, visits: &[Visit]) -> Vec<i16> {
    let score =
        |Visit { position, .. }: &Visit| evaluation.corrected(evaluation.table.score(position) as i32, position) as i16;
    visits.iter().map(score).collect()
}

#[test]
fn scores_of_searches_equal_the_model() {
    let mut unit = Bench::new();
    let mut rng = Rng(0xA076_1D64_78BD_642F);
    let visits = visits(&images(40), 12, &mut rng);
    check_variety(&visits);
    let networks = [default_network(), Arc::new(wild_network()), Arc::new(largest_network(-1))];
    for evaluation in networks.map(Evaluation::from) {
        unit.load(&evaluation.to_bytes());
        // A network is in use a few clocks later.
        (0..5).for_each(|_| unit.step());
        assert!(unit.0.block.loaded.val() && !unit.0.block.load_error.val());
        assert_eq!(unit.0.block.checksum.val().to_u32(), evaluation.checksum());
        let by_model = expected(&evaluation, &visits);
        let (scores, clocks) = unit.search_scores(&visits);
        assert_eq!(scores, by_model);
        println!(
            "{} positions of {WALKERS} walkers, {:.1} clocks each",
            visits.len(),
            clocks as f64 / visits.len() as f64
        );
        // A reset in the middle of a position leaves nothing behind.
        for clocks in [3, 14, 20, 30] {
            unit.0.block.board.next = rtl::board(&visits[0].image());
            unit.0.block.row.next = visits[0].row().into();
            unit.0.block.search.next = true;
            unit.step();
            unit.0.block.search.next = false;
            (0..clocks).for_each(|_| unit.step());
            unit.0.block.reset.next = true;
            unit.step();
            unit.0.block.reset.next = false;
            assert!(unit.0.block.version.val().to_u32() == 0 || clocks == 3);
            (0..110).for_each(|_| {
                unit.step();
                assert!(!unit.0.block.search_scored.val(), "a score from before the reset");
            });
        }
    }
    // A table behind a network: its own scores, one position a clock.
    let evaluation = Evaluation::from(first_table());
    unit.load(&evaluation.to_bytes());
    (0..5).for_each(|_| unit.step());
    // Each of a walker of its own, as it were.
    let visits: Vec<Visit> = (0..).zip(visits).map(|(walker, visit)| Visit { walker, ..visit }).collect();
    let (scores, clocks) = unit.search_scores(&visits);
    assert_eq!(scores, expected(&evaluation, &visits));
    assert_eq!(clocks, visits.len() + LATENCY_CLOCKS);
}

/// How the mover, or the other side, sees a position.
fn view(image: &PositionImage, theirs: bool) -> View<Value> {
    let seen = |square: usize| if theirs { turn(square) } else { square };
    let flip = |code: u8| if theirs && code != 0 { code ^ THEIRS } else { code };
    let codes: Vec<u8> = (0..SQUARES).map(|square| flip(image.piece(seen(square)))).collect();
    let mirrored = codes.iter().position(|&code| code == KING).is_some_and(is_far);
    let at = |square: usize| codes[if mirrored { mirror(square) } else { square }];
    let plane = |bit: usize| (0..SQUARES).fold(0u128, |plane, s| plane | ((at(s) >> bit & 1) as u128) << s);
    let owner = if theirs { Owner::Theirs } else { Owner::Mover };
    View {
        row: Value::new(0, 6),
        code: std::array::from_fn(|bit| Value::new(plane(bit), SQUARES)),
        held: std::array::from_fn(|kind| Value::new(image.hand(owner, kind as u8 + 1) as u128, CODE_BITS)),
    }
}

/// The features of a view.
fn features(view: &View<Value>) -> Vec<usize> {
    let code = |slot: usize| match slot < SQUARES {
        true => (0..CODE_BITS).fold(0, |code, bit| code | (view.code[bit].bits >> slot & 1) << bit),
        false => view.held[slot - SQUARES].bits,
    };
    let features = (0..SLOTS).map(|slot| (slot, code(slot) as usize)).filter(|&(_, code)| code != 0);
    features.map(|(slot, code)| slot * CODES + code).collect()
}

#[test]
fn the_verilog_corrects_as_the_simulation() {
    let network = wild_network();
    let mut rng = Rng(0x2545_F491_4F6C_DD1D);
    let visits = visits(&images(300), 12, &mut rng);
    let views: Vec<_> = visits.iter().map(|visit| [false, true].map(|theirs| view(&visit.image(), theirs))).collect();
    let mut bench = Recorded::<Correction>::new(|block| &mut block.clock);
    // Weights of the features that occur.
    let numbers = network.bias().iter().chain(&network.last()[0]).chain(&network.last()[1]);
    for (place, &number) in numbers.chain([&network.constant()]).enumerate() {
        bench.block.weights.number_enable.next = true;
        bench.block.weights.number_place.next = (place as u64).into();
        bench.block.weights.number.next = (number as u16 as u64).into();
        bench.run(1);
        bench.block.weights.number_enable.next = false;
        bench.run(1);
    }
    let mut occur: Vec<usize> = views.iter().flatten().flat_map(features).collect();
    occur.sort_unstable();
    occur.dedup();
    bench.block.weights.first_enable.next = true;
    for feature in occur {
        bench.block.weights.first_address.next = (feature as u64).into();
        for (column, units) in network.first(feature).chunks_exact(4).enumerate() {
            let data = units.iter().rev().fold(0, |data, &weight| data << 8 | weight as u8 as u64);
            bench.block.weights.first_column.next = (column as u64).into();
            bench.block.weights.first_data.next = data.into();
            bench.run(1);
        }
    }
    bench.block.weights.first_enable.next = false;
    bench.run(WRITE_CLOCKS as u64);

    // A reset in the middle of a position leaves nothing behind.
    for clocks in (1..24).chain([91, 95, 99, 103]) {
        for row in [0, 1] {
            bench.block.row.next = (row as u64).into();
            bench.block.change.next = to_bus::<Change, _>(&visits[1].change());
            bench.pulse(|block| &mut block.start);
            bench.run(clocks);
            bench.pulse(|block| &mut block.reset);
            for _ in 0..30 {
                bench.run(1);
                assert!(!bench.block.scored.val() && !bench.block.takes.val(), "an answer from before the reset");
            }
        }
    }

    let (mut given, mut scores) = (0, Vec::new());
    // When the table's score comes, and what it is; from when on a position may start; what comes later than a start.
    let (mut due, mut free) = (VecDeque::new(), Some(0));
    let (mut image_comes, mut views_come) = (None, None);
    let mut expected = Vec::new();
    for clock in 0u64.. {
        let gives = given < visits.len()
            && free.is_some_and(|free| clock >= free)
            && is_free(&visits[scores.len()..given], &visits[given]);
        bench.block.start.next = gives;
        if gives {
            let visit = &visits[given];
            let table_score = [rng.below(60_001) as i32 - 30_000, rng.below(2001) as i32 - 1000][given % 2];
            expected.push(network.corrected(table_score, &visit.position) as i16);
            bench.block.change.next = to_bus::<Change, _>(&visit.change());
            bench.block.row.next = visit.row().into();
            (image_comes, views_come) = (Some((clock + 2, given)), Some((clock + 4, given)));
            due.push_back((clock + LATENCY_CLOCKS as u64, table_score));
            free = None;
            given += 1;
        }
        if let Some((_, given)) = image_comes.filter(|&(at, _)| at == clock) {
            let image = visits[given].image();
            bench.block.image.next = rtl::bus(&image.bytes);
            bench.block.kings.next = to_bus::<BothKings, _>(&kings(&image));
        }
        if let Some((_, given)) = views_come.filter(|&(at, _)| at == clock) {
            bench.block.own.next = to_bus::<View, _>(&views[given][0]);
            bench.block.their.next = to_bus::<View, _>(&views[given][1]);
        }
        let scored = due.pop_front_if(|&mut (at, _)| at == clock);
        bench.block.table_scored.next = scored.is_some();
        if let Some((_, score)) = scored {
            bench.block.table_score.next = (score as u16 as u64).into();
        }
        bench.run(1);
        if bench.block.takes.val() {
            // The outputs are those of the next clock.
            free = Some(clock + 2 + rng.below(3));
        }
        if bench.block.scored.val() {
            scores.push(bench.block.score.val().to_u16() as i16);
        }
        if scores.len() == visits.len() {
            break;
        }
        assert!(clock < 100 * visits.len() as u64, "no answer to position {}", scores.len());
    }
    assert_eq!(scores, expected);
    bench.check_verilog("correction");
}

/// The kings of a position, as its mover sees them.
fn kings(image: &PositionImage) -> BothKings<Value> {
    let plane = |code: u8| (0..SQUARES).fold(0, |plane, s| plane | ((image.piece(s) == code) as u128) << s);
    BothKings { own: Value::new(plane(KING), SQUARES), their: Value::new(plane(KING | THEIRS), SQUARES) }
}

/// The loader of tables and networks, given files that are wrong in one byte.
#[test]
fn a_bad_network_is_not_loaded() {
    let good = Evaluation::from(Arc::new(wild_network())).to_bytes();
    let mut stepper = Stepper::new(Loading::default());
    let mut load = |bytes: &[u8]| {
        let mut step = |start: bool, byte: Option<u8>| {
            let block = &mut stepper.block;
            (block.start.next, block.valid.next) = (start, byte.is_some());
            block.data.next = (byte.unwrap_or(0) as u64).into();
            stepper.settle();
            stepper.rise();
            (stepper.block.loaded.val(), stepper.block.error.val())
        };
        step(true, None);
        // Where the error is seen, some clocks late.
        let mut seen = None;
        for (at, &byte) in bytes.iter().enumerate() {
            if step(false, Some(byte)).1 {
                seen = seen.or(Some(at));
                break;
            }
        }
        (0..6).for_each(|_| _ = step(false, None));
        (stepper.block.loaded.val(), stepper.block.error.val(), seen)
    };
    let end = |bytes: &[u8]| {
        // The byte behind which the model refuses the file.
        let mut loader = Loader::new(true);
        let mut sent = 0;
        for part in bytes.chunks(256) {
            if loader.part(sent as u32, part).is_err() {
                return Some(sent / 256);
            }
            sent += part.len();
        }
        None
    };
    let (sizes, numbers, first) = (TABLE_BYTES, TABLE_BYTES + SIZES_BYTES, TABLE_BYTES + head_bytes(CHIP_UNITS));
    let changes: [(usize, &[u8]); 9] = [
        (sizes, &[63]),
        (sizes + 2, &[1]),
        (sizes + 4, &[0, 0, 0, 0]),
        (numbers + 2, &(BIAS_LIMIT + 1).to_le_bytes()),
        (numbers + 2 * CHIP_UNITS, &(-LAST_LIMIT - 1).to_le_bytes()),
        (numbers + 6 * CHIP_UNITS, &(CONSTANT_LIMIT + 1).to_le_bytes()),
        (first, &[128]),
        (first + 77_777, &[128]),
        (first + 5000, &[1]),
    ];
    for (at, value) in changes {
        let mut bytes = good.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        assert_ne!(bytes, good);
        let (loaded, error, seen) = load(&bytes);
        assert_eq!((loaded, error), (false, true), "byte {at}");
        // A wrong checksum is seen behind the last byte.
        assert_eq!(seen.map(|at| (at - 2) / 256), end(&bytes).filter(|_| seen.is_some()), "byte {at}");
    }
    let mut longer = good.clone();
    longer.push(0);
    assert!(load(&longer).1);
    assert_eq!(load(&good[..good.len() - 1]), (false, false, None));
    assert_eq!(load(&good), (true, false, None));
    assert!(stepper.block.is_network.val());
}
