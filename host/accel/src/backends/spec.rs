//! The name of a back end, parsed.

use crate::{AccelError, USUAL_BAUDS};
use hayasashi_shogi::text::excerpt;
use std::{fmt, str::FromStr};

/// Which back end to use.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum BackendSpec {
    /// A board if one is connected, else the software model.
    #[default]
    Auto,
    /// The software model, called directly.
    Model,
    /// The engine's own rules of shogi.
    Rules,
    /// The software model behind the byte protocol, in this process: for tests of the protocol.
    ModelStream,
    /// The same behind the frames of the word port.
    ModelStreamWords,
    /// The gateware in RustHDL's simulator, in this process.
    Rtl,
    /// The same behind its word port.
    RtlWords,
    /// The emitted Verilog, compiled by Verilator.
    Verilog,
    /// The same behind its word port.
    VerilogWords,
    /// A board on a serial port.
    Serial {
        /// Device file.
        path: String,
        /// Baud rate of the line; `None` tries the usual ones.
        baud: Option<u32>,
    },
    /// A chip that another process serves.
    Tcp {
        /// `host:port`.
        address: String,
    },
}

/// The back ends that are named by a fixed text.
const FIXED: [(&str, BackendSpec); 9] = [
    ("auto", BackendSpec::Auto),
    ("model", BackendSpec::Model),
    ("rules", BackendSpec::Rules),
    ("model-stream", BackendSpec::ModelStream),
    ("model-stream:words", BackendSpec::ModelStreamWords),
    ("rtl", BackendSpec::Rtl),
    ("rtl:words", BackendSpec::RtlWords),
    ("verilog", BackendSpec::Verilog),
    ("verilog:words", BackendSpec::VerilogWords),
];

/// Parses what follows the colon; the error is the reason.
type ParseAddress = fn(&str) -> Result<BackendSpec, String>;

/// The back ends whose name has an address: name, form for help texts, parser.
const ADDRESSED: [(&str, &str, ParseAddress); 2] =
    [("serial", "<path>[@<baud>]", parse_serial), ("tcp", "<host>:<port>", parse_tcp)];

fn parse_serial(address: &str) -> Result<BackendSpec, String> {
    let (path, baud) = match address.rsplit_once('@') {
        None => (address, None),
        Some((path, baud)) => match baud.parse() {
            Ok(baud) if baud > 0 => (path, Some(baud)),
            _ => return Err(format!("`{}` is not a baud rate", excerpt(baud))),
        },
    };
    match path {
        "" => Err("the path of the port is missing".into()),
        _ => Ok(BackendSpec::Serial { path: path.into(), baud }),
    }
}

fn parse_tcp(address: &str) -> Result<BackendSpec, String> {
    match address.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
            Ok(BackendSpec::Tcp { address: address.into() })
        }
        _ => Err("`<host>:<port>` is missing, as in `tcp:localhost:5085`".into()),
    }
}

impl BackendSpec {
    /// The valid forms, for help texts.
    pub fn forms() -> String {
        let fixed = FIXED.iter().map(|(text, _)| format!("`{text}`"));
        let addressed = ADDRESSED.iter().map(|(name, form, _)| format!("`{name}:{form}`"));
        let forms = fixed.chain(addressed).collect::<Vec<_>>().join(", ");
        format!("{forms} (without a baud rate, {} are tried)", USUAL_BAUDS.map(|baud| baud.to_string()).join(", "))
    }
}

/// Why a text is not a specification.
fn rejection(text: &str) -> String {
    let (name, argument) = match text.split_once(':') {
        Some((name, argument)) => (name, Some(argument)),
        None => (text, None),
    };
    let fixed = |text: &str| FIXED.iter().any(|(fixed, _)| *fixed == text);
    match argument {
        None if ADDRESSED.iter().any(|(addressed, ..)| *addressed == name) => "its address is missing".into(),
        _ if name.is_empty() => "the name is missing".into(),
        Some(_) if fixed(&format!("{name}:words")) => "it takes no argument but `words`".into(),
        Some(_) if fixed(name) => "it takes no argument".into(),
        _ if text.starts_with('/') => format!("a serial port is written `serial:{}`", excerpt(text)),
        _ => format!("`{}` is unknown", excerpt(name)),
    }
}

impl FromStr for BackendSpec {
    type Err = AccelError;

    fn from_str(text: &str) -> Result<BackendSpec, AccelError> {
        if let Some((_, spec)) = FIXED.iter().find(|(fixed, _)| *fixed == text) {
            return Ok(spec.clone());
        }
        let addressed = text.split_once(':').and_then(|(name, address)| {
            ADDRESSED.iter().find(|(addressed, ..)| *addressed == name).map(|(.., parse)| parse(address))
        });
        let parsed = addressed.unwrap_or_else(|| Err(rejection(text)));
        parsed.map_err(|reason| AccelError::Spec { given: text.into(), reason })
    }
}

impl fmt::Display for BackendSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackendSpec::Serial { path, baud: Some(baud) } => write!(f, "serial:{path}@{baud}"),
            BackendSpec::Serial { path, baud: None } => write!(f, "serial:{path}"),
            BackendSpec::Tcp { address } => write!(f, "tcp:{address}"),
            fixed => {
                let (text, _) = FIXED.iter().find(|(_, spec)| spec == fixed).expect("every other one has a fixed text");
                f.write_str(text)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_parse_to_what_they_display() {
        let addressed = ["serial:/dev/ttyUSB0@115200", "serial:/dev/ttyUSB0", "tcp:[::1]:5085"];
        for text in FIXED.iter().map(|(text, _)| *text).chain(addressed) {
            assert_eq!(text.parse::<BackendSpec>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_wrong_specification_is_named_with_the_valid_forms() {
        for (given, part) in [
            ("fpga", "`fpga` is unknown"),
            ("/dev/ttyUSB1", "is written `serial:/dev/ttyUSB1`"),
            ("serial", "address is missing"),
            ("", "name is missing"),
            ("serial:/dev/ttyUSB0@fast", "`fast` is not a baud rate"),
            ("tcp:localhost", "`<host>:<port>` is missing"),
            ("model:3", "takes no argument"),
            ("verilog:plain", "takes no argument but `words`"),
            ("model-stream:bytes", "takes no argument but `words`"),
        ] {
            let message = given.parse::<BackendSpec>().unwrap_err().to_string();
            assert!(message.contains(part) && message.contains("serial:<path>[@<baud>]"), "{message}");
        }
    }
}
