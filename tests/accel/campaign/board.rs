//! A virtual board behind a faulty line, on a socket.

use hayasashi_accel::{ModelStream, StreamChip};
use hayasashi_model::{
    evaluate::{first_table, EvalTable},
    Model,
};
use hayasashi_shogi::random::split_mix;
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_PERFT};
use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        Arc,
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// What the line and the board do. Times are averages in milliseconds; 0 means never.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Bytes in a million that are flipped, dropped or doubled, in each direction.
    pub bytes_per_million: u64,
    /// Pieces of a stream in a thousand whose end is cut off.
    pub truncated_per_thousand: u64,
    /// Pieces in a thousand that are held back for some milliseconds.
    pub delayed_per_thousand: u64,
    /// Time between stalls, and the length of each.
    pub stall_every_ms: u64,
    pub stall_ms: u64,
    /// Time between ends of the connection.
    pub kill_every_ms: u64,
    /// Time between resets of the chip while the connection stays.
    pub reset_every_ms: u64,
    /// At the end of a connection, another board takes the place of this one.
    pub swap: bool,
}

/// What happened, for the report.
#[derive(Default)]
pub struct Events {
    pub damaged_bytes: AtomicU64,
    pub truncated: AtomicU64,
    pub delayed: AtomicU64,
    pub stalls: AtomicU64,
    pub kills: AtomicU64,
    pub resets: AtomicU64,
}

/// The board. Its thread ends when this is dropped.
pub struct FaultyBoard {
    pub address: SocketAddr,
    pub events: Arc<Events>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl FaultyBoard {
    pub fn start(faults: Faults, seed: u64) -> FaultyBoard {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, events) = (Arc::<AtomicBool>::default(), Arc::<Events>::default());
        let mut server = Server {
            faults,
            random: Random(seed),
            events: events.clone(),
            stop: stop.clone(),
            chip: ModelStream::new(),
            boards: 0,
        };
        let thread = std::thread::spawn(move || {
            while !server.stop.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => server.client(stream),
                    Err(_) => std::thread::sleep(Duration::from_millis(1)),
                }
            }
        });
        FaultyBoard { address, events, stop, thread: Some(thread) }
    }
}

impl Drop for FaultyBoard {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            assert!(thread.join().is_ok() || std::thread::panicking(), "the board panics");
        }
    }
}

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        let bits;
        (self.0, bits) = split_mix(self.0);
        (bits >> 20) % n.max(1)
    }

    /// A moment from now, after this many milliseconds on average; `None` for 0.
    fn after(&mut self, ms: u64) -> Option<Instant> {
        (ms > 0).then(|| Instant::now() + Duration::from_millis(ms / 2 + self.below(ms)))
    }
}

struct Server {
    faults: Faults,
    random: Random,
    events: Arc<Events>,
    stop: Arc<AtomicBool>,
    chip: ModelStream,
    /// Boards so far.
    boards: u64,
}

fn is_due(at: Option<Instant>) -> bool {
    at.is_some_and(|at| Instant::now() >= at)
}

impl Server {
    /// Serves a client until it leaves or the connection is ended.
    fn client(&mut self, mut stream: TcpStream) {
        if stream.set_nonblocking(true).and_then(|()| stream.set_nodelay(true)).is_err() {
            return;
        }
        let Faults { stall_every_ms, stall_ms, kill_every_ms, reset_every_ms, .. } = self.faults;
        let kill_at = self.random.after(kill_every_ms);
        let (mut stall_at, mut reset_at) = (self.random.after(stall_every_ms), self.random.after(reset_every_ms));
        let (mut to_chip, mut buffer) = (Vec::new(), [0; 4096]);
        while !self.stop.load(Ordering::Relaxed) {
            if is_due(kill_at) {
                self.events.kills.fetch_add(1, Ordering::Relaxed);
                self.next_board();
                return;
            }
            if is_due(stall_at) {
                self.events.stalls.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(stall_ms));
                stall_at = self.random.after(stall_every_ms);
            }
            if is_due(reset_at) {
                self.events.resets.fetch_add(1, Ordering::Relaxed);
                self.chip = ModelStream::new();
                reset_at = self.random.after(reset_every_ms);
            }
            let mut idle = true;
            match stream.read(&mut buffer) {
                Ok(0) => return,
                Ok(bytes) => {
                    idle = false;
                    to_chip.extend(self.pass(&buffer[..bytes]));
                }
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => {}
                Err(_) => return,
            }
            let taken = self.chip.push(&to_chip);
            to_chip.drain(..taken);
            let _ = self.chip.step();
            while let bytes @ 1.. = self.chip.pull(&mut buffer) {
                idle = false;
                let answers = self.pass(&buffer[..bytes]);
                if !send(&mut stream, &answers) {
                    return;
                }
            }
            if idle && to_chip.is_empty() {
                std::thread::sleep(Duration::from_micros(300));
            }
        }
    }

    /// The board that the next client finds: this one after a reset or, with `swap`, one of another kind.
    fn next_board(&mut self) {
        self.boards += 1;
        self.chip = match (self.faults.swap, self.boards % 3) {
            (true, 1) => ModelStream::with_model(Model::without(CAP_EVALUATE | CAP_PERFT)),
            (true, 2) => ModelStream::with_model(Model::with_evaluation(Arc::new(other_table()))),
            _ => ModelStream::new(),
        };
    }

    /// What arrives of these bytes.
    fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let Faults { bytes_per_million, truncated_per_thousand, delayed_per_thousand, .. } = self.faults;
        let mut out = Vec::with_capacity(bytes.len());
        for &byte in bytes {
            if self.random.below(1_000_000) >= bytes_per_million {
                out.push(byte);
                continue;
            }
            self.events.damaged_bytes.fetch_add(1, Ordering::Relaxed);
            match self.random.below(4) {
                0 => {}
                1 => out.extend([byte, byte]),
                _ => out.push(byte ^ 1 << self.random.below(8)),
            }
        }
        if self.random.below(1000) < truncated_per_thousand {
            self.events.truncated.fetch_add(1, Ordering::Relaxed);
            out.truncate(self.random.below(out.len() as u64 + 1) as usize);
        }
        if self.random.below(1000) < delayed_per_thousand {
            self.events.delayed.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(1 + self.random.below(20)));
        }
        out
    }
}

/// Sends all bytes, unless the client leaves.
fn send(stream: &mut TcpStream, mut bytes: &[u8]) -> bool {
    let end = Instant::now() + Duration::from_secs(5);
    while !bytes.is_empty() {
        match stream.write(bytes) {
            Ok(sent) => bytes = &bytes[sent..],
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock && Instant::now() < end => {
                std::thread::sleep(Duration::from_micros(300));
            }
            Err(_) => return false,
        }
    }
    true
}

/// Another table than the one that the clients load.
fn other_table() -> EvalTable {
    first_table()
}
