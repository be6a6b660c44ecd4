//! A card on PCIe, behind Xilinx' DMA bridge XDMA and its driver.
//!
//! The driver has a device file for each direction: `/dev/xdma0_h2c_0` to the card, `/dev/xdma0_c2h_0` from it. The chip's word
//! port is behind them; its answers come in packets ([`hayasashi_spec::word_frame`]).

use super::Transport;
use crate::{
    discovery,
    platform::{self, DevicePair, PollHandle},
    AccelError,
};
use hayasashi_model::link::word_frame::{encode_fillers, encode_word_frame};
use hayasashi_spec::{
    frame::Header,
    opcode::Opcode,
    word_frame::{Framing, FLUSH_WORDS},
};
use std::{
    fs::{File, TryLockError},
    io,
    time::{Duration, Instant},
};

/// What follows a card's path in the name of the device file to the card, and from it.
pub(crate) const TO_CARD: &str = "_h2c_0";
pub(crate) const FROM_CARD: &str = "_c2h_0";

/// How long an earlier connection may take to end.
const LOCK_WAIT: Duration = Duration::from_secs(1);
const LOCK_POLL: Duration = Duration::from_millis(2);

/// The transport to a card on PCIe. The card is locked for this process while this value lives.
pub struct PcieTransport {
    pair: DevicePair,
    path: String,
}

impl PcieTransport {
    /// Opens a card: `/dev/xdma0` has the files `/dev/xdma0_h2c_0` and `/dev/xdma0_c2h_0`.
    ///
    /// # Errors
    /// A file does not exist, is in use, or cannot be opened.
    pub fn open(path: &str) -> Result<PcieTransport, AccelError> {
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
        let pair = DevicePair::new(to, from, farewell()).map_err(|e| open_error(path, &to_card, e))?;
        Ok(PcieTransport { pair, path: path.into() })
    }
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
