//! A value that a block keeps beside its signals, for the Verilog that it writes itself.

use rust_hdl::prelude::*;

/// No gateware of its own.
pub struct Setting<T>(pub T);

impl<T> Logic for Setting<T> {
    fn update(&mut self) {}
}

impl<T> Block for Setting<T> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, _name: &str, _probe: &mut dyn Probe) {}
}
