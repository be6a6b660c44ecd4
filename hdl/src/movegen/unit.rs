//! The move generation unit: one position at a time for the dispatcher, or a whole tree of them.
//!
//! ```text
//!                 +-------------+
//!   clock, reset ->             =>               requests: `ports::MoveServer`
//!   position 512 =>             =>               words: `ports::WordSource`, of the oldest answer
//!   start        -> MovegenUnit =>               walk: `ports::WalkUnit`
//!   requests     =>             -> leaf          a position of the walk is counted
//!   words        =>             => leaf_count 10 legal moves to be added to those of the walk
//!   walk         =>             => made 447      a position, for the evaluator:
//!   scores       =>             -> made_root, made_child     the one requested; one after a move
//!                |             |                 scores: `ports::ScoreSink`, what it says
//!                 +-------------+
//!
//!   walker -> fetch -> groups -> pick -> move_maker -> pipeline -> results
//!     ^                  ^        ^  \-- positions --/    |
//!     |                  |     orders                     |
//!     +--- stored --- bank <------------------------------+
//! ```
//!
//! Handshake: `start` for one clock, two clocks behind `ready` or later, with `position` stable for the next nine clocks, and with
//! the request. Up to four positions are under way; their answers come in their order, each as `answered` and its `words`, until
//! `retire` ([`super::request_control`]).
//! `walk.start` while no position is under way and not `walk.busy`, with `position` stable until `walk.busy` falls: the unit then walks
//! the tree below the position ([`crate::perft`]), whose last ply but one comes out as `leaf`. A leaf's pawn drop that may be mate
//! is added later, if it is legal, as a `leaf_count` of one without `leaf`. The position must have been found without fault.
//! Latency: `answered` 24 clocks after `start`, or 34 where a pawn drop may be mate; with moves, their number more.
//! Throughput: a position in nine clocks, a move a clock; of a walk, a leaf a clock. Cost: see `constraints/AREA.md`.
//! Model: `host/model/src/movegen`. Absent: requests during a walk.
//!
//! Nothing waits between `pick` and the results: what enters in a clock leaves a fixed number of clocks later. The position
//! itself, the position turned (could the mover take the king?) and the positions after its moves all go this way.

use super::{
    bank::Bank, bank_commands::BankCommands, fetch::Fetch, groups::Groups, move_maker::MoveMaker, operation::NODE_BITS,
    orders::Orders, pick::Pick, pipeline::*, positions::Positions, positions::BOARD_WIDTH,
    request_control::RequestControl, tag_decoder::TagDecoder,
};
pub use crate::config::UnitConfig;
use crate::ports::{MoveServer, ScoreSink, WalkUnit, WordSource};
use crate::position::faults::Faults;
use crate::{lazy::Lazy, optional::Optional, perft::walker::Walker, position::tag::ROW_BITS};
use rust_hdl::prelude::*;

/// Counts and generates the legal moves of one position, or walks a tree. By default the only unit of a chip.
#[derive(LogicBlock, Default)]
pub struct MovegenUnit {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way; lasts until `pick` and the pipeline are empty (`top::reset_hold`).
    pub reset: Signal<In, Bit>,
    /// The position image; stable for nine clocks from `start`, and until the end of a walk.
    pub position: Signal<In, Bits<512>>,
    /// For one clock: a request.
    pub start: Signal<In, Bit>,
    /// Requests of the dispatcher.
    pub requests: MoveServer,
    /// The words of the oldest answer.
    pub words: WordSource,
    /// What the evaluator says.
    pub scores: ScoreSink,
    /// A position, for the evaluator.
    pub made: Signal<Out, Bits<BOARD_WIDTH>>,
    /// The evaluator scores it: it is the requested position.
    pub made_root: Signal<Out, Bit>,
    /// The evaluator scores it: it is the position after a move.
    pub made_child: Signal<Out, Bit>,
    /// Orders of a walk.
    pub walk: WalkUnit,
    /// For one clock: a position of the walk is counted.
    pub leaf: Signal<Out, Bit>,
    /// Legal moves to be added to those of the walk.
    pub leaf_count: Signal<Out, Bits<10>>,
    walker: Optional<Walker>,
    fetch: Optional<Fetch>,
    groups: Optional<Lazy<Groups>>,
    orders: Orders,
    pick: Pick,
    positions: Lazy<Positions>,
    move_maker: MoveMaker,
    pipeline: Lazy<Pipeline>,
    commands: BankCommands,
    bank: Optional<Bank>,
    /// Of what enters the pipeline, of the target stage, of results.
    entering: TagDecoder,
    targets: TagDecoder,
    results: TagDecoder,
    fault_stage: Optional<Faults>,
    control: Optional<RequestControl>,
    ordering: Signal<Local, Bit>,
    /// The next group may be taken; the one behind it.
    next_free: Signal<Local, Bit>,
    coming_free: Signal<Local, Bit>,
    /// The rest of a group from which one move was picked is written back.
    write_back: Signal<Local, Bit>,
}

impl MovegenUnit {
    /// A unit for this.
    pub fn new(config: UnitConfig) -> Self {
        let (unit, units) = config.walks.unwrap_or((0, 1));
        let keeps = config.keeps();
        MovegenUnit {
            walker: Optional::new(Walker::new(unit, units), config.walks.is_some()),
            fetch: Optional::new(Default::default(), keeps),
            groups: Optional::new(Default::default(), keeps),
            bank: Optional::new(Default::default(), keeps),
            fault_stage: Optional::new(Default::default(), config.requests),
            control: Optional::new(RequestControl::new(config.generates, config.scores), config.requests),
            ..Default::default()
        }
    }
}

impl Logic for MovegenUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, walker, fetch, groups, orders, pick, positions, move_maker, pipeline, bank);
        clock!(self, clock, fault_stage, control);
        MoveServer::link(&mut self.requests, &mut self.control.requests);
        WordSource::link(&mut self.words, &mut self.control.words);
        ScoreSink::link(&mut self.scores, &mut self.control.scores);
        WalkUnit::link(&mut self.walk, &mut self.walker.orders);

        // The root, the root turned, and pawn drops that may be mate.
        self.orders.root_node.next = (self.control.root_node.val() | self.walk.start.val()).into();
        self.orders.root_leaf.next = self.control.root_leaf.val().into();
        self.orders.turn.next = self.control.turn.val().into();
        self.orders.slot.next = 0.into();
        if !self.walk.start.val() {
            self.orders.slot.next = self.control.slot.val();
        }
        self.orders.counted.next = self.pipeline.counted.val();
        self.orders.may_mate.next = self.pipeline.test_mate.val().into();
        self.ordering.next = self.orders.valid.val().any();

        // The next job, and its groups of moves.
        self.walker.reset.next = self.reset.val();
        self.walker.begins.next = self.walk.start.val();
        self.walker.room.next = self.fetch.room.val().any();
        self.walker.picked.next = self.pick.picked.val();
        self.walker.left.next = self.pick.left.val();
        self.walker.stored.next = self.bank.stored.val().any();
        self.walker.groups.next = self.bank.groups.val();
        self.walker.operation.next = self.pick.makes.val().any();
        self.fetch.stop.next = (self.walker.stopping.val() | self.reset.val()).into();
        self.fetch.job.next = self.walker.job.val();
        if self.control.gives.val() {
            self.fetch.job.next = self.control.job.val();
        }
        self.fetch.state_in.next = self.fetch.state.val();
        self.next_free.next = !self.pick.next_valid.val().any() | (!self.ordering.val() & !self.pick.more.val().any());
        self.coming_free.next = self.next_free.val() | !self.pick.coming_valid.val().any();
        self.fetch.advance.next = self.coming_free.val().into();
        self.groups.from.next = self.pick.coming_at.val();
        if self.coming_free.val() {
            self.groups.from.next = self.fetch.at.val();
        }

        // One move in each clock, and the position before it.
        self.pick.order.next = self.orders.order.val();
        self.pick.reading.next = self.fetch.reading.val();
        self.pick.group.next = self.groups.group.val();
        self.pick.state_in.next = self.pick.state.val();
        self.pick.rest_in.next = self.pick.rest.val();
        self.positions.from.next = bit_cast::<ROW_BITS, NODE_BITS>(self.pick.next_node.val());
        if self.pick.more.val().any() {
            self.positions.from.next = bit_cast::<ROW_BITS, NODE_BITS>(self.pick.rest_node.val());
        }
        if self.ordering.val() {
            self.positions.from.next = self.orders.from.val();
        }
        self.move_maker.op.next = self.pick.op.val();
        self.move_maker.stored.next = self.positions.stored.val();
        self.move_maker.image.next = self.position.val();

        // The position after it.
        self.entering.tag.next = self.move_maker.tag.val();
        self.positions.write.next = (self.entering.leaf.val() | self.entering.node.val()) & !self.entering.mate.val();
        self.positions.row.next = self.entering.row.val();
        self.positions.board.next = self.move_maker.child.val();
        self.pipeline.tag.next = self.move_maker.tag.val();
        self.pipeline.board.next = self.move_maker.child.val();
        self.targets.tag.next = self.pipeline.targets.val();
        self.results.tag.next = self.pipeline.result.val();

        // The moves of a node, group by group.
        self.write_back.next = self.pick.puts_back.val().any();
        self.commands.loads.next = self.pipeline.loads.val();
        self.commands.result.next = self.pipeline.result.val();
        self.commands.tests_node.next = self.orders.tests_node.val();
        self.commands.write_back.next = self.write_back.val();
        self.commands.begins.next = self.walk.start.val() | self.reset.val();
        self.bank.command.next = self.commands.command.val();
        self.bank.node.next = bit_cast::<NODE_BITS, ROW_BITS>(self.targets.row.val());
        self.bank.kept.next = self.pipeline.kept.val();
        self.bank.drops.next = self.pipeline.drops.val();
        self.bank.holds.next = self.pipeline.holds.val();
        self.bank.before_king.next = self.pipeline.before_king.val();
        self.bank.valid_in.next = self.bank.valid.val();
        self.bank.group_in.next = self.bank.group.val();
        self.bank.state_in.next = self.bank.state.val();
        self.groups.write.next = self.bank.valid.val().any() | self.write_back.val();
        self.groups.to.next = self.bank.at.val();
        self.groups.write_group.next = self.bank.group.val();
        if self.write_back.val() {
            self.groups.to.next = self.pick.rest_at.val();
            self.groups.write_group.next = self.pick.rest.val();
        }

        // A request of the dispatcher.
        self.fault_stage.start.next = self.start.val().into();
        self.fault_stage.image.next = self.position.val();
        self.fault_stage.state_in.next = self.fault_stage.state.val();
        self.control.reset.next = self.reset.val();
        self.control.start.next = self.start.val();
        self.control.counted.next = self.pipeline.counted.val();
        self.control.test_mate.next = self.pipeline.test_mate.val();
        self.control.entering.next = self.move_maker.tag.val();
        self.control.record.next = self.move_maker.record.val();
        self.control.targets.next = self.pipeline.targets.val();
        self.control.result.next = self.pipeline.result.val();
        self.control.may_mate.next = self.pipeline.may_mate.val();
        self.control.loads.next = self.pipeline.loads.val();
        self.control.stored.next = self.bank.stored.val().any();
        self.control.groups.next = self.bank.groups.val();
        self.control.faults.next = self.fault_stage.faults.val();
        self.control.room.next = self.fetch.room.val().any();
        self.made_root.next = self.control.made_root.val();
        self.made_child.next = self.control.made_child.val();
        self.made.next = self.move_maker.child.val();

        // The walk.
        self.leaf.next = self.results.leaf.val() & !self.results.child.val() & !self.results.mate.val();
        self.leaf_count.next = 0.into();
        if self.results.leaf.val() & !self.results.child.val() {
            self.leaf_count.next = self.results.count.val();
        }
    }
}

crate::inputs!(
    MovegenUnit: clock, reset, position, start, requests.want_records, requests.want_scores, requests.retire,
    words.take, scores.root, scores.child, scores.score if scores.root | scores.child, walk.start, walk.depth, walk.stop
);
