//! The calls of LitePCIe's driver, and the way in which the chip behind it is used.
//!
//! The driver has buffers of [`PACKET_BYTES`] in a circle. The card reads one only when the register [`BUFFERS`] says that it has been
//! written. It hands over a packet when the next one is complete, so the chip's last packet has one of fillers behind it. Both are the
//! design's of `constraints/cards/litepcie_card.py`.

use crate::platform::DevicePair;
use hayasashi_spec::word_frame::{FILLER, PACKET_BYTES, WORD_BYTES};
use std::{
    io::{self, Read, Write},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// Register of the design: the bytes `HSYF`.
const IDENTITY: u32 = 0x8000;
/// Register: buffers that the host has written since DMA to the card was started.
const BUFFERS: u32 = 0x8004;
const IDENTITY_VALUE: u32 = u32::from_le_bytes(*b"HSYF");

/// The calls of LitePCIe's driver on one of its device files.
pub trait LitePcieDriver: Send + Sync + 'static {
    /// Reads whole buffers from the card.
    ///
    /// # Errors
    /// Those of the file; [`io::ErrorKind::WouldBlock`] if there is none.
    fn read(&self, buffers: &mut [u8]) -> io::Result<usize>;

    /// Writes whole buffers for the card; waits until there is room for the first one.
    ///
    /// # Errors
    /// Those of the file.
    fn write(&self, buffers: &[u8]) -> io::Result<usize>;

    /// The value of a register of the card.
    ///
    /// # Errors
    /// Those of the file.
    fn register(&self, address: u32) -> io::Result<u32>;

    /// Changes it.
    ///
    /// # Errors
    /// Those of the file.
    fn set_register(&self, address: u32, value: u32) -> io::Result<()>;

    /// Bytes of a buffer.
    ///
    /// # Errors
    /// Those of the file.
    fn buffer_bytes(&self) -> io::Result<u64>;

    /// Reserves both directions, until the file is closed. `false`: another program has one of them.
    ///
    /// # Errors
    /// Those of the file.
    fn lock(&self) -> io::Result<bool>;

    /// Starts DMA in both directions, until the file is closed.
    ///
    /// # Errors
    /// Those of the file.
    fn start(&self) -> io::Result<()>;
}

/// Why a card is not used.
pub(super) enum Refusal {
    /// Another program has it.
    Busy,
    /// It is not the design that is expected, or the driver is not the one made for it.
    Other(String),
    Failed(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(e: io::Error) -> Self {
        Refusal::Failed(e)
    }
}

/// Starts the card, whatever it did before.
pub(super) fn start<D: LitePcieDriver>(driver: D, farewell: Vec<u8>) -> Result<DevicePair, Refusal> {
    let bytes = driver.buffer_bytes()?;
    if bytes != PACKET_BYTES as u64 {
        return Err(Refusal::Other(format!("the driver has buffers of {bytes} bytes, not {PACKET_BYTES}")));
    }
    let identity = driver.register(IDENTITY)?;
    if identity != IDENTITY_VALUE {
        return Err(Refusal::Other(format!(
            "register {IDENTITY:#x} of the card is {identity:#010x}, not {IDENTITY_VALUE:#010x}"
        )));
    }
    if !driver.lock()? {
        return Err(Refusal::Busy);
    }
    driver.set_register(BUFFERS, 0)?;
    driver.start()?;
    let shared = Arc::new(Shared { driver, busy: Mutex::new(Instant::now()) });
    let to_card = ToCard { shared: shared.clone(), written: 0 };
    Ok(DevicePair::new(to_card, FromCard(shared), (), farewell)?)
}

/// Nothing wakes a program that waits for a card which has stopped. So reads do not wait: they are tried again at once, then after
/// short pauses, and after [`ACTIVE`] as often as the thread that reads wants to.
const SPIN: Duration = Duration::from_millis(2);
const ACTIVE: Duration = Duration::from_millis(100);
const SHORT_PAUSE: Duration = Duration::from_micros(50);

/// What both directions use.
struct Shared<D> {
    driver: D,
    /// When a buffer was written or read.
    busy: Mutex<Instant>,
}

impl<D> Shared<D> {
    fn note_work(&self) {
        *self.busy.lock().unwrap() = Instant::now();
    }
}

/// Puts words into buffers.
struct ToCard<D> {
    shared: Arc<Shared<D>>,
    /// Buffers so far.
    written: u32,
}

impl<D: LitePcieDriver> Write for ToCard<D> {
    /// Takes a buffer of words at most. What they leave free in the buffer is filled with fillers.
    fn write(&mut self, words: &[u8]) -> io::Result<usize> {
        let taken = words.len().min(PACKET_BYTES);
        let mut buffer = [0; PACKET_BYTES];
        buffer.chunks_exact_mut(WORD_BYTES).for_each(|word| word.copy_from_slice(&FILLER.to_le_bytes()));
        buffer[..taken].copy_from_slice(&words[..taken]);
        if self.shared.driver.write(&buffer)? != PACKET_BYTES {
            return Err(io::Error::new(io::ErrorKind::WriteZero, "the driver takes no buffer"));
        }
        self.written = self.written.wrapping_add(1);
        self.shared.driver.set_register(BUFFERS, self.written)?;
        self.shared.note_work();
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads packets.
struct FromCard<D>(Arc<Shared<D>>);

impl<D: LitePcieDriver> Read for FromCard<D> {
    fn read(&mut self, packet: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.driver.read(packet) {
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => match self.0.busy.lock().unwrap().elapsed() {
                    idle if idle < SPIN => std::thread::yield_now(),
                    idle if idle < ACTIVE => std::thread::sleep(SHORT_PAUSE),
                    _ => return Err(e),
                },
                other => {
                    self.0.note_work();
                    return other;
                }
            }
        }
    }
}
