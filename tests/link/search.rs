//! Searches behind the link, whose walker the test plays: reports, CANCEL at any time, requests that wait.

use super::protocol::{image, part, search};
use hayasashi_hdl::config::{ChipConfig, MAX_WALKERS};
use hayasashi_spec::frame::Header;
use hayasashi_spec::opcode::{Opcode, Status, ANSWER};
use hayasashi_spec::search::{Found, SearchHead, KEEP_TABLE};
use hayasashi_tests::link::{frame, frames};
use hayasashi_tests::link_bench::{chip, Bench, Reference, Rng, TABLE_BYTES};
use hayasashi_tests::search_walker::Script;

/// What was asked.
struct Asked {
    script: Script,
    sequence: u16,
    frame: Vec<u8>,
}

fn ask(rng: &mut Rng, sequence: u16) -> Asked {
    let interval = [0, 10][rng.below(2) as usize];
    let head = SearchHead { interval, nodes: rng.below(1000), ..SearchHead::default() };
    let image = image(rng.below(99) as u16, 0, rng.below(256) as u8);
    let path: Vec<u64> = (0..rng.below(7)).map(|_| rng.below(u64::MAX)).collect();
    Asked {
        script: Script::new(bytemuck::bytes_of(&head), &image, &path, Script::default()),
        sequence,
        frame: frame(Opcode::Search as u8, sequence, 0, &search(head, &image, &path)),
    }
}

/// Takes the answers to a search from the front: the number of reports, and whether it was cancelled.
fn take(answers: &mut Vec<(Header, Vec<u8>)>, asked: &Asked) -> (usize, bool) {
    let Asked { script, sequence, .. } = asked;
    let (mut step, mut clocks) = (0, 0);
    for reports in 0.. {
        let (header, payload) = answers.remove(0);
        assert_eq!((header.opcode, header.sequence, header.count), (Opcode::Search as u8 | ANSWER, *sequence, 0));
        let found: Found = bytemuck::pod_read_unaligned(&payload);
        let same = |step| Found { clocks: found.clocks, ..script.found(step) } == found;
        let status = Status::from_code(header.status).expect("a status");
        assert!(found.clocks > clocks || status != Status::Progress, "{status:?}");
        if status == Status::Ok {
            assert!(same(script.steps()), "{found:?}");
            return (reports, false);
        }
        step = (step..=script.steps()).find(|&step| same(step)).expect("an answer of this search, later than the last");
        clocks = found.clocks;
        if status == Status::Cancelled {
            return (reports, true);
        }
        assert_eq!(status, Status::Progress);
    }
    unreachable!()
}

/// A link with a table, whose answers stall at times.
fn bench(seed: u64) -> Bench {
    let mut bench = Bench::new(seed);
    bench.stall = seed % 4;
    bench.rx.extend(frame(Opcode::LoadTable as u8, 0, 0, &part(0, &vec![7; TABLE_BYTES as usize])));
    bench.run(500);
    bench.tx.clear();
    bench
}

#[test]
fn searches_report_and_end_at_a_cancel() {
    let (mut reports, mut cancelled) = (0, [0; 3]);
    for seed in 0..60 {
        let mut rng = Rng(seed);
        let mut bench = bench(seed);
        let [first, second, third] = [1, 2, 3].map(|sequence| ask(&mut rng, sequence));
        bench.rx.extend(&first.frame);
        bench.rx.extend(&second.frame);
        while !bench.rx.is_empty() {
            bench.step();
        }
        for _ in 0..rng.below(3000) * rng.below(3) {
            bench.step();
        }
        bench.rx.extend(frame(Opcode::Cancel as u8, 9, 0, &[]));
        bench.rx.extend(&third.frame);
        bench.rx.extend(frame(Opcode::Echo as u8, 10, 0, &[1, 2, 3]));
        bench.run(1_000);
        let mut answers = frames(&bench.tx);
        for asked in [&first, &second] {
            let (seen, early) = take(&mut answers, asked);
            reports += seen;
            cancelled[asked.sequence as usize - 1] += early as u32;
        }
        let cancel = answers.remove(0).0;
        assert_eq!((cancel.opcode, cancel.status), (Opcode::Cancel as u8 | ANSWER, Status::Ok as u8));
        // A request behind the CANCEL goes on.
        let (seen, early) = take(&mut answers, &third);
        assert!(!early);
        reports += seen;
        assert_eq!((answers.len(), &answers[0].1[..]), (1, &[1, 2, 3][..]));
    }
    println!("{reports} reports, cancelled {cancelled:?}");
    assert!(reports > 20 && cancelled[0] > 3 && cancelled[1] > cancelled[0] && cancelled[1] < 60);
}

/// Searches that are refused, and requests of other kinds, wait their turn among searches that several walkers work on; those that
/// keep the table go to the walker of the last one.
#[test]
fn requests_are_answered_in_order_by_any_number_of_walkers() {
    let mut statuses = [0; 16];
    for walkers in 1..=MAX_WALKERS {
        for seed in 0..3 {
            let mut rng = Rng(seed << 8 | walkers as u64);
            let mut bench = Bench::of(&ChipConfig { search_walkers: walkers, ..chip() }, seed);
            bench.stall = seed % 4;
            let mut reference = Reference::default();
            let mut expected = Vec::new();
            let table = frame(Opcode::LoadTable as u8, 0, 0, &part(0, &vec![7; TABLE_BYTES as usize]));
            let mut requests = vec![table];
            for sequence in 1..25 {
                let faults = if rng.below(8) == 0 { 1 + rng.below(31) as u8 } else { 0 };
                let image = image(rng.below(5) as u16, faults, rng.below(256) as u8);
                let path: Vec<u64> = (0..rng.below(7)).map(|_| rng.below(u64::MAX)).collect();
                let depth = if rng.below(9) == 0 { u8::MAX } else { 1 + rng.below(30) as u8 };
                let mode = if rng.below(3) == 0 { KEEP_TABLE } else { 0 };
                let head = SearchHead { mode, depth, nodes: rng.below(1000), ..SearchHead::default() };
                requests.push(match rng.below(16) {
                    0 => frame(Opcode::Echo as u8, sequence, 0, &image[..9]),
                    1 => frame(Opcode::Perft as u8, sequence, 0, &[&[1, 0, 0, 0], &image[..]].concat()),
                    2 => frame(Opcode::Count as u8, sequence, 2, &[&image[..], &image[..]].concat()),
                    3 => frame(Opcode::Search as u8, sequence, 0, &image),
                    _ => frame(Opcode::Search as u8, sequence, 0, &search(head, &image, &path)),
                });
            }
            for request in &requests {
                reference.push(request, &mut expected);
                bench.rx.extend(request);
            }
            bench.run(1_000);
            let answers = frames(&bench.tx);
            answers.iter().for_each(|(header, _)| statuses[header.status as usize] += 1);
            assert!(answers == expected, "{walkers} walkers, seed {seed}: {answers:?}\n{expected:?}");
        }
    }
    let seen = [Status::Ok, Status::Range, Status::Position, Status::BadLength];
    assert!(seen.iter().all(|&status| statuses[status as usize] > 5), "{statuses:?}");
}
