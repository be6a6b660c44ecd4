//! A search thread that panics: here the writer of its reports does.

use hayasashi_engine::usi::{run, Options};
use hayasashi_shogi::rules::{Move, Position};
use std::{
    io::{self, BufReader, Read, Write},
    sync::mpsc::{channel, Receiver, Sender},
    thread,
    time::Duration,
};

/// Lines that the test sends.
struct Input {
    lines: Receiver<String>,
    rest: Vec<u8>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            self.rest = self.lines.recv().map_or(Vec::new(), |line| format!("{line}\n").into_bytes());
        }
        let bytes = self.rest.len().min(buffer.len());
        self.rest.drain(..bytes).zip(buffer).for_each(|(byte, place)| *place = byte);
        Ok(bytes)
    }
}

/// Sends whole lines to the test, and panics instead of the first reports of a search.
struct Output {
    lines: Sender<String>,
    line: Vec<u8>,
    panics: usize,
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = String::from_utf8(std::mem::take(&mut self.line)).unwrap();
            if self.panics > 0 && line.starts_with("info depth") {
                self.panics -= 1;
                panic!("this panic is part of the test");
            }
            let _ = self.lines.send(line);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// All lines up to the first with this beginning.
fn until(lines: &Receiver<String>, beginning: &str) -> Vec<String> {
    let mut seen = Vec::new();
    loop {
        match lines.recv_timeout(Duration::from_secs(900)) {
            Ok(line) => seen.push(line),
            Err(error) => panic!("{error} before `{beginning}`: {seen:#?}"),
        }
        if seen.last().is_some_and(|line| line.starts_with(beginning)) {
            return seen;
        }
    }
}

#[test]
fn a_panic_of_the_search_ends_in_a_move_and_the_engine_goes_on() {
    // A panic of the search; one of the search that replaces it, too.
    for panics in [1, 2] {
        for go in ["go depth 4", "go movetime 300", "go infinite"] {
            let ((send, input), (output, lines)) = (channel(), channel());
            let engine = thread::spawn(move || {
                let input = BufReader::new(Input { lines: input, rest: Vec::new() });
                run(Options::new("model", None).unwrap(), input, Output { lines: output, line: Vec::new(), panics })
            });
            let tell = |line: &str| send.send(line.into()).unwrap();
            tell("setoption name USI_Hash value 1");
            tell("position startpos moves 7g7f");
            tell(go);
            let mut seen = Vec::new();
            for _ in 0..panics {
                seen.extend(until(&lines, "info string error"));
            }
            tell("stop");
            seen.extend(until(&lines, "bestmove"));
            assert!(seen.iter().any(|line| line.contains("this panic is part of the test")), "{seen:#?}");
            assert_eq!(seen.iter().any(|line| line.starts_with("info depth")), panics == 1, "{seen:#?}");
            let best = seen.last().unwrap().split(' ').nth(1).unwrap();
            let mut position = Position::startpos();
            position.do_move(Move::from_usi("7g7f").unwrap());
            assert!(position.is_legal(Move::from_usi(best).unwrap()), "{seen:#?}");

            tell("go depth 2");
            let seen = until(&lines, "bestmove");
            assert!(seen.iter().any(|line| line.starts_with("info depth 2")), "{seen:#?}");
            tell("quit");
            engine.join().unwrap().unwrap();
        }
    }
}
