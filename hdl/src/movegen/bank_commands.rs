//! Tells the bank what to do.
//!
//! ```text
//!                +--------------+
//!   target 22   =>              => command 6   see `bank::Command`
//!   result 22   =>              |
//!   tests_node  -> BankCommands |
//!   write_back  ->              |
//!   begins      ->              |
//!                +--------------+
//! ```
//!
//! Handshake: `target` is the tag of the position whose moves the target stage has found, `result` that of one that is counted.
//! `tests_node`: a pawn drop of a node is being tested. `write_back`: the groups' memory is needed for the rest of a group.
//! `begins`: what is under way is dropped.
//! Latency: combinational. Throughput: a command a clock. Cost: no flip-flops. Model: none. Absent: nothing.

use super::bank::Commands;
use super::tag_decoder::{TagDecoder, TAG_WIDTH};
use rust_hdl::prelude::*;

/// Makes the bank's commands.
#[derive(LogicBlock, Default)]
pub struct BankCommands {
    /// Tag of the position in the target stage.
    pub target: Signal<In, Bits<TAG_WIDTH>>,
    /// Tag of a position that is counted.
    pub result: Signal<In, Bits<TAG_WIDTH>>,
    /// A pawn drop of a node is tested.
    pub tests_node: Signal<In, Bits<1>>,
    /// The rest of a group is written back.
    pub write_back: Signal<In, Bit>,
    /// A request or a walk begins.
    pub begins: Signal<In, Bit>,
    /// The command.
    pub command: Signal<Out, Bits<6>>,
    found: TagDecoder,
    counted: TagDecoder,
    to_bank: Commands,
}

impl Logic for BankCommands {
    #[hdl_gen]
    fn update(&mut self) {
        self.found.tag.next = self.target.val();
        self.counted.tag.next = self.result.val();
        self.command.next = 0.into();
        if self.found.node.val() & !self.found.mate.val() {
            self.command.next = self.to_bank.load.val();
        }
        if self.tests_node.val().any() {
            self.command.next = self.command.val() | self.to_bank.may_mate.val();
        }
        if self.counted.node.val() & self.counted.mate.val() {
            self.command.next = self.command.val() | self.to_bank.tested.val();
            if !self.counted.count.val().any() {
                self.command.next = self.command.val() | self.to_bank.tested.val() | self.to_bank.uchifuzume.val();
            }
        }
        if self.write_back.val() {
            self.command.next = self.command.val() | self.to_bank.stall.val();
        }
        if self.begins.val() {
            self.command.next = self.command.val() | self.to_bank.drop.val();
        }
    }
}
