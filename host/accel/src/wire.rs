//! Byte streams to a chip.

use super::Simulated;
use std::{
    io,
    os::fd::RawFd,
    time::{Duration, Instant},
};

/// A byte stream to a chip: a serial port, a socket, or a chip in this process.
pub trait Wire: Send {
    /// Where the chip is, for messages: `/dev/ttyUSB0@3000000`.
    fn target(&self) -> String;

    /// Reads what has arrived, waiting at most `timeout` for the first byte. 0 means that nothing came; a stream
    /// that has ended is an error.
    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize>;

    /// Writes as much as can be taken now, perhaps nothing. Never waits for the other side to read.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// A file descriptor to wait on, where there is one.
    fn fd(&self) -> Option<RawFd> {
        None
    }

    /// How long a chip behind this wire may be silent with requests before it: the time for its bytes and for
    /// everybody's scheduling.
    fn patience(&self) -> Duration {
        Duration::from_secs(1)
    }

    /// What the chip has done, where it is simulated in this process.
    fn simulated(&self) -> Option<Simulated> {
        None
    }
}

impl<W: Wire + ?Sized> Wire for Box<W> {
    fn target(&self) -> String {
        (**self).target()
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        (**self).read(buffer, timeout)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (**self).write(bytes)
    }

    fn fd(&self) -> Option<RawFd> {
        (**self).fd()
    }

    fn patience(&self) -> Duration {
        (**self).patience()
    }

    fn simulated(&self) -> Option<Simulated> {
        (**self).simulated()
    }
}

/// A chip in this process, as a byte stream.
pub trait StreamChip {
    /// What this is, for messages.
    fn name(&self) -> String;

    /// Offers bytes to the chip; gives how many it took.
    fn push(&mut self, bytes: &[u8]) -> usize;

    /// Lets the chip work for a short while (well below a millisecond, or a fixed number of clocks). Gives whether
    /// there may be more to do without further input. The error means that the chip is lost.
    fn step(&mut self) -> io::Result<bool>;

    /// Takes bytes from the chip; gives how many.
    fn pull(&mut self, buffer: &mut [u8]) -> usize;

    /// See [`Wire::patience`].
    fn patience(&self) -> Duration {
        Duration::from_secs(1)
    }

    /// See [`Wire::simulated`].
    fn simulated(&self) -> Option<Simulated> {
        None
    }
}

impl<C: StreamChip + ?Sized> StreamChip for Box<C> {
    fn name(&self) -> String {
        (**self).name()
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

    fn patience(&self) -> Duration {
        (**self).patience()
    }

    fn simulated(&self) -> Option<Simulated> {
        (**self).simulated()
    }
}

/// The wire to a chip in this process: reading lets the chip work.
pub struct ChipWire<C>(pub C);

impl<C: StreamChip + Send> Wire for ChipWire<C> {
    fn target(&self) -> String {
        self.0.name()
    }

    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        let end = Instant::now() + timeout;
        loop {
            let bytes = self.0.pull(buffer);
            if bytes > 0 {
                return Ok(bytes);
            }
            let more = self.0.step()?;
            if !more || Instant::now() >= end {
                return Ok(self.0.pull(buffer));
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(self.0.push(bytes))
    }

    fn patience(&self) -> Duration {
        self.0.patience()
    }

    fn simulated(&self) -> Option<Simulated> {
        self.0.simulated()
    }
}
