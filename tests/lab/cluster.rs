//! `cluster`: threads and processes of MPI give the published numbers, and a lost process ends the count; one engine made of several finds
//! mates, plays on without members that are lost, and takes them back.

use hayasashi_tests::{
    data_lines,
    program::{binary, command, ended, kill, output, run, texts, Session, PATIENCE},
    skip,
};
use std::{
    fs,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The published numbers up to this many leaves.
fn published(most: u64) -> Vec<(String, String, u64)> {
    let line = |line: String| {
        let fields: Vec<&str> = line.split('\t').collect();
        (fields[0].to_string(), fields[1].to_string(), fields[2].parse().unwrap())
    };
    data_lines("rules/perft.tsv").into_iter().map(line).filter(|(.., nodes)| *nodes <= most).collect()
}

#[test]
fn threads_give_the_published_numbers() {
    let numbers = published(6_000_000);
    assert!(numbers.len() > 8);
    for (ranks, memory) in [("1", "64"), ("3", "1")] {
        for (sfen, depth, nodes) in &numbers {
            let (code, out, err) =
                run(&["cluster", "perft", depth, "--sfen", sfen, "--ranks", ranks, "--memory-mib", memory, "--quiet"]);
            assert!(code == 0 && out.ends_with(&format!("\nnodes: {nodes}\n")), "{sfen} {depth}: {out} {err}");
        }
    }
}

/// The program with MPI, which `tests/run` builds and names.
fn mpi(ranks: &str) -> Option<Command> {
    let Some(program) = std::env::var_os("HAYASASHI_MPI") else {
        skip(
            "HAYASASHI_MPI does not name a program with the feature `mpi` (`tests/run` builds one where it finds MPI)",
        );
        return None;
    };
    let mut command = Command::new("mpirun");
    // In a container the tests are root's, and there may be fewer cores than ranks.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.args(["--oversubscribe", "--mca", "btl", "self,tcp", "--mca", "btl_tcp_if_include", "lo", "-n", ranks]);
    command.arg(program).stdin(Stdio::null());
    Some(command)
}

#[test]
fn processes_give_the_published_numbers() {
    for (sfen, depth, nodes) in published(20_000_000).iter().rev().take(4) {
        let Some(mut command) = mpi("3") else { return };
        command.args(["cluster", "perft", depth, "--sfen", sfen, "--memory-mib", "16"]);
        let (code, out, err) = texts(output(command));
        // One rank alone prints.
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(code, 0, "{out} {err}");
        assert!(
            lines.len() == 2 && lines[0].starts_with("3 ranks, ") && lines[1] == format!("nodes: {nodes}"),
            "{out}"
        );
    }
}

/// The child processes of a process, when there are so many.
#[cfg(target_os = "linux")]
fn children(of: u32, count: usize) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let threads = fs::read_dir(format!("/proc/{of}/task")).into_iter().flatten().flatten();
        let of = |thread: fs::DirEntry| fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let ids = threads.map(of).flat_map(|ids| ids.split_whitespace().map(String::from).collect::<Vec<_>>());
        let children: Vec<String> = ids.collect();
        if children.len() >= count {
            return children;
        }
        assert!(begun.elapsed() < PATIENCE, "{count} processes did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The processes of these that have `variable` set to 1, 2, … up to `count`: numbers of processes may begin anew.
#[cfg(target_os = "linux")]
fn by_variable(processes: &[String], variable: &str, count: usize) -> Vec<String> {
    let has = |process: &&String, setting: &str| {
        let settings = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        settings.split(|&byte| byte == 0).any(|other| other == setting.as_bytes())
    };
    let of = |number| processes.iter().find(|process| has(process, &format!("{variable}={number}"))).cloned();
    (1..=count).map(|number| of(number).expect("a process has the variable")).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_killed_process_ends_the_run() {
    let Some(mut command) = mpi("3") else { return };
    command.args(["cluster", "perft", "10", "--json", "--quiet"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = command.spawn().expect("mpirun starts");
    let ranks = children(run.id(), 3);
    assert!(kill(&ranks[1]));
    ended(&mut run);
    let (code, out, _) = texts(run.wait_with_output().unwrap());
    assert!(code != 0 && !out.contains("nodes"), "{code}: {out}");
    // A process that has ended may wait for its parent (state Z).
    let lives = |rank: &String| {
        let status = fs::read_to_string(format!("/proc/{rank}/status")).unwrap_or_default();
        status.lines().any(|line| line.starts_with("State:") && !line.contains('Z'))
    };
    let begun = Instant::now();
    while ranks.iter().any(lives) {
        assert!(begun.elapsed() < PATIENCE, "a rank lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The table that processes learn is that of one process, byte for byte.
#[test]
fn processes_learn_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone.hyet", "together.hyet"].map(|name| folder.path().join(name).display().to_string());
    let records = concat!(env!("CARGO_MANIFEST_DIR"), "/data/records");
    // Thrice the same games, so that a step has several chunks.
    let settings = ["--games", records, records, records, "--passes", "2", "--batch", "20", "--threads", "1", "--out"];
    let Some(mut command) = mpi("3") else { return };
    command.args(["cluster", "learn"]).args(settings).arg(&together);
    let (code, of_ranks, err) = texts(output(command));
    assert_eq!(code, 0, "{err}");
    let (code, of_one, err) = run(&[&["learn", "eval"], &settings[..], &[&alone]].concat());
    assert_eq!(code, 0, "{err}");
    assert_eq!(of_ranks, of_one);
    assert!(fs::read(&alone).unwrap() == fs::read(&together).unwrap(), "the tables differ");
    // An error of one rank ends all.
    let Some(mut command) = mpi("2") else { return };
    command.args(["cluster", "learn", "--games", "/no/such/file", "--out"]).arg(&together);
    let (code, _, err) = texts(output(command));
    assert!(code != 0 && err.contains("/no/such/file"), "{code} {err}");
}

#[test]
fn learning_together_wants_mpirun() {
    let (code, out, err) = run(&["cluster", "learn", "--games", "a", "--out", "b"]);
    assert!(code == 2 && out.is_empty() && err.contains("mpirun -n N"), "{code} {out} {err}");
}

#[test]
fn a_program_without_mpi_says_so() {
    let mut command = command(&["cluster", "perft", "2"]);
    command.env("OMPI_COMM_WORLD_SIZE", "3");
    let (code, out, err) = texts(output(command));
    assert!(code == 2 && out.is_empty() && err.contains("--features mpi"), "{code} {out} {err}");
}

/// A cluster that is ready, with small tables.
fn ready(mut session: Session) -> Session {
    session.send("usi");
    session.until("usiok");
    session.send("setoption name USI_Hash value 1");
    session.send("isready");
    session.until("readyok");
    session
}

fn cluster(arguments: &[&str]) -> Session {
    ready(Session::open(&[&["cluster", "usi", "--backend", "model"], arguments].concat()))
}

/// Mates of the collections, with the number of their plies.
#[test]
fn every_method_finds_mates() {
    let mates: Vec<(String, u32)> =
        [("mate/tsume_1.sfen", 1), ("mate/collection_3.sfen", 3), ("mate/collection_5.sfen", 5)]
            .into_iter()
            .flat_map(|(file, plies)| data_lines(file).into_iter().take(6).map(move |line| (line, plies)))
            .collect();
    for method in ["shared", "alpha-beta", "softmax", "majority", "optimistic"] {
        let mut session = cluster(&["--members", "2", "--by", method]);
        // Several lines have no mate search at the root.
        let most = if method == "softmax" { 1 } else { 5 };
        for (line, plies) in mates.iter().filter(|(_, plies)| *plies <= most) {
            let sfen = line.split(" moves").next().unwrap().trim_start_matches("sfen ");
            session.send("usinewgame");
            session.send(&format!("position sfen {sfen}"));
            session.send("go nodes 200000");
            let lines = session.until("bestmove");
            let score = format!(" score mate {plies} ");
            assert!(lines.iter().any(|line| line.contains(&score)), "{method} {sfen}: {lines:?}");
        }
        session.quit();
    }
}

/// Simulated members play the same in every run, and none is given more than its time.
#[test]
fn a_simulation_is_repeatable() {
    let play = |method: &str| {
        let mut session = cluster(&["--members", "5", "--by", method, "--simulate", "30"]);
        let mut played = Vec::new();
        for moves in ["", " moves 7g7f", " moves 7g7f 3c3d 2g2f"] {
            session.send(&format!("position startpos{moves}"));
            session.send("go nodes 15000");
            let lines = session.until("bestmove");
            let time = lines.iter().find_map(|line| line.strip_prefix("info string simulated time of ")).unwrap();
            let time: u64 = time.split(' ').next().unwrap().parse().unwrap();
            // A search ends at its limit.
            assert!((10_000..=15_100).contains(&time), "{method}: {time}");
            let without_clock = |line: &String| {
                let words: Vec<&str> = line.split(' ').collect();
                // The nodes that are reported include those that the simulation has yet to hear of.
                let of_clock = ["nps", "time", "nodes"];
                let kept = words.iter().enumerate().filter(|(at, _)| !of_clock.contains(&words[at.saturating_sub(1)]));
                kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
            };
            played.extend(lines.iter().map(without_clock));
        }
        session.quit();
        played
    };
    for method in ["shared", "alpha-beta", "softmax", "majority"] {
        assert_eq!(play(method), play(method), "{method}");
    }
}

/// Members that vote are given different random numbers, so that they differ.
#[test]
fn noise_makes_members_differ() {
    let search = |members: &str, noise: &str| {
        let mut session = cluster(&["--by", "optimistic", "--members", members, "--simulate", "--option", noise]);
        session.send("position startpos moves 7g7f 3c3d");
        session.send("go nodes 3000");
        let lines = session.until("bestmove");
        session.quit();
        let last = lines.iter().rev().find(|line| line.contains(" score ")).expect("a score");
        last.split(" score cp ").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<i32>().ok()).expect("a number")
    };
    // The greatest score of several is greater only where they differ.
    assert_eq!(search("1", "EvalNoise=0"), search("6", "EvalNoise=0"));
    assert!(search("6", "EvalNoise=60") > search("1", "EvalNoise=60"));
}

#[test]
fn go_is_answered_once_whatever_comes() {
    let mut session = cluster(&["--members", "2"]);
    // Refused, absurd, without a legal move, with one, with a declaration.
    for (position, go, answer) in [
        ("startpos moves 7g7e", "nodes 100", "bestmove resign"),
        ("startpos", "movetime 1", "bestmove "),
        ("startpos", "depth 1 searchmoves 7g7f", "bestmove 7g7f"),
        ("startpos", "mate 100", "checkmate "),
        ("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "nodes 100", "bestmove resign"),
        ("sfen 4k4/9/4S4/9/9/9/9/9/4K4 b G 1", "nodes 5000", "bestmove G*5b"),
        ("sfen K+R+B+P+P+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b RB 1", "movetime 1000", "bestmove win"),
    ] {
        session.send(&format!("position {position}"));
        session.send(&format!("go {go}"));
        let line = session.answer(answer.split(' ').next().unwrap());
        assert!(line.starts_with(answer), "{position} {go}: {line}");
    }
    session.send("position startpos");
    session.send("go infinite");
    session.answer("info depth");
    session.send("go nodes 1000");
    session.answer("bestmove");
    session.answer("bestmove");
    session.send("go ponder btime 1000 wtime 1000");
    session.send("ponderhit");
    session.answer("bestmove");
    session.send("go infinite");
    session.send("stop");
    session.answer("bestmove");
    session.send("isready");
    assert_eq!(session.until("readyok").iter().filter(|line| line.starts_with("bestmove")).count(), 0);
    session.quit();
}

/// Members that are programs: one is stopped and goes on, then all are killed, and the leader plays by itself.
#[cfg(target_os = "linux")]
#[test]
fn a_game_goes_on_without_lost_members() {
    let program = |member: usize| format!("env MEMBER={member} '{}' usi --backend model", binary().display());
    let programs = [1, 2, 3].map(program);
    let engines: Vec<&str> = programs.iter().flat_map(|program| ["--engine", program]).collect();
    let mut session = cluster(&[&["--by", "alpha-beta"], &engines[..]].concat());
    let members = by_variable(&children(session.child.id(), 3), "MEMBER", 3);
    let signal = |name: &str, process: &str| {
        assert!(Command::new("kill").args([name, process]).status().unwrap().success());
    };
    session.send("position startpos");
    session.send("go infinite");
    session.answer("info depth");
    signal("-STOP", &members[1]);
    // Its work is given to another while the search goes on.
    session.answer("info string member 2 does not answer");
    session.send("stop");
    session.answer("bestmove");
    session.send("go nodes 20000");
    session.answer("bestmove");
    signal("-CONT", &members[1]);
    session.answer("info string member 2 answers again");
    session.send("go infinite");
    session.answer("info depth");
    assert!(kill(&members[0]));
    session.answer("info string member 1 has ended");
    session.send("stop");
    session.answer("bestmove");
    for (member, message) in
        members[1..].iter().zip(["info string member 2 has ended", "info string member 3 has ended"])
    {
        assert!(kill(member));
        session.answer(message);
    }
    session.send("go nodes 20000");
    let lines = session.until("bestmove");
    assert!(
        lines[0].contains("the leader searches by itself") && lines.iter().any(|l| l.contains(" pv ")),
        "{lines:?}"
    );
    session.quit();
}

/// A member that hangs is sent no more than it can take without reading, and the move comes.
#[cfg(target_os = "linux")]
#[test]
fn entries_for_a_member_that_hangs_do_not_stop_the_leader() {
    let program = |member: usize| format!("env MEMBER={member} '{}' usi --backend model", binary().display());
    let mut session = cluster(&["--by", "shared", "--engine", &program(1), "--engine", &program(2)]);
    let members = by_variable(&children(session.child.id(), 2), "MEMBER", 2);
    let signal = |name: &str| assert!(Command::new("kill").args([name, &members[1]]).status().unwrap().success());
    session.send("position startpos");
    session.send("go infinite");
    session.answer("info depth");
    signal("-STOP");
    // Long enough for more entries than a pipe holds.
    std::thread::sleep(Duration::from_secs(3));
    session.answer("info depth");
    session.send("stop");
    session.answer("bestmove");
    session.send("go nodes 20000");
    session.answer("bestmove");
    signal("-CONT");
    session.answer("info string member 2 answers again");
    session.send("go nodes 20000");
    session.answer("bestmove");
    session.quit();
}

/// Rank 0 leads; a rank that hangs loses its work, and is used again when it answers.
#[cfg(target_os = "linux")]
#[test]
fn processes_are_one_engine() {
    // The third member is idle while the second hangs, so that the leader notices.
    let Some(mut run) = mpi("4") else { return };
    run.args(["cluster", "usi", "--by", "alpha-beta", "--backend", "model", "--option", "2:Hash=2"]);
    let mut session = ready(Session::start(run));
    let ranks = by_variable(&children(session.child.id(), 4), "OMPI_COMM_WORLD_RANK", 2);
    session.send("position startpos");
    session.send("go nodes 30000");
    session.answer("bestmove");
    let signal = |name: &str| assert!(Command::new("kill").args([name, &ranks[1]]).status().unwrap().success());
    session.send("go infinite");
    session.answer("info depth");
    signal("-STOP");
    session.answer("info string member 2 does not answer");
    session.send("stop");
    session.answer("bestmove");
    session.send("go nodes 30000");
    session.answer("bestmove");
    signal("-CONT");
    session.answer("info string member 2 answers again");
    session.send("go nodes 30000");
    session.answer("bestmove");
    session.quit();
}

/// Ranks that own boards, which search by themselves. One is lost in the middle of a search: the software model takes its place.
#[test]
fn ranks_own_boards() {
    let open = || Session::open(&["chip", "--tcp", "127.0.0.1:0"]);
    let mut boards = [open(), open()];
    let names = boards.each_mut().map(Session::tcp_backend);
    let Some(mut run) = mpi("3") else { return };
    run.args(["cluster", "usi", "--by", "majority", "--option", "Search=chip"]);
    for (at, name) in names.iter().enumerate() {
        run.args(["--option", &format!("{}:Backend={name}", at + 1)]);
    }
    let mut session = ready(Session::start(run));
    session.send("position startpos");
    session.send("go nodes 20000");
    let both = session.answer("bestmove");
    session.send("go infinite");
    session.answer("info depth");
    boards[1].kill();
    session.answer("info string member 2: ");
    session.send("stop");
    session.answer("bestmove");
    // What the tables hold after an endless search depends on its time.
    session.send("usinewgame");
    session.send("position startpos");
    session.send("go nodes 20000");
    assert_eq!(session.answer("bestmove"), both);
    session.quit();
}

#[test]
fn wrong_arguments_are_named() {
    for (arguments, expected) in [
        (&["--members", "0"][..], "without members"),
        (&["--members", "2", "--option", "3:Hash=1"], "there is no member 3"),
        (&["--members", "2", "--option", "Hash"], "no name and value"),
        (&["--engine", "/no/such/program"], "cannot start `/no/such/program`"),
        (&["--by", "vote"], "majority"),
    ] {
        let (code, out, err) = run(&[&["cluster", "usi"], arguments].concat());
        assert!(code == 2 && out.is_empty() && err.contains(expected), "{arguments:?}: {code} {out} {err}");
    }
}
