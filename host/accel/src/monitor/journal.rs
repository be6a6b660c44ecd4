//! The journal of a monitor: JSON lines in a file, one a second.

use super::{Line, Monitor};
use crate::{link::parse_info, AccelError, CoProcessor, Request};
use hayasashi_spec::opcode::Opcode;
use std::{
    fs::{File, OpenOptions},
    io::Write,
    path::Path,
    sync::{
        mpsc::{self, RecvTimeoutError, Sender},
        Arc,
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// Time between two lines.
pub const INTERVAL: Duration = Duration::from_secs(1);

/// A journal being written. When it is dropped it gets its last line.
pub struct Journal {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Journal {
    /// Writes a line to `file` every `interval`. An existing file is replaced.
    ///
    /// # Errors
    /// The file cannot be written, or the system has no thread left.
    pub fn begin(
        monitor: Monitor,
        chip: Arc<dyn CoProcessor>,
        file: &Path,
        interval: Duration,
    ) -> Result<Journal, AccelError> {
        let out = create(file)?;
        let (end, ended) = mpsc::channel();
        let mut writer = Writer { monitor, chip, out, begun: Instant::now(), before: Line::default(), clocks: None };
        let work = move || loop {
            let last = match ended.recv_timeout(interval) {
                Err(RecvTimeoutError::Timeout) => false,
                Ok(()) | Err(RecvTimeoutError::Disconnected) => true,
            };
            // A full disk must not end a game.
            if let Err(error) = writer.write(last) {
                tracing::warn!("the monitor's journal ends: {error}");
                return;
            }
            if last {
                return;
            }
        };
        let thread = std::thread::Builder::new().name("monitor".into()).spawn(work).map_err(|e| failed(file, &e))?;
        Ok(Journal { end: Some(end), thread: Some(thread) })
    }
}

/// Makes the journal's file, empty.
pub(super) fn create(file: &Path) -> Result<File, AccelError> {
    OpenOptions::new().create(true).write(true).truncate(true).open(file).map_err(|e| failed(file, &e))
}

fn failed(file: &Path, error: &std::io::Error) -> AccelError {
    AccelError::Open {
        target: file.display().to_string(),
        reason: error.to_string(),
        hint: "the monitor's journal needs a file in a folder that you may write to".into(),
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Writer {
    monitor: Monitor,
    chip: Arc<dyn CoProcessor>,
    out: File,
    begun: Instant,
    before: Line,
    /// The chip's clock counter at the line before.
    clocks: Option<u32>,
}

impl Writer {
    fn write(&mut self, last: bool) -> std::io::Result<()> {
        let clocks = if last { None } else { self.chip_clocks() };
        let seconds = self.begun.elapsed().as_secs_f64();
        let line = Line::after(&self.before, seconds, self.chip.name(), self.monitor.totals(), self.clocks.zip(clocks));
        let line = Line { last, ..line };
        writeln!(self.out, "{}", serde_json::to_string(&line)?)?;
        self.out.flush()?;
        (self.before, self.clocks) = (line, clocks);
        Ok(())
    }

    /// The chip's clock counter, unless the chip is too slow to tell it.
    fn chip_clocks(&self) -> Option<u32> {
        let ticket = self.chip.submit(Request::new(Opcode::Info, []));
        if !ticket.wait_for(INTERVAL / 2) {
            return None;
        }
        let info = parse_info(&self.chip.name(), &ticket.wait().ok()?).ok()?;
        (info.clocks > 0).then_some(info.clocks)
    }
}
