//! A card on PCIe, behind one of two bridges and its driver: Xilinx' XDMA, with a device file for each direction
//! (`/dev/xdma0_h2c_0` to the card, `/dev/xdma0_c2h_0` from it), or LitePCIe, with one file (`/dev/litepcie0`).
//!
//! The chip's word port is behind them; its answers come in packets ([`hayasashi_spec::word_frame`]).

mod litepcie;

pub use litepcie::LitePcieDriver;

use super::Transport;
use crate::{
    discovery,
    platform::{self, DevicePair, LitePcieFile, PollHandle},
    AccelError,
};
use hayasashi_model::link::word_frame::{encode_fillers, encode_word_frame};
use hayasashi_spec::{
    frame::Header,
    opcode::Opcode,
    word_frame::{Framing, FLUSH_WORDS},
};
use litepcie::Refusal;
use std::{
    fs::{File, TryLockError},
    io,
    path::Path,
    time::{Duration, Instant},
};

/// What follows the path of a card behind XDMA in the name of the device file to the card, and from it.
pub(crate) const TO_CARD: &str = "_h2c_0";
pub(crate) const FROM_CARD: &str = "_c2h_0";
/// How the names of LitePCIe's device files begin.
pub(crate) const LITEPCIE: &str = "litepcie";

/// How long an earlier connection may take to end.
const LOCK_WAIT: Duration = Duration::from_secs(1);
const LOCK_POLL: Duration = Duration::from_millis(2);

/// The transport to a card on PCIe. The card is locked for this process while this value lives.
pub struct PcieTransport {
    pair: DevicePair,
    path: String,
}

impl PcieTransport {
    /// Opens a card: `/dev/litepcie0` is a file of LitePCIe's driver, `/dev/xdma0` stands for `/dev/xdma0_h2c_0` and `/dev/xdma0_c2h_0`.
    ///
    /// # Errors
    /// A file does not exist, is in use, or cannot be opened; the card has another design.
    pub fn open(path: &str) -> Result<PcieTransport, AccelError> {
        if is_litepcie(path) {
            return Self::over(path, || LitePcieFile::open(path));
        }
        let (to_card, from_card) = (format!("{path}{TO_CARD}"), format!("{path}{FROM_CARD}"));
        let to = platform::open_to_card(&to_card).map_err(|e| open_error(path, &to_card, e))?;
        let end = Instant::now() + LOCK_WAIT;
        loop {
            match to.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < end => std::thread::sleep(LOCK_POLL),
                Err(TryLockError::WouldBlock) => return Err(AccelError::CardBusy { file: to_card }),
                Err(TryLockError::Error(e)) => return Err(open_error(path, &to_card, e)),
            }
        }
        let from = File::open(&from_card).map_err(|e| open_error(path, &from_card, e))?;
        let lock = to.try_clone().map_err(|e| open_error(path, &to_card, e))?;
        let pair = DevicePair::new(to, from, lock, farewell()).map_err(|e| open_error(path, &to_card, e))?;
        Ok(PcieTransport { pair, path: path.into() })
    }

    /// A card behind LitePCIe, by the calls of its driver. `open` opens the file `path`, again while an earlier connection ends.
    ///
    /// # Errors
    /// It cannot be opened, is in use, or has another design.
    pub fn over<D: LitePcieDriver>(path: &str, open: impl Fn() -> io::Result<D>) -> Result<PcieTransport, AccelError> {
        let end = Instant::now() + LOCK_WAIT;
        loop {
            let driver = open().map_err(|e| open_error(path, path, e))?;
            match litepcie::start(driver, farewell()) {
                Ok(pair) => return Ok(PcieTransport { pair, path: path.into() }),
                Err(Refusal::Busy) if Instant::now() < end => std::thread::sleep(LOCK_POLL),
                Err(Refusal::Busy) => return Err(AccelError::CardBusy { file: path.into() }),
                Err(Refusal::Failed(e)) => return Err(open_error(path, path, e)),
                Err(Refusal::Other(reason)) => {
                    let hint =
                        "load the bitstream and the driver that `hayasashi build --board nitefury-litepcie` writes";
                    return Err(AccelError::Open { target: format!("pcie:{path}"), reason, hint: hint.into() });
                }
            }
        }
    }
}

/// Whether a path is that of a file of LitePCIe's driver.
pub(crate) fn is_litepcie(path: &str) -> bool {
    Path::new(path).file_name().is_some_and(|name| name.to_string_lossy().starts_with(LITEPCIE))
}

/// A request that the chip answers, whatever came before it.
fn farewell() -> Vec<u8> {
    let mut words = Vec::new();
    encode_fillers(FLUSH_WORDS, &mut words);
    encode_word_frame(Header { opcode: Opcode::Cancel as u8, ..Header::default() }, &[], &mut words);
    words
}

fn open_error(path: &str, file: &str, e: io::Error) -> AccelError {
    let hint = match e.kind() {
        io::ErrorKind::NotFound if is_litepcie(path) => {
            format!("load the driver that `hayasashi build` has written for the card ({})", discovery::card_listing())
        }
        io::ErrorKind::NotFound => format!(
            "load the driver (`modprobe xdma`), and name the card without `{TO_CARD}`, as in `pcie:/dev/xdma0` ({})",
            discovery::card_listing()
        ),
        io::ErrorKind::PermissionDenied => {
            "let your user write to the card's files by a udev rule (docs/boards.md)".into()
        }
        io::ErrorKind::Unsupported => "use a serial port or a socket on this system".into(),
        _ => "check the kernel's messages (`dmesg`)".into(),
    };
    AccelError::Open { target: format!("pcie:{path}"), reason: format!("{file}: {e}"), hint }
}

impl Transport for PcieTransport {
    fn target(&self) -> String {
        format!("pcie:{}", self.path)
    }

    fn framing(&self) -> Framing {
        Framing::Words
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        self.pair.read(buffer, timeout)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pair.write(bytes)
    }

    fn poll_handle(&self) -> Option<PollHandle> {
        self.pair.poll_handle()
    }
}
