//! The loader: checks the file of a table or a network as it arrives, byte by byte, and writes the table's weights.
//!
//! ```text
//!              +----------+
//!   start       ->          -> write_enable, loaded, error, pair_enable
//!   valid       ->          => write_slot 7, write_address 11, write_data 9
//!   data 8      =>  Loader  => values 384          16 board values, 7 hand values, tempo
//!   clock       ->          => version 32, checksum 32, offset 32
//!   networks    ->          => pair 10             two piece codes whose value is to be computed
//!   network_bad ->          -> network_valid       the byte is one of a network, as the file `is_network`
//!              +----------+
//! ```
//!
//! Handshake: `start` begins a table, and `loaded` falls; a byte is taken in each clock with `valid`. `offset` is the
//! next byte expected. It is zero when the table is complete, and after an error, which stays until the next `start`.
//! Bytes after an error are ignored; a byte after a complete table is an error.
//! Only a chip with networks takes the file of one, of which `correction::loader` checks the bytes with `network_valid`.
//! Latency: `loaded` and `error` are final three clocks after the last byte. Throughput: one byte per clock.
//! Cost: 547 flip-flops. Absent: the weights, which `weights` keeps.
//! Model: `host/model/src/evaluate/table.rs`. Proof: `hdl/formal/loader`.

use crate::link::crc32::Crc32;
use hayasashi_spec::network::{network_bytes, CHIP_UNITS, NETWORK_FORMAT};
use hayasashi_spec::piece::CODES;
use hayasashi_spec::table::*;
use rust_hdl::prelude::*;

/// Bits of an offset within the file; an error is noticed one byte behind its end.
const OFFSET_BITS: usize = 19;
const _: () = assert!(network_bytes(CHIP_UNITS) + 1 < 1 << OFFSET_BITS);

crate::constants! {
    Values {
        magic: Bits<32> = TABLE_MAGIC;
        format: Bits<32> = TABLE_FORMAT;
        network_format: Bits<32> = NETWORK_FORMAT;
        covered_from: Bits<OFFSET_BITS> = CHECKSUM_FROM;
        /// Offsets of last bytes.
        header_end: Bits<OFFSET_BITS> = size_of::<TableHeader>() - 1;
        table_end: Bits<OFFSET_BITS> = TABLE_BYTES - 1;
        network_end: Bits<OFFSET_BITS> = network_bytes(CHIP_UNITS) - 1;
        last_row: Bits<6> = ROWS - 1;
        last_code: Bits<5> = CODES - 1;
    }
}

/// Checks a table and hands on its weights.
#[derive(LogicBlock, Default)]
pub struct Loader {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// For one clock: a table begins.
    pub start: Signal<In, Bit>,
    /// A byte of the table.
    pub valid: Signal<In, Bit>,
    /// Its value.
    pub data: Signal<In, Bits<8>>,
    /// A weight is written in this clock.
    pub write_enable: Signal<Out, Bit>,
    /// The weight's slot (square or hand).
    pub write_slot: Signal<Out, Bits<7>>,
    /// Its row and piece code: row times 32 plus code.
    pub write_address: Signal<Out, Bits<11>>,
    /// Its value, two's complement.
    pub write_data: Signal<Out, Bits<9>>,
    /// The header's 24 values of 16 bits: 16 of pieces, 7 of hand kinds, tempo.
    pub values: Signal<Out, Bits<384>>,
    /// The value of `pair` is to be computed.
    pub pair_enable: Signal<Out, Bits<1>>,
    /// Two piece codes of five bits.
    pub pair: Signal<Out, Bits<10>>,
    /// A table is complete and sound.
    pub loaded: Signal<Out, Bit>,
    /// The table was refused; high until the next `start`.
    pub error: Signal<Out, Bit>,
    /// The table's version; zero unless `loaded`.
    pub version: Signal<Out, Bits<32>>,
    /// The table's checksum; zero unless `loaded`.
    pub checksum: Signal<Out, Bits<32>>,
    /// Byte of the file that is expected next.
    pub offset: Signal<Out, Bits<32>>,
    /// The chip takes networks.
    pub networks: Signal<In, Bit>,
    /// The byte is one of a network.
    pub network_valid: Signal<Out, Bit>,
    /// It is wrong.
    pub network_bad: Signal<In, Bit>,
    /// The file is that of a network.
    pub is_network: Signal<Out, Bit>,
    crc: Crc32,
    at: DFF<Bits<OFFSET_BITS>>,
    in_body: DFF<Bit>,    // behind the header
    of_network: DFF<Bit>, // the header is that of a network
    in_network: DFF<Bit>, // behind the table, in a network
    over: DFF<Bit>,       // behind the file
    loaded_kept: DFF<Bit>,
    error_kept: DFF<Bit>,
    complete: DFF<Bit>,
    // Both checksums were compared in the clock after the last byte.
    compared: DFF<Bit>,
    equal: DFF<Bit>,
    version_kept: DFF<Bits<32>>,
    checksum_kept: DFF<Bits<32>>,
    values_kept: DFF<Bits<384>>,
    last_bytes: DFF<Bits<24>>,
    slot: DFF<Bits<7>>,
    row: DFF<Bits<6>>,
    code: DFF<Bits<5>>,
    word: Signal<Local, Bits<32>>,
    names_network: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    bad: Signal<Local, Bit>,
    next_slot: Signal<Local, Bits<7>>,
    next_row: Signal<Local, Bits<6>>,
    next_code: Signal<Local, Bits<5>>,
    next_at: Signal<Local, Bits<OFFSET_BITS>>,
    value: Values,
}

impl Logic for Loader {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, at, in_body, of_network, in_network, over, loaded_kept, error_kept, complete);
        dff_setup!(self, clock, compared, equal, version_kept, checksum_kept, values_kept, last_bytes, slot, row, code);
        self.crc.clock.next = self.clock.val();
        self.take.next = self.valid.val() & !self.error_kept.q.val();
        self.word.next = (bit_cast::<32, 8>(self.data.val()) << 24) | bit_cast::<32, 24>(self.last_bytes.q.val());
        self.names_network.next = self.networks.val() & (self.word.val() == self.value.network_format.val());
        self.crc.clear.next = self.start.val();
        self.crc.valid.next = self.take.val() & (self.at.q.val() >= self.value.covered_from.val());
        self.crc.data.next = self.data.val();
        self.next_slot.next = self.slot.q.val() + 1;
        self.next_row.next = self.row.q.val() + 1;
        self.next_code.next = self.code.q.val() + 1;
        self.next_at.next = self.at.q.val() + 1;
        self.bad.next = false;
        self.write_enable.next = false;
        self.pair_enable.next = (self.take.val() & self.in_body.q.val()).into();
        self.network_valid.next = false;
        self.complete.d.next = false;
        if self.take.val() {
            self.last_bytes.d.next = self.word.val().get_bits::<24>(8);
            self.at.d.next = self.next_at.val();
            if self.at.q.val() == self.value.header_end.val() {
                self.in_body.d.next = true;
            }
            if self.at.q.val() == self.value.table_end.val() {
                self.in_network.d.next = self.of_network.q.val();
                self.complete.d.next = !self.of_network.q.val();
                self.over.d.next = !self.of_network.q.val();
            }
            if self.at.q.val() == 3 {
                self.bad.next = self.word.val() != self.value.magic.val();
            }
            if self.at.q.val() == 7 {
                self.of_network.d.next = self.names_network.val();
                self.bad.next = (self.word.val() != self.value.format.val()) & !self.names_network.val();
            }
            if self.at.q.val() == 11 {
                self.checksum_kept.d.next = self.word.val();
            }
            if self.at.q.val() == 15 {
                self.version_kept.d.next = self.word.val();
                self.bad.next = self.word.val() == 0;
            }
            // Values arrive low byte first: each goes in at the top and moves down.
            if (self.at.q.val() >= 16) & !self.in_body.q.val() & self.at.q.val().get_bit(0) {
                self.values_kept.d.next =
                    (self.values_kept.q.val() >> 16) | (bit_cast::<384, 16>(self.word.val().get_bits::<16>(16)) << 368);
            }
            if self.in_body.q.val() & !self.in_network.q.val() & !self.over.q.val() & self.at.q.val().get_bit(0) {
                self.write_enable.next = true;
                self.code.d.next = self.next_code.val();
                if self.code.q.val() == self.value.last_code.val() {
                    self.row.d.next = self.next_row.val();
                    if self.row.q.val() == self.value.last_row.val() {
                        self.row.d.next = 0.into();
                        self.slot.d.next = self.next_slot.val();
                    }
                }
                // Within ±255: the high byte is all zeros, or all ones over a low byte that is not zero.
                self.bad.next = (self.data.val() != 0)
                    & ((self.data.val() != 255) | (self.last_bytes.q.val().get_bits::<8>(16) == 0));
            }
            if self.in_network.q.val() {
                self.network_valid.next = true;
                self.bad.next = self.network_bad.val();
                if self.at.q.val() == self.value.network_end.val() {
                    self.complete.d.next = true;
                    self.over.d.next = true;
                }
            }
            if self.over.q.val() {
                self.bad.next = true;
            }
        }
        self.compared.d.next = self.complete.q.val();
        self.equal.d.next = self.crc.checksum.val() == self.checksum_kept.q.val();
        if self.compared.q.val() & !self.error_kept.q.val() {
            if self.equal.q.val() {
                self.loaded_kept.d.next = true;
            } else {
                self.bad.next = true;
            }
        }
        if self.bad.val() {
            self.error_kept.d.next = true;
            self.loaded_kept.d.next = false;
        }
        if self.start.val() {
            self.at.d.next = 0.into();
            self.in_body.d.next = false;
            self.of_network.d.next = false;
            self.in_network.d.next = false;
            self.over.d.next = false;
            self.loaded_kept.d.next = false;
            self.error_kept.d.next = false;
            self.complete.d.next = false;
            self.compared.d.next = false;
            self.slot.d.next = 0.into();
            self.row.d.next = 0.into();
            self.code.d.next = 0.into();
        }

        self.write_slot.next = self.slot.q.val();
        self.write_address.next = (bit_cast::<11, 6>(self.row.q.val()) << 5) | bit_cast::<11, 5>(self.code.q.val());
        self.write_data.next = bit_cast::<9, 8>(self.last_bytes.q.val().get_bits::<8>(16));
        if self.data.val().get_bit(0) {
            self.write_data.next = bit_cast::<9, 8>(self.last_bytes.q.val().get_bits::<8>(16)) | 256;
        }
        // The body is longer than there are pairs: its offset runs through all of them, many times.
        self.pair.next = self.at.q.val().get_bits::<10>(0);
        self.is_network.next = self.of_network.q.val();
        self.values.next = self.values_kept.q.val();
        self.loaded.next = self.loaded_kept.q.val();
        self.error.next = self.error_kept.q.val();
        self.version.next = 0.into();
        self.checksum.next = 0.into();
        if self.loaded_kept.q.val() {
            self.version.next = self.version_kept.q.val();
            self.checksum.next = self.checksum_kept.q.val();
        }
        self.offset.next = bit_cast::<32, OFFSET_BITS>(self.at.q.val());
        if self.error_kept.q.val() | self.over.q.val() {
            self.offset.next = 0.into();
        }
    }
}

crate::inputs!(Loader: clock, start, valid, data, networks, network_bad);
