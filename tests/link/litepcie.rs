//! The chip behind LitePCIe: the design of `constraints/cards/litepcie_card.py` in Verilator, its bus by cocotbext-pcie, the driver's
//! calls by `tests/data/litepcie/bench.py`, and the host's own transport on them.
#![cfg(unix)]

use super::axi_stream::{folder, verilated, Bench, SMALL};
use hayasashi_accel::{AccelError, CoProcessor, LitePcieDriver, PcieTransport, PollHandle, RemoteChip, Transport};
use hayasashi_spec::{
    opcode::{Opcode, ANSWER},
    position::PositionImage,
    word_frame::{Framing, FILLER, FLUSH_WORDS, PACKET_BYTES, WORD_BYTES},
};
use hayasashi_tests::{
    data_lines, image_from_sfen,
    link::{word_frame, word_frames},
    python::{self, succeeds},
};
use std::{
    io::{self, Read, Write},
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        Arc, Mutex,
    },
    time::Duration,
};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);
/// The value of a call of a card that was taken out.
const FAILED: u32 = u32::MAX;

/// The simulation, and the sockets to it.
struct Card {
    process: Child,
    log: PathBuf,
    calls: Mutex<UnixStream>,
    /// Reads have their own: a write may wait for the card.
    reads: Mutex<UnixStream>,
}

impl Card {
    fn start(venv: &Path) -> Arc<Card> {
        let folder = folder("litepcie");
        SMALL.write(&folder.join("chip")).unwrap();
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (script, data) = ("../constraints/cards/litepcie_card.py", project.join("data/litepcie"));
        let mut python = Command::new(venv.join("bin/python"));
        succeeds(python.arg(data.join("top.py")).arg(project.join(script)).arg("chip").arg(".").current_dir(&folder));
        let verilog = ["litepcie.v", "chip/hayasashi_axis64.v"]
            .map(|file| std::fs::read_to_string(folder.join(file)).unwrap())
            .concat();
        let bench = Bench {
            text: include_str!("../data/litepcie/bench.py"),
            ports: &["sys_*", "to_core_*", "from_core_*", "msi_*", "max_*", "pcie_id"],
        };
        let mut simulation = verilated(venv, &folder, "litepcie", &verilog, &bench);
        let socket = folder.join("socket");
        let log_path = folder.join("log");
        let log = std::fs::File::create(&log_path).unwrap();
        simulation.env("HAYASASHI_SOCKET", &socket).env("HAYASASHI_CSRS", "csr.json").env("HAYASASHI_SEED", "1");
        simulation.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        let mut process = simulation.spawn().unwrap();
        let mut connect = || loop {
            match UnixStream::connect(&socket) {
                Ok(stream) => break Mutex::new(stream),
                Err(_) => {
                    let ended = process.try_wait().unwrap();
                    assert!(ended.is_none(), "{}", std::fs::read_to_string(&log_path).unwrap());
                    std::thread::sleep(Duration::from_millis(20));
                }
            }
        };
        let (calls, reads) = (connect(), connect());
        Arc::new(Card { process, log: log_path, calls, reads })
    }

    fn call(stream: &Mutex<UnixStream>, letter: u8, numbers: [u32; 2], data: &[u8]) -> io::Result<u32> {
        let mut stream = stream.lock().unwrap();
        let mut call = vec![letter];
        numbers.iter().for_each(|number| call.extend(number.to_le_bytes()));
        call.extend(data);
        stream.write_all(&call)?;
        let mut number = [0; 4];
        stream.read_exact(&mut number)?;
        Ok(u32::from_le_bytes(number))
    }

    fn order(&self, letter: u8, numbers: [u32; 2]) -> u32 {
        Card::call(&self.calls, letter, numbers, &[]).unwrap()
    }

    /// Clocks of the simulation.
    fn clocks(&self) -> u32 {
        self.order(b'P', [0, 0])
    }
}

impl Drop for Card {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        if std::thread::panicking() {
            println!("{}", std::fs::read_to_string(&self.log).unwrap_or_default());
        }
    }
}

/// The open device file. Only the one that holds the locks stops DMA when it is closed.
struct File {
    card: Arc<Card>,
    holds: AtomicBool,
}

impl File {
    fn open(card: &Arc<Card>) -> File {
        File { card: card.clone(), holds: AtomicBool::new(false) }
    }
}

impl File {
    fn call(&self, letter: u8, numbers: [u32; 2], data: &[u8]) -> io::Result<u32> {
        match Card::call(&self.card.calls, letter, numbers, data)? {
            FAILED => Err(io::Error::other("no such device")),
            number => Ok(number),
        }
    }
}

impl LitePcieDriver for File {
    fn read(&self, buffers: &mut [u8]) -> io::Result<usize> {
        let mut stream = self.card.reads.lock().unwrap();
        let mut call = vec![b'r'];
        call.extend((buffers.len() as u32).to_le_bytes());
        call.extend([0; 4]);
        stream.write_all(&call)?;
        let mut bytes = [0; 4];
        stream.read_exact(&mut bytes)?;
        match u32::from_le_bytes(bytes) {
            FAILED => Err(io::Error::other("no such device")),
            0 => Err(io::ErrorKind::WouldBlock.into()),
            bytes => stream.read_exact(&mut buffers[..bytes as usize]).map(|()| bytes as usize),
        }
    }

    fn write(&self, buffers: &[u8]) -> io::Result<usize> {
        self.call(b'w', [buffers.len() as u32, 0], buffers).map(|bytes| bytes as usize)
    }

    fn register(&self, address: u32) -> io::Result<u32> {
        self.call(b'R', [address, 0], &[])
    }

    fn set_register(&self, address: u32, value: u32) -> io::Result<()> {
        self.call(b'W', [address, value], &[]).map(drop)
    }

    fn buffer_bytes(&self) -> io::Result<u64> {
        self.call(b'B', [0; 2], &[]).map(u64::from)
    }

    fn lock(&self) -> io::Result<bool> {
        let free = self.call(b'L', [0; 2], &[])? == 1;
        self.holds.store(free, Relaxed);
        Ok(free)
    }

    fn start(&self) -> io::Result<()> {
        self.call(b'D', [1, 1], &[])?;
        self.call(b'D', [0, 1], &[]).map(drop)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        if self.holds.load(Relaxed) {
            let _ = self.call(b'X', [0; 2], &[]);
        }
    }
}

/// The transport, with time for a simulation.
struct Patient(PcieTransport);

impl Transport for Patient {
    fn target(&self) -> String {
        self.0.target()
    }

    fn framing(&self) -> Framing {
        self.0.framing()
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        self.0.read(buffer, timeout)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn poll_handle(&self) -> Option<PollHandle> {
        self.0.poll_handle()
    }

    fn reply_timeout(&self) -> Duration {
        PATIENCE
    }
}

/// Connects as the back end does, once an earlier connection has ended.
fn connect(card: &Arc<Card>) -> RemoteChip {
    let transport = loop {
        match PcieTransport::over("/dev/litepcie0", || Ok(File::open(card))) {
            Err(AccelError::CardBusy { .. }) => {}
            other => break other.unwrap(),
        }
    };
    RemoteChip::connect(Patient(transport), PATIENCE).unwrap()
}

/// Positions of the data with the number of their legal moves.
fn positions() -> Vec<(PositionImage, usize)> {
    let files = ["rules/legal_moves.tsv", "rules/uchifuzume.tsv"];
    let lines = files.iter().flat_map(|file| data_lines(file));
    let position = |line: String| {
        let moves = line.rsplit('\t').next().unwrap();
        let count = if moves == "-" { 0 } else { moves.split_whitespace().count() };
        (image_from_sfen(line.split('\t').next().unwrap()).0, count)
    };
    lines.map(position).collect()
}

/// The number of wrong answers.
fn differences(chip: &RemoteChip, positions: &[(PositionImage, usize)]) -> usize {
    let images: Vec<PositionImage> = positions.iter().map(|(image, _)| *image).collect();
    let counts = chip.count(&images).unwrap();
    assert_eq!(counts.len(), positions.len());
    let wrong = |(count, expected): &(&Result<_, _>, usize)| match count {
        Ok(hayasashi_accel::MoveCount { moves, .. }) => usize::from(*moves) != *expected,
        Err(_) => true,
    };
    counts.iter().zip(positions.iter().map(|(_, expected)| *expected)).filter(wrong).count()
}

#[test]
fn a_card_behind_litepcie_answers_and_comes_back() {
    let Some(venv) = python::with(&["litepcie", "cocotbext.pcie"]) else { return };
    let card = Card::start(&venv);
    let all = positions();

    // A batch, alone; then all of them.
    let chip = connect(&card);
    let clocks = card.clocks();
    assert_eq!(differences(&chip, &all[..1]), 0);
    println!("one position: {} clocks of 10 ns", card.clocks().wrapping_sub(clocks));
    let clocks = card.clocks();
    let different = differences(&chip, &all);
    println!("positions: {}, differences: {different}, clocks: {}", all.len(), card.clocks().wrapping_sub(clocks));
    assert_eq!((all.len(), different), (5151, 0));

    // A second user is refused while there is one.
    let refused = PcieTransport::over("/dev/litepcie0", || Ok(File::open(&card)));
    assert!(matches!(refused, Err(AccelError::CardBusy { .. })));
    drop(refused);
    drop(chip);

    // A second session; the bus pauses, and completions overtake each other.
    let chip = connect(&card);
    card.order(b'P', [1, 0]);
    assert_eq!(differences(&chip, &all[..400]), 0);
    card.order(b'P', [0, 0]);
    drop(chip);

    // Hosts that die without a word, in the middle of a request and of the answers.
    let count = |(sequence, (image, _)): (usize, &(PositionImage, usize))| {
        word_frame(Opcode::Count as u8, sequence as u16, 1, &image.bytes)
    };
    let requests: Vec<u8> = all[..60].iter().enumerate().flat_map(count).take(PACKET_BYTES).collect();
    let mut greeting = FILLER.to_le_bytes().repeat(FLUSH_WORDS);
    greeting.extend(word_frame(Opcode::Cancel as u8, 0, 0, &[]));
    greeting.extend(FILLER.to_le_bytes().repeat((PACKET_BYTES - greeting.len()) / WORD_BYTES));
    for calls in 0..6 {
        let file = loop {
            let file = File::open(&card);
            if file.lock().unwrap() {
                break file;
            }
        };
        file.set_register(0x8004, 0).unwrap();
        file.start().unwrap();
        file.write(&greeting).unwrap();
        file.set_register(0x8004, 1).unwrap();
        // The first packet begins with the first word of the first buffer, whatever the host before has left.
        let mut first = [0; PACKET_BYTES];
        while file.read(&mut first).is_err() {}
        let answers = word_frames(&first);
        assert!(answers.iter().any(|(header, _)| header.opcode == Opcode::Cancel as u8 | ANSWER), "{answers:?}");
        file.write(&requests).unwrap();
        file.set_register(0x8004, 2).unwrap();
        // Each takes a microsecond.
        for _ in 0..calls {
            card.clocks();
        }
        drop(file);
    }
    let chip = connect(&card);
    assert_eq!(differences(&chip, &all[400..500]), 0);
    assert_eq!(differences(&chip, &all[500..501]), 0);

    // The card is reset while it is used. Requests of that time may be lost; the next session works.
    card.order(b'S', [0; 2]);
    drop(chip);
    let chip = connect(&card);
    assert_eq!(differences(&chip, &all[500..600]), 0);

    // It is taken out, and put back.
    card.order(b'H', [1, 0]);
    let error = chip.count(&[all[0].0]).unwrap_err().to_string();
    assert!(error.contains("/dev/litepcie0") && error.contains("no such device"), "{error}");
    drop(chip);
    card.order(b'H', [0, 0]);
    let chip = connect(&card);
    assert_eq!(differences(&chip, &all[600..700]), 0);
}

/// The design of the card itself: its registers are where driver and host expect them, and the driver has this design's numbers.
#[test]
fn the_design_of_a_card_is_elaborated() {
    let Some(venv) = python::with(&["litepcie", "litex_boards"]) else { return };
    let folder = folder("litepcie_card");
    SMALL.write(&folder.join("chip")).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../constraints/cards/litepcie_card.py");
    let mut python = Command::new(venv.join("bin/python"));
    succeeds(python.arg(script).args(["chip", "design", "xc7a200tfbg484-2", "80000000"]).current_dir(&folder));
    let text = |path: &str| std::fs::read_to_string(folder.join("design").join(path)).unwrap();
    let (registers, config) = (text("csr.csv"), text("driver/kernel/config.h"));
    for (name, address) in [("hayasashi_identity", "0x00008000"), ("hayasashi_buffers", "0x00008004")] {
        assert!(registers.contains(&format!("csr_register,{name},{address},")), "{registers}");
    }
    // The driver's offsets from the first register of the DMA.
    let number = |text: &str| u32::from_str_radix(text.trim().trim_start_matches("0x"), 16).unwrap();
    let address = |name: &str| {
        let line = registers.lines().find(|line| line.starts_with(&format!("csr_register,pcie_dma0_{name},"))).unwrap();
        number(line.split(',').nth(2).unwrap())
    };
    let mut checked = 0;
    for line in config.lines().filter_map(|line| line.strip_prefix("#define PCIE_DMA_")) {
        let Some((name, offset)) = line.split_once("_OFFSET") else { continue };
        let name = match name.strip_suffix("_FLUSH") {
            Some(table) => format!("{table}_RESET"),
            None => name.to_string(),
        };
        if !name.starts_with("LOOPBACK") {
            assert_eq!(address(&name.to_lowercase()) - address("writer_enable"), number(offset), "{name}");
            checked += 1;
        }
    }
    assert_eq!(checked, 14);
    for line in ["#define DMA_BUFFER_SIZE        4096", "#define DMA_BUFFER_PER_IRQ     1"] {
        assert!(config.lines().any(|found| found == line), "{config}");
    }
    assert!(text("gateware/hayasashi.tcl").contains("xc7a200t") && text("gateware/hayasashi.v").contains("pcie_s7"));
}

/// What a card must be to be used.
#[test]
fn another_design_or_driver_is_refused() {
    struct Other {
        bytes: u64,
        identity: u32,
    }
    impl LitePcieDriver for Other {
        fn read(&self, _: &mut [u8]) -> io::Result<usize> {
            unreachable!()
        }
        fn write(&self, _: &[u8]) -> io::Result<usize> {
            unreachable!()
        }
        fn register(&self, _: u32) -> io::Result<u32> {
            Ok(self.identity)
        }
        fn set_register(&self, _: u32, _: u32) -> io::Result<()> {
            unreachable!()
        }
        fn buffer_bytes(&self) -> io::Result<u64> {
            Ok(self.bytes)
        }
        fn lock(&self) -> io::Result<bool> {
            unreachable!()
        }
        fn start(&self) -> io::Result<()> {
            unreachable!()
        }
    }
    for (bytes, identity, says) in [(8192, 0x4659_5348, "8192 bytes"), (4096, 0, "0x00000000")] {
        let error = PcieTransport::over("/dev/litepcie0", || Ok(Other { bytes, identity })).err().unwrap().to_string();
        assert!(error.contains(says) && error.contains("hint: "), "{error}");
    }
    let missing: PathBuf = std::env::temp_dir().join("no-such-folder/litepcie7");
    let error = PcieTransport::open(missing.to_str().unwrap()).err().unwrap().to_string();
    assert!(error.contains("litepcie7") && error.contains("driver"), "{error}");
}
