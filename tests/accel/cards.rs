//! Cards on PCIe: virtual boards on FIFOs in place of the driver's device files, through the real transport.
#![cfg(unix)]

use hayasashi_accel::{
    open, virtual_board::serve_fifos, AccelError, BackendSpec, CoProcessor, ModelStream, PacketChip, StreamChip,
};
use hayasashi_model::Model;
use hayasashi_shogi::random::split_mix;
use hayasashi_spec::word_frame::{Framing, WORD_BYTES};
use hayasashi_tests::{
    program::{run, Session},
    replay::Tool,
};
use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::channel,
        Arc,
    },
    thread::JoinHandle,
};
use tempfile::TempDir;

/// A card in a folder of its own, served by another process.
fn card(engine: &str) -> (Session, String, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("card");
    let board = serve(&path, engine);
    (board, format!("pcie:{}", path.display()), folder)
}

fn serve(path: &Path, engine: &str) -> Session {
    let mut board = Session::open(&["chip", "--engine", engine, "--pcie", path.to_str().unwrap()]);
    board.answer("pcie:");
    board
}

#[test]
fn a_card_answers_as_the_model_does() {
    let (_board, backend, _folder) = card("model");
    answers_as_the_model(&backend);
}

/// 5,151 positions, and every opcode.
fn answers_as_the_model(backend: &str) {
    for positions in ["data/rules/legal_moves.tsv", "data/rules/uchifuzume.tsv"] {
        let (code, out, err) = run(&["verify", "--positions", positions, "--backend", backend, "--against", "model"]);
        assert_eq!(code, 0, "{out}{err}");
        assert!(out.contains("differences: 0"), "{out}");
    }
    let (code, out, err) = run(&["selftest", "--backend", backend]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn the_simulated_gateware_answers_behind_the_files_of_a_card() {
    let (_board, backend, _folder) = card("rtl");
    let (code, out, err) = run(&["perft", "2", "--backend", &backend]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(out.contains("nodes: 900"), "{out}");
    if Tool::Verilator.installed() {
        let (_board, backend, _folder) = card("verilog");
        answers_as_the_model(&backend);
    }
}

/// A chip that takes and gives a few words at a time, sometimes none.
struct Pieces {
    chip: ModelStream,
    random: u64,
}

impl Pieces {
    fn words(&mut self) -> usize {
        let (state, random) = split_mix(self.random);
        self.random = state;
        WORD_BYTES * (random % 6) as usize
    }
}

impl StreamChip for Pieces {
    fn name(&self) -> String {
        "pieces".into()
    }

    fn framing(&self) -> Framing {
        Framing::Words
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        let most = self.words().min(bytes.len());
        self.chip.push(&bytes[..most])
    }

    fn step(&mut self) -> io::Result<bool> {
        self.chip.step()
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        let most = self.words().min(buffer.len());
        self.chip.pull(&mut buffer[..most])
    }
}

/// A card in this process; it is removed when dropped.
struct Card {
    path: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Card {
    fn serve(path: PathBuf, chip: impl StreamChip + Send + 'static) -> Card {
        let (announce, announced) = channel();
        let stop = Arc::<AtomicBool>::default();
        let (for_thread, of_thread) = (stop.clone(), path.clone());
        let thread = std::thread::spawn(move || {
            serve_fifos(&mut PacketChip::new(chip), &of_thread, &for_thread, &mut |_| announce.send(()).unwrap())
                .unwrap();
        });
        announced.recv().unwrap();
        Card { path, stop, thread: Some(thread) }
    }

    fn spec(&self) -> BackendSpec {
        BackendSpec::Pcie { path: self.path.display().to_string() }
    }
}

impl Drop for Card {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

#[test]
fn requests_and_answers_may_come_in_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let chip = Pieces { chip: ModelStream::behind(Framing::Words, Model::default()), random: 1 };
    let card = Card::serve(folder.path().join("card"), chip);
    let backend = format!("pcie:{}", card.path.display());
    let positions = "data/rules/uchifuzume.tsv";
    let (code, out, err) = run(&["verify", "--positions", positions, "--backend", &backend, "--against", "model"]);
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn one_program_at_a_time_has_a_card() {
    let folder = tempfile::tempdir().unwrap();
    let card = Card::serve(folder.path().join("card"), ModelStream::behind(Framing::Words, Model::default()));
    for _ in 0..20 {
        let first = open(&card.spec()).unwrap();
        first.chip.info().unwrap();
        let second = open(&card.spec()).err().expect("the card is in use");
        assert!(matches!(second, AccelError::CardBusy { .. }), "{second}");
    }
}

#[test]
fn the_next_program_finds_a_card_whose_user_was_killed() {
    let (_board, backend, _folder) = card("model");
    for _ in 0..3 {
        let mut engine = Session::engine(&backend);
        engine.begin_search(60000);
        engine.kill();
        let (code, out, err) = run(&["count", "--sfen", "startpos", "--backend", &backend]);
        assert_eq!((code, out.trim()), (0, "30"), "{err}");
    }
}

#[test]
fn the_engine_moves_when_its_card_is_removed_during_a_search() {
    let (mut first, backend, folder) = card("model");
    let mut engine = Session::engine(&backend);
    engine.begin_search(3000);
    first.kill();
    let line = engine.answer("bestmove");
    assert!(!line.contains("resign"), "{line}");
    // The card returns: the FIFOs of the killed one are used again, and the engine opens them.
    let _second = serve(&folder.path().join("card"), "model");
    engine.send("go movetime 3000");
    let line = engine.answer("bestmove");
    assert!(!line.contains("resign"), "{line}");
}

#[test]
fn a_card_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("xdma0").display().to_string();
    let error = open(&BackendSpec::Pcie { path: path.clone() }).err().unwrap().to_string();
    assert!(error.contains(&format!("{path}_h2c_0")) && error.contains("modprobe xdma"), "{error}");
    // The files are there, and nobody is behind them.
    let chip = ModelStream::behind(Framing::Words, Model::default());
    let gone = Card::serve(folder.path().join("gone"), chip);
    let spec = gone.spec();
    drop(gone);
    assert!(open(&spec).is_err());
}
