//! Counts what the requests that wait take up of the request buffer, and the CANCELs among them.
//!
//! ```text
//!                    +-------------+
//!   clock           ->             -> no_room_for_byte     of the present frame
//!   frame_bytes 12  =>             -> no_room_for_frame
//!   add             -> BufferUsage -> cancelled            a CANCEL is among the requests
//!   add_opcode 8    =>             |
//!   add_length 12   =>             |
//!   retire          ->             |
//!   head 29         =>             |                       of the request that `retire` ends
//!   length 12       =>             |
//!                    +-------------+
//! ```
//!
//! Handshake: `add` and `retire` are pulses. A request that was refused (`head.frame_status`) takes up nothing.
//! Latency: `no_room_…` belong to `frame_bytes` of the clock before; a request counts two clocks after `add`, and until
//! two clocks after `retire`. Cost: 66 flip-flops. Model: `model/link`. Absent: a guard: the receiver adds only what fits.
//! Throughput: one `add` and one `retire` a clock.

use super::request_head::RequestHead;
use hayasashi_spec::{frame::*, opcode::Opcode};
use rust_hdl::prelude::*;

crate::constants! {
    Values {
        /// Most bytes in use, header of the frame included, with which another byte has room.
        byte_limit: Bits<14> = BUFFER_BYTES + HEADER_BYTES;
        /// The same for the end of a frame, its checksum included.
        frame_limit: Bits<14> = BUFFER_BYTES + HEADER_BYTES + CRC_BYTES - ENTRY_BYTES;
        /// What a request takes up besides its payload.
        entry_bytes: Bits<14> = ENTRY_BYTES;
        cancel: Bits<8> = Opcode::Cancel;
    }
}

/// Counts the room that requests take up.
#[derive(LogicBlock, Default)]
pub struct BufferUsage {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all requests.
    pub reset: Signal<In, Bit>,
    /// Bytes of the present frame so far, header and checksum included.
    pub frame_bytes: Signal<In, Bits<12>>,
    /// For one clock: a request is kept.
    pub add: Signal<In, Bit>,
    /// Its opcode.
    pub add_opcode: Signal<In, Bits<8>>,
    /// Bytes of its payload.
    pub add_length: Signal<In, Bits<12>>,
    /// For one clock: the oldest request ends.
    pub retire: Signal<In, Bit>,
    /// Its fields.
    pub head: Signal<In, RequestHead>,
    /// Bytes of its payload.
    pub length: Signal<In, Bits<12>>,
    /// Another byte of the frame does not fit.
    pub no_room_for_byte: Signal<Out, Bit>,
    /// The frame as it is does not fit.
    pub no_room_for_frame: Signal<Out, Bit>,
    /// A CANCEL is among the requests.
    pub cancelled: Signal<Out, Bit>,
    /// Bytes in use, entries included.
    used: DFF<Bits<14>>,
    /// `used` and `frame_bytes` together, one clock ago.
    filled: DFF<Bits<14>>,
    /// What the request that was added in the last clock takes up; the one that was retired.
    added: DFF<Bits<14>>,
    freed: DFF<Bits<14>>,
    /// CANCELs that wait.
    cancels: DFF<Bits<10>>,
    cancels_added: Signal<Local, Bits<10>>,
    cancels_retired: Signal<Local, Bits<10>>,
    value: Values,
}

impl Logic for BufferUsage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, used, filled, added, freed, cancels);
        self.filled.d.next = self.used.q.val() + bit_cast::<14, 12>(self.frame_bytes.val());
        self.no_room_for_byte.next = self.filled.q.val() >= self.value.byte_limit.val();
        self.no_room_for_frame.next = self.filled.q.val() > self.value.frame_limit.val();
        self.added.d.next = 0.into();
        self.cancels_added.next = 0.into();
        if self.add.val() {
            self.added.d.next = bit_cast::<14, 12>(self.add_length.val()) + self.value.entry_bytes.val();
            if self.add_opcode.val() == self.value.cancel.val() {
                self.cancels_added.next = 1.into();
            }
        }
        self.freed.d.next = 0.into();
        self.cancels_retired.next = 0.into();
        if self.retire.val() & !self.head.val().frame_status.any() {
            self.freed.d.next = bit_cast::<14, 12>(self.length.val()) + self.value.entry_bytes.val();
            if self.head.val().opcode == self.value.cancel.val() {
                self.cancels_retired.next = 1.into();
            }
        }
        self.used.d.next = self.used.q.val() + self.added.q.val() - self.freed.q.val();
        self.cancels.d.next = self.cancels.q.val() + self.cancels_added.val() - self.cancels_retired.val();
        self.cancelled.next = self.cancels.q.val().any();
        if self.reset.val() {
            self.used.d.next = 0.into();
            self.added.d.next = 0.into();
            self.freed.d.next = 0.into();
            self.cancels.d.next = 0.into();
        }
    }
}
