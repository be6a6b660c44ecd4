//! The built-in network, learned from games of the engine with itself (`docs/learning.md`).

use super::Network;
use std::sync::{Arc, OnceLock};

/// Checksum of [`default_network`]; a different network plays differently.
pub const DEFAULT_NETWORK_CHECKSUM: u32 = 0x6CD5_723B;

static BYTES: &[u8] = include_bytes!("default.hyet");

/// The built-in network, which corrects the built-in table.
pub fn default_network() -> Arc<Network> {
    static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
    let read = || Arc::new(Network::from_bytes(BYTES).expect("the built-in network was checked when it was built in"));
    NETWORK.get_or_init(read).clone()
}

#[cfg(test)]
mod tests {
    use super::super::Evaluation;
    use super::*;
    use crate::evaluate::default_table;

    #[test]
    fn the_default_network_is_the_one_that_was_measured() {
        let checksum = Evaluation::default().checksum();
        assert_eq!(
            checksum, DEFAULT_NETWORK_CHECKSUM,
            "another network: set DEFAULT_NETWORK_CHECKSUM to {checksum:#010x}"
        );
        assert_eq!(**default_network().table(), default_table());
    }
}
