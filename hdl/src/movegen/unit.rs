//! Placeholder of the move-generation unit: ports only, every position has no moves.

use rust_hdl::prelude::*;

#[derive(LogicBlock, Default)]
pub struct MovegenUnit {
    pub clock: Signal<In, Clock>,
    pub position: Signal<In, Bits<512>>,
    pub start: Signal<In, Bit>,
    /// Also fill the record FIFO. (`generate` is a keyword of Verilog.)
    pub want_records: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    pub faults: Signal<Out, Bits<5>>,
    pub count: Signal<Out, Bits<10>>,
    pub result: Signal<Out, Bits<16>>,
    pub record: Signal<Out, Bits<32>>,
    pub record_valid: Signal<Out, Bit>,
    pub record_next: Signal<In, Bit>,
    started: DFF<Bit>,
}

impl Logic for MovegenUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, started);
        self.started.d.next = self.start.val();
        self.ready.next = !self.started.q.val();
        self.done.next = self.started.q.val();
        self.faults.next = 0.into();
        self.count.next = 0.into();
        self.result.next = 0.into();
        self.record.next = 0.into();
        self.record_valid.next = false;
    }
}
