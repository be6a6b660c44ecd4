//! Brings a wire from outside into the clock's domain, by two flip-flops in a row.
//!
//! ```text
//!            +--------------+
//!   clock   -> Synchroniser -> value
//!   raw     ->              |
//!            +--------------+
//! ```
//!
//! Handshake: none; `raw` may change at any moment. `value` is low after configuration.
//! Latency: two clocks. Throughput: a level that is shorter than a clock may be missed. Cost: 2 flip-flops.
//! Model: none (below the byte stream). Absent: several wires that belong together.
//!
//! The attribute `ASYNC_REG` tells Vivado to place both flip-flops side by side and not to duplicate or move them. The kernels of
//! RustHDL have no attributes, so the Verilog is written by hand.

use rust_hdl::core::timing::TimingInfo;
use rust_hdl::prelude::*;

/// Two flip-flops in a row.
#[derive(LogicBlock, Default)]
pub struct Synchroniser {
    /// Clock of both flip-flops.
    pub clock: Signal<In, Clock>,
    /// From outside.
    pub raw: Signal<In, Bit>,
    /// The same, two clocks later.
    pub value: Signal<Out, Bit>,
    _first: bool,
}

impl Logic for Synchroniser {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.value.next = self._first;
            self._first = self.raw.val();
        }
    }

    fn connect(&mut self) {
        self.value.connect();
    }

    fn hdl(&self) -> Verilog {
        let text = "(* ASYNC_REG = \"TRUE\" *) reg first = 0;\n\
                    (* ASYNC_REG = \"TRUE\" *) reg second = 0;\n\
                    always @(posedge clock) begin\n    first <= raw;\n    second <= first;\nend\n\
                    assign value = second;\n";
        Verilog::Wrapper(Wrapper { code: text.into(), cores: String::new() })
    }

    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: "synchroniser".into(),
            clock: "clock".into(),
            inputs: vec!["raw".into()],
            outputs: vec!["value".into()],
        }]
    }
}
