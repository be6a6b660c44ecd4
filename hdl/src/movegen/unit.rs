//! The move generation unit: one position at a time for the dispatcher, or a whole tree of them.
//!
//! ```text
//!                 +-------------+
//!   clock        ->             =>               requests: `ports::MoveServer`; hold from `done` to the next `start`
//!   position 512 =>             =>               records: `ports::WordSource`, the moves one by one
//!   start        -> MovegenUnit =>               walk: `ports::WalkUnit`
//!   requests     =>             -> leaf          a position of the walk is counted
//!   records      =>             => leaf_count 10 its legal moves; else 0
//!   walk         =>             |
//!                 +-------------+
//!
//!   feed -> pipeline -> bank -> serialise -> move_maker
//!    ^                                           |
//!    +------- positions after moves -------------+
//! ```
//!
//! Handshake: `start` for one clock while `ready`, with `position` stable until `done` and, with `want_records`, until all
//! records are taken: if there is no fault, `count` move records follow, little-endian.
//! `walk.start` while `ready` and not `walk.busy`, with `position` stable until `walk.busy` falls: the same pipeline and
//! serialiser then walk the tree below the position ([`crate::perft::walker`]), whose last ply but one comes out as `leaf`.
//! The position must have been found without fault.
//! Latency: `done` 21 clocks after `start` at most, or 22 where a pawn drop may be mate. Throughput: a position at a time; one
//! record a clock into the buffer; of a walk, a leaf a clock. Cost: see `constraints/AREA.md`.
//! Model: `host/model/src/movegen`. Absent: a second request during a walk.
//!
//! The position itself, the position turned (could the mover take the king?) and the positions after its moves (do
//! they check?) all go through the one pipeline; what each was for is the purpose in its tag (`feed`).

use super::{
    bank::{Bank, Command},
    feed::Feed,
    move_maker::MoveMaker,
    pipeline::*,
    record_buffer::RecordBuffer,
    request_control::RequestControl,
    serialise::Serialise,
    tag_decoder::TagDecoder,
};
use crate::lazy::Lazy;
use crate::optional::Optional;
use crate::perft::walker::Walker;
use crate::ports::{MoveServer, WalkUnit, WordSource};
use crate::position::faults::{Faults, FAULTS_CLOCKS};
use hayasashi_spec::moves::FLAG_CHECK;
use rust_hdl::prelude::*;

// The faults are known when the result is looked at; the groups of moves when it has come.
const _: () = assert!(FAULTS_CLOCKS < 4 + RESULT_CLOCKS);
const _: () = assert!(TARGETS_CLOCKS + super::bank::FOUND_CLOCKS <= RESULT_CLOCKS + 1);

/// What a unit is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnitConfig {
    /// It counts for the dispatcher; otherwise it only walks.
    pub requests: bool,
    /// It gives the moves to the dispatcher one by one.
    pub generates: bool,
    /// It walks this part of trees that so many units share.
    pub walks: Option<(u32, u32)>,
}

crate::constants! {
    Values {
        bank_load: Bits<2> = 1 << Command::lowest_wire("load");
        bank_take_out: Bits<2> = 1 << Command::lowest_wire("uchifuzume");
        flag_check: Bits<32> = (FLAG_CHECK as u32) << 16;
    }
}

/// Counts and generates the legal moves of one position. By default the only unit of a chip.
#[derive(LogicBlock, Default)]
pub struct MovegenUnit {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// The position image; stable from `start` until the end of the request or walk.
    pub position: Signal<In, Bits<512>>,
    /// For one clock while `requests.ready`: a request.
    pub start: Signal<In, Bit>,
    /// Answers to the dispatcher; hold from `done` to the next `start`.
    pub requests: MoveServer,
    /// The records of the moves one by one.
    pub records: WordSource,
    /// Orders of a walk.
    pub walk: WalkUnit,
    /// For one clock: a position of the walk is counted.
    pub leaf: Signal<Out, Bit>,
    /// Its legal moves; zero without `leaf`.
    pub leaf_count: Signal<Out, Bits<10>>,

    pipeline: Lazy<Pipeline>,
    /// Of the tags that leave the target stage, and of results.
    targets: TagDecoder,
    results: TagDecoder,
    feed: Feed,
    bank: Bank,
    fault_stage: Optional<Faults>,
    serialise: Optional<Serialise>,
    move_maker: MoveMaker,
    control: RequestControl,
    buffer: RecordBuffer,
    walker: Optional<Walker>,
    /// The serialiser stalls in this clock.
    stall: DFF<Bit>,
    /// The serialiser may take the bank's planes: a register by itself, since the walker is far away.
    planes_ready: DFF<Bit>,

    /// A position whose moves are serialised leaves the target stage.
    parent_found: Signal<Local, Bit>,
    bank_command: Signal<Local, Bits<2>>,
    record: Signal<Local, Bits<32>>,
    value: Values,
}

impl MovegenUnit {
    /// A unit for this.
    pub fn new(config: UnitConfig) -> Self {
        let (unit, units) = config.walks.unwrap_or((0, 1));
        MovegenUnit {
            fault_stage: Optional::new(Default::default(), config.requests),
            serialise: Optional::new(Default::default(), config.generates || config.walks.is_some()),
            buffer: RecordBuffer::new(config.generates),
            walker: Optional::new(Walker::new(unit, units), config.walks.is_some()),
            ..Default::default()
        }
    }
}

impl Logic for MovegenUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, pipeline, feed, bank, fault_stage, serialise, move_maker, control, buffer, walker);
        dff_setup!(self, clock, stall, planes_ready);
        MoveServer::link(&mut self.requests, &mut self.control.requests);
        WordSource::link(&mut self.records, &mut self.buffer.records);
        WalkUnit::link(&mut self.walk, &mut self.walker.orders);

        // What leaves the pipeline.
        self.targets.tag.next = self.pipeline.targets.val();
        self.results.tag.next = self.pipeline.result.val();
        self.parent_found.next = self.targets.parent.val() & !self.targets.mate_test.val();

        // The position itself, one of the walk, or a position after a move enters the pipeline. What makes moves stands
        // still where the pipeline takes a position once more.
        self.feed.hold.next = self.pipeline.hold.val();
        self.feed.image.next = self.position.val();
        self.feed.root.next = self.walker.root.val();
        if self.control.offer_root.val() {
            self.feed.root.next = 1.into();
        }
        self.feed.pop.next = self.walker.pop.val();
        self.feed.popped.next = self.walker.popped.val();
        self.feed.leaf.next = self.walker.leaf.val();
        self.feed.child_valid.next = self.move_maker.valid_out.val();
        if self.walk.busy.val() & !self.walker.leaf.val().any() {
            self.feed.child_valid.next = 0.into();
        }
        self.feed.child.next = self.move_maker.child.val();
        self.feed.record.next = self.move_maker.record.val();
        self.feed.null_move.next = self.move_maker.null_move.val();
        self.pipeline.offer.next = self.feed.offer.val();
        self.pipeline.offer_board.next = self.feed.offer_board.val();
        self.fault_stage.start.next = self.control.started.val().into();
        self.fault_stage.image.next = self.position.val();
        self.fault_stage.state_in.next = self.fault_stage.state.val();

        // The planes of a position whose moves are serialised, and the position.
        self.bank_command.next = 0.into();
        if self.parent_found.val() {
            self.bank_command.next = self.value.bank_load.val();
        }
        if self.results.parent.val() & self.pipeline.uchifuzume.val().any() {
            self.bank_command.next = self.bank_command.val() | self.value.bank_take_out.val();
        }
        self.bank.command.next = self.bank_command.val();
        self.bank.moves.next = self.pipeline.moves.val();
        self.bank.drops.next = self.pipeline.drops.val();
        self.bank.holds.next = self.pipeline.holds.val();
        self.bank.theirs.next = self.pipeline.theirs.val();
        self.bank.board.next = self.pipeline.board.val();
        self.bank.planes_in.next = self.bank.planes.val();
        self.bank.board_in.next = self.bank.board_out.val();
        self.bank.empty_in.next = self.bank.empty.val();

        // Planes to moves, moves to positions after them.
        self.stall.d.next = self.pipeline.hold_next.val() | self.walker.pause_next.val();
        self.planes_ready.d.next =
            (self.walker.offer.val().any() | self.control.planes_ready.val()) & !self.serialise.taken.val().any();
        self.serialise.hold.next = self.stall.q.val().into();
        self.serialise.offer.next = self.planes_ready.q.val().into();
        self.serialise.bank.next = self.bank.planes.val();
        self.serialise.state_in.next = self.serialise.state.val();
        self.move_maker.hold.next = self.pipeline.hold.val();
        self.move_maker.valid.next = self.serialise.valid.val();
        self.move_maker.square.next = self.serialise.square.val();
        self.move_maker.direction.next = self.serialise.direction.val();
        self.move_maker.kind.next = self.serialise.kind.val();
        self.move_maker.promote.next = self.serialise.promote.val();
        self.move_maker.first.next = self.serialise.first.val();
        self.move_maker.pause.next = self.walker.pause.val();
        self.move_maker.turning.next = self.control.make_null_move.val().into();
        self.move_maker.coming.next = self.bank.board_out.val();
        self.move_maker.coming_empty.next = self.bank.empty.val();

        // A request of the dispatcher.
        self.control.start.next = self.start.val();
        self.control.root_found.next = self.parent_found.val();
        self.control.turned_found.next = self.targets.turned.val();
        self.control.turned_in_check.next = self.targets.in_check.val();
        self.control.root_counted.next = self.results.parent.val();
        self.control.count.next = self.results.count.val();
        self.control.in_check.next = self.results.in_check.val();
        self.control.uchifuzume.next = self.pipeline.uchifuzume.val().any();
        self.control.faults.next = self.fault_stage.faults.val();
        self.control.planes_taken.next = self.serialise.taken.val().any();
        self.control.record_taken.next = self.records.valid.val() & self.records.take.val();

        // A move leaves the attack network of the position after it: its record is complete.
        self.record.next = self.targets.record.val();
        if self.targets.in_check.val() {
            self.record.next = self.record.val() | self.value.flag_check.val();
        }
        self.buffer.clear.next = self.control.started.val();
        self.buffer.write.next = self.targets.child.val();
        self.buffer.write_data.next = self.record.val();

        // The walk.
        self.walker.hold.next = self.pipeline.hold.val();
        self.walker.move_valid.next = self.serialise.valid.val();
        self.walker.move_first.next = self.serialise.first.val();
        self.walker.move_taken.next = self.serialise.taken.val();
        self.walker.child.next = self.move_maker.child.val();
        self.walker.parent.next = self.results.parent.val();
        self.walker.count.next = self.results.count.val();
        self.walker.counted.next = self.results.leaf.val();
        self.leaf.next = self.results.leaf.val();
        self.leaf_count.next = 0.into();
        if self.results.leaf.val() {
            self.leaf_count.next = self.results.count.val();
        }
    }
}

crate::inputs!(
    MovegenUnit: clock, position, start, requests.want_records, records.take, walk.start, walk.depth, walk.stop
);
