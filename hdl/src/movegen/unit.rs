//! The move generation unit: one position at a time for the dispatcher, or a whole tree of them.
//!
//! ```text
//!                +----------------+
//!   position 512 =>               -> ready, done
//!   start        ->               => faults 5, count 10, result 16   hold from `done` to the next `start`
//!   want_records ->  MovegenUnit  => record 32                       a move record, little-endian
//!   record_next  ->               -> record_valid
//!   walk_start   ->               -> walk_busy
//!   walk_depth 4 =>               -> leaf                            a position of the walk is counted
//!   walk_stop    ->               => leaf_count 10                   its legal moves; else 0
//!   clock        ->               |
//!                +----------------+
//! ```
//!
//! `start` for one clock while `ready`, with `position` stable until `done` and, with `want_records`, until all records are
//! popped. Clocks from `start` to `done`: 21 at most, or 22 where a pawn drop may be mate. With `want_records` and no fault,
//! `count` records follow, collected in a buffer at one per clock and taken out by `record_next` while `record_valid`.
//! The position itself, the position turned (could the mover take the king?) and the positions after its moves (do
//! they check?) all go through the one pipeline.
//!
//! `walk_start` while `ready` and not `walk_busy`, with `position` stable until `walk_busy` falls: the same pipeline and
//! serialiser then walk the tree below the position ([`crate::perft::walker`]), whose last ply but one comes out as `leaf`.
//! The position must have been found without fault.

use super::{
    bank::Bank,
    feed::Feed,
    kept::Kept,
    make_move::MakeMove,
    origin::Origin,
    pipeline::*,
    serialise::Serialise,
    trace::{Departure, Trace},
};
use crate::lazy::Lazy;
use crate::optional::Optional;
use crate::perft::walker::Walker;
use crate::position::faults::{Faults, FAULTS_CLOCKS};
use hayasashi_spec::moves::FLAG_CHECK;
use hayasashi_spec::opcode::{RESULT_CHECK, RESULT_UCHIFUZUME};
use rust_hdl::prelude::*;

/// The buffer holds 1,024 records, more than any position has (`hayasashi_spec::moves::MAX_MOVES`).
const BUFFER_ADDRESS_BITS: usize = 10;

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum State {
    Idle,
    Root,
    Await,
    Decide,
    Serialise,
}

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

/// Counts and generates the legal moves of one position.
#[derive(LogicBlock)]
pub struct MovegenUnit {
    pub clock: Signal<In, Clock>,
    pub position: Signal<In, Bits<512>>,
    pub start: Signal<In, Bit>,
    pub want_records: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
    pub done: Signal<Out, Bit>,
    pub faults: Signal<Out, Bits<5>>,
    pub count: Signal<Out, Bits<10>>,
    pub result: Signal<Out, Bits<16>>,
    pub record: Signal<Out, Bits<32>>,
    pub record_valid: Signal<Out, Bit>,
    pub record_next: Signal<In, Bit>,
    pub walk_start: Signal<In, Bit>,
    pub walk_depth: Signal<In, Bits<4>>,
    pub walk_stop: Signal<In, Bit>,
    pub walk_busy: Signal<Out, Bit>,
    pub leaf: Signal<Out, Bit>,
    pub leaf_count: Signal<Out, Bits<10>>,

    pipeline: Lazy<Pipeline>,
    feed: Feed,
    bank: Bank,
    kept: Kept,
    fault_stage: Optional<Faults>,
    serialise: Optional<Serialise>,
    departure: Departure,
    trace: Trace,
    origin: Origin,
    make_move: MakeMove,
    buffer: Optional<RAM<Bits<32>, BUFFER_ADDRESS_BITS>>,
    walker: Optional<Walker>,

    state: DFF<State>,
    generating: DFF<Bit>,
    /// The null move is made in this clock; its result has come.
    turning: DFF<Bit>,
    turned: DFF<Bit>,
    /// The result has come.
    counted: DFF<Bit>,
    /// The serialiser may take the planes.
    offering: DFF<Bit>,
    capturable: DFF<Bit>,
    done_pulse: DFF<Bit>,
    fault_bits: DFF<Bits<5>>,
    count_kept: DFF<Bits<10>>,
    check_kept: DFF<Bit>,
    uchifuzume_kept: DFF<Bit>,
    left: DFF<Bits<10>>,
    write_at: DFF<Bits<BUFFER_ADDRESS_BITS>>,
    read_at: DFF<Bits<BUFFER_ADDRESS_BITS>>,
    fresh: DFF<Bit>,
    /// The serialiser stands still in this clock.
    stands: DFF<Bit>,
    /// The serialiser may take the planes: a register by itself, since the walker is far away.
    offered: DFF<Bit>,
    /// The request's position is offered in this clock.
    rooting: DFF<Bit>,
    /// There was a fault a clock ago.
    faulty: DFF<Bit>,

    root_command: Signal<Local, Bits<1>>,
    fault_start: Signal<Local, Bits<1>>,
    parent_found: Signal<Local, Bit>,
    taken_out: Signal<Local, Bits<2>>,
    hold: Signal<Local, Bits<1>>,
    parent_counted: Signal<Local, Bit>,
    leaf_counted: Signal<Local, Bit>,
    targets: Signal<Local, Bits<TAG_WIDTH>>,
    result_tag: Signal<Local, Bits<TAG_WIDTH>>,
    move_arrives: Signal<Local, Bit>,
    all_faults: Signal<Local, Bits<5>>,
    record_in: Signal<Local, Bits<32>>,

    purpose_turned: Constant<Bits<2>>,
    purpose_child: Constant<Bits<2>>,
    purpose_parent: Constant<Bits<2>>,
    purpose_leaf: Constant<Bits<2>>,
    flag_check: Constant<Bits<32>>,
    result_check: Constant<Bits<16>>,
    result_uchifuzume: Constant<Bits<16>>,
}

impl Default for MovegenUnit {
    /// The only unit of a chip.
    fn default() -> Self {
        MovegenUnit::new(UnitConfig { requests: true, generates: true, walks: Some((0, 1)) })
    }
}

impl MovegenUnit {
    pub fn new(config: UnitConfig) -> Self {
        let (unit, units) = config.walks.unwrap_or((0, 1));
        MovegenUnit {
            clock: Default::default(),
            position: Default::default(),
            start: Default::default(),
            want_records: Default::default(),
            ready: Default::default(),
            done: Default::default(),
            faults: Default::default(),
            count: Default::default(),
            result: Default::default(),
            record: Default::default(),
            record_valid: Default::default(),
            record_next: Default::default(),
            walk_start: Default::default(),
            walk_depth: Default::default(),
            walk_stop: Default::default(),
            walk_busy: Default::default(),
            leaf: Default::default(),
            leaf_count: Default::default(),
            pipeline: Default::default(),
            feed: Default::default(),
            bank: Default::default(),
            kept: Default::default(),
            fault_stage: Optional::new(Default::default(), config.requests),
            serialise: Optional::new(Default::default(), config.generates || config.walks.is_some()),
            departure: Default::default(),
            trace: Default::default(),
            origin: Default::default(),
            make_move: Default::default(),
            buffer: Optional::new(Default::default(), config.generates),
            walker: Optional::new(Walker::new(unit, units), config.walks.is_some()),
            state: Default::default(),
            generating: Default::default(),
            turning: Default::default(),
            turned: Default::default(),
            counted: Default::default(),
            offering: Default::default(),
            capturable: Default::default(),
            done_pulse: Default::default(),
            fault_bits: Default::default(),
            count_kept: Default::default(),
            check_kept: Default::default(),
            uchifuzume_kept: Default::default(),
            left: Default::default(),
            write_at: Default::default(),
            read_at: Default::default(),
            fresh: Default::default(),
            stands: Default::default(),
            offered: Default::default(),
            rooting: Default::default(),
            faulty: Default::default(),
            root_command: Default::default(),
            fault_start: Default::default(),
            parent_found: Default::default(),
            taken_out: Default::default(),
            hold: Default::default(),
            parent_counted: Default::default(),
            leaf_counted: Default::default(),
            targets: Default::default(),
            result_tag: Default::default(),
            move_arrives: Default::default(),
            all_faults: Default::default(),
            record_in: Default::default(),
            purpose_turned: Constant::new(super::feed::TURNED.to_bits()),
            purpose_child: Constant::new(super::feed::CHILD.to_bits()),
            purpose_parent: Constant::new(super::feed::PARENT.to_bits()),
            purpose_leaf: Constant::new(super::feed::LEAF.to_bits()),
            flag_check: Constant::new(((FLAG_CHECK as u32) << 16).to_bits()),
            result_check: Constant::new(RESULT_CHECK.to_bits()),
            result_uchifuzume: Constant::new(RESULT_UCHIFUZUME.to_bits()),
        }
    }
}

impl Logic for MovegenUnit {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, pipeline, feed, bank, kept, fault_stage, serialise, walker);
        clock!(self, clock, departure, trace, origin, make_move);
        dff_setup!(self, clock, state, generating, turning, turned, counted, offering, capturable, done_pulse);
        dff_setup!(self, clock, fault_bits, count_kept, check_kept, uchifuzume_kept, left, write_at, read_at, fresh);
        dff_setup!(self, clock, stands, offered, rooting, faulty);
        self.buffer.read_clock.next = self.clock.val();
        self.buffer.write_clock.next = self.clock.val();

        // What makes moves stands still where the pipeline takes a position once more.
        self.hold.next = self.pipeline.hold.val();
        self.feed.hold.next = self.hold.val();
        self.stands.d.next = self.pipeline.hold_next.val() | self.walker.pause_next.val();
        self.serialise.hold.next = self.stands.q.val().into();
        self.departure.hold.next = self.hold.val();
        self.trace.hold.next = self.hold.val();
        self.kept.hold.next = self.hold.val();
        self.origin.hold.next = self.hold.val();
        self.make_move.hold.next = self.hold.val();

        // The position itself, one of the walk, or a position after a move enters the pipeline.
        self.fault_stage.image.next = self.position.val();
        self.fault_stage.state_in.next = self.fault_stage.state.val();
        self.feed.image.next = self.position.val();
        self.feed.pop.next = self.walker.pop.val();
        self.feed.popped.next = self.walker.popped.val();
        self.feed.leaf.next = self.walker.leaf.val();
        self.feed.child_valid.next = self.make_move.valid_out.val();
        if self.walker.busy.val() & !self.walker.leaf.val().any() {
            self.feed.child_valid.next = 0.into();
        }
        self.feed.child.next = self.make_move.child.val();
        self.feed.record.next = self.make_move.record.val();
        self.feed.null_move.next = self.make_move.null_move.val();
        self.root_command.next = self.walker.root.val();
        if self.rooting.q.val() {
            self.root_command.next = 1.into();
        }
        self.feed.root.next = self.root_command.val();
        self.pipeline.offer.next = self.feed.offer.val();
        self.pipeline.offer_board.next = self.feed.offer_board.val();
        self.targets.next = self.pipeline.targets.val();
        self.result_tag.next = self.pipeline.result.val();

        // The planes of a position whose moves are serialised, and the position.
        self.bank.moves.next = self.pipeline.moves.val();
        self.bank.drops.next = self.pipeline.drops.val();
        self.bank.holds.next = self.pipeline.holds.val();
        self.bank.theirs.next = self.pipeline.theirs.val();
        self.bank.board.next = self.pipeline.board.val();
        self.bank.planes_in.next = self.bank.planes.val();
        self.bank.board_in.next = self.bank.board_out.val();
        self.bank.empty_in.next = self.bank.empty.val();
        self.parent_counted.next =
            self.result_tag.val().get_bit(0) & (self.result_tag.val().get_bits::<2>(14) == self.purpose_parent.val());
        self.parent_found.next = self.targets.val().get_bit(0)
            & !self.targets.val().get_bit(1)
            & (self.targets.val().get_bits::<2>(14) == self.purpose_parent.val());
        self.taken_out.next = 0.into();
        if self.parent_counted.val() & self.pipeline.uchifuzume.val().any() {
            self.taken_out.next = 2.into();
        }
        self.bank.command.next = bit_cast::<2, 1>(self.parent_found.val().into()) | self.taken_out.val();

        // Planes to moves, moves to positions after them.
        self.offered.d.next =
            (self.walker.offer.val().any() | self.offering.q.val()) & !self.serialise.taken.val().any();
        self.serialise.offer.next = self.offered.q.val().into();
        self.serialise.bank.next = self.bank.planes.val();
        self.serialise.state_in.next = self.serialise.state.val();
        self.departure.valid.next = self.serialise.valid.val();
        self.departure.square.next = self.serialise.square.val();
        self.departure.direction.next = self.serialise.direction.val();
        self.departure.kind.next = self.serialise.kind.val();
        self.departure.promote.next = self.serialise.promote.val();
        self.departure.first.next = self.serialise.first.val();
        self.departure.pause.next = self.walker.pause.val();
        self.departure.turning.next = self.turning.q.val().into();
        self.kept.stay.next = self.departure.stays_out.val();
        self.kept.coming.next = self.bank.board_out.val();
        self.kept.board_in.next = self.kept.board.val();
        self.trace.valid.next = self.departure.valid_out.val();
        self.trace.square.next = self.departure.square_out.val();
        self.trace.direction.next = self.departure.direction_out.val();
        self.trace.kind.next = self.departure.kind_out.val();
        self.trace.promote.next = self.departure.promote_out.val();
        self.trace.first.next = self.departure.first_out.val();
        self.trace.empty.next = self.kept.empty.val();
        self.trace.coming.next = self.bank.empty.val();
        self.origin.valid.next = self.trace.valid_out.val();
        self.origin.to.next = self.trace.to.val();
        self.origin.rays.next = self.trace.rays.val();
        self.origin.kind.next = self.trace.kind_out.val();
        self.origin.promote.next = self.trace.promote_out.val();
        self.origin.board.next = self.kept.board.val();
        self.origin.own.next = self.kept.own.val();
        self.make_move.valid.next = self.origin.valid_out.val();
        self.make_move.to.next = self.origin.to_out.val();
        self.make_move.from.next = self.origin.from.val();
        self.make_move.kind.next = self.origin.kind_out.val();
        self.make_move.promote.next = self.origin.promote_out.val();
        self.make_move.moved.next = self.origin.moved.val();
        self.make_move.captured.next = self.origin.captured.val();
        self.make_move.board.next = self.kept.last.val();

        // The walk.
        self.leaf_counted.next =
            self.result_tag.val().get_bit(0) & (self.result_tag.val().get_bits::<2>(14) == self.purpose_leaf.val());
        self.walker.start.next = self.walk_start.val();
        self.walker.depth.next = self.walk_depth.val();
        self.walker.stop.next = self.walk_stop.val();
        self.walker.hold.next = self.hold.val();
        self.walker.move_valid.next = self.serialise.valid.val();
        self.walker.move_first.next = self.serialise.first.val();
        self.walker.move_taken.next = self.serialise.taken.val();
        self.walker.child.next = self.make_move.child.val();
        self.walker.parent.next = self.parent_counted.val();
        self.walker.count.next = self.result_tag.val().get_bits::<10>(4);
        self.walker.counted.next = self.leaf_counted.val();
        self.walk_busy.next = self.walker.busy.val();
        self.leaf.next = self.leaf_counted.val();
        self.leaf_count.next = 0.into();
        if self.leaf_counted.val() {
            self.leaf_count.next = self.result_tag.val().get_bits::<10>(4);
        }

        // A request.
        self.all_faults.next = bit_cast::<5, 4>(self.fault_stage.faults.val());
        if self.capturable.q.val() {
            self.all_faults.next = bit_cast::<5, 4>(self.fault_stage.faults.val()) | 16;
        }
        self.done_pulse.d.next = false;
        self.turning.d.next = false;
        self.faulty.d.next = self.all_faults.val().any();
        self.rooting.d.next = false;
        self.fault_start.next = 0.into();
        if (self.state.q.val() == State::Idle) & self.start.val() {
            self.fault_start.next = 1.into();
            self.generating.d.next = self.want_records.val();
            self.turned.d.next = false;
            self.counted.d.next = false;
            self.capturable.d.next = false;
            self.write_at.d.next = 0.into();
            self.read_at.d.next = 0.into();
            self.left.d.next = 0.into();
            self.rooting.d.next = true;
            self.state.d.next = State::Root;
        }
        if self.state.q.val() == State::Root {
            self.state.d.next = State::Await;
        }
        if (self.state.q.val() == State::Await) & self.parent_found.val() {
            self.turning.d.next = true;
        }
        if self.targets.val().get_bit(0) & (self.targets.val().get_bits::<2>(14) == self.purpose_turned.val()) {
            self.turned.d.next = true;
            self.capturable.d.next = self.targets.val().get_bit(3);
        }
        if (self.state.q.val() == State::Await) & self.parent_counted.val() {
            self.count_kept.d.next = self.result_tag.val().get_bits::<10>(4);
            self.check_kept.d.next = self.result_tag.val().get_bit(3);
            self.uchifuzume_kept.d.next = self.pipeline.uchifuzume.val().any();
            self.counted.d.next = true;
        }
        if (self.state.q.val() == State::Await) & self.counted.q.val() & self.turned.q.val() {
            self.state.d.next = State::Decide;
        }
        if self.serialise.taken.val().any() {
            self.offering.d.next = false;
        }
        if self.state.q.val() == State::Decide {
            self.fault_bits.d.next = self.all_faults.val();
            self.done_pulse.d.next = true;
            self.state.d.next = State::Idle;
            if self.generating.q.val() & !self.faulty.q.val() {
                self.left.d.next = self.count_kept.q.val();
                self.offering.d.next = self.count_kept.q.val().any();
                self.state.d.next = State::Serialise;
            }
        }
        self.fault_stage.start.next = self.fault_start.val();

        // A move leaves the attack network of the position after it: its record is complete.
        self.move_arrives.next =
            self.targets.val().get_bit(0) & (self.targets.val().get_bits::<2>(14) == self.purpose_child.val());
        self.record_in.next = self.targets.val().get_bits::<32>(16);
        if self.targets.val().get_bit(3) {
            self.record_in.next = self.targets.val().get_bits::<32>(16) | self.flag_check.val();
        }
        self.buffer.write_address.next = self.write_at.q.val();
        self.buffer.write_data.next = self.record_in.val();
        self.buffer.write_enable.next = self.move_arrives.val();
        if self.move_arrives.val() {
            self.write_at.d.next = self.write_at.q.val() + 1;
        }

        // The buffer is read a clock ahead; `fresh` says that its output belongs to `read_at`.
        self.buffer.read_address.next = self.read_at.q.val();
        self.fresh.d.next = self.read_at.q.val() != self.write_at.q.val();
        self.record.next = self.buffer.read_data.val();
        self.record_valid.next = self.fresh.q.val();
        if self.fresh.q.val() & self.record_next.val() {
            self.fresh.d.next = false;
            self.read_at.d.next = self.read_at.q.val() + 1;
            self.left.d.next = self.left.q.val() - 1;
        }
        if (self.state.q.val() == State::Serialise) & (self.left.q.val() == 0) {
            self.state.d.next = State::Idle;
        }

        self.ready.next = self.state.q.val() == State::Idle;
        self.done.next = self.done_pulse.q.val();
        self.faults.next = self.fault_bits.q.val();
        self.count.next = self.count_kept.q.val();
        self.result.next = 0.into();
        if self.check_kept.q.val() {
            self.result.next = self.result_check.val();
        }
        if self.uchifuzume_kept.q.val() {
            self.result.next = self.result_uchifuzume.val();
        }
        if self.check_kept.q.val() & self.uchifuzume_kept.q.val() {
            self.result.next = self.result_check.val() | self.result_uchifuzume.val();
        }
    }
}

crate::inputs!(
    MovegenUnit: clock, position, start, want_records, record_next, walk_start, walk_depth, walk_stop
);
