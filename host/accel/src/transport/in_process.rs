//! A chip in this process.

use super::{SimulationStatistics, Transport};
use hayasashi_spec::word_frame::Framing;
use std::{
    io,
    time::{Duration, Instant},
};

/// A chip in this process, as a stream of bytes or words. Behind a word port it takes and gives whole words only, so that no
/// client can leave half a word behind.
pub trait StreamChip {
    /// Names the chip in messages.
    fn name(&self) -> String;

    /// See [`Transport::framing`].
    fn framing(&self) -> Framing {
        Framing::Slip
    }

    /// Offers bytes to the chip; returns how many it accepted.
    fn push(&mut self, bytes: &[u8]) -> usize;

    /// Lets the chip work for a short while: well below a millisecond, or a fixed number of clocks. Returns whether there
    /// may be more to do without further input.
    ///
    /// # Errors
    /// The chip is lost.
    fn step(&mut self) -> io::Result<bool>;

    /// Takes bytes from the chip; returns how many.
    fn pull(&mut self, buffer: &mut [u8]) -> usize;

    /// See [`Transport::reply_timeout`].
    fn reply_timeout(&self) -> Duration {
        Duration::from_secs(1)
    }

    /// See [`Transport::simulation_statistics`].
    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        None
    }
}

impl<C: StreamChip + ?Sized> StreamChip for Box<C> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn framing(&self) -> Framing {
        (**self).framing()
    }

    fn push(&mut self, bytes: &[u8]) -> usize {
        (**self).push(bytes)
    }

    fn step(&mut self) -> io::Result<bool> {
        (**self).step()
    }

    fn pull(&mut self, buffer: &mut [u8]) -> usize {
        (**self).pull(buffer)
    }

    fn reply_timeout(&self) -> Duration {
        (**self).reply_timeout()
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        (**self).simulation_statistics()
    }
}

/// The transport to a chip in this process: reading lets the chip work.
pub struct InProcessTransport<C>(pub C);

impl<C: StreamChip + Send> Transport for InProcessTransport<C> {
    fn target(&self) -> String {
        self.0.name()
    }

    fn framing(&self) -> Framing {
        self.0.framing()
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let bytes = self.0.pull(buffer);
        // Without a timeout the chip does not work: the caller has something to send it first.
        if bytes > 0 || timeout.is_zero() {
            return Ok(bytes);
        }
        let end = Instant::now() + timeout;
        loop {
            let more = self.0.step()?;
            let bytes = self.0.pull(buffer);
            if bytes > 0 || !more || Instant::now() >= end {
                return Ok(bytes);
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(self.0.push(bytes))
    }

    fn reply_timeout(&self) -> Duration {
        self.0.reply_timeout()
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        self.0.simulation_statistics()
    }
}
