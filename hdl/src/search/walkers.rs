//! The walkers of a chip, and what they share: pickers, and the evaluator.
//!
//! ```text
//!                    +---------+
//!   clock, reset    ->         =>             search: `ports::SearchTask`, one for each walker
//!   search          => Walkers => board 447   a position for the evaluator
//!   image 512       =>         => change 24   the move that leads there
//!   takes           ->         => row 8       its ply, and above it the walker
//!   score_valid     ->         -> starts      there is one
//!   score 16        =>         |
//!                    +---------+
//! ```
//!
//! Handshake: that of the ports, of `unit` and of `score_share`. All share one finder of planes, and two walkers a picker. Several walkers
//! keep the planes of each ply in block RAM; one walker alone has them found again when it comes back to a ply.
//! Latency, throughput: those of the walkers. Cost: theirs, and a picker for each two.
//! Model: `host/model/src/search/walker.rs`. Absent: which walker gets a request (`seats`); the evaluator.

use super::keys::Change;
use super::node::SCORE_BITS;
use super::pick_share::{PickShare, SHARERS};
use super::{look_share::LookShare, score_share::ScoreShare, seats::SEATS, unit::SearchUnit};
use crate::config::ChipConfig;
use crate::evaluate::correction::sum_rows::ROW_BITS;
use crate::lazy::Lazy;
use crate::movegen::positions::BOARD_WIDTH;
use crate::network::width;
use crate::optional::Optional;
use crate::ports::{LookClient, PickClient, SearchTask};
use rust_hdl::prelude::*;

/// Pickers of a chip.
const PICKERS: usize = SEATS / SHARERS;

/// The walkers.
#[derive(LogicBlock)]
pub struct Walkers {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets all that is under way.
    pub reset: Signal<In, Bit>,
    /// What is to be searched.
    pub search: [SearchTask; SEATS],
    /// The position of a request, up to its start.
    pub image: Signal<In, Bits<512>>,
    /// The position that is scored next.
    pub board: Signal<Out, Bits<BOARD_WIDTH>>,
    /// The move that leads there.
    pub change: Signal<Out, Bits<{ width::<Change>() }>>,
    /// Its ply, and above it the walker.
    pub row: Signal<Out, Bits<ROW_BITS>>,
    /// There is one.
    pub starts: Signal<Out, Bit>,
    /// Another one may start in the next clock.
    pub takes: Signal<In, Bit>,
    /// The evaluator has a score.
    pub score_valid: Signal<In, Bit>,
    /// The score.
    pub score: Signal<In, Bits<SCORE_BITS>>,
    walkers: [Optional<Lazy<SearchUnit>>; SEATS],
    looks: Lazy<LookShare>,
    pickers: [Optional<Lazy<PickShare>>; PICKERS],
    share: ScoreShare,
}

impl Walkers {
    /// Of this chip.
    pub fn new(chip: &ChipConfig) -> Self {
        let walker = |seat: usize| {
            let mut unit: Lazy<SearchUnit> = Lazy::default();
            unit.set_table(chip.search_table_bits);
            Optional::new(unit, seat < chip.walkers() as usize)
        };
        let kept = chip.walkers() > 1;
        let picker = |i: usize| {
            let picker = Lazy::new(PickShare::new(i * SHARERS, kept));
            Optional::new(picker, i * SHARERS < chip.walkers() as usize)
        };
        Walkers {
            clock: Default::default(),
            reset: Default::default(),
            search: Default::default(),
            image: Default::default(),
            board: Default::default(),
            change: Default::default(),
            row: Default::default(),
            starts: Default::default(),
            score_valid: Default::default(),
            score: Default::default(),
            takes: Default::default(),
            walkers: std::array::from_fn(walker),
            looks: Lazy::new(LookShare::new(kept)),
            pickers: std::array::from_fn(picker),
            share: Default::default(),
        }
    }
}

impl Logic for Walkers {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, share, looks);
        for i in 0..4 {
            SearchTask::link(&mut self.search[i], &mut self.walkers[i].task);
            LookClient::join(&mut self.walkers[i].looker, &mut self.looks.walkers[i]);
        }
        PickClient::join(&mut self.walkers[0].picker, &mut self.pickers[0].walkers[0]);
        PickClient::join(&mut self.walkers[1].picker, &mut self.pickers[0].walkers[1]);
        PickClient::join(&mut self.walkers[2].picker, &mut self.pickers[1].walkers[0]);
        PickClient::join(&mut self.walkers[3].picker, &mut self.pickers[1].walkers[1]);
        for i in 0..2 {
            self.pickers[i].clock.next = self.clock.val();
            self.pickers[i].reset.next = self.reset.val();
            self.pickers[i].at.next = self.looks.at.val();
            self.pickers[i].row.next = self.looks.row.val();
            self.pickers[i].writes_row.next = self.looks.writes_row.val();
            self.pickers[i].arrivals.next = self.looks.arrivals.val();
            self.pickers[i].writes_arrivals.next = self.looks.writes_arrivals.val();
            self.pickers[i].attacked.next = self.looks.attacked.val();
            self.pickers[i].parts.next = self.looks.parts.val();
            self.pickers[i].writes_parts.next = self.looks.writes_parts.val();
            self.pickers[i].finding.next = self.looks.finding.val();
        }
        for i in 0..4 {
            self.walkers[i].clock.next = self.clock.val();
            self.walkers[i].reset.next = self.reset.val();
            self.walkers[i].image.next = self.image.val();
            self.walkers[i].scored.next = self.share.scored.val().get_bit(i);
            self.walkers[i].eval.next = self.score.val();
            self.share.boards[i].next = self.walkers[i].looker.board.val();
            self.share.changes[i].next = self.walkers[i].change.val();
            self.share.plies[i].next = self.walkers[i].looker.ply.val();
        }
        self.looks.reset.next = self.reset.val();
        self.looks.wants_attacked.next = self.pickers[0].wants_attacked.val();
        self.share.reset.next = self.reset.val();
        self.share.evaluates.next = bit_cast::<SEATS, 1>(self.walkers[0].evaluates.val().into())
            | (bit_cast::<SEATS, 1>(self.walkers[1].evaluates.val().into()) << 1)
            | (bit_cast::<SEATS, 1>(self.walkers[2].evaluates.val().into()) << 2)
            | (bit_cast::<SEATS, 1>(self.walkers[3].evaluates.val().into()) << 3);
        self.share.takes.next = self.takes.val();
        self.share.score_valid.next = self.score_valid.val();
        self.board.next = self.share.board.val();
        self.change.next = self.share.change.val();
        self.row.next = self.share.row.val();
        self.starts.next = self.share.starts.val();
    }
}
