//! What can go wrong between a request and its answers.

use hayasashi_spec::{opcode::Status, PROTOCOL_VERSION};
use std::time::Duration;
use thiserror::Error;

/// A failure of a back end as a whole. (A position that cannot be answered is a
/// [`PositionError`](super::PositionError), not one of these.)
///
/// In every variant `target` is the device or address, `found` what it answered, `opcode` the request's, `reason` what
/// is wrong. The values are `Clone`, since one broken line fails every request that was on its way.
#[allow(missing_docs)] // the fields, of which the text above and each message tell
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AccelError {
    /// A back-end specification that does not parse.
    #[error("`{given}` is no back end: {reason}; valid forms are {}", super::BackendSpec::FORMS)]
    Spec { given: String, reason: String },

    /// A named serial port does not exist.
    #[error("serial port {path} does not exist; {ports}; hint: check the cable, or use `auto` or `model`")]
    Absent { path: String, ports: String },

    /// A named serial port is held by another program.
    #[error("serial port {path} is in use by another program; {ports}; hint: close the other program (`fuser {path}` shows it)")]
    PortBusy { path: String, ports: String },

    /// A port or a socket cannot be opened for another reason.
    #[error("cannot open {target}: {reason}; hint: {hint}")]
    Open { target: String, reason: String, hint: String },

    /// A simulation cannot be built or started. The reason ends with a hint.
    #[error("{target}: {reason}")]
    Simulation { target: String, reason: String },

    /// Not one byte came back.
    #[error("{target}: nobody answers (waited {waited:?}); hint: is the board powered and its gateware loaded? for a serial line, is the baud rate that of the gateware?")]
    NoAnswer { target: String, waited: Duration },

    /// Bytes came back, but no frame of this protocol.
    #[error("{target}: {bytes} bytes came back, but no valid frame; hint: wrong baud rate, or another device is on this port")]
    Garbage { target: String, bytes: usize },

    /// The device speaks the frame format but is not this chip.
    #[error("{target}: the first information register is 0x{found:08X} instead of 0x{:08X}; hint: this is not a Hayasashi chip, name another port or load its gateware", hayasashi_spec::MAGIC)]
    WrongMagic { target: String, found: u32 },

    /// The chip speaks another major version of the protocol.
    #[error("{target}: the chip speaks protocol {}, this program speaks {}; hint: {}", version(*.found), version(PROTOCOL_VERSION), version_hint(*.found))]
    WrongVersion { target: String, found: u32 },

    /// The line broke, or the chip stopped answering, with requests outstanding or before a new one.
    #[error("{target}: lost ({reason}); hint: check power and cable; every outstanding request may be sent again")]
    Lost { target: String, reason: String },

    /// One request could not be brought through, while others were answered.
    #[error("{target}: request 0x{opcode:02X} was not answered after {attempts} attempts; hint: the line is very noisy, lower the baud rate or change the cable")]
    Unanswered { target: String, opcode: u8, attempts: u32 },

    /// The chip refused a request as a whole.
    #[error("{target}: request 0x{opcode:02X} was refused: {} ({}); hint: the gateware may lack this function, see INFO's capabilities", .status.name(), .status.text().trim())]
    Refused { target: String, opcode: u8, status: Status },

    /// The chip was built without an evaluator, and was asked for what needs one.
    #[error("{target}: the chip has no evaluator (its board is built with `units.evaluate = 0`); hint: ask `--backend model` for evaluations; the search does so by itself")]
    NoEvaluator { target: String },

    /// The chip was built without what gives moves one by one, and was asked for them.
    #[error("{target}: the chip counts moves, but cannot give them (its board is built with `units.movegen = 0`); hint: ask `--backend model` for moves; the search does so by itself")]
    NoMovegen { target: String },

    /// The chip was built without what a walk needs, and was asked for one.
    #[error("{target}: the chip cannot walk by itself (its board is built with `units.perft = 0`); hint: leave out `--on-chip`, then the host walks; or ask `--backend model`")]
    NoPerft { target: String },

    /// An answer has a shape that its opcode does not allow.
    #[error("{target}: the answer to request 0x{opcode:02X} is malformed: {reason}; hint: run `hayasashi verify` against this back end")]
    Malformed { target: String, opcode: u8, reason: String },

    /// A request too long to be sent.
    #[error(
        "a payload of {bytes} bytes is longer than a request may be ({} bytes); hint: split the batch",
        hayasashi_spec::frame::MAX_REQUEST_PAYLOAD
    )]
    TooLong { bytes: usize },

    /// An evaluation table that the chip does not take.
    #[error("{target}: the evaluation table is not accepted: {reason}; hint: make it again with `hayasashi learn`, or load the default table")]
    Table { target: String, reason: String },
}

impl AccelError {
    /// Whether the device, rather than the request, is to blame: another back end may answer the same request.
    pub fn is_lost(&self) -> bool {
        use AccelError::*;
        matches!(
            self,
            Lost { .. } | Unanswered { .. } | NoAnswer { .. } | Garbage { .. } | Malformed { .. } | Open { .. }
        )
    }
}

/// `major.minor` of a protocol version.
fn version(word: u32) -> String {
    format!("{}.{}", word >> 16, word & 0xFFFF)
}

fn version_hint(found: u32) -> &'static str {
    if found >> 16 < PROTOCOL_VERSION >> 16 {
        "flash the gateware that was released with this program"
    } else {
        "update this program, or flash the gateware that was released with it"
    }
}
