//! The position at the present ply: how it is made, its evaluation, and the moves that were picked.
//!
//! ```text
//!                     +------+
//!   clock, reset     ->      => board 447         the position
//!   image 512        =>      -> looked, has_move, in_check    see `ports::LookServer`
//!   recalled 447     =>      => eval 16           its evaluation,
//!   child 66         =>      -> scored            which is there
//!   loads, recalls   ->      -> picked            the move is picked:
//!   makes, looks     -> Spot -> valid             there is one,
//!   ply 6            =>      => candidate 23, move_class 4, place 28, checks, gain 12, exchange 16
//!   picks            ->      =>                   looker: `ports::LookClient`, picker: `ports::PickClient`
//!   selection, special, after |                   see `picker`
//!   score_valid, score 16 => |                    the evaluator's answer
//!   looker, picker   =>      |
//!                     +------+
//!
//!   board -> make_move -> board -> picker
//! ```
//!
//! Handshake: `loads` takes the image, `recalls` the row; `makes` takes the position after the child's move,
//! which is there two clocks after it. `looks`: the position is new, and the evaluator has it, which answers once. `picks` as in
//! [`super::picker`]. What is picked stays until `picks`.
//! Latency: one clock, but for the picker. Throughput: one position at a time. Cost: 555 flip-flops.
//! Model: `host/model/src/search/spot.rs`. Absent: planes (`look_share`), picks (`pick_share`), the evaluator (`evaluate::unit`), keys (`known`).

use super::choose::Chosen;
use super::history::ADDRESS_BITS;
use super::judge_stages::GAIN_BITS;
use super::node::{Candidate, Child, Class, Score, SCORE_BITS};
use super::order::{Place, Selection};
use super::spread::Spread;
use crate::movegen::{make_move::MakeMove, positions::BOARD_WIDTH};
use crate::network;
use crate::network::{width, Wire, Wires, Word};
use crate::ports::{LookClient, PickClient};
use crate::position::{Board, Image};
use rust_hdl::prelude::*;

network! {
    /// The planes of an image.
    TakeImage = take_image(TakeImageIn) -> TakeImageOut {
        in image: Image;
        out board: Board;
    }
}

network! {
    /// The fields of the move that was picked: as it comes, and then as it is kept.
    TakePick = take_pick(TakePickIn) -> TakePickOut, unclocked {
        in picked: Wire;
        in chosen: Chosen;
        in kept: Chosen;
        out keeps: Chosen;
        out valid: Wire;
        out candidate: Candidate;
        out move_class: Class;
        out place: Place;
        out checks: Wire;
        out gain: Wires<GAIN_BITS>;
        out exchange: Score;
    }
}

fn take_image<W: Word>(inputs: TakeImageIn<W>) -> TakeImageOut<W> {
    TakeImageOut { board: Board::from_image(&inputs.image) }
}

fn take_pick<W: Word>(inputs: TakePickIn<W>) -> TakePickOut<W> {
    let keeps = Chosen::choose(inputs.picked, &inputs.chosen, &inputs.kept);
    let Chosen { valid, candidate, class: move_class, place, checks, gain, exchange } = keeps;
    TakePickOut { keeps, valid, candidate, move_class, place, checks, gain, exchange }
}

/// Keeps the position.
#[derive(LogicBlock, Default)]
pub struct Spot {
    /// Clock of all registers.
    pub clock: Signal<In, Clock>,
    /// Forgets what is under way.
    pub reset: Signal<In, Bit>,
    /// The position of the request.
    pub image: Signal<In, Bits<512>>,
    /// It becomes the position.
    pub loads: Signal<In, Bit>,
    /// The position of the row.
    pub recalled: Signal<In, Bits<BOARD_WIDTH>>,
    /// It becomes the position.
    pub recalls: Signal<In, Bit>,
    /// Its ply.
    pub ply: Signal<In, Bits<6>>,
    /// The child whose move is made.
    pub child: Signal<In, Bits<{ width::<Child>() }>>,
    /// The position after it becomes the position.
    pub makes: Signal<In, Bit>,
    /// The position is new, and the evaluator has it.
    pub looks: Signal<In, Bit>,
    /// The evaluator answers.
    pub score_valid: Signal<In, Bit>,
    /// The evaluation.
    pub score: Signal<In, Bits<SCORE_BITS>>,
    /// Which moves the node has.
    pub selection: Signal<In, Bits<{ width::<Selection>() }>>,
    /// Special moves.
    pub special: Signal<In, Bits<60>>,
    /// The place of the move picked last.
    pub after: Signal<In, Bits<{ width::<Place>() }>>,
    /// The next one is picked.
    pub picks: Signal<In, Bit>,
    /// The position.
    pub board: Signal<Out, Bits<BOARD_WIDTH>>,
    /// It is known whether it has moves.
    pub looked: Signal<Out, Bit>,
    /// There is a legal move, or a pawn drop that mates.
    pub has_move: Signal<Out, Bit>,
    /// The mover is in check.
    pub in_check: Signal<Out, Bit>,
    /// The evaluation is there.
    pub scored: Signal<Out, Bit>,
    /// The evaluation.
    pub eval: Signal<Out, Bits<SCORE_BITS>>,
    /// For one clock: the move is picked.
    pub picked: Signal<Out, Bit>,
    /// There is one.
    pub valid: Signal<Out, Bit>,
    /// The move.
    pub candidate: Signal<Out, Bits<{ width::<Candidate>() }>>,
    /// Its class.
    pub move_class: Signal<Out, Bits<4>>,
    /// Its place.
    pub place: Signal<Out, Bits<{ width::<Place>() }>>,
    /// It gives check.
    pub checks: Signal<Out, Bit>,
    /// What it gains at once.
    pub gain: Signal<Out, Bits<GAIN_BITS>>,
    /// Its exchange.
    pub exchange: Signal<Out, Bits<SCORE_BITS>>,
    /// Who finds its planes.
    pub looker: LookClient,
    /// Who picks.
    pub picker: PickClient,
    /// The counter that the picker asks for.
    pub counter_at: Signal<Out, Bits<ADDRESS_BITS>>,
    /// Its place, a clock later.
    pub counter: Signal<In, Bits<8>>,
    take_image: TakeImage,
    take_pick: TakePick,
    spread: Spread,
    make_move: MakeMove,
    position: DFF<Bits<BOARD_WIDTH>>,
    evaluation: DFF<Bits<SCORE_BITS>>,
    evaluated: DFF<Bit>,
    /// What is known of the position: that, whether it has moves, whether the mover is in check.
    knows: DFF<Bit>,
    moves: DFF<Bit>,
    check: DFF<Bit>,
    /// The position became that of the row.
    recalled_now: DFF<Bit>,
    chosen: DFF<Bits<{ width::<Chosen>() }>>,
}

impl Logic for Spot {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, take_image, spread, make_move);
        dff_setup!(self, clock, position, evaluation, evaluated, knows, moves, check, recalled_now, chosen);
        self.take_image.image.next = self.image.val();
        self.spread.child.next = self.child.val();
        self.make_move.to.next = self.spread.to.val();
        self.make_move.from.next = self.spread.from.val();
        self.make_move.kind.next = self.spread.kind.val();
        self.make_move.promote.next = self.spread.promote.val();
        self.make_move.captured.next = self.spread.captured.val();
        self.make_move.tag.next = 0.into();
        self.make_move.board.next = self.position.q.val();
        if self.loads.val() {
            self.position.d.next = self.take_image.board.val();
        }
        if self.recalls.val() {
            self.position.d.next = self.recalled.val();
        }
        if self.makes.val() {
            self.position.d.next = self.make_move.child.val();
        }
        self.board.next = self.position.q.val();

        self.scored.next = self.evaluated.q.val();
        self.eval.next = self.evaluation.q.val();
        if self.score_valid.val() {
            self.evaluation.d.next = self.score.val();
            self.evaluated.d.next = true;
            self.scored.next = true;
            self.eval.next = self.score.val();
        }

        self.looked.next = self.knows.q.val();
        self.has_move.next = self.moves.q.val();
        self.in_check.next = self.check.q.val();
        if self.looker.looked.val() {
            self.knows.d.next = true;
            self.moves.d.next = self.looker.has_move.val();
            self.check.d.next = self.looker.in_check.val();
            self.looked.next = true;
            self.has_move.next = self.looker.has_move.val();
            self.in_check.next = self.looker.in_check.val();
        }
        if self.looks.val() {
            self.evaluated.d.next = false;
            self.knows.d.next = false;
        }
        if self.reset.val() {
            self.knows.d.next = false;
        }

        self.looker.board.next = self.position.q.val();
        self.looker.ply.next = self.ply.val();
        self.looker.looks.next = self.looks.val();
        self.recalled_now.d.next = self.recalls.val();
        self.looker.again.next = self.recalled_now.q.val();
        self.picker.ply.next = self.ply.val();
        self.picker.picks.next = self.picks.val();
        self.picker.selection.next = self.selection.val();
        self.picker.special.next = self.special.val();
        self.picker.after.next = self.after.val();
        self.picker.counter.next = self.counter.val();
        self.counter_at.next = self.picker.counter_at.val();
        self.picked.next = self.picker.picked.val();
        self.take_pick.picked.next = self.picker.picked.val().into();
        self.take_pick.chosen.next = self.picker.chosen.val();
        self.take_pick.kept.next = self.chosen.q.val();
        self.chosen.d.next = self.take_pick.keeps.val();
        self.valid.next = self.take_pick.valid.val().any();
        self.candidate.next = self.take_pick.candidate.val();
        self.move_class.next = self.take_pick.move_class.val();
        self.place.next = self.take_pick.place.val();
        self.checks.next = self.take_pick.checks.val().any();
        self.gain.next = self.take_pick.gain.val();
        self.exchange.next = self.take_pick.exchange.val();
    }
}
