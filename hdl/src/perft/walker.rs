//! A unit's part of a walk: which moves to make next.
//!
//! ```text
//!                +--------+
//!   clock       ->        =>            orders: `ports::WalkUnit`
//!   orders      =>        => job 24     see `movegen::operation::Job`
//!   begins      ->        -> stopping   no new job starts
//!   room        -> Walker |
//!   picked      ->        |
//!   left        ->        |
//!   stored      ->        |
//!   groups 6    =>        |
//!   operation   ->        |
//!                +--------+
//! ```
//!
//! Handshake: see [`super::schedule`] and [`super::walk_state`], the two blocks inside. `begins` at the start of a walk.
//! Latency: see there. Cost: 278 flip-flops. Model: `model/perft`. Absent: the sums; transpositions.
//! Throughput: one walk at a time. Order of the walk: see [`crate::perft`].

use super::{nodes::UNIT_BITS, schedule::Schedule, walk_state::WalkState};
use crate::movegen::operation::{Job, GROUP_BITS};
use crate::network::width;
use crate::ports::WalkUnit;
use hayasashi_spec::perft::MAX_UNITS;
use rust_hdl::prelude::*;

/// Schedules the moves of a walk. By default the only unit's.
#[derive(LogicBlock)]
pub struct Walker {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// Orders of a walk.
    pub orders: WalkUnit,
    /// For one clock: the root comes.
    pub begins: Signal<In, Bit>,
    /// A job may be given.
    pub room: Signal<In, Bit>,
    /// The move of a job for one move is picked.
    pub picked: Signal<In, Bits<1>>,
    /// With `picked`: its group has more moves.
    pub left: Signal<In, Bits<1>>,
    /// The node under way may be read.
    pub stored: Signal<In, Bit>,
    /// With `stored`: its groups.
    pub groups: Signal<In, Bits<GROUP_BITS>>,
    /// A move is being made.
    pub operation: Signal<In, Bit>,
    /// The next job.
    pub job: Signal<Out, Bits<{ width::<Job>() }>>,
    /// No new job starts.
    pub stopping: Signal<Out, Bit>,
    state: WalkState,
    schedule: Schedule,
    shares: Constant<Bit>,
    unit: Constant<Bits<UNIT_BITS>>,
    last_unit: Constant<Bits<UNIT_BITS>>,
}

impl Default for Walker {
    fn default() -> Self {
        Walker::new(0, 1)
    }
}

impl Walker {
    /// Walks the `unit`th part of trees that `units` share.
    ///
    /// # Panics
    /// If there is no such unit, or more than [`MAX_UNITS`].
    pub fn new(unit: u32, units: u32) -> Self {
        assert!(unit < units && units <= MAX_UNITS, "unit {unit} of {units}");
        const { assert!(MAX_UNITS <= 1 << UNIT_BITS) };
        Walker {
            clock: Default::default(),
            reset: Default::default(),
            orders: Default::default(),
            begins: Default::default(),
            room: Default::default(),
            picked: Default::default(),
            left: Default::default(),
            stored: Default::default(),
            groups: Default::default(),
            operation: Default::default(),
            job: Default::default(),
            stopping: Default::default(),
            state: WalkState::new(unit == 0),
            schedule: Default::default(),
            shares: Constant::new(units > 1),
            unit: Constant::new(unit.to_bits()),
            last_unit: Constant::new((units - 1).to_bits()),
        }
    }
}

impl Logic for Walker {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, state, schedule);
        WalkUnit::link(&mut self.orders, &mut self.state.orders);
        self.state.reset.next = self.reset.val();
        self.state.idle.next = self.schedule.idle.val().any();
        self.state.operation.next = self.operation.val();
        self.schedule.active.next = self.orders.busy.val().into();
        self.schedule.stopping.next = self.state.stopping.val().into();
        self.schedule.last_ply.next = self.state.last_ply.val();
        self.schedule.shares.next = self.shares.val().into();
        self.schedule.shared_ply.next = self.state.shared_ply.val();
        self.schedule.unit.next = self.unit.val();
        self.schedule.last_unit.next = self.last_unit.val();
        self.schedule.begins.next = self.begins.val().into();
        self.schedule.room.next = self.room.val().into();
        self.schedule.picked.next = self.picked.val();
        self.schedule.left.next = self.left.val();
        self.schedule.stored.next = self.stored.val().into();
        self.schedule.groups.next = self.groups.val();
        self.schedule.state_in.next = self.schedule.state.val();
        self.stopping.next = self.state.stopping.val();
        self.job.next = self.schedule.job.val();
    }
}
