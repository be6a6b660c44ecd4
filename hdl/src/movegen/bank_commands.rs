//! Tells the bank what to do.
//!
//! ```text
//!                +--------------+
//!   loads       ->              => command 6   see `bank::Command`
//!   result 22   =>              |
//!   tests_node  -> BankCommands |
//!   write_back  ->              |
//!   begins      ->              |
//!                +--------------+
//! ```
//!
//! Handshake: `loads`: the target stage has found the moves of a node. `result` is the tag of a position that is counted.
//! `tests_node`: a pawn drop of a node is being tested. `write_back`: the groups' memory is needed for the rest of a group.
//! `begins`: what is under way is dropped.
//! Latency: combinational. Throughput: a command a clock. Cost: no flip-flops. Model: none. Absent: nothing.

use super::bank::Commands;
use super::tag_decoder::{TagDecoder, TAG_WIDTH};
use rust_hdl::prelude::*;

/// Makes the bank's commands.
#[derive(LogicBlock, Default)]
pub struct BankCommands {
    /// The moves of a node are found.
    pub loads: Signal<In, Bit>,
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
    counted: TagDecoder,
    to_bank: Commands,
}

impl Logic for BankCommands {
    #[hdl_gen]
    fn update(&mut self) {
        self.counted.tag.next = self.result.val();
        self.command.next = 0.into();
        if self.loads.val() {
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
