//! The chip behind AXI-Stream, for designs that give it a clock and a neighbour of their own.
//!
//! ```text
//!                     +-------------+
//!   aclk, aresetn    ->             -> s_axis_tready
//!   s_axis_tvalid    ->             -> m_axis_tvalid
//!   s_axis_tdata 8   => AxiStream8  => m_axis_tdata 8     64 bits: AxiStream64
//!   s_axis_tlast     -> AxiStream64 -> m_axis_tlast
//!   m_axis_tready    ->             |
//!   packet_words 12  =>             |    AxiStream64 only
//!                     +-------------+
//! ```
//!
//! Handshake: AXI4-Stream. `s_axis_tlast` is ignored. With 8 bits the frames are those of a byte port: a frame ends by its END
//! byte, and `m_axis_tlast` goes with the END that closes an answer. With 64 bits they are those of a word port, whole words,
//! the first byte lowest; `m_axis_tlast` goes with an answer's trailer, or ends packets of `packet_words` words ([`crate::axi::packets`]).
//! `aresetn` (synchronous, one clock is enough; it may also be tied high) resets wrapper and chip: no answer to anything
//! from before the reset comes after it, no table is loaded, and the counters are zero. `s_axis_tready` is low until the reset
//! is over, [`super::reset_hold::HOLD_CLOCKS`] clocks later.
//! Latency: the chip's, and one clock for answers. Throughput: one byte, or one word, a clock each way.
//! Cost, beside the chip (yosys for ECP5): 52 LUTs and 34 flip-flops for 8 bits, 197 and 150 for 64 bits.
//! Model: `model` (its bytes and words). Absent: `tid`, `tdest`, `tuser`, `tstrb`, `tkeep`; with 8 bits, back-pressure for a host that
//! overruns the request buffer (the chip's answer is `BUSY`).

use super::{chip::Chip, word_chip::WordChip};
use crate::axi::{packets::Packets, port::Port};
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
    skid: SkidBuffer<8>,
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

/// One word of eight bytes a transfer.
#[derive(LogicBlock)]
pub struct AxiStream64 {
    /// Clock of all registers.
    pub aclk: Signal<In, Clock>,
    /// Reset, active low; taken at the clock.
    pub aresetn: Signal<In, Bit>,
    /// Words of a packet; 0: each answer is one. Constant.
    pub packet_words: Signal<In, Bits<12>>,
    /// A word for the chip.
    pub s_axis_tvalid: Signal<In, Bit>,
    /// It is taken in this clock.
    pub s_axis_tready: Signal<Out, Bit>,
    /// Eight bytes, the first one lowest.
    pub s_axis_tdata: Signal<In, Bits<64>>,
    /// Not used: a frame tells its length.
    pub s_axis_tlast: Signal<In, Bit>,
    /// A word from the chip.
    pub m_axis_tvalid: Signal<Out, Bit>,
    /// It is taken in this clock.
    pub m_axis_tready: Signal<In, Bit>,
    /// Eight bytes, the first one lowest.
    pub m_axis_tdata: Signal<Out, Bits<64>>,
    /// It is the last one of a packet.
    pub m_axis_tlast: Signal<Out, Bit>,
    packets: Packets,
    chip: WordChip,
    /// Nothing passes: a reset goes on.
    silent: Signal<Local, Bit>,
}

impl AxiStream64 {
    /// The chip with this port.
    pub fn new(chip: &ChipConfig) -> Self {
        AxiStream64 {
            aclk: Default::default(),
            aresetn: Default::default(),
            packet_words: Default::default(),
            s_axis_tvalid: Default::default(),
            s_axis_tready: Default::default(),
            s_axis_tdata: Default::default(),
            s_axis_tlast: Default::default(),
            m_axis_tvalid: Default::default(),
            m_axis_tready: Default::default(),
            m_axis_tdata: Default::default(),
            m_axis_tlast: Default::default(),
            packets: Default::default(),
            chip: WordChip::new(chip),
            silent: Default::default(),
        }
    }
}

impl Logic for AxiStream64 {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, aclk, packets, chip);
        self.chip.reset.next = !self.aresetn.val();
        self.silent.next = !self.aresetn.val() | self.chip.resetting.val();
        self.chip.words.rx_valid.next = self.s_axis_tvalid.val() & !self.silent.val();
        self.chip.words.rx_data.next = self.s_axis_tdata.val();
        self.s_axis_tready.next = self.chip.words.rx_ready.val() & !self.silent.val();
        self.packets.clear.next = self.silent.val();
        self.packets.packet_words.next = self.packet_words.val();
        self.packets.valid.next = self.chip.words.tx_valid.val();
        self.packets.data.next = self.chip.words.tx_data.val();
        self.packets.last.next = self.chip.words.tx_last.val();
        self.chip.words.tx_ready.next = self.packets.ready.val();
        self.m_axis_tvalid.next = self.packets.tvalid.val();
        self.m_axis_tdata.next = self.packets.tdata.val();
        self.m_axis_tlast.next = self.packets.tlast.val();
        self.packets.tready.next = self.m_axis_tready.val();
    }
}
