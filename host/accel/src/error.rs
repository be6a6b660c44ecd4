//! What can go wrong between a request and its answers.

use crate::{BackendSpec, Capability};
use hayasashi_shogi::text::excerpt;
use hayasashi_spec::{
    frame::MAX_REQUEST_PAYLOAD,
    opcode::{Opcode, Status},
    MAGIC, PROTOCOL_VERSION,
};
use std::time::Duration;
use thiserror::Error;

/// A failure of a back end as a whole. A position without a result is a [`PositionError`](crate::PositionError)
/// instead.
///
/// In every variant `target` is the device or address, `found` the value that it sent, `opcode` that of the request,
/// and `reason` the cause. The type is `Clone` because one broken line fails every request in flight.
#[allow(missing_docs, reason = "the fields are described above, and by each message")]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AccelError {
    /// A back-end specification that does not parse.
    #[error("`{given}` is not a back end: {reason}; hint: valid forms are {}", BackendSpec::forms(), given = excerpt(given))]
    Spec { given: String, reason: String },

    /// A named serial port does not exist.
    #[error("serial port `{path}` does not exist ({ports}); hint: check the cable, or use `auto` or `model`")]
    Absent { path: String, ports: String },

    /// A named serial port is held by another program.
    #[error("serial port `{path}` is in use by another program ({ports}); hint: close that program (`fuser {path}` shows it)")]
    PortBusy { path: String, ports: String },

    /// A card is held by another program.
    #[error("the card of `{file}` is in use by another program; hint: close that program (`fuser {file}` shows it)")]
    CardBusy { file: String },

    /// A port, a card or a socket cannot be opened for another reason.
    #[error("cannot open `{target}`: {reason}; hint: {hint}")]
    Open { target: String, reason: String, hint: String },

    /// A simulation cannot be built or started. The reason ends with a hint.
    #[error("`{target}`: {reason}")]
    Simulation { target: String, reason: String },

    /// Not one byte was received.
    #[error("`{target}`: no reply within {waited:?}; hint: {}", no_answer_hint(.target))]
    NoAnswer { target: String, waited: Duration },

    /// Bytes were received, but no frame of this protocol.
    #[error("`{target}`: {bytes} bytes received, but no valid frame; hint: the baud rate is wrong, or another device is on this port")]
    Garbage { target: String, bytes: usize },

    /// The device speaks the frame format but is not this chip.
    #[error("`{target}`: the first information register is 0x{found:08X} instead of 0x{MAGIC:08X}; hint: this is not a Hayasashi chip; name another port, or load the gateware")]
    WrongMagic { target: String, found: u32 },

    /// The chip speaks another major version of the protocol.
    #[error("`{target}`: the chip speaks protocol {}, this program speaks {}; hint: {}", version(*.found), version(PROTOCOL_VERSION), version_hint(*.found))]
    WrongVersion { target: String, found: u32 },

    /// The line broke or the chip stopped answering.
    #[error(
        "`{target}`: connection lost ({reason}); hint: check power and cable; unanswered requests can be sent again"
    )]
    Lost { target: String, reason: String },

    /// A search could not wait any longer for an answer.
    #[error("`{target}`: no answer within {waited:.1?} of a search; the software model answers until the chip does; hint: check the line, or give the search more time if the chip is simulated")]
    Late { target: String, waited: Duration },

    /// The line damages one request or its answers each time; others may have been answered.
    #[error("`{target}`: request 0x{opcode:02X} was not answered after {attempts} attempts: {cause}; hint: the line is very noisy; check the cable, its ground and the baud rate")]
    Unanswered { target: String, opcode: u8, attempts: u32, cause: String },

    /// The chip refused a request as a whole.
    #[error("`{target}`: request 0x{opcode:02X} was refused with {} ({}); hint: {}", .status.name(), .status.text().trim(), refused_hint(*.status))]
    Refused { target: String, opcode: u8, status: Status },

    /// The chip was built without the function that the request needs.
    #[error("`{target}`: {}; hint: {}", .capability.missing(), .capability.hint())]
    MissingCapability { target: String, capability: Capability },

    /// An answer has a shape that its opcode does not allow.
    #[error("`{target}`: the answer to request 0x{opcode:02X} is malformed: {reason}; hint: run `hayasashi verify` on this back end")]
    Malformed { target: String, opcode: u8, reason: String },

    /// A request too long to send.
    #[error("a payload of {bytes} bytes exceeds the {MAX_REQUEST_PAYLOAD} bytes of a request; hint: split the batch")]
    TooLong { bytes: usize },

    /// An evaluation table that the chip does not accept.
    #[error("`{target}`: the evaluation table was rejected: {reason}; hint: make it again with `hayasashi learn`, or load the default table")]
    Table { target: String, reason: String },
}

/// The system has no thread for what uses this back end.
pub(crate) fn no_thread(target: String, error: &std::io::Error) -> AccelError {
    let hint = "the system has too many threads; close other programs".into();
    AccelError::Open { target, reason: error.to_string(), hint }
}

impl AccelError {
    /// Whether the device failed, not the request: another back end may answer the same request.
    pub fn is_lost(&self) -> bool {
        use AccelError::*;
        matches!(
            self,
            Lost { .. } | Unanswered { .. } | NoAnswer { .. } | Garbage { .. } | Malformed { .. } | Open { .. }
        )
    }

    /// The error for an answer whose status does not belong to its opcode.
    pub fn from_status(target: impl Into<String>, opcode: Opcode, code: u8) -> AccelError {
        let target = target.into();
        match (Status::from_code(code), Capability::of(opcode)) {
            (Some(Status::BadOpcode), Some(capability)) => AccelError::MissingCapability { target, capability },
            (Some(status), _) if status != Status::Ok => AccelError::Refused { target, opcode: opcode as u8, status },
            _ => AccelError::malformed(target, opcode, format!("status 0x{code:02X}")),
        }
    }

    pub(crate) fn malformed(target: impl Into<String>, opcode: Opcode, reason: impl Into<String>) -> AccelError {
        AccelError::Malformed { target: target.into(), opcode: opcode as u8, reason: reason.into() }
    }
}

/// `major.minor` of a protocol version.
fn version(word: u32) -> String {
    format!("{}.{}", word >> 16, word & 0xFFFF)
}

fn version_hint(found: u32) -> &'static str {
    if found >> 16 < PROTOCOL_VERSION >> 16 {
        "load the gateware that was released with this program"
    } else {
        "update this program, or load the gateware that was released with it"
    }
}

fn no_answer_hint(target: &str) -> &'static str {
    if target.starts_with("tcp:") {
        "check that a board is served there; one that serves another client or is stopped accepts the connection but does not reply"
    } else {
        "check that the board is powered and its gateware loaded, and that the serial line has the gateware's baud rate"
    }
}

fn refused_hint(status: Status) -> &'static str {
    match status {
        Status::BadOpcode => "the gateware may lack this function, see the register `CAPABILITIES` in `hayasashi info`",
        Status::BadCrc | Status::BadLength => {
            "check the cable, its ground and the baud rate; else load the gateware that was released with this program"
        }
        _ => "run `hayasashi selftest` on this back end",
    }
}
