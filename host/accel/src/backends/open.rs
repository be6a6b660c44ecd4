//! Opening the back end that a specification names.

use super::{BackendSpec, ModelBackend, RemoteChip, RulesBackend};
use crate::{
    discovery::{connect_at_usual_bauds, PROBE_TIMEOUT},
    platform, serial_ports, AccelError, CoProcessor, Failover, FailoverListener, InProcessTransport, ModelStream,
    RtlStream, SerialPort, SerialTransport, TcpTransport, VerilogStream,
};
use hayasashi_hdl::config::ChipConfig;
use hayasashi_sim::RtlChip;
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN};
use std::{sync::Arc, time::Duration};

/// Handshake timeout of a named board.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(3);
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
        BackendSpec::ModelStream | BackendSpec::Rtl => format!("{spec}: in this process"),
        BackendSpec::Verilog => format!("{spec}: the emitted Verilog, compiled by Verilator"),
        _ => board_note(board),
    };
    match spec {
        BackendSpec::Auto => Ok(open_auto(listener)),
        BackendSpec::Model => {
            Ok(OpenedBackend { chip: Arc::new(ModelBackend::new()), note: "model: the software model".into() })
        }
        BackendSpec::Rules => {
            Ok(OpenedBackend { chip: Arc::new(RulesBackend::default()), note: "rules: the engine's own rules".into() })
        }
        BackendSpec::ModelStream | BackendSpec::Rtl | BackendSpec::Verilog => {
            let chip = open_remote(spec, HANDSHAKE_TIMEOUT)?;
            let note = note(&chip);
            let ended = AccelError::Lost { target: chip.name(), reason: "a simulation does not start again".into() };
            Ok(OpenedBackend { chip: guard(chip, move || Err(ended.clone()), listener)?, note })
        }
        BackendSpec::Serial { .. } | BackendSpec::Tcp { .. } => {
            let board = open_remote(spec, first_timeout(spec))?;
            let note = note(&board);
            Ok(OpenedBackend { chip: guard(board, reopen(spec), listener)?, note })
        }
    }
}

/// Opens a back end that speaks the byte protocol. `timeout` is for its first answer; simulations have at least a minute.
///
/// # Errors
/// It is absent, does not answer, or does not speak the byte protocol.
pub fn open_remote(spec: &BackendSpec, timeout: Duration) -> Result<RemoteChip, AccelError> {
    open_chip(spec, &ChipConfig::default(), timeout)
}

/// [`open_remote`], with this configuration where the chip is simulated.
///
/// # Errors
/// As [`open_remote`].
pub fn open_chip(spec: &BackendSpec, chip: &ChipConfig, timeout: Duration) -> Result<RemoteChip, AccelError> {
    let simulation_timeout = timeout.max(SIMULATION_HANDSHAKE_TIMEOUT);
    match spec {
        BackendSpec::Serial { path, baud: None } => connect_at_usual_bauds(path, timeout),
        BackendSpec::Serial { path, baud: Some(baud) } => {
            RemoteChip::connect(SerialTransport::open(path, *baud)?, timeout)
        }
        BackendSpec::Tcp { address } => RemoteChip::connect(TcpTransport::connect(address, timeout)?, timeout),
        BackendSpec::ModelStream => RemoteChip::connect(InProcessTransport(ModelStream::new()), timeout),
        BackendSpec::Rtl => {
            RemoteChip::connect(InProcessTransport(RtlStream::new(RtlChip::new(chip))), simulation_timeout)
        }
        BackendSpec::Verilog => {
            let stream = VerilogStream::open(chip)
                .map_err(|e| AccelError::Simulation { target: spec.to_string(), reason: e.to_string() })?;
            RemoteChip::connect(InProcessTransport(stream), simulation_timeout)
        }
        BackendSpec::Auto | BackendSpec::Model | BackendSpec::Rules => {
            Err(AccelError::Spec { given: spec.to_string(), reason: "it does not speak the byte protocol".into() })
        }
    }
}

/// Handshake timeout of a named board. A board on a serial port is hardware, unless the port is a pseudo-terminal.
fn first_timeout(spec: &BackendSpec) -> Duration {
    match spec {
        BackendSpec::Serial { path, .. } if !platform::is_pseudo_terminal(path) => HANDSHAKE_TIMEOUT,
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
            CAP_MOVEGEN => ", no evaluator: the search evaluates with the model",
            _ => "",
        }
    )
}

/// Opens the first board on a serial port, else the model.
fn open_auto(listener: Option<FailoverListener>) -> OpenedBackend {
    let mut failures = Vec::new();
    for port in serial_ports().into_iter().filter(SerialPort::may_be_board) {
        let spec = BackendSpec::Serial { path: port.path.display().to_string(), baud: None };
        match open_remote(&spec, PROBE_TIMEOUT) {
            Ok(board) => {
                let mut note = format!("{} (found on {port})", board_note(&board));
                note.extend(port.latency_hint().map(|hint| format!("; {hint}")));
                match guard(board, reopen(&spec), listener.clone()) {
                    Ok(chip) => return OpenedBackend { chip, note },
                    Err(e) => failures.push(e.to_string()),
                }
            }
            Err(e) => failures.push(e.to_string()),
        }
    }
    let why = match &failures[..] {
        [] => "no board is connected".into(),
        some => some.join("; "),
    };
    OpenedBackend { chip: Arc::new(ModelBackend::new()), note: format!("model: the software model, because {why}") }
}
