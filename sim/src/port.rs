//! The port of a RustHDL chip: how a unit (a byte, or a word) passes in each direction.

use crate::Clocked;
use hayasashi_hdl::{
    config::ChipConfig,
    top::{axi_stream::AxiStream64, chip::Chip, word_chip::WordChip},
};
use hayasashi_spec::word_frame::{Framing, PACKET_WORDS};

/// A chip behind a port with valid and ready in both directions.
pub trait Port: Clocked {
    /// The frames that it speaks.
    const FRAMING: Framing;

    /// A chip of this configuration.
    fn of(chip: &ChipConfig) -> Self;

    /// Sets the reset.
    fn set_reset(&mut self, reset: bool);

    /// Offers a unit to the chip, or none, and says whether one from the chip is taken.
    fn drive(&mut self, offered: Option<u64>, takes: bool);

    /// Whether the chip takes a unit in this clock.
    fn is_ready(&self) -> bool;

    /// The unit that the chip sends.
    fn sent(&self) -> Option<u64>;
}

macro_rules! port {
    ($top:ty, $bundle:ident, $framing:expr) => {
        impl Port for $top {
            const FRAMING: Framing = $framing;

            fn of(chip: &ChipConfig) -> Self {
                <$top>::new(chip)
            }

            fn set_reset(&mut self, reset: bool) {
                self.reset.next = reset;
            }

            fn drive(&mut self, offered: Option<u64>, takes: bool) {
                self.$bundle.rx_valid.next = offered.is_some();
                self.$bundle.rx_data.next = offered.unwrap_or(0).into();
                self.$bundle.tx_ready.next = takes;
            }

            fn is_ready(&self) -> bool {
                self.$bundle.rx_ready.val()
            }

            fn sent(&self) -> Option<u64> {
                self.$bundle.tx_valid.val().then(|| self.$bundle.tx_data.val().to_u64())
            }
        }
    };
}

port!(Chip, bytes, Framing::Slip);
port!(WordChip, words, Framing::Words);

/// Its answers come in packets of [`PACKET_WORDS`].
impl Port for AxiStream64 {
    const FRAMING: Framing = Framing::Words;

    fn of(chip: &ChipConfig) -> Self {
        let mut top = AxiStream64::new(chip);
        top.aresetn.next = true;
        top.packet_words.next = (PACKET_WORDS as u64).into();
        top
    }

    fn set_reset(&mut self, reset: bool) {
        self.aresetn.next = !reset;
    }

    fn drive(&mut self, offered: Option<u64>, takes: bool) {
        self.s_axis_tvalid.next = offered.is_some();
        self.s_axis_tdata.next = offered.unwrap_or(0).into();
        self.m_axis_tready.next = takes;
    }

    fn is_ready(&self) -> bool {
        self.s_axis_tready.val()
    }

    fn sent(&self) -> Option<u64> {
        self.m_axis_tvalid.val().then(|| self.m_axis_tdata.val().to_u64())
    }
}
