//! The position at the present ply: how it is made, its evaluation, its planes and its moves.
//!
//! ```text
//!                   +------+
//!   clock, reset   ->      => board 447         the position
//!   image 512      =>      -> looked, has_move, in_check    see `picker`
//!   recalled 447   =>      => eval 16           its evaluation,
//!   child 66       =>      -> scored            which is there
//!   loads, recalls ->      =>                   picked: see `picker`
//!   makes, looks   -> Spot |
//!   picks          ->      |
//!   selection, special, after                   see `picker`
//!   evaluates, score_valid, score 16            the evaluator's answer
//!                   +------+
//!
//!   board -> make_move -> board -> picker
//! ```
//!
//! Handshake: `loads` takes the image, `recalls` the row, `makes` the position after the child's move, which is there two clocks after
//! the child. `looks`, `picks` as in [`super::picker`]. `evaluates`: the evaluator has the position, and answers once.
//! Latency: one clock, but for the picker. Throughput: one position at a time. Cost: see `picker`; 464 flip-flops.
//! Model: `host/model/src/search/spot.rs`. Absent: the evaluator (`evaluate::unit`), keys (`known`).

use super::judge_stages::GAIN_BITS;
use super::node::{Candidate, Child, SCORE_BITS};
use super::order::{Place, Selection};
use super::{picker::Picker, spread::Spread};
use crate::movegen::{make_move::MakeMove, positions::BOARD_WIDTH};
use crate::network;
use crate::network::{width, Word};
use crate::position::{Board, Image};
use rust_hdl::prelude::*;

network! {
    /// The planes of an image.
    TakeImage = take_image(TakeImageIn) -> TakeImageOut {
        in image: Image;
        out board: Board;
    }
}

fn take_image<W: Word>(inputs: TakeImageIn<W>) -> TakeImageOut<W> {
    TakeImageOut { board: Board::from_image(&inputs.image) }
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
    /// The move that is made.
    pub child: Signal<In, Bits<{ width::<Child>() }>>,
    /// The position after it becomes the position.
    pub makes: Signal<In, Bit>,
    /// Its planes are looked up.
    pub looks: Signal<In, Bit>,
    /// The evaluator has it.
    pub evaluates: Signal<In, Bit>,
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
    /// Its planes are there.
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
    take_image: TakeImage,
    spread: Spread,
    make_move: MakeMove,
    picker: Picker,
    position: DFF<Bits<BOARD_WIDTH>>,
    evaluation: DFF<Bits<SCORE_BITS>>,
    evaluated: DFF<Bit>,
}

impl Logic for Spot {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, take_image, spread, make_move, picker);
        dff_setup!(self, clock, position, evaluation, evaluated);
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

        if self.score_valid.val() {
            self.evaluation.d.next = self.score.val();
            self.evaluated.d.next = true;
        }
        if self.evaluates.val() {
            self.evaluated.d.next = false;
        }
        self.scored.next = self.evaluated.q.val();
        self.eval.next = self.evaluation.q.val();

        self.picker.reset.next = self.reset.val();
        self.picker.board.next = self.position.q.val();
        self.picker.look.next = self.looks.val();
        self.picker.selection.next = self.selection.val();
        self.picker.special.next = self.special.val();
        self.picker.after.next = self.after.val();
        self.picker.pick.next = self.picks.val();
        self.looked.next = self.picker.looked.val();
        self.has_move.next = self.picker.has_move.val();
        self.in_check.next = self.picker.in_check.val();
        self.picked.next = self.picker.done.val();
        self.valid.next = self.picker.valid.val();
        self.candidate.next = self.picker.candidate.val();
        self.move_class.next = self.picker.move_class.val();
        self.place.next = self.picker.place.val();
        self.checks.next = self.picker.checks.val();
        self.gain.next = self.picker.gain.val();
        self.exchange.next = self.picker.exchange.val();
    }
}
