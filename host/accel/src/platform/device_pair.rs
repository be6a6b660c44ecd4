//! Two device files, one for each direction, as one stream that can be polled.
//!
//! The drivers of PCIe cards wait in every read and write until their DMA has ended. So each direction has a thread, and a
//! socket pair lies between the threads and the driver of the link.

use super::{is_transient, poll_handle, wait, Interest, PollHandle};
use hayasashi_spec::word_frame::{PACKET_BYTES, WORD_BYTES};
use std::{
    io::{self, Read, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

/// The error of Xilinx' driver where nothing has arrived within its own time-out (10 seconds). It is not meant for programs
/// (`ERESTARTSYS`), so no constant of the C library names it.
const NOTHING_ARRIVED: i32 = 512;
/// Pause after a read that ended so, or that found nothing.
const PAUSE: Duration = Duration::from_millis(1);
/// How long the answer to the farewell is waited for.
const FAREWELL_WAIT: Duration = Duration::from_secs(1);
/// Most bytes of a write to the device.
const WRITE_BYTES: usize = 1 << 14;

/// A buffer that begins with a page: a driver cuts it into pieces at page borders, and each piece is to be of whole words.
#[repr(align(4096))]
struct Pages<const BYTES: usize>([u8; BYTES]);

/// Two device files of a card.
pub(crate) struct DevicePair {
    stream: UnixStream,
    /// Why the device does not work any more.
    failure: Arc<OnceLock<io::Error>>,
}

impl DevicePair {
    /// Starts the threads. `farewell` is written when this is dropped; its answer ends the last read. `lock` is kept until both threads
    /// have ended, so that the last read takes no answer from the next user.
    pub(crate) fn new(
        to_card: impl Write + Send + 'static,
        from_card: impl Read + Send + 'static,
        lock: impl Send + 'static,
        farewell: Vec<u8>,
    ) -> io::Result<DevicePair> {
        let (stream, of_threads) = UnixStream::pair()?;
        stream.set_nonblocking(true)?;
        let failure = Arc::<OnceLock<io::Error>>::default();
        let (requests, answers) = (of_threads.try_clone()?, of_threads);
        let note = |failure: &Arc<OnceLock<io::Error>>, stream: &UnixStream, result: io::Result<()>| {
            if let Err(error) = result {
                let _ = failure.set(error);
            }
            let _ = stream.shutdown(Shutdown::Both);
        };
        let (of_writer, of_reader) = (failure.clone(), failure.clone());
        let left = Arc::<OnceLock<Instant>>::default();
        let leaves = left.clone();
        let thread = |name: &str| std::thread::Builder::new().name(name.into());
        thread("to card").spawn(move || {
            let result = carry_to(to_card, &requests, &farewell);
            let _ = leaves.set(Instant::now());
            note(&of_writer, &requests, result);
        })?;
        thread("from card").spawn(move || {
            let result = carry_from(from_card, &answers, &left);
            note(&of_reader, &answers, result);
            drop(lock);
        })?;
        Ok(DevicePair { stream, failure })
    }

    pub(crate) fn poll_handle(&self) -> Option<PollHandle> {
        poll_handle(&self.stream)
    }

    /// Reads what has arrived, waiting at most `timeout` for the first byte.
    pub(crate) fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> io::Result<usize> {
        wait(&[(self.poll_handle(), Interest::READ)], timeout)?;
        match self.stream.read(buffer) {
            Ok(0) => Err(self.failure()),
            Err(e) if is_transient(&e) => Ok(0),
            other => other,
        }
    }

    /// Writes as much as the thread has room for.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.stream.write(bytes) {
            Err(e) if is_transient(&e) => Ok(0),
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Err(self.failure()),
            other => other,
        }
    }

    fn failure(&self) -> io::Error {
        match self.failure.get() {
            Some(error) => io::Error::new(error.kind(), error.to_string()),
            None => io::Error::new(io::ErrorKind::UnexpectedEof, "the card is gone"),
        }
    }
}

/// Writes whole words to the card until the other end of `requests` is closed, and then the farewell. The rest of a word that was
/// never completed is left out.
fn carry_to(mut card: impl Write, mut requests: &UnixStream, farewell: &[u8]) -> io::Result<()> {
    let mut pages = Pages([0; WRITE_BYTES]);
    let buffer = &mut pages.0;
    let mut kept = 0;
    loop {
        match requests.read(&mut buffer[kept..])? {
            0 => return card.write_all(farewell),
            bytes => kept += bytes,
        }
        let whole = kept - kept % WORD_BYTES;
        card.write_all(&buffer[..whole])?;
        buffer.copy_within(whole..kept, 0);
        kept -= whole;
    }
}

/// Reads packets from the card until the other end of `answers` is closed, or the card is silent after the farewell, which was written
/// when `left` says.
fn carry_from(mut card: impl Read, mut answers: &UnixStream, left: &OnceLock<Instant>) -> io::Result<()> {
    let mut pages = Pages([0; PACKET_BYTES]);
    let packet = &mut pages.0;
    loop {
        match card.read(packet) {
            Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the card is gone")),
            // The other end is closed: nobody waits for the answers.
            Ok(bytes) if answers.write_all(&packet[..bytes]).is_err() => return Ok(()),
            Ok(_) => {}
            Err(e) if is_transient(&e) || e.raw_os_error() == Some(NOTHING_ARRIVED) => {
                if left.get().is_some_and(|left| left.elapsed() > FAREWELL_WAIT) {
                    return Ok(());
                }
                std::thread::sleep(PAUSE);
            }
            Err(e) => return Err(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs::File, os::fd::OwnedFd};

    /// Longest wait for a thread that works at once.
    const LONG: Duration = Duration::from_secs(60);

    /// A pair, and the other ends of its files.
    fn pair(farewell: &[u8]) -> (DevicePair, UnixStream, UnixStream) {
        let file = |stream: UnixStream| File::from(OwnedFd::from(stream));
        let ((requests, to), (answers, from)) = (UnixStream::pair().unwrap(), UnixStream::pair().unwrap());
        for end in [&requests, &answers] {
            end.set_read_timeout(Some(LONG)).unwrap();
        }
        (DevicePair::new(file(to), file(from), (), farewell.to_vec()).unwrap(), requests, answers)
    }

    #[test]
    fn the_card_gets_whole_words_and_a_farewell() {
        let (mut pair, mut requests, mut answers) = pair(b"farewell");
        for piece in [&b"01234"[..], b"567abc"] {
            assert_eq!(pair.write(piece).unwrap(), piece.len());
        }
        let mut word = [0; WORD_BYTES];
        requests.read_exact(&mut word).unwrap();
        assert_eq!(&word, b"01234567");
        drop(pair);
        requests.read_exact(&mut word).unwrap();
        assert_eq!(&word, b"farewell", "the rest of a word was sent");
        // The answer ends the last read.
        answers.write_all(&word).unwrap();
        assert_eq!(answers.read(&mut word).unwrap(), 0, "the file from the card is still open");
        assert_eq!(requests.read(&mut word).unwrap(), 0, "the file to the card is still open");
    }

    #[test]
    fn answers_arrive_and_the_end_of_the_card_is_an_error() {
        let (mut pair, requests, mut answers) = pair(b"");
        answers.write_all(b"abc").unwrap();
        let mut buffer = [0; 16];
        assert_eq!(pair.read(&mut buffer, LONG).unwrap(), 3);
        assert_eq!(&buffer[..3], b"abc");
        assert_eq!(pair.read(&mut buffer, Duration::ZERO).unwrap(), 0);
        drop((requests, answers));
        let error = pair.read(&mut buffer, LONG).unwrap_err();
        assert_eq!(error.to_string(), "the card is gone");
        assert!(pair.write(b"request!").is_err());
    }
}
