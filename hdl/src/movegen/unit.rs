//! The move generation unit: one position at a time for the dispatcher.
//!
//! ```text
//!                +----------------+
//!   position 512 =>               -> ready, done
//!   start        ->               => faults 5, count 10, result 16   hold from `done` to the next `start`
//!   want_records ->  MovegenUnit  => record 32                       a move record, little-endian
//!   record_next  ->               -> record_valid
//!   clock        ->               |
//!                +----------------+
//! ```
//!
//! `start` for one clock while `ready`, with `position` stable until `done` and, with `want_records`, until all records are
//! popped. Clocks from `start` to `done`: 12, or 19 where a pawn drop may be mate. With `want_records` and no fault, `count`
//! records follow, collected in a buffer at one per clock and taken out by `record_next` while `record_valid`.
//! The position itself, the position turned (could the mover take the king?) and the positions after its moves (do
//! they check?) all go through the one pipeline.

use super::{
    feed::Feed, kept::Kept, make_move::MakeMove, origin::Origin, pipeline::*, serialise::Serialise, trace::Trace,
};
use crate::lazy::Lazy;
use crate::position::faults::{Faults, FAULTS_CLOCKS};
use hayasashi_spec::moves::FLAG_CHECK;
use hayasashi_spec::opcode::{RESULT_CHECK, RESULT_UCHIFUZUME};
use rust_hdl::prelude::*;

/// The buffer holds 1,024 records, more than any position has (`hayasashi_spec::moves::MAX_MOVES`).
const BUFFER_ADDRESS_BITS: usize = 10;

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
enum State {
    Idle,
    Turn,
    Root,
    Await,
    Decide,
    Serialise,
}

// The faults and the check of the turned position (a move made in 3 clocks, offered in one) are known when the result
// is looked at, a clock after it came.
const _: () = assert!(FAULTS_CLOCKS <= 4 + RESULT_CLOCKS && 2 + 3 + 1 + TARGETS_CLOCKS <= 4 + RESULT_CLOCKS);
const _: () = assert!(TARGETS_CLOCKS + super::serialise::START_CLOCKS <= RESULT_CLOCKS);

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

    pipeline: Lazy<Pipeline>,
    feed: Feed,
    kept: Kept,
    fault_stage: Faults,
    serialise: Serialise,
    trace: Trace,
    origin: Origin,
    make_move: MakeMove,
    buffer: RAM<Bits<32>, BUFFER_ADDRESS_BITS>,

    state: DFF<State>,
    generating: DFF<Bit>,
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

    root_command: Signal<Local, Bits<1>>,
    trace_valid: Signal<Local, Bits<1>>,
    fault_start: Signal<Local, Bits<1>>,
    serialise_command: Signal<Local, Bits<3>>,
    targets: Signal<Local, Bits<TAG_WIDTH>>,
    result_tag: Signal<Local, Bits<TAG_WIDTH>>,
    move_arrives: Signal<Local, Bit>,
    all_faults: Signal<Local, Bits<5>>,
    record_in: Signal<Local, Bits<32>>,

    purpose_turned: Constant<Bits<2>>,
    purpose_child: Constant<Bits<2>>,
    purpose_root: Constant<Bits<2>>,
    flag_check: Constant<Bits<32>>,
    result_check: Constant<Bits<16>>,
    result_uchifuzume: Constant<Bits<16>>,
}

impl Default for MovegenUnit {
    fn default() -> Self {
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
            pipeline: Default::default(),
            feed: Default::default(),
            kept: Default::default(),
            fault_stage: Default::default(),
            serialise: Default::default(),
            trace: Default::default(),
            origin: Default::default(),
            make_move: Default::default(),
            buffer: Default::default(),
            state: Default::default(),
            generating: Default::default(),
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
            root_command: Default::default(),
            trace_valid: Default::default(),
            fault_start: Default::default(),
            serialise_command: Default::default(),
            targets: Default::default(),
            result_tag: Default::default(),
            move_arrives: Default::default(),
            all_faults: Default::default(),
            record_in: Default::default(),
            purpose_turned: Constant::new(super::feed::TURNED.to_bits()),
            purpose_child: Constant::new(super::feed::CHILD.to_bits()),
            purpose_root: Constant::new(super::feed::ROOT.to_bits()),
            flag_check: Constant::new(((FLAG_CHECK as u32) << 16).to_bits()),
            result_check: Constant::new(RESULT_CHECK.to_bits()),
            result_uchifuzume: Constant::new(RESULT_UCHIFUZUME.to_bits()),
        }
    }
}

impl Logic for MovegenUnit {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            generating,
            capturable,
            done_pulse,
            fault_bits,
            count_kept,
            check_kept,
            uchifuzume_kept,
            left,
            write_at,
            read_at,
            fresh
        );
        self.pipeline.clock.next = self.clock.val();
        self.feed.clock.next = self.clock.val();
        self.kept.clock.next = self.clock.val();
        self.fault_stage.clock.next = self.clock.val();
        self.serialise.clock.next = self.clock.val();
        self.trace.clock.next = self.clock.val();
        self.origin.clock.next = self.clock.val();
        self.make_move.clock.next = self.clock.val();
        self.buffer.read_clock.next = self.clock.val();
        self.buffer.write_clock.next = self.clock.val();

        self.kept.image.next = self.position.val();

        // The position itself, or a position after a move, enters the pipeline.
        self.fault_stage.image.next = self.position.val();
        self.fault_stage.state_in.next = self.fault_stage.state.val();
        self.feed.image.next = self.position.val();
        self.feed.child_valid.next = self.make_move.valid_out.val();
        self.feed.child.next = self.make_move.child.val();
        self.feed.record.next = self.make_move.record.val();
        self.feed.null_move.next = self.make_move.null_move.val();
        self.root_command.next = 0.into();
        if self.state.q.val() == State::Root {
            self.root_command.next = 1.into();
        }
        self.feed.root.next = self.root_command.val();
        self.pipeline.offer.next = self.feed.offer.val();
        self.pipeline.offer_board.next = self.feed.offer_board.val();
        self.targets.next = self.pipeline.targets.val();
        self.result_tag.next = self.pipeline.result.val();

        // Planes to moves, moves to positions after them.
        self.serialise.moves.next = self.pipeline.moves.val();
        self.serialise.drops.next = self.pipeline.drops.val();
        self.serialise.holds.next = self.pipeline.holds.val();
        self.serialise.theirs.next = self.pipeline.theirs.val();
        self.serialise.state_in.next = self.serialise.state.val();
        // The serialiser is empty while the null move is made: no destination, no group.
        self.trace_valid.next = self.serialise.valid.val();
        if self.state.q.val() == State::Turn {
            self.trace_valid.next = 1.into();
        }
        self.trace.valid.next = self.trace_valid.val();
        self.trace.square.next = self.serialise.square.val();
        self.trace.direction.next = self.serialise.direction.val();
        self.trace.kind.next = self.serialise.kind.val();
        self.trace.promote.next = self.serialise.promote.val();
        self.trace.empty.next = self.kept.empty.val();
        self.origin.valid.next = self.trace.valid_out.val();
        self.origin.to.next = self.trace.to.val();
        self.origin.rays.next = self.trace.rays.val();
        self.origin.kind.next = self.trace.kind_out.val();
        self.origin.promote.next = self.trace.promote_out.val();
        self.origin.image.next = self.kept.image_out.val();
        self.origin.own.next = self.kept.own.val();
        self.make_move.valid.next = self.origin.valid_out.val();
        self.make_move.to.next = self.origin.to_out.val();
        self.make_move.from.next = self.origin.from.val();
        self.make_move.kind.next = self.origin.kind_out.val();
        self.make_move.promote.next = self.origin.promote_out.val();
        self.make_move.moved.next = self.origin.moved.val();
        self.make_move.captured.next = self.origin.captured.val();
        self.make_move.image.next = self.kept.image_out.val();

        // The serialiser takes the planes of the position itself, and starts with its result.
        self.serialise_command.next = 0.into();
        if self.targets.val().get_bit(0)
            & !self.targets.val().get_bit(1)
            & (self.targets.val().get_bits::<2>(14) == self.purpose_root.val())
        {
            self.serialise_command.next = 1.into();
        }

        self.all_faults.next = bit_cast::<5, 4>(self.fault_stage.faults.val());
        if self.capturable.q.val() {
            self.all_faults.next = bit_cast::<5, 4>(self.fault_stage.faults.val()) | 16;
        }

        self.done_pulse.d.next = false;
        self.fault_start.next = 0.into();
        if (self.state.q.val() == State::Idle) & self.start.val() {
            self.fault_start.next = 1.into();
            self.generating.d.next = self.want_records.val();
            self.capturable.d.next = false;
            self.write_at.d.next = 0.into();
            self.read_at.d.next = 0.into();
            self.left.d.next = 0.into();
            self.state.d.next = State::Turn;
        }
        if self.state.q.val() == State::Turn {
            self.state.d.next = State::Root;
        }
        if self.state.q.val() == State::Root {
            self.state.d.next = State::Await;
        }
        if self.targets.val().get_bit(0)
            & self.targets.val().get_bit(3)
            & (self.targets.val().get_bits::<2>(14) == self.purpose_turned.val())
        {
            self.capturable.d.next = true;
        }
        if (self.state.q.val() == State::Await) & self.result_tag.val().get_bit(0) {
            self.count_kept.d.next = self.result_tag.val().get_bits::<10>(4);
            self.check_kept.d.next = self.result_tag.val().get_bit(3);
            self.uchifuzume_kept.d.next = self.pipeline.uchifuzume.val().any();
            self.state.d.next = State::Decide;
        }
        if self.state.q.val() == State::Decide {
            self.fault_bits.d.next = self.all_faults.val();
            self.done_pulse.d.next = true;
            self.state.d.next = State::Idle;
            if self.generating.q.val() & (self.all_faults.val() == 0) {
                self.left.d.next = self.count_kept.q.val();
                self.state.d.next = State::Serialise;
                self.serialise_command.next = 2.into();
                if self.uchifuzume_kept.q.val() {
                    self.serialise_command.next = 6.into();
                }
            }
        }
        self.fault_stage.start.next = self.fault_start.val();
        self.serialise.command.next = self.serialise_command.val();

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

crate::inputs!(MovegenUnit: clock, position, start, want_records, record_next);
