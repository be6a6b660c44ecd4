//! A chip behind a byte stream, with a thread of its own.

use crate::{
    link::ReplySlot,
    platform::{self, WakeReceiver, WakeSender},
    AccelError, CoProcessor, Driver, LinkStatistics, Request, RequestId, SimulationStatistics, Ticket, Transport,
};
use hayasashi_spec::{
    frame::{MAX_BATCH, MAX_REQUEST_PAYLOAD},
    registers::Info,
};
use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex},
    thread::JoinHandle,
    time::Duration,
};

/// Longest wait on a transport that can be polled; submissions end it.
const POLLED_WAIT: Duration = Duration::from_secs(1);
/// Longest wait on one that cannot; submissions do not end it.
const UNPOLLED_WAIT: Duration = Duration::from_millis(1);

/// How long closing waits for the chip's thread to end.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// What the submitting threads and the chip's thread share.
#[derive(Default)]
struct Shared {
    inbox: Mutex<Inbox>,
    changed: Condvar,
}

#[derive(Default)]
struct Inbox {
    /// Requests that the chip's thread has not yet taken.
    submitted: Vec<(Request, Arc<ReplySlot>)>,
    lost: Option<AccelError>,
    stop: bool,
    statistics: LinkStatistics,
    simulation: Option<SimulationStatistics>,
}

/// A chip behind a byte stream. Any number of threads submit; one thread serves the transport.
///
/// Once the chip is lost it stays lost, and every request fails with the same error.
/// [`Failover`](crate::Failover) opens it again.
pub struct RemoteChip {
    shared: Arc<Shared>,
    waker: WakeSender,
    thread: Option<JoinHandle<()>>,
    target: String,
    info: Info,
}

impl RemoteChip {
    /// Performs the handshake, waiting at most `timeout` for the first answer, and starts the thread.
    ///
    /// # Errors
    /// The handshake fails, or the system has no thread or file descriptor left.
    pub fn connect<T: Transport + 'static>(transport: T, timeout: Duration) -> Result<RemoteChip, AccelError> {
        let driver = Driver::connect(transport, timeout)?;
        let (target, info) = (driver.transport().target(), *driver.info());
        let failed = |e: std::io::Error| AccelError::Open {
            target: target.clone(),
            reason: e.to_string(),
            hint: "the system has too many threads or open files; close other programs".into(),
        };
        let shared = Arc::<Shared>::default();
        let (waker, wake) = platform::wake_pair().map_err(failed)?;
        let service = Service { shared: shared.clone(), driver, wake, slots: HashMap::new(), failure: None };
        let thread = std::thread::Builder::new().name("chip".into()).spawn(move || service.run()).map_err(failed)?;
        Ok(RemoteChip { shared, waker, thread: Some(thread), target, info })
    }

    /// The information registers at the time of the handshake.
    pub fn handshake_info(&self) -> &Info {
        &self.info
    }

    /// The counters of the connection so far.
    pub fn statistics(&self) -> LinkStatistics {
        self.shared.inbox.lock().unwrap().statistics
    }

    /// The error with which the chip was lost, if it is.
    pub fn lost(&self) -> Option<AccelError> {
        self.shared.inbox.lock().unwrap().lost.clone()
    }

    /// Closes the connection: requests in flight and later ones fail.
    pub fn close(&self) {
        self.shared.inbox.lock().unwrap().stop = true;
        self.wake();
    }

    fn wake(&self) {
        self.shared.changed.notify_one();
        self.waker.wake();
    }
}

impl CoProcessor for RemoteChip {
    fn name(&self) -> String {
        self.target.clone()
    }

    fn identity(&self) -> Result<Info, AccelError> {
        Ok(self.info)
    }

    fn submit(&self, request: Request) -> Ticket {
        self.submit_all(vec![request]).swap_remove(0)
    }

    fn submit_all(&self, requests: Vec<Request>) -> Vec<Ticket> {
        let mut inbox = self.shared.inbox.lock().unwrap();
        let first = inbox.submitted.is_empty();
        let mut submit = |request: Request| {
            if request.payload.len() > MAX_REQUEST_PAYLOAD {
                return Ticket::ready(Err(AccelError::TooLong { bytes: request.payload.len() }));
            }
            if let Some(error) = &inbox.lost {
                return Ticket::ready(Err(error.clone()));
            }
            let (ticket, slot) = Ticket::open();
            inbox.submitted.push((request, slot));
            ticket
        };
        let tickets = requests.into_iter().map(&mut submit).collect();
        let wakes = first && !inbox.submitted.is_empty();
        drop(inbox);
        if wakes {
            self.wake();
        }
        tickets
    }

    fn max_batch(&self) -> usize {
        match self.info.max_batch as usize {
            0 => MAX_BATCH,
            n => n.min(MAX_BATCH),
        }
    }

    fn simulation_statistics(&self) -> Option<SimulationStatistics> {
        self.shared.inbox.lock().unwrap().simulation
    }
}

impl Drop for RemoteChip {
    /// Waits for the thread, so that the port is closed. A simulation that hangs would never end it, so it is then left
    /// behind.
    fn drop(&mut self) {
        self.close();
        let inbox = self.shared.inbox.lock().unwrap();
        let waited = self.shared.changed.wait_timeout_while(inbox, CLOSE_TIMEOUT, |inbox| inbox.lost.is_none());
        let ended = waited.is_ok_and(|(inbox, _)| inbox.lost.is_some());
        if let Some(thread) = self.thread.take().filter(|_| ended) {
            let _ = thread.join();
        }
    }
}

/// The chip's thread.
struct Service<T> {
    shared: Arc<Shared>,
    driver: Driver<T>,
    wake: WakeReceiver,
    slots: HashMap<RequestId, Arc<ReplySlot>>,
    /// Why the thread ended.
    failure: Option<AccelError>,
}

impl<T: Transport> Service<T> {
    fn run(mut self) {
        self.failure = Some(loop {
            let Some(submitted) = self.take_submitted() else {
                let target = self.driver.transport().target();
                break AccelError::Lost { target, reason: "closed by this program".into() };
            };
            for (request, slot) in submitted {
                let id = self.driver.connection().submit(request);
                self.slots.insert(id, slot);
            }
            let longest = if self.is_polled() { POLLED_WAIT } else { UNPOLLED_WAIT };
            let result = self.driver.pump(longest, self.wake.poll_handle());
            self.publish_statistics();
            self.wake.clear();
            self.deliver();
            if let Err(error) = result {
                break error;
            }
        });
    }

    fn is_polled(&self) -> bool {
        self.driver.transport().poll_handle().is_some()
    }

    /// Takes the submitted requests. Waits for one where nothing is in flight and the transport cannot be polled. `None`
    /// means to stop.
    fn take_submitted(&mut self) -> Option<Vec<(Request, Arc<ReplySlot>)>> {
        let waits = !self.is_polled() && self.driver.connection().is_idle();
        let mut inbox = self.shared.inbox.lock().unwrap();
        if waits {
            inbox = self.shared.changed.wait_while(inbox, |i| i.submitted.is_empty() && !i.stop).unwrap();
        }
        (!inbox.stop).then(|| std::mem::take(&mut inbox.submitted))
    }

    fn publish_statistics(&mut self) {
        let statistics = self.driver.connection().statistics();
        let simulation = self.driver.transport().simulation_statistics();
        let mut inbox = self.shared.inbox.lock().unwrap();
        (inbox.statistics, inbox.simulation) = (statistics, simulation);
    }

    fn deliver(&mut self) {
        for (id, progress) in self.driver.connection().take_progress() {
            if let Some(slot) = self.slots.get(&id) {
                slot.set_progress(progress);
            }
        }
        for (id, outcome) in self.driver.connection().take_completed() {
            if let Some(slot) = self.slots.remove(&id) {
                slot.complete(outcome);
            }
        }
    }
}

impl<T> Drop for Service<T> {
    /// Completes every request, even if a simulated chip panicked.
    fn drop(&mut self) {
        let panicked = || AccelError::Lost { target: "chip".into(), reason: "its thread panicked".into() };
        let error = self.failure.take().unwrap_or_else(panicked);
        // From here on submissions fail at once; earlier ones are completed below.
        let submitted = {
            let mut inbox = self.shared.inbox.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            inbox.lost = Some(error.clone());
            std::mem::take(&mut inbox.submitted)
        };
        self.shared.changed.notify_all();
        let accepted = self.slots.drain().map(|(_, slot)| slot);
        for slot in accepted.chain(submitted.into_iter().map(|(_, slot)| slot)) {
            slot.complete(Err(error.clone()));
        }
    }
}
