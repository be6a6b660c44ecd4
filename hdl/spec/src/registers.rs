//! Information registers: the answer to `INFO`, 32 bits each, in this order.

macro_rules! registers {
    ($($(#[doc = $text:literal])+ $variant:ident, $field:ident, $wire:literal;)+) => {
        /// An information register; its value is its index in the answer to `INFO`.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(usize)]
        pub enum Register { $($(#[doc = $text])+ $variant,)+ }

        impl Register {
            /// Every register in order.
            pub const ALL: &'static [Register] = &[$(Register::$variant),+];

            /// The name used in documents.
            pub const fn name(self) -> &'static str { match self { $(Register::$variant => $wire,)+ } }

            /// One sentence for the documents.
            pub const fn text(self) -> &'static str { match self { $(Register::$variant => concat!($($text),+),)+ } }
        }

        /// The information registers by name.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct Info { $($(#[doc = $text])+ pub $field: u32,)+ }
    };
}

registers! {
    /// The bytes `HYSH`.
    Magic, magic, "MAGIC";
    /// Protocol version, `major << 16 | minor`.
    Protocol, protocol, "PROTOCOL";
    /// First 32 bits of a hash of the gateware's sources; 0 for a software model.
    BuildId, build_id, "BUILD_ID";
    /// Board: 0 software model, 1 simulation, 2 and above as in `constraints/`, 0xFFFFFFFF a design of a third party.
    Board, board, "BOARD";
    /// Clock of the chip in hertz; 0 where there is none, or it is unknown.
    ClockHz, clock_hz, "CLOCK_HZ";
    /// `CAP_…` bits.
    Capabilities, capabilities, "CAPABILITIES";
    /// Bytes of the request buffer.
    BufferBytes, buffer_bytes, "BUFFER_BYTES";
    /// Positions in the largest batch.
    MaxBatch, max_batch, "MAX_BATCH";
    /// 1 if an evaluation table is loaded, else 0.
    TableLoaded, table_loaded, "TABLE_LOADED";
    /// Version of the loaded table; 0 where none is.
    TableVersion, table_version, "TABLE_VERSION";
    /// Checksum of the loaded table; 0 where none is.
    TableChecksum, table_checksum, "TABLE_CHECKSUM";
    /// Frames taken into the request buffer since reset, whatever their opcode, this request included.
    Frames, frames, "FRAMES";
    /// Frames not taken since reset: too short, too long, damaged, a wrong length field, or no room.
    BadFrames, bad_frames, "BAD_FRAMES";
    /// Positions answered `OK` since reset.
    Positions, positions, "POSITIONS";
    /// Clocks since reset, modulo 2^32; 0 for a software model.
    Clocks, clocks, "CLOCKS";
    /// Most entries of a search's table, as a power of two; 0 for a chip without `SEARCH`.
    SearchTableBits, search_table_bits, "SEARCH_TABLE_BITS";
}

/// Number of information registers.
pub const REGISTERS: usize = Register::ALL.len();

/// Capability: `GENERATE`, which a chip without it answers `BAD_OPCODE`, once for a batch. A chip without it only counts moves, or it
/// [only searches](only_searches).
pub const CAP_MOVEGEN: u32 = 1 << 0;
/// Capability: `EVALUATE`, `EXPAND` and `LOAD_TABLE`, which a chip without it answers `BAD_OPCODE`, once for a batch.
pub const CAP_EVALUATE: u32 = 1 << 1;
/// Capability: `PERFT`, which a chip without it answers `BAD_OPCODE`.
pub const CAP_PERFT: u32 = 1 << 2;
/// Capability: `SEARCH`, which a chip without it answers `BAD_OPCODE`. Such a chip has `CAP_EVALUATE` too.
pub const CAP_SEARCH: u32 = 1 << 3;
/// Capability: `LOAD_TABLE` takes a network too, which corrects the evaluation of searches ([`crate::network`]). Such a chip has
/// `CAP_SEARCH` too. A chip without it answers `TABLE_CONTENT` to a network.
pub const CAP_NETWORK: u32 = 1 << 4;

/// Whether a chip with these `CAP_…` bits only searches: it has `SEARCH` and no unit that counts or generates moves. It refuses
/// `COUNT`, `EVALUATE` and `EXPAND` too.
pub const fn only_searches(capabilities: u32) -> bool {
    capabilities & CAP_SEARCH != 0 && capabilities & CAP_MOVEGEN == 0
}

/// Board number of a software model.
pub const BOARD_MODEL: u32 = 0;
/// Board number of a simulation.
pub const BOARD_SIMULATION: u32 = 1;
/// Board number of the chip in a design of a third party.
pub const BOARD_OTHER: u32 = u32::MAX;
