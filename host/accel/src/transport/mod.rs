//! Streams to a chip: bytes, or words of 64 bits.
//!
//! | module | contents |
//! |---|---|
//! | `serial`, `tcp` | a board on a serial port, a chip behind a socket |
//! | `pcie` | a card on PCIe |
//! | `words` | a byte stream that carries words |
//! | `in_process` | a chip in this process |
//! | `packets` | the packets of a chip behind DMA, for the software model |
//! | `model_stream`, `simulated` | chips for that: the software model, the simulated gateware |

mod in_process;
mod model_stream;
mod packets;
mod pcie;
mod serial;
mod simulated;
mod tcp;
mod words;

pub use in_process::{InProcessTransport, StreamChip};
pub use model_stream::ModelStream;
pub use packets::PacketChip;
pub(crate) use pcie::{is_litepcie, FROM_CARD, TO_CARD};
pub use pcie::{LitePcieDriver, PcieTransport};
pub use serial::{SerialTransport, DEFAULT_BAUD, USUAL_BAUDS};
pub use simulated::{RtlStream, RtlWordStream, SimulatedStream, SimulationStatistics, VerilogStream};
pub use tcp::TcpTransport;
pub use words::WordTransport;

use crate::PollHandle;
use hayasashi_spec::word_frame::Framing;
use std::{io, time::Duration};

/// A stream to a chip: a serial port, a socket, or a chip in this process.
pub trait Transport: Send {
    /// Where the chip is, for messages: `serial:/dev/ttyUSB0@3000000`.
    fn target(&self) -> String;

    /// The frames that the chip's port speaks. A stream of words begins with the first byte of a word; reads and writes may
    /// be of any number of bytes.
    fn framing(&self) -> Framing {
        Framing::Slip
    }

    /// Reads what has arrived, waiting at most `timeout` for the first byte. 0 means that nothing arrived.
    ///
    /// # Errors
    /// The stream has ended or failed.
    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize>;

    /// Writes as much as is accepted now, perhaps nothing. Never waits for the other side to read.
    ///
    /// # Errors
    /// The stream has failed.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// A handle to poll, where there is one.
    fn poll_handle(&self) -> Option<PollHandle> {
        None
    }

    /// How long a chip behind this transport may be silent while requests are in flight: the time for its bytes, and
    /// for scheduling on both sides.
    fn reply_timeout(&self) -> Duration {
        Duration::from_secs(1)
    }

    /// Clocks and time of the simulation, where the chip is simulated in this process.
    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        None
    }
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn target(&self) -> String {
        (**self).target()
    }

    fn framing(&self) -> Framing {
        (**self).framing()
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        (**self).read(buffer, timeout)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (**self).write(bytes)
    }

    fn poll_handle(&self) -> Option<PollHandle> {
        (**self).poll_handle()
    }

    fn reply_timeout(&self) -> Duration {
        (**self).reply_timeout()
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        (**self).simulation_statistics()
    }
}

/// As many of these bytes as are whole units of a stream with these frames.
fn whole_units(framing: Framing, bytes: usize) -> usize {
    bytes - bytes % framing.unit_bytes()
}
