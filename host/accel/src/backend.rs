//! Choosing a back end by name.

use super::{
    ports, AccelError, ChipWire, CoProcessor, ModelBackend, Notify, RemoteChip, Resilient, RtlStream, RulesBackend,
    SerialWire, SoftwareStream, TcpWire, VerilogStream, DEFAULT_BAUD,
};
use hayasashi_hdl::top::config::ChipConfig;
use hayasashi_sim::RtlChip;
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN};
use std::{fmt, str::FromStr, sync::Arc, time::Duration};

/// How long a named board may take for its first answer.
const GREETING: Duration = Duration::from_secs(3);
/// How long a simulation may.
const SIMULATED_GREETING: Duration = Duration::from_secs(60);
/// How long an unknown device is listened to.
const PROBE: Duration = Duration::from_millis(400);

/// Which back end to take.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum BackendSpec {
    /// A board if there is one, else the software model.
    #[default]
    Auto,
    /// The software model, called directly.
    Model,
    /// The engine's own rules of shogi.
    Rules,
    /// The software model behind the byte protocol, in this process: for tests of the protocol.
    ModelStream,
    /// The gateware in RustHDL's simulator, in this process.
    Rtl,
    /// The Verilog emitted for the gateware, compiled by Verilator.
    Verilog {
        /// Exactly the text that is synthesised, instead of the one drawn for fast simulation.
        plain: bool,
    },
    /// A board on a serial port.
    Serial {
        /// Device file.
        path: String,
        /// Rate of the line.
        baud: u32,
    },
    /// A chip that another process serves.
    Tcp {
        /// `host:port`.
        address: String,
    },
}

impl BackendSpec {
    /// The forms that [`FromStr`] takes, for help texts.
    pub const FORMS: &'static str =
        "`auto`, `model`, `rules`, `model-stream`, `rtl`, `verilog[:plain]`, `serial:<path>[@baud]` (3000000 baud if not given), `tcp:<host>:<port>`";
}

impl FromStr for BackendSpec {
    type Err = AccelError;

    fn from_str(given: &str) -> Result<BackendSpec, AccelError> {
        let wrong = |reason: &str| Err(AccelError::Spec { given: given.into(), reason: reason.into() });
        let (name, rest) = match given.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (given, None),
        };
        match (name, rest) {
            ("auto", None) => Ok(BackendSpec::Auto),
            ("model", None) => Ok(BackendSpec::Model),
            ("rules", None) => Ok(BackendSpec::Rules),
            ("model-stream", None) => Ok(BackendSpec::ModelStream),
            ("rtl", None) => Ok(BackendSpec::Rtl),
            ("verilog", None) => Ok(BackendSpec::Verilog { plain: false }),
            ("verilog", Some("plain")) => Ok(BackendSpec::Verilog { plain: true }),
            ("verilog", Some(_)) => wrong("it takes no argument but `plain`"),
            ("auto" | "model" | "rules" | "model-stream" | "rtl", Some(_)) => wrong("this one takes no argument"),
            ("serial", Some(rest)) => {
                let (path, baud) = match rest.rsplit_once('@') {
                    None => (rest, DEFAULT_BAUD),
                    Some((path, baud)) => match baud.parse() {
                        Ok(baud) if baud > 0 => (path, baud),
                        _ => return wrong(&format!("`{baud}` is no baud rate")),
                    },
                };
                match path {
                    "" => wrong("the path of the port is missing"),
                    _ => Ok(BackendSpec::Serial { path: path.into(), baud }),
                }
            }
            ("tcp", Some(address)) => match address.rsplit_once(':') {
                Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
                    Ok(BackendSpec::Tcp { address: address.into() })
                }
                _ => wrong("`<host>:<port>` is missing, e.g. `tcp:localhost:5085`"),
            },
            ("serial" | "tcp", None) => wrong("its address is missing"),
            ("", _) => wrong("the name is missing"),
            _ if given.starts_with('/') => wrong(&format!("a serial port is written `serial:{given}`")),
            _ => wrong(&format!("`{name}` is unknown")),
        }
    }
}

impl fmt::Display for BackendSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackendSpec::Auto => write!(f, "auto"),
            BackendSpec::Model => write!(f, "model"),
            BackendSpec::Rules => write!(f, "rules"),
            BackendSpec::ModelStream => write!(f, "model-stream"),
            BackendSpec::Rtl => write!(f, "rtl"),
            BackendSpec::Verilog { plain: false } => write!(f, "verilog"),
            BackendSpec::Verilog { plain: true } => write!(f, "verilog:plain"),
            BackendSpec::Serial { path, baud } => write!(f, "serial:{path}@{baud}"),
            BackendSpec::Tcp { address } => write!(f, "tcp:{address}"),
        }
    }
}

/// A back end that answers.
pub struct Opened {
    /// The back end.
    pub chip: Arc<dyn CoProcessor>,
    /// One line: which one was taken, and why.
    pub note: String,
}

/// Opens a back end. A named one that is absent is an error; `auto` always finds one.
pub fn open(spec: &BackendSpec) -> Result<Opened, AccelError> {
    open_with(spec, None)
}

/// Opens a back end whose losses the model makes good, so that a game goes on (see [`Resilient`]): `notify` is told,
/// and the board is taken back when it returns.
pub fn open_resilient(spec: &BackendSpec, notify: Notify) -> Result<Opened, AccelError> {
    open_with(spec, Some(notify))
}

fn open_with(spec: &BackendSpec, notify: Option<Notify>) -> Result<Opened, AccelError> {
    match spec {
        BackendSpec::Auto => Ok(open_auto(notify)),
        BackendSpec::Model => {
            Ok(Opened { chip: Arc::new(ModelBackend::new()), note: "model: the software model".into() })
        }
        BackendSpec::Rules => {
            Ok(Opened { chip: Arc::new(RulesBackend::default()), note: "rules: the engine's own rules".into() })
        }
        BackendSpec::ModelStream | BackendSpec::Rtl | BackendSpec::Verilog { .. } => {
            let board = open_board(spec, GREETING)?;
            let note = match spec {
                BackendSpec::Verilog { .. } => format!("{spec}: the emitted Verilog, compiled by Verilator"),
                _ => format!("{spec}: in this process"),
            };
            Ok(Opened { chip: Arc::new(board), note })
        }
        BackendSpec::Serial { .. } | BackendSpec::Tcp { .. } => {
            let board = open_board(spec, GREETING)?;
            let note = note(spec, &board);
            Ok(Opened { chip: protect(spec.clone(), board, notify)?, note })
        }
    }
}

/// Opens a back end that speaks the byte protocol and greets it.
pub fn open_board(spec: &BackendSpec, timeout: Duration) -> Result<RemoteChip, AccelError> {
    open_chip(spec, &ChipConfig::default(), timeout)
}

/// [`open_board`], where a simulated chip is this one.
pub fn open_chip(spec: &BackendSpec, chip: &ChipConfig, timeout: Duration) -> Result<RemoteChip, AccelError> {
    match spec {
        BackendSpec::Serial { path, baud } => RemoteChip::connect(SerialWire::open(path, *baud)?, timeout),
        BackendSpec::Tcp { address } => RemoteChip::connect(TcpWire::connect(address, timeout)?, timeout),
        BackendSpec::ModelStream => RemoteChip::connect(ChipWire(SoftwareStream::new()), timeout),
        BackendSpec::Rtl => {
            RemoteChip::connect(ChipWire(RtlStream::new(RtlChip::new(chip))), timeout.max(SIMULATED_GREETING))
        }
        BackendSpec::Verilog { plain } => {
            let stream = VerilogStream::open(chip, *plain)
                .map_err(|e| AccelError::Simulation { target: spec.to_string(), reason: e.to_string() })?;
            RemoteChip::connect(ChipWire(stream), timeout.max(SIMULATED_GREETING))
        }
        BackendSpec::Auto | BackendSpec::Model | BackendSpec::Rules => {
            Err(AccelError::Spec { given: spec.to_string(), reason: "it does not speak the byte protocol".into() })
        }
    }
}

fn protect(spec: BackendSpec, board: RemoteChip, notify: Option<Notify>) -> Result<Arc<dyn CoProcessor>, AccelError> {
    Ok(match notify {
        None => Arc::new(board),
        Some(notify) => Arc::new(Resilient::new(board, move || open_board(&spec, GREETING), notify)?),
    })
}

fn note(spec: &BackendSpec, board: &RemoteChip) -> String {
    let info = board.greeting();
    format!(
        "{spec}: board {}, build {:08x}, protocol {}.{}{}",
        info.board,
        info.build_id,
        info.protocol >> 16,
        info.protocol & 0xFFFF,
        match info.capabilities & (CAP_MOVEGEN | CAP_EVALUATE) {
            0 => ", counts moves only: the search asks the model",
            CAP_MOVEGEN => ", no evaluator: the search evaluates by the model",
            _ => "",
        }
    )
}

fn open_auto(notify: Option<Notify>) -> Opened {
    let mut refusals = Vec::new();
    for port in ports::ports().into_iter().filter(|p| p.may_be_board()) {
        let spec = BackendSpec::Serial { path: port.path.display().to_string(), baud: DEFAULT_BAUD };
        match open_board(&spec, PROBE) {
            Ok(board) => {
                let mut note = format!("{} (found on {port})", note(&spec, &board));
                note.extend(port.latency_hint().map(|hint| format!("; {hint}")));
                match protect(spec, board, notify.clone()) {
                    Ok(chip) => return Opened { chip, note },
                    Err(e) => refusals.push(e.to_string()),
                }
            }
            Err(e) => refusals.push(e.to_string()),
        }
    }
    let why = match &refusals[..] {
        [] => "no board is connected".into(),
        some => some.join("; "),
    };
    Opened { chip: Arc::new(ModelBackend::new()), note: format!("model: the software model, since {why}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_read_back() {
        for spec in [
            "auto",
            "model",
            "rules",
            "model-stream",
            "rtl",
            "verilog",
            "verilog:plain",
            "serial:/dev/ttyUSB0@115200",
            "tcp:[::1]:5085",
        ] {
            assert_eq!(spec.parse::<BackendSpec>().unwrap().to_string(), spec);
        }
        assert_eq!("serial:/dev/ttyUSB0".parse::<BackendSpec>().unwrap().to_string(), "serial:/dev/ttyUSB0@3000000");
    }

    #[test]
    fn a_wrong_specification_names_itself_and_the_right_forms() {
        for (given, part) in [
            ("fpga", "`fpga` is unknown"),
            ("/dev/ttyUSB1", "is written `serial:/dev/ttyUSB1`"),
            ("serial", "address is missing"),
            ("serial:/dev/ttyUSB0@fast", "`fast` is no baud rate"),
            ("tcp:localhost", "`<host>:<port>` is missing"),
            ("model:3", "takes no argument"),
            ("verilog:fast", "no argument but `plain`"),
        ] {
            let message = given.parse::<BackendSpec>().unwrap_err().to_string();
            assert!(message.contains(part) && message.contains("serial:<path>[@baud]"), "{message}");
        }
    }
}
