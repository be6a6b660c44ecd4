//! Blocks that are passed over in simulation while nothing they see changes.
//!
//! RustHDL evaluates every block in each pass, and a clock takes a dozen passes. A block that has settled and whose inputs
//! are as they were would only find the same outputs again; for the wide units that is most of the work. Nothing of
//! this reaches the Verilog.

use rust_hdl::prelude::*;
use std::ops::{Deref, DerefMut};

/// Whether a block's inputs were set to something new since they were last taken.
pub trait Inputs {
    fn inputs_changed(&self) -> bool;
}

/// A block that is evaluated only where its inputs changed or it has not settled yet.
#[derive(Default)]
pub struct Lazy<B> {
    /// On the heap: a unit has more wires, of a byte each, than a thread's stack likes to move about.
    block: Box<B>,
    settled: bool,
}

impl<B> Lazy<B> {
    pub fn new(block: B) -> Self {
        Lazy { block: Box::new(block), settled: false }
    }
}

impl<B> Deref for Lazy<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.block
    }
}

impl<B> DerefMut for Lazy<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.block
    }
}

impl<B: Block> Logic for Lazy<B> {
    fn update(&mut self) {}
}

impl<B: Block + Inputs> Block for Lazy<B> {
    fn connect_all(&mut self) {
        self.block.connect_all();
    }

    fn update_all(&mut self) {
        if !self.settled || self.block.inputs_changed() {
            self.block.update_all();
            self.settled = !self.block.has_changed();
        }
    }

    fn has_changed(&self) -> bool {
        !self.settled
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.block.accept(name, probe);
    }
}

/// Implements [`Inputs`] for a block by the names of its inputs.
#[macro_export]
macro_rules! inputs {
    ($block:ty: $($input:ident),+) => {
        impl $crate::lazy::Inputs for $block {
            fn inputs_changed(&self) -> bool {
                false $(|| self.$input.next != self.$input.val())+
            }
        }
    };
}
