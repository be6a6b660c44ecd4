//! A byte stream that carries the words of a word port.

use super::{SimulationStatistics, Transport};
use crate::PollHandle;
use hayasashi_spec::word_frame::Framing;
use std::{io, time::Duration};

/// The same stream, to a chip behind its word port: a socket to a virtual board that serves words, for example.
pub struct WordTransport<T>(pub T);

impl<T: Transport> Transport for WordTransport<T> {
    fn target(&self) -> String {
        self.0.target()
    }

    fn framing(&self) -> Framing {
        Framing::Words
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
        self.0.reply_timeout()
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        self.0.simulation_statistics()
    }
}
