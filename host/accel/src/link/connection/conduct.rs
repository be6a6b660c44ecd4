//! What the chip has sent since its last answer that brought the work forward, for error messages.

use std::fmt;

/// A frame or bytes that bring no request forward.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Idle {
    /// A frame with a wrong checksum, length or escape.
    Damaged,
    /// `BAD_CRC`, or `BAD_LENGTH` for a request of the right length: the request arrived damaged.
    RequestDamaged,
    /// An answer whose sequence number belongs to no request.
    UnknownSequence,
    /// An answer with the opcode of another request.
    WrongOpcode,
    /// An answer to a position that has one.
    Repeated,
    /// An index beyond the batch.
    WrongIndex,
    /// `BUSY`.
    Busy,
    /// `PROGRESS` with counts that have not grown, or of the wrong length.
    NoProgress,
    /// `PROGRESS` or `CANCELLED` where the request or the absence of a `CANCEL` does not allow it.
    WrongStatus,
}

/// All kinds, with their words.
const KINDS: [(Idle, &str); 9] = [
    (Idle::Damaged, "damaged frames"),
    (Idle::RequestDamaged, "reports of damaged requests"),
    (Idle::UnknownSequence, "answers with unknown sequence numbers"),
    (Idle::WrongOpcode, "answers with a wrong opcode"),
    (Idle::Repeated, "repeated answers"),
    (Idle::WrongIndex, "answers with an index beyond the batch"),
    (Idle::Busy, "`BUSY` answers"),
    (Idle::NoProgress, "reports of progress without progress"),
    (Idle::WrongStatus, "`PROGRESS` or `CANCELLED` answers to requests that do not allow them"),
];

/// Counters since the last progress.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Conduct {
    counts: [u64; KINDS.len()],
    /// Bytes received.
    pub(super) bytes: u64,
}

impl Conduct {
    pub(super) fn note(&mut self, idle: Idle) {
        self.counts[idle as usize] += 1;
    }
}

/// What came, in words: `31 repeated answers, 2 damaged frames`.
impl fmt::Display for Conduct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = KINDS.iter().filter(|(idle, _)| self.counts[*idle as usize] > 0);
        let parts: Vec<String> = parts.map(|(idle, text)| format!("{} {text}", self.counts[*idle as usize])).collect();
        match (&parts[..], self.bytes) {
            ([], 0) => f.write_str("nothing"),
            ([], bytes) => write!(f, "{bytes} bytes without a frame"),
            (parts, _) => f.write_str(&parts.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_in_the_order_of_the_enum_and_have_words() {
        for (index, (idle, _)) in KINDS.iter().enumerate() {
            assert_eq!(*idle as usize, index);
        }
        let mut conduct = Conduct::default();
        assert_eq!(conduct.to_string(), "nothing");
        conduct.bytes = 7;
        assert_eq!(conduct.to_string(), "7 bytes without a frame");
        conduct.note(Idle::Busy);
        conduct.note(Idle::Damaged);
        assert_eq!(conduct.to_string(), "1 damaged frames, 1 `BUSY` answers");
    }
}
