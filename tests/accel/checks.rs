//! `selftest` and `verify` ask every opcode, and say what they could not compare.

use hayasashi_accel::{selftest::Selftest, verify::Verifier, virtual_board::serve_tcp, *};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::evaluate::first_table;
use hayasashi_shogi::rules::Position;
use hayasashi_sim::RtlChip;
use hayasashi_spec::opcode::{Opcode, Status};
use hayasashi_tests::{data_lines, program::run};
use std::{
    io,
    sync::{atomic::AtomicBool, mpsc::channel},
};

/// A model that answers one opcode with zeros.
struct Zeros(ModelBackend, Opcode);

impl CoProcessor for Zeros {
    fn name(&self) -> String {
        "zeros".into()
    }

    fn submit(&self, request: Request) -> Ticket {
        let changes = request.opcode == self.1 as u8;
        self.0.submit(request).then(move |outcome| {
            let mut answers = outcome?;
            if changes {
                answers.iter_mut().filter(|a| a.status == Status::Ok as u8).for_each(|a| a.payload.fill(0));
            }
            Ok(answers)
        })
    }
}

/// A model that has a table from the start, and answers every part of another one with the offset that is hoped for.
struct KeepsTable(ModelBackend);

impl CoProcessor for KeepsTable {
    fn name(&self) -> String {
        "keeps its table".into()
    }

    fn submit(&self, request: Request) -> Ticket {
        match request.opcode == Opcode::LoadTable as u8 {
            true => Ticket::ready(Ok(vec![Response { opcode: 0x83, status: 0x0B, index: 0, payload: vec![] }])),
            false => self.0.submit(request),
        }
    }
}

fn failed(chip: &dyn CoProcessor) -> Vec<String> {
    let selftest = Selftest::new(chip, &first_table().into()).unwrap();
    selftest.tests().into_iter().filter(|test| !selftest.run(*test).is_empty()).map(selftest::Test::name).collect()
}

#[test]
fn the_self_test_finds_a_wrong_answer_to_each_opcode() {
    for (opcode, name) in [
        (Opcode::Echo, "echo"),
        (Opcode::Generate, "generate"),
        (Opcode::Count, "count"),
        (Opcode::Evaluate, "evaluate"),
        (Opcode::Expand, "expand"),
        (Opcode::Perft, "perft"),
        (Opcode::Search, "search"),
    ] {
        let failed = failed(&Zeros(ModelBackend::new(), opcode));
        assert!(failed.iter().any(|test| test == name), "{name}: {failed:?}");
    }
    let table = ModelBackend::new();
    table.load_table(&first_table().to_bytes()).unwrap();
    assert!(failed(&KeepsTable(table)).contains(&"table".to_string()));
}

#[test]
fn verify_finds_a_wrong_answer_to_each_opcode() {
    let (model, table) = (ModelBackend::new(), first_table());
    for opcode in [Opcode::Generate, Opcode::Count, Opcode::Evaluate, Opcode::Expand, Opcode::Perft] {
        let wrong = Zeros(ModelBackend::new(), opcode);
        let verifier = Verifier::new(&[&model, &wrong], &table.clone().into()).unwrap();
        let differences = verifier.compare(&[Position::startpos()]).unwrap();
        // The table's score of the first position may be zero.
        assert!(opcode == Opcode::Evaluate || differences.len() == 1, "{}", opcode.name());
        assert!(differences.iter().all(|difference| difference.opcode == opcode));
    }
    let wrong = Zeros(ModelBackend::new(), Opcode::Echo);
    assert!(matches!(Verifier::new(&[&wrong], &table.into()), Err(AccelError::Malformed { .. })));
}

#[test]
fn a_file_without_positions_is_an_error_of_verify() {
    let path = std::env::temp_dir().join(format!("hayasashi-no-positions-{}", std::process::id()));
    std::fs::write(&path, "# nothing here\n\n").unwrap();
    let name = path.display().to_string();
    let (code, out, err) = run(&["verify", "--backend", "model", "--against", "rules", "--positions", &name]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(code, 2, "{out}{err}");
    assert!(err.contains("nothing was compared; hint:"), "{err}");
}

/// Serves a chip on a socket in a thread until it is lost; returns the address.
fn serve<C: StreamChip>(chip: impl FnOnce() -> C + Send + 'static) -> String {
    let (announce, announced) = channel();
    std::thread::spawn(move || {
        let stop = AtomicBool::new(false);
        // The loss of the chip is part of the test.
        let _ = serve_tcp(&mut chip(), "127.0.0.1:0", &stop, &mut |a| announce.send(a.to_string()).unwrap());
    });
    format!("tcp:{}", announced.recv().unwrap())
}

/// A model that is lost after this many bytes of answers.
struct Mortal(ModelStream, usize);

impl StreamChip for Mortal {
    fn name(&self) -> String {
        "mortal".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        self.0.push(bytes)
    }

    fn step(&mut self) -> io::Result<bool> {
        match self.1 {
            0 => Err(io::ErrorKind::BrokenPipe.into()),
            _ => self.0.step(),
        }
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        let bytes = self.0.pull(buffer);
        self.1 = self.1.saturating_sub(bytes);
        bytes
    }
}

#[test]
fn verify_says_what_it_could_not_compare() {
    let lines = data_lines("rules/legal_moves.tsv");
    let sfens: Vec<&str> = lines.iter().take(600).filter_map(|line| line.split('\t').next()).collect();
    let path = std::env::temp_dir().join(format!("hayasashi-mortal-{}", std::process::id()));
    std::fs::write(&path, sfens.join("\n")).unwrap();
    let backend = serve(|| Mortal(ModelStream::new(), 150_000));
    let name = path.display().to_string();
    let (code, out, err) = run(&["verify", "--backend", &backend, "--against", "model", "--positions", &name]);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(code, 2, "{out}{err}");
    assert!(out.contains("positions: ") && !out.contains("positions: 600") && out.contains("differences: 0"), "{out}");
    assert!(err.contains("and those after it were not compared") && err.contains("connection lost"), "{err}");
}

#[test]
fn gateware_of_another_build_is_named() {
    let chip = ChipConfig { build_id: 0x1234_ABCD, ..ChipConfig::default() };
    let backend = serve(move || RtlStream::new(RtlChip::new(&chip)));
    let (code, out, err) = run(&["info", "--backend", &backend]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("gateware is build 1234abcd, this program has build"), "{out}");
    let (_, out, _) = run(&["info", "--backend", "model"]);
    assert!(out.contains("functions: count, movegen, evaluate, perft, search, network\n"), "{out}");
    assert!(!out.contains("this program has build"), "{out}");
}
