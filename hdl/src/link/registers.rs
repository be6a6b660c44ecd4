//! The information registers that INFO answers.
//!
//! ```text
//!                        +-----------+
//!   clock               ->           => value 64
//!   index 3             =>           |
//!   frame_taken         ->           |
//!   frame_bad           -> Registers |
//!   position_ok         ->           |
//!   table_loaded        ->           |
//!   table_version 32    =>           |
//!   table_checksum 32   =>           |
//!                        +-----------+
//! ```
//!
//! Handshake: `frame_taken`, `frame_bad` and `position_ok` are counted in each clock in which they are high.
//! Latency: `value` follows `index` combinationally. Throughput: two registers a clock. Cost: 128 flip-flops.
//! Model: `host/model/src/link/registers.rs`. Absent: registers that can be written.

use crate::config::ChipConfig;
use hayasashi_spec::{frame, registers::Register, MAGIC, PROTOCOL_VERSION};
use rust_hdl::prelude::*;

/// The information registers.
#[derive(LogicBlock)]
pub struct Registers {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// All counters become zero.
    pub reset: Signal<In, Bit>,
    /// The pair of registers to read: half the index of the first (`hayasashi_spec::registers`).
    pub index: Signal<In, Bits<3>>,
    /// Their values, the first one low.
    pub value: Signal<Out, Bits<64>>,
    /// A frame is taken in this clock.
    pub frame_taken: Signal<In, Bit>,
    /// A frame is refused in this clock.
    pub frame_bad: Signal<In, Bit>,
    /// A position is answered OK in this clock.
    pub position_ok: Signal<In, Bit>,
    /// A table is loaded.
    pub table_loaded: Signal<In, Bit>,
    /// Its version.
    pub table_version: Signal<In, Bits<32>>,
    /// Its checksum.
    pub table_checksum: Signal<In, Bits<32>>,
    frames: DFF<Bits<32>>,
    bad_frames: DFF<Bits<32>>,
    positions: DFF<Bits<32>>,
    clocks: DFF<Bits<32>>,
    first: Signal<Local, Bits<32>>,
    second: Signal<Local, Bits<32>>,
    /// Values of the constant registers: the first eight, and the last.
    fixed: [Constant<Bits<32>>; 9],
}

impl Registers {
    /// The registers of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        let value = |register: Register| -> u32 {
            match register {
                Register::Magic => MAGIC,
                Register::Protocol => PROTOCOL_VERSION,
                Register::BuildId => chip.build_id,
                Register::Board => chip.board,
                Register::ClockHz => chip.clock_hz,
                Register::Capabilities => chip.capabilities,
                Register::BufferBytes => frame::BUFFER_BYTES as u32,
                Register::MaxBatch => frame::MAX_BATCH as u32,
                Register::SearchTableBits => chip.most_table_bits() as u32,
                other => panic!("{} is not a constant register", other.name()),
            }
        };
        let fixed = [
            Register::Magic,
            Register::Protocol,
            Register::BuildId,
            Register::Board,
            Register::ClockHz,
            Register::Capabilities,
            Register::BufferBytes,
            Register::MaxBatch,
            Register::SearchTableBits,
        ];
        Registers {
            clock: Default::default(),
            reset: Default::default(),
            index: Default::default(),
            value: Default::default(),
            frame_taken: Default::default(),
            frame_bad: Default::default(),
            position_ok: Default::default(),
            table_loaded: Default::default(),
            table_version: Default::default(),
            table_checksum: Default::default(),
            frames: Default::default(),
            bad_frames: Default::default(),
            positions: Default::default(),
            clocks: Default::default(),
            first: Default::default(),
            second: Default::default(),
            fixed: fixed.map(|register| Constant::new((value(register) as u64).into())),
        }
    }
}

impl Default for Registers {
    /// Of the simulated chip.
    fn default() -> Self {
        Registers::new(&ChipConfig::default())
    }
}

// The arms below are by index.
const _: () = assert!(
    Register::MaxBatch as usize == 7
        && Register::TableLoaded as usize == 8
        && Register::TableVersion as usize == 9
        && Register::TableChecksum as usize == 10
        && Register::Frames as usize == 11
        && Register::BadFrames as usize == 12
        && Register::Positions as usize == 13
        && Register::Clocks as usize == 14
        && Register::SearchTableBits as usize == 15
);

impl Logic for Registers {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, frames, bad_frames, positions, clocks);
        self.clocks.d.next = self.clocks.q.val() + 1;
        if self.frame_taken.val() {
            self.frames.d.next = self.frames.q.val() + 1;
        }
        if self.frame_bad.val() {
            self.bad_frames.d.next = self.bad_frames.q.val() + 1;
        }
        if self.position_ok.val() {
            self.positions.d.next = self.positions.q.val() + 1;
        }
        if self.reset.val() {
            self.frames.d.next = 0.into();
            self.bad_frames.d.next = 0.into();
            self.positions.d.next = 0.into();
            self.clocks.d.next = 0.into();
        }
        match self.index.val().index() {
            0 => self.first.next = self.fixed[0].val(),
            1 => self.first.next = self.fixed[2].val(),
            2 => self.first.next = self.fixed[4].val(),
            3 => self.first.next = self.fixed[6].val(),
            4 => self.first.next = bit_cast::<32, 1>(self.table_loaded.val().into()),
            5 => self.first.next = self.table_checksum.val(),
            6 => self.first.next = self.bad_frames.q.val(),
            _ => self.first.next = self.clocks.q.val(),
        }
        match self.index.val().index() {
            0 => self.second.next = self.fixed[1].val(),
            1 => self.second.next = self.fixed[3].val(),
            2 => self.second.next = self.fixed[5].val(),
            3 => self.second.next = self.fixed[7].val(),
            4 => self.second.next = self.table_version.val(),
            5 => self.second.next = self.frames.q.val(),
            6 => self.second.next = self.positions.q.val(),
            _ => self.second.next = self.fixed[8].val(),
        }
        self.value.next = bit_cast::<64, 32>(self.first.val()) | (bit_cast::<64, 32>(self.second.val()) << 32);
    }
}

crate::inputs!(
    Registers: clock, reset, index, frame_taken, frame_bad, position_ok, table_loaded, table_version, table_checksum
);
