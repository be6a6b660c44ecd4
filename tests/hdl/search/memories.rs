//! Keys that are updated move by move, repetitions, and the table.

use super::bench::{assert_same, number, signed, to_bus, wire, Bench};
use super::situations::{candidate, mv, near, node as node_wires, plies, situations};
use hayasashi_hdl::network::{bus, Value};
use hayasashi_hdl::search as hdl;
use hayasashi_model::search::history::History;
use hayasashi_model::search::keys::Keys;
use hayasashi_model::search::node::Node;
use hayasashi_model::search::path::{Path, Repeated};
use hayasashi_model::search::spot::Candidate;
use hayasashi_model::search::table::{to_table, Bound, NewEntry, Table};
use hayasashi_spec::moves::Move16;
use hayasashi_spec::search::{MAX_PLY, MIN_TABLE_BITS, PATH_CHECK};
use hayasashi_spec::search_table::HISTORY_LIMIT;
use hayasashi_tests::link_bench::Rng;
use rust_hdl::prelude::*;
use std::collections::BTreeMap;

fn key_wires(keys: &Keys) -> hdl::keys::Keys {
    let numbers = |of: [u64; 2]| of.map(|number| Value::new(number as u128, 64));
    hdl::keys::Keys { board: numbers(keys.board), hands: numbers(keys.hands) }
}

#[test]
fn keys_equal_the_model() {
    let mut rng = Rng(9);
    let mut bench = Bench::new(|block: &mut hdl::keys::KeyMaker| &mut block.clock);
    let (mut drops, mut captures, mut promotions) = (0, 0, 0);
    for situation in situations(400, &mut rng) {
        let position = &situation.spot.position;
        let keys = Keys::new(position);
        let some = situation.moves.iter().take(2).chain(situation.moves.iter().skip(2).step_by(23));
        for c in some.copied().map(Some).chain([None]) {
            let expected = c.map_or(keys.turned(), |c| keys.make(position, c.mv, c.moved));
            let Candidate { mv, captured, .. } = c.unwrap_or_default();
            (drops, captures) = (drops + mv.dropped().is_some() as u32, captures + (captured != 0) as u32);
            promotions += mv.promotes() as u32;
            bench.block.keys_in.next = to_bus::<hdl::keys::Keys, _>(&key_wires(&keys));
            let change = hdl::keys::Change { candidate: candidate(&c.unwrap_or_default()), pass: wire(c.is_none()) };
            bench.block.change.next = to_bus::<hdl::keys::Change, _>(&change);
            bench.run(rng.below(3));
            assert!(bench.block.ready.val());
            bench.pulse(|block| &mut block.start);
            bench.run(hdl::keys::KEY_CLOCKS - 2);
            assert!(!bench.block.ready.val());
            bench.run(1);
            assert!(bench.block.ready.val());
            let got = bus::read::<hdl::keys::Keys, _>(&bench.block.keys.val());
            assert_same::<hdl::keys::Keys>(&got, &key_wires(&expected), || format!("{c:?} in {position:?}"));
        }
    }
    println!("{drops} drops, {captures} captures, {promotions} promotions");
    assert!(drops > 50 && captures > 50 && promotions > 50);
    bench.check_verilog("keys");
}

/// Entries of the table under test, as a power of two.
const BITS: usize = MIN_TABLE_BITS as usize + 1;
type TestTable = hdl::table::Table;

/// Gives a command and waits.
fn command(bench: &mut Bench<TestTable>, input: fn(&mut TestTable) -> &mut Signal<In, Bit>) {
    bench.pulse(input);
    for _ in 0..2 << BITS {
        if bench.block.ready.val() {
            return;
        }
        bench.run(1);
    }
    panic!("the table is not ready");
}

/// The counters of quiet moves, killers and counter moves. Searches that have the same number in the block do not see each other's.
#[test]
fn what_quiet_moves_leave_equals_the_model() {
    let mut rng = Rng(14);
    let mut bench = Bench::new(|block: &mut hdl::rows::Rows| &mut block.clock);
    let situation = &situations(1, &mut rng)[0];
    let (mut greatest, mut least, mut old, mut killed, mut answered) = (0, 0, 0, 0, 0);
    for search in 0..66 {
        let mut history = History::default();
        let mut killers = [[Move16(0); 2]; MAX_PLY + 2];
        let mut counter_moves = BTreeMap::new();
        if search == 62 {
            // A reset while all rows are being emptied.
            bench.pulse(|block| &mut block.clear);
            bench.pulse(|block| &mut block.clear);
            bench.run(100);
            assert!(bench.block.busy.val());
            bench.pulse(|block| &mut block.reset);
        }
        bench.pulse(|block| &mut block.clear);
        let mut clocks = 0;
        while bench.block.busy.val() {
            bench.run(1);
            clocks += 1;
        }
        assert_eq!(clocks > 8000, [0, 31, 62].contains(&search), "{clocks} clocks before search {search}");
        // Few moves, so that counters reach their ends. Of these searches, which have the same number in the block, the later ones must not
        // see what the first one wrote.
        let first = if [2, 34, 64].contains(&search) { 0 } else { 1 };
        let some = |rng: &mut Rng| Move16::board(rng.below(3) as u8 * 40, first + rng.below(3) as u8 * 39, false);
        let steps = if search < 3 { 2000 } else { 40 };
        for step in 0..steps {
            let iteration = 1 + (step * 8 / steps) as u8;
            let (mv, depth) = (some(&mut rng), 1 + rng.below(if search == 0 { 5 } else { 32 }) as i32);
            let cuts = (rng.below(9) == 0) == (mv.to() > 1);
            history.learn(mv, depth, cuts, iteration);
            let last = Some(Candidate { mv: some(&mut rng), moved: 1 + rng.below(2) as u8, captured: 0 })
                .filter(|_| rng.below(8) != 0);
            let present = Node { current: Candidate { mv, ..situation.node.current }, depth, last, ..situation.node };
            let ply = rng.below(5) as usize;
            bench.block.ply.next = (ply as u64).into();
            bench.block.iteration.next = (iteration as u64).into();
            bench.block.present.next = to_bus::<hdl::node::Node, _>(&node_wires(&present));
            bench.run(1);
            if rng.below(6) == 0 {
                bench.pulse(|block| &mut block.forgets);
                killers[ply + 2] = [Move16(0); 2];
            }
            let answer = last.map(|last| (last.becomes(), last.mv.to()));
            if cuts {
                bench.pulse(|block| &mut block.learns);
                if killers[ply][0] != mv {
                    killers[ply] = [mv, killers[ply][0]];
                }
                answer.map(|answer| counter_moves.insert(answer, mv));
            } else {
                bench.pulse(|block| &mut block.fails);
            }
            // The picker may ask in any clock, also in that in which the counter is written.
            let asks = |mv: Move16| (81 * mv.from() as u64 + mv.to() as u64).into();
            bench.block.counter_at.next = asks(some(&mut rng));
            bench.run(rng.below(2));
            bench.block.counter_at.next = asks(mv);
            bench.run(3);
            let mv = if rng.below(3) == 0 { some(&mut rng) } else { mv };
            bench.block.counter_at.next = asks(mv);
            bench.run(1);
            let expected = history.of(mv, iteration);
            assert_eq!(bench.block.place.val().to_u64() as i32, HISTORY_LIMIT - 1 - expected, "{mv:?} in step {step}");
            greatest += (expected == HISTORY_LIMIT - 1) as u32;
            least = least.min(expected);
            old += (history.of(mv, iteration + 1) != expected) as u32;

            let wires = |[first, second]: [Move16; 2]| first.0 as u64 | (second.0 as u64) << 15;
            let expected = wires(killers[ply]);
            assert_eq!(bench.block.killers.val().to_u64(), expected, "ply {ply} in step {step} of search {search}");
            killed += (expected != 0) as u32;
            if let Some(answer) = answer {
                let expected = counter_moves.get(&answer).map_or(0, |mv| mv.0 as u64);
                assert_eq!(
                    bench.block.counter.val().to_u64(),
                    expected,
                    "{answer:?} in step {step} of search {search}"
                );
                answered += (expected != 0) as u32;
            }
            // A killer of any ply, two below one that has forgotten.
            let below = rng.below(7) as usize;
            bench.block.ply.next = (below as u64).into();
            bench.run(1);
            let expected = wires(killers[below]);
            assert_eq!(bench.block.killers.val().to_u64(), expected, "ply {below} in step {step} of search {search}");
        }
    }
    println!("{greatest} times the greatest, {least} the least, {old} that have changed since the iteration began");
    println!("{killed} killers, {answered} counter moves");
    assert!(greatest > 10 && least < -40 && old > 1000 && killed > 1000 && answered > 1000);
    bench.check_verilog_with_rows_of_zeros("rows");
}

#[test]
fn the_table_equals_the_model() {
    let mut rng = Rng(10);
    let mut bench: Bench<TestTable> = Bench::made(|| TestTable::new(BITS as u8), |block| &mut block.clock);
    let (mut found, mut missing, mut beside, mut dropped) = (0, 0, 0, 0);
    let mut table = Table::new(MIN_TABLE_BITS);
    let [few, many] = [MIN_TABLE_BITS, BITS as u8];
    // Requests: the entries, whether the table is kept, and whether a reset comes before.
    let requests = [
        (few, true, false),
        (few, true, false),
        (few, false, false),
        (many, true, false),
        (many, true, false),
        (few, true, false),
        (few, true, false),
        (few, true, true),
        (few, true, false),
    ];
    // More searches that keep nothing than there are numbers of them: some have the number of an earlier one.
    let many_more = [(few, false, false); 70];
    for (request, (bits, keeps, resets)) in requests.into_iter().chain(many_more).enumerate() {
        if !keeps || resets || table.bits() != bits {
            table = Table::new(bits);
        }
        bench.block.reset.next = resets;
        bench.run(1);
        bench.block.reset.next = false;
        bench.block.mask.next = ((1u64 << (bits - 1)) - 1).into();
        bench.block.keep.next = keeps;
        command(&mut bench, |block| &mut block.clear);
        let steps = if request < requests.len() { 1000 } else { 60 };
        for step in 0..steps {
            // Few keys, some of them in the same place.
            let key = (rng.below(40) * 7) | rng.below(3) << 40 | rng.below(2) << 8;
            bench.block.key.next = key.into();
            let (best, depth) = (Move16(rng.below(3) as u16 * 500), 1 + rng.below(20) as i32);
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][rng.below(3) as usize];
            let ply = rng.below(41) as usize;
            let limit = 32_000 - ply as i32;
            let score = near(&[0], &mut rng).clamp(-limit, limit);
            let iteration = 1 + (step / 300) as u8;
            if rng.below(2) == 0 {
                let new = hdl::table::NewEntry {
                    entry: hdl::arrival::Entry {
                        bound: Value::new(bound as u128, 2),
                        best: mv(best),
                        score: number(to_table(score, ply) as i32, 16),
                        depth: plies(depth),
                    },
                    iteration: plies(iteration as i32),
                };
                bench.block.found.next = to_bus::<hdl::table::NewEntry, _>(&new);
                command(&mut bench, |block| &mut block.put);
                let others = (1..3).map(|other| key ^ other << 40).filter(|&other| table.get(other).is_some());
                let others: Vec<u64> = others.collect();
                table.put(key, ply, &NewEntry { best, score, depth, bound, iteration });
                let left = others.iter().filter(|&&other| table.get(other).is_some()).count();
                (beside, dropped) = (beside + left, dropped + others.len() - left);
            }
            command(&mut bench, |block| &mut block.get);
            let got = bus::read::<hdl::arrival::Entry, _>(&bench.block.entry.val());
            let expected = table.get(key);
            assert_eq!(got.bound.bits, expected.map_or(0, |entry| entry.bound as u128), "{key:#x}");
            missing += expected.is_none() as u32;
            if let Some(entry) = expected {
                found += 1;
                let expected = (entry.best.0 as u128, entry.score(0), entry.depth as u128);
                assert_eq!((got.best.bits, signed(got.score), got.depth.bits), expected, "{key:#x}");
            }
        }
    }
    println!("{found} found, {missing} missing, {beside} stayed beside a new one, {dropped} did not");
    assert!(found > 1000 && missing > 500 && beside > 500 && dropped > 500);
    bench.check_verilog("table");
}

#[test]
fn repetitions_equal_the_model() {
    let mut rng = Rng(11);
    let mut bench = Bench::new(|block: &mut hdl::path::Path| &mut block.clock);
    let mut kinds = [0; 4];
    let wait = |bench: &mut Bench<hdl::path::Path>| {
        bench.run(1);
        (bench.block.push.next, bench.block.pop.next, bench.block.clear.next) = (false, false, false);
        for _ in 0..1100 {
            bench.run(1);
            if bench.block.ready.val() {
                return;
            }
        }
        panic!("the path is not ready");
    };
    for game in 0..60 {
        bench.block.clear.next = true;
        wait(&mut bench);
        let mut path = Path::new(std::iter::empty());
        let mut length = 0;
        // Few keys; in some games one side, or both, give check with nearly every move.
        let (keys, checks) = (3 + rng.below(9), [rng.below(2) * 20, rng.below(2) * 20]);
        for _ in 0..if game % 12 == 0 { 290 } else { 60 } {
            if length > 0 && rng.below(5) == 0 {
                bench.block.pop.next = true;
                wait(&mut bench);
                path.pop();
                length -= 1;
                continue;
            }
            let key = (rng.below(keys) << 61) | (rng.below(3) / 2);
            let in_check = rng.below(21) < 1 + checks[length % 2];
            bench.block.key.next = (key & !PATH_CHECK).into();
            bench.block.in_check.next = (in_check as u64).into();
            bench.block.push.next = true;
            wait(&mut bench);
            path.push(key, in_check);
            length += 1;
            let got = bus::read::<hdl::path::Repeats, _>(&bench.block.repeats.val());
            let got = match (got.valid.bits, got.wins.bits, got.loses.bits) {
                (0, 0, 0) => None,
                (1, 0, 0) => Some(Repeated::Draw),
                (1, 1, 0) => Some(Repeated::Win),
                (1, 0, 1) => Some(Repeated::Loss),
                other => panic!("{other:?}"),
            };
            assert_eq!(got, path.repeated(), "position {length} of game {game}");
            kinds[got.map_or(0, |repeated| 1 + repeated as usize)] += 1;
        }
    }
    println!("new, draw, win, loss: {kinds:?}");
    assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
    bench.check_verilog("path");
}
