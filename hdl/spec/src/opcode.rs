//! Opcodes of requests, statuses of answers, and the rules of payload lengths.

use crate::{
    perft::PERFT_BYTES,
    position::IMAGE_BYTES,
    registers::{only_searches, CAP_EVALUATE, CAP_MOVEGEN, CAP_PERFT, CAP_SEARCH},
    search::{MAX_PATH, PATH_WORD_BYTES, SEARCH_BYTES},
    table::OFFSET_BYTES,
};

macro_rules! codes {
    ($(#[$meta:meta])* $name:ident { $($(#[doc = $text:literal])+ $variant:ident = $value:literal, $wire:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[doc = $text])+ $variant = $value,)+ }

        impl $name {
            /// Every value, in the order of its code.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The value of a code, if there is one.
            pub const fn from_code(code: u8) -> Option<$name> {
                match code { $($value => Some($name::$variant),)+ _ => None }
            }

            /// The name used in documents and messages.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $wire,)+ }
            }

            /// One sentence for the documents.
            pub const fn text(self) -> &'static str {
                match self { $($name::$variant => concat!($($text),+),)+ }
            }
        }
    };
}

codes! {
    /// Request codes. Each position of a batch is answered by a frame of its own.
    Opcode {
        /// Answers the information registers, 32 bits each, little-endian. No payload.
        Info = 0x01, "INFO";
        /// Answers the payload.
        Echo = 0x02, "ECHO";
        /// Writes a part of an evaluation table: a 32-bit byte offset into the table file, then bytes. Offset 0 starts over; parts must follow each other. Answers the next offset expected (32 bits).
        LoadTable = 0x03, "LOAD_TABLE";
        /// Ends every earlier `PERFT` and `SEARCH` that is not answered yet; it is answered `CANCELLED`. No payload. The `CANCEL` itself is answered in its turn.
        Cancel = 0x04, "CANCEL";
        /// Answers the result header of each position and its legal moves as move records in canonical order.
        Generate = 0x10, "GENERATE";
        /// Answers the result header of each position.
        Count = 0x11, "COUNT";
        /// Answers the static evaluation of each position: a signed 16-bit score in centipawns for the mover, then 16 bits of zero.
        Evaluate = 0x12, "EVALUATE";
        /// Walks the tree of legal moves below a position: answers the number of leaves, of expansions, and of clocks (`src/perft.rs`). Until then it reports its progress at intervals (`PROGRESS`).
        Perft = 0x13, "PERFT";
        /// Answers the result header of each position, its legal moves as move records in canonical order, and then the static evaluation of the position after each of them: a signed 16-bit score in centipawns for the side then to move. The records also tell which moves mate.
        Expand = 0x14, "EXPAND";
        /// Searches a position by iterative deepening: answers score, line, completed depth, nodes and steps (`src/search.rs`). Until then it reports its progress at intervals (`PROGRESS`).
        Search = 0x15, "SEARCH";
    }
}

codes! {
    /// Result code of a request, or of one position of a batch. Only `OK` has a result.
    Status {
        /// The payload is the answer.
        Ok = 0x00, "OK";
        /// The checksum of the request frame is wrong; opcode and sequence number are as received and may be wrong too.
        BadCrc = 0x01, "BAD_CRC";
        /// The request frame is shorter than a header and a checksum, longer than the buffer, or its length field, batch count and payload disagree.
        BadLength = 0x02, "BAD_LENGTH";
        /// No such opcode on this chip.
        BadOpcode = 0x03, "BAD_OPCODE";
        /// The request buffer is full; the request was not read. Send it again after the next answers.
        Busy = 0x04, "BUSY";
        /// The position cannot occur; the payload is one 32-bit word of fault bits.
        Position = 0x05, "POSITION";
        /// No evaluation table is loaded.
        NoTable = 0x06, "NO_TABLE";
        /// A part of a table that does not follow the one before; the payload is the offset expected (32 bits).
        TableSequence = 0x07, "TABLE_SEQUENCE";
        /// The table's header, a weight or its checksum is wrong; no table is loaded now.
        TableContent = 0x08, "TABLE_CONTENT";
        /// The request is in progress: the payload is that of an `OK` answer, so far. Another answer follows.
        Progress = 0x09, "PROGRESS";
        /// A `CANCEL` ended the request early: the payload is that of an `OK` answer, so far.
        Cancelled = 0x0A, "CANCELLED";
        /// A number in the request is out of range.
        Range = 0x0B, "RANGE";
    }
}

impl Opcode {
    /// Whether the request takes long: it may report `PROGRESS`, and `CANCEL` ends it.
    pub const fn is_long(self) -> bool {
        matches!(self, Opcode::Perft | Opcode::Search)
    }

    /// Whether the request has a batch of positions, each answered by a frame of its own.
    pub const fn is_batch(self) -> bool {
        matches!(self, Opcode::Generate | Opcode::Count | Opcode::Evaluate | Opcode::Expand)
    }

    /// The `CAP_…` bits that a chip with these ones lacks for this opcode; 0 where it has the opcode.
    pub const fn lacks(self, capabilities: u32) -> u32 {
        // Without a unit that looks at positions one by one, a chip cannot count their moves or score them.
        let unit = if only_searches(capabilities) { CAP_MOVEGEN } else { 0 };
        let needed = match self {
            Opcode::Generate => CAP_MOVEGEN,
            Opcode::Count => unit,
            Opcode::Evaluate | Opcode::Expand => unit | CAP_EVALUATE,
            Opcode::LoadTable => CAP_EVALUATE,
            Opcode::Perft => unit | CAP_PERFT,
            Opcode::Search => CAP_SEARCH,
            Opcode::Info | Opcode::Echo | Opcode::Cancel => 0,
        };
        needed & !capabilities
    }

    /// Whether the chip needs an evaluation table for it; without one it answers [`Status::NoTable`].
    pub const fn needs_table(self) -> bool {
        matches!(self, Opcode::Evaluate | Opcode::Expand | Opcode::Search)
    }

    /// Whether a request may have this payload length (bytes), given the count in its header; if not, the chip answers
    /// [`Status::BadLength`].
    pub const fn accepts(self, count: u16, bytes: usize) -> bool {
        match self {
            Opcode::Info | Opcode::Cancel => bytes == 0,
            Opcode::Echo => true,
            Opcode::LoadTable => bytes >= OFFSET_BYTES,
            Opcode::Generate | Opcode::Count | Opcode::Evaluate | Opcode::Expand => {
                count > 0 && bytes == IMAGE_BYTES * count as usize
            }
            Opcode::Perft => bytes == PERFT_BYTES,
            Opcode::Search => {
                bytes >= SEARCH_BYTES
                    && (bytes - SEARCH_BYTES).is_multiple_of(PATH_WORD_BYTES)
                    && bytes <= SEARCH_BYTES + PATH_WORD_BYTES * MAX_PATH
            }
        }
    }
}

/// Set in the opcode byte of an answer.
pub const ANSWER: u8 = 0x80;

/// Bytes of the result header that `GENERATE`, `EXPAND` and `COUNT` answer for a position: the number of legal moves (16 bits),
/// then `RESULT_…` bits (16 bits).
pub const RESULT_BYTES: usize = 4;
/// Result bit: the mover is in check.
pub const RESULT_CHECK: u16 = 1 << 0;
/// Result bit: the pawn drop in front of the enemy king is excluded only because it would be mate.
pub const RESULT_UCHIFUZUME: u16 = 1 << 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payload_lengths_are_checked_by_opcode() {
        for (opcode, count, bytes, accepted) in [
            (Opcode::Info, 0, 0, true),
            (Opcode::Info, 0, 1, false),
            (Opcode::Cancel, 7, 0, true),
            (Opcode::Echo, 0, 0, true),
            (Opcode::Echo, 0, 2048, true),
            (Opcode::LoadTable, 0, 3, false),
            (Opcode::LoadTable, 0, 4, true),
            (Opcode::Count, 0, 0, false),
            (Opcode::Generate, 2, 128, true),
            (Opcode::Evaluate, 2, 64, false),
            (Opcode::Perft, 0, 68, true),
            (Opcode::Perft, 0, 64, false),
            (Opcode::Search, 0, 88, false),
            (Opcode::Search, 0, 96, true),
            (Opcode::Search, 0, 100, false),
            (Opcode::Search, 7, 104, true),
            (Opcode::Search, 0, 96 + 8 * 240, true),
            (Opcode::Search, 0, 96 + 8 * 241, false),
        ] {
            assert_eq!(opcode.accepts(count, bytes), accepted, "{} {count} {bytes}", opcode.name());
        }
    }
}
