//! The fault campaign: boards behind faulty lines, which stall, leave, return and are replaced by others, under every kind
//! of work. `docs/faults.md` has the scenarios and what was found.
//!
//! Required: no wrong answer, no panic, nothing that does not end.

mod board;
mod work;

use board::{Faults, FaultyBoard};
use std::{
    fmt::Write,
    sync::{atomic::Ordering, mpsc::channel},
    time::{Duration, Instant},
};
use work::{Work, LATEST_REPLY, WORK};

/// The scenarios.
const SCENARIOS: [(&str, Faults); 9] = {
    const NONE: Faults = Faults {
        bytes_per_million: 0,
        truncated_per_thousand: 0,
        delayed_per_thousand: 0,
        stall_every_ms: 0,
        stall_ms: 0,
        kill_every_ms: 0,
        reset_every_ms: 0,
        swap: false,
    };
    [
        ("no fault", NONE),
        ("1e-5 of the bytes damaged", Faults { bytes_per_million: 10, ..NONE }),
        ("1e-4 of the bytes damaged", Faults { bytes_per_million: 100, ..NONE }),
        ("1e-3 of the bytes damaged", Faults { bytes_per_million: 1000, ..NONE }),
        ("1e-2 of the bytes damaged", Faults { bytes_per_million: 10_000, ..NONE }),
        ("pieces cut off and held back", Faults { truncated_per_thousand: 10, delayed_per_thousand: 20, ..NONE }),
        ("stalls of 0.7 s", Faults { stall_every_ms: 800, stall_ms: 700, ..NONE }),
        ("lost, back and reset", Faults { kill_every_ms: 700, reset_every_ms: 400, ..NONE }),
        (
            "all at once, and other boards in its place",
            Faults {
                bytes_per_million: 200,
                truncated_per_thousand: 2,
                delayed_per_thousand: 5,
                stall_every_ms: 1500,
                stall_ms: 300,
                kill_every_ms: 900,
                reset_every_ms: 1200,
                swap: true,
            },
        ),
    ]
};

/// Longer than any round of work takes, even on a busy machine: what takes longer hangs.
const DEADLINE: Duration = Duration::from_secs(300);

/// Most memory that three quarters of a long run may add to that of the first quarter.
const MEMORY_GROWTH_MIB: u64 = 100;

/// Runs every kind of work in every scenario for this long each; the scenarios at the same time, the kinds of work one after
/// the other. Returns the report.
fn run(each: Duration) -> String {
    let threads: Vec<_> = (0u64..)
        .zip(SCENARIOS)
        .map(|(index, (name, faults))| (name, std::thread::spawn(move || scenario(name, faults, index, each))))
        .collect();
    let mut report =
        String::from("| scenario | rounds of work | damage | stalls | losses | resets |\n|---|---|---|---|---|---|\n");
    let mut failures = Vec::new();
    for (name, thread) in threads {
        match thread.join() {
            Ok(Ok(line)) => report.push_str(&line),
            Ok(Err(failure)) => failures.push(failure),
            Err(_) => failures.push(format!("{name}: panics")),
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
    let _ = writeln!(report, "\nlatest reply: {} ms after its time limit", LATEST_REPLY.load(Ordering::Relaxed));
    report
}

/// Memory of this process in MiB; `None` where the system does not tell.
fn resident_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

fn scenario(name: &str, faults: Faults, index: u64, each: Duration) -> Result<String, String> {
    let (mut rounds, mut counts) = (String::new(), [0; 6]);
    for (number, work) in WORK.into_iter().enumerate() {
        let seed = 1000 * index + number as u64;
        let board = FaultyBoard::start(faults, seed);
        let done =
            one(work, &board, seed, each).map_err(|what| format!("{name}, {}, seed {seed}: {what}", work.name))?;
        let _ = write!(rounds, "{}{} {}", if number == 0 { "" } else { ", " }, done, work.name);
        let events = &board.events;
        let of_board =
            [&events.damaged_bytes, &events.truncated, &events.delayed, &events.stalls, &events.kills, &events.resets];
        counts.iter_mut().zip(of_board).for_each(|(sum, count)| *sum += count.load(Ordering::Relaxed));
    }
    let [bytes, cut, held, stalls, kills, resets] = counts;
    Ok(format!("| {name} | {rounds} | {bytes} bytes, {cut} cuts, {held} delays | {stalls} | {kills} | {resets} |\n"))
}

/// Rounds of one kind of work on one board. The work runs in a thread of its own, so that one that hangs is noticed.
fn one(work: Work, board: &FaultyBoard, seed: u64, each: Duration) -> Result<u64, String> {
    let (send, outcome) = channel();
    let address = board.address;
    std::thread::spawn(move || {
        let result = (work.start)(address, seed).and_then(|mut round| {
            let end = Instant::now() + each;
            let mut rounds = 0;
            loop {
                round()?;
                rounds += 1;
                if Instant::now() >= end {
                    return Ok(rounds);
                }
            }
        });
        let _ = send.send(result);
    });
    outcome.recv_timeout(each + DEADLINE).map_err(|e| format!("hangs or panics ({e})"))?
}

#[test]
fn no_fault_changes_an_answer_or_stops_the_work() {
    println!("{}", run(Duration::from_millis(900)));
}

#[test]
#[ignore = "an hour; HAYASASHI_CAMPAIGN_SECONDS sets another duration"]
fn no_fault_changes_an_answer_or_stops_the_work_for_an_hour() {
    let seconds = std::env::var("HAYASASHI_CAMPAIGN_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(3600);
    let each = Duration::from_secs(seconds) / WORK.len() as u32;
    println!("{}", run(each / 4));
    let before = resident_mib();
    println!("{}", run(each / 4 * 3));
    if let (Some(before), Some(after)) = (before, resident_mib()) {
        println!("memory: {before} MiB after a quarter of the time, {after} MiB at the end");
        assert!(after < before + MEMORY_GROWTH_MIB, "memory grows from {before} to {after} MiB");
    }
}
