//! What a walker keeps of each ply, and its killers, counter moves and counters.
//!
//! ```text
//!                  +------+
//!   clock         ->      => node 196, picking, board 447, keys 256   of the ply in the clock before, or,
//!   reads_parent  ->      |              with `reads_parent`, of the ply above it
//!   ply 6         =>      => earlier 17  evaluation of two plies before, behind it whether the mover was in check
//!   write_node    ->      => killers 30  of the ply, the latest lowest
//!   write_board   -> Rows => counter 15  of the move that leads to `present`
//!   write_keys    ->      => place 8     of the counter of the last clock's `counter_at`, see `history`
//!                 |      -> busy        killers, counter moves and counters are being emptied
//!   write_picking, board_in, keys_in     |     what is written, beside `present`
//!   present 196   =>      |
//!   learns, fails, forgets ->  |
//!   iteration 6   =>      |
//!   counter_at 13 =>      |
//!   clear, reset  ->      |
//!                  +------+
//! ```
//!
//! Handshake: none; a row that is written in a clock is not used as it is read in that clock. `learns` makes the current move of
//! `present`, the node of this ply, its killer and the counter move of the move that leads to it, and raises its counter; `fails`
//! lowers that. `forgets` empties the killers two plies below. `clear` empties all three.
//! Latency: one clock. Throughput: one row of each kind written and read a clock. `clear` takes one clock, each 32nd time and after a reset 8,192.
//! Cost: 27 block RAMs of 36 wires, and those of `killers` and `history`.
//! Model: `host/model/src/search/walker.rs`. Absent: the line (`line`), the path (`path`).

use super::history::{History, ADDRESS_BITS};
use super::killers::{Killers, ANSWERED};
use super::node::Node;
use super::present::Picking;
use super::search_number::{SearchNumber, ROW_BITS};
use crate::movegen::positions::BOARD_WIDTH;
use crate::network::width;
use rust_hdl::prelude::*;

/// Wires of a ply.
const PLY: usize = 6;
/// Wires of how far a node's moves are picked.
const PICKING_WIDTH: usize = width::<Picking>();

/// Keeps rows.
#[derive(LogicBlock, Default)]
pub struct Rows {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The ply.
    pub ply: Signal<In, Bits<PLY>>,
    /// What is read of its node, its position and its keys is that of the ply before.
    pub reads_parent: Signal<In, Bit>,
    /// Its node is written, and how far its moves are picked.
    pub write_node: Signal<In, Bit>,
    /// How far they are.
    pub write_picking: Signal<In, Bits<PICKING_WIDTH>>,
    /// Its position is written.
    pub write_board: Signal<In, Bit>,
    /// The position.
    pub board_in: Signal<In, Bits<BOARD_WIDTH>>,
    /// Its keys are written.
    pub write_keys: Signal<In, Bit>,
    /// The keys.
    pub keys_in: Signal<In, Bits<256>>,
    /// The node of this ply.
    pub present: Signal<In, Bits<{ width::<Node>() }>>,
    /// Its current move cuts off.
    pub learns: Signal<In, Bit>,
    /// It has failed low.
    pub fails: Signal<In, Bit>,
    /// The node begins, outside quiescence.
    pub forgets: Signal<In, Bit>,
    /// The iteration.
    pub iteration: Signal<In, Bits<PLY>>,
    /// The counter that the picker asks for.
    pub counter_at: Signal<In, Bits<ADDRESS_BITS>>,
    /// Empty killers, counter moves and counters.
    pub clear: Signal<In, Bit>,
    /// Forget what is under way.
    pub reset: Signal<In, Bit>,
    /// The row's node.
    pub node: Signal<Out, Bits<{ width::<Node>() }>>,
    /// How far the moves of the row's node are picked.
    pub picking: Signal<Out, Bits<PICKING_WIDTH>>,
    /// The row's position.
    pub board: Signal<Out, Bits<BOARD_WIDTH>>,
    /// The row's keys.
    pub keys: Signal<Out, Bits<256>>,
    /// Evaluation of two plies before; above it, whether the mover was in check.
    pub earlier: Signal<Out, Bits<17>>,
    /// The row's killers.
    pub killers: Signal<Out, Bits<30>>,
    /// The counter move of the move that leads to the present node, whether there is such a move or not.
    pub counter: Signal<Out, Bits<15>>,
    /// The place of the counter of the last clock's `counter_at`.
    pub place: Signal<Out, Bits<8>>,
    /// Killers, counter moves and counters are being emptied.
    pub busy: Signal<Out, Bit>,
    apart_nodes: RAM<Bits<{ width::<Node>() }>, PLY>,
    apart_pickings: RAM<Bits<PICKING_WIDTH>, PLY>,
    apart_boards: RAM<Bits<BOARD_WIDTH>, PLY>,
    apart_all_keys: RAM<Bits<256>, PLY>,
    apart_evaluations: RAM<Bits<17>, PLY>,
    number: SearchNumber,
    quiet: Killers,
    history: History,
    two_before: Signal<Local, Bits<PLY>>,
    read_ply: Signal<Local, Bits<PLY>>,
    value: Values,
}

crate::constants! {
    Values {
        eval_bit: Bits<8> = Node::lowest_wire("eval");
        check_bit: Bits<8> = Node::lowest_wire("in_check");
        last_counter: Bits<ROW_BITS> = (1 << ADDRESS_BITS) - 1;
    }
}

impl Logic for Rows {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, number, quiet, history);
        self.apart_nodes.read_clock.next = self.clock.val();
        self.apart_nodes.write_clock.next = self.clock.val();
        self.apart_pickings.read_clock.next = self.clock.val();
        self.apart_pickings.write_clock.next = self.clock.val();
        self.apart_boards.read_clock.next = self.clock.val();
        self.apart_boards.write_clock.next = self.clock.val();
        self.apart_all_keys.read_clock.next = self.clock.val();
        self.apart_all_keys.write_clock.next = self.clock.val();
        self.apart_evaluations.read_clock.next = self.clock.val();
        self.apart_evaluations.write_clock.next = self.clock.val();
        self.two_before.next = self.ply.val() - 2;
        self.read_ply.next = self.ply.val();
        if self.reads_parent.val() {
            self.read_ply.next = self.ply.val() - 1;
        }

        self.apart_nodes.read_address.next = self.read_ply.val();
        self.apart_nodes.write_address.next = self.ply.val();
        self.apart_nodes.write_data.next = self.present.val();
        self.apart_nodes.write_enable.next = self.write_node.val();
        self.node.next = self.apart_nodes.read_data.val();
        self.apart_pickings.read_address.next = self.read_ply.val();
        self.apart_pickings.write_address.next = self.ply.val();
        self.apart_pickings.write_data.next = self.write_picking.val();
        self.apart_pickings.write_enable.next = self.write_node.val();
        self.picking.next = self.apart_pickings.read_data.val();
        self.apart_boards.read_address.next = self.read_ply.val();
        self.apart_boards.write_address.next = self.ply.val();
        self.apart_boards.write_data.next = self.board_in.val();
        self.apart_boards.write_enable.next = self.write_board.val();
        self.board.next = self.apart_boards.read_data.val();
        self.apart_all_keys.read_address.next = self.read_ply.val();
        self.apart_all_keys.write_address.next = self.ply.val();
        self.apart_all_keys.write_data.next = self.keys_in.val();
        self.apart_all_keys.write_enable.next = self.write_keys.val();
        self.keys.next = self.apart_all_keys.read_data.val();
        self.apart_evaluations.read_address.next = self.two_before.val();
        self.apart_evaluations.write_address.next = self.ply.val();
        self.apart_evaluations.write_data.next =
            bit_cast::<17, 16>(self.present.val().get_bits::<16>(self.value.eval_bit.val().index()))
                | (bit_cast::<17, 1>(self.present.val().get_bits::<1>(self.value.check_bit.val().index())) << 16);
        self.apart_evaluations.write_enable.next = self.write_node.val();
        self.earlier.next = self.apart_evaluations.read_data.val();

        self.number.begins.next = self.clear.val();
        self.number.last.next = self.value.last_counter.val();
        self.number.reset.next = self.reset.val();
        self.busy.next = self.number.emptying.val();
        self.quiet.reset.next = self.reset.val();
        self.quiet.ply.next = self.ply.val();
        self.quiet.present.next = self.present.val();
        self.quiet.learns.next = self.learns.val();
        self.quiet.forgets.next = self.forgets.val();
        self.quiet.search.next = self.number.number.val();
        self.quiet.emptying.next = self.number.emptying.val();
        self.quiet.at.next = bit_cast::<ANSWERED, ROW_BITS>(self.number.at.val());
        self.killers.next = self.quiet.killers.val();
        self.counter.next = self.quiet.counter.val();

        self.history.reset.next = self.reset.val();
        self.history.search.next = self.number.number.val();
        self.history.emptying.next = self.number.emptying.val();
        self.history.at.next = bit_cast::<ADDRESS_BITS, ROW_BITS>(self.number.at.val());
        self.history.present.next = self.present.val();
        self.history.learns.next = self.learns.val();
        self.history.fails.next = self.fails.val();
        self.history.iteration.next = self.iteration.val();
        self.history.pick_address.next = self.counter_at.val();
        self.place.next = self.history.place.val();
    }
}
