//! The handshake of a client with virtual boards that are slow, at work for an earlier client, or in use.

use hayasashi_accel::{
    virtual_board::{serve_pty, serve_tcp},
    *,
};
use hayasashi_model::{evaluate::first_table, link::word_frame::encode_word_frame, Model};
use hayasashi_spec::{
    frame::{Header, MAX_REQUEST_PAYLOAD},
    opcode::Opcode,
    position::PositionImage,
    word_frame::Framing,
};
use hayasashi_tests::image_from_sfen;
use std::{
    io::{self, Read, Write},
    net::TcpStream,
    os::fd::AsRawFd,
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{channel, Receiver},
        Arc,
    },
    time::{Duration, Instant},
};

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// Longer than anything here takes on a busy machine.
const LONG: Duration = Duration::from_secs(100);

/// A chip, served in a thread. It is stopped when this is dropped, which must take effect whatever the chip does.
struct Board {
    backend: BackendSpec,
    stop: Arc<AtomicBool>,
    ended: Receiver<()>,
}

impl Board {
    fn pty<C: StreamChip>(name: &str, chip: impl FnOnce() -> C + Send + 'static) -> Board {
        let path = std::env::temp_dir().join(format!("hayasashi-greeting-{name}-{}", std::process::id()));
        Board::start(move |stop, announce| {
            serve_pty(&mut chip(), Some(&path), stop, &mut |_| announce(serial(&path))).unwrap();
        })
    }

    fn tcp<C: StreamChip>(chip: impl FnOnce() -> C + Send + 'static) -> Board {
        Board::start(move |stop, announce| {
            let mut announce =
                |address: std::net::SocketAddr| announce(BackendSpec::Tcp { address: address.to_string() });
            serve_tcp(&mut chip(), "127.0.0.1:0", stop, &mut announce).unwrap();
        })
    }

    fn start(serve: impl FnOnce(&AtomicBool, &dyn Fn(BackendSpec)) + Send + 'static) -> Board {
        let (announce, announced) = channel();
        let (end, ended) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let for_thread = stop.clone();
        std::thread::spawn(move || {
            serve(&for_thread, &|backend| announce.send(backend).unwrap());
            let _ = end.send(());
        });
        Board { backend: announced.recv_timeout(LONG).expect("the board is served"), stop, ended }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.ended.recv_timeout(LONG);
        assert!(ended.is_ok() || std::thread::panicking(), "the board does not stop");
    }
}

fn serial(path: &Path) -> BackendSpec {
    BackendSpec::Serial { path: path.display().to_string(), baud: Some(DEFAULT_BAUD) }
}

fn start() -> PositionImage {
    image_from_sfen(START).0
}

fn rtl() -> RtlStream {
    RtlStream::new(Default::default())
}

fn check(chip: &dyn CoProcessor) {
    assert_eq!(chip.count(&[start()]), ModelBackend::new().count(&[start()]));
}

/// A client that leaves while the chip walks, as one that is killed does.
fn abandon_walk(backend: &BackendSpec) {
    let chip = open_remote(backend, LONG).unwrap();
    let ticket = chip.submit(Request::perft(&start(), 8, 10));
    let end = Instant::now() + LONG;
    while ticket.progress().is_none() {
        assert!(Instant::now() < end && !ticket.poll(), "the chip reports its progress");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_walk_that_a_client_has_left_does_not_lock_the_board() {
    for board in [
        Board::pty("walk-model", ModelStream::new),
        Board::pty("walk-rtl", rtl),
        Board::tcp(ModelStream::new),
        Board::tcp(rtl),
    ] {
        for _ in 0..2 {
            abandon_walk(&board.backend);
            check(&*open(&board.backend).unwrap().chip);
        }
        // Stopping the board ends an abandoned walk, too.
        abandon_walk(&board.backend);
    }
}

#[test]
fn a_simulated_board_answers_one_client_after_another() {
    for board in [Board::pty("clients", rtl), Board::tcp(rtl)] {
        for _ in 0..12 {
            // The time that a board of hardware has.
            check(&open_remote(&board.backend, Duration::from_secs(3)).unwrap());
        }
    }
}

#[test]
fn requests_that_a_client_has_left_do_not_reach_the_next_one() {
    let board = Board::pty("left", rtl);
    let first = open_remote(&board.backend, LONG).unwrap();
    let _left: Vec<Ticket> = (0..3).map(|_| first.submit(Request::batch(Opcode::Count, &[start(); 10]))).collect();
    drop(first);
    check(&*open(&board.backend).unwrap().chip);
}

/// A chip whose answers come only some time after the first byte to it.
struct Slow {
    chip: ModelStream,
    since: Option<Instant>,
}

/// Longer than a board of hardware is waited for.
const SLOW: Duration = Duration::from_millis(3500);

impl StreamChip for Slow {
    fn name(&self) -> String {
        "slow".into()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        self.since.get_or_insert_with(Instant::now);
        self.chip.push(bytes)
    }

    fn step(&mut self) -> io::Result<bool> {
        self.chip.step()
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        match self.since {
            Some(since) if since.elapsed() >= SLOW => self.chip.pull(buffer),
            _ => 0,
        }
    }
}

#[test]
fn a_slow_board_is_waited_for() {
    let slow = || Slow { chip: ModelStream::new(), since: None };
    for board in [Board::pty("slow", slow), Board::tcp(slow)] {
        check(&*open(&board.backend).unwrap().chip);
    }
    let board = Board::pty("slow-any", slow);
    let BackendSpec::Serial { path, .. } = &board.backend else { panic!("a serial port") };
    check(&*open(&BackendSpec::Serial { path: path.clone(), baud: None }).unwrap().chip);
}

#[test]
fn a_second_client_of_a_socket_is_told_that_there_is_another() {
    let board = Board::tcp(ModelStream::new);
    let first = open(&board.backend).unwrap().chip;
    let error = open(&board.backend).err().expect("the board is in use").to_string();
    assert!(error.contains("one client at a time") && !error.contains("powered"), "{error}");
    check(&*first);
    drop(first);
    check(&*open(&board.backend).unwrap().chip);
}

/// A client of the board's socket, if it is one, that speaks the frames of a word port.
fn connect_words(backend: &BackendSpec) -> Result<RemoteChip, AccelError> {
    let BackendSpec::Tcp { address } = backend else { panic!("a socket") };
    RemoteChip::connect(WordTransport(TcpTransport::connect(address, LONG)?), LONG)
}

/// A client that leaves after some bytes of a request, which need not be whole words.
fn abandon_request(backend: &BackendSpec, bytes: usize) {
    let BackendSpec::Tcp { address } = backend else { panic!("a socket") };
    let mut request = Vec::new();
    let header = Header { opcode: Opcode::Echo as u8, ..Header::default() };
    encode_word_frame(header, &[7; MAX_REQUEST_PAYLOAD], &mut request);
    TcpStream::connect(address).and_then(|mut stream| stream.write_all(&request[..bytes])).unwrap();
}

#[test]
fn a_board_behind_its_word_port_answers_one_client_after_another() {
    let board = Board::tcp(|| ModelStream::behind(Framing::Words, Model::default()));
    let table = first_table();
    for round in 0..8 {
        let chip = connect_words(&board.backend).unwrap();
        check(&chip);
        chip.load_table(&table.to_bytes()).unwrap();
        assert_eq!(chip.info().unwrap().table_checksum, table.header().checksum);
        let walk = chip.submit(Request::perft(&start(), 8, 10));
        let end = Instant::now() + LONG;
        while walk.progress().is_none() {
            assert!(Instant::now() < end && !walk.poll(), "the chip reports its progress");
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(chip);
        abandon_request(&board.backend, 1 + 97 * round);
    }
}

/// The rate that the client has set.
fn rate(master: &std::fs::File) -> u32 {
    use nix::libc;
    let mut settings = std::mem::MaybeUninit::<libc::termios2>::uninit();
    // SAFETY: the ioctl fills the structure, which is read only if it succeeds.
    unsafe {
        assert_eq!(libc::ioctl(master.as_raw_fd(), libc::TCGETS2, settings.as_mut_ptr()), 0);
        settings.assume_init().c_ospeed
    }
}

/// Serves the model at one baud rate on a pseudo-terminal until its client leaves; at other rates it sends garbage.
fn board_at(baud: u32) -> PathBuf {
    use nix::sys::termios::{cfmakeraw, tcgetattr, tcsetattr, SetArg};
    let pty = nix::pty::openpty(None, None).unwrap();
    let mut settings = tcgetattr(&pty.slave).unwrap();
    cfmakeraw(&mut settings);
    tcsetattr(&pty.slave, SetArg::TCSANOW, &settings).unwrap();
    let path = nix::unistd::ttyname(&pty.slave).unwrap();
    std::thread::spawn(move || {
        // The slave side stays open, so that the port outlives each attempt.
        let (mut master, _slave) = (std::fs::File::from(pty.master), pty.slave);
        let mut chip = ModelStream::new();
        let mut buffer = [0; 4096];
        while let Ok(bytes @ 1..) = master.read(&mut buffer) {
            if rate(&master) != baud {
                master.write_all(&[0x5A; 7]).unwrap();
                continue;
            }
            let mut sent = 0;
            while sent < bytes {
                sent += chip.push(&buffer[sent..bytes]);
                let mut answers = [0; 4096];
                while let answered @ 1.. = chip.pull(&mut answers) {
                    master.write_all(&answers[..answered]).unwrap();
                }
            }
        }
    });
    path
}

#[test]
fn the_baud_rate_of_a_board_is_found() {
    for baud in [1_000_000, 115_200] {
        let path = board_at(baud).display().to_string();
        // Each rate has 0.4 s. On a busy machine this board, a thread, may be later than that at its own rate.
        let opened = (0..10).find_map(|_| open(&format!("serial:{path}").parse().unwrap()).ok()).expect("a board");
        assert_eq!(opened.chip.name(), format!("serial:{path}@{baud}"));
        assert!(opened.note.contains(&opened.chip.name()), "{}", opened.note);
        check(&*opened.chip);
    }
}
