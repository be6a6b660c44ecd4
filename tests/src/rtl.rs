//! Stepping a RustHDL block by hand.

use rust_hdl::prelude::*;

/// Propagates until nothing changes.
///
/// # Panics
/// If that does not happen within 100 passes.
pub fn settle(block: &mut impl Block) {
    for _ in 0..100 {
        block.update_all();
        if !block.has_changed() {
            return;
        }
    }
    panic!("the simulation does not settle");
}

/// Connects a block and settles it with its clock low.
pub fn start(block: &mut impl Block) {
    block.connect_all();
    settle(block);
}

/// One clock: inputs settle, then the rising edge, then the falling one. `clock` gives the block's clock input.
pub fn step<B: Block>(block: &mut B, clock: impl Fn(&mut B) -> &mut Signal<In, Clock>) {
    settle(block);
    for level in [true, false] {
        clock(block).next = Clock { clk: level };
        settle(block);
    }
}

/// Bytes as a bus, bit 0 of byte 0 first.
///
/// # Panics
/// If there are fewer than `N` bits.
pub fn bus<const N: usize>(bytes: &[u8]) -> Bits<N> {
    const { assert!(N > 32) };
    let mut bits = [false; N];
    for (i, bit) in bits.iter_mut().enumerate() {
        *bit = bytes[i / 8] >> (i % 8) & 1 != 0;
    }
    Bits::Long(bits.into())
}
