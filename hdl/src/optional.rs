//! Blocks that a chip may lack.
//!
//! The block around one is the same with and without it: an absent block has the ports of the present one, takes
//! nothing in and gives zeros. It has no registers and nothing inside, so that nothing of it reaches the device.

use rust_hdl::{core::atom::Atom, prelude::*};
use std::ops::{Deref, DerefMut};

/// The Verilog of an absent block. The block around it writes zeros instead.
pub const ABSENT: &str = "// absent";

/// A block, present or absent.
pub struct Optional<B> {
    block: B,
    present: bool,
}

impl<B> Optional<B> {
    /// `block` is there, or only its ports are.
    pub fn new(block: B, present: bool) -> Self {
        Optional { block, present }
    }
}

impl<B: Default> Default for Optional<B> {
    /// The block is there.
    fn default() -> Self {
        Optional::new(B::default(), true)
    }
}

impl<B> Deref for Optional<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.block
    }
}

impl<B> DerefMut for Optional<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.block
    }
}

impl<B: Block> Logic for Optional<B> {
    fn update(&mut self) {}

    /// Of the absent block; the present one gives its own.
    fn hdl(&self) -> Verilog {
        Verilog::Wrapper(Wrapper { code: ABSENT.into(), cores: String::new() })
    }
}

impl<B: Block> Block for Optional<B> {
    fn connect_all(&mut self) {
        self.block.connect_all();
    }

    fn update_all(&mut self) {
        if self.present {
            self.block.update_all();
        }
    }

    fn has_changed(&self) -> bool {
        self.present && self.block.has_changed()
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        if self.present {
            return self.block.accept(name, probe);
        }
        probe.visit_start_scope(name, self);
        self.block.accept(name, &mut Ports { depth: 0, probe });
        probe.visit_end_scope(name, self);
    }
}

/// Passes on the ports of the outermost block only.
struct Ports<'a> {
    depth: usize,
    probe: &'a mut dyn Probe,
}

impl Probe for Ports<'_> {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }

    fn visit_start_namespace(&mut self, name: &str, node: &dyn Block) {
        if self.depth == 1 {
            self.probe.visit_start_namespace(name, node);
        }
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        if self.depth == 1 && signal.kind().is_parameter() {
            self.probe.visit_atom(name, signal);
        }
    }

    fn visit_end_namespace(&mut self, name: &str, node: &dyn Block) {
        if self.depth == 1 {
            self.probe.visit_end_namespace(name, node);
        }
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}
