//! Placeholder of the evaluation unit: ports only, never holds a table.

use rust_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct EvaluateUnit {
    pub clock: Signal<In, Clock>,
    pub position: Signal<In, Bits<512>>,
    pub start: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    pub score: Signal<Out, Bits<16>>,
    pub load_start: Signal<In, Bit>,
    pub load_valid: Signal<In, Bit>,
    pub load_byte: Signal<In, Bits<8>>,
    pub loaded: Signal<Out, Bit>,
    pub version: Signal<Out, Bits<32>>,
    pub checksum: Signal<Out, Bits<32>>,
    pub load_offset: Signal<Out, Bits<32>>,
    pub load_error: Signal<Out, Bit>,
    started: DFF<Bit>,
    offset: DFF<Bits<32>>,
}

impl Logic for EvaluateUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, started, offset);
        self.started.d.next = self.start.val();
        if self.load_start.val() {
            self.offset.d.next = 0.into();
        } else if self.load_valid.val() {
            self.offset.d.next = self.offset.q.val() + 1;
        }
        self.ready.next = !self.started.q.val();
        self.done.next = self.started.q.val();
        self.score.next = 0.into();
        self.loaded.next = false;
        self.version.next = 0.into();
        self.checksum.next = 0.into();
        self.load_offset.next = self.offset.q.val();
        self.load_error.next = false;
    }
}
