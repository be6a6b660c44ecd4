//! Threads that work off one list.

use std::{
    sync::{
        mpsc::{channel, RecvTimeoutError},
        Mutex, PoisonError,
    },
    time::Duration,
};

/// Does `work` on each item in so many threads of this name, and calls `on_event` in this thread with each result as it comes, and
/// with `None` when `tick` has passed without one. Items are begun in their order. When `goes_on` returns false, no other is begun.
pub(crate) fn share<T: Send, R: Send>(
    name: &str,
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    goes_on: &(dyn Fn() -> bool + Sync),
    work: &(dyn Fn(T) -> R + Sync),
    tick: Duration,
    on_event: &mut dyn FnMut(Option<R>),
) {
    let items = Mutex::new(items);
    let (sender, results) = channel();
    let work_off = |send: &mut dyn FnMut(R)| {
        while goes_on() {
            // An iterator that panics ends the work of all.
            let next = items.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(item) = next else { break };
            send(work(item));
        }
    };
    std::thread::scope(|scope| {
        let mut started = false;
        for _ in 0..threads.max(1) {
            let (sender, work_off) = (sender.clone(), &work_off);
            let worker = move || {
                work_off(&mut |result| {
                    // The receiver outlives the workers.
                    let _ = sender.send(result);
                });
            };
            started |= std::thread::Builder::new().name(name.into()).spawn_scoped(scope, worker).is_ok();
        }
        drop(sender);
        if !started {
            // The system has no thread left, so this one works alone.
            work_off(&mut |result| on_event(Some(result)));
        }
        loop {
            match results.recv_timeout(tick) {
                Ok(result) => on_event(Some(result)),
                Err(RecvTimeoutError::Timeout) => on_event(None),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
}
