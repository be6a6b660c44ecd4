//! A value that a block keeps beside its signals, for the Verilog that it writes itself.

use rust_hdl::prelude::*;

/// The value. It is no gateware: RustHDL passes over it.
pub struct Parameter<T>(pub T);

impl<T> Logic for Parameter<T> {
    fn update(&mut self) {}
}

impl<T> Block for Parameter<T> {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, _name: &str, _probe: &mut dyn Probe) {}
}
