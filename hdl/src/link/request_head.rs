//! What the link knows of a request beside its payload.
//!
//! A layout, no block.

#![allow(missing_docs, reason = "the methods that `LogicStruct` makes have none")]

use rust_hdl::prelude::*;

/// Header fields of a request, and what the receiver found.
#[derive(LogicStruct, Copy, Clone, Debug, Default, PartialEq)]
pub struct RequestHead {
    /// The header's opcode byte.
    pub opcode: Bits<8>,
    /// The header's sequence number.
    pub sequence: Bits<16>,
    /// A `hayasashi_spec::opcode::Status`: `Ok`, or why the frame is refused.
    pub frame_status: Bits<4>,
    /// The payload is as many positions as the header says, and at least one.
    pub is_batch: Bit,
}
