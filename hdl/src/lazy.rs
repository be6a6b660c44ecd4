//! Blocks that are passed over in simulation while nothing they see changes.
//!
//! RustHDL evaluates every block in each pass, and a clock takes a dozen passes. A block that has settled and whose inputs
//! are as they were would only find the same outputs again; for the wide units that is most of the work. A block at
//! [rest](crate::rest) is passed over at its clock's edges, too. Nothing of this reaches the Verilog.

use crate::rest::Rest;
use rust_hdl::prelude::*;
use std::ops::{Deref, DerefMut};

/// Whether a block's inputs were set to something new since they were last taken.
pub trait Inputs {
    /// The inputs, as `$name` or `$bundle$name`.
    const NAMES: &'static [&'static str];

    /// Whether one of them was, other than the clock.
    fn inputs_changed(&self) -> bool;

    /// The clock.
    fn clock(&mut self) -> &mut Signal<In, Clock>;
}

/// A block that is evaluated only where its inputs changed or it has not settled yet.
#[derive(Default)]
pub struct Lazy<B> {
    /// On the heap: a unit has more wires, of a byte each, than a thread's stack likes to move about.
    block: Box<B>,
    settled: bool,
    rest: Rest,
}

impl<B> Lazy<B> {
    /// Wraps a block.
    pub fn new(block: B) -> Self {
        Lazy { block: Box::new(block), settled: false, rest: Rest::default() }
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
        if self.block.inputs_changed() {
            self.rest.wake();
        } else {
            let clock = self.block.clock();
            let (edge, high) = (clock.next != clock.val(), clock.next.clk);
            if self.settled && !edge {
                return;
            }
            if edge && high && !self.rest.asleep() {
                if self.settled {
                    self.rest.look(&*self.block);
                } else {
                    self.rest.wake();
                }
            }
            if self.rest.asleep() {
                self.block.clock().update_all();
                return;
            }
        }
        self.block.update_all();
        self.settled = !self.block.has_changed();
    }

    fn has_changed(&self) -> bool {
        !self.settled
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.block.accept(name, probe);
    }
}

/// Implements [`Inputs`] for a block by the names of its inputs; `bundle.name` is one of a bundle, `bundles[0].name` of several.
/// `data if valid`: the block looks at `data` only while `valid` is high; `data if first | second`: while one of them is.
#[macro_export]
macro_rules! inputs {
    ($block:ty: $($($input:ident $([$index:literal])?).+ $(if $($($gate:ident).+)|+)?),+) => {
        impl $crate::lazy::Inputs for $block {
            const NAMES: &'static [&'static str] = &[$(concat!($("$", stringify!($input) $(, "$", $index)?),+)),+];

            fn inputs_changed(&self) -> bool {
                false $(|| stringify!($($input).+) != "clock"
                    $(&& (false $(|| self.$($gate).+.next)+))?
                    && self.$($input$([$index])?).+.next != self.$($input$([$index])?).+.val())+
            }

            fn clock(&mut self) -> &mut Signal<In, Clock> {
                &mut self.clock
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use rust_hdl::core::atom::{Atom, AtomKind};

    /// Collects the names of the outermost block's inputs, with their bundle's.
    #[derive(Default)]
    struct Found {
        depth: usize,
        bundle: String,
        names: Vec<String>,
    }

    impl Probe for Found {
        fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
            self.depth += 1;
        }

        fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
            self.bundle = format!("${name}");
        }

        fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
            if self.depth == 1 && signal.kind() == AtomKind::InputParameter {
                self.names.push(format!("{}${name}", self.bundle));
            }
        }

        fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
            self.bundle.clear();
        }

        fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
            self.depth -= 1;
        }
    }

    fn check<B: Block + Inputs>(block: B) {
        let mut found = Found::default();
        block.accept("block", &mut found);
        found.names.sort();
        let mut listed: Vec<&str> = B::NAMES.to_vec();
        listed.sort();
        assert_eq!(listed, found.names, "inputs! of {}", std::any::type_name::<B>());
    }

    /// A block that passes over an input would simulate wrongly, where only that input changes.
    #[test]
    fn every_input_is_listed() {
        check(crate::movegen::unit::MovegenUnit::default());
        check(crate::movegen::pipeline::Pipeline::default());
        check(crate::evaluate::unit::EvaluateUnit::default());
        check(crate::evaluate::loader::Loader::default());
        check(crate::position::arrival::Arrival::default());
        check(crate::position::fault_server::FaultServer::default());
        check(crate::movegen::positions::Positions::default());
        check(crate::movegen::groups::Groups::default());
        check(crate::perft::walk_controller::WalkController::default());
        check(crate::search::controller::SearchController::default());
        check(crate::search::unit::SearchUnit::default());
        check(crate::search::picker::Picker::default());
        check(crate::search::look_share::LookShare::default());
        check(crate::search::pick_share::PickShare::default());
        check(crate::link::registers::Registers::default());
    }
}
