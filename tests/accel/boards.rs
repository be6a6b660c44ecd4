//! Boards that come and go: virtual boards on sockets and pseudo-terminals, through the real transports.

use hayasashi_accel::{
    virtual_board::{serve_pty, serve_tcp},
    *,
};
use hayasashi_model::evaluate::first_table;
use hayasashi_model::link::frame::{encode_frame, Decoder};
use hayasashi_model::Model;
use hayasashi_spec::frame::MAX_REQUEST_PAYLOAD;
use hayasashi_spec::opcode::{Opcode, ANSWER};
use hayasashi_spec::position::PositionImage;
use hayasashi_spec::registers::Info;
use hayasashi_spec::{MAGIC, PROTOCOL_VERSION};
use hayasashi_tests::image_from_sfen;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

const SFENS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "4k4/9/4P4/4P4/9/9/9/9/4K4 b - 1",
];
const TIMEOUT: Duration = Duration::from_secs(3);
const INTERVAL: Duration = Duration::from_millis(50);

fn positions(n: usize) -> Vec<PositionImage> {
    (0..n).map(|i| image_from_sfen(SFENS[i % SFENS.len()]).0).collect()
}

fn table() -> (Model, Vec<u8>) {
    let table = first_table();
    let bytes = table.to_bytes();
    (Model::with_evaluation(Arc::new(table)), bytes)
}

/// A virtual board in a thread; it stops when dropped.
struct VirtualBoard {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl VirtualBoard {
    /// On this TCP address (port 0 for any free one); returns the address.
    fn tcp(address: &str) -> (VirtualBoard, String) {
        let (announce, announced) = channel();
        let address = address.to_string();
        let board = VirtualBoard::start(move |chip, stop| {
            serve_tcp(chip, &address, stop, &mut |a| announce.send(a.to_string()).unwrap()).unwrap();
        });
        (board, announced.recv().unwrap())
    }

    /// On a pseudo-terminal behind a link.
    fn pty(link: &Path) -> VirtualBoard {
        let (announce, announced) = channel();
        let link = link.to_path_buf();
        let board = VirtualBoard::start(move |chip, stop| {
            serve_pty(chip, Some(&link), stop, &mut |p| announce.send(p.to_path_buf()).unwrap()).unwrap();
        });
        announced.recv().unwrap();
        board
    }

    fn start(serve: impl FnOnce(&mut dyn StreamChip, &AtomicBool) + Send + 'static) -> VirtualBoard {
        let stop = Arc::new(AtomicBool::new(false));
        let for_thread = stop.clone();
        let thread = std::thread::spawn(move || serve(&mut ModelStream::new(), &for_thread));
        VirtualBoard { stop, thread: Some(thread) }
    }
}

impl Drop for VirtualBoard {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

fn link(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("hayasashi-{name}-{}", std::process::id()))
}

fn serial(path: &Path) -> BackendSpec {
    BackendSpec::Serial { path: path.display().to_string(), baud: Some(DEFAULT_BAUD) }
}

type Events = Arc<Mutex<Vec<FailoverEvent>>>;

fn events() -> (Events, FailoverListener) {
    let events = Events::default();
    let for_listener = events.clone();
    (events, Arc::new(move |n: &FailoverEvent| for_listener.lock().unwrap().push(n.clone())))
}

fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let end = Instant::now() + Duration::from_secs(600);
    while !condition() {
        assert!(Instant::now() < end, "timeout while waiting for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Threads send requests while the board is lost and returns: every result equals the model's.
fn check_loss_and_return(spec: BackendSpec, board: VirtualBoard, again: impl Fn() -> VirtualBoard) {
    let (model, bytes) = table();
    let direct = ModelBackend::with_model(model);
    let positions = positions(70);
    let (generated, evaluated) = (direct.generate(&positions), direct.evaluate(&positions));
    let (events, listener) = events();
    let reopen = spec.clone();
    let chip = Failover::with_interval(
        open_remote(&spec, TIMEOUT).unwrap(),
        move || open_remote(&reopen, TIMEOUT),
        listener,
        INTERVAL,
    )
    .unwrap();
    chip.load_table(&bytes).unwrap();
    assert!(chip.has_board());

    let (rounds, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let end = Instant::now() + Duration::from_secs(600);
    let mut successor = None;
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) && Instant::now() < end {
                    let (moves, scores) = (chip.submit_generate(&positions), chip.submit_evaluate(&positions));
                    assert_eq!(scores.wait(), evaluated);
                    assert_eq!(moves.wait(), generated);
                    rounds.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let some_rounds = || {
            let before = rounds.load(Ordering::Relaxed);
            wait_until("work", || rounds.load(Ordering::Relaxed) > before + 20);
        };
        some_rounds();
        drop(board);
        wait_until("the loss", || !chip.has_board());
        some_rounds();
        successor = Some(again());
        let is_back = |n: &FailoverEvent| matches!(n, FailoverEvent::Recovered { table_reloaded: true, .. });
        wait_until("the return", || events.lock().unwrap().iter().any(is_back));
        some_rounds();
        stop.store(true, Ordering::Relaxed);
    });
    let reported = events.lock().unwrap().clone();
    assert!(chip.has_board(), "{reported:?}");
    drop(successor);
    assert_eq!(reported.len(), 2, "{reported:?}");
    assert!(
        matches!(reported[0], FailoverEvent::Lost { .. })
            && reported[0].to_string().contains("the software model takes over")
    );
}

#[test]
fn a_board_on_a_socket_is_lost_and_returns() {
    let (board, address) = VirtualBoard::tcp("127.0.0.1:0");
    let spec = BackendSpec::Tcp { address: address.clone() };
    check_loss_and_return(spec, board, || VirtualBoard::tcp(&address).0);
}

#[test]
fn a_board_on_a_serial_port_is_lost_and_returns() {
    let path = link("returns");
    check_loss_and_return(serial(&path), VirtualBoard::pty(&path), || VirtualBoard::pty(&path));
    assert!(std::fs::symlink_metadata(&path).is_err(), "the link goes with the board");
}

#[test]
fn serial_ports_run_at_each_rate_and_for_one_client_after_another() {
    let path = link("rates");
    let _board = VirtualBoard::pty(&path);
    let positions = positions(100);
    let expected = ModelBackend::new().generate(&positions);
    for baud in [3_000_000, 115_200, 1_000_000, 3_000_000] {
        let spec = BackendSpec::Serial { path: path.display().to_string(), baud: Some(baud) };
        let chip = open(&spec).unwrap().chip;
        assert_eq!(chip.generate(&positions), expected);
        assert_eq!(chip.name(), spec.to_string());
    }
    // A client that disconnects with a request in flight.
    let board = open_remote(&serial(&path), TIMEOUT).unwrap();
    let pending = board.submit_generate(&positions);
    drop(board);
    assert!(matches!(pending.wait(), Err(AccelError::Lost { .. })));
    assert_eq!(open(&serial(&path)).unwrap().chip.generate(&positions), expected);
}

#[test]
fn a_socket_serves_one_client_after_another() {
    let (_board, address) = VirtualBoard::tcp("127.0.0.1:0");
    let positions = positions(100);
    let expected = ModelBackend::new().generate(&positions);
    for _ in 0..3 {
        let opened = open(&format!("tcp:{address}").parse().unwrap()).unwrap();
        assert!(opened.note.contains("protocol 1.1"), "{}", opened.note);
        let _left_behind = opened.chip.submit_generate(&positions);
        assert_eq!(opened.chip.generate(&positions), expected);
        let _left_behind = opened.chip.submit_generate(&positions);
    }
}

#[test]
fn a_port_in_use_is_reported() {
    let path = link("busy");
    let _board = VirtualBoard::pty(&path);
    let _first = open(&serial(&path)).unwrap();
    let error = open(&serial(&path)).err().unwrap();
    assert!(matches!(error, AccelError::PortBusy { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("in use by another program") && message.contains("port"), "{message}");
}

#[test]
fn a_named_back_end_that_is_absent_is_an_error() {
    let error = open(&"serial:/dev/ttyNone7".parse().unwrap()).err().unwrap();
    assert!(matches!(error, AccelError::Absent { .. }), "{error}");
    assert!(error.to_string().contains("`/dev/ttyNone7` does not exist"), "{error}");

    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = open(&BackendSpec::Tcp { address: free.to_string() }).err().unwrap();
    assert!(matches!(error, AccelError::Open { .. }), "{error}");
    assert!(error.to_string().contains(&free.to_string()), "{error}");

    let error = open(&"serial:/dev/null".parse().unwrap()).err().unwrap();
    assert!(matches!(error, AccelError::Open { .. }), "{error}");
}

#[test]
fn auto_always_opens_a_back_end() {
    let opened = open(&BackendSpec::Auto).unwrap();
    assert!(!opened.note.contains('\n') && !opened.note.is_empty());
    assert_eq!(opened.chip.count(&positions(4)), ModelBackend::new().count(&positions(4)));
}

/// Speaks the frame format, but is another device.
struct Impostor {
    info: Info,
    decoder: Decoder,
    answers: Vec<u8>,
}

impl Impostor {
    fn new(magic: u32, protocol: u32) -> InProcessTransport<Impostor> {
        let info = Info { magic, protocol, ..Info::default() };
        InProcessTransport(Impostor { info, decoder: Decoder::new(MAX_REQUEST_PAYLOAD), answers: vec![] })
    }
}

impl StreamChip for Impostor {
    fn name(&self) -> String {
        "impostor".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        let Impostor { info, decoder, answers } = self;
        decoder.push(bytes, |frame| {
            let frame = frame.unwrap();
            let mut header = frame.header;
            header.opcode |= ANSWER;
            let is_info = frame.header.opcode == Opcode::Info as u8;
            encode_frame(header, if is_info { bytemuck::bytes_of(info) } else { frame.payload }, answers);
        });
        bytes.len()
    }

    fn step(&mut self) -> std::io::Result<bool> {
        Ok(false)
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        let bytes = self.answers.len().min(buffer.len());
        self.answers.drain(..bytes).zip(buffer).for_each(|(byte, place)| *place = byte);
        bytes
    }
}

#[test]
fn another_version_or_device_is_reported_with_a_hint() {
    let refused =
        |magic, protocol| RemoteChip::connect(Impostor::new(magic, protocol), TIMEOUT).err().map(|e| e.to_string());
    assert_eq!(refused(MAGIC, PROTOCOL_VERSION | 7), None);
    let newer = refused(MAGIC, 0x0002_0003).unwrap();
    assert!(newer.contains("protocol 2.3") && newer.contains("speaks 1.1") && newer.contains("update"), "{newer}");
    let older = refused(MAGIC, 0x0000_0009).unwrap();
    assert!(older.contains("protocol 0.9") && older.contains("load the gateware"), "{older}");
    let other = refused(0x1234_5678, PROTOCOL_VERSION).unwrap();
    assert!(other.contains("0x12345678") && other.contains("not a Hayasashi chip"), "{other}");
}

/// A chip whose simulation panics.
struct Fragile(ModelStream);

impl StreamChip for Fragile {
    fn name(&self) -> String {
        "fragile".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        assert!(bytes.len() < 1000, "this panic is part of the test");
        self.0.push(bytes)
    }

    fn step(&mut self) -> std::io::Result<bool> {
        self.0.step()
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        self.0.pull(buffer)
    }
}

#[test]
fn requests_fail_when_a_chip_panics() {
    let board = RemoteChip::connect(InProcessTransport(Fragile(ModelStream::new())), TIMEOUT).unwrap();
    assert!(matches!(board.count(&positions(31)), Err(AccelError::Lost { .. })));
    assert!(matches!(board.echo(b"abc"), Err(AccelError::Lost { .. })));
}

/// Sends nothing, or bytes that are no frame.
struct GarbageSender(Vec<u8>);

impl StreamChip for GarbageSender {
    fn name(&self) -> String {
        "garbage".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        bytes.len()
    }

    fn step(&mut self) -> std::io::Result<bool> {
        Ok(false)
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        std::thread::sleep(Duration::from_millis(1));
        buffer[..self.0.len()].copy_from_slice(&self.0);
        self.0.len()
    }
}

#[test]
fn silence_and_garbage_have_different_errors() {
    let connect = |bytes: &[u8]| {
        RemoteChip::connect(InProcessTransport(GarbageSender(bytes.into())), Duration::from_millis(200)).err()
    };
    let silence = connect(b"").unwrap();
    assert!(matches!(silence, AccelError::NoAnswer { .. }), "{silence}");
    let garbage = connect(b"login: \xC0").unwrap();
    assert!(matches!(garbage, AccelError::Garbage { .. }), "{garbage}");
    assert!(garbage.to_string().contains("baud rate is wrong"), "{garbage}");
}

/// A board whose chip is reset while its serial line stays open.
struct Resettable {
    chip: ModelStream,
    reset: Arc<AtomicBool>,
}

impl StreamChip for Resettable {
    fn name(&self) -> String {
        "resettable".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        if self.reset.swap(false, Ordering::Relaxed) {
            self.chip = ModelStream::new();
        }
        self.chip.push(bytes)
    }

    fn step(&mut self) -> std::io::Result<bool> {
        self.chip.step()
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        self.chip.pull(buffer)
    }

    fn reply_timeout(&self) -> Duration {
        Duration::from_millis(50)
    }
}

#[test]
fn the_table_is_loaded_again_after_a_reset() {
    let (model, bytes) = table();
    let (events, listener) = events();
    let reset = Arc::new(AtomicBool::new(false));
    let wire = InProcessTransport(Resettable { chip: ModelStream::new(), reset: reset.clone() });
    let absent = || Err(AccelError::TooLong { bytes: 0 });
    let chip =
        Failover::with_interval(RemoteChip::connect(wire, TIMEOUT).unwrap(), absent, listener, INTERVAL).unwrap();
    // Board and model also agree without a table.
    assert_eq!(chip.evaluate(&positions(1)).unwrap(), [Err(PositionError::NoTable)]);
    chip.load_table(&bytes).unwrap();
    let expected = ModelBackend::with_model(model).evaluate(&positions(50));
    assert_eq!(chip.evaluate(&positions(50)), expected);
    reset.store(true, Ordering::Relaxed);
    assert_eq!(chip.evaluate(&positions(50)), expected);
    wait_until("the table's return", || events.lock().unwrap().len() == 2);
    assert_eq!(chip.evaluate(&positions(50)), expected);
    let reported = events.lock().unwrap();
    assert!(
        matches!(
            reported[..],
            [FailoverEvent::TableLost { .. }, FailoverEvent::Recovered { table_reloaded: true, .. }]
        ),
        "{reported:?}"
    );
}

#[test]
fn the_simulated_gateware_is_a_back_end() {
    let opened = open(&BackendSpec::Rtl).unwrap();
    let info = opened.chip.info().unwrap();
    assert_eq!((info.magic, info.board), (MAGIC, hayasashi_spec::registers::BOARD_SIMULATION));
    assert_eq!(opened.chip.echo(b"\xC0\xDBabc").unwrap(), b"\xC0\xDBabc");
    #[expect(clippy::needless_collect, reason = "all are sent before the first answer is awaited")]
    let many: Vec<_> = (0..20).map(|i| opened.chip.submit(Request::new(Opcode::Echo, vec![i; 500]))).collect();
    for (i, ticket) in many.into_iter().enumerate() {
        assert_eq!(ticket.wait().unwrap()[0].payload, [i as u8; 500]);
    }
}

#[test]
fn the_simulated_gateware_can_be_a_virtual_board() {
    let path = link("rtl");
    let for_thread = path.clone();
    let (announce, announced) = channel();
    let board = VirtualBoard::start(move |_, stop| {
        let mut chip = RtlStream::new(Default::default());
        serve_pty(&mut chip, Some(&for_thread), stop, &mut |_| announce.send(()).unwrap()).unwrap();
    });
    announced.recv().unwrap();
    let opened = open_remote(&serial(&path), Duration::from_secs(60)).unwrap();
    for length in [0, 1, 700, 2048] {
        assert_eq!(opened.echo(&vec![0xC0; length]).unwrap(), vec![0xC0; length]);
    }
    drop((opened, board));
}
