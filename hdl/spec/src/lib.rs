//! The contract between gateware and host.
//!
//! Everything that crosses the link is defined here once: squares and piece codes ([`piece`]), the 64-byte
//! position image ([`position`]), 16-bit moves and their canonical order ([`moves`]), opcodes and status codes
//! ([`opcode`]), the walk over a tree ([`perft`]), the search ([`search`], [`search_table`], [`search_keys`]), information
//! registers ([`registers`]), the frame format ([`frame`]), frames on a port of 64 bits ([`word_frame`]), evaluation
//! tables ([`table`]) and networks ([`network`]). The gateware takes its constants from here, the host its accessors, and the
//! tables of `PROTOCOL.md` are generated from here ([`doc`]).
//!
//! Everything is seen from the **mover's view**: the side to move plays up the board (towards rank a). For White
//! the host turns the board by 180° and swaps the colours.

pub mod doc;
pub mod frame;
pub mod moves;
pub mod network;
pub mod opcode;
pub mod perft;
pub mod piece;
pub mod position;
pub mod registers;
pub mod search;
pub mod search_keys;
pub mod search_table;
pub mod table;
pub mod word_frame;

/// Version of this contract: `major << 16 | minor`. Chips and hosts of different major versions are incompatible.
pub const PROTOCOL_VERSION: u32 = 0x0001_0001;

/// First information register of every chip: the bytes `HYSH` read as a little-endian word.
pub const MAGIC: u32 = u32::from_le_bytes(*b"HYSH");
