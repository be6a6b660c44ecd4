//! The name of a back end, parsed.

use crate::{
    transport::{FROM_CARD, TO_CARD},
    AccelError, USUAL_BAUDS,
};
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
    /// A card on PCIe.
    Pcie {
        /// Its device file behind LitePCIe; behind XDMA its device files without what they end with.
        path: String,
    },
    /// A chip that another process serves.
    Tcp {
        /// `host:port`.
        address: String,
    },
    /// Several of them that share requests.
    Team(Vec<BackendSpec>),
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
const ADDRESSED: [(&str, &str, ParseAddress); 3] =
    [("serial", "<path>[@<baud>]", parse_serial), ("pcie", "<path>", parse_pcie), ("tcp", "<host>:<port>", parse_tcp)];

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

fn parse_pcie(address: &str) -> Result<BackendSpec, String> {
    if address.is_empty() {
        return Err("the path of the card is missing, as in `pcie:/dev/xdma0` or `pcie:/dev/litepcie0`".into());
    }
    for end in [TO_CARD, FROM_CARD] {
        if let Some(path) = address.strip_suffix(end) {
            return Err(format!("both files of the card are meant: `pcie:{}`", excerpt(path)));
        }
    }
    Ok(BackendSpec::Pcie { path: address.into() })
}

fn parse_tcp(address: &str) -> Result<BackendSpec, String> {
    match address.rsplit_once(':') {
        Some((host, port)) if !host.is_empty() && port.parse::<u16>().is_ok() => {
            Ok(BackendSpec::Tcp { address: address.into() })
        }
        _ => Err("`<host>:<port>` is missing, as in `tcp:localhost:5085`".into()),
    }
}

/// Parses one back end; the error is the reason.
fn parse_one(text: &str) -> Result<BackendSpec, String> {
    if let Some((_, spec)) = FIXED.iter().find(|(fixed, _)| *fixed == text) {
        return Ok(spec.clone());
    }
    let addressed = text.split_once(':').and_then(|(name, address)| {
        ADDRESSED.iter().find(|(addressed, ..)| *addressed == name).map(|(.., parse)| parse(address))
    });
    addressed.unwrap_or_else(|| Err(rejection(text)))
}

/// Parses several back ends with commas between them; the error is the reason.
fn parse_team(text: &str) -> Result<BackendSpec, String> {
    let member = |text: &str| match parse_one(text) {
        Ok(BackendSpec::Auto) => Err("`auto` stands alone; name each back end".into()),
        other => other.map_err(|reason| format!("`{}`: {reason}", excerpt(text))),
    };
    let members: Vec<BackendSpec> = text.split(',').map(member).collect::<Result<_, String>>()?;
    let repeated =
        members.iter().enumerate().find(|(at, member)| members[..*at].contains(member) && member.is_device());
    match repeated {
        Some((_, member)) => Err(format!("`{member}` is named twice")),
        None => Ok(BackendSpec::Team(members)),
    }
}

impl BackendSpec {
    /// Whether it is a device. Of software there may be several, each with a thread of its own.
    fn is_device(&self) -> bool {
        matches!(self, BackendSpec::Serial { .. } | BackendSpec::Pcie { .. } | BackendSpec::Tcp { .. })
    }

    /// The valid forms, for help texts.
    pub fn forms() -> String {
        let fixed = FIXED.iter().map(|(text, _)| format!("`{text}`"));
        let addressed = ADDRESSED.iter().map(|(name, form, _)| format!("`{name}:{form}`"));
        let forms = fixed.chain(addressed).collect::<Vec<_>>().join(", ");
        format!(
            "{forms} (without a baud rate, {} are tried), and several of these with commas between them",
            USUAL_BAUDS.map(|baud| baud.to_string()).join(", ")
        )
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
        let parsed = if text.contains(',') { parse_team(text) } else { parse_one(text) };
        parsed.map_err(|reason| AccelError::Spec { given: text.into(), reason })
    }
}

impl fmt::Display for BackendSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackendSpec::Serial { path, baud: Some(baud) } => write!(f, "serial:{path}@{baud}"),
            BackendSpec::Serial { path, baud: None } => write!(f, "serial:{path}"),
            BackendSpec::Pcie { path } => write!(f, "pcie:{path}"),
            BackendSpec::Tcp { address } => write!(f, "tcp:{address}"),
            BackendSpec::Team(members) => {
                let names: Vec<String> = members.iter().map(ToString::to_string).collect();
                f.write_str(&names.join(","))
            }
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
        let addressed = ["serial:/dev/ttyUSB0@115200", "serial:/dev/ttyUSB0", "pcie:/dev/xdma0", "tcp:[::1]:5085"];
        let teams = ["pcie:/dev/xdma0,serial:/dev/ttyUSB0@115200,model", "rtl,rtl"];
        for text in FIXED.iter().map(|(text, _)| *text).chain(addressed).chain(teams) {
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
            ("pcie:", "`pcie:/dev/xdma0`"),
            ("pcie:/dev/xdma1_c2h_0", "both files of the card are meant: `pcie:/dev/xdma1`"),
            ("tcp:localhost", "`<host>:<port>` is missing"),
            ("model:3", "takes no argument"),
            ("verilog:plain", "takes no argument but `words`"),
            ("model,", "the name is missing"),
            ("model,fpga", "`fpga`: `fpga` is unknown"),
            ("auto,model", "`auto` stands alone"),
            ("tcp:a:1,model,tcp:a:1", "`tcp:a:1` is named twice"),
            ("model-stream:bytes", "takes no argument but `words`"),
        ] {
            let message = given.parse::<BackendSpec>().unwrap_err().to_string();
            assert!(message.contains(part) && message.contains("serial:<path>[@<baud>]"), "{message}");
        }
    }
}
