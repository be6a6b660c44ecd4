//! The chip behind AXI-Stream, for designs that give it a clock and a neighbour of their own.
//!
//! ```text
//!                     +-------------+
//!   aclk, aresetn    ->             -> s_axis_tready
//!   s_axis_tvalid    ->             -> m_axis_tvalid
//!   s_axis_tdata 8   => AxiStream8  => m_axis_tdata 8     64 bits: AxiStream64
//!   s_axis_tkeep 8   => AxiStream64 => m_axis_tkeep 8     of 64 bits only
//!   s_axis_tlast     ->             -> m_axis_tlast
//!   m_axis_tready    ->             |
//!                     +-------------+
//! ```
//!
//! Handshake: AXI4-Stream. Bytes of a word go from the lowest to the highest. `s_axis_tkeep` may leave out any bytes.
//! `s_axis_tlast` is ignored: a frame ends by its END byte, wherever that is. `m_axis_tlast` goes with the END that
//! closes an answer, so that each answer is a packet, and ends a word of 64 bits wherever it is: no answer waits for
//! the next one.
//! `aresetn` (synchronous, one clock is enough; it may also be tied high) resets wrapper and chip: no answer to anything
//! from before the reset comes after it, no table is loaded, and the counters are zero. `s_axis_tready` is low until the reset
//! is over, [`super::reset_hold::HOLD_CLOCKS`] clocks later.
//! Latency: the chip's, and one clock each way (8 bits: one for answers). Throughput: one byte a clock each way.
//! Cost, beside the chip (yosys for ECP5): 52 LUTs and 34 flip-flops for 8 bits, 295 and 234 for 64 bits.
//! Model: `model` (its bytes). Absent: `tid`, `tdest`, `tuser`, `tstrb`; back-pressure for a host that overruns the
//! request buffer (the chip's answer is `BUSY`).

use super::chip::Chip;
use crate::axi::{pack::Pack, port::Port, unpack::Unpack};
use crate::config::ChipConfig;
use crate::link::skid_buffer::SkidBuffer;
use crate::ports::ByteHost;
use rust_hdl::prelude::*;

/// One byte a transfer.
#[derive(LogicBlock)]
pub struct AxiStream8 {
    /// Clock of all registers.
    pub aclk: Signal<In, Clock>,
    /// Reset, active low; taken at the clock.
    pub aresetn: Signal<In, Bit>,
    /// Bytes for the chip.
    pub s_axis_tvalid: Signal<In, Bit>,
    /// They are taken in this clock.
    pub s_axis_tready: Signal<Out, Bit>,
    /// A byte.
    pub s_axis_tdata: Signal<In, Bits<8>>,
    /// Not used: END tells the end of a frame.
    pub s_axis_tlast: Signal<In, Bit>,
    /// Bytes from the chip.
    pub m_axis_tvalid: Signal<Out, Bit>,
    /// They are taken in this clock.
    pub m_axis_tready: Signal<In, Bit>,
    /// A byte.
    pub m_axis_tdata: Signal<Out, Bits<8>>,
    /// The last byte closes a frame.
    pub m_axis_tlast: Signal<Out, Bit>,
    port: Port,
    skid: SkidBuffer,
    chip: Chip,
}

impl AxiStream8 {
    /// The chip with this port.
    pub fn new(chip: &ChipConfig) -> Self {
        AxiStream8 {
            aclk: Default::default(),
            aresetn: Default::default(),
            s_axis_tvalid: Default::default(),
            s_axis_tready: Default::default(),
            s_axis_tdata: Default::default(),
            s_axis_tlast: Default::default(),
            m_axis_tvalid: Default::default(),
            m_axis_tready: Default::default(),
            m_axis_tdata: Default::default(),
            m_axis_tlast: Default::default(),
            port: Default::default(),
            skid: Default::default(),
            chip: Chip::new(chip),
        }
    }
}

impl Logic for AxiStream8 {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, aclk, port, skid, chip);
        ByteHost::join(&mut self.port.chip, &mut self.chip.bytes);
        self.port.aresetn.next = self.aresetn.val();
        self.chip.reset.next = !self.aresetn.val();
        self.port.resetting.next = self.chip.resetting.val();
        self.port.in_valid.next = self.s_axis_tvalid.val();
        self.port.in_data.next = self.s_axis_tdata.val();
        self.s_axis_tready.next = self.port.in_ready.val();
        self.skid.clear.next = self.port.clear.val();
        self.skid.valid.next = self.port.out_valid.val();
        self.skid.data.next = self.port.out_data.val();
        self.skid.last.next = self.port.out_last.val();
        self.port.out_ready.next = self.skid.ready.val();
        self.m_axis_tvalid.next = self.skid.tvalid.val();
        self.m_axis_tdata.next = self.skid.tdata.val();
        self.m_axis_tlast.next = self.skid.tlast.val();
        self.skid.tready.next = self.m_axis_tready.val();
    }
}

/// Up to eight bytes a transfer.
#[derive(LogicBlock)]
pub struct AxiStream64 {
    /// Clock of all registers.
    pub aclk: Signal<In, Clock>,
    /// Reset, active low; taken at the clock.
    pub aresetn: Signal<In, Bit>,
    /// Bytes for the chip.
    pub s_axis_tvalid: Signal<In, Bit>,
    /// They are taken in this clock.
    pub s_axis_tready: Signal<Out, Bit>,
    /// Eight bytes, the first one lowest.
    pub s_axis_tdata: Signal<In, Bits<64>>,
    /// Which of them there are.
    pub s_axis_tkeep: Signal<In, Bits<8>>,
    /// Not used: END tells the end of a frame.
    pub s_axis_tlast: Signal<In, Bit>,
    /// Bytes from the chip.
    pub m_axis_tvalid: Signal<Out, Bit>,
    /// They are taken in this clock.
    pub m_axis_tready: Signal<In, Bit>,
    /// Eight bytes, the first one lowest.
    pub m_axis_tdata: Signal<Out, Bits<64>>,
    /// Which of them there are: ones from the lowest bit up.
    pub m_axis_tkeep: Signal<Out, Bits<8>>,
    /// The last byte closes a frame.
    pub m_axis_tlast: Signal<Out, Bit>,
    unpack: Unpack,
    port: Port,
    pack: Pack,
    chip: Chip,
}

impl AxiStream64 {
    /// The chip with this port.
    pub fn new(chip: &ChipConfig) -> Self {
        AxiStream64 {
            aclk: Default::default(),
            aresetn: Default::default(),
            s_axis_tvalid: Default::default(),
            s_axis_tready: Default::default(),
            s_axis_tdata: Default::default(),
            s_axis_tkeep: Default::default(),
            s_axis_tlast: Default::default(),
            m_axis_tvalid: Default::default(),
            m_axis_tready: Default::default(),
            m_axis_tdata: Default::default(),
            m_axis_tkeep: Default::default(),
            m_axis_tlast: Default::default(),
            unpack: Default::default(),
            port: Default::default(),
            pack: Default::default(),
            chip: Chip::new(chip),
        }
    }
}

impl Logic for AxiStream64 {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, aclk, unpack, port, pack, chip);
        ByteHost::join(&mut self.port.chip, &mut self.chip.bytes);
        self.port.aresetn.next = self.aresetn.val();
        self.chip.reset.next = !self.aresetn.val();
        self.port.resetting.next = self.chip.resetting.val();
        self.unpack.clear.next = self.port.clear.val();
        self.unpack.tvalid.next = self.s_axis_tvalid.val();
        self.unpack.tdata.next = self.s_axis_tdata.val();
        self.unpack.tkeep.next = self.s_axis_tkeep.val();
        self.s_axis_tready.next = self.unpack.tready.val();
        self.port.in_valid.next = self.unpack.valid.val();
        self.port.in_data.next = self.unpack.data.val();
        self.unpack.ready.next = self.port.in_ready.val();
        self.pack.clear.next = self.port.clear.val();
        self.pack.valid.next = self.port.out_valid.val();
        self.pack.data.next = self.port.out_data.val();
        self.pack.last.next = self.port.out_last.val();
        self.port.out_ready.next = self.pack.ready.val();
        self.m_axis_tvalid.next = self.pack.tvalid.val();
        self.m_axis_tdata.next = self.pack.tdata.val();
        self.m_axis_tkeep.next = self.pack.tkeep.val();
        self.m_axis_tlast.next = self.pack.tlast.val();
        self.pack.tready.next = self.m_axis_tready.val();
    }
}
