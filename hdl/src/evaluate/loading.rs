//! Loads a table or a network: from bytes to writes, which reach memories all over the device.
//!
//! ```text
//!                 +-----------+
//!   clock        ->           => address 12     enable, code, row: the address of a weight, by way of `kings` and `views`
//!   start        ->           -> weight_enable
//!   valid        ->           => weight_slot 7, weight_data 9
//!   data 8       =>  Loading  => pair_write_enable 1, pair_address 10, pair_data 18
//!                 |           => values 384     see `material::HeaderValues`
//!                 |           => version 32, checksum 32, offset 32
//!                 |           -> loaded, error, is_network
//!                 |           =>                network: `NetworkSource`
//!                 +-----------+
//! ```
//!
//! Handshake: that of [`super::loader`], one clock later (`offset` two).
//! Latency: five clocks from a byte to the last write; a weight is written two clocks behind its address. Throughput: one byte a clock.
//! Cost: see `constraints/AREA.md`. Absent: the memories.
//! Model: `host/model/src/evaluate/loader.rs`.

use super::correction::loader::{NetworkLoader, NetworkSource};
use super::loader::Loader;
use super::material::{Value, Worth};
use crate::lazy::Lazy;
use crate::optional::Optional;
use rust_hdl::prelude::*;

/// Loads tables and networks.
#[derive(LogicBlock)]
pub struct Loading {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// For one clock: a file begins.
    pub start: Signal<In, Bit>,
    /// A byte of the file.
    pub valid: Signal<In, Bit>,
    /// Its value.
    pub data: Signal<In, Bits<8>>,
    /// The address of a weight of the table.
    pub address: Signal<Out, Bits<12>>,
    /// The weight is written.
    pub weight_enable: Signal<Out, Bit>,
    /// Its slot.
    pub weight_slot: Signal<Out, Bits<7>>,
    /// Its value.
    pub weight_data: Signal<Out, Bits<9>>,
    /// The value of a pair of pieces is written.
    pub pair_enable: Signal<Out, Bits<1>>,
    /// The pair.
    pub pair_address: Signal<Out, Bits<10>>,
    /// Its value.
    pub pair_data: Signal<Out, Bits<18>>,
    /// The values in the header.
    pub values: Signal<Out, Bits<384>>,
    /// Weights of a network.
    pub network: NetworkSource,
    /// The file is loaded.
    pub loaded: Signal<Out, Bit>,
    /// It is that of a network.
    pub is_network: Signal<Out, Bit>,
    /// Its version; zero without one.
    pub version: Signal<Out, Bits<32>>,
    /// Its checksum; zero without one.
    pub checksum: Signal<Out, Bits<32>>,
    /// Byte of the file that is expected next.
    pub offset: Signal<Out, Bits<32>>,
    /// The file was refused.
    pub error: Signal<Out, Bit>,
    loader: Lazy<Loader>,
    network_loader: Optional<Lazy<NetworkLoader>>,
    worth: Worth,
    value: Value,
    takes_networks: Constant<Bit>,
    // A byte on its way to the loader.
    starting: DFF<Bit>,
    loading: DFF<Bit>,
    loading_byte: DFF<Bits<8>>,
    // A write on its way from the loader: its address goes through kings and views.
    write: DFF<Bits<12>>,
    write_enable: DFF<Bit>,
    write_slot: DFF<Bits<7>>,
    write_data: DFF<Bits<9>>,
    writing: DFF<Bit>,
    writing_slot: DFF<Bits<7>>,
    writing_data: DFF<Bits<9>>,
    written: DFF<Bit>,
    written_slot: DFF<Bits<7>>,
    written_data: DFF<Bits<9>>,
    // The offset expected, a clock late, since it is compared with at the other end.
    offset_late: DFF<Bits<32>>,
}

impl Loading {
    /// Of a chip that takes networks, or tables only.
    pub fn new(networks: bool) -> Self {
        Loading {
            clock: Default::default(),
            start: Default::default(),
            valid: Default::default(),
            data: Default::default(),
            address: Default::default(),
            weight_enable: Default::default(),
            weight_slot: Default::default(),
            weight_data: Default::default(),
            pair_enable: Default::default(),
            pair_address: Default::default(),
            pair_data: Default::default(),
            values: Default::default(),
            network: Default::default(),
            loaded: Default::default(),
            is_network: Default::default(),
            version: Default::default(),
            checksum: Default::default(),
            offset: Default::default(),
            error: Default::default(),
            loader: Default::default(),
            network_loader: Optional::new(Default::default(), networks),
            worth: Default::default(),
            value: Default::default(),
            takes_networks: Constant::new(networks),
            starting: Default::default(),
            loading: Default::default(),
            loading_byte: Default::default(),
            write: Default::default(),
            write_enable: Default::default(),
            write_slot: Default::default(),
            write_data: Default::default(),
            writing: Default::default(),
            writing_slot: Default::default(),
            writing_data: Default::default(),
            written: Default::default(),
            written_slot: Default::default(),
            written_data: Default::default(),
            offset_late: Default::default(),
        }
    }
}

impl Default for Loading {
    /// Takes networks.
    fn default() -> Self {
        Loading::new(true)
    }
}

impl Logic for Loading {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, loader, network_loader, worth, value);
        dff_setup!(self, clock, starting, loading, loading_byte, write, write_enable, write_slot, write_data, writing);
        dff_setup!(self, clock, writing_slot, writing_data, written, written_slot, written_data, offset_late);
        NetworkSource::link(&mut self.network, &mut self.network_loader.weights);
        self.starting.d.next = self.start.val();
        self.loading.d.next = self.valid.val();
        self.loading_byte.d.next = self.data.val();
        self.loader.start.next = self.starting.q.val();
        self.loader.valid.next = self.loading.q.val();
        self.loader.data.next = self.loading_byte.q.val();
        self.loader.networks.next = self.takes_networks.val();
        self.loader.network_bad.next = self.network_loader.bad.val();
        self.network_loader.start.next = self.starting.q.val();
        self.network_loader.valid.next = self.loader.network_valid.val();
        self.network_loader.data.next = self.loading_byte.q.val();

        self.write.d.next = bit_cast::<12, 11>(self.loader.write_address.val()) << 1;
        if self.loader.write_enable.val() {
            self.write.d.next = (bit_cast::<12, 11>(self.loader.write_address.val()) << 1) | 1;
        }
        self.write_enable.d.next = self.loader.write_enable.val();
        self.write_slot.d.next = self.loader.write_slot.val();
        self.write_data.d.next = self.loader.write_data.val();
        self.writing.d.next = self.write_enable.q.val();
        self.writing_slot.d.next = self.write_slot.q.val();
        self.writing_data.d.next = self.write_data.q.val();
        self.written.d.next = self.writing.q.val();
        self.written_slot.d.next = self.writing_slot.q.val();
        self.written_data.d.next = self.writing_data.q.val();
        self.address.next = self.write.q.val();
        self.weight_enable.next = self.written.q.val();
        self.weight_slot.next = self.written_slot.q.val();
        self.weight_data.next = self.written_data.q.val();

        self.worth.enable.next = self.loader.pair_enable.val();
        self.worth.pair.next = self.loader.pair.val();
        self.worth.values.next = self.loader.values.val();
        self.value.enable.next = self.worth.enable_out.val();
        self.value.pair.next = self.worth.pair_out.val();
        self.value.worth.next = self.worth.worth.val();
        self.pair_enable.next = self.value.write_enable.val();
        self.pair_address.next = self.value.write_address.val();
        self.pair_data.next = self.value.write_data.val();

        self.values.next = self.loader.values.val();
        self.loaded.next = self.loader.loaded.val();
        self.is_network.next = self.loader.is_network.val();
        self.version.next = self.loader.version.val();
        self.checksum.next = self.loader.checksum.val();
        self.offset_late.d.next = self.loader.offset.val();
        self.offset.next = self.offset_late.q.val();
        self.error.next = self.loader.error.val();
    }
}
