//! Which request it is: a wire for each opcode that the chip has.
//!
//! ```text
//!            ┌─────────┐
//!  opcode 8 ▶│ opcodes ├─▶ informing, echoing, loading, cancelling, generating, counting, evaluating, walking;
//!            │         ├─▶ batch     generating, counting or evaluating
//!            └─────────┘
//! ```
//!
//! Latency one clock; no wire is high for an opcode that the chip lacks.

use crate::top::config::ChipConfig;
use hayasashi_spec::{opcode::Opcode, registers::*};
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Opcodes {
    pub clock: Signal<In, Clock>,
    pub opcode: Signal<In, Bits<8>>,
    pub informing: Signal<Out, Bit>,
    pub echoing: Signal<Out, Bit>,
    pub loading: Signal<Out, Bit>,
    pub cancelling: Signal<Out, Bit>,
    pub generating: Signal<Out, Bit>,
    pub counting: Signal<Out, Bit>,
    pub evaluating: Signal<Out, Bit>,
    pub walking: Signal<Out, Bit>,
    pub batch: Signal<Out, Bit>,
    code: DFF<Bits<8>>,
    op_info: Constant<Bits<8>>,
    op_echo: Constant<Bits<8>>,
    op_load: Constant<Bits<8>>,
    op_cancel: Constant<Bits<8>>,
    op_generate: Constant<Bits<8>>,
    op_count: Constant<Bits<8>>,
    op_evaluate: Constant<Bits<8>>,
    op_perft: Constant<Bits<8>>,
    generator: Constant<Bit>,
    evaluator: Constant<Bit>,
    walker: Constant<Bit>,
}

impl Opcodes {
    pub fn new(chip: &ChipConfig) -> Self {
        let opcode = |o: Opcode| Constant::new((o as u64).into());
        Opcodes {
            clock: Default::default(),
            opcode: Default::default(),
            informing: Default::default(),
            echoing: Default::default(),
            loading: Default::default(),
            cancelling: Default::default(),
            generating: Default::default(),
            counting: Default::default(),
            evaluating: Default::default(),
            walking: Default::default(),
            batch: Default::default(),
            code: Default::default(),
            op_info: opcode(Opcode::Info),
            op_echo: opcode(Opcode::Echo),
            op_load: opcode(Opcode::LoadTable),
            op_cancel: opcode(Opcode::Cancel),
            op_generate: opcode(Opcode::Generate),
            op_count: opcode(Opcode::Count),
            op_evaluate: opcode(Opcode::Evaluate),
            op_perft: opcode(Opcode::Perft),
            generator: Constant::new(chip.has(CAP_MOVEGEN)),
            evaluator: Constant::new(chip.has(CAP_EVALUATE)),
            walker: Constant::new(chip.has(CAP_PERFT)),
        }
    }
}

impl Logic for Opcodes {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, code);
        self.code.d.next = self.opcode.val();
        self.informing.next = self.code.q.val() == self.op_info.val();
        self.echoing.next = self.code.q.val() == self.op_echo.val();
        self.loading.next = (self.code.q.val() == self.op_load.val()) & self.evaluator.val();
        self.cancelling.next = self.code.q.val() == self.op_cancel.val();
        self.generating.next = (self.code.q.val() == self.op_generate.val()) & self.generator.val();
        self.counting.next = self.code.q.val() == self.op_count.val();
        self.evaluating.next = (self.code.q.val() == self.op_evaluate.val()) & self.evaluator.val();
        self.walking.next = (self.code.q.val() == self.op_perft.val()) & self.walker.val();
        self.batch.next = (self.code.q.val() == self.op_count.val())
            | ((self.code.q.val() == self.op_generate.val()) & self.generator.val())
            | ((self.code.q.val() == self.op_evaluate.val()) & self.evaluator.val());
    }
}
