//! The units of a chip: move generation, those that only walk, and evaluation.
//!
//! ```text
//!                  +-------+
//!   clock, reset  ->       =>         moves: `ports::MoveServer`
//!   position      =>       =>         answers: `ports::WordSource`, the words of the oldest answer
//!   moves         => Units =>         table: `ports::TableServer`
//!   answers       =>       =>         walk: `ports::WalkUnit`
//!   table         =>       =>         walk_counts: `ports::LeafCounts`, of all units
//!   walk          =>       =>         search: `ports::SearchTask`, one for each walker of searches
//!   search        =>       |          position: `ports::PositionSink`
//!                  +-------+
//! ```
//!
//! Handshake: `position.start` behind the words of a position, while `moves.ready`, with the request in the next clock. The rest is
//! that of `movegen::unit` and `evaluate::unit`. Table bytes may come while no position is under way.
//! A chip that only searches has no unit of moves: `position::fault_server` answers in its place.
//! Latency: a unit starts two clocks after `position.start`. Throughput: see there. Cost: see `constraints/AREA.md`.
//! Model: `model`. Absent: frames (`link`); the units that `ChipConfig` leaves out.

use crate::{
    config::{ChipConfig, MAX_PERFT_UNITS},
    evaluate::unit::EvaluateUnit,
    lazy::Lazy,
    movegen::unit::{MovegenUnit, UnitConfig},
    optional::Optional,
    ports::{LeafCounts, MoveServer, PositionSink, SearchTask, TableServer, WalkUnit, WordSource},
    position::{arrival::Arrival, fault_server::FaultServer},
    search::{seats::SEATS, walkers::Walkers},
};
use hayasashi_spec::registers::{CAP_EVALUATE, CAP_MOVEGEN, CAP_NETWORK, CAP_PERFT, CAP_SEARCH};
use rust_hdl::prelude::*;

/// Units beside the first.
const OTHERS: usize = MAX_PERFT_UNITS as usize - 1;
const _: () = assert!(OTHERS == 3);

/// The units.
#[derive(LogicBlock)]
pub struct Units {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way, and the table.
    pub reset: Signal<In, Bit>,
    /// A position.
    pub position: PositionSink,
    /// Requests.
    pub moves: MoveServer,
    /// The words of the oldest answer.
    pub answers: WordSource,
    /// The evaluation table.
    pub table: TableServer,
    /// Orders of a walk.
    pub walk: WalkUnit,
    /// What all units count.
    pub walk_counts: LeafCounts,
    /// Searches.
    pub search: [SearchTask; SEATS],
    arrival: Lazy<Arrival>,
    /// The position that was started last.
    image: DFF<Bits<512>>,
    /// `position.start`, one clock later and two.
    complete: DFF<Bit>,
    starts: DFF<Bit>,
    movegen: Optional<Lazy<MovegenUnit>>,
    fault_server: Optional<Lazy<FaultServer>>,
    /// Units that only walk.
    walkers: [Optional<Lazy<MovegenUnit>>; OTHERS],
    /// Position registers in a row: each unit has its own beside it.
    walker_arrivals: [Optional<Lazy<Arrival>>; OTHERS],
    passing_valid: DFF<Bit>,
    passing_data: DFF<Bits<64>>,
    evaluate: Optional<Lazy<EvaluateUnit>>,
    searchers: Optional<Walkers>,
}

impl Units {
    /// Of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        let absent = UnitConfig { requests: false, generates: false, scores: false, walks: None };
        let units = if chip.has(CAP_PERFT) { chip.perft_units } else { 0 };
        let unit = |unit: u32| UnitConfig {
            requests: unit == 0,
            generates: unit == 0 && chip.has(CAP_MOVEGEN),
            scores: unit == 0 && chip.has(CAP_EVALUATE),
            walks: (unit < units).then_some((unit, units)),
        };
        Units {
            clock: Default::default(),
            reset: Default::default(),
            position: Default::default(),
            moves: Default::default(),
            answers: Default::default(),
            table: Default::default(),
            walk: Default::default(),
            walk_counts: Default::default(),
            search: Default::default(),
            arrival: Default::default(),
            image: Default::default(),
            complete: Default::default(),
            starts: Default::default(),
            movegen: Optional::new(Lazy::new(MovegenUnit::new(unit(0))), !chip.only_searches()),
            fault_server: Optional::new(Default::default(), chip.only_searches()),
            walkers: std::array::from_fn(|i| {
                let present = i as u32 + 1 < units;
                Optional::new(Lazy::new(MovegenUnit::new(if present { unit(i as u32 + 1) } else { absent })), present)
            }),
            walker_arrivals: std::array::from_fn(|i| Optional::new(Default::default(), i as u32 + 1 < units)),
            passing_valid: Default::default(),
            passing_data: Default::default(),
            evaluate: Optional::new(Lazy::new(EvaluateUnit::new(chip.has(CAP_NETWORK))), chip.has(CAP_EVALUATE)),
            searchers: Optional::new(Walkers::new(chip), chip.has(CAP_SEARCH)),
        }
    }
}

impl Logic for Units {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, arrival, movegen, fault_server, evaluate, searchers);
        dff_setup!(self, clock, image, complete, starts, passing_valid, passing_data);
        for i in 0..4 {
            SearchTask::link(&mut self.search[i], &mut self.searchers.search[i]);
        }
        self.movegen.reset.next = self.reset.val();
        self.fault_server.reset.next = self.reset.val();
        self.evaluate.reset.next = self.reset.val();

        // One of the two is absent, and gives zeros.
        self.movegen.requests.want_records.next = self.moves.want_records.val();
        self.movegen.requests.want_scores.next = self.moves.want_scores.val();
        self.movegen.requests.retire.next = self.moves.retire.val();
        self.movegen.words.take.next = self.answers.take.val();
        self.fault_server.requests.want_records.next = self.moves.want_records.val();
        self.fault_server.requests.want_scores.next = self.moves.want_scores.val();
        self.fault_server.requests.retire.next = self.moves.retire.val();
        self.fault_server.words.take.next = self.answers.take.val();
        self.moves.ready.next = self.movegen.requests.ready.val() | self.fault_server.requests.ready.val();
        self.moves.answered.next = self.movegen.requests.answered.val() | self.fault_server.requests.answered.val();
        self.moves.faults.next = self.movegen.requests.faults.val() | self.fault_server.requests.faults.val();
        self.moves.count.next = self.movegen.requests.count.val();
        self.moves.length.next = self.movegen.requests.length.val();
        self.answers.data.next = self.movegen.words.data.val() | self.fault_server.words.data.val();
        self.answers.valid.next = self.movegen.words.valid.val() | self.fault_server.words.valid.val();

        // The last word is in its place two clocks after it came; the next position's words may follow at once.
        self.arrival.valid.next = self.position.valid.val();
        self.arrival.data.next = self.position.data.val();
        self.complete.d.next = self.position.start.val();
        self.starts.d.next = self.complete.q.val();
        if self.complete.q.val() {
            self.image.d.next = self.arrival.position.val();
        }
        self.movegen.position.next = self.image.q.val();
        self.movegen.start.next = self.starts.q.val();
        self.fault_server.position.next = self.image.q.val();
        self.fault_server.start.next = self.starts.q.val();
        self.movegen.walk.start.next = self.walk.start.val();
        self.movegen.walk.depth.next = self.walk.depth.val();
        self.movegen.walk.stop.next = self.walk.stop.val();

        self.passing_valid.d.next = self.arrival.valid_out.val();
        self.passing_data.d.next = self.arrival.data_out.val();
        self.walker_arrivals[0].valid.next = self.passing_valid.q.val();
        self.walker_arrivals[0].data.next = self.passing_data.q.val();
        for i in 0..2 {
            self.walker_arrivals[i + 1].valid.next = self.walker_arrivals[i].valid_out.val();
            self.walker_arrivals[i + 1].data.next = self.walker_arrivals[i].data_out.val();
        }
        for i in 0..3 {
            self.walker_arrivals[i].clock.next = self.clock.val();
            self.walkers[i].clock.next = self.clock.val();
            self.walkers[i].reset.next = self.reset.val();
            self.walkers[i].position.next = self.walker_arrivals[i].position.val();
            self.walkers[i].start.next = false;
            self.walkers[i].requests.want_records.next = false;
            self.walkers[i].requests.want_scores.next = false;
            self.walkers[i].requests.retire.next = false;
            self.walkers[i].words.take.next = false;
            self.walkers[i].scores.root.next = false;
            self.walkers[i].scores.child.next = false;
            self.walkers[i].scores.score.next = 0.into();
            self.walkers[i].walk.start.next = self.walk.start.val();
            self.walkers[i].walk.depth.next = self.walk.depth.val();
            self.walkers[i].walk.stop.next = self.walk.stop.val();
        }
        self.walk.busy.next = self.movegen.walk.busy.val()
            | self.walkers[0].walk.busy.val()
            | self.walkers[1].walk.busy.val()
            | self.walkers[2].walk.busy.val();
        self.walk_counts.leaves.next = bit_cast::<12, 10>(self.movegen.leaf_count.val())
            + bit_cast::<12, 10>(self.walkers[0].leaf_count.val())
            + bit_cast::<12, 10>(self.walkers[1].leaf_count.val())
            + bit_cast::<12, 10>(self.walkers[2].leaf_count.val());
        self.walk_counts.expansions.next = bit_cast::<3, 1>(self.movegen.leaf.val().into())
            + bit_cast::<3, 1>(self.walkers[0].leaf.val().into())
            + bit_cast::<3, 1>(self.walkers[1].leaf.val().into())
            + bit_cast::<3, 1>(self.walkers[2].leaf.val().into());

        // The evaluator works for the walkers of searches or for the others: nothing else is asked while a search is under way.
        self.searchers.reset.next = self.reset.val();
        self.searchers.image.next = self.image.q.val();
        self.searchers.takes.next = self.evaluate.search_takes.val();
        self.searchers.score_valid.next = self.evaluate.search_scored.val();
        self.searchers.score.next = self.evaluate.search_score.val();
        self.evaluate.board.next = self.movegen.made.val();
        if self.searchers.starts.val() {
            self.evaluate.board.next = self.searchers.board.val();
        }
        self.evaluate.start.next = self.movegen.made_root.val();
        self.evaluate.search.next = self.searchers.starts.val();
        self.evaluate.change.next = self.searchers.change.val();
        self.evaluate.row.next = self.searchers.row.val();
        self.evaluate.child.next = self.movegen.made_child.val();
        self.movegen.scores.root.next = self.evaluate.scores.root.val();
        self.movegen.scores.child.next = self.evaluate.scores.child.val();
        self.movegen.scores.score.next = self.evaluate.scores.score.val();
        self.evaluate.load_start.next = self.table.start.val();
        self.evaluate.load_valid.next = self.table.valid.val();
        self.evaluate.load_byte.next = self.table.byte.val();
        self.table.offset.next = self.evaluate.load_offset.val();
        self.table.error.next = self.evaluate.load_error.val();
        self.table.loaded.next = self.evaluate.loaded.val();
        self.table.version.next = self.evaluate.version.val();
        self.table.checksum.next = self.evaluate.checksum.val();
    }
}
