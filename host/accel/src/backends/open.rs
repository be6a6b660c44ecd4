//! Opening the back end that a specification names.

use super::{BackendSpec, ModelBackend, RemoteChip, RulesBackend, Team};
use crate::{
    discovery::{cards, connect_at_usual_bauds, PROBE_TIMEOUT},
    platform, serial_ports, AccelError, CoProcessor, Failover, FailoverListener, InProcessTransport, ModelStream,
    PcieTransport, RtlStream, RtlWordStream, SerialPort, SerialTransport, TcpTransport, VerilogStream, DEFAULT_BAUD,
};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_model::Model;
use hayasashi_sim::{RtlChip, RtlWordChip};
use hayasashi_spec::{
    registers::{CAP_EVALUATE, CAP_MOVEGEN},
    word_frame::Framing,
};
use std::{path::Path, sync::Arc, time::Duration};

/// Handshake timeout of a named board.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(3);
/// Handshake timeout of a board that was reset: it answers at once or not at all.
const AFTER_BREAK_TIMEOUT: Duration = Duration::from_secs(1);
/// Handshake timeout of a simulation.
const SIMULATION_HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(60);
/// Handshake timeout of a board that may be simulated elsewhere: such a chip may run at some hundred clocks a second.
const SLOW_HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(60);

/// A back end, ready for requests.
pub struct OpenedBackend {
    /// The back end.
    pub chip: Arc<dyn CoProcessor>,
    /// One line for the user: which back end was opened, and why.
    pub note: String,
}

/// Opens a back end. `auto` always finds one.
///
/// # Errors
/// A named back end is absent or does not work.
pub fn open(spec: &BackendSpec) -> Result<OpenedBackend, AccelError> {
    open_guarded(spec, None)
}

/// Opens a back end; if it is a chip behind a byte stream, the model replaces it while it is lost (see [`Failover`]), and
/// `listener` is called when that changes.
///
/// # Errors
/// A named back end is absent or does not work.
pub fn open_with_failover(spec: &BackendSpec, listener: FailoverListener) -> Result<OpenedBackend, AccelError> {
    open_guarded(spec, Some(listener))
}

fn open_guarded(spec: &BackendSpec, listener: Option<FailoverListener>) -> Result<OpenedBackend, AccelError> {
    let note = |board: &RemoteChip| match spec {
        BackendSpec::ModelStream | BackendSpec::ModelStreamWords | BackendSpec::Rtl | BackendSpec::RtlWords => {
            format!("{spec}: in this process")
        }
        BackendSpec::Verilog | BackendSpec::VerilogWords => {
            format!("{spec}: the emitted Verilog, compiled by Verilator")
        }
        _ => board_note(board),
    };
    match spec {
        BackendSpec::Auto => Ok(open_auto(listener)),
        BackendSpec::Team(members) => {
            let members = members.iter().map(|member| open_guarded(member, listener.clone()));
            let members = members.collect::<Result<Vec<_>, _>>()?;
            let note = members.iter().map(|member| &*member.note).collect::<Vec<_>>().join("; ");
            let team = Team::new(members.into_iter().map(|member| member.chip).collect())?;
            Ok(OpenedBackend { chip: Arc::new(team), note })
        }
        BackendSpec::Model => {
            Ok(OpenedBackend { chip: Arc::new(ModelBackend::new()), note: "model: the software model".into() })
        }
        BackendSpec::Rules => {
            Ok(OpenedBackend { chip: Arc::new(RulesBackend::default()), note: "rules: the engine's own rules".into() })
        }
        BackendSpec::ModelStream
        | BackendSpec::ModelStreamWords
        | BackendSpec::Rtl
        | BackendSpec::RtlWords
        | BackendSpec::Verilog
        | BackendSpec::VerilogWords => {
            let chip = open_remote(spec, HANDSHAKE_TIMEOUT)?;
            let note = note(&chip);
            let ended = AccelError::Lost { target: chip.name(), reason: "a simulation does not start again".into() };
            Ok(OpenedBackend { chip: guard(chip, move || Err(ended.clone()), listener)?, note })
        }
        BackendSpec::Serial { .. } | BackendSpec::Pcie { .. } | BackendSpec::Tcp { .. } => {
            let board = open_remote(spec, first_timeout(spec))?;
            let note = note(&board);
            Ok(OpenedBackend { chip: guard(board, reopen(spec), listener)?, note })
        }
    }
}

/// Opens a back end that speaks the protocol of the link. `timeout` is for its first answer; simulations have at least a minute. The chip
/// of a board on a serial port that does not answer is reset by a break, and then asked once more.
///
/// # Errors
/// It is absent, does not answer, or does not speak that protocol.
pub fn open_remote(spec: &BackendSpec, timeout: Duration) -> Result<RemoteChip, AccelError> {
    open_chip(spec, &ChipConfig::searching(), timeout)
}

/// [`open_remote`], with this configuration where the chip is simulated.
///
/// # Errors
/// As [`open_remote`].
pub fn open_chip(spec: &BackendSpec, chip: &ChipConfig, timeout: Duration) -> Result<RemoteChip, AccelError> {
    let simulation_timeout = timeout.max(SIMULATION_HANDSHAKE_TIMEOUT);
    match spec {
        BackendSpec::Serial { path, .. } if platform::is_pseudo_terminal(path) => connect_serial(spec, path, timeout),
        BackendSpec::Serial { path, baud } => connect_or_reset(
            |timeout| connect_serial(spec, path, timeout),
            || SerialTransport::open(path, baud.unwrap_or(DEFAULT_BAUD))?.send_break(),
            timeout,
        ),
        BackendSpec::Pcie { path } => RemoteChip::connect(PcieTransport::open(path)?, timeout),
        BackendSpec::Tcp { address } => RemoteChip::connect(TcpTransport::connect(address, timeout)?, timeout),
        BackendSpec::ModelStream => RemoteChip::connect(InProcessTransport(ModelStream::new()), timeout),
        BackendSpec::ModelStreamWords => {
            let stream = ModelStream::behind(Framing::Words, Model::default());
            RemoteChip::connect(InProcessTransport(stream), timeout)
        }
        BackendSpec::Rtl => {
            RemoteChip::connect(InProcessTransport(RtlStream::new(RtlChip::new(chip))), simulation_timeout)
        }
        BackendSpec::RtlWords => {
            RemoteChip::connect(InProcessTransport(RtlWordStream::new(RtlWordChip::new(chip))), simulation_timeout)
        }
        BackendSpec::Verilog | BackendSpec::VerilogWords => {
            let words = *spec == BackendSpec::VerilogWords;
            let stream = VerilogStream::behind(if words { Framing::Words } else { Framing::Slip }, chip)
                .map_err(|e| AccelError::Simulation { target: spec.to_string(), reason: e.to_string() })?;
            RemoteChip::connect(InProcessTransport(stream), simulation_timeout)
        }
        BackendSpec::Auto | BackendSpec::Model | BackendSpec::Rules | BackendSpec::Team(_) => {
            Err(AccelError::Spec { given: spec.to_string(), reason: "it is not one chip behind a link".into() })
        }
    }
}

/// Connects to the board on a port, at the rate that is named or at one of the usual ones.
fn connect_serial(spec: &BackendSpec, path: &str, timeout: Duration) -> Result<RemoteChip, AccelError> {
    match spec {
        BackendSpec::Serial { baud: Some(baud), .. } => {
            RemoteChip::connect(SerialTransport::open(path, *baud)?, timeout)
        }
        _ => connect_at_usual_bauds(path, timeout),
    }
}

/// Connects to a chip. If it does not answer, or not by frames, sends a break and connects again: a chip that hangs, through an
/// upset of its state for example, comes back so. The error is that of the first attempt.
fn connect_or_reset(
    connect: impl Fn(Duration) -> Result<RemoteChip, AccelError>,
    send_break: impl FnOnce() -> Result<(), AccelError>,
    timeout: Duration,
) -> Result<RemoteChip, AccelError> {
    let error = match connect(timeout) {
        Err(
            error @ (AccelError::NoAnswer { .. }
            | AccelError::Garbage { .. }
            | AccelError::Lost { .. }
            | AccelError::Unanswered { .. }
            | AccelError::Malformed { .. }),
        ) => error,
        result => return result,
    };
    match send_break() {
        Ok(()) => connect(timeout.min(AFTER_BREAK_TIMEOUT)).map_err(|_| error),
        Err(_) => Err(error),
    }
}

/// Handshake timeout of a named board. A board on a serial port or on PCIe is hardware, unless its files are a virtual board's.
fn first_timeout(spec: &BackendSpec) -> Duration {
    match spec {
        BackendSpec::Serial { path, .. } if !platform::is_pseudo_terminal(path) => HANDSHAKE_TIMEOUT,
        BackendSpec::Pcie { path } if Path::new(path).starts_with("/dev") => HANDSHAKE_TIMEOUT,
        _ => SLOW_HANDSHAKE_TIMEOUT,
    }
}

/// Opens a lost board again.
fn reopen(spec: &BackendSpec) -> impl Fn() -> Result<RemoteChip, AccelError> + Send + Sync + use<> {
    let spec = spec.clone();
    move || open_remote(&spec, HANDSHAKE_TIMEOUT)
}

/// The chip itself or, with a listener, the chip with the model as its replacement.
fn guard(
    chip: RemoteChip,
    reopen: impl Fn() -> Result<RemoteChip, AccelError> + Send + Sync + 'static,
    listener: Option<FailoverListener>,
) -> Result<Arc<dyn CoProcessor>, AccelError> {
    Ok(match listener {
        None => Arc::new(chip),
        Some(listener) => Arc::new(Failover::new(chip, reopen, listener)?),
    })
}

fn board_note(board: &RemoteChip) -> String {
    let info = board.handshake_info();
    format!(
        "{}: board {}, build {:08x}, protocol {}.{}{}",
        board.name(),
        info.board,
        info.build_id,
        info.protocol >> 16,
        info.protocol & 0xFFFF,
        match info.capabilities & (CAP_MOVEGEN | CAP_EVALUATE) {
            0 => ", counts moves only: the search uses the model",
            CAP_EVALUATE => ", only searches: the engine's own search uses the model",
            CAP_MOVEGEN => ", no evaluator: the search evaluates with the model",
            _ => "",
        }
    )
}

/// Opens the first board on a serial port or on PCIe, else the model.
fn open_auto(listener: Option<FailoverListener>) -> OpenedBackend {
    let mut failures = Vec::new();
    let mut open = |spec: BackendSpec, board: Result<RemoteChip, AccelError>, found: String| {
        let result = board.and_then(|board| {
            let note = format!("{} (found on {found})", board_note(&board));
            Ok(OpenedBackend { chip: guard(board, reopen(&spec), listener.clone())?, note })
        });
        result.map_err(|e| failures.push(e.to_string())).ok()
    };
    for port in serial_ports().into_iter().filter(SerialPort::may_be_board) {
        let path = port.path.display().to_string();
        // No break: what is on this port may be another device.
        let board = connect_at_usual_bauds(&path, PROBE_TIMEOUT);
        let found = [Some(port.to_string()), port.latency_hint()].into_iter().flatten().collect::<Vec<_>>().join("; ");
        if let Some(opened) = open(BackendSpec::Serial { path, baud: None }, board, found) {
            return opened;
        }
    }
    for path in cards() {
        let board = PcieTransport::open(&path).and_then(|card| RemoteChip::connect(card, PROBE_TIMEOUT));
        if let Some(opened) = open(BackendSpec::Pcie { path: path.clone() }, board, path) {
            return opened;
        }
    }
    let why = match &failures[..] {
        [] => "no board is connected".into(),
        some => some.join("; "),
    };
    OpenedBackend { chip: Arc::new(ModelBackend::new()), note: format!("model: the software model, because {why}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StreamChip;
    use std::{
        io,
        sync::atomic::{AtomicU32, Ordering},
    };

    /// A chip that answers only after so many breaks.
    struct Wedged {
        chip: ModelStream,
        breaks: Arc<AtomicU32>,
        needed: u32,
    }

    impl StreamChip for Wedged {
        fn name(&self) -> String {
            "wedged".into()
        }

        fn push(&mut self, bytes: &[u8]) -> usize {
            match self.breaks.load(Ordering::Relaxed) < self.needed {
                true => bytes.len(),
                false => self.chip.push(bytes),
            }
        }

        fn step(&mut self) -> io::Result<bool> {
            self.chip.step()
        }

        fn pull(&mut self, buffer: &mut [u8]) -> usize {
            self.chip.pull(buffer)
        }
    }

    /// Connects to such a chip; how many breaks were sent.
    fn check(needed: u32, line_has_breaks: bool) -> (Result<RemoteChip, AccelError>, u32) {
        let breaks = Arc::new(AtomicU32::new(0));
        let wedged = || Wedged { chip: ModelStream::new(), breaks: breaks.clone(), needed };
        let absent = || AccelError::Spec { given: String::new(), reason: "no breaks".into() };
        let result = connect_or_reset(
            |timeout| RemoteChip::connect(InProcessTransport(wedged()), timeout),
            || {
                breaks.fetch_add(1, Ordering::Relaxed);
                line_has_breaks.then_some(()).ok_or_else(absent)
            },
            Duration::from_millis(200),
        );
        (result, breaks.load(Ordering::Relaxed))
    }

    #[test]
    fn a_chip_that_does_not_answer_is_reset_once() {
        assert!(matches!(check(0, true), (Ok(_), 0)), "a break though it answers");
        assert!(matches!(check(1, true), (Ok(_), 1)), "no answer after a break");
        assert!(matches!(check(9, true), (Err(AccelError::NoAnswer { .. }), 1)));
        assert!(matches!(check(9, false), (Err(AccelError::NoAnswer { .. }), 1)));
    }
}
