//! How much sooner several members reach a depth than one: `cargo bench -p hayasashi-cluster --bench depth`. Members are simulated, so that
//! time is counted in nodes, and the numbers are the same in every run. `DEPTH` and `MEMBERS` set the depth and the greatest number.

use hayasashi_cluster::usi::{
    leader::{Leader, LeaderSettings},
    strategy::{Method, Sizes},
    team::{Event, Lines, Team},
};
use hayasashi_engine::{usi::Options, BENCH_POSITIONS};
use std::sync::mpsc::channel;

/// Time of a message, in nodes.
const MESSAGE_NODES: u64 = 50;

/// The time to this depth in each of the positions, each with empty tables.
fn times(members: usize, depth: u32) -> Vec<u64> {
    let mut options = Options::new("model", None).expect("the model is a back end");
    options.hash_mib = 16;
    let mut team = Team::default();
    for _ in 0..members {
        team.add_thread(options.clone()).expect("threads can be started");
    }
    let gui = team.sender();
    let (sender, lines) = channel();
    let output = Lines::new(Box::new(move |line| drop(sender.send(line))));
    let settings = LeaderSettings {
        method: Method::Shared,
        sizes: Sizes::default(),
        options: Vec::new(),
        simulated: Some(MESSAGE_NODES),
    };
    let leader = std::thread::spawn(move || Leader::new(team, settings, options, output).run());
    let say = |line: String| gui.send(Event::Gui(Some(line))).expect("the leader lives");
    let time = |line: String| line.strip_prefix("info string simulated time of ")?.split(' ').next()?.parse().ok();
    let times = BENCH_POSITIONS.iter().map(|sfen| {
        say("usinewgame".into());
        say(format!("position sfen {sfen}"));
        say(format!("go depth {depth}"));
        lines.iter().find_map(time).expect("the leader answers")
    });
    let times = times.collect();
    say("quit".into());
    leader.join().expect("the leader ends");
    times
}

fn main() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (depth, most) = (number("DEPTH", 14) as u32, number("MEMBERS", 8) as usize);
    let alone = times(1, depth);
    for members in std::iter::successors(Some(1), |members| Some(members * 2)).take_while(|members| *members <= most) {
        let times = times(members, depth);
        let ratios = alone.iter().zip(&times).map(|(alone, time)| *alone as f64 / *time as f64);
        // The geometric mean, as of all ratios.
        let mean = (ratios.map(f64::ln).sum::<f64>() / times.len() as f64).exp();
        let (all, all_alone) = (times.iter().sum::<u64>(), alone.iter().sum::<u64>());
        println!(
            "{members} member(s) to depth {depth}: {mean:.2} times as soon in the mean of {} positions, {:.2} times together ({all} nodes)",
            times.len(),
            all_alone as f64 / all as f64,
        );
    }
}
