//! Removes the SLIP stuffing from a byte stream and finds the ends of frames.
//!
//! ```text
//!                 +-------------+
//!   clock        ->             -> valid       a byte of the frame
//!   raw_valid    -> SlipDecoder => data 8
//!   raw_data 8   =>             -> frame_end   the frame is over
//!                |              -> broken      with `frame_end`: an ESC pair of it was wrong
//!                |              -> present     with `frame_end`: there was a byte in it
//!                 +-------------+
//! ```
//!
//! Handshake: `raw_valid` may be high in every clock; there is no back-pressure. An ESC followed by neither ESC_END nor
//! ESC_ESC gives no byte; an ESC before END is wrong too.
//! Latency: zero clocks (combinational). Throughput: one byte a clock. Cost: 3 flip-flops.
//! Model: `host/model/src/link/slip_decoder.rs`. Proof: `hdl/formal/slip`.
//! Absent: length limits, checksums (see `receiver`).

use hayasashi_spec::frame;
use rust_hdl::prelude::*;

/// Removes SLIP stuffing.
#[derive(LogicBlock)]
pub struct SlipDecoder {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// A byte from the line.
    pub raw_valid: Signal<In, Bit>,
    /// Its value.
    pub raw_data: Signal<In, Bits<8>>,
    /// A byte of the frame.
    pub valid: Signal<Out, Bit>,
    /// Its value.
    pub data: Signal<Out, Bits<8>>,
    /// The frame is over: the byte was END.
    pub frame_end: Signal<Out, Bit>,
    /// With `frame_end`: an ESC pair of the frame was wrong.
    pub broken: Signal<Out, Bit>,
    /// With `frame_end`: there was a byte in the frame.
    pub present: Signal<Out, Bit>,
    escaped: DFF<Bit>,
    wrong: DFF<Bit>,
    started: DFF<Bit>,
    byte_end: Constant<Bits<8>>,
    byte_esc: Constant<Bits<8>>,
    byte_esc_end: Constant<Bits<8>>,
    byte_esc_esc: Constant<Bits<8>>,
}

impl Default for SlipDecoder {
    fn default() -> Self {
        SlipDecoder {
            clock: Default::default(),
            raw_valid: Default::default(),
            raw_data: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            frame_end: Default::default(),
            broken: Default::default(),
            present: Default::default(),
            escaped: Default::default(),
            wrong: Default::default(),
            started: Default::default(),
            byte_end: Constant::new((frame::END as u64).into()),
            byte_esc: Constant::new((frame::ESC as u64).into()),
            byte_esc_end: Constant::new((frame::ESC_END as u64).into()),
            byte_esc_esc: Constant::new((frame::ESC_ESC as u64).into()),
        }
    }
}

impl Logic for SlipDecoder {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, escaped, wrong, started);
        self.valid.next = false;
        self.data.next = self.raw_data.val();
        self.frame_end.next = false;
        self.broken.next = self.wrong.q.val() | self.escaped.q.val();
        self.present.next = self.started.q.val();
        if self.raw_valid.val() {
            self.started.d.next = true;
            self.escaped.d.next = false;
            if self.raw_data.val() == self.byte_end.val() {
                self.frame_end.next = true;
                self.started.d.next = false;
                self.wrong.d.next = false;
            } else if self.escaped.q.val() {
                if self.raw_data.val() == self.byte_esc_end.val() {
                    self.valid.next = true;
                    self.data.next = self.byte_end.val();
                } else if self.raw_data.val() == self.byte_esc_esc.val() {
                    self.valid.next = true;
                    self.data.next = self.byte_esc.val();
                } else {
                    self.wrong.d.next = true;
                }
            } else if self.raw_data.val() == self.byte_esc.val() {
                self.escaped.d.next = true;
            } else {
                self.valid.next = true;
            }
        }
    }
}
