//! A chip behind a wire, served by a thread of its own.

use super::{request::Slot, AccelError, CoProcessor, Driver, Id, LinkStatistics, Request, Simulated, Ticket, Wire};
use hayasashi_spec::{frame::MAX_REQUEST_PAYLOAD, registers::Info};
use std::{
    collections::HashMap,
    io::{Read, Write},
    os::{fd::AsRawFd, unix::net::UnixStream},
    sync::{Arc, Condvar, Mutex},
    thread::JoinHandle,
    time::Duration,
};

/// Longest wait of the thread on a wire with a file descriptor; submissions wake it.
const IDLE: Duration = Duration::from_secs(1);
/// Longest wait on a wire without one, where a submission cannot end it.
const SLICE: Duration = Duration::from_millis(1);

#[derive(Default)]
struct Inbox {
    new: Vec<(Request, Arc<Slot>)>,
    lost: Option<AccelError>,
    stop: bool,
    statistics: LinkStatistics,
    simulated: Option<Simulated>,
}

struct Shared {
    inbox: Mutex<Inbox>,
    changed: Condvar,
}

/// A chip behind a wire. Any number of threads submit; one thread talks to the chip.
///
/// Once lost it stays lost: every request is answered by the error. [`Resilient`](super::Resilient) opens a new one.
pub struct RemoteChip {
    shared: Arc<Shared>,
    waker: UnixStream,
    thread: Option<JoinHandle<()>>,
    target: String,
    info: Info,
}

impl RemoteChip {
    /// Greets the chip on this wire, waiting at most `timeout` for its first answer, and starts the thread.
    pub fn connect<W: Wire + 'static>(wire: W, timeout: Duration) -> Result<RemoteChip, AccelError> {
        let driver = Driver::connect(wire, timeout)?;
        let (target, info) = (driver.wire().target(), *driver.info());
        let failed = |e: std::io::Error| AccelError::Open {
            target: target.clone(),
            reason: e.to_string(),
            hint: "the system is short of threads or file descriptors".into(),
        };
        let shared = Arc::new(Shared { inbox: Mutex::default(), changed: Condvar::new() });
        let (waker, wake) = UnixStream::pair().map_err(failed)?;
        waker.set_nonblocking(true).and_then(|()| wake.set_nonblocking(true)).map_err(failed)?;
        let for_thread = shared.clone();
        let thread = std::thread::Builder::new()
            .name("chip".into())
            .spawn(move || Thread { shared: for_thread, driver, wake, slots: HashMap::new(), end: None }.run())
            .map_err(failed)?;
        Ok(RemoteChip { shared, waker, thread: Some(thread), target, info })
    }

    /// What the chip said of itself when it was greeted.
    pub fn greeting(&self) -> &Info {
        &self.info
    }

    /// What happened on the line so far.
    pub fn statistics(&self) -> LinkStatistics {
        self.shared.inbox.lock().unwrap().statistics
    }

    /// The error that ended it, if it is lost.
    pub fn lost(&self) -> Option<AccelError> {
        self.shared.inbox.lock().unwrap().lost.clone()
    }

    fn wake(&self) {
        self.shared.changed.notify_one();
        // A full pipe wakes as well.
        let _ = (&self.waker).write(&[0]);
    }
}

impl CoProcessor for RemoteChip {
    fn name(&self) -> String {
        self.target.clone()
    }

    fn submit(&self, request: Request) -> Ticket {
        if request.payload.len() > MAX_REQUEST_PAYLOAD {
            return Ticket::ready(Err(AccelError::TooLong { bytes: request.payload.len() }));
        }
        let mut inbox = self.shared.inbox.lock().unwrap();
        if let Some(error) = &inbox.lost {
            return Ticket::ready(Err(error.clone()));
        }
        let (ticket, slot) = Ticket::open();
        let first = inbox.new.is_empty();
        inbox.new.push((request, slot));
        drop(inbox);
        if first {
            self.wake();
        }
        ticket
    }

    fn max_batch(&self) -> usize {
        match self.info.max_batch as usize {
            0 => hayasashi_spec::frame::MAX_BATCH,
            n => n.min(hayasashi_spec::frame::MAX_BATCH),
        }
    }

    fn simulated(&self) -> Option<Simulated> {
        self.shared.inbox.lock().unwrap().simulated
    }
}

impl Drop for RemoteChip {
    fn drop(&mut self) {
        self.shared.inbox.lock().unwrap().stop = true;
        self.wake();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Thread<W> {
    shared: Arc<Shared>,
    driver: Driver<W>,
    wake: UnixStream,
    slots: HashMap<Id, Arc<Slot>>,
    /// Why it ended.
    end: Option<AccelError>,
}

impl<W: Wire> Thread<W> {
    fn run(mut self) {
        self.end = Some(loop {
            let Some(new) = self.take_new() else {
                break AccelError::Lost {
                    target: self.driver.wire().target(),
                    reason: "closed by this program".into(),
                };
            };
            for (request, slot) in new {
                let id = self.driver.exchange().submit(request);
                self.slots.insert(id, slot);
            }
            let longest = if self.driver.wire().fd().is_some() { IDLE } else { SLICE };
            let result = self.driver.pump(longest, Some(self.wake.as_raw_fd()));
            self.note();
            while matches!(self.wake.read(&mut [0; 64]), Ok(1..)) {}
            self.deliver();
            if let Err(error) = result {
                break error;
            }
        });
    }

    /// New requests; waits for some where there is nothing else to do and the wire cannot be waited on. `None`
    /// means to stop.
    fn take_new(&mut self) -> Option<Vec<(Request, Arc<Slot>)>> {
        let waits = self.driver.wire().fd().is_none() && self.driver.exchange().is_idle();
        let mut inbox = self.shared.inbox.lock().unwrap();
        if waits {
            inbox = self.shared.changed.wait_while(inbox, |i| i.new.is_empty() && !i.stop).unwrap();
        }
        (!inbox.stop).then(|| std::mem::take(&mut inbox.new))
    }

    /// Lets others see what happened so far.
    fn note(&mut self) {
        let (statistics, simulated) = (self.driver.exchange().statistics(), self.driver.wire().simulated());
        let mut inbox = self.shared.inbox.lock().unwrap();
        (inbox.statistics, inbox.simulated) = (statistics, simulated);
    }

    fn deliver(&mut self) {
        for (id, sums) in self.driver.exchange().take_progress() {
            if let Some(slot) = self.slots.get(&id) {
                slot.show(sums);
            }
        }
        for (id, outcome) in self.driver.exchange().take_done() {
            if let Some(slot) = self.slots.remove(&id) {
                slot.fill(outcome);
            }
        }
    }
}

impl<W> Drop for Thread<W> {
    /// Nobody waits for ever, even where a simulated chip panicked.
    fn drop(&mut self) {
        let reason = || "its driver ended".into();
        let error = self.end.take().unwrap_or_else(|| AccelError::Lost { target: "chip".into(), reason: reason() });
        // From here on submissions are answered at once; what came before is answered below.
        let late = {
            let mut inbox = self.shared.inbox.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            inbox.lost = Some(error.clone());
            std::mem::take(&mut inbox.new)
        };
        for slot in self.slots.drain().map(|(_, slot)| slot).chain(late.into_iter().map(|(_, slot)| slot)) {
            slot.fill(Err(error.clone()));
        }
    }
}
